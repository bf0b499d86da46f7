/* src/matching/desk/queue.h
 * The queue for people (decision M34): records that the matcher did not map, with its suggestions; the
 * answers that help most come first. Suggestions are those of the last run of the matcher, or of the matcher
 * in a server. */
#pragma once
#include "matching/desk/filter.h"

struct drg_queue_item {
	int64_t adapter;
	enum drg_kind kind;
	struct drg_str id;
	struct drg_record source; /**< the whole stored record; only in a queue that was read */
	enum drg_match_outcome outcome;
	struct drg_str reason; /**< a word of match/outcome.h */
	struct drg_str explanation;
	int64_t country; /**< dict id; INT64_MIN: not known */
	struct drg_suggested ranked[DRG_HOTEL_BEST];
	unsigned n_ranked;
	struct drg_str dict_name; /**< name of the best candidate: in English, or any language; empty: none */
	int64_t asked; /**< how often clients asked for the source (decision M32) */
	/** suppliers that have a record for which the same dict record is the best; at least 1 */
	int64_t waiting;
	int64_t version; /**< as drg_source_version() returns it */
	double likely; /**< the probability that the first suggestion is right; 0: there is none */
	int64_t alike, settles; /**< see struct drg_open_case */
};

struct drg_queue_options {
	struct drg_queue_filter filter; /**< without `like` */
	size_t limit; /**< 0: none */
	enum drg_queue_sort sort;
};

/** The item is borrowed for the call. Any result but DRG_OK ends the reading and is returned. */
typedef int drg_queue_fn(void *ctx, const struct drg_queue_item *item);

/** Call fn for these cases, in their order. Sources that were mapped since are left out. */
DRG_MUSTCHECK
int drg_queue_each_of(struct drg_store *s, struct drg_open_case *v, size_t n, drg_queue_fn *fn, void *ctx,
                      struct drg_err *reterr);
/** The same for those of the queue that the options want, in the order that they name. */
DRG_MUSTCHECK
int drg_queue_each(struct drg_store *s, const struct drg_queue_options *o, drg_queue_fn *fn, void *ctx,
                   struct drg_err *reterr);
