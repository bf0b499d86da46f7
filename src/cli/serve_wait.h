/* src/cli/serve_wait.h
 * The main thread of a server: signals, and what systemd is told (decision E27). */
#pragma once
#include <signal.h>
#include <stdatomic.h>
#include "cli/serve_reload.h"
#include "http/server.h"

struct drg_serve_wait {
	struct drg_http *http;
	const struct drg_http_options *options; /**< of `http` */
	struct drg_reload *reload;
	const atomic_bool *loaded; /**< there are data to answer from */
	const sigset_t *signals; /**< SIGTERM, SIGINT and SIGHUP, blocked in every thread */
};

/** Until SIGTERM or SIGINT. SIGHUP opens the access log again, and reads the settings. systemd hears READY=1
 * once the data are loaded, and WATCHDOG=1 as long as every loop of the server takes its turns. @return
 * DRG_OK; why nobody can connect. */
DRG_MUSTCHECK
int drg_serve_wait(const struct drg_serve_wait *w, struct drg_err *err);
