/* src/matching/automap.h
 * The matcher on a store (decisions M30 and M31): reads the reference and the suppliers' records, matches
 * them with src/match, and writes certain results as decisions (how: match). A run is a batch
 * (decide/ledger.h) and can be undone (decide/batch.h).
 *
 * A source that a person has decided about is left alone, even if the person removed its mapping. So is a
 * source that is mapped already. A source whose mapping came from a run that was undone is open again. */
#pragma once
#include <stdatomic.h>

#include "match/hotels.h"
#include "store/txn_run.h"

/** The result for one source. Texts are borrowed for the call. */
struct drg_automap_result {
	int64_t adapter;
	enum drg_kind kind;
	struct drg_str id, name;
	enum drg_match_outcome outcome;
	enum drg_match_reason reason;
	int64_t country, city, category; /**< dict ids that the supplier's words mean; INT64_MIN: not known */
	bool has_dict;
	int64_t dict_id; /**< the best; with automatic and ask */
	struct drg_str explanation;
	unsigned candidates; /**< hotels: how many were compared */
	unsigned n_ranked; /**< hotels: the best, with their bits */
	struct {
		int64_t dict_id;
		double bits;
		uint8_t level[DRG_CMP_COUNT];
	} ranked[DRG_HOTEL_BEST];
};

/** A source that was added or changed. */
struct drg_automap_source {
	int64_t adapter;
	enum drg_kind kind;
	struct drg_str id;
};

/** The reference in memory, which a server keeps between its runs. For one thread. */
struct drg_automap_kept;
/**
 * Read it.
 * @param s      Any handle; borrowed for the call.
 * @param leave  Looked at for each record, since millions take minutes; NULL: read to the end.
 * @return DRG_OK; DRG_EBUSY, without a message: @p leave became true; DRG_ENOMEM; errors of the store.
 */
DRG_MUSTCHECK
int drg_automap_kept_new(struct drg_store *s, const atomic_bool *leave, struct drg_automap_kept **ret,
                         struct drg_err *reterr);
/** Add a hotel that was made since it was read, unless it is there. A search looks at each of those, so they
 * should be few. @return DRG_OK; DRG_ENOMEM: it may be there in part, so free @p k. */
DRG_MUSTCHECK
int drg_automap_kept_add(struct drg_automap_kept *k, const struct drg_record *hotel, struct drg_err *reterr);
/** NULL is fine. */
void drg_automap_kept_free(struct drg_automap_kept *k);
/** Read the statements "not the same" again. */
DRG_MUSTCHECK
int drg_automap_keep_apart(struct drg_automap_kept *k, struct drg_store *s, struct drg_err *reterr);

/** The results of a run over some sources, for the job of a server that writes them (a function of a
 * transaction). */
struct drg_automap_outcome {
	bool automatic; /**< input: map certain results, in a batch; false: suggest them */
	/** input: looked at for each record, whatever one costs; NULL: match to the end */
	const atomic_bool *leave;
	struct drg_arena texts;
	struct drg_buf wishes; /**< struct drg_automap_wish */
	struct drg_buf suggestions; /**< struct drg_suggestion */
	uint64_t written; /**< result: mappings */
};
DRG_MUSTCHECK
int drg_automap_outcome_write(void *outcome, struct drg_txn *t, struct drg_err *reterr);

/**
 * Match some sources of one adapter and kind, if they exist, are not mapped, and no person has decided about
 * them.
 * @param card  For hotels.
 * @param v     In any order.
 * @param o     Results are added to it.
 * @return DRG_OK; DRG_ESTOPPED: @p o->leave became true; errors of the store.
 */
DRG_MUSTCHECK
int drg_automap_some(struct drg_store *s, struct drg_automap_kept *k, const struct drg_scorecard *card,
                     const struct drg_automap_source *v, size_t n, struct drg_automap_outcome *o,
                     struct drg_err *reterr);

struct drg_automap_options {
	const int64_t *adapters; /**< n_adapters; 0: all tour suppliers */
	size_t n_adapters;
	unsigned kinds; /**< a bit for each enum drg_kind */
	struct drg_scorecard card; /**< of hotels */
	bool dry_run;
	struct drg_str
	        only; /**< an id of the one kind and adapter: that record alone, be it mapped or not; dry_run */
	/** True for records to match, mapped or not; with dry_run. Pairs that people keep apart are compared
	 * too. NULL: the open records. */
	bool (*wanted)(void *ctx, int64_t adapter, enum drg_kind kind, struct drg_str id);
	/** Called for each pair of hotels that is compared; then there is one thread. May be NULL. */
	void (*pair)(void *ctx, int64_t adapter, struct drg_str id, int64_t dict_id,
	             const struct drg_hotel_pair *p);
	const int64_t *against; /**< with `only`, of a hotel: compare it with this dict record too */
	struct drg_str by, why; /**< for the batch and its events; empty: not given */
	unsigned threads; /**< 0: one for each core */
	/** Called for each open source, in no order. Any result but DRG_OK ends the run and is returned. */
	int (*result)(void *ctx, const struct drg_automap_result *r);
	void (*progress)(void *ctx, const char *step, uint64_t done, uint64_t total); /**< may be NULL */
	void *ctx;
};

struct drg_automap_totals {
	int64_t batch; /**< its number; 0: nothing was written */
	struct drg_automap_counts {
		uint64_t outcomes[DRG_MATCH_OUTCOMES];
		uint64_t reasons[DRG_WHY_COUNT];
		uint64_t mapped; /**< mapped before the run: unchanged */
		uint64_t decided; /**< mapping removed by a person: unchanged */
		uint64_t written; /**< mappings made; 0 with dry_run */
		uint64_t overtaken; /**< changed by others between reading and writing: unchanged */
	} kinds[DRG_KIND_COUNT];
};

/**
 * Match the open sources. The order of kinds lets each use the mappings of those before it. Mappings are
 * written in transactions of some 2,000; a run that fails in the middle keeps what is written, and the next
 * run continues.
 * @param s    Opened for writing, unless dry_run.
 * @param ret  Written on success; on failure too, as far as it came.
 */
DRG_MUSTCHECK
int drg_automap_run(struct drg_store *s, const struct drg_automap_options *o, struct drg_automap_totals *ret,
                    struct drg_err *reterr);

/** Find the countries of the reference that a list's codes or names mean (decision M44).
 * @param ret  For each text a dict id; INT64_MIN: none, or more than one. */
DRG_MUSTCHECK
int drg_country_find(struct drg_store *s, const struct drg_str *texts, size_t n, int64_t *ret,
                     struct drg_err *reterr);
