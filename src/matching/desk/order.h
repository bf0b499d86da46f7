/* src/matching/desk/order.h
 * The open cases in the order of the queue (decision M34): what the matcher did not map and nobody has mapped since, most worth an
 * answer first. Compact: about 80 bytes a case, so that a server can keep a million of them. */
#pragma once
#include <stdatomic.h>
#include "base/arena.h"
#include "decide/suggest.h"

struct drg_open_case {
	int64_t adapter;
	struct drg_str id; /**< the source: adapter, kind, id */
	int64_t country; /**< dict id; INT64_MIN: not known */
	int64_t dict_id; /**< the best candidate, where n_ranked > 0 */
	int64_t version; /**< the seq of the last change of the source, or of what was said that it is not */
	int64_t asked; /**< how often it was asked for (decision M32) */
	int32_t millibits; /**< of the best */
	uint32_t
	        waiting; /**< suppliers that have a record for which the same dict record is the best; at least 1 */
	uint8_t kind, outcome, n_ranked;
	uint8_t reason; /**< enum drg_match_reason; DRG_WHY_COUNT: a word that this program does not know */
};

struct drg_queue_order {
	struct drg_open_case *v;
	size_t n;
	struct drg_arena texts; /**< its own: what the ids borrow from */
	struct drg_buf rows; /**< its own */
};

/**
 * Read them. A million takes seconds.
 * @param leave  Looked at meanwhile: true ends it. May be NULL.
 * @param ret    To be given to drg_queue_order_done() in any case.
 * @return DRG_OK, DRG_ENOMEM, DRG_ESTOPPED, errors of the store.
 */
DRG_MUSTCHECK
int drg_queue_order_read(struct drg_store *s, const atomic_bool *leave, struct drg_queue_order *ret,
                         struct drg_err *reterr);
void drg_queue_order_done(struct drg_queue_order *q);

/** Which comes first: by how often it was asked for, then by how many suppliers wait, then by bits, then by the source. Never 0 for
 * two cases of one order. */
int drg_queue_compare(const struct drg_open_case *a, const struct drg_open_case *b);
