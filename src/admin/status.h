/* src/admin/status.h
 * What a store holds: its version, size and counts, and the licences of the data that it may have come from. */
#pragma once
#include "store/store.h"

struct drg_status {
	struct drg_clock clock;
	uint64_t bytes; /**< on disk */
	struct drg_count *counts; /**< by type, kind, adapter; those of API keys too */
	size_t n_counts;
	int64_t adapters; /**< live ones; beyond DRG_ADAPTERS_MAX a server sets them aside (decision E14) */
};

DRG_MUSTCHECK
int drg_status_read(struct drg_store *s, struct drg_status *ret, struct drg_err *reterr);
void drg_status_done(struct drg_status *st);

/** Where the demo data comes from. */
struct drg_licence {
	const char *source, *what, *licence, *url;
};
/** Ends with a row whose source is NULL. */
extern const struct drg_licence drg_licences[];
