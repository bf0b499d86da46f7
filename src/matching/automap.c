#include "matching/automap.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decide/apart.h"
#include "matching/automap_supplier.h"
#include "decide/history.h"
#include "matching/suggest_keep.h"
#include "model/key.h"
#include "text/utf8.h"

enum { WRITE_AT_A_TIME = 2000, WHY_MAX = 1000, EXPLANATION_MAX = 4096 };

/* Each kind comes after the kinds that it uses. */
static const enum drg_kind order[] = { DRG_KIND_COUNTRY, DRG_KIND_CURRENCY,       DRG_KIND_DEP_CITY,
	                               DRG_KIND_CITY,    DRG_KIND_HOTEL_CATEGORY, DRG_KIND_MEAL,
	                               DRG_KIND_HOTEL };

/* The state of a run. */
struct automapping {
	struct drg_store *s;
	const struct drg_automap_options *o;
	struct drg_automap_totals *ret;
	struct drg_normal *normal;
	struct drg_automap_reference *ref;
	/* sources that people decided about; those of them that are open again */
	struct drg_tally decided, ask;
	const struct drg_tally *apart; /* drg_apart_key() */
	struct drg_automap_outcome *outcome; /* for a server; NULL: this run writes itself */
	struct drg_supplier *supplier;
	struct drg_buf text; /* of an explanation */
	struct drg_ledger ledger;
	struct drg_arena why; /* texts of mappings that wait to be written */
	struct drg_automap_wish waiting[WRITE_AT_A_TIME];
	size_t n_waiting;
	struct drg_arena said; /* texts of suggestions that wait to be written */
	struct drg_suggestion suggestions[WRITE_AT_A_TIME];
	size_t n_suggestions;
	bool suggested; /* suggestions of this kind of the supplier were written already */
	int64_t since; /* the seq at the start, then of its last commit; -1: others have written meanwhile */
	uint64_t done, total; /* rows, for the progress */
	struct drg_err *err;
};

/* ---- writing -------------------------------------------------------------------------------------------- */

static int automap_flush(struct automapping *x)
{
	struct drg_automap_slice slice = {
		.ledger = &x->ledger,
		.from = x->ledger.state,
		.wishes = x->waiting,
		.n = x->n_waiting,
		.since = x->since,
		.until = x->since,
	};
	struct drg_automap_counts *c = &x->ret->kinds[x->supplier->kind];
	int rc = x->n_waiting > 0 ? drg_txn_run(x->s, drg_automap_write, &slice, x->err) : DRG_OK;
	if (rc == DRG_OK) {
		x->since = slice.until;
		c->written += slice.written;
		x->ret->batch = x->ledger.state.batch;
		c->overtaken += slice.overtaken;
	}
	x->n_waiting = 0;
	drg_arena_reset(&x->why);
	return rc;
}

static int automap_wish(struct automapping *x, const struct drg_automap_result *r)
{
	struct drg_str why = drg_utf8_cut(r->explanation, WHY_MAX);
	struct drg_automap_wish w = { r->adapter, r->kind, r->id, r->dict_id, drg_arena_str(&x->why, why) };
	if (w.why.p == NULL)
		return drg_fail_memory(x->err);
	x->waiting[x->n_waiting++] = w;
	return x->n_waiting == WRITE_AT_A_TIME ? automap_flush(x) : DRG_OK;
}

/* ---- what is not mapped -------------------------------------------------------------------------------- */

/* Write suggestions. Also called at the end of a kind without any: old suggestions of removed records must
 * go. */
static int automap_suggest_flush(struct automapping *x)
{
	struct drg_suggest_slice slice = { .v = x->suggestions,
		                           .n = x->n_suggestions,
		                           .forget = !x->suggested,
		                           .read = x->supplier,
		                           .since = x->since,
		                           .adapter = x->supplier->adapter,
		                           .kind = x->supplier->kind };
	x->suggested = true;
	x->n_suggestions = 0;
	int rc = x->o->dry_run ? DRG_OK : drg_txn_run(x->s, drg_suggest_keep, &slice, x->err);
	drg_arena_reset(&x->said);
	return rc;
}

