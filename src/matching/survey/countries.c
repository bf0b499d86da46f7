#include <stdlib.h>

#include "matching/automap_priv.h"
#include "matching/survey/survey.h"
#include "store/suggestions.h"

struct country_reading {
	struct drg_buf dicts, waiting; /* struct drg_keyed: countries by dict record, by source */
	struct drg_tally counts; /* by country_key() */
	struct drg_buf rows; /* struct drg_survey_country: without counts */
	struct drg_err *err;
};

static bool country_kind(enum drg_kind kind)
{
	return drg_kind_has(DRG_TYPE_SOURCE, kind, DRG_F_SRC_COUNTRY_ID);
}

static uint64_t country_dict_key(enum drg_kind kind, int64_t id)
{
	return (uint64_t)id * 16 + (uint64_t)kind;
}

static uint64_t country_key(const struct drg_survey_country *c, bool mapped)
{
	const int64_t v[] = { c->adapter, c->kind, c->country, mapped };
	return drg_match_hash(drg_str((const char *)v, sizeof v), 9) | 1;
}

static int country_dict(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct country_reading *x = ctx;
	const struct drg_keyed e = { country_dict_key(drg_record_kind(r), r->v[DRG_F_ID].i),
		                     drg_record_i(r, DRG_F_COUNTRY_ID, DRG_PLACE_UNKNOWN) };
	drg_buf_add(&x->dicts, &e, sizeof e);
	return x->dicts.rc;
}

static int country_waits(void *ctx, const struct drg_suggestion *s)
{
	struct country_reading *x = ctx;
	const struct drg_keyed e = { drg_automap_source_key(s->adapter, s->kind, s->id), s->country };
	if (country_kind(s->kind))
		drg_buf_add(&x->waiting, &e, sizeof e);
	return x->waiting.rc;
}

static int64_t country_find(const struct drg_buf *all, uint64_t key)
{
	size_t n;
	const struct drg_keyed *v = drg_keyed_find(all, key, &n);
	return n > 0 ? v->value : DRG_PLACE_UNKNOWN;
}

static int country_source(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct country_reading *x = ctx;
	bool mapped = drg_record_has(r, DRG_F_DICT_ID);
	struct drg_survey_country c = { .adapter = r->v[DRG_F_ADAPTER_ID].i, .kind = drg_record_kind(r) };
	c.country = mapped ? country_find(&x->dicts, country_dict_key(c.kind, r->v[DRG_F_DICT_ID].i))
	                   : country_find(&x->waiting,
	                                  drg_automap_source_key(c.adapter, c.kind, r->v[DRG_F_SOURCE_ID].s));
	if (drg_tally_get(&x->counts, country_key(&c, false)) +
	            drg_tally_get(&x->counts, country_key(&c, true)) ==
	    0)
		drg_buf_add(&x->rows, &c, sizeof c);
	int rc = drg_tally_add(&x->counts, country_key(&c, mapped));
	return rc == DRG_OK ? x->rows.rc : rc;
}

static int country_order(const void *pa, const void *pb)
{
	const struct drg_survey_country *a = pa, *b = pb;
	if (a->adapter != b->adapter)
		return a->adapter < b->adapter ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->country < b->country ? -1 : a->country > b->country;
}

static int country_scan(struct country_reading *x, struct drg_store *s, enum drg_type_id type,
                        enum drg_kind kind, drg_row_fn *fn)
{
	struct drg_rows rows;
	const struct drg_filter f = {
		.type = &drg_types[type], .one_kind = true, .kind = kind, .any_order = true
	};
	return drg_rows_each(drg_rows_scan(&rows, s, &f, x->err), fn, x);
}

static int country_read(struct country_reading *x, struct drg_store *s)
{
	int rc = drg_store_suggestions(s, 0, country_waits, x, x->err);
	for (unsigned k = 0; k < DRG_KIND_COUNT && rc == DRG_OK; k++)
		if (country_kind((enum drg_kind)k))
			rc = country_scan(x, s, DRG_TYPE_DICT, (enum drg_kind)k, country_dict);
	drg_keyed_sort(&x->dicts);
	drg_keyed_sort(&x->waiting);
	for (unsigned k = 0; k < DRG_KIND_COUNT && rc == DRG_OK; k++)
		if (country_kind((enum drg_kind)k))
			rc = country_scan(x, s, DRG_TYPE_SOURCE, (enum drg_kind)k, country_source);
	return rc == DRG_ENOMEM ? drg_fail_memory(x->err) : rc;
}

int drg_survey_countries(struct drg_store *s, drg_survey_country_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct country_reading x = { .err = reterr };
	drg_buf_init(&x.dicts, SIZE_MAX);
	drg_buf_init(&x.waiting, SIZE_MAX);
	drg_buf_init(&x.rows, SIZE_MAX);
	drg_tally_init(&x.counts);
	int rc = country_read(&x, s);
	struct drg_survey_country *v = (struct drg_survey_country *)(void *)x.rows.p;
	size_t n = x.rows.n / sizeof *v;
	if (n > 0)
		qsort(v, n, sizeof *v, country_order);
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		v[i].mapped = drg_tally_get(&x.counts, country_key(&v[i], true));
		v[i].records = v[i].mapped + drg_tally_get(&x.counts, country_key(&v[i], false));
		rc = fn(ctx, &v[i]);
	}
	drg_buf_done(&x.dicts);
	drg_buf_done(&x.waiting);
	drg_buf_done(&x.rows);
	drg_tally_done(&x.counts);
	return rc;
}
