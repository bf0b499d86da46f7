#include "cli/stopping.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

struct drg_stopping {
	pthread_t thread;
	bool watched;
	int64_t began_ns;
	unsigned seconds;
	struct timespec until; /* of CLOCK_MONOTONIC */

	pthread_mutex_t lock; /* for what follows */
	pthread_cond_t ended;
	bool end;
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

static void *stopping_watch(void *arg)
{
	struct drg_stopping *s = arg;
	pthread_mutex_lock(&s->lock);
	while (!s->end)
		if (pthread_cond_timedwait(&s->ended, &s->lock, &s->until) == ETIMEDOUT && !s->end)
			end_process(s);
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

struct drg_stopping *drg_stopping_begin(unsigned seconds)
{
	struct drg_stopping *s = calloc(1, sizeof *s);
	if (s == NULL)
		return NULL;
	s->began_ns = drg_clock_ns();
	s->seconds = seconds;
	s->part = "";
	clock_gettime(CLOCK_MONOTONIC, &s->until);
	s->until.tv_sec += seconds;
	pthread_condattr_t monotonic;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&s->ended, &monotonic);
	pthread_condattr_destroy(&monotonic);
	pthread_mutex_init(&s->lock, NULL);
	s->watched = pthread_create(&s->thread, NULL, stopping_watch, s) == 0;
	return s;
}

void drg_stopping_part(struct drg_stopping *s, const char *part)
{
	if (s == NULL)
		return;
	pthread_mutex_lock(&s->lock);
	s->part = part;
	s->what[0] = '\0';
	pthread_mutex_unlock(&s->lock);
}

void drg_stopping_waits(struct drg_stopping *s, const char *what)
{
	drg_log(DRG_LOG_INFO, "stopping: waiting for %s", what);
	if (s == NULL)
		return;
	pthread_mutex_lock(&s->lock);
	snprintf(s->what, sizeof s->what, "%s", what);
	pthread_mutex_unlock(&s->lock);
}

_Noreturn void drg_stopping_hangs(struct drg_stopping *s)
{
	if (s == NULL)
		_exit(DRG_EXIT_STOP_HANGS);
	pthread_mutex_lock(&s->lock);
	end_process(s);
}

void drg_stopping_end(struct drg_stopping *s)
{
	if (s == NULL)
		return;
	pthread_mutex_lock(&s->lock);
	s->end = true;
	pthread_cond_signal(&s->ended);
	pthread_mutex_unlock(&s->lock);
	if (s->watched)
		pthread_join(s->thread, NULL);
	drg_log(DRG_LOG_INFO, "stopped after %.1f s", seconds_since(s));
	pthread_cond_destroy(&s->ended);
	pthread_mutex_destroy(&s->lock);
	free(s);
}