static int automap_suggest(struct automapping *x, const struct drg_automap_result *r)
{
	char room[DRG_SUGGEST_ROOM];
	struct drg_suggestion s = drg_suggest_of(r, room);
	s.ranked = drg_arena_str(&x->said, s.ranked);
	s.explanation = drg_arena_str(&x->said, s.explanation);
	if (s.ranked.p == NULL || s.explanation.p == NULL)
		return drg_fail_memory(x->err);
	x->suggestions[x->n_suggestions++] = s;
	return x->n_suggestions == WRITE_AT_A_TIME ? automap_suggest_flush(x) : DRG_OK;
}

/* ---- results -------------------------------------------------------------------------------------------- */

/* May the source be mapped? One whose mapping was undone is only suggested: to map it would undo the
 * undoing. */
static int automap_may_map(struct automapping *x, const struct drg_automap_result *r, bool *ret)
{
	enum drg_automap_openness open;
	struct drg_record key;
	*ret = drg_tally_of(&x->ask, drg_automap_source_key(r->adapter, r->kind, r->id)) == 0;
	if (x->outcome == NULL)
		return DRG_OK;
	drg_key_source(&key, r->adapter, r->kind, r->id);
	int rc = drg_automap_openness(x->s, &key, &open, x->err);
	*ret = x->outcome->automatic && open == DRG_AUTOMAP_OPEN;
	return rc;
}

/* Count a result, report it to the caller, and queue it for writing. */
static int automap_take(struct automapping *x, struct drg_automap_result *r)
{
	struct drg_automap_counts *c = &x->ret->kinds[r->kind];
	c->outcomes[r->outcome]++;
	c->reasons[r->reason]++;
	r->explanation = drg_buf_view(&x->text);
	int rc = x->o->result != NULL ? x->o->result(x->o->ctx, r) : DRG_OK;
	if (rc != DRG_OK || x->o->dry_run)
		return rc;
	bool map = r->outcome == DRG_MATCH_AUTOMATIC;
	rc = map ? automap_may_map(x, r, &map) : DRG_OK;
	if (rc != DRG_OK)
		return rc;
	return map ? automap_wish(x, r) : automap_suggest(x, r);
}

static void automap_progress(struct automapping *x, uint64_t done, uint64_t total)
{
	if (x->o->progress != NULL)
		x->o->progress(x->o->ctx, drg_kind_name(x->supplier->kind), done, total);
}

/* Is the source open: not mapped, and not closed by a person? */
static bool automap_is_open(struct automapping *x, const struct drg_supplier_row *row)
{
	struct drg_automap_counts *c = &x->ret->kinds[x->supplier->kind];
	if (x->o->only.n > 0)
		return drg_str_eq(row->id, x->o->only);
	if (x->o->wanted != NULL)
		return x->o->wanted(x->o->ctx, x->supplier->adapter, x->supplier->kind, row->id);
	if (row->dict_id != DRG_PLACE_UNKNOWN)
		c->mapped++;
	else if (row->decided)
		c->decided++;
	return row->dict_id == DRG_PLACE_UNKNOWN && !row->decided;
}

static struct drg_automap_result result_of(const struct automapping *x, const struct drg_supplier_row *row)
{
	return (struct drg_automap_result){
		.adapter = x->supplier->adapter,
		.kind = x->supplier->kind,
		.id = row->id,
		.name = row->name,
		.country = x->supplier->kind == DRG_KIND_COUNTRY ? row->dict_id : row->country,
		.city = DRG_PLACE_UNKNOWN,
		.category = DRG_PLACE_UNKNOWN,
	};
}

static bool automap_is_apart(const struct automapping *x, const struct drg_automap_result *r, int64_t dict_id)
{
	return x->apart->used > 0 &&
	       drg_tally_of(x->apart, drg_apart_key(r->adapter, r->kind, r->id, dict_id)) > 0;
}

/* ---- kinds that a name decides -------------------------------------------------------------------------- */

