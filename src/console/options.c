#include "console/options.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "console/nearest.h"

/* The values of one option; which member is used follows from its type. */
struct value {
	bool given;
	const char *where; /* drg_opt_where() */
	size_t n;
	const char **texts;
	int64_t *ints;
};

struct drg_options {
	const struct drg_option *table;
	struct drg_arena *arena;
	struct value *values; /* one per row of the table */
	const char **args;
	size_t n_args;
};

static size_t table_length(const struct drg_option *table)
{
	size_t n = 0;
	while (table[n].name != NULL)
		n++;
	return n;
}

static bool is_list(const struct drg_option *row)
{
	return row->type == DRG_OPT_TEXTS;
}

/* Room for as many values as the command line can have. */
static int new_options(const struct drg_option *table, size_t room, struct drg_arena *arena,
                       struct drg_options **ret)
{
	size_t n = table_length(table);
	struct drg_options *o = drg_arena_calloc(arena, 1, sizeof *o);
	if (o == NULL)
		return DRG_ENOMEM;
	o->table = table;
	o->arena = arena;
	o->values = drg_arena_calloc(arena, n + 1, sizeof *o->values);
	o->args = drg_arena_calloc(arena, room, sizeof *o->args);
	if (o->values == NULL || o->args == NULL)
		return DRG_ENOMEM;
	for (size_t i = 0; i < n; i++) {
		size_t places = is_list(&table[i]) ? room : 2;
		o->values[i].texts = drg_arena_calloc(arena, places, sizeof *o->values[i].texts);
		o->values[i].ints = drg_arena_calloc(arena, places, sizeof *o->values[i].ints);
		if (o->values[i].texts == NULL || o->values[i].ints == NULL)
			return DRG_ENOMEM;
	}
	*ret = o;
	return DRG_OK;
}

static int read_word(const struct drg_option *row, const char *text, int64_t *ret, struct drg_err *reterr)
{
	char known[200] = "";
	for (int64_t i = 0; row->words[i] != NULL; i++) {
		if (strcmp(row->words[i], text) == 0) {
			*ret = i;
			return DRG_OK;
		}
		strncat(known, i > 0 ? ", " : "", sizeof known - strlen(known) - 1);
		strncat(known, row->words[i], sizeof known - strlen(known) - 1);
	}
	return drg_fail(reterr, DRG_EUSAGE, NULL, row->name, "--%s: expected one of %s, found \"%s\"",
	                row->name, known, text);
}

static int options_read_int(const struct drg_option *row, const char *text, int64_t *ret,
                            struct drg_err *reterr)
{
	int64_t i;
	if (!drg_str_to_i64(drg_str_c(text), &i) || i < row->min || i > row->max)
		return drg_fail(reterr, DRG_EUSAGE, NULL, row->name,
		                "--%s: expected an integer of %" PRId64 " to %" PRId64 ", found \"%s\"",
		                row->name, row->min, row->max, text);
	*ret = i;
	return DRG_OK;
}

static int options_add_value(const struct drg_option *row, const char *text, struct value *v,
                             struct drg_err *reterr)
{
	int64_t i = 1;
	int rc = DRG_OK;
	if (row->type == DRG_OPT_WORD)
		rc = read_word(row, text, &i, reterr);
	else if (row->type == DRG_OPT_INT)
		rc = options_read_int(row, text, &i, reterr);
	if (rc != DRG_OK)
		return rc;
	v->texts[v->n] = text;
	v->ints[v->n++] = i;
	return DRG_OK;
}

static int unknown_option(const struct drg_option *table, const char *name, size_t n, struct drg_err *reterr)
{
	char typed[64];
	size_t keep = n < sizeof typed ? n : sizeof typed - 1;
	memcpy(typed, name, keep);
	typed[keep] = '\0';
	struct drg_nearest near = { .wanted = typed };
	for (const struct drg_option *row = table; row->name != NULL; row++)
		drg_nearest_offer(&near, row->name);
	if (near.best == NULL)
		return drg_fail(reterr, DRG_EUSAGE, NULL, NULL, "unknown option --%s", typed);
	return drg_fail(reterr, DRG_EUSAGE, NULL, NULL, "unknown option --%s; did you mean --%s?", typed,
	                near.best);
}

