#include "matching/automap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "matching/automap_run_priv.h"
#include "decide/apart.h"
#include "matching/automap_supplier.h"
#include "decide/history.h"
#include "matching/suggest_keep.h"
#include "model/key.h"
#include "text/utf8.h"

/* Each kind comes after the kinds that it uses. */
static const enum drg_kind_comparison order[] = { DRG_COMPARED_CODES, DRG_COMPARED_PLACES, DRG_COMPARED_TERMS,
	                                          DRG_COMPARED_LABELS, DRG_COMPARED_HOTELS };

/* ---- writing -------------------------------------------------------------------------------------------- */

static int automap_flush(struct drg_automapping *x)
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

static int automap_wish(struct drg_automapping *x, const struct drg_automap_result *r)
{
	struct drg_str why = drg_utf8_cut(r->explanation, DRG_CHARS_WHY);
	struct drg_automap_wish w = { r->adapter, r->kind, r->id, r->dict_id, drg_arena_str(&x->why, why) };
	if (w.why.p == NULL)
		return drg_fail_memory(x->err);
	x->waiting[x->n_waiting++] = w;
	return x->n_waiting == WRITE_AT_A_TIME ? automap_flush(x) : DRG_OK;
}

/* ---- suggestions for sources that are not mapped ------------------------------------------------------- */

/* Write suggestions. Also called at the end of a kind without any: old suggestions of removed records must
 * go. */
static int automap_suggest_flush(struct drg_automapping *x)
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
	int rc = x->o->dry_run ? DRG_OK : drg_txn_run(x->s, drg_suggest_write, &slice, x->err);
	drg_arena_reset(&x->said);
	return rc;
}

static int automap_suggest(struct drg_automapping *x, const struct drg_automap_result *r)
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

/* May the source be mapped? A source whose mapping was undone may only be suggested: to map it would undo the
 * undoing. */
static int automap_may_map(struct drg_automapping *x, const struct drg_automap_result *r, bool *ret)
{
	enum drg_automap_openness open;
	struct drg_record key;
	*ret = drg_tally_get(&x->ask, drg_automap_source_key(r->adapter, r->kind, r->id)) == 0;
	if (x->outcome == NULL)
		return DRG_OK;
	drg_key_source(&key, r->adapter, r->kind, r->id);
	int rc = drg_automap_openness(x->s, &key, &open, x->err);
	*ret = x->outcome->automatic && open == DRG_AUTOMAP_OPEN;
	return rc;
}

int drg_automap_take(struct drg_automapping *x, struct drg_automap_result *r)
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

void drg_automap_progress(struct drg_automapping *x, uint64_t done, uint64_t total)
{
	if (x->o->progress != NULL)
		x->o->progress(x->o->ctx, drg_kind_name(x->supplier->kind), done, total);
}

bool drg_automap_is_open(struct drg_automapping *x, const struct drg_supplier_row *row)
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

struct drg_automap_result drg_result_of(const struct drg_automapping *x, const struct drg_supplier_row *row)
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

bool drg_automap_is_apart(const struct drg_automapping *x, const struct drg_automap_result *r,
                          int64_t dict_id)
{
	return x->apart->used > 0 &&
	       drg_tally_get(x->apart, drg_not_same_key(r->adapter, r->kind, r->id, dict_id)) > 0;
}

/* ---- kinds that are matched by name --------------------------------------------------------------------- */

/* @param term  Memory for the meaning of a meal or category. */
static struct drg_label_query query_of(const struct drg_automapping *x, const struct drg_supplier_row *row,
                                       char *term)
{
	enum drg_kind kind = x->supplier->kind;
	const enum drg_kind_comparison compared = drg_kind_compared(kind);
	struct drg_label_query q = {
		.name = row->name, .country = row->country, .lat = row->lat, .lng = row->lng
	};
	q.wants_country = drg_kind_has(DRG_TYPE_SOURCE, kind, DRG_F_SRC_COUNTRY_ID);
	q.is_place = compared == DRG_COMPARED_PLACES;
	q.countries = &x->ref->labels[DRG_KIND_COUNTRY];
	q.state = drg_places_state(&x->ref->hotels, row->country);
	q.code_is_sure = row->code.n > 0;
	if (kind == DRG_KIND_COUNTRY)
		drg_automap_country_query(x->ref, row->id, &q);
	else if (compared == DRG_COMPARED_CODES)
		q.code = row->code.n > 0 ? row->code : row->id;
	if (compared == DRG_COMPARED_TERMS) {
		drg_automap_term(x->normal, kind, row->name, term);
		q.code = drg_str_c(term);
		q.code_is_sure = true;
	}
	return q;
}

/* It can mean several things: a person decides. Of a category like "5* superior" suggest that of its stars.
 * @param stars  Memory for its code. */
static void label_ask(const struct drg_automapping *x, struct drg_label_query *q, struct drg_label_match *m,
                      char *stars)
{
	enum drg_kind kind = x->supplier->kind;
	bool found = m->outcome != DRG_MATCH_NONE;
	m->outcome = DRG_MATCH_ASK;
	m->reason = DRG_WHY_UNCLEAR;
	if (found || kind != DRG_KIND_HOTEL_CATEGORY)
		return;
	(void)drg_category_stars(x->normal, q->name, stars);
	q->code = drg_str_c(stars);
	const struct drg_label *of = drg_labels_of_code(&x->ref->labels[kind], q->code);
	m->by_code = of != NULL;
	m->id = of != NULL ? of->id : m->id;
}