/* @param term  Memory for the meaning of a meal or category. */
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
		drg_automap_country_query(x->ref, row->id, &q);
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
	drg_label_match(&x->ref->labels[r.kind], x->normal, &q, &m);
	if (strcmp(term, DRG_TERM_ASK) == 0) {
		m.outcome = DRG_MATCH_ASK;
		m.reason = DRG_WHY_UNCLEAR;
	}
	if (m.outcome != DRG_MATCH_NONE && automap_is_apart(x, &r, m.id)) {
		m.outcome = DRG_MATCH_NONE;
		m.reason = DRG_WHY_VETO_NOT_SAME;
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
	return drg_place(&x->ref->hotels, p->i)->id;
}

static bool hotels_apart(const void *ctx, uint32_t record, uint32_t reference)
{
	const struct automapping *x = ctx;
	const struct drg_automap_result r = result_of(x, drg_supplier_row(x->supplier, record));
	return automap_is_apart(x, &r, drg_place(&x->ref->hotels, reference)->id);
}

static int automap_hotel(struct automapping *x, struct drg_hotel_explainer *e, size_t i,
                         const struct drg_hotel_match *m)
{
	struct drg_automap_result r = result_of(x, drg_supplier_row(x->supplier, i));
	r.outcome = (enum drg_outcome_of_match)m->outcome;
	r.reason = (enum drg_match_reason)m->reason;
	r.candidates = m->candidates;
	const struct drg_place_record *place = drg_place(&x->supplier->hotels, (uint32_t)i);
	r.country = place->country;
	r.city = place->city;
	r.category = place->category;
	r.n_ranked = m->n_best;
	for (unsigned k = 0; k < m->n_best; k++) {
		r.ranked[k].dict_id = hotel_dict(x, &m->best[k]);
		r.ranked[k].bits = (double)m->best[k].bits;
		memcpy(r.ranked[k].level, m->best[k].level, sizeof r.ranked[k].level);
	}
	r.has_dict = m->n_best > 0 && r.outcome != DRG_MATCH_NONE;
	r.dict_id = r.has_dict ? r.ranked[0].dict_id : 0;
	drg_buf_clear(&x->text);
	drg_hotel_explain(e, (uint32_t)i, m, &x->text);
	if (m->twin > 0)
		drg_buf_printf(
		        &x->text,
		        "; its record \"%.*s\" is like it too: accept one, or both if they are one house",
		        DRG_STR_ARG(drg_supplier_row(x->supplier, m->twin - 1)->id));
	return automap_take(x, &r);
}

/* Map dict ids of hotels to places in the reference. */
static int hotels_by_dict(const struct automapping *x, struct drg_known *ret)
{
	for (uint32_t i = 0; i < drg_places_size(&x->ref->hotels); i++) {
		const struct drg_keyed e = { (uint64_t)drg_place(&x->ref->hotels, i)->id, i };
		drg_buf_add(&ret->v, &e, sizeof e);
	}
	drg_keyed_sort(&ret->v);
	return ret->v.rc;
}

/* Mark sources that are mapped: no other source gets their hotel. Sources that are not open are not matched. */
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

static void hotel_pair(void *ctx, uint32_t record, const struct drg_hotel_pair *p, enum drg_match_reason veto)
{
	const struct automapping *x = ctx;
	(void)veto;
	x->o->pair(x->o->ctx, x->supplier->adapter, drg_supplier_row(x->supplier, record)->id,
	           hotel_dict(x, p), p);
}

static unsigned automap_threads(const struct automapping *x)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	if (x->o->pair != NULL)
		return 1;
	return x->o->threads > 0 ? x->o->threads : cores > 0 ? (unsigned)cores : 1;
}

static int compare_against(const struct automapping *x, struct drg_hotel_matching *m)
{
	for (m->against = 0; m->against < drg_places_size(&x->ref->hotels); m->against++)
		if (drg_place(&x->ref->hotels, m->against)->id == *x->o->against) {
			m->against_one = true;
			return DRG_OK;
		}
	return drg_fail(x->err, DRG_ENOENT, DRG_R(unknown_dict), "dict_id",
	                "there is no hotel %lld in the reference", (long long)*x->o->against);
}

