#include "workbench/queue/cases.h"

#include <math.h>
#include <stdlib.h>

#include "base/bound.h"
#include "base/clock.h"
#include "base/hash.h"
#include "catalog/rcu.h"
#include "match/tally.h"
#include "store/lend.h"
#include "store/matching.h"

#define READ_ANYWAY (30 * DRG_SECOND_NS) /* uses move without a commit that the clock shows */

/* A mark: from the lowest bit kind, reason, adapter, country, the latter two as numbers of the view. */
enum { MARK_KIND = 4, MARK_REASON = 8, MARK_ADAPTER = 24, MARK_COUNTRY = 28 };
enum { AT_REASON = MARK_KIND, AT_ADAPTER = AT_REASON + MARK_REASON, AT_COUNTRY = AT_ADAPTER + MARK_ADAPTER };

struct drg_cases {
	char *url;
	struct drg_keeper *keeper;
	atomic_bool decided; /* something was, since it was read */

	struct drg_cases_view *_Atomic view;

	/* the thread's own */
	struct drg_store *s; /* NULL: not open */
	struct drg_clock seen;
	struct drg_matching matching; /* how far the matcher was: its suggestions are not commits */
	int64_t read_ns;
};

/* ---- what was read ------------------------------------------------------------------------------------- */

static void view_free(struct drg_cases_view *v)
{
	if (v == NULL)
		return;
	drg_queue_order_done(&v->order);
	drg_numbers_done(&v->adapters);
	drg_numbers_done(&v->countries);
	free(v->v);
	free(v->marks);
	drg_hashtab_done(&v->by_source);
	for (unsigned k = 0; k < DRG_QUEUE_SORT_COUNT; k++)
		free(v->sorted[k]);
	free(v);
}

static uint64_t case_hash(int64_t adapter, unsigned kind, struct drg_str id)
{
	return drg_hash(id.p, id.n, (uint64_t)adapter * 16 + kind);
}

static struct drg_case_entry *view_find(const struct drg_cases_view *v, int64_t adapter, unsigned kind,
                                        struct drg_str id)
{
	const struct drg_case_entry *e = v->v;
	uint32_t i;
	size_t at;
	DRG_HASHTAB_FIND(i, &v->by_source, case_hash(adapter, kind, id), at,
	                 e[i].c.adapter == adapter && e[i].c.kind == kind && drg_str_eq(e[i].c.id, id));
	return i != DRG_HASHTAB_NONE ? &v->v[i] : NULL;
}

static bool view_entry(struct drg_cases_view *v, size_t i)
{
	const struct drg_open_case *c = &v->order.v[i];
	const uint64_t adapter = drg_numbers_add(&v->adapters, c->adapter),
	               country = drg_numbers_add(&v->countries, c->country);
	struct drg_case_entry *e = &v->v[i];
	e->c = *c;
	atomic_init(&e->version, c->version);
	atomic_init(&e->dict_id, c->dict_id);
	atomic_init(&e->n_ranked, c->n_ranked);
	v->marks[i] =
	        c->kind | (uint64_t)c->reason << AT_REASON | adapter << AT_ADAPTER | country << AT_COUNTRY;
	drg_hashtab_add(&v->by_source, case_hash(c->adapter, c->kind, c->id), (uint32_t)i);
	return adapter > 0 && country > 0;
}

struct view_place {
	int64_t key;
	uint32_t at;
};

