#include "curate/automap.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "curate/automap_supplier.h"
#include "text/stamp.h"

enum { WRITE_AT_A_TIME = 2000, WHY_MAX = 1000, EXPLANATION_MAX = 4096 };

/* Each kind after those that it uses. */
static const enum drg_kind order[] = { DRG_KIND_COUNTRY, DRG_KIND_CURRENCY,       DRG_KIND_DEP_CITY,
	                               DRG_KIND_CITY,    DRG_KIND_HOTEL_CATEGORY, DRG_KIND_MEAL,
	                               DRG_KIND_HOTEL };

/* A run. */
struct automapping {
	struct drg_store *s;
	const struct drg_automap_options *o;
	struct drg_automap_totals *ret;
	struct drg_normal *normal;
	struct drg_automap_reference ref;
	struct drg_tally decided;
	struct drg_supplier *supplier;
	struct drg_buf text; /* of an explanation */
	struct drg_arena why; /* texts of what waits to be written */
	struct drg_automap_wish waiting[WRITE_AT_A_TIME];
	size_t n_waiting;
	uint64_t done, total; /* rows, for the progress */
	struct drg_err *err;
};

/* ---- writing -------------------------------------------------------------------------------------------- */

static int automap_flush(struct automapping *x)
{
	struct drg_automap_slice slice = { .batch = x->ret->batch, .wishes = x->waiting, .n = x->n_waiting };
	struct drg_automap_counts *c = &x->ret->kinds[x->supplier->kind];
	int rc = x->n_waiting > 0 ? drg_decide(x->s, drg_automap_write, &slice, x->err) : DRG_OK;
	if (rc == DRG_OK) {
		c->written += slice.written;
		c->overtaken += slice.overtaken;
	}
	x->n_waiting = 0;
	drg_arena_reset(&x->why);
	return rc;
}

static int automap_wish(struct automapping *x, const struct drg_automap_result *r)
{
	struct drg_str why = r->explanation;
	if (why.n > WHY_MAX) {
		why.n = WHY_MAX;
		while (why.n > 0 && (why.p[why.n] & 0xc0) == 0x80)
			why.n--;
	}
	struct drg_automap_wish w = { r->adapter, r->kind, r->id, r->dict_id, drg_arena_str(&x->why, why) };
	if (w.why.p == NULL)
		return drg_fail_memory(x->err);
	x->waiting[x->n_waiting++] = w;
	return x->n_waiting == WRITE_AT_A_TIME ? automap_flush(x) : DRG_OK;
}

/* ---- results -------------------------------------------------------------------------------------------- */

/* Count it, tell the caller, and have it written. */
static int automap_take(struct automapping *x, struct drg_automap_result *r)
{
	struct drg_automap_counts *c = &x->ret->kinds[r->kind];
	c->outcomes[r->outcome]++;
	c->reasons[r->reason]++;
	r->explanation = drg_buf_view(&x->text);
	int rc = x->o->result != NULL ? x->o->result(x->o->ctx, r) : DRG_OK;
	if (rc == DRG_OK && r->outcome == DRG_MATCH_AUTOMATIC && !x->o->dry_run)
		rc = automap_wish(x, r);
	return rc;
}

static void automap_progress(struct automapping *x, uint64_t done, uint64_t total)
{
	if (x->o->progress != NULL)
		x->o->progress(x->o->ctx, drg_kind_name(x->supplier->kind), done, total);
}

/* What is mapped, or a person took away, is no question. */
static bool automap_is_open(struct automapping *x, const struct drg_supplier_row *row)
{
	struct drg_automap_counts *c = &x->ret->kinds[x->supplier->kind];
	if (row->dict_id != DRG_PLACE_UNKNOWN)
		c->mapped++;
	else if (row->decided)
		c->decided++;
	return row->dict_id == DRG_PLACE_UNKNOWN && !row->decided;
}

static struct drg_automap_result result_of(const struct automapping *x, const struct drg_supplier_row *row)
{
	return (struct drg_automap_result){
		.adapter = x->supplier->adapter, .kind = x->supplier->kind, .id = row->id, .name = row->name
	};
}

/* ---- kinds that a name decides -------------------------------------------------------------------------- */

