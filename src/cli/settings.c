#include "cli/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "console/nearest.h"

#define VARIABLE "DRAGOMAN_"
enum { VARIABLE_PREFIX = sizeof VARIABLE - 1 };

struct reading {
	struct drg_arena *arena;
	struct drg_settings *settings;
	size_t room;
	struct drg_err *err;
	/* of a file */
	FILE *file;
	const char *path;
	int line;
};

static int setting_add(struct reading *r, const char *name, const char *value, const char *where)
{
	if (r->settings->n == r->room) {
		struct drg_setting *all = drg_arena_calloc(r->arena, r->room * 2 + 16, sizeof *all);
		if (all == NULL)
			return drg_fail_memory(r->err);
		if (r->room > 0)
			memcpy(all, r->settings->all, r->room * sizeof *all);
		r->settings->all = all;
		r->room = r->room * 2 + 16;
	}
	struct drg_setting *s = &r->settings->all[r->settings->n];
	s->name = drg_arena_str(r->arena, drg_str_c(name)).p;
	s->value = drg_arena_str(r->arena, drg_str_c(value)).p;
	s->where = drg_arena_str(r->arena, drg_str_c(where)).p;
	s->environment = r->file == NULL;
	if (s->name == NULL || s->value == NULL || s->where == NULL)
		return drg_fail_memory(r->err);
	r->settings->n++;
	return DRG_OK;
}

/* ---- names ----------------------------------------------------------------------------------------------- */

static bool setting_known(const char *name)
{
	for (const struct drg_command *c = drg_commands; c->name != NULL; c++)
		for (const struct drg_option *o = c->options; o->name != NULL; o++)
			if (drg_setting_is(c->name, o, name))
				return true;
	return false;
}

/* "key-create-role" as DRAGOMAN_KEY_CREATE_ROLE. */
static void variable_name(const char *name, char variable[static VARIABLE_PREFIX + DRG_SETTING_NAME])
{
	size_t n = (size_t)snprintf(variable, VARIABLE_PREFIX + DRG_SETTING_NAME, VARIABLE "%s", name);
	for (size_t i = VARIABLE_PREFIX; i < n && variable[i] != '\0'; i++)
		variable[i] = variable[i] == '-'                         ? '_'
		              : variable[i] >= 'a' && variable[i] <= 'z' ? (char)(variable[i] - 'a' + 'A')
		                                                         : variable[i];
}

static int setting_unknown(const struct reading *r, const char *name, const char *where)
{
	char variable[VARIABLE_PREFIX + DRG_SETTING_NAME], suggestion[2 * DRG_SETTING_NAME] = "";
	struct drg_nearest near = { .wanted = name };
	for (const struct drg_command *c = drg_commands; c->name != NULL; c++)
		for (const struct drg_option *o = c->options; o->name != NULL; o++) {
			char known[DRG_SETTING_NAME];
			drg_setting_name(c->name, o, known);
			const char *kept = drg_arena_str(r->arena, drg_str_c(known)).p;
			if (kept == NULL)
				return drg_fail_memory(r->err);
			drg_nearest_offer(&near, kept);
		}
	if (near.best != NULL) {
		variable_name(near.best, variable);
		snprintf(suggestion, sizeof suggestion, "; did you mean %s?",
		         r->file == NULL ? variable : near.best);
	}
	if (r->file == NULL)
		return drg_fail(r->err, DRG_EUSAGE, NULL, NULL, "unknown environment variable %s%s", where,
		                suggestion);
	return drg_fail(r->err, DRG_EUSAGE, NULL, NULL, "%s: unknown setting %.100s%s", where, name,
	                suggestion);
}

/* ---- environment ----------------------------------------------------------------------------------------- */

/* An empty variable counts as absent. */
static int read_environment(struct reading *r)
{
	int rc = DRG_OK;
	for (char **e = environ; *e != NULL && rc == DRG_OK; e++) {
		const char *equals = strchr(*e, '=');
		if (strncmp(*e, VARIABLE, VARIABLE_PREFIX) != 0 || equals == NULL || equals[1] == '\0')
			continue;
		char name[100], variable[100];
		size_t n = (size_t)(equals - *e);
		n = n < sizeof variable ? n : sizeof variable - 1;
		memcpy(variable, *e, n);
		variable[n] = '\0';
		snprintf(name, sizeof name, "%s", variable + VARIABLE_PREFIX);
		for (char *p = name; *p != '\0'; p++)
			*p = *p == '_' ? '-' : *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
		rc = setting_known(name) ? setting_add(r, name, equals + 1, variable)
		                         : setting_unknown(r, name, variable);
	}
	return rc;
}

/* ---- file ------------------------------------------------------------------------------------------------ */

static int file_setting(struct reading *r, const char *name, const char *value)
{
	char where[4096];
	snprintf(where, sizeof where, "%s:%d", r->path, r->line);
	if (strcmp(name, "config") == 0)
		return drg_fail(r->err, DRG_EUSAGE, NULL, NULL, "%s: a file cannot name another one", where);
	if (!setting_known(name))
		return setting_unknown(r, name, where);
	return value[0] != '\0' ? setting_add(r, name, value, where) : DRG_OK;
}

