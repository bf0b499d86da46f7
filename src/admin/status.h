/* src/admin/status.h
 * Describes a store: its version, size and counts, and the licences of the data that it may contain. */
#pragma once
#include "store/store.h"

struct drg_status {
	struct drg_clock clock;
	uint64_t bytes; /**< on disk */
	struct drg_count *counts; /**< by type, kind and adapter; the counts of API keys too */
	size_t n_counts;
	/** number of live adapters; a server does not load the ones beyond DRG_ADAPTERS_MAX (decision E14) */
	int64_t adapters;
};

DRG_MUSTCHECK
int drg_status_read(struct drg_store *s, struct drg_status *ret, struct drg_err *reterr);
void drg_status_done(struct drg_status *st);

/** The licence of a source of the demo data. */
struct drg_licence {
	const char *source, *what, *licence, *url;
};
/** Ends with a row whose source is NULL. */
extern const struct drg_licence drg_licences[];