/* @param term  Where what a meal or category means is kept. */
static struct drg_label_query query_of(const struct automapping *x, const struct drg_supplier_row *row,
                                       char *term)
{
	enum drg_kind kind = x->supplier->kind;
	struct drg_label_query q = {
		.name = row->name, .country = row->country, .lat = row->lat, .lng = row->lng
	};
	q.wants_country = kind == DRG_KIND_CITY;
	q.code_is_sure = row->code.n > 0;
	if (kind == DRG_KIND_CURRENCY)
		q.code = row->code.n > 0 ? row->code : row->id;
	else if (kind == DRG_KIND_COUNTRY)
		q.code = row->id;
	if (kind == DRG_KIND_MEAL || kind == DRG_KIND_HOTEL_CATEGORY) {
		drg_automap_term(x->normal, kind, row->name, term);
		q.code = drg_str_c(term);
		q.code_is_sure = true;
	}
	return q;
}

static int automap_label(struct automapping *x, const struct drg_supplier_row *row, int64_t *ret_dict)
{
	char term[DRG_TERM_MAX] = "";
	struct drg_automap_result r = result_of(x, row);
	struct drg_label_match m;
	struct drg_label_query q = query_of(x, row, term);
	drg_label_match(&x->ref.labels[r.kind], x->normal, &q, &m);
	if (strcmp(term, DRG_TERM_ASK) == 0) {
		m.outcome = DRG_MATCH_ASK;
		m.reason = DRG_WHY_UNCLEAR;
	}
	r.outcome = m.outcome;
	r.reason = m.reason;
	r.has_dict = m.outcome != DRG_MATCH_NONE && (m.hits > 0 || m.by_code);
	r.dict_id = m.id;
	drg_buf_clear(&x->text);
	drg_label_explain(&q, &m, &x->text);
	*ret_dict = m.outcome == DRG_MATCH_AUTOMATIC ? m.id : DRG_PLACE_UNKNOWN;
	return automap_take(x, &r);
}

static int automap_labels(struct automapping *x)
{
	struct drg_supplier *s = x->supplier;
	int rc = DRG_OK;
	for (size_t i = 0; i < drg_supplier_size(s) && rc == DRG_OK; i++) {
		const struct drg_supplier_row *row = drg_supplier_row(s, i);
		int64_t dict = row->dict_id;
		if (automap_is_open(x, row))
			rc = automap_label(x, row, &dict);
		int64_t country = s->kind == DRG_KIND_CITY ? row->country : 0;
		if (rc == DRG_OK && dict != DRG_PLACE_UNKNOWN &&
		    drg_supplier_learn(s, s->kind, row->id, row->name, country, dict) != DRG_OK)
			rc = drg_fail_memory(x->err);
		if (i % 1024 == 0)
			automap_progress(x, i, drg_supplier_size(s));
	}
	if (rc == DRG_OK && drg_supplier_learnt(s) != DRG_OK)
		rc = drg_fail_memory(x->err);
	return rc;
}

/* ---- hotels --------------------------------------------------------------------------------------------- */

static void hotel_progress(void *ctx, uint64_t done, uint64_t total)
{
	automap_progress(ctx, done, total);
}

static int64_t hotel_dict(const struct automapping *x, const struct drg_hotel_pair *p)
{
	return drg_place(&x->ref.hotels, p->i)->id;
}

static int automap_hotel(struct automapping *x, struct drg_hotel_explainer *e, size_t i,
                         const struct drg_hotel_match *m)
{
	struct drg_automap_result r = result_of(x, drg_supplier_row(x->supplier, i));
	r.outcome = (enum drg_outcome_of_match)m->outcome;
	r.reason = (enum drg_match_reason)m->reason;
	r.candidates = m->candidates;
	r.n_ranked = m->n_best;
	for (unsigned k = 0; k < m->n_best; k++) {
		r.ranked[k].dict_id = hotel_dict(x, &m->best[k]);
		r.ranked[k].bits = (double)m->best[k].bits;
	}
	r.has_dict = m->n_best > 0 && r.outcome != DRG_MATCH_NONE;
	r.dict_id = r.has_dict ? r.ranked[0].dict_id : 0;
	drg_buf_clear(&x->text);
	drg_hotel_explain(e, (uint32_t)i, m, &x->text);
	return automap_take(x, &r);
}

