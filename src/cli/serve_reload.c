#include "cli/serve_reload.h"

#include <stdlib.h>
#include <string.h>

#include "base/lockfile.h"
#include "base/log.h"
#include "cli/serve_http.h"
#include "cli/settings.h"
#include "store/store.h"

enum { VALUE = 1024, NAMES = 600 };

struct drg_reload {
	struct drg_cli *cli;
	struct drg_session_limits *limits;
	const struct drg_options *now; /* what is in force of what can be changed */
	struct drg_arena arena; /* which has them; before the first reload the command's */
};

/* The options that drg_reload_apply() changes. */
static const char *const changeable[] = { "log-level", "lock-timeout", "store-timeout", "session-idle",
	                                  "session-max" };

void drg_reload_apply(const struct drg_options *o, struct drg_session_limits *limits)
{
	static const enum drg_log_level levels[] = { DRG_LOG_ERROR, DRG_LOG_WARN, DRG_LOG_INFO,
		                                     DRG_LOG_DEBUG };
	const int64_t second_us = 1000000;
	drg_log_set_level(levels[drg_opt_word(o, "log-level")]);
	drg_lockfile_set_timeout((unsigned)drg_opt_int(o, "lock-timeout") * 1000);
	drg_store_set_timeout((unsigned)drg_opt_int(o, "store-timeout") * 1000);
	limits->idle_us = drg_opt_int(o, "session-idle") * second_us;
	limits->longest_us = drg_opt_int(o, "session-max") * second_us;
}

int drg_reload_new(struct drg_cli *cli, struct drg_session_limits *limits, struct drg_reload **ret)
{
	struct drg_reload *r = calloc(1, sizeof *r);
	if (r == NULL)
		return drg_fail_memory(&cli->err);
	r->cli = cli;
	r->limits = limits;
	r->now = cli->options;
	drg_arena_init(&r->arena, 1 << 20);
	*ret = r;
	return DRG_OK;
}

static bool is_changeable(const char *name)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(changeable); i++)
		if (strcmp(changeable[i], name) == 0)
			return true;
	return false;
}

static bool differs(const struct drg_options *a, const struct drg_options *b, const char *name)
{
	char was[VALUE], is[VALUE];
	drg_opt_print(a, name, was, sizeof was);
	drg_opt_print(b, name, is, sizeof is);
	return strcmp(was, is) != 0;
}

static void name_it(char names[static NAMES], const char *name)
{
	size_t n = strlen(names);
	snprintf(names + n, NAMES - n, "%s%s", n > 0 ? ", " : "", name);
}

static void report_reload(const struct drg_reload *r, const struct drg_options *o)
{
	char changed[NAMES] = "", later[NAMES] = "";
	for (const struct drg_option *row = r->cli->command->options; row->name != NULL; row++) {
		bool now = is_changeable(row->name);
		if (differs(now ? r->now : r->cli->options, o, row->name))
			name_it(now ? changed : later, row->name);
	}
	drg_log(DRG_LOG_INFO, "the settings are read again: %s%s",
	        changed[0] != '\0' ? "changed are " : "none of those in force has changed", changed);
	if (later[0] != '\0')
		drg_log(DRG_LOG_WARN, "these settings change with a restart only: %s", later);
}

void drg_reload_run(struct drg_reload *r)
{
	struct drg_arena arena;
	struct drg_options *o;
	struct drg_err err = { 0 };
	drg_arena_init(&arena, 1 << 20);
	int rc = drg_settings_options(r->cli->command, r->cli->argv, &arena, &o, &err);
	if (rc == DRG_OK)
		rc = drg_serve_check(o, &arena, &err);
	if (rc != DRG_OK) {
		drg_log(DRG_LOG_WARN, "the settings stay as they are: %s", err.message);
		drg_arena_done(&arena);
		return;
	}
	report_reload(r, o);
	drg_reload_apply(o, r->limits);
	drg_arena_done(&r->arena);
	r->arena = arena;
	r->now = o;
}

void drg_reload_free(struct drg_reload *r)
{
	if (r == NULL)
		return;
	drg_arena_done(&r->arena);
	free(r);
}
