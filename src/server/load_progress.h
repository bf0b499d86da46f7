/* src/server/load_progress.h
 * How far the loading of the catalog is, in the log: a line each few seconds, none of a load that is quick. */
#pragma once
#include "store/store.h"

struct drg_load_progress {
	int64_t began_ns, next_ns; /**< drg_clock_ns(): of the load, of the next line */
	uint64_t total; /**< about so many records; 0: not known */
};

/** @param s  Is asked how many records of suppliers there are, which are nearly all. */
void drg_load_progress_begin(struct drg_load_progress *p, struct drg_store *s);
/** @p rows have been loaded. Cheap enough for each row. */
void drg_load_progress_row(struct drg_load_progress *p, uint64_t rows);