static int automap_hotels(struct automapping *x)
{
	struct drg_supplier *s = x->supplier;
	struct drg_hotel_matching m = { .card = &x->o->card,
		                        .index = &x->ref->index,
		                        .src = &s->hotels,
		                        .whole = true,
		                        .threads = automap_threads(x),
		                        .pair = x->o->pair != NULL ? hotel_pair : NULL,
		                        .pair_ctx = x,
		                        .progress = hotel_progress,
		                        .ctx = x };
	struct drg_hotel_match *v = calloc(drg_supplier_size(s) + 1, sizeof *v);
	if (v == NULL)
		return drg_fail_memory(x->err);
	if (x->apart->used > 0 && x->o->wanted == NULL) {
		m.apart = hotels_apart;
		m.apart_ctx = x;
	}
	drg_hotels_drop_crowds(&s->hotels);
	drg_places_gather(&s->hotels);
	int rc = mark_taken(x, v);
	if (rc == DRG_OK && x->o->against != NULL)
		rc = compare_against(x, &m);
	if (rc == DRG_OK)
		rc = drg_hotels_match(&m, v, x->err);
	if (rc == DRG_OK)
		rc = take_hotels(x, &m, v);
	free(v);
	return rc;
}

/* ---- a run ---------------------------------------------------------------------------------------------- */

/* Match a kind. If it is not wanted, it is still read if other kinds use its mappings. */
static int automap_kind(struct automapping *x, enum drg_kind kind)
{
	bool wanted = (x->o->kinds >> kind & 1) != 0;
	struct drg_automap_counts kept = x->ret->kinds[kind];
	if (!wanted && kind != DRG_KIND_COUNTRY && kind != DRG_KIND_CITY && kind != DRG_KIND_HOTEL_CATEGORY)
		return DRG_OK;
	x->suggested = false;
	int rc = drg_supplier_read(x->supplier, x->s, kind, x->err);
	if (rc == DRG_OK && wanted)
		rc = kind == DRG_KIND_HOTEL ? automap_hotels(x) : automap_labels(x);
	if (!wanted) {
		x->ret->kinds[kind] = kept;
		rc = rc == DRG_OK ? drg_supplier_learn_mapped(x->supplier) : rc;
	}
	if (rc == DRG_OK && wanted)
		rc = automap_suggest_flush(x);
	return rc == DRG_OK ? automap_flush(x) : rc;
}

static int automap_adapter(struct automapping *x, int64_t adapter)
{
	struct drg_supplier supplier;
	int rc = DRG_OK;
	drg_supplier_init(&supplier, adapter, x->normal, x->ref, &x->decided);
	supplier.reopened = &x->ask;
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

static int automap_read_adapters(struct automapping *x, struct drg_buf *ret)
{
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_ADAPTER] };
	if (x->o->n_adapters > 0) {
		drg_buf_add(ret, x->o->adapters, x->o->n_adapters * sizeof *x->o->adapters);
		return ret->rc;
	}
	return drg_store_scan(x->s, &f, add_tour_adapter, ret, NULL, x->err);
}

/* ---- a run --------------------------------------------------------------------------------------------- */

static struct automapping *automapping_new(struct drg_store *s, struct drg_automap_kept *k,
                                           const struct drg_automap_options *o,
                                           struct drg_automap_totals *totals, struct drg_err *reterr)
{
	struct automapping *x = calloc(1, sizeof *x);
	if (x == NULL)
		return NULL;
	x->s = s;
	x->o = o;
	x->ret = totals;
	x->err = reterr;
	x->normal = k->normal;
	x->ref = &k->ref;
	x->apart = &k->apart;
	*totals = (struct drg_automap_totals){ .batch = 0 };
	x->ledger = (struct drg_ledger){ .what = DRG_BATCH_MATCH, .by = o->by, .why = o->why };
	drg_ledger_init(&x->ledger);
	drg_tally_init(&x->decided);
	drg_tally_init(&x->ask);
	drg_arena_init(&x->said, SIZE_MAX);
	drg_buf_init(&x->text, EXPLANATION_MAX);
	drg_arena_init(&x->why, SIZE_MAX);
	return x;
}