static char *trimmed(char *text)
{
	char *end = text + strlen(text);
	while (end > text && strchr(" \t\r\n", end[-1]) != NULL)
		end--;
	*end = '\0';
	return text + strspn(text, " \t");
}

/* NAME = VALUE or NAME: VALUE; # or ; begins a comment, behind a value only ; after a space. */
static int file_line(struct reading *r, char *line)
{
	for (char *p = strchr(line, ';'); p != NULL; p = strchr(p + 1, ';'))
		if (p > line && (p[-1] == ' ' || p[-1] == '\t')) {
			*p = '\0';
			break;
		}
	char *name = trimmed(line), *sign = name + strcspn(name, "=:");
	if (name[0] == '\0' || name[0] == '#' || name[0] == ';')
		return DRG_OK;
	if (name[0] == '[')
		return drg_fail(r->err, DRG_EUSAGE, NULL, NULL, "%s:%d: there are no sections, found %.100s",
		                r->path, r->line, name);
	if (*sign == '\0')
		return drg_fail(r->err, DRG_EUSAGE, NULL, NULL, "%s:%d: expected NAME = VALUE", r->path,
		                r->line);
	*sign = '\0';
	return file_setting(r, trimmed(name), trimmed(sign + 1));
}

static int read_file(struct reading *r, const char *path)
{
	static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8, which some editors write */
	char line[DRG_SETTING_LINE + 2];
	int rc = DRG_OK;
	r->path = path;
	r->file = fopen(path, "re");
	if (r->file == NULL)
		return drg_fail(r->err, drg_rc_from_errno(errno), NULL, "config", "cannot read %s: %s", path,
		                strerror(errno));
	while (rc == DRG_OK && fgets(line, sizeof line, r->file) != NULL) {
		r->line++;
		if (strchr(line, '\n') == NULL && !feof(r->file))
			rc = drg_fail(r->err, DRG_EUSAGE, NULL, NULL, "%s:%d: a line has at most %d bytes",
			              path, r->line, DRG_SETTING_LINE);
		else
			rc = file_line(r, line + (r->line == 1 && strncmp(line, mark, 3) == 0 ? 3 : 0));
	}
	if (rc == DRG_OK && ferror(r->file))
		rc = drg_fail(r->err, DRG_EIO, NULL, "config", "cannot read %s: it is not a file", path);
	fclose(r->file);
	return rc;
}

/* ---- commands -------------------------------------------------------------------------------------------- */

static const char *said(const struct drg_options *o, const struct drg_settings *s, const char *name)
{
	const char *value = drg_opt_known(o, name) ? drg_opt_text(o, name) : NULL;
	for (size_t i = 0; i < s->n && value == NULL; i++)
		if (strcmp(s->all[i].name, name) == 0)
			value = s->all[i].value;
	return value;
}

/* If the user names a data folder or a store, only that one is meant: the usual file could name another
 * store, and a trial would write into it. NULL: there is no file. */
static const char *config_path(const struct drg_options *o, const struct drg_settings *s)
{
	const char *path = said(o, s, "config"), *usual = getenv("DRG_TEST_CONFIG");
	usual = usual != NULL ? usual : DRG_SETTINGS_FILE;
	if (path != NULL)
		return strcmp(path, "none") == 0 ? NULL : path;
	bool apart = said(o, s, "data") != NULL || said(o, s, "store") != NULL;
	return !apart && access(usual, R_OK) == 0 ? usual : NULL;
}

int drg_settings_options(const struct drg_command *c, char *const *argv, struct drg_arena *arena,
                         struct drg_options **ret, struct drg_err *err)
{
	struct drg_settings settings = { 0 };
	struct reading r = { .arena = arena, .settings = &settings, .err = err };
	struct drg_options *o;
	int rc = drg_options_parse(c->options, argv, arena, &o, err);
	if (rc == DRG_OK)
		rc = read_environment(&r);
	const char *path = rc == DRG_OK ? config_path(o, &settings) : NULL;
	if (path != NULL)
		rc = read_file(&r, path);
	if (rc == DRG_OK)
		rc = drg_options_fill(o, c->name, &settings, err);
	if (rc == DRG_OK)
		*ret = o;
	return rc;
}

const struct drg_command *drg_command_find(const char *const *argv, size_t *ret_words)
{
	for (const struct drg_command *c = drg_commands; c->name != NULL; c++) {
		const char *space = strchr(c->name, ' ');
		size_t first = space != NULL ? (size_t)(space - c->name) : strlen(c->name);
		if (argv[0] == NULL || strlen(argv[0]) != first || memcmp(argv[0], c->name, first) != 0)
			continue;
		if (space != NULL && (argv[1] == NULL || strcmp(argv[1], space + 1) != 0))
			continue;
		*ret_words = space != NULL ? 2 : 1;
		return c;
	}
	return NULL;
}
