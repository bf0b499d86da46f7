#include "matching/airmatch.h"

#include <math.h>
#include <stdlib.h>

#include "base/bound.h"
#include "matching/airmatch_priv.h"
#include "match/countries/countries.h"
#include "matching/automap_priv.h"
#include "model/key.h"
#include "store/air_reports.h"
#include "store/fetch.h"

enum { AIR_WRITE_AT_A_TIME = 2000 };

/* ---- the reference ------------------------------------------------------------------------------------- */

uint64_t drg_airmatch_text_key(struct drg_str s)
{
	return drg_match_hash(s, 7);
}

/* ---- what an adapter sent ------------------------------------------------------------------------------ */

/* Read an id that is mapped already: no other id gets its place. */
static int read_mapped(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct drg_airmatching *x = ctx;
	if (!drg_record_has(r, DRG_F_EXTERNAL_ID))
		return DRG_OK;
	uint64_t key = drg_airmatch_text_key(r->v[DRG_F_EXTERNAL_ID].s);
	if (r->deleted)
		return drg_tally_add(&x->removed, key);
	const struct drg_airport_input in = { .id = r->v[DRG_F_PLACE_ID].i, .taken = true };
	const struct drg_str none = { .p = NULL };
	drg_buf_add(&x->ids, &none, sizeof none);
	int rc = drg_airports_add(&x->src, x->normal, &in);
	return rc == DRG_OK ? drg_tally_add(&x->mapped, key) : rc;
}

static int read_all_mapped(struct drg_airmatching *x)
{
	struct drg_rows rows;
	const struct drg_filter maps = { .type = &drg_types[DRG_TYPE_AIR_MAP],
		                         .adapter = x->adapter,
		                         .tombstones = true };
	const struct drg_filter sources = { .type = &drg_types[DRG_TYPE_AIR_SOURCE], .adapter = x->adapter };
	int rc = drg_rows_each(drg_rows_scan(&rows, x->s, &maps, x->err), read_mapped, x);
	if (rc == DRG_OK)
		rc = drg_rows_each(drg_rows_scan(&rows, x->s, &sources, x->err), read_mapped, x);
	return rc;
}

static int airmatch_take_row(struct drg_airmatching *x, const struct drg_airmatch_row *row)
{
	struct drg_airmatch_entry w = { .row = *row, .order = x->entries.n };
	const uint64_t key = drg_airmatch_text_key(row->external_id);
	if (row->external_id.n == 0) {
		x->ret->without_id++;
		return DRG_OK;
	}
	if (drg_tally_get(&x->mapped, key) > 0) {
		x->ret->mapped++;
		return DRG_OK;
	}
	if (drg_tally_get(&x->removed, key) > 0 && !(x->o->dry_run && x->o->decided_too)) {
		x->ret->decided++;
		return DRG_OK;
	}
	struct drg_str *texts[] = { &w.row.external_id, &w.row.name, &w.row.iata,
		                    &w.row.icao,        &w.row.city, &w.row.country };
	for (size_t i = 0; i < DRG_ARRAY_LEN(texts); i++) {
		*texts[i] = drg_arena_str(&x->texts, *texts[i]);
		if (texts[i]->p == NULL)
			return DRG_ENOMEM;
	}
	drg_buf_add(&x->entries, &w, sizeof w);
	return x->entries.rc;
}

static int add_report_row(void *ctx, const struct drg_air_report *r)
{
	const struct drg_airmatch_row row = {
		.external_id = r->external_id, .name = r->title, .iata = r->iata_code, .lat = NAN, .lng = NAN
	};
	return airmatch_take_row(ctx, &row);
}

static int by_external_id(const void *pa, const void *pb)
{
	const struct drg_airmatch_entry *a = pa, *b = pb;
	int order = drg_str_cmp(a->row.external_id, b->row.external_id);
	return order != 0 ? order : a->order < b->order ? -1 : a->order > b->order;
}

/* The alpha-2 code of a country, which may be given by any code (decision M44) or by name; @p room holds two
 * letters. */
static struct drg_str country_code(const struct drg_airmatching *x, struct drg_str country, char *room)
{
	int64_t code = DRG_PLACE_UNKNOWN;
	struct drg_str alpha_2 = drg_country_code(country);
	if (alpha_2.n > 0 || country.n == 2)
		return alpha_2.n > 0 ? alpha_2 : country;
	uint64_t key = country.n > 0 ? drg_label_key(x->normal, country) : 0;
	if (key != 0)
		code = drg_known_find(&x->countries, key);
	if (code == DRG_PLACE_UNKNOWN)
		return drg_str(NULL, 0);
	room[0] = (char)(code >> 8);
	room[1] = (char)(code & 0xff);
	return drg_str(room, 2);
}

