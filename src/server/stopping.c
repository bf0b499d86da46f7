#include "server/stopping.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/worker.h"

struct drg_stopping {
	int64_t began_ns;
	unsigned seconds;

	struct drg_worker watch; /* its lock is for what follows */
	const char *part;
	char what[200];
};

static double seconds_since(const struct drg_stopping *s)
{
	return (double)(drg_clock_ns() - s->began_ns) / 1e9;
}

/** No part of the process is asked any more: any may be what hangs. */
_Noreturn static void end_process(const struct drg_stopping *s)
{
	drg_log(DRG_LOG_ERROR,
	        "the stop hangs after %.1f s (--stop-timeout %u): %s%s%s; ending without it, what was "
	        "acknowledged is stored",
	        seconds_since(s), s->seconds, s->part, s->what[0] != '\0' ? ", waiting for " : "", s->what);
	_exit(DRG_EXIT_STOP_HANGS);
}

/** A step: the stop is over, or its time is. */
static int64_t stopping_watch(void *stopping)
{
	const struct drg_stopping *s = stopping;
	if (!s->watch.stopping)
		end_process(s);
	return DRG_WHEN_WOKEN;
}

struct drg_stopping *drg_stopping_begin(unsigned seconds)
{
	struct drg_stopping *s = calloc(1, sizeof *s);
	if (s == NULL)
		return NULL;
	s->began_ns = drg_clock_ns();
	s->seconds = seconds;
	s->part = "";
	drg_worker_init(&s->watch);
	/* If no thread can be started for it, nothing ends a stop that hangs. */
	(void)!drg_worker_start(&s->watch, stopping_watch, s, s->began_ns + seconds * DRG_SECOND_NS, NULL);
	return s;
}

void drg_stopping_part(struct drg_stopping *s, const char *part)
{
	if (s == NULL)
		return;
	pthread_mutex_lock(&s->watch.lock);
	s->part = part;
	s->what[0] = '\0';
	pthread_mutex_unlock(&s->watch.lock);
}

void drg_stopping_waits(struct drg_stopping *s, const char *what)
{
	drg_log(DRG_LOG_INFO, "stopping: waiting for %s", what);
	if (s == NULL)
		return;
	pthread_mutex_lock(&s->watch.lock);
	snprintf(s->what, sizeof s->what, "%s", what);
	pthread_mutex_unlock(&s->watch.lock);
}

_Noreturn void drg_stopping_hangs(struct drg_stopping *s)
{
	if (s == NULL)
		_exit(DRG_EXIT_STOP_HANGS);
	pthread_mutex_lock(&s->watch.lock);
	end_process(s);
}

void drg_stopping_end(struct drg_stopping *s)
{
	if (s == NULL)
		return;
	drg_worker_done(&s->watch);
	drg_log(DRG_LOG_INFO, "stopped after %.1f s", seconds_since(s));
	free(s);
}