static void automapping_free(struct automapping *x)
{
	drg_tally_done(&x->decided);
	drg_tally_done(&x->ask);
	drg_arena_done(&x->said);
	drg_buf_done(&x->text);
	drg_arena_done(&x->why);
	drg_ledger_done(&x->ledger);
	free(x);
}

static int automap_everything(struct automapping *x)
{
	struct drg_buf adapters;
	drg_buf_init(&adapters, SIZE_MAX);
	int rc = drg_automap_decided(x->s, &x->decided, &x->ask, x->err);
	if (rc == DRG_OK)
		rc = automap_read_adapters(x, &adapters);
	const int64_t *v = (const int64_t *)(const void *)adapters.p;
	for (size_t i = 0; i < adapters.n / sizeof *v && rc == DRG_OK; i++)
		rc = automap_adapter(x, v[i]);
	drg_buf_done(&adapters);
	return rc;
}

int drg_automap_run(struct drg_store *s, const struct drg_automap_options *o, struct drg_automap_totals *ret,
                    struct drg_err *reterr)
{
	struct drg_automap_kept *k = NULL;
	*ret = (struct drg_automap_totals){ .batch = 0 };
	if (o->progress != NULL)
		o->progress(o->ctx, "reference", 0, 0);
	struct drg_clock start;
	int rc = drg_store_clock(s, &start, reterr);
	if (rc == DRG_OK)
		rc = drg_automap_keep_kinds(s, o->kinds, NULL, &k, reterr);
	if (rc != DRG_OK)
		return rc;
	struct automapping *x = automapping_new(s, k, o, ret, reterr);
	if (x != NULL)
		x->since = start.seq;
	rc = x != NULL ? automap_everything(x) : drg_fail_memory(reterr);
	if (x != NULL)
		automapping_free(x);
	drg_automap_forget(k);
	return rc;
}

/* ---- some sources, for a server ------------------------------------------------------------------------ */