/* Where each dict hotel is in the reference. */
static int by_dict(const void *pa, const void *pb)
{
	const struct drg_known_entry *a = pa, *b = pb;
	return a->key < b->key ? -1 : a->key > b->key;
}

static int hotels_by_dict(const struct automapping *x, struct drg_known *ret)
{
	for (uint32_t i = 0; i < drg_places_size(&x->ref.hotels); i++) {
		const struct drg_known_entry e = { (uint64_t)drg_place(&x->ref.hotels, i)->id, i };
		drg_buf_add(&ret->v, &e, sizeof e);
	}
	if (ret->v.n > 0)
		qsort(ret->v.p, ret->v.n / sizeof(struct drg_known_entry), sizeof(struct drg_known_entry),
		      by_dict);
	return ret->v.rc;
}

/* What is mapped keeps others off; what is not open is not matched. */
static int mark_taken(struct automapping *x, struct drg_hotel_match *m)
{
	struct drg_known dicts;
	drg_buf_init(&dicts.v, SIZE_MAX);
	int rc = hotels_by_dict(x, &dicts);
	for (size_t i = 0; i < drg_supplier_size(x->supplier) && rc == DRG_OK; i++) {
		const struct drg_supplier_row *row = drg_supplier_row(x->supplier, i);
		if (automap_is_open(x, row))
			continue;
		int64_t at = row->dict_id != DRG_PLACE_UNKNOWN
		                     ? drg_known_find(&dicts, (uint64_t)row->dict_id)
		                     : DRG_PLACE_UNKNOWN;
		m[i].taken = true;
		m[i].n_best = at != DRG_PLACE_UNKNOWN;
		m[i].best[0].i = at != DRG_PLACE_UNKNOWN ? (uint32_t)at : 0;
	}
	drg_buf_done(&dicts.v);
	return rc == DRG_OK ? DRG_OK : drg_fail_memory(x->err);
}

static int take_hotels(struct automapping *x, const struct drg_hotel_matching *m,
                       const struct drg_hotel_match *v)
{
	struct drg_hotel_explainer e;
	if (drg_hotel_explainer_init(&e, m) != DRG_OK)
		return drg_fail_memory(x->err);
	int rc = DRG_OK;
	for (size_t i = 0; i < drg_supplier_size(x->supplier) && rc == DRG_OK; i++)
		if (!v[i].taken)
			rc = automap_hotel(x, &e, i, &v[i]);
	drg_hotel_explainer_done(&e);
	return rc;
}

static int automap_hotels(struct automapping *x)
{
	struct drg_supplier *s = x->supplier;
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	const struct drg_hotel_matching m = { .card = &x->o->card,
		                              .index = &x->ref.index,
		                              .src = &s->hotels,
		                              .threads = x->o->threads > 0 ? x->o->threads
		                                         : cores > 0       ? (unsigned)cores
		                                                           : 1,
		                              .progress = hotel_progress,
		                              .ctx = x };
	struct drg_hotel_match *v = calloc(drg_supplier_size(s) + 1, sizeof *v);
	if (v == NULL)
		return drg_fail_memory(x->err);
	drg_hotels_drop_crowds(&s->hotels);
	int rc = mark_taken(x, v);
	if (rc == DRG_OK)
		rc = drg_hotels_match(&m, v, x->err);
	if (rc == DRG_OK)
		rc = take_hotels(x, &m, v);
	free(v);
	return rc;
}

/* ---- a run ---------------------------------------------------------------------------------------------- */