int drg_automap_label(struct drg_automapping *x, const struct drg_supplier_row *row, int64_t *ret_dict)
{
	char term[DRG_TERM_MAX] = "", stars[DRG_TERM_MAX] = "";
	struct drg_automap_result r = drg_result_of(x, row);
	struct drg_label_match m;
	struct drg_label_query q = query_of(x, row, term);
	drg_label_match(&x->ref->labels[r.kind], x->normal, &q, &m);
	m.reason = drg_supplier_reason(row, m.reason);
	if (strcmp(term, DRG_TERM_ASK) == 0)
		label_ask(x, &q, &m, stars);
	if (m.outcome != DRG_MATCH_NONE && drg_automap_is_apart(x, &r, m.id)) {
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
	return drg_automap_take(x, &r);
}

static int automap_labels(struct drg_automapping *x)
{
	struct drg_supplier *s = x->supplier;
	int rc = DRG_OK;
	for (size_t i = 0; i < drg_supplier_size(s) && rc == DRG_OK; i++) {
		const struct drg_supplier_row *row = drg_supplier_row(s, i);
		int64_t dict = row->dict_id;
		if (drg_automap_is_open(x, row))
			rc = drg_automap_label(x, row, &dict);
		int64_t country = drg_supplier_country_of(s, row);
		if (rc == DRG_OK && dict != DRG_PLACE_UNKNOWN &&
		    drg_supplier_learn(s, s->kind, row->id, row->name, country, dict) != DRG_OK)
			rc = drg_fail_memory(x->err);
		if (i % 1024 == 0)
			drg_automap_progress(x, i, drg_supplier_size(s));
	}
	if (rc == DRG_OK && drg_supplier_learn_end(s) != DRG_OK)
		rc = drg_fail_memory(x->err);
	return rc;
}

/* ---- a kind, an adapter --------------------------------------------------------------------------------- */

/* Match a kind. If it is not wanted, it is still read if other kinds use its mappings. */
static int automap_kind(struct drg_automapping *x, enum drg_kind kind)
{
	bool wanted = (x->o->kinds >> kind & 1) != 0;
	struct drg_automap_counts kept = x->ret->kinds[kind];
	if (!wanted && drg_kind_parent(kind) == NULL)
		return DRG_OK;
	x->suggested = false;
	int rc = drg_supplier_read(x->supplier, x->s, kind, x->err);
	if (rc == DRG_OK && wanted)
		rc = drg_kind_compared(kind) == DRG_COMPARED_HOTELS ? drg_automap_hotels(x)
		                                                    : automap_labels(x);
	if (!wanted) {
		x->ret->kinds[kind] = kept;
		rc = rc == DRG_OK ? drg_supplier_learn_mapped(x->supplier) : rc;
	}
	if (rc == DRG_OK && wanted)
		rc = automap_suggest_flush(x);
	return rc == DRG_OK ? automap_flush(x) : rc;
}

static int automap_adapter(struct drg_automapping *x, int64_t adapter)
{
	struct drg_supplier supplier;
	int rc = DRG_OK;
	drg_supplier_init(&supplier, adapter, x->normal, x->ref, &x->decided);
	supplier.reopened = &x->ask;
	x->supplier = &supplier;
	for (size_t i = 0; i < DRG_ARRAY_LEN(order) * DRG_KIND_COUNT && rc == DRG_OK; i++) {
		const enum drg_kind kind = (enum drg_kind)drg_kinds_in_order[i % DRG_KIND_COUNT];
		if (drg_kind_compared(kind) == order[i / DRG_KIND_COUNT])
			rc = automap_kind(x, kind);
	}
	drg_supplier_done(&supplier);
	return rc;
}

static int automap_read_adapters(struct drg_automapping *x, struct drg_buf *ret)
{
	struct drg_rows rows;
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_ADAPTER] };
	if (x->o->n_adapters > 0) {
		drg_buf_add(ret, x->o->adapters, x->o->n_adapters * sizeof *x->o->adapters);
		return ret->rc;
	}
	for (drg_rows_scan(&rows, x->s, &f, x->err); drg_rows_next(&rows);) {
		if (drg_record_i(&rows.row.r, DRG_F_DOMAIN, DRG_DOMAIN_TOUR) == DRG_DOMAIN_TOUR)
			drg_buf_add(ret, &rows.row.r.v[DRG_F_ID].i, sizeof(int64_t));
		rows.rc = ret->rc;
	}
	return drg_rows_end(&rows);
}

/* ---- a run --------------------------------------------------------------------------------------------- */

struct drg_automapping *drg_automapping_new(struct drg_store *s, struct drg_automap_kept *k,
                                            const struct drg_automap_options *o,
                                            struct drg_automap_totals *totals, struct drg_err *reterr)
{
	struct drg_automapping *x = calloc(1, sizeof *x);
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

void drg_automapping_free(struct drg_automapping *x)
{
	drg_tally_done(&x->decided);
	drg_tally_done(&x->ask);
	drg_arena_done(&x->said);
	drg_buf_done(&x->text);
	drg_arena_done(&x->why);
	drg_ledger_done(&x->ledger);
	free(x);
}

static int automap_everything(struct drg_automapping *x)
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
	struct drg_automapping *x = drg_automapping_new(s, k, o, ret, reterr);
	if (x != NULL)
		x->since = start.seq;
	rc = x != NULL ? automap_everything(x) : drg_fail_memory(reterr);
	if (x != NULL)
		drg_automapping_free(x);
	drg_automap_kept_free(k);
	return rc;
}
