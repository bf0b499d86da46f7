#include "access/key_limits.h"

#include <inttypes.h>
#include <stdio.h>

#include "access/key_rate.h"
#include "base/clock.h"

enum { DAY_SECONDS = 86400 };

static void limits_tell(struct drg_exchange *x, const char *name, const char *unit, int64_t quota,
                        int64_t window_s, int64_t left, int64_t reset_s)
{
	char text[128];
	snprintf(text, sizeof text, "\"%s\";q=%" PRId64 ";w=%" PRId64 "%s", name, quota, window_s, unit);
	drg_exchange_add_to_header(x, "RateLimit-Policy", text);
	snprintf(text, sizeof text, "\"%s\";r=%" PRId64 ";t=%" PRId64, name, left, reset_s);
	drg_exchange_add_to_header(x, "RateLimit", text);
}

int drg_key_limits_request(struct drg_exchange *x, const struct drg_key *key, bool free)
{
	const int64_t per_second = key->requests_per_second, now_ns = drg_clock_ns();
	int64_t left = drg_key_rate_left(key->rate, per_second, now_ns);
	const bool taken = free || drg_key_rate_consume(key->rate, per_second, now_ns, &left);
	limits_tell(x, "requests", "", per_second, 1, left, 1);
	if (taken)
		return DRG_OK;
	drg_exchange_add_header(x, "Retry-After", "1");
	return drg_exchange_fail_status(x, 429, DRG_R(too_many_requests), NULL,
	                                "this key may ask %" PRId64
	                                " times a second of each server; try again in a second",
	                                per_second);
}

static int64_t limits_day_left_s(void)
{
	return DAY_SECONDS - drg_wall_us() / 1000000 % DAY_SECONDS;
}

void drg_key_limits_tomorrow(struct drg_exchange *x)
{
	char text[DRG_I64_TEXT];
	snprintf(text, sizeof text, "%" PRId64, limits_day_left_s());
	drg_exchange_add_header(x, "Retry-After", text);
}

void drg_key_limits_adds(struct drg_exchange *x, int64_t per_day, int64_t left, bool refused)
{
	limits_tell(x, "elements", ";qu=\"elements\"", per_day, DAY_SECONDS, left, limits_day_left_s());
	if (refused)
		drg_key_limits_tomorrow(x);
}
