/* GET curate/facets: how many cases there are of each supplier, reason, country, probability (decision C2). */
#include <stdlib.h>

#include "api/tables.h"
#include "workbench/queue/cases.h"
#include "workbench/queue/filter.h"

enum { FACET_PLACES_MAX = 100 };
static const float bounds[] = { 0.99F, 0.95F, 0.9F, 0.75F, 0.5F, 0.0F };

struct facets_request {
	struct drg_keeper_wait wait;
	struct drg_queue_filter filter;
};

/* Values counted, each numbered as it came. */
struct facet {
	struct drg_numbers values;
	struct drg_buf counts; /* int64_t, by number less one */
};

struct facets {
	size_t total, without, likely[DRG_ARRAY_LEN(bounds)];
	struct facet groups; /* adapter, reason and kind */
	struct facet countries, cities;
};

static int facet_count(struct facet *f, int64_t value)
{
	const int64_t none = 0;
	uint64_t number = drg_numbers_add(&f->values, value);
	if (number == 0)
		return DRG_ENOMEM;
	if (number * sizeof none > f->counts.n)
		drg_buf_add(&f->counts, &none, sizeof none);
	if (f->counts.rc == DRG_OK)
		((int64_t *)(void *)f->counts.p)[number - 1]++;
	return f->counts.rc;
}

static int64_t facet_of(const struct facet *f, size_t i)
{
	return ((const int64_t *)(const void *)f->counts.p)[i];
}

/* An adapter's number has 24 bits in the marks of a queue too. */
static int64_t facet_group(const struct drg_open_case *c)
{
	return c->adapter * 65536 + c->reason * 256 + c->kind;
}

static int facets_take(struct facets *f, const struct drg_open_case *c, bool cities)
{
	f->total++;
	f->without += !c->suggested;
	unsigned k = 0;
	const bool known =
	        c->suggested && drg_kind_compared(c->kind) == DRG_COMPARED_HOTELS; /* its probability */
	while (known && k < DRG_ARRAY_LEN(bounds) - 1 && c->likely < bounds[k])
		k++;
	f->likely[k] += known;
	int rc = facet_count(&f->groups, facet_group(c));
	if (rc == DRG_OK && c->country != INT64_MIN)
		rc = facet_count(&f->countries, c->country);
	if (rc == DRG_OK && cities && c->city != INT64_MIN)
		rc = facet_count(&f->cities, c->city);
	return rc;
}