/* One option at argv[*at], with its value behind "=" or in the next word, which is then skipped. */
static int read_option(struct drg_options *o, char *const *argv, size_t *at, struct drg_err *reterr)
{
	const char *name = argv[*at] + 2;
	const char *equals = strchr(name, '=');
	size_t n = equals != NULL ? (size_t)(equals - name) : strlen(name);
	const struct drg_option *row = o->table;
	while (row->name != NULL && (strlen(row->name) != n || memcmp(row->name, name, n) != 0))
		row++;
	if (row->name == NULL)
		return unknown_option(o->table, name, n, reterr);

	struct value *v = &o->values[row - o->table];
	if (v->given && !is_list(row))
		return drg_fail(reterr, DRG_EUSAGE, NULL, row->name, "--%s is given twice", row->name);
	v->given = true;
	v->where = argv[*at];
	if (row->type == DRG_OPT_FLAG)
		return equals == NULL ? DRG_OK
		                      : drg_fail(reterr, DRG_EUSAGE, NULL, row->name, "--%s takes no value",
		                                 row->name);
	const char *text = equals != NULL ? equals + 1 : argv[++*at];
	if (text == NULL || (equals == NULL && strncmp(text, "--", 2) == 0))
		return drg_fail(reterr, DRG_EUSAGE, NULL, row->name, "--%s needs a value: --%s %s", row->name,
		                row->name, row->arg);
	return options_add_value(row, text, v, reterr);
}

int drg_options_parse(const struct drg_option *table, char *const *argv, struct drg_arena *arena,
                      struct drg_options **ret, struct drg_err *reterr)
{
	size_t argc = 0;
	while (argv[argc] != NULL)
		argc++;
	struct drg_options *o;
	if (new_options(table, argc + 2, arena, &o) != DRG_OK)
		return drg_fail_memory(reterr);

	bool options_end = false;
	for (size_t i = 0; i < argc; i++) {
		/* Ids may be negative: -44 is an argument. */
		if (options_end || argv[i][0] != '-' || argv[i][1] == '\0' ||
		    (argv[i][1] >= '0' && argv[i][1] <= '9')) {
			o->args[o->n_args++] = argv[i];
		} else if (strcmp(argv[i], "--") == 0) {
			options_end = true;
		} else if (argv[i][1] != '-') {
			return drg_fail(reterr, DRG_EUSAGE, NULL, NULL,
			                "unknown option %s; options begin with --", argv[i]);
		} else {
			int rc = read_option(o, argv, &i, reterr);
			if (rc != DRG_OK)
				return rc;
		}
	}
	*ret = o;
	return DRG_OK;
}

/* ---- settings -------------------------------------------------------------------------------------------- */

static bool is_plain(const char *command, const struct drg_option *row)
{
	return row->everywhere || strcmp(command, "serve") == 0;
}

bool drg_setting_is(const char *command, const struct drg_option *row, const char *name)
{
	if (is_plain(command, row))
		return strcmp(row->name, name) == 0;
	for (; *command != '\0' && *name == (*command == ' ' ? '-' : *command); name++)
		command++;
	return *command == '\0' && *name == '-' && strcmp(row->name, name + 1) == 0;
}

void drg_setting_name(const char *command, const struct drg_option *row, char name[static DRG_SETTING_NAME])
{
	bool plain = is_plain(command, row);
	snprintf(name, DRG_SETTING_NAME, "%s%s%s", plain ? "" : command, plain ? "" : "-", row->name);
	for (char *space; (space = strchr(name, ' ')) != NULL;)
		*space = '-';
}

static int read_flag(const struct drg_option *row, const struct drg_setting *s, struct value *v,
                     struct drg_err *reterr)
{
	static const char *const words[] = { "no", "false", "0", "yes", "true", "1" };
	size_t i = 0;
	while (i < DRG_ARRAY_LEN(words) && strcmp(words[i], s->value) != 0)
		i++;
	v->given = i >= DRG_ARRAY_LEN(words) / 2;
	return i < DRG_ARRAY_LEN(words)
	               ? DRG_OK
	               : drg_fail(reterr, DRG_EUSAGE, NULL, row->name,
	                          "--%s: expected yes or no, found \"%.100s\"", row->name, s->value);
}

/* Read the values of all its lines, each with commas between. */
static int read_list(struct drg_options *o, const struct drg_setting *s, struct value *v)
{
	size_t room = v->n + 2;
	for (const char *p = s->value; *p != '\0'; p++)
		room += *p == ',';
	const char **texts = drg_arena_calloc(o->arena, room, sizeof *texts);
	if (texts == NULL)
		return DRG_ENOMEM;
	memcpy(texts, v->texts, v->n * sizeof *texts);
	v->texts = texts;
	struct drg_str rest = drg_str_c(s->value), part;
	while (drg_str_split(&rest, ',', &part)) {
		const char *copy = drg_arena_str(o->arena, drg_str_trim(part)).p;
		if (copy == NULL)
			return DRG_ENOMEM;
		texts[v->n] = copy;
		v->n += copy[0] != '\0';
	}
	texts[v->n] = NULL;
	v->given = true;
	return DRG_OK;
}

