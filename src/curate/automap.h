/* src/curate/automap.h
 * The matcher on a store: reads the reference and the suppliers' records, has src/match say what is what, and writes what is certain
 * as decisions (how: match). A run is a batch with a name, kept as `by` of its events, and can be taken back as a whole.
 *
 * What a person has decided stands: such a source is left alone, also where a person took its mapping away. So does what is mapped
 * already. A source whose mapping a run has made and a later one took back is open again. */
#pragma once
#include "match/hotels.h"
#include "store/decision.h"

/** Room for the name of a batch: "match 2026-11-21T17:40:00.123456Z". */
enum { DRG_AUTOMAP_BATCH = 48 };

/** What the matcher says of one source. Texts are borrowed for the call. */
struct drg_automap_result {
	int64_t adapter;
	enum drg_kind kind;
	struct drg_str id, name;
	enum drg_outcome_of_match outcome;
	enum drg_match_reason reason;
	bool has_dict;
	int64_t dict_id; /**< the best; automatic, ask */
	struct drg_str explanation;
	unsigned candidates; /**< hotels: how many were compared */
	unsigned n_ranked; /**< hotels: the best, with their bits */
	struct {
		int64_t dict_id;
		double bits;
	} ranked[DRG_HOTEL_BEST];
};

struct drg_automap_options {
	const int64_t *adapters; /**< n_adapters; 0: all tour suppliers */
	size_t n_adapters;
	unsigned kinds; /**< a bit for each enum drg_kind */
	struct drg_scorecard card; /**< of hotels */
	bool dry_run;
	unsigned threads; /**< 0: one for each core */
	/** For each open source, in no order. Anything but DRG_OK ends the run and is returned. */
	int (*result)(void *ctx, const struct drg_automap_result *r);
	void (*progress)(void *ctx, const char *step, uint64_t done, uint64_t total); /**< may be NULL */
	void *ctx;
};

struct drg_automap_totals {
	char batch[DRG_AUTOMAP_BATCH];
	struct drg_automap_counts {
		uint64_t outcomes[DRG_MATCH_OUTCOMES];
		uint64_t reasons[DRG_WHY_COUNT];
		uint64_t mapped; /**< before: left as they are */
		uint64_t decided; /**< by a person, to nothing: left alone */
		uint64_t written; /**< mappings made; 0 with dry_run */
		uint64_t overtaken; /**< changed by others between reading and writing: left as they are */
	} kinds[DRG_KIND_SOURCE_COUNT];
};

/**
 * Match what is open. Kinds go in an order that lets each use what was mapped before it. Mappings are written in transactions
 * of some 2,000; a run that fails in the middle keeps those that are written, and the next one goes on.
 * @param s    Opened for writing, unless dry_run.
 * @param ret  Written on success; on failure too, as far as it came.
 */
DRG_MUSTCHECK
int drg_automap_run(struct drg_store *s, const struct drg_automap_options *o, struct drg_automap_totals *ret,
                    struct drg_err *reterr);

struct drg_automap_undo {
	char batch[DRG_AUTOMAP_BATCH]; /**< given, or "": the last one; the result has its name */
	uint64_t undone; /**< result: mappings taken away */
	uint64_t kept; /**< result: decided anew since, or changed by an import: left as they are */
};

/**
 * Take a batch back: what it mapped, and nobody has decided anew since, is not mapped again.
 * @return DRG_OK; DRG_ENOENT: there is no such batch; errors of the store.
 */
DRG_MUSTCHECK
int drg_automap_undo(struct drg_store *s, struct drg_automap_undo *u, struct drg_err *reterr);
