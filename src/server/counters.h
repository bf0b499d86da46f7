/* src/server/counters.h
 * Things that come often are counted here, in memory, and stored by the writer every so often and at a clean stop: what comes
 * a million times costs one row each time, and no request waits for the store (decisions A8, M32).
 *
 * Faults. While the store fails, what was counted stays and is tried again. There is a ceiling on the different things that
 * wait: beyond it new ones are not kept. After a commit of unknown outcome nothing is tried again: a count is rather too low
 * than too high. A crash loses what was counted since the last time. */
#pragma once
#include "server/writer.h"

struct drg_counters;

enum { DRG_COUNTED_TEXTS = 4 };

struct drg_counted {
	/* The identity. */
	int64_t number;
	enum drg_kind kind;
	struct drg_str text[DRG_COUNTED_TEXTS];

	int64_t count;
	int64_t first_us, last_us; /**< wall clock */
};

struct drg_counters_options {
	struct drg_writer *writer; /**< must outlive it */
	unsigned flush_ms; /**< between two stores */
	unsigned stripes; /**< how many locks share what is counted */
	size_t max_pending; /**< of one stripe: different things that wait */
	size_t max_bytes; /**< of one stripe: of them and their texts */
	size_t wake_at; /**< so many different things of a stripe do not wait for the next time; 0: never */
	const char
	        *what; /**< for the log, which says how many were not kept or not stored; NULL: it does not */
	void *ctx;

	/** Everything that the user counts itself is to be stored. NULL: nothing. On the thread of the counters. @return how many. */
	size_t (*take)(void *ctx);
	/** Store @p n of these from the number @p from on, perhaps none: at the beginning of each transaction. With `take`. */
	int (*store_taken)(void *ctx, struct drg_txn *t, size_t from, size_t n, struct drg_err *reterr);
	/** Store things, by number and first text, on the writer's thread. */
	int (*store)(void *ctx, struct drg_txn *t, const struct drg_counted *const *things, size_t n,
	             struct drg_err *reterr);
};

DRG_MUSTCHECK
int drg_counters_start(const struct drg_counters_options *o, struct drg_counters **ret,
                       struct drg_err *reterr);
/** Store what waits, if that can be done, and end the thread. Nobody counts any more. NULL is fine. */
void drg_counters_stop(struct drg_counters *c);

/** Add to the count of a thing and make its `last_us` later. From any thread; texts are copied. */
void drg_counters_add(struct drg_counters *c, const struct drg_counted *thing);
