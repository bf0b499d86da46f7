#include "base/clock.h"

#include <stdio.h>
#include <time.h>

static const _Atomic int64_t *_Atomic ahead; /* nanoseconds to add to the system's clocks; NULL: none */
/* the times that the two clocks show; NULL: the system's clocks run */
static const _Atomic int64_t *_Atomic stands, *_Atomic wall_stands;

static int64_t clock_read(clockid_t id)
{
	const _Atomic int64_t *now = id == CLOCK_REALTIME ? wall_stands : stands, *more = ahead;
	if (now != NULL)
		return *now;
	struct timespec t;
	clock_gettime(id, &t);
	int64_t ns = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
	return more == NULL ? ns : ns + *more;
}

int64_t drg_clock_ns(void)
{
	return clock_read(CLOCK_MONOTONIC);
}

int64_t drg_wall_us(void)
{
	return clock_read(CLOCK_REALTIME) / 1000;
}

void drg_clock_set_ahead(const _Atomic int64_t *ahead_ns)
{
	ahead = ahead_ns;
}

void drg_clock_set_fixed(const _Atomic int64_t *now_ns, const _Atomic int64_t *wall_ns)
{
	stands = now_ns;
	wall_stands = wall_ns;
}

int64_t drg_clock_ahead_us(void)
{
	struct timespec t;
	if (!drg_clock_is_simulated())
		return 0;
	clock_gettime(CLOCK_REALTIME, &t);
	return drg_wall_us() - ((int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000);
}

bool drg_clock_is_simulated(void)
{
	return ahead != NULL || stands != NULL;
}

void drg_wall_text(int64_t wall_us, char *buf)
{
	time_t s = (time_t)(wall_us / 1000000);
	struct tm tm;
	gmtime_r(&s, &tm);
	char day[24];
	strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(buf, DRG_WALL_TEXT, "%s.%03dZ", day, (int)(wall_us / 1000 % 1000));
}
