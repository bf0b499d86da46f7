/* dragoman config: what is set, where, and whether it is sound. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/listing.h"
#include "cli/serve_http.h"
#include "cli/settings.h"

static const struct drg_listing_column config_columns[] = { { "setting", 30 },
	                                                    { "value", 40 },
	                                                    { "from", 0 } };

/* The options that a command would have now, if it were given none but @p file. */
static int options_of(struct drg_cli *cli, const struct drg_command *c, struct drg_options **ret)
{
	const char *file = drg_opt_text(cli->options, "config");
	char *argv[] = { (char *)"--config", (char *)file, NULL };
	return drg_settings_options(c, file != NULL ? argv : argv + 2, cli->arena, ret, &cli->err);
}

static int show_setting(struct drg_listing *l, const struct drg_command *c, const struct drg_options *o,
                        const struct drg_option *row)
{
	char name[DRG_SETTING_NAME], value[DRG_SETTING_LINE];
	const char *where = drg_opt_where(o, row->name);
	drg_setting_name(c->name, row, name);
	drg_opt_print(o, row->name, value, sizeof value);
	drg_listing_text(l, drg_str_c(name));
	drg_listing_text(l, drg_str_c(value));
	drg_listing_text(l, drg_str_c(where != NULL ? where : "default"));
	return drg_listing_row(l);
}

int drg_cmd_config_show(struct drg_cli *cli)
{
	static const char *const serve[] = { "serve", NULL };
	size_t n, words;
	const char *const *args = drg_opt_args(cli->options, &n);
	const struct drg_command *c = drg_command_find(n > 0 ? args : serve, &words);
	if (c == NULL || (n > 0 && words != n))
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, NULL,
		                "there is no command %s%s%s; 'dragoman --help' lists them", args[0],
		                n > 1 ? " " : "", n > 1 ? args[1] : "");
	struct drg_options *o;
	struct drg_listing l;
	int rc = options_of(cli, c, &o);
	if (rc == DRG_OK)
		rc = drg_listing_open(cli, config_columns, DRG_ARRAY_LEN(config_columns), &l);
	if (rc != DRG_OK)
		return rc;
	for (const struct drg_option *row = c->options; row->name != NULL && rc == DRG_OK; row++)
		rc = show_setting(&l, c, o, row);
	return drg_listing_close(&l, cli, rc);
}

static int check_folder(const char *name, const char *path, bool writable, struct drg_err *err)
{
	struct stat st;
	int e = stat(path, &st) != 0 ? errno : !S_ISDIR(st.st_mode) ? ENOTDIR : 0;
	if (e == 0 && writable && access(path, W_OK | X_OK) != 0)
		e = errno;
	return e == 0 ? DRG_OK
	              : drg_fail(err, DRG_EUSAGE, NULL, name, "--%s: cannot use the folder %s: %s", name,
	                         path, strerror(e));
}

/* The folder of a file that serve would write. */
static int check_file(const struct drg_options *o, const char *name, const char *none, struct drg_err *err)
{
	char folder[PATH_MAX];
	const char *path = drg_opt_text(o, name);
	if (path == NULL || strcmp(path, none) == 0 || strcmp(path, "-") == 0)
		return DRG_OK;
	const char *slash = strrchr(path, '/');
	size_t n = slash != NULL ? (size_t)(slash - path) : 0;
	if (n > 0)
		snprintf(folder, sizeof folder, "%.*s", (int)n, path);
	else
		snprintf(folder, sizeof folder, "%s", slash != NULL ? "/" : ".");
	return check_folder(name, folder, true, err);
}

/* Check the folders that a start needs, with this user's rights. */
static int check_folders(const struct drg_options *o, struct drg_err *err)
{
	const char *data = drg_opt_text(o, "data"), *admin = drg_opt_text(o, "admin");
	int rc = data != NULL ? check_folder("data", data, true, err) : DRG_OK;
	if (rc == DRG_OK)
		rc = check_file(o, "access-log", "off", err);
	if (rc == DRG_OK)
		rc = check_file(o, "snapshot", "none", err);
	return rc == DRG_OK && admin != NULL && admin[0] == '/' ? check_file(o, "admin", "", err) : rc;
}

int drg_cmd_config_check(struct drg_cli *cli)
{
	int rc = DRG_OK;
	struct drg_options *o = NULL;
	for (const struct drg_command *c = drg_commands; c->name != NULL && rc == DRG_OK; c++) {
		rc = options_of(cli, c, &o);
		if (rc == DRG_OK && c->run == drg_cmd_serve) {
			rc = drg_serve_check(o, cli->arena, &cli->err);
			if (rc == DRG_OK)
				rc = check_folders(o, &cli->err);
			if (rc != DRG_OK)
				drg_options_blame(o, &cli->err);
		}
	}
	if (rc == DRG_OK)
		puts("the settings are sound");
	return rc;
}
