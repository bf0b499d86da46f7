/* avia/detail: air places by source_id, with what each air supplier says of them (spec 4.3; decision A4). */
#include "api/avia.h"
#include "api/tables.h"
#include "query/translate.h"

/* Decision A4. */
enum { IDS_MAX = 1000 };

/* ---- the ids asked for ------------------------------------------------------------------------------------ */

struct ids {
	struct drg_err *err;
	int64_t v[IDS_MAX];
	size_t n;
};

static int add_id(struct ids *ids, struct drg_str text)
{
	int64_t id;
	if (!drg_str_to_i64(text, &id))
		return drg_fail(ids->err, DRG_EINVAL, "bad_integer", "source_id",
		                "source_id: expected integers, found \"%.*s\"",
		                (int)(text.n < 100 ? text.n : 100), text.p);
	if (ids->n == IDS_MAX)
		return drg_fail(ids->err, DRG_EINVAL, "too_many_ids", "source_id",
		                "source_id: at most %d ids are answered per request", IDS_MAX);
	ids->v[ids->n++] = id;
	return DRG_OK;
}

/* "2,5" or "2": both forms of the parameter, and any mixture of them. */
static int add_value(void *ctx, struct drg_str name, struct drg_str value)
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

static int read_ids(struct drg_exchange *x, struct ids *ids)
{
	int rc = drg_exchange_each(x, "source_id", add_value, ids);
	if (rc == DRG_OK && ids->n == 0)
		rc = drg_fail(ids->err, DRG_EINVAL, "missing_field", "source_id", "source_id is required");
	if (rc == DRG_OK && drg_ids_unique(ids->v, &ids->n, drg_exchange_arena(x)) != DRG_OK)
		rc = drg_fail(ids->err, DRG_ENOMEM, NULL, NULL, "out of memory");
	return rc;
}

/* ---- the answer ------------------------------------------------------------------------------------------- */

struct answer {
	const struct drg_catalog *cat;
	struct drg_lang_pref pref;
	const struct drg_adapter *adapters; /* all there are */
	size_t n_adapters;
	bool *occurs; /* of each */
	struct drg_air_place *places;
	size_t n_places;
	struct drg_jw w;
};

/* Where an adapter for air stands among all; n_adapters: there is none of that id. */
static size_t position(const struct answer *a, int64_t id)
{
	size_t low = 0, high = a->n_adapters;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (a->adapters[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	bool found =
	        low < a->n_adapters && a->adapters[low].id == id && a->adapters[low].domain == DRG_DOMAIN_AIR;
	return found ? low : a->n_adapters;
}

static int find_places(struct answer *a, const struct ids *ids, struct drg_arena *arena)
{
	const struct drg_air_data *data;
	a->n_adapters = drg_catalog_adapters(a->cat, &a->adapters);
	a->occurs = drg_arena_calloc(arena, a->n_adapters + 1, sizeof *a->occurs);
	a->places = drg_arena_alloc(arena, ids->n * sizeof *a->places);
	if (a->occurs == NULL || a->places == NULL)
		return DRG_ENOMEM;
	for (size_t i = 0; i < ids->n; i++) {
		if (!drg_air_find(a->cat, ids->v[i], &a->places[a->n_places]))
			continue;
		a->n_places++;
		for (size_t n = drg_air_data(a->cat, ids->v[i], &data); n > 0; n--, data++)
			a->occurs[position(a, data->adapter)] = true;
	}
	return DRG_OK;
}

static void write_adapters(struct answer *a)
{
	for (size_t i = 0; i < a->n_adapters; i++) {
		char key[DRG_I64_TEXT];
		if (!a->occurs[i])
			continue;
		drg_jw_key_escaped(&a->w, drg_str(key, drg_i64_text(a->adapters[i].id, key)));
		drg_avia_adapter(&a->w, &a->adapters[i]);
	}
}

static void write_data(struct answer *a, int64_t place)
{
	const struct drg_air_data *data;
	for (size_t n = drg_air_data(a->cat, place, &data); n > 0; n--, data++) {
		if (position(a, data->adapter) == a->n_adapters)
			continue;
		drg_jw_object(&a->w);
		drg_jw_key(&a->w, "adapter_id");
		drg_jw_i64(&a->w, data->adapter);
		drg_jw_key(&a->w, "data");
		drg_jw_raw(&a->w, data->json);
		drg_jw_object_end(&a->w);
	}
}

static void write_places(struct answer *a)
{
	for (size_t i = 0; i < a->n_places; i++) {
		const struct drg_air_place *p = &a->places[i];
		char key[DRG_I64_TEXT];
		drg_jw_key_escaped(&a->w, drg_str(key, drg_i64_text(p->id, key)));
		drg_jw_object(&a->w);
		drg_air_members(&a->w, a->cat, p, &a->pref);
		drg_jw_key(&a->w, "adapters");
		drg_jw_array(&a->w);
		write_data(a, p->id);
		drg_jw_array_end(&a->w);
		drg_jw_object_end(&a->w);
	}
}

static void write_answer(struct answer *a)
{
	drg_buf_lit(a->w.b, "{\"status\":\"success\",\"data\":");
	drg_jw_object(&a->w);
	drg_jw_key(&a->w, "adapters");
	drg_jw_object(&a->w);
	write_adapters(a);
	drg_jw_object_end(&a->w);
	drg_jw_key(&a->w, "items");
	drg_jw_object(&a->w);
	write_places(a);
	drg_jw_object_end(&a->w);
	drg_jw_object_end(&a->w);
	drg_buf_char(a->w.b, '}');
}

static int detail(struct drg_exchange *x)
{
	struct ids ids = { .err = drg_exchange_err(x) };
	struct answer a = { .w.b = drg_exchange_out(x) };
	int rc = read_ids(x, &ids);
	if (rc != DRG_OK)
		return rc;
	drg_read_lock();
	rc = drg_app_catalog(x, &a.cat);
	if (rc == DRG_OK)
		rc = find_places(&a, &ids, drg_exchange_arena(x));
	if (rc == DRG_OK) {
		a.pref = drg_catalog_langs(a.cat, drg_exchange_lang(x, "lang"));
		write_answer(&a);
	}
	drg_read_unlock();
	return rc;
}

static const struct drg_param params[] = {
	{ .name = "source_id",
	  .type = DRG_P_TEXT,
	  .required = true,
	  .repeated = true,
	  .doc = "air places: with commas between, or repeated" },
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_avia_detail[] = {
	{ .method = DRG_GET,
	  .path = "/v1/avia/detail",
	  .handler = detail,
	  .auth = DRG_AUTH_KEY_B,
	  .cors = true,
	  .params = params,
	  .summary = "Air places with what each air supplier says of them" },
	{ 0 },
};