static int use_setting(struct drg_options *o, const struct drg_option *row, const struct drg_setting *s,
                       struct drg_err *reterr)
{
	struct value *v = &o->values[row - o->table];
	if (v->where != NULL && !is_list(row))
		return drg_fail(reterr, DRG_EUSAGE, NULL, NULL, "%s is set twice (%s, %s)", s->name, v->where,
		                s->where);
	v->where = s->where;
	if (row->type == DRG_OPT_FLAG)
		return read_flag(row, s, v, reterr);
	if (is_list(row))
		return read_list(o, s, v) == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
	v->given = true;
	return options_add_value(row, s->value, v, reterr);
}

/* The environment hides what the file says. */
static int fill_option(struct drg_options *o, const struct drg_option *row, const char *command,
                       const struct drg_settings *settings, struct drg_err *reterr)
{
	struct value *v = &o->values[row - o->table];
	if (v->where != NULL)
		return DRG_OK;
	int rc = DRG_OK;
	bool environment = false;
	for (size_t i = 0; settings != NULL && i < settings->n && rc == DRG_OK; i++) {
		const struct drg_setting *s = &settings->all[i];
		if (!drg_setting_is(command, row, s->name) || (environment && !s->environment))
			continue;
		environment = s->environment;
		rc = use_setting(o, row, s, reterr);
	}
	if (rc == DRG_OK && v->where == NULL && row->dflt != NULL)
		rc = options_add_value(row, row->dflt, v, reterr);
	return rc;
}

int drg_options_fill(struct drg_options *o, const char *command, const struct drg_settings *settings,
                     struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (const struct drg_option *row = o->table; row->name != NULL && rc == DRG_OK; row++)
		rc = fill_option(o, row, command, settings, reterr);
	if (rc == DRG_EUSAGE)
		drg_options_blame(o, reterr);
	return rc;
}

/* ---- values ---------------------------------------------------------------------------------------------- */

bool drg_opt_known(const struct drg_options *o, const char *name)
{
	size_t i = 0;
	while (o->table[i].name != NULL && strcmp(o->table[i].name, name) != 0)
		i++;
	return o->table[i].name != NULL;
}

static const struct value *options_find(const struct drg_options *o, const char *name)
{
	for (size_t i = 0; o->table[i].name != NULL; i++)
		if (strcmp(o->table[i].name, name) == 0)
			return &o->values[i];
	assert(false && "an option that is not in the command's table");
	abort();
}

bool drg_opt_given(const struct drg_options *o, const char *name)
{
	return options_find(o, name)->given;
}

bool drg_opt_flag(const struct drg_options *o, const char *name)
{
	return options_find(o, name)->given;
}

const char *drg_opt_where(const struct drg_options *o, const char *name)
{
	return options_find(o, name)->where;
}

void drg_options_blame(const struct drg_options *o, struct drg_err *err)
{
	const char *where = drg_opt_known(o, err->field) ? drg_opt_where(o, err->field) : NULL;
	size_t n = strlen(err->message);
	if (where != NULL && strncmp(where, "--", 2) != 0)
		snprintf(err->message + n, sizeof err->message - n, " (%s)", where);
}

void drg_opt_print(const struct drg_options *o, const char *name, char *buf, size_t n)
{
	const struct value *v = options_find(o, name);
	bool flag = o->table[v - o->values].type == DRG_OPT_FLAG;
	snprintf(buf, n, "%s", flag ? v->given ? "yes" : "no" : "");
	for (size_t i = 0; i < v->n; i++) {
		size_t used = strlen(buf);
		snprintf(buf + used, n - used, "%s%s", i > 0 ? "," : "", v->texts[i]);
	}
}

const char *drg_opt_text(const struct drg_options *o, const char *name)
{
	return options_find(o, name)->texts[0];
}

int64_t drg_opt_int(const struct drg_options *o, const char *name)
{
	return options_find(o, name)->ints[0];
}

int drg_opt_word(const struct drg_options *o, const char *name)
{
	const struct value *v = options_find(o, name);
	return v->n > 0 ? (int)v->ints[0] : -1;
}

const char *const *drg_opt_texts(const struct drg_options *o, const char *name, size_t *ret_n)
{
	const struct value *v = options_find(o, name);
	if (ret_n != NULL)
		*ret_n = v->n;
	return v->texts;
}

const char *const *drg_opt_args(const struct drg_options *o, size_t *ret_n)
{
	if (ret_n != NULL)
		*ret_n = o->n_args;
	return o->args;
}

static void option_line(FILE *out, const struct drg_option *o)
{
	int used =
	        fprintf(out, "  --%s%s%s", o->name, o->arg != NULL ? " " : "", o->arg != NULL ? o->arg : "");
	fprintf(out, "%*s%s", used < 28 ? 28 - used : 1, "", o->doc);
	if (o->dflt != NULL)
		fprintf(out, " (default: %s)", o->dflt);
	fputc('\n', out);
}

void drg_options_help(FILE *out, const struct drg_option *table)
{
	for (const struct drg_option *o = table; o->name != NULL; o++)
		option_line(out, o);
}
