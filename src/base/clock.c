#include "base/clock.h"

#include <stdio.h>
#include <time.h>

int64_t drg_clock_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t drg_wall_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
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
