/* src/decide/newest.h
 * Keeps the newest of many events, with memory for as many as are wanted. */
#pragma once
#include "store/store.h"

struct drg_newest_event {
	int64_t at_us, row;
	struct drg_buf packed; /**< of drg_record_pack() */
};

struct drg_newest {
	size_t limit;
	struct drg_newest_event *v; /**< a heap, the oldest first */
	size_t n;
	bool more; /**< older events were dropped */
};

/** The order of events: by time, then by row. */
int drg_newest_order(const struct drg_newest_event *a, int64_t at_us, int64_t row);

/** Initialise @p x; give it to drg_newest_done() in any case. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_newest_init(struct drg_newest *x, size_t limit);
void drg_newest_done(struct drg_newest *x);

/** Add an event, if it is among the newest. @param at_us  Its time. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_newest_take(struct drg_newest *x, const struct drg_record *event, int64_t at_us, int64_t row);

/** Sort the events, the newest first; no event may be added afterwards. */
void drg_newest_sort(struct drg_newest *x);
/** Get the i-th event; its texts are borrowed. */
void drg_newest_at(const struct drg_newest *x, size_t i, struct drg_record *ret);
