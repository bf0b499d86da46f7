#include "access/key_rate.h"

#include <stdatomic.h>

#include "base/clock.h"

static int64_t rate_interval(int64_t per_second)
{
	return DRG_SECOND_NS / per_second;
}

/* The time when the bucket is full again, from the stored one, limited to what is possible now. It may be out
 * of range because another thread has read a later clock, or because the limit was changed. A time more than
 * 10 s too late is of another clock: the bucket counts as full. */
static int64_t rate_full_at(int64_t rate, int64_t per_second, int64_t now_ns)
{
	const int64_t latest = now_ns + per_second * rate_interval(per_second);
	const bool strange = rate > latest + INT64_C(10) * DRG_SECOND_NS;
	return rate < now_ns || strange ? now_ns : rate > latest ? latest : rate;
}

static int64_t rate_left(int64_t full_at, int64_t per_second, int64_t now_ns)
{
	const int64_t interval = rate_interval(per_second), taken = full_at - now_ns;
	return (per_second * interval - taken) / interval;
}

bool drg_key_rate_consume(_Atomic int64_t *rate, int64_t per_second, int64_t now_ns, int64_t *ret_left)
{
	int64_t was = atomic_load_explicit(rate, memory_order_relaxed), full_at;
	do {
		full_at = rate_full_at(was, per_second, now_ns);
		*ret_left = rate_left(full_at, per_second, now_ns);
		if (*ret_left == 0)
			return false;
		full_at += rate_interval(per_second);
	} while (!atomic_compare_exchange_weak_explicit(rate, &was, full_at, memory_order_relaxed,
	                                                memory_order_relaxed));
	*ret_left = rate_left(full_at, per_second, now_ns);
	return true;
}

int64_t drg_key_rate_left(const _Atomic int64_t *rate, int64_t per_second, int64_t now_ns)
{
	const int64_t was = atomic_load_explicit(rate, memory_order_relaxed);
	return rate_left(rate_full_at(was, per_second, now_ns), per_second, now_ns);
}
