/* src/cli/serve_reload.h
 * SIGHUP: the file of --config is read again. What can change while the server runs does, the rest is named
 * in the log. */
#pragma once
#include "cli/cli.h"
#include "access/session.h"

struct drg_reload;

/** @param cli  That of serve; borrowed, with what it has, until drg_reload_free(). @return DRG_OK or
 *             DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_reload_new(struct drg_cli *cli, struct drg_session_limits *limits, struct drg_reload **ret);
/** Apply the options of serve that always can be: at the start, too. */
void drg_reload_apply(const struct drg_options *o, struct drg_session_limits *limits);
/** Read the settings again; a mistake in them is logged, and changes nothing. */
void drg_reload_run(struct drg_reload *r);
/** NULL is fine. */
void drg_reload_free(struct drg_reload *r);