static int facets_read(struct drg_reading *r, const struct facets_request *q, struct facets *f)
{
	const struct drg_cases_view *v = drg_cases_view(drg_app_of(r->x)->cases);
	const struct drg_case_sieve s = drg_cases_sieve(v, &q->filter);
	int64_t adapter = 0;
	bool may = false;
	int rc = DRG_OK;
	for (size_t at = drg_cases_next(v, &s, DRG_QUEUE_BY_SUPPLIER, 0); at < v->n && rc == DRG_OK;
	     at = drg_cases_next(v, &s, DRG_QUEUE_BY_SUPPLIER, at + 1)) {
		const struct drg_open_case *c = &drg_cases_at(v, DRG_QUEUE_BY_SUPPLIER, at)->c;
		if (c->adapter != adapter)
			may = drg_api_can_read(r->x, c->adapter);
		adapter = c->adapter;
		if (may)
			rc = facets_take(f, c, q->filter.country != INT64_MIN);
	}
	return rc;
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

static void facets_number(struct drg_reading *r, const char *name, int64_t n)
{
	drg_jw_member_i64(&r->w, name, n);
}

static void facets_groups(struct drg_reading *r, const struct facet *f)
{
	drg_jw_member_array(&r->w, "groups");
	for (size_t i = 0; i < f->values.n; i++) {
		int64_t group = f->values.values[i];
		drg_jw_object(&r->w);
		facets_number(r, "adapter_id", group / 65536);
		drg_jw_member_str(&r->w, "kind", drg_str_c(drg_kind_name((enum drg_kind)(group % 256))));
		drg_jw_member_str(&r->w, "reason",
		                  drg_str_c(drg_curate_reason((unsigned)(group / 256 % 256))));
		facets_number(r, "cases", facet_of(f, i));
		drg_jw_object_end(&r->w);
	}
	drg_jw_array_end(&r->w);
}

struct facet_place {
	int64_t id, n;
};

static int facet_by_count(const void *pa, const void *pb)
{
	const struct facet_place *a = pa, *b = pb;
	if (a->n != b->n)
		return a->n > b->n ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* The places with the most cases. */
static int facets_places(struct drg_reading *r, const char *name, enum drg_kind kind, const struct facet *f)
{
	struct drg_lang_pref pref = drg_reading_langs(r);
	struct facet_place *v = calloc(f->values.n + 1, sizeof *v);
	if (v == NULL)
		return DRG_ENOMEM;
	for (size_t i = 0; i < f->values.n; i++)
		v[i] = (struct facet_place){ f->values.values[i], facet_of(f, i) };
	qsort(v, f->values.n, sizeof *v, facet_by_count);
	drg_jw_member_array(&r->w, name);
	for (size_t i = 0; i < f->values.n && i < FACET_PLACES_MAX; i++) {
		drg_jw_object(&r->w);
		drg_curate_dict_members(r, kind, v[i].id, &pref);
		facets_number(r, "cases", v[i].n);
		drg_jw_object_end(&r->w);
	}
	drg_jw_array_end(&r->w);
	free(v);
	return DRG_OK;
}

static void facets_likely(struct drg_reading *r, const struct facets *f)
{
	drg_jw_member_array(&r->w, "probabilities");
	for (size_t k = 0; k < DRG_ARRAY_LEN(bounds); k++) {
		drg_jw_object(&r->w);
		drg_jw_member_real(&r->w, "above", (double)(int)(bounds[k] * 100 + 0.5F) / 100);
		facets_number(r, "cases", (int64_t)f->likely[k]);
		drg_jw_object_end(&r->w);
	}
	drg_jw_array_end(&r->w);
}

static int facets_write(struct drg_reading *r, void *request)
{
	struct facets f = { .total = 0 };
	struct facet *const all[] = { &f.groups, &f.countries, &f.cities };
	for (size_t i = 0; i < DRG_ARRAY_LEN(all); i++)
		drg_buf_init(&all[i]->counts, SIZE_MAX);
	int rc = facets_read(r, request, &f);
	r->mixed = true;
	drg_data_begin(&r->w);
	drg_jw_object(&r->w);
	facets_number(r, "total", (int64_t)f.total);
	facets_number(r, "without", (int64_t)f.without);
	facets_likely(r, &f);
	if (rc == DRG_OK) {
		facets_groups(r, &f.groups);
		rc = facets_places(r, "countries", DRG_KIND_COUNTRY, &f.countries);
	}
	if (rc == DRG_OK)
		rc = facets_places(r, "cities", DRG_KIND_CITY, &f.cities);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	for (size_t i = 0; i < DRG_ARRAY_LEN(all); i++) {
		drg_numbers_done(&all[i]->values);
		drg_buf_done(&all[i]->counts);
	}
	return rc;
}

static int facets_answer(struct drg_exchange *x)
{
	struct facets_request *q = drg_exchange_data(x);
	if (q->wait.rc != DRG_OK) {
		*drg_exchange_err(x) = q->wait.err;
		return q->wait.rc;
	}
	drg_exchange_add_header(x, "Cache-Control", "no-store");
	return drg_exchange_has(x, "adapter_id")
	               ? drg_reading_run_adapter(x, q->filter.adapter, facets_write, q)
	               : drg_reading_run(x, facets_write, q);
}

static int facets(struct drg_exchange *x)
{
	struct facets_request *q = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *q);
	if (q == NULL)
		return DRG_ENOMEM;
	int rc = drg_case_filter_read(x, &q->filter);
	if (rc != DRG_OK)
		return rc;
	drg_exchange_set_data(x, q);
	return drg_case_await(x, &q->wait, facets_answer);
}

static const struct drg_param facets_params[] = {
	DRG_PARAM_CASE_FILTER,
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_curate_facets[] = {
	{ .method = DRG_GET,
	  .path = "/v1/curate/facets",
	  .name = "curateFacets",
	  .handler = facets,
	  .auth = DRG_AUTH_VIEWER,
	  .params = facets_params,
	  .summary = "How many cases wait, by supplier, kind, reason, country and probability",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter) },
	{ 0 },
};