/* Make a record of all rows about one id. */
static int take_rows_of_id(struct drg_airmatching *x, const struct drg_airmatch_entry *v, size_t n)
{
	char room[2];
	struct drg_airport_input in = { .iata = v->row.iata,
		                        .icao = v->row.icao,
		                        .country = country_code(x, v->row.country, room),
		                        .lat = v->row.lat,
		                        .lng = v->row.lng };
	for (size_t i = 0; i < n; i++) {
		if (v[i].row.name.n > 0 && in.n_names < DRG_AIRPORT_NAMES)
			in.names[in.n_names++] = v[i].row.name;
		if (v[i].row.city.n > 0 && in.n_cities < DRG_AIRPORT_NAMES)
			in.cities[in.n_cities++] = v[i].row.city;
	}
	const struct drg_str row[2] = { v->row.external_id, v->row.name };
	drg_buf_add(&x->ids, &row[0], sizeof row[0]);
	int rc = drg_airports_add(&x->src, x->normal, &in);
	return rc == DRG_OK ? x->ids.rc : rc;
}

static int take_all_rows(struct drg_airmatching *x)
{
	struct drg_airmatch_entry *v = (struct drg_airmatch_entry *)(void *)x->entries.p;
	size_t n = x->entries.n / sizeof *v;
	int rc = DRG_OK;
	if (n > 0)
		qsort(v, n, sizeof *v, by_external_id);
	for (size_t from = 0, to; from < n && rc == DRG_OK; from = to) {
		for (to = from + 1; to < n && drg_str_eq(v[to].row.external_id, v[from].row.external_id);)
			to++;
		rc = take_rows_of_id(x, v + from, to - from);
	}
	return rc;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

struct air_wish {
	struct drg_str id, why;
	int64_t place;
};

struct air_slice {
	struct drg_airmatching *x;
	struct drg_ledger_state from;
	const struct air_wish *v;
	size_t n;
	uint64_t written;
};

/* Write a mapping, unless the id was mapped or its mapping removed meanwhile. */
static int write_air_wish(struct air_slice *w, const struct air_wish *wish, struct drg_txn *t,
                          struct drg_err *reterr)
{
	struct drg_record r, place;
	struct drg_store *s = drg_txn_store(t);
	enum drg_put_result result;
	drg_key_air_map(&r, w->x->adapter, wish->id);
	drg_key_air_place(&place, wish->place);
	int rc = drg_store_exists(s, &r, reterr);
	if (rc != DRG_ENOENT)
		return rc;
	rc = drg_store_exists(s, &place, reterr);
	if (rc != DRG_OK)
		return rc == DRG_ENOENT ? DRG_OK : rc;
	drg_record_set_i(&r, DRG_F_PLACE_ID, wish->place);
	w->x->ledger.event_why = wish->why;
	rc = drg_ledger_put(&w->x->ledger, t, &r, &result, reterr);
	w->written += rc == DRG_OK;
	return rc;
}

static int airmatch_write(void *slice, struct drg_txn *t, struct drg_err *reterr)
{
	struct air_slice *w = slice;
	int rc = DRG_OK;
	w->written = 0;
	w->x->ledger.state = w->from;
	for (size_t i = 0; i < w->n && rc == DRG_OK; i++)
		rc = write_air_wish(w, &w->v[i], t, reterr);
	return rc == DRG_OK ? drg_ledger_end(&w->x->ledger, t, reterr) : rc;
}

static int write_air_wishes(struct drg_airmatching *x, const struct air_wish *v, size_t n)
{
	int rc = DRG_OK;
	for (size_t at = 0; at < n && rc == DRG_OK; at += AIR_WRITE_AT_A_TIME) {
		struct air_slice w = { .x = x,
			               .from = x->ledger.state,
			               .v = v + at,
			               .n = n - at < AIR_WRITE_AT_A_TIME ? n - at : AIR_WRITE_AT_A_TIME };
		rc = drg_txn_run(x->s, airmatch_write, &w, x->err);
		if (rc == DRG_OK)
			x->ret->written += w.written;
	}
	x->ret->batch = x->ledger.state.batch;
	return rc;
}

/* ---- results ------------------------------------------------------------------------------------------- */

static int64_t place_of(const struct drg_airmatching *x, const struct drg_airport_pair *p)
{
	return drg_airport_of(&x->ref, p->i)->id;
}

/* The first name of an id: `said` is sorted by id. */
static struct drg_str name_of(const struct drg_airmatching *x, struct drg_str id)
{
	const struct drg_airmatch_entry key = { .row = { .external_id = id } },
	                                *v = (const struct drg_airmatch_entry *)(const void *)x->entries.p;
	size_t n = x->entries.n / sizeof *v, at;
	DRG_BOUND(at, n, i, by_external_id(&v[i], &key) < 0);
	return at < n ? v[at].row.name : id;
}

static int report_airport(struct drg_airmatching *x, struct drg_str id, const struct drg_airport_match *m,
                          struct drg_buf *text)
{
	struct drg_airmatch_result r = { .adapter = x->adapter,
		                         .id = id,
		                         .name = name_of(x, id),
		                         .outcome = (enum drg_match_outcome)m->outcome,
		                         .reason = (enum drg_match_reason)m->reason,
		                         .n_ranked = m->n_best,
		                         .candidates = m->candidates };
	drg_buf_clear(text);
	drg_airport_explain(m, text);
	r.explanation = drg_buf_view(text);
	r.has_place = m->n_best > 0 && m->outcome != DRG_MATCH_NONE;
	for (unsigned i = 0; i < m->n_best; i++) {
		r.ranked[i].place = place_of(x, &m->best[i]);
		r.ranked[i].points = (double)m->best[i].points;
	}
	r.place = r.has_place ? r.ranked[0].place : 0;
	x->ret->outcomes[m->outcome]++;
	x->ret->reasons[m->reason]++;
	return x->o->result != NULL ? x->o->result(x->o->ctx, &r) : DRG_OK;
}

static int take_airports(struct drg_airmatching *x, const struct drg_airport_match *m)
{
	const struct drg_str *ids = (const struct drg_str *)(const void *)x->ids.p;
	struct drg_buf wishes, text;
	int rc = DRG_OK;
	drg_buf_init(&wishes, SIZE_MAX);
	drg_buf_init(&text, DRG_CHARS_WHY);
	for (uint32_t i = 0; i < drg_airports_size(&x->src) && rc == DRG_OK; i++) {
		if (drg_airport_of(&x->src, i)->taken)
			continue;
		rc = report_airport(x, ids[i], &m[i], &text);
		if (rc != DRG_OK || x->o->dry_run || m[i].outcome != DRG_MATCH_AUTOMATIC)
			continue;
		const struct air_wish w = { ids[i], drg_arena_str(&x->texts, drg_buf_view(&text)),
			                    place_of(x, &m[i].best[0]) };
		drg_buf_add(&wishes, &w, sizeof w);
		rc = w.why.p != NULL && wishes.rc == DRG_OK ? DRG_OK : drg_fail_memory(x->err);
	}
	if (rc == DRG_OK)
		rc = write_air_wishes(x, (const struct air_wish *)(const void *)wishes.p,
		                      wishes.n / sizeof(struct air_wish));
	drg_buf_done(&wishes);
	drg_buf_done(&text);
	return rc;
}

/* ---- an adapter ---------------------------------------------------------------------------------------- */

static int airmatch_read_rows(struct drg_airmatching *x)
{
	int rc = DRG_OK;
	if (x->o->rows == NULL)
		return drg_store_air_reports(x->s, x->adapter, add_report_row, x, x->err);
	for (size_t i = 0; i < x->o->n_rows && rc == DRG_OK; i++)
		rc = airmatch_take_row(x, &x->o->rows[i]);
	return rc;
}

static int airmatch_match(struct drg_airmatching *x)
{
	struct drg_airport_match *m = calloc((size_t)drg_airports_size(&x->src) + 1, sizeof *m);
	int rc = m != NULL ? drg_airports_match(&x->ref, &x->src, m) : DRG_ENOMEM;
	if (rc == DRG_OK)
		rc = take_airports(x, m);
	free(m);
	return rc;
}

static int airmatch_adapter(struct drg_airmatching *x, int64_t adapter)
{
	x->adapter = adapter;
	drg_arena_reset(&x->texts);
	drg_buf_clear(&x->entries);
	drg_buf_clear(&x->ids);
	drg_tally_done(&x->mapped);
	drg_tally_done(&x->removed);
	drg_tally_init(&x->mapped);
	drg_tally_init(&x->removed);
	drg_airports_done(&x->src);
	drg_airports_init(&x->src, &x->vocab);
	int rc = read_all_mapped(x);
	if (rc == DRG_OK)
		rc = airmatch_read_rows(x);
	if (rc == DRG_OK)
		rc = take_all_rows(x);
	if (rc == DRG_OK)
		rc = airmatch_match(x);
	return rc == DRG_ENOMEM ? drg_fail_memory(x->err) : rc;
}

static int airmatch_adapters(struct drg_airmatching *x)
{
	struct drg_rows rows;
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_ADAPTER] };
	struct drg_buf air;
	drg_buf_init(&air, SIZE_MAX);
	for (drg_rows_scan(&rows, x->s, &f, x->err); drg_rows_next(&rows);) {
		if (drg_record_i(&rows.row.r, DRG_F_DOMAIN, DRG_DOMAIN_TOUR) == DRG_DOMAIN_AIR)
			drg_buf_add(&air, &rows.row.r.v[DRG_F_ID].i, sizeof(int64_t));
		rows.rc = air.rc;
	}
	int rc = drg_rows_end(&rows);
	const int64_t *v = (const int64_t *)(const void *)air.p, *wanted = x->o->adapters;
	size_t n = air.n / sizeof *v, n_wanted = x->o->n_adapters;
	for (size_t i = 0; i < n_wanted && rc == DRG_OK; i++)
		if (!drg_id_is_among(wanted[i], v, n))
			rc = drg_fail(x->err, DRG_EINVAL, DRG_R(unknown_adapter), "SUPPLIER",
			              "adapter %lld is not one for air", (long long)wanted[i]);
	for (size_t i = 0; i < (n_wanted > 0 ? n_wanted : n) && rc == DRG_OK; i++)
		rc = airmatch_adapter(x, n_wanted > 0 ? wanted[i] : v[i]);
	drg_buf_done(&air);
	return rc;
}