static int view_by_key(const void *pa, const void *pb)
{
	const struct view_place *a = pa, *b = pb;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static int view_sort(struct drg_cases_view *v)
{
	struct view_place *places = calloc(v->n + 1, sizeof *places);
	int rc = places != NULL ? DRG_OK : DRG_ENOMEM;
	for (unsigned k = DRG_QUEUE_BY_WORTH + 1; k < DRG_QUEUE_SORT_COUNT && rc == DRG_OK; k++) {
		v->sorted[k] = calloc(v->n + 1, sizeof *v->sorted[k]);
		if (v->sorted[k] == NULL)
			rc = DRG_ENOMEM;
		for (size_t i = 0; i < v->n && rc == DRG_OK; i++)
			places[i] =
			        (struct view_place){ drg_queue_sort_key(&v->v[i].c, (enum drg_queue_sort)k),
				                     (uint32_t)i };
		if (rc == DRG_OK && v->n > 0)
			qsort(places, v->n, sizeof *places, view_by_key);
		for (size_t i = 0; i < v->n && rc == DRG_OK; i++)
			v->sorted[k][i] = places[i].at;
	}
	free(places);
	return rc;
}

static int view_make(struct drg_cases_view *v)
{
	v->n = v->order.n;
	v->v = calloc(v->n + 1, sizeof *v->v);
	v->marks = calloc(v->n + 1, sizeof *v->marks);
	if (v->v == NULL || v->marks == NULL || !drg_hashtab_reserve(&v->by_source, v->n))
		return DRG_ENOMEM;
	for (size_t i = 0; i < v->n; i++)
		if (!view_entry(v, i))
			return DRG_ENOMEM;
	drg_buf_done(&v->order.rows); /* they are copied; the texts stay */
	return view_sort(v);
}

static int view_read(struct drg_store *s, const atomic_bool *leave, struct drg_cases_view **ret,
                     struct drg_err *err)
{
	struct drg_cases_view *v = calloc(1, sizeof *v);
	if (v == NULL)
		return drg_fail_memory(err);
	v->read_us = drg_wall_us();
	int rc = drg_queue_order_read(s, leave, &v->order, err);
	if (rc == DRG_OK)
		rc = drg_queue_moments_read(s, &v->order, err);
	if (rc == DRG_OK)
		rc = view_make(v);
	if (rc == DRG_OK)
		*ret = v;
	else
		view_free(v);
	return rc == DRG_ENOMEM ? drg_fail_memory(err) : rc;
}

/* ---- looking into it ----------------------------------------------------------------------------------- */

const struct drg_cases_view *drg_cases_view(const struct drg_cases *c)
{
	return atomic_load_explicit(&c->view, memory_order_acquire);
}

static void sieve_part(struct drg_case_sieve *s, unsigned at, unsigned bits, uint64_t want)
{
	s->mask |= ((UINT64_C(1) << bits) - 1) << at;
	s->want |= want << at;
}

/* The group of a case; 0: it is not there any more, and so like nothing. */
static uint64_t view_group(const struct drg_cases_view *v, const struct drg_open_case *like)
{
	const struct drg_case_entry *e = view_find(v, like->adapter, like->kind, like->id);
	return e != NULL ? e->c.group : 0;
}

struct drg_case_sieve drg_cases_sieve(const struct drg_cases_view *v, const struct drg_queue_filter *f)
{
	uint64_t group = f->like != NULL ? view_group(v, f->like) : 0;
	struct drg_case_sieve s = { .of = drg_queue_sieve(&v->order, f, group) };
	uint64_t adapter = f->adapter != 0 ? drg_numbers_find(&v->adapters, f->adapter) : 0;
	uint64_t country = f->country != INT64_MIN ? drg_numbers_find(&v->countries, f->country) : 0;
	s.of.nothing |= (f->adapter != 0 && adapter == 0) || (f->country != INT64_MIN && country == 0) ||
	                (f->like != NULL && group == 0);
	if (f->kind != DRG_KIND_NONE)
		sieve_part(&s, 0, MARK_KIND, f->kind);
	if (f->reason >= 0)
		sieve_part(&s, AT_REASON, MARK_REASON, (uint64_t)f->reason);
	if (adapter > 0)
		sieve_part(&s, AT_ADAPTER, MARK_ADAPTER, adapter);
	if (country > 0)
		sieve_part(&s, AT_COUNTRY, MARK_COUNTRY, country);
	return s;
}

static bool sieve_passes(const struct drg_cases_view *v, const struct drg_case_sieve *s, size_t i)
{
	return (v->marks[i] & s->mask) == s->want &&
	       (!s->of.looks || drg_queue_passes(&v->order, &s->of, &v->v[i].c));
}

static size_t view_place(const struct drg_cases_view *v, enum drg_queue_sort sort, size_t at)
{
	return v->sorted[sort] != NULL ? v->sorted[sort][at] : at;
}

const struct drg_case_entry *drg_cases_at(const struct drg_cases_view *v, enum drg_queue_sort sort, size_t at)
{
	return &v->v[view_place(v, sort, at)];
}

size_t drg_cases_next(const struct drg_cases_view *v, const struct drg_case_sieve *s,
                      enum drg_queue_sort sort, size_t at)
{
	if (s->of.nothing)
		return v->n;
	while (at < v->n && !sieve_passes(v, s, view_place(v, sort, at)))
		at++;
	return at;
}

size_t drg_cases_count(const struct drg_cases_view *v, const struct drg_case_sieve *s)
{
	size_t n = 0;
	if (s->of.nothing || (s->mask == 0 && !s->of.looks))
		return s->of.nothing ? 0 : v->n;
	for (size_t i = 0; i < v->n; i++)
		n += sieve_passes(v, s, i);
	return n;
}

static bool view_is_behind(const struct drg_open_case *c, enum drg_queue_sort sort,
                           const struct drg_open_case *of)
{
	int64_t a = drg_queue_sort_key(c, sort), b = drg_queue_sort_key(of, sort);
	return a != b ? a > b : drg_queue_compare(c, of) > 0;
}

size_t drg_cases_behind(const struct drg_cases_view *v, enum drg_queue_sort sort,
                        const struct drg_open_case *c)
{
	size_t at;
	DRG_BOUND(at, v->n, i, !view_is_behind(&drg_cases_at(v, sort, i)->c, sort, c));
	return at;
}

int drg_cases_called(const struct drg_cases_view *v, const struct drg_decision *d, size_t n,
                     drg_cases_called_fn *fn, void *ctx)
{
	struct drg_tally wanted;
	uint64_t *called = calloc(n + 1, sizeof *called);
	int rc = called != NULL ? DRG_OK : DRG_ENOMEM;
	drg_tally_init(&wanted);
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		const struct drg_case_entry *e =
		        d[i].alone ? view_find(v, d[i].adapter, d[i].kind, d[i].id) : NULL;
		called[i] = e != NULL ? e->c.called : 0;
		if (called[i] != 0)
			rc = drg_tally_add(&wanted, called[i]);
	}
	for (size_t k = 0; k < v->n && rc == DRG_OK && wanted.used > 0; k++) {
		const struct drg_open_case *c = &v->v[k].c;
		if (c->called == 0 || drg_tally_get(&wanted, c->called) == 0)
			continue;
		for (size_t i = 0; i < n; i++)
			if (called[i] == c->called &&
			    (d[i].adapter != c->adapter || !drg_str_eq(d[i].id, c->id)))
				fn(ctx, i, c);
	}
	drg_tally_done(&wanted);
	free(called);
	return rc;
}

