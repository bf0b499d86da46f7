/* src/server/load_progress.h
 * Logs how far the loading of the catalog is: a line every few seconds, none for a quick load. */
#pragma once
#include "store/store.h"

struct drg_load_progress {
	int64_t began_ns, next_ns; /**< drg_clock_ns() at the start of the load, and for the next line */
	uint64_t total; /**< approximate number of records; 0: not known */
};

/** @param s  The store; it counts the records of suppliers, which are nearly all. */
void drg_load_progress_begin(struct drg_load_progress *p, struct drg_store *s);
/** @p rows were loaded so far. Cheap enough to call for each row. */
void drg_load_progress_row(struct drg_load_progress *p, uint64_t rows);
