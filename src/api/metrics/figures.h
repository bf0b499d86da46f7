/* src/api/metrics/figures.h
 * What only the store knows: counted by a thread of its own, each half minute at most and while somebody
 * asks. Nobody waits for it, so the first answers after a start, or after ten minutes without a question, are
 * without it. */
#pragma once
#include "store/suggestions.h"

struct drg_figures_keeper;

struct drg_supplier_figures {
	int64_t adapter;
	enum drg_kind kind;
	int64_t records, mapped, open;
};
struct drg_figures {
	struct drg_buf suppliers; /**< struct drg_supplier_figures, ascending */
	struct drg_buf air; /**< struct drg_open_count without a kind: what avia/compared did not match */
	uint64_t store_bytes;
	int64_t read_us; /**< drg_clock_ns(), in microseconds */
};

DRG_MUSTCHECK
int drg_figures_start(const char *store_url, struct drg_figures_keeper **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_figures_stop(struct drg_figures_keeper *k);
/** Somebody asks: keep them. Not in a read section. @return whether they are there. */
bool drg_figures_request(struct drg_figures_keeper *k);
/** In a read section, and valid until its end; after drg_figures_request(). */
const struct drg_figures *drg_figures_now(const struct drg_figures_keeper *k);
