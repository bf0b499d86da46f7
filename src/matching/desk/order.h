/* src/matching/desk/order.h
 * The open cases in the order of the queue (decision M34): sources that the matcher did not map and nobody
 * has mapped since, those that are most worth an answer first. A case takes about 130 bytes, so that a server
 * can keep a million of them. */
#pragma once
#include <stdatomic.h>
#include "base/arena.h"
#include "decide/suggest.h"

struct drg_open_case {
	int64_t adapter;
	struct drg_str id; /**< the source: adapter, kind, id */
	int64_t country, city; /**< dict ids; INT64_MIN: not known */
	int64_t dict_id; /**< the best candidate, if n_ranked > 0 */
	int64_t version; /**< the seq of the last change of the source, or of the last "not the same" */
	int64_t asked; /**< how often clients asked for the source (decision M32) */
	/** equal for cases with the same name and best candidate; 0: it has no name */
	uint64_t group;
	uint64_t called; /**< equal for cases of one kind with the same name, folded; 0: it has no name */
	/** the worth of an answer: likely * settles * (1 + log2(1 + asked)); 0 without a suggestion */
	float worth;
	/** the probability that the best candidate is right (match/likely.h); 0: there is none, or it
	 * is not known, as of all kinds but hotels */
	float likely;
	/** how many cases one answer decides: those of its group, and those that wait for this country or
	 * city */
	uint32_t settles;
	/** suppliers that have a record for which the same dict record is the best; at least 1 */
	uint32_t waiting;
	uint32_t alike; /**< cases of its group; at least 1 */
	uint32_t assigned; /**< the person who should look: drg_queue_person(); 0: nobody in particular */
	uint32_t later; /**< private: the persons who put the case off */
	int32_t millibits; /**< of the best candidate */
	uint8_t kind, outcome, n_ranked;
	uint8_t reason; /**< enum drg_match_reason; DRG_WHY_COUNT: a word that this program does not know */
	bool suggested; /**< the matcher has a suggestion: a candidate, and not the outcome "none" */
};

struct drg_queue_order {
	struct drg_open_case *v;
	size_t n;
	struct drg_arena texts; /**< private: memory of the ids */
	struct drg_buf rows; /**< private */
	struct drg_buf people, laters; /**< private: of the notes */
	struct drg_buf moments; /**< private: when commits were made; see drg_queue_moments_read() */
};

/** Orders of the queue; equal cases are in the order of worth. */
#define DRG_QUEUE_SORTS(S)                                                                                   \
	S(WORTH, "worth")                                                                                    \
	S(PROBABILITY, "probability")                                                                        \
	S(ASKED, "asked")                                                                                    \
	S(NEWEST, "newest")                                                                                  \
	S(SUPPLIER, "supplier")                                                                              \
	S(COUNTRY, "country")                                                                                \
	S(CITY, "city")                                                                                      \
	S(REASON, "reason")
#define DRG_QUEUE_SORT_ID(id, word) DRG_QUEUE_BY_##id,
enum drg_queue_sort { DRG_QUEUE_SORTS(DRG_QUEUE_SORT_ID) DRG_QUEUE_SORT_COUNT };
#undef DRG_QUEUE_SORT_ID

/** Find an order by its word; DRG_QUEUE_SORT_COUNT: none. */
enum drg_queue_sort drg_queue_sort_by_name(struct drg_str word);
/** The sort key of a case, ascending. */
int64_t drg_queue_sort_key(const struct drg_open_case *c, enum drg_queue_sort sort);

/**
 * Read the open cases. A million takes seconds.
 * @param leave  Checked meanwhile: true ends it. May be NULL.
 * @param ret    To be given to drg_queue_order_done() in any case.
 * @return DRG_OK, DRG_ENOMEM, DRG_ESTOPPED, errors of the store.
 */
DRG_MUSTCHECK
int drg_queue_order_read(struct drg_store *s, const atomic_bool *leave, struct drg_queue_order *ret,
                         struct drg_err *reterr);
void drg_queue_order_done(struct drg_queue_order *q);

/** The number of a person who is named in notes; 0: no note names this person. */
uint32_t drg_queue_person(const struct drg_queue_order *q, struct drg_str name);
/** The name of a person by the number, above 0. */
struct drg_str drg_queue_person_name(const struct drg_queue_order *q, uint32_t person);
/** Does this person put the case off at this time? */
bool drg_queue_is_later(const struct drg_queue_order *q, const struct drg_open_case *c, uint32_t person,
                        int64_t now_us);

/** Sort the cases by another order than worth. */
void drg_queue_order_sort(struct drg_queue_order *q, enum drg_queue_sort sort);

/** Compare two cases by worth. A case without a suggestion has no worth and comes last. Never 0 for two cases
 * of one order. */
int drg_queue_compare(const struct drg_open_case *a, const struct drg_open_case *b);
