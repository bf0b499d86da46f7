#include "cli/serve_wait.h"

#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/systemd.h"

/* Between two looks while the data are loaded, and how long a start may last after one. */
enum { LOADING_MS = 100, START_SECONDS = 60 };
/* Clients of a socket that systemd keeps open rather wait than hear that the data are not loaded yet; but not for ever. */
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
	int64_t held_until_ns;
	bool held, ready;
};

/* What has changed meanwhile? */
static void look(struct waiting *x)
{
	bool loaded = atomic_load(x->w->loaded);
	struct drg_err err;
	if (x->held && (loaded || drg_clock_ns() > x->held_until_ns)) {
		x->held = false;
		if (drg_http_accept(x->w->http, &err) != DRG_OK)
			drg_log(DRG_LOG_ERROR, "nobody can connect: %s", err.message);
	}
	if (loaded && !x->ready)
		drg_systemd_notify("READY=1\nSTATUS=serves");
	else if (!loaded)
		drg_systemd_notify("EXTEND_TIMEOUT_USEC=%d000000\nSTATUS=loads the data", START_SECONDS);
	x->ready = loaded;
}

void drg_serve_wait(const struct drg_serve_wait *w)
{
	const int64_t watchdog_ns = drg_systemd_watchdog_ns() / 2, loading_ns = LOADING_MS * second_ns / 1000;
	struct waiting x = { .w = w,
		             .held = w->held,
		             .held_until_ns = drg_clock_ns() + HELD_SECONDS * second_ns };
	for (;;) {
		look(&x);
		if (watchdog_ns > 0 && drg_http_is_alive(w->http))
			drg_systemd_notify("WATCHDOG=1");
		bool looks = x.held || (!x.ready && drg_systemd_listens());
		int number = next_signal(w->signals, looks ? loading_ns : watchdog_ns);
		if (number == SIGHUP) {
			reload(w, x.ready);
		} else if (number != 0) {
			drg_log(DRG_LOG_INFO, "stopping: finishing what is under way");
			drg_systemd_notify("STOPPING=1\nSTATUS=finishes what is under way");
			return;
		}
	}
}
