#include "cli/serve_wait.h"

#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/systemd.h"

/* Between two looks while the data are loaded, and how long a start may last after one. */
enum { LOADING_MS = 50, START_SECONDS = 60 };
/* Clients of a socket that systemd keeps open rather wait than hear that the data are not loaded yet; but not
 * for ever. */
enum { HELD_SECONDS = 20 };

static const int64_t second_ns = 1000000000;

/* The next signal; 0: none has come for @p ns, which 0 makes forever. */
static int next_signal(const sigset_t *signals, int64_t ns)
{
	const struct timespec t = { .tv_sec = ns / second_ns, .tv_nsec = ns % second_ns };
	int number = ns > 0 ? sigtimedwait(signals, NULL, &t) : sigwaitinfo(signals, NULL);
	return number > 0 ? number : 0;
}

static void reload(const struct drg_serve_wait *w, bool ready)
{
	drg_systemd_notify("RELOADING=1\nMONOTONIC_USEC=%lld", (long long)drg_clock_ns() / 1000);
	drg_http_reopen_log(w->http);
	drg_reload_run(w->reload);
	if (ready)
		drg_systemd_notify("READY=1");
}

struct waiting {
	const struct drg_serve_wait *w;
	int64_t began_ns;
	bool held, ready;
};

/* Clients that connect to a socket of systemd are held for a while only; others cannot connect yet. */
static bool lets_in(const struct waiting *x, bool loaded)
{
	return x->held && (loaded || (x->w->options->socket > 0 &&
	                              drg_clock_ns() > x->began_ns + HELD_SECONDS * second_ns));
}

/* Act on what has changed meanwhile. */
static int look(struct waiting *x, struct drg_err *err)
{
	bool loaded = atomic_load(x->w->loaded);
	if (lets_in(x, loaded)) {
		int rc = drg_http_accept(x->w->http, err);
		if (rc != DRG_OK)
			return rc;
		x->held = false;
	}
	if (loaded && !x->ready)
		drg_systemd_notify("READY=1\nSTATUS=serves");
	else if (!loaded)
		drg_systemd_notify("EXTEND_TIMEOUT_USEC=%d000000\nSTATUS=loads the data", START_SECONDS);
	x->ready = loaded;
	return DRG_OK;
}

int drg_serve_wait(const struct drg_serve_wait *w, struct drg_err *err)
{
	const int64_t watchdog_ns = drg_systemd_watchdog_ns() / 2, loading_ns = LOADING_MS * second_ns / 1000;
	struct waiting x = { .w = w, .held = w->options->held, .began_ns = drg_clock_ns() };
	for (;;) {
		int rc = look(&x, err);
		if (rc != DRG_OK)
			return rc;
		if (watchdog_ns > 0 && drg_http_is_alive(w->http))
			drg_systemd_notify("WATCHDOG=1");
		bool looks = x.held || (!x.ready && drg_systemd_listens());
		int number = next_signal(w->signals, looks ? loading_ns : watchdog_ns);
		if (number == SIGHUP) {
			reload(w, x.ready);
		} else if (number != 0) {
			drg_log(DRG_LOG_INFO, "stopping: finishing requests in progress");
			drg_systemd_notify("STOPPING=1\nSTATUS=finishes requests in progress");
			return DRG_OK;
		}
	}
}