/* A kind that is not wanted is read all the same where others use what it is mapped to. */
static int automap_kind(struct automapping *x, enum drg_kind kind)
{
	bool wanted = (x->o->kinds >> kind & 1) != 0;
	struct drg_automap_counts kept = x->ret->kinds[kind];
	if (!wanted && kind != DRG_KIND_COUNTRY && kind != DRG_KIND_CITY)
		return DRG_OK;
	int rc = drg_supplier_read(x->supplier, x->s, kind, x->err);
	if (rc == DRG_OK && wanted)
		rc = kind == DRG_KIND_HOTEL ? automap_hotels(x) : automap_labels(x);
	for (size_t i = 0; rc == DRG_OK && !wanted && i < drg_supplier_size(x->supplier); i++) {
		const struct drg_supplier_row *row = drg_supplier_row(x->supplier, i);
		if (row->dict_id != DRG_PLACE_UNKNOWN)
			rc = drg_supplier_learn(x->supplier, kind, row->id, row->name,
			                        kind == DRG_KIND_CITY ? row->country : 0, row->dict_id);
	}
	if (!wanted) {
		x->ret->kinds[kind] = kept;
		rc = rc == DRG_OK ? drg_supplier_learnt(x->supplier) : rc;
	}
	return rc == DRG_OK ? automap_flush(x) : rc;
}

static int automap_adapter(struct automapping *x, int64_t adapter)
{
	struct drg_supplier supplier;
	int rc = DRG_OK;
	drg_supplier_init(&supplier, adapter, x->normal, &x->ref, &x->decided);
	x->supplier = &supplier;
	for (size_t i = 0; i < DRG_ARRAY_LEN(order) && rc == DRG_OK; i++)
		rc = automap_kind(x, order[i]);
	drg_supplier_done(&supplier);
	return rc;
}

static int add_tour_adapter(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct drg_buf *b = ctx;
	if (drg_record_i(r, DRG_F_DOMAIN, DRG_DOMAIN_TOUR) == DRG_DOMAIN_TOUR)
		drg_buf_add(b, &r->v[DRG_F_ID].i, sizeof(int64_t));
	return b->rc;
}

static int read_adapters(struct automapping *x, struct drg_buf *ret)
{
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_ADAPTER] };
	if (x->o->n_adapters > 0) {
		drg_buf_add(ret, x->o->adapters, x->o->n_adapters * sizeof *x->o->adapters);
		return ret->rc;
	}
	return drg_store_scan(x->s, &f, add_tour_adapter, ret, NULL, x->err);
}

static void name_batch(struct drg_automap_totals *t)
{
	char at[DRG_STAMP_TEXT];
	size_t n = drg_stamp_text(drg_wall_us(), at);
	snprintf(t->batch, sizeof t->batch, "match %.*s", (int)n, at);
}

static int automap_everything(struct automapping *x)
{
	struct drg_buf adapters;
	drg_buf_init(&adapters, SIZE_MAX);
	int rc = drg_normal_new(&x->normal, x->err);
	if (rc == DRG_OK)
		rc = drg_automap_decided(x->s, &x->decided, x->err);
	if (rc == DRG_OK && x->o->progress != NULL)
		x->o->progress(x->o->ctx, "reference", 0, 0);
	if (rc == DRG_OK)
		rc = drg_automap_reference_read(x->s, x->normal, x->o->kinds, &x->ref, x->err);
	if (rc == DRG_OK)
		rc = read_adapters(x, &adapters);
	const int64_t *v = (const int64_t *)(const void *)adapters.p;
	for (size_t i = 0; i < adapters.n / sizeof *v && rc == DRG_OK; i++)
		rc = automap_adapter(x, v[i]);
	drg_buf_done(&adapters);
	return rc;
}

int drg_automap_run(struct drg_store *s, const struct drg_automap_options *o, struct drg_automap_totals *ret,
                    struct drg_err *reterr)
{
	struct automapping *x = calloc(1, sizeof *x);
	if (x == NULL)
		return drg_fail_memory(reterr);
	x->s = s;
	x->o = o;
	x->ret = ret;
	x->err = reterr;
	*ret = (struct drg_automap_totals){ .batch = "" };
	name_batch(ret);
	drg_tally_init(&x->decided);
	drg_buf_init(&x->text, EXPLANATION_MAX);
	drg_arena_init(&x->why, SIZE_MAX);
	int rc = automap_everything(x);
	drg_automap_reference_done(&x->ref);
	drg_normal_free(x->normal);
	drg_tally_done(&x->decided);
	drg_buf_done(&x->text);
	drg_arena_done(&x->why);
	free(x);
	return rc;
}
