/* avia/detail: air places by source_id, with what each air supplier says of them (spec 4.3; decision A4). */
#include "api/air_json.h"
#include "api/reading.h"
#include "api/tables.h"
#include "base/bound.h"
#include "http/params.h"

/* Decision A4. */
enum { IDS_MAX = 1000 };

/* ---- the ids asked for --------------------------------------------------------------------------------- */

struct ids {
	struct drg_err *err;
	int64_t v[IDS_MAX];
	size_t n;
};

static int add_id(struct ids *ids, struct drg_str text)
{
	int64_t id;
	if (!drg_str_to_i64(text, &id))
		return drg_params_fail_int(ids->err, "source_id", text);
	if (ids->n == IDS_MAX)
		return drg_fail(ids->err, DRG_EINVAL, DRG_R(too_many_ids), "source_id",
		                "source_id: at most %d ids are answered per request", IDS_MAX);
	ids->v[ids->n++] = id;
	return DRG_OK;
}

/* "2,5" or "2": both forms of the parameter, and any mixture of them. */
static int avia_detail_add_value(void *ctx, struct drg_str name, struct drg_str value)
{
	(void)name;
	struct drg_str part;
	int rc = DRG_OK;
	while (rc == DRG_OK && drg_str_split(&value, ',', &part)) {
		part = drg_str_trim(part);
		if (part.n > 0)
			rc = add_id(ctx, part);
	}
	return rc;
}

static int avia_detail_read_ids(struct drg_exchange *x, struct ids *ids)
{
	int rc = drg_exchange_each(x, "source_id", avia_detail_add_value, ids);
	if (rc == DRG_OK && ids->n == 0)
		rc = drg_fail(
		        ids->err, DRG_EINVAL, DRG_R(missing_field), "source_id",
		        "source_id is required: one or several, with commas between them, in the query");
	return rc == DRG_OK ? drg_ids_unique(ids->v, &ids->n, drg_exchange_arena(x)) : rc;
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

struct avia_detail_answer {
	struct drg_reading *r;
	const struct drg_adapter *adapters; /* all there are */
	size_t n_adapters;
	bool *occurs; /* of each */
	struct drg_air_place *places;
	size_t n_places;
};

/* The position of an adapter for air among all; n_adapters: there is none of that id. */
static size_t position(const struct avia_detail_answer *a, int64_t id)
{
	size_t at;
	DRG_BOUND(at, a->n_adapters, i, a->adapters[i].id < id);
	bool found = at < a->n_adapters && a->adapters[at].id == id &&
	             a->adapters[at].domain == DRG_DOMAIN_AIR && drg_api_can_read(a->r->x, id);
	return found ? at : a->n_adapters;
}

static int find_places(struct avia_detail_answer *a, const struct ids *ids, struct drg_arena *arena)
{
	const struct drg_air_data *data;
	a->n_adapters = drg_catalog_adapters(a->r->cat, &a->adapters);
	a->occurs = drg_arena_calloc(arena, a->n_adapters + 1, sizeof *a->occurs);
	a->places = drg_arena_alloc(arena, ids->n * sizeof *a->places);
	if (a->occurs == NULL || a->places == NULL)
		return DRG_ENOMEM;
	for (size_t i = 0; i < ids->n; i++) {
		if (!drg_air_find(a->r->cat, ids->v[i], &a->places[a->n_places]))
			continue;
		a->n_places++;
		for (size_t n = drg_air_data(a->r->cat, ids->v[i], &data); n > 0; n--, data++)
			a->occurs[position(a, data->adapter)] = true;
	}
	return DRG_OK;
}

static void avia_detail_write_adapters(struct avia_detail_answer *a)
{
	for (size_t i = 0; i < a->n_adapters; i++) {
		char key[DRG_I64_TEXT];
		if (!a->occurs[i])
			continue;
		drg_jw_key_escaped(&a->r->w, drg_str(key, drg_i64_text(a->adapters[i].id, key)));
		drg_adapter_json(&a->r->w, &a->adapters[i], "title");
	}
}

static void avia_detail_write_data(struct avia_detail_answer *a, int64_t place)
{
	const struct drg_air_data *data;
	for (size_t n = drg_air_data(a->r->cat, place, &data); n > 0; n--, data++) {
		if (position(a, data->adapter) == a->n_adapters)
			continue;
		drg_jw_object(&a->r->w);
		drg_jw_member_i64(&a->r->w, "adapter_id", data->adapter);
		drg_jw_member_raw(&a->r->w, "data", data->json);
		drg_jw_object_end(&a->r->w);
	}
}

static void write_places(struct avia_detail_answer *a)
{
	struct drg_lang_pref pref = drg_reading_langs(a->r);
	for (size_t i = 0; i < a->n_places; i++) {
		const struct drg_air_place *p = &a->places[i];
		char key[DRG_I64_TEXT];
		drg_jw_key_escaped(&a->r->w, drg_str(key, drg_i64_text(p->id, key)));
		drg_jw_object(&a->r->w);
		drg_air_members(&a->r->w, a->r->cat, p, &pref);
		drg_jw_member_array(&a->r->w, "adapters");
		avia_detail_write_data(a, p->id);
		drg_jw_array_end(&a->r->w);
		drg_jw_object_end(&a->r->w);
	}
}

static int avia_detail_write_answer(struct drg_reading *r, void *ids)
{
	struct avia_detail_answer a = { .r = r };
	int rc = find_places(&a, ids, drg_exchange_arena(r->x));
	if (rc != DRG_OK)
		return rc;
	drg_data_begin(&r->w);
	drg_jw_object(&r->w);
	drg_jw_member_object(&r->w, "adapters");
	avia_detail_write_adapters(&a);
	drg_jw_object_end(&r->w);
	drg_jw_member_object(&r->w, "items");
	write_places(&a);
	drg_jw_object_end(&r->w);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

static int detail(struct drg_exchange *x)
{
	struct ids ids = { .err = drg_exchange_err(x) };
	int rc = avia_detail_read_ids(x, &ids);
	return rc == DRG_OK ? drg_reading_run(x, avia_detail_write_answer, &ids) : rc;
}

static const struct drg_param avia_detail_params[] = {
	{ .name = "source_id",
	  .type = DRG_P_TEXT,
	  .required = true,
	  .repeated = true,
	  .doc = "air places: with commas between, or repeated",
	  .schema = "{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"format\":\"int64\"},"
	            "\"minItems\":1,\"maxItems\":1000}" },
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_avia_detail[] = {
	{ .method = DRG_GET,
	  .path = "/v1/avia/detail",
	  .name = "aviaDetail",
	  .handler = detail,
	  .auth = DRG_AUTH_KEY_B,
	  .cors = true,
	  .params = avia_detail_params,
	  .summary = "Air places with what each air supplier says of them" },
	{ 0 },
};