/* ---- a run --------------------------------------------------------------------------------------------- */

static void airmatching_init(struct drg_airmatching *x)
{
	struct drg_buf *bufs[] = { &x->cities, &x->city_names, &x->countries.v, &x->entries, &x->ids };
	struct drg_arena *arenas[] = { &x->arena, &x->record, &x->texts };
	for (size_t i = 0; i < DRG_ARRAY_LEN(bufs); i++)
		drg_buf_init(bufs[i], SIZE_MAX);
	for (size_t i = 0; i < DRG_ARRAY_LEN(arenas); i++)
		drg_arena_init(arenas[i], SIZE_MAX);
	drg_vocab_init(&x->vocab);
	drg_airports_init(&x->ref, &x->vocab);
	drg_airports_init(&x->src, &x->vocab);
	drg_tally_init(&x->mapped);
	drg_tally_init(&x->removed);
	/* Not DRG_BATCH_MATCH: a batch of that kind creates no records, so its undoing would not look for
	 * any. */
	x->ledger = (struct drg_ledger){ .what = DRG_BATCH_LOAD, .by = x->o->by, .why = x->o->why };
	drg_ledger_init(&x->ledger);
}

static void airmatching_done(struct drg_airmatching *x)
{
	struct drg_buf *bufs[] = { &x->cities, &x->city_names, &x->countries.v, &x->entries, &x->ids };
	struct drg_arena *arenas[] = { &x->arena, &x->record, &x->texts };
	for (size_t i = 0; i < DRG_ARRAY_LEN(bufs); i++)
		drg_buf_done(bufs[i]);
	for (size_t i = 0; i < DRG_ARRAY_LEN(arenas); i++)
		drg_arena_done(arenas[i]);
	drg_airports_done(&x->ref);
	drg_airports_done(&x->src);
	drg_vocab_done(&x->vocab);
	drg_tally_done(&x->mapped);
	drg_tally_done(&x->removed);
	drg_ledger_done(&x->ledger);
}

int drg_airmatch_run(struct drg_store *s, const struct drg_airmatch_options *o,
                     struct drg_airmatch_totals *ret, struct drg_err *reterr)
{
	struct drg_airmatching x = { .s = s, .o = o, .ret = ret, .err = reterr };
	*ret = (struct drg_airmatch_totals){ .batch = 0 };
	airmatching_init(&x);
	int rc = drg_normal_new(&x.normal, reterr);
	if (rc == DRG_OK)
		rc = drg_airmatch_read_reference(&x);
	if (rc == DRG_OK)
		rc = airmatch_adapters(&x);
	airmatching_done(&x);
	drg_normal_free(x.normal);
	return rc;
}
