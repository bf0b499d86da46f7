/* src/server/counters.h
 * Counts things in memory; the writer stores the counts at intervals and at a clean stop. A thing that occurs
 * a million times costs one row each time, and no request waits for the store (decisions A8, M32).
 *
 * Faults. While the store fails, counts stay in memory and are tried again. The number of different things
 * that wait has a ceiling: beyond it new things are not counted. After a commit of unknown outcome nothing is
 * tried again: a count may be too low, but not too high. A crash loses the counts since the last time they
 * were stored. */
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
	struct drg_writer *writer; /**< must outlive this */
	unsigned flush_ms; /**< between two stores */
	unsigned stripes; /**< over how many locks the counts are spread */
	size_t max_pending; /**< of one stripe: different things that wait */
	size_t max_bytes; /**< of one stripe: memory of these and their texts */
	size_t wake_at; /**< store at once when a stripe has this many things; 0: never */
	/** the word for the log message about things that were not counted or stored; NULL: no message */
	const char *what;
	void *ctx;

	/** Take the user's own counts for storing; called on the thread of the counters. NULL: the user has
	 * none. @return how many counts. */
	size_t (*take)(void *ctx);
	/** Store @p n of these counts from the number @p from on, perhaps none, at the beginning of each
	 * transaction. Needed with `take`. */
	int (*store_taken)(void *ctx, struct drg_txn *t, size_t from, size_t n, struct drg_err *reterr);
	/** Store things, sorted by number and first text, on the writer's thread. */
	int (*store)(void *ctx, struct drg_txn *t, const struct drg_counted *const *things, size_t n,
	             struct drg_err *reterr);
};

DRG_MUSTCHECK
int drg_counters_start(const struct drg_counters_options *o, struct drg_counters **ret,
                       struct drg_err *reterr);
/** Store what waits, if possible, and end the thread. No thread may count any more. NULL is fine. */
void drg_counters_stop(struct drg_counters *c);

/** Add to the count of a thing and make its `last_us` later. From any thread; texts are copied. */
void drg_counters_add(struct drg_counters *c, const struct drg_counted *thing);