float drg_cases_likely(const struct drg_cases *c, const struct drg_decision *d)
{
	drg_read_lock();
	const struct drg_cases_view *v = drg_cases_view(c);
	const struct drg_case_entry *e = v != NULL ? view_find(v, d->adapter, d->kind, d->id) : NULL;
	const float likely = e != NULL && e->c.n_ranked > 0 && e->c.dict_id == d->dict_id ? e->c.likely : NAN;
	drg_read_unlock();
	return likely;
}

void drg_cases_changed(struct drg_cases *c, const struct drg_case_change *change)
{
	drg_read_lock();
	const struct drg_cases_view *v = drg_cases_view(c);
	struct drg_case_entry *e = v != NULL ? view_find(v, change->adapter, change->kind, change->id) : NULL;
	if (e != NULL) {
		atomic_store_explicit(&e->dict_id, change->dict_id, memory_order_relaxed);
		atomic_store_explicit(&e->n_ranked, (uint8_t)change->n_ranked, memory_order_relaxed);
		atomic_store_explicit(&e->version, change->version, memory_order_release);
	}
	drg_read_unlock();
}

/* ---- the thread ---------------------------------------------------------------------------------------- */

/* The view that was shown before is freed when the last reader has left it. */
static void cases_show(struct drg_cases *c, struct drg_cases_view *v)
{
	struct drg_cases_view *before = atomic_exchange(&c->view, v);
	drg_read_synchronize();
	view_free(before);
}