/* Take a source, if it is open. */
static int some_take(struct automapping *x, const struct drg_automap_source *v)
{
	struct drg_record key, source;
	struct drg_arena arena;
	enum drg_automap_openness open;
	drg_arena_init(&arena, 1 << 20);
	drg_key_source(&key, v->adapter, v->kind, v->id);
	int rc = drg_automap_open(x->s, &key, &arena, &source, &open, x->err);
	if (rc == DRG_OK && drg_supplier_take(x->supplier, &source, false) != DRG_OK)
		rc = drg_fail_memory(x->err);
	drg_arena_done(&arena);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* Does another source of this supplier have the hotel already? */
struct some_claim {
	int64_t adapter;
	bool found;
};

static int some_mapped(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct some_claim *c = ctx;
	c->found = c->found || r->v[DRG_F_ADAPTER_ID].i == c->adapter;
	return DRG_OK;
}

static int some_claims(struct automapping *x, struct drg_hotel_match *m)
{
	enum { SOURCES_OF_A_HOTEL = 1000 };
	int rc = DRG_OK;
	for (size_t i = 0; i < drg_supplier_size(x->supplier) && rc == DRG_OK; i++) {
		struct some_claim c = { .adapter = x->supplier->adapter };
		if (m[i].outcome != DRG_MATCH_AUTOMATIC)
			continue;
		rc = drg_store_mapped(x->s, DRG_KIND_HOTEL, hotel_dict(x, &m[i].best[0]), SOURCES_OF_A_HOTEL,
		                      some_mapped, &c, x->err);
		if (c.found) {
			m[i].outcome = DRG_MATCH_ASK;
			m[i].reason = DRG_WHY_VETO_CLAIMED;
		}
	}
	return rc;
}

static int some_hotels(struct automapping *x, struct drg_automap_kept *k)
{
	struct drg_hotel_matching m = { .card = &x->o->card,
		                        .index = &x->ref->index,
		                        .src = &x->supplier->hotels,
		                        .threads = 1,
		                        .rarity = k->rarity,
		                        .address_rarity = k->address_rarity };
	struct drg_hotel_match *v = calloc(drg_supplier_size(x->supplier) + 1, sizeof *v);
	if (v == NULL)
		return drg_fail_memory(x->err);
	if (x->apart->used > 0) {
		m.apart = hotels_apart;
		m.apart_ctx = x;
	}
	drg_hotels_drop_crowds(&x->supplier->hotels);
	int rc = drg_hotels_match(&m, v, x->err);
	if (rc == DRG_OK)
		rc = some_claims(x, v);
	if (rc == DRG_OK)
		rc = take_hotels(x, &m, v);
	free(v);
	return rc;
}

static int some_labels(struct automapping *x)
{
	int rc = DRG_OK;
	int64_t dict;
	for (size_t i = 0; i < drg_supplier_size(x->supplier) && rc == DRG_OK; i++)
		rc = automap_label(x, drg_supplier_row(x->supplier, i), &dict);
	return rc;
}

/* Hand the results over to the server's outcome. */
static int some_hand_over(struct automapping *x)
{
	struct drg_automap_outcome *o = x->outcome;
	bool room = true;
	for (size_t i = 0; i < x->n_waiting; i++) {
		struct drg_automap_wish w = x->waiting[i];
		w.id = drg_arena_str(&o->texts, w.id);
		w.why = drg_arena_str(&o->texts, w.why);
		room = room && w.id.p != NULL && w.why.p != NULL;
		drg_buf_add(&o->wishes, &w, sizeof w);
	}
	for (size_t i = 0; i < x->n_suggestions; i++) {
		struct drg_suggestion s = x->suggestions[i];
		s.id = drg_arena_str(&o->texts, s.id);
		s.ranked = drg_arena_str(&o->texts, s.ranked);
		s.explanation = drg_arena_str(&o->texts, s.explanation);
		room = room && s.id.p != NULL && s.ranked.p != NULL && s.explanation.p != NULL;
		drg_buf_add(&o->suggestions, &s, sizeof s);
	}
	return room && o->wishes.rc == DRG_OK && o->suggestions.rc == DRG_OK ? DRG_OK
	                                                                     : drg_fail_memory(x->err);
}

static int some_match(struct automapping *x, struct drg_automap_kept *k, const struct drg_automap_source *v,
                      size_t n)
{
	struct drg_supplier supplier;
	int rc = DRG_OK;
	drg_supplier_init(&supplier, v[0].adapter, x->normal, x->ref, &x->decided);
	supplier.ask = x->s;
	x->supplier = &supplier;
	drg_supplier_clear(&supplier, v[0].kind);
	rc = drg_supplier_look_at_codes(&supplier, x->s, v[0].kind, x->err);
	for (size_t i = 0; i < n && rc == DRG_OK; i++)
		rc = some_take(x, &v[i]);
	if (rc == DRG_OK && drg_automap_keep_rarity(k) != DRG_OK)
		rc = drg_fail_memory(x->err);
	if (rc == DRG_OK && drg_supplier_size(&supplier) > 0)
		rc = v[0].kind == DRG_KIND_HOTEL ? some_hotels(x, k) : some_labels(x);
	if (rc == DRG_OK)
		rc = some_hand_over(x);
	drg_supplier_done(&supplier);
	return rc;
}

int drg_automap_some(struct drg_store *s, struct drg_automap_kept *k, const struct drg_scorecard *card,
                     const struct drg_automap_source *v, size_t n, struct drg_automap_outcome *o,
                     struct drg_err *reterr)
{
	const struct drg_automap_options options = { .card = *card };
	struct drg_automap_totals totals;
	if (n == 0)
		return DRG_OK;
	assert(n < WRITE_AT_A_TIME);
	struct automapping *x = automapping_new(s, k, &options, &totals, reterr);
	if (x == NULL)
		return drg_fail_memory(reterr);
	x->outcome = o;
	int rc = some_match(x, k, v, n);
	automapping_free(x);
	return rc;
}
