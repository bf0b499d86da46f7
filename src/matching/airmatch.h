/* src/matching/airmatch.h
 * The matcher of airports on a store (decision A12): finds the places that identifiers of air suppliers mean.
 * It reads the reports of avia/compared (store/air_reports.h) of an adapter, or a list from the supplier. A
 * certain result becomes an air_map, in a batch that can be undone (decide/batch.h).
 *
 * An id that is mapped, or whose mapping a person removed, is left alone. */
#pragma once
#include "match/airports.h"
#include "store/txn_run.h"

/** A row of a supplier's list. Empty: not given. */
struct drg_airmatch_row {
	struct drg_str external_id, name, iata, icao, city;
	struct drg_str country; /**< ISO 3166-1 alpha-2, or its name in any language */
	double lat, lng; /**< NAN: not said */
};

/** The result for one id. Texts are borrowed for the call. */
struct drg_airmatch_result {
	int64_t adapter;
	struct drg_str id, name, explanation;
	enum drg_match_outcome outcome;
	enum drg_match_reason reason;
	bool has_place;
	int64_t place; /**< source_id of the best */
	unsigned n_ranked, candidates;
	struct {
		int64_t place;
		double points;
	} ranked[DRG_AIRPORT_BEST];
};

struct drg_airmatch_options {
	const int64_t *adapters; /**< n_adapters; 0: all air suppliers */
	size_t n_adapters;
	const struct drg_airmatch_row *rows; /**< a list of the one adapter; NULL: read the reports */
	size_t n_rows;
	bool dry_run;
	bool decided_too; /**< report ids whose mapping was removed, too; for a dry run only */
	struct drg_str by, why; /**< for the batch; empty: not said */
	/** Called for each open id, in no order. Any result but DRG_OK ends the run and is returned. */
	int (*result)(void *ctx, const struct drg_airmatch_result *r);
	void *ctx;
};

struct drg_airmatch_totals {
	int64_t batch; /**< its number; 0: nothing was written */
	uint64_t outcomes[DRG_MATCH_OUTCOMES];
	uint64_t reasons[DRG_WHY_COUNT];
	uint64_t mapped; /**< mapped before the run: unchanged */
	uint64_t decided; /**< mapping removed by a person: unchanged */
	uint64_t without_id; /**< reports and rows that have no id that could be mapped */
	uint64_t written;
};

/**
 * Match the open ids of the wanted adapters.
 * @param s    Opened for writing, unless dry_run.
 * @param ret  Filled on failure too, as far as the run came.
 * @return DRG_OK; DRG_EINVAL: one of the adapters is not for air; DRG_ENOMEM; errors of the store.
 */
DRG_MUSTCHECK
int drg_airmatch_run(struct drg_store *s, const struct drg_airmatch_options *o,
                     struct drg_airmatch_totals *ret, struct drg_err *reterr);