static int cases_look(void *ctx, bool *ret_due, struct drg_err *err)
{
	struct drg_cases *c = ctx;
	struct drg_clock clock;
	struct drg_matching matching;
	int rc = drg_store_keep_open(c->url, &c->s, err);
	if (rc == DRG_OK)
		rc = drg_store_clock(c->s, &clock, err);
	if (rc == DRG_OK)
		rc = drg_store_matching(c->s, &matching, err);
	if (rc == DRG_OK)
		*ret_due = atomic_load(&c->decided) || clock.seq != c->seen.seq ||
		           drg_feed_place_cmp(&matching.place, &c->matching.place) != 0 ||
		           clock.branch != c->seen.branch || drg_clock_ns() - c->read_ns >= READ_ANYWAY;
	if (rc == DRG_OK)
		drg_store_return(&c->s);
	return rc;
}

static int cases_make(void *ctx, const atomic_bool *leave, struct drg_err *err)
{
	struct drg_cases *c = ctx;
	struct drg_cases_view *v = NULL;
	struct drg_clock clock;
	struct drg_matching matching;
	int rc = drg_store_keep_open(c->url, &c->s, err);
	if (rc == DRG_OK)
		rc = drg_store_clock(c->s, &clock, err);
	if (rc == DRG_OK)
		rc = drg_store_matching(c->s, &matching, err);
	bool decided = atomic_exchange(&c->decided, false);
	if (rc == DRG_OK)
		rc = view_read(c->s, leave, &v, err);
	if (rc != DRG_OK) {
		if (decided)
			atomic_store(&c->decided, true);
		return rc;
	}
	drg_store_return(&c->s);
	c->seen = clock;
	c->matching = matching;
	c->read_ns = drg_clock_ns();
	cases_show(c, v);
	return DRG_OK;
}

static void cases_close(void *ctx)
{
	struct drg_cases *c = ctx;
	drg_store_close(c->s);
	c->s = NULL;
}

struct drg_keeper *drg_cases_keeper(const struct drg_cases *c)
{
	return c->keeper;
}

void drg_cases_invalidate(struct drg_cases *c)
{
	atomic_store(&c->decided, true);
}

int drg_cases_start(const struct drg_cases_options *o, struct drg_cases **ret, struct drg_err *reterr)
{
	struct drg_cases *c = calloc(1, sizeof *c);
	if (c == NULL)
		return drg_fail_memory(reterr);
	const struct drg_keeper_options keeper = { .look = cases_look,
		                                   .make = cases_make,
		                                   .close = cases_close,
		                                   .ctx = c,
		                                   .what = "the queue of what people should look at" };
	c->url = strdup(o->store_url);
	int rc = c->url != NULL ? drg_keeper_start(&keeper, &c->keeper, reterr) : drg_fail_memory(reterr);
	if (rc == DRG_OK)
		*ret = c;
	else
		drg_cases_stop(c);
	return rc;
}

void drg_cases_drain(struct drg_cases *c)
{
	if (c != NULL)
		drg_keeper_drain(c->keeper);
}

void drg_cases_stop(struct drg_cases *c)
{
	if (c == NULL)
		return;
	drg_keeper_stop(c->keeper);
	view_free(atomic_load(&c->view));
	free(c->url);
	free(c);
}
