#include "matching/desk/order_priv.h"

#include <math.h>
#include <stdlib.h>

#include "base/bound.h"
#include "base/hash.h"
#include "match/likely.h"
#include "match/tally.h"
#include "store/coverage.h"
#include "store/uses.h"
#include "text/fold.h"

struct order_reading {
	struct drg_queue_order *q;
	const atomic_bool *leave;
	struct drg_tally suppliers; /* by dict record: number of suppliers whose record is nearest to it */
	struct drg_tally seen; /* by dict record and supplier */
	struct drg_tally groups; /* by group: number of its cases */
	struct drg_tally blocked; /* by source: number of cases that wait for its mapping */
	struct drg_buf folded; /* of one name */
	struct drg_buf shares; /* struct order_share, by supplier */
};

/* A supplier's hotels: those that are mapped, or that the matcher would map, and all. */
struct order_share {
	int64_t adapter, sure, records;
};

enum { SEED_GROUP = 1, SEED_SOURCE = 2, SEED_NAME = 3 };

/* The result of a callback without an error. */
static int order_check_leave(const struct order_reading *x)
{
	bool left = x->leave != NULL && atomic_load_explicit(x->leave, memory_order_relaxed);
	return left ? DRG_ESTOPPED : DRG_OK;
}

static uint64_t order_dict_key(unsigned kind, int64_t dict_id)
{
	return ((uint64_t)dict_id * 16 + kind) * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

/* Count a supplier for a dict record, once, however many records it has for it. */
static int order_count_supplier(struct order_reading *x, const struct drg_open_case *c)
{
	uint64_t dict = order_dict_key(c->kind, c->dict_id);
	uint64_t both = (dict ^ (uint64_t)c->adapter * UINT64_C(0xff51afd7ed558ccd)) | 1;
	if (drg_tally_get(&x->seen, both) > 0)
		return DRG_OK;
	int rc = drg_tally_add(&x->seen, both);
	return rc == DRG_OK ? drg_tally_add(&x->suppliers, dict) : rc;
}

static uint64_t order_source_key(int64_t adapter, enum drg_kind kind, struct drg_str id)
{
	return drg_hash(id.p, id.n, ((uint64_t)adapter * 16 + kind) * 4 + SEED_SOURCE) | 1;
}

/* The group of a case. Cases of a group have the same name, and one answer serves all: they have the same
 * best candidate, or none and the same country. */
static uint64_t order_group(struct order_reading *x, const struct drg_open_case *c)
{
	uint64_t seed = order_dict_key(c->kind, c->n_ranked > 0 ? c->dict_id : c->country) * 4 + SEED_GROUP;
	return x->folded.n > 0 ? drg_hash(x->folded.p, x->folded.n, seed + (c->n_ranked > 0)) | 1 : 0;
}

static int order_take_coverage(void *ctx, const struct drg_coverage *c)
{
	struct order_reading *x = ctx;
	const struct order_share share = { c->adapter, c->mapped, c->records };
	if (drg_kind_compared(c->kind) == DRG_COMPARED_HOTELS)
		drg_buf_add(&x->shares, &share, sizeof share);
	return x->shares.rc;
}

/* @return NULL: the case is not a hotel. */
static struct order_share *order_share_of(const struct order_reading *x, const struct drg_open_case *c)
{
	struct order_share *v = (struct order_share *)(void *)x->shares.p;
	const size_t n = x->shares.n / sizeof *v;
	size_t at = n;
	if (drg_kind_compared(c->kind) == DRG_COMPARED_HOTELS)
		DRG_BOUND(at, n, i, v[i].adapter < c->adapter);
	return at < n && v[at].adapter == c->adapter ? &v[at] : NULL;
}

static int order_count(struct order_reading *x, const struct drg_open_case *c, struct drg_str place)
{
	bool country = c->reason == DRG_WHY_COUNTRY_UNMAPPED || c->reason == DRG_WHY_COUNTRY_MISSING;
	enum drg_kind of = country ? DRG_KIND_COUNTRY : DRG_KIND_CITY;
	struct order_share *share = c->outcome == DRG_MATCH_AUTOMATIC ? order_share_of(x, c) : NULL;
	if (share != NULL)
		share->sure++;
	int rc = c->n_ranked > 0 ? order_count_supplier(x, c) : DRG_OK;
	if (rc == DRG_OK && c->group != 0)
		rc = drg_tally_add(&x->groups, c->group);
	if (rc == DRG_OK && place.n > 0)
		rc = drg_tally_add(&x->blocked, order_source_key(c->adapter, of, place));
	return rc;
}

/* Until all cases are counted `likely` has the odds. */
static float order_odds(const struct drg_open_case *c, const struct drg_suggested *ranked)
{
	double bits[DRG_HOTEL_BEST];
	for (unsigned i = 0; i < c->n_ranked; i++)
		bits[i] = ranked[i].bits;
	return c->n_ranked > 0 ? (float)drg_match_odds((enum drg_kind)c->kind,
	                                               (enum drg_match_reason)c->reason, bits, c->n_ranked)
	                       : 0;
}

static void order_set_likely(const struct order_reading *x, struct drg_open_case *c)
{
	const struct order_share *share = order_share_of(x, c);
	const double prior = share != NULL ? drg_match_prior(share->sure, share->records) : 0;
	if (c->n_ranked > 0)
		c->likely = (float)drg_match_probability(
		        (enum drg_kind)c->kind, (enum drg_match_reason)c->reason, (double)c->likely, prior);
}

static int order_take(void *ctx, const struct drg_suggestion *s)
{
	struct order_reading *x = ctx;
	struct drg_suggested ranked[DRG_HOTEL_BEST];
	unsigned n = drg_suggest_parse(s->ranked, ranked, DRG_HOTEL_BEST);
	struct drg_open_case c = { .adapter = s->adapter,
		                   .id = drg_arena_str(&x->q->texts, s->id),
		                   .country = s->country,
		                   .city = s->city,
		                   .dict_id = n > 0 ? ranked[0].dict_id : 0,
		                   .version = s->version,
		                   .settles = 1,
		                   .waiting = 1,
		                   .alike = 1,
		                   .millibits = n > 0 ? (int32_t)lround(ranked[0].bits * 1000) : INT32_MIN,
		                   .kind = (uint8_t)s->kind,
		                   .outcome = (uint8_t)s->outcome,
		                   .n_ranked = (uint8_t)n,
		                   .reason = (uint8_t)drg_reason_by_name(s->reason),
		                   .suggested = n > 0 && s->outcome != DRG_MATCH_NONE };
	c.likely = order_odds(&c, ranked);
	drg_buf_clear(&x->folded);
	drg_fold(s->name, DRG_FOLD_PLAIN, &x->folded);
	c.group = order_group(x, &c);
	if (x->folded.n > 0)
		c.called = drg_hash(x->folded.p, x->folded.n, (uint64_t)c.kind * 4 + SEED_NAME) | 1;
	drg_buf_add(&x->q->rows, &c, sizeof c);
	if (c.id.p == NULL || x->q->rows.rc != DRG_OK || x->folded.rc != DRG_OK)
		return DRG_ENOMEM;
	int rc = order_count(x, &c, s->place);
	return rc == DRG_OK ? order_check_leave(x) : rc;
}

static int order_by_source(const void *pa, const void *pb)
{
	const struct drg_open_case *a = pa, *b = pb;
	if (a->adapter != b->adapter)
		return a->adapter < b->adapter ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return drg_str_cmp(a->id, b->id);
}

struct drg_open_case *drg_queue_order_find(struct drg_queue_order *q, int64_t adapter, unsigned kind,
                                           struct drg_str id)
{
	const struct drg_open_case key = { .adapter = adapter, .kind = (uint8_t)kind, .id = id };
	return q->n > 0 ? bsearch(&key, q->v, q->n, sizeof *q->v, order_by_source) : NULL;
}

static int order_take_use(void *ctx, const struct drg_use *u)
{
	const struct order_reading *x = ctx;
	struct drg_open_case *c = drg_queue_order_find(x->q, u->number, u->kind, u->id);
	if (c != NULL)
		c->asked += u->count;
	return order_check_leave(x);
}

/* Compare two cases; the source decides if all else is equal. */
int drg_queue_compare(const struct drg_open_case *a, const struct drg_open_case *b)
{
	if (a->worth < b->worth || a->worth > b->worth)
		return a->worth > b->worth ? -1 : 1;
	if (a->settles != b->settles)
		return a->settles > b->settles ? -1 : 1;
	if (a->asked != b->asked)
		return a->asked > b->asked ? -1 : 1;
	if (a->waiting != b->waiting)
		return a->waiting > b->waiting ? -1 : 1;
	if (a->millibits != b->millibits)
		return a->millibits > b->millibits ? -1 : 1;
	return order_by_source(a, b);
}

#define QUEUE_WORD(id, word) [DRG_QUEUE_BY_##id] = word,
static const char *const sort_words[] = { DRG_QUEUE_SORTS(QUEUE_WORD) };
#undef QUEUE_WORD

enum drg_queue_sort drg_queue_sort_by_name(struct drg_str word)
{
	unsigned k = 0;
	while (k < DRG_QUEUE_SORT_COUNT && !drg_str_eq(word, drg_str_c(sort_words[k])))
		k++;
	return (enum drg_queue_sort)k;
}

int64_t drg_queue_sort_key(const struct drg_open_case *c, enum drg_queue_sort sort)
{
	switch (sort) {
	case DRG_QUEUE_BY_PROBABILITY: return -lround((double)c->likely * 1e6);
	case DRG_QUEUE_BY_ASKED: return -c->asked;
	case DRG_QUEUE_BY_NEWEST: return -c->version;
	case DRG_QUEUE_BY_SUPPLIER: return c->adapter;
	case DRG_QUEUE_BY_COUNTRY: return c->country;
	case DRG_QUEUE_BY_CITY: return c->city;
	case DRG_QUEUE_BY_REASON: return c->reason;
	case DRG_QUEUE_BY_WORTH:
	case DRG_QUEUE_SORT_COUNT: break;
	}
	return 0;
}

static int order_by_impact(const void *a, const void *b)
{
	return drg_queue_compare(a, b);
}

static int order_by_sort(const void *pa, const void *pb, void *sort)
{
	int64_t a = drg_queue_sort_key(pa, *(const enum drg_queue_sort *)sort),
	        b = drg_queue_sort_key(pb, *(const enum drg_queue_sort *)sort);
	return a != b ? (a < b ? -1 : 1) : drg_queue_compare(pa, pb);
}

void drg_queue_order_sort(struct drg_queue_order *q, enum drg_queue_sort sort)
{
	if (q->n > 0 && sort != DRG_QUEUE_BY_WORTH)
		qsort_r(q->v, q->n, sizeof *q->v, order_by_sort, &sort);
}

#define OF_LABELS                                                                                            \
	0.5 /* in the order by worth: how likely a suggestion without a probability is taken for right */

static void order_weigh_case(const struct order_reading *x, struct drg_open_case *c)
{
	order_set_likely(x, c);
	if (c->n_ranked > 0)
		c->waiting = drg_tally_get(&x->suppliers, order_dict_key(c->kind, c->dict_id));
	if (c->group != 0)
		c->alike = drg_tally_get(&x->groups, c->group);
	c->settles = c->alike +
	             drg_tally_get(&x->blocked, order_source_key(c->adapter, (enum drg_kind)c->kind, c->id));
	if (c->suggested)
		c->worth = (float)((drg_kind_compared(c->kind) == DRG_COMPARED_HOTELS ? (double)c->likely
		                                                                      : OF_LABELS) *
		                   c->settles * (1 + log2(1 + (double)c->asked)));
}

static int order_weigh(struct order_reading *x, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_queue_order *q = x->q;
	const struct drg_filter aparts = { .type = &drg_types[DRG_TYPE_NOT_SAME], .any_order = true };
	qsort(q->v, q->n, sizeof *q->v, order_by_source);
	int rc = drg_store_uses(s, DRG_USE_RECORD, 0, order_take_use, x, reterr);
	if (rc != DRG_OK)
		return rc;
	for (drg_rows_scan(&rows, s, &aparts, reterr); drg_rows_next(&rows);) {
		const struct drg_record *r = &rows.row.r;
		struct drg_open_case *c = drg_queue_order_find(q, r->v[DRG_F_ADAPTER_ID].i,
		                                               drg_record_kind(r), r->v[DRG_F_SOURCE_ID].s);
		if (c != NULL && c->version < rows.row.m.seq)
			c->version = rows.row.m.seq;
		rows.rc = order_check_leave(x);
	}
	rc = drg_rows_end(&rows);
	if (rc == DRG_OK)
		rc = drg_queue_notes_read(q, s, reterr);
	for (size_t i = 0; i < q->n && rc == DRG_OK; i++)
		order_weigh_case(x, &q->v[i]);
	if (rc == DRG_OK)
		qsort(q->v, q->n, sizeof *q->v, order_by_impact);
	return rc;
}

int drg_queue_order_read(struct drg_store *s, const atomic_bool *leave, struct drg_queue_order *ret,
                         struct drg_err *reterr)
{
	struct order_reading x = { .q = ret, .leave = leave };
	*ret = (struct drg_queue_order){ .n = 0 };
	drg_arena_init(&ret->texts, SIZE_MAX);
	drg_buf_init(&ret->rows, SIZE_MAX);
	drg_buf_init(&ret->people, SIZE_MAX);
	drg_buf_init(&ret->laters, SIZE_MAX);
	drg_buf_init(&ret->moments, SIZE_MAX);
	drg_tally_init(&x.suppliers);
	drg_tally_init(&x.seen);
	drg_tally_init(&x.groups);
	drg_tally_init(&x.blocked);
	drg_buf_init(&x.folded, SIZE_MAX);
	drg_buf_init(&x.shares, SIZE_MAX);
	int rc = drg_store_coverage(s, INT64_MAX, order_take_coverage, &x, reterr);
	if (rc == DRG_OK)
		rc = drg_store_open_cases(s, order_take, &x, reterr);
	if (rc == DRG_ENOMEM)
		rc = drg_fail_memory(reterr);
	drg_buf_trim(&ret->rows);
	ret->v = (struct drg_open_case *)(void *)ret->rows.p;
	ret->n = ret->rows.n / sizeof *ret->v;
	if (rc == DRG_OK && ret->n > 0)
		rc = order_weigh(&x, s, reterr);
	drg_buf_done(&x.shares);
	drg_buf_done(&x.folded);
	drg_tally_done(&x.blocked);
	drg_tally_done(&x.groups);
	drg_tally_done(&x.seen);
	drg_tally_done(&x.suppliers);
	return rc;
}

void drg_queue_order_done(struct drg_queue_order *q)
{
	drg_buf_done(&q->rows);
	drg_buf_done(&q->people);
	drg_buf_done(&q->laters);
	drg_buf_done(&q->moments);
	drg_arena_done(&q->texts);
	q->v = NULL;
	q->n = 0;
}
