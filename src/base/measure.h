/* src/base/measure.h
 * Counters that one thread writes and any thread reads, for metrics (api/metrics/). No lock and no locked
 * instruction: each thread that counts has its own counters, and a reader adds them up. */
#pragma once
#include <stdatomic.h>
#include <stdint.h>

typedef _Atomic uint64_t drg_measure;

/** Called only by the thread that owns the counter. */
static inline void drg_measure_add(drg_measure *m, uint64_t n)
{
	atomic_store_explicit(m, atomic_load_explicit(m, memory_order_relaxed) + n, memory_order_relaxed);
}

/** From any thread. */
static inline uint64_t drg_measure_of(const drg_measure *m)
{
	return atomic_load_explicit(m, memory_order_relaxed);
}

enum { DRG_DURATIONS = 17 };
/** Upper bounds of durations in microseconds, ascending. */
extern const uint32_t drg_duration_us[DRG_DURATIONS];

/** Counts of durations by bound; the last count is of those beyond all bounds. */
struct drg_durations {
	drg_measure n[DRG_DURATIONS + 1];
	drg_measure sum_us;
};
/** Called only by the thread that owns the counts. */
static inline void drg_durations_add(struct drg_durations *d, int64_t us)
{
	unsigned i = 0;
	while (i < DRG_DURATIONS && us > drg_duration_us[i])
		i++;
	drg_measure_add(&d->n[i], 1);
	drg_measure_add(&d->sum_us, us > 0 ? (uint64_t)us : 0);
}

/** The durations that several threads have counted, added up. */
struct drg_durations_sum {
	uint64_t n[DRG_DURATIONS + 1], sum_us;
};
/** Add @p d to @p sum. From any thread. */
void drg_durations_gather(const struct drg_durations *d, struct drg_durations_sum *sum);
