/* src/workbench/queue/cases.h
 * The queue of a server (decision C2): the open cases in their order (matching/desk/order.h), in memory, so
 * that a page of it costs microseconds. A thread reads them again while somebody asks: what was mapped since
 * is seen in the catalog at once, what a decision of this server leaves open is noted here, and the rest is
 * as late as the last reading. */
#pragma once
#include <stdatomic.h>

#include "base/numbers.h"
#include "base/keeper.h"
#include "decide/decision.h"
#include "matching/desk/filter.h"

struct drg_cases;

struct drg_cases_options {
	const char *store_url;
};

DRG_MUSTCHECK
int drg_cases_start(const struct drg_cases_options *o, struct drg_cases **ret, struct drg_err *reterr);
/** The server stops: waiting requests are told so, and nothing is read any more. NULL is fine. */
void drg_cases_drain(struct drg_cases *c);
/** Likewise, and end the thread. Nobody asks any more. NULL is fine. */
void drg_cases_stop(struct drg_cases *c);

/** The keeper of the view; ask it before looking at the view, so that it is kept fresh. */
struct drg_keeper *drg_cases_keeper(const struct drg_cases *c);

/** A case and its changes since it was read. */
struct drg_case_entry {
	struct drg_open_case c;
	_Atomic int64_t version; /**< as of now */
	_Atomic int64_t dict_id; /**< the best candidate, as of now; looked at where n_ranked > 0 */
	_Atomic uint8_t n_ranked;
};

/** The result of one reading. Readers are inside a read section (catalog/rcu.h), and it lives as long. */
struct drg_cases_view {
	struct drg_queue_order order;
	size_t n;
	struct drg_case_entry *v; /**< in the order of the queue */
	uint64_t *marks; /**< by case: what it is filtered by, see cases.c */
	uint32_t *sorted[DRG_QUEUE_SORT_COUNT]; /**< by order: places in v; NULL: as they stand there */
	struct drg_hashtab by_source;
	struct drg_numbers adapters, countries; /**< int64_t: what the numbers in marks stand for */
	int64_t read_us; /**< wall clock, when the reading began */
};

/** NULL: not read yet. */
const struct drg_cases_view *drg_cases_view(const struct drg_cases *c);

/** A filter as it looks at marks, and at what these do not say. */
struct drg_case_sieve {
	uint64_t mask, want;
	struct drg_queue_sieve of;
};
struct drg_case_sieve drg_cases_sieve(const struct drg_cases_view *v, const struct drg_queue_filter *f);
/** The case at a place of an order. */
const struct drg_case_entry *drg_cases_at(const struct drg_cases_view *v, enum drg_queue_sort sort,
                                          size_t at);
/** The first place that passes, from @p at on; v->n: none. A look at a million takes a millisecond. */
size_t drg_cases_next(const struct drg_cases_view *v, const struct drg_case_sieve *s,
                      enum drg_queue_sort sort, size_t at);
/** How many pass, at most as many as there are: those that were mapped since are counted too. */
size_t drg_cases_count(const struct drg_cases_view *v, const struct drg_case_sieve *s);
/** The first place behind @p c, which need not be there. */
size_t drg_cases_behind(const struct drg_cases_view *v, enum drg_queue_sort sort,
                        const struct drg_open_case *c);

/** Called with a case of the view that has the same name as the case of decision number @p which, but is
 * another. */
typedef void drg_cases_called_fn(void *ctx, size_t which, const struct drg_open_case *c);
/** Look for them. @param d  Only decisions with `alone` are looked at. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_cases_called(const struct drg_cases_view *v, const struct drg_decision *d, size_t n,
                     drg_cases_called_fn *fn, void *ctx);

/** The probability that a decision maps its source rightly, if `dict_id` is the best candidate; NAN: it is
 * not, or there is no such case. From any thread. */
float drg_cases_likely(const struct drg_cases *c, const struct drg_decision *d);

/** A decision of this server about a source that is still open. From any thread. */
struct drg_case_change {
	int64_t adapter;
	enum drg_kind kind;
	struct drg_str id;
	int64_t version;
	int64_t dict_id; /**< the best candidate that is left; of n_ranked 0: none */
	unsigned n_ranked;
};
void drg_cases_changed(struct drg_cases *c, const struct drg_case_change *change);
/** Something was decided: read again soon. From any thread. */
void drg_cases_invalidate(struct drg_cases *c);
