/* Queries in a batch: what they ask is read and folded first, then they are answered, some in each read
 * section. */
#include <math.h>
#include <stdlib.h>

#include "api/reconcile/answering.h"

enum { QUERIES_MAX = 1000, VALUES_MAX = 8, LIMIT = 10 };
enum { QUERY_SLICE = 16 }; /* queries of a read section: a few milliseconds */

/** A value of a property that names records. */
struct query_value {
	struct drg_str folded;
	bool by_id;
	int64_t id;
};

struct query {
	struct drg_str key;
	struct drg_recon_query q; /* without country, city and category */
	struct query_values {
		unsigned n;
		struct query_value *v;
	} named[DRG_RECON_PROPERTIES];
};

struct query_batch {
	struct drg_str text; /* JSON */
	size_t n, done;
	struct query *v;
};

/* ---- reading ------------------------------------------------------------------------------------------- */

static int query_bad(struct drg_exchange *x, const struct drg_reason *reason, struct drg_str key,
                     const char *expected)
{
	return drg_fail(drg_exchange_err(x), DRG_EINVAL, reason, "queries", "queries: in \"%.*s\" %s",
	                (int)(key.n < 100 ? key.n : 100), key.p, expected);
}

static int query_types(struct drg_exchange *x, struct query *q, const struct drg_json_item *type)
{
	static const char *const names[] = { "id" };
	const struct drg_json_item *v;
	size_t n;
	int rc = drg_json_items(type, drg_exchange_arena(x), &v, &n);
	q->q.types = rc == DRG_OK && n > 0 ? 0 : DRG_RECON_ALL;
	for (size_t i = 0; rc == DRG_OK && i < n; i++) {
		struct drg_json_item id = v[i];
		if (id.type == DRG_JSON_OBJECT)
			rc = drg_json_find_members(&v[i], drg_exchange_arena(x), names, 1, &id);
		if (rc == DRG_OK && id.type != DRG_JSON_STRING)
			return query_bad(x, DRG_R(wrong_type), q->key, "type: expected the id of a type");
		unsigned t = drg_recon_type_by_id(drg_recon_text(&id));
		q->q.types |= t < DRG_RECON_TYPES ? 1U << t : 0;
	}
	return rc;
}

/* A number, or a text of one. */
static double query_number(const struct drg_json_item *v)
{
	char text[40];
	if (v->type == DRG_JSON_INT)
		return (double)v->i;
	if (v->type == DRG_JSON_REAL)
		return v->d;
	struct drg_str s = drg_str_trim(drg_recon_text(v));
	if (s.n == 0 || s.n >= sizeof text)
		return NAN;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	char *end;
	double d = strtod(text, &end);
	return *end == '\0' && isfinite(d) ? d : NAN;
}

/* The id of a record that the property can have: city 44 is another than airport city 44. */
static bool query_is_id(unsigned p, struct drg_str text, int64_t *ret)
{
	unsigned type;
	return drg_recon_id_read(text, &type, ret) && type == (unsigned)drg_recon_properties[p].value;
}

/* Read a text; one without a letter or a number ("", "?", "-") is skipped. */
static int query_value_text(struct drg_exchange *x, unsigned p, struct drg_str text, struct query_values *to)
{
	struct query_value *v = &to->v[to->n];
	v->by_id = query_is_id(p, text, &v->id);
	int rc = drg_recon_fold(x, text, &v->folded);
	to->n += rc == DRG_OK && (v->by_id || v->folded.n > 0);
	return rc;
}

/* One value of a property: a text, a number, or a record by its id or name. */
static int query_value(struct drg_exchange *x, struct query *q, unsigned p, const struct drg_json_item *v)
{
	enum { ID, NAME, N };
	static const char *const names[] = { "id", "name" };
	struct query_values *to = &q->named[p];
	struct drg_json_item in[N];
	int64_t unused;
	int rc = drg_json_find_members(v, drg_exchange_arena(x), names, N, in);
	if (rc != DRG_OK)
		return rc;
	bool by_id = query_is_id(p, drg_recon_text(&in[ID]), &unused);
	const struct drg_json_item *said = by_id || in[NAME].type != DRG_JSON_STRING ? &in[ID] : &in[NAME];
	char number[DRG_I64_TEXT];
	if (said->type != DRG_JSON_STRING)
		said = v;
	if (p == DRG_RECON_LAT)
		q->q.lat = query_number(v);
	if (p == DRG_RECON_LNG)
		q->q.lng = query_number(v);
	if (p == DRG_RECON_CODE && said->type == DRG_JSON_STRING)
		return drg_recon_fold(x, said->s, &q->q.code);
	if (drg_recon_properties[p].value == DRG_RECON_TYPES || to->n == VALUES_MAX)
		return DRG_OK;
	if (to->v == NULL)
		to->v = drg_arena_calloc(drg_exchange_arena(x), VALUES_MAX, sizeof *to->v);
	if (to->v == NULL)
		return DRG_ENOMEM;
	if (said->type == DRG_JSON_STRING)
		return query_value_text(x, p, said->s, to);
	if (said->type == DRG_JSON_INT)
		return query_value_text(x, p, drg_str(number, drg_i64_text(said->i, number)), to);
	return DRG_OK;
}

static int query_property(struct drg_exchange *x, struct query *q, const struct drg_json_item *property)
{
	enum { PID, V, N };
	static const char *const names[] = { "pid", "v" };
	struct drg_json_item in[N];
	const struct drg_json_item *v;
	size_t n;
	int rc = drg_json_find_members(property, drg_exchange_arena(x), names, N, in);
	if (rc == DRG_OK && in[PID].type != DRG_JSON_STRING)
		return query_bad(x, DRG_R(wrong_type), q->key, "a property has no pid");
	unsigned p = drg_recon_property_by_id(drg_recon_text(&in[PID]));
	if (rc != DRG_OK || p == DRG_RECON_PROPERTIES || !drg_recon_properties[p].asked)
		return rc; /* of no use here */
	rc = drg_json_items(&in[V], drg_exchange_arena(x), &v, &n);
	for (size_t i = 0; rc == DRG_OK && i < n; i++)
		rc = query_value(x, q, p, &v[i]);
	return rc;
}

static int query_properties(struct drg_exchange *x, struct query *q, const struct drg_json_item *properties)
{
	const struct drg_json_item *property;
	size_t n;
	if (properties->type != DRG_JSON_ARRAY && properties->type != DRG_JSON_NULL)
		return query_bad(x, DRG_R(wrong_type), q->key, "properties: expected an array");
	int rc = drg_json_items(properties, drg_exchange_arena(x), &property, &n);
	for (size_t i = 0; rc == DRG_OK && i < n; i++)
		rc = query_property(x, q, &property[i]);
	if (!(fabs(q->q.lat) <= 90 && fabs(q->q.lng) <= 180))
		q->q.lat = q->q.lng = NAN;
	return rc;
}

static int query_limit(struct drg_exchange *x, struct query *q, const struct drg_json_item *limit)
{
	q->q.limit = LIMIT;
	if (limit->type == DRG_JSON_NULL)
		return DRG_OK;
	if (limit->type != DRG_JSON_INT || limit->i < 1)
		return query_bad(x, DRG_R(out_of_range), q->key, "limit: expected 1 or more");
	q->q.limit = limit->i < DRG_RECON_LIMIT_MAX ? (unsigned)limit->i : DRG_RECON_LIMIT_MAX;
	return DRG_OK;
}

static int query_read(struct drg_exchange *x, struct query *q, const struct drg_json_item *v)
{
	enum { QUERY, TYPE, LIMITED, PROPERTIES, N };
	static const char *const names[] = { "query", "type", "limit", "properties" };
	struct drg_json_item in[N];
	int rc = drg_json_find_members(v, drg_exchange_arena(x), names, N, in);
	q->q.lat = q->q.lng = NAN;
	if (rc != DRG_OK)
		return rc;
	if (v->type != DRG_JSON_OBJECT ||
	    (in[QUERY].type != DRG_JSON_STRING && in[QUERY].type != DRG_JSON_NULL))
		return query_bad(x, DRG_R(wrong_type), q->key, "expected an object with the text \"query\"");
	struct drg_str text = drg_recon_text(&in[QUERY]);
	q->q.by_id = drg_recon_id_read(drg_str_trim(text), &q->q.id_type, &q->q.id);
	rc = drg_recon_fold(x, text, &q->q.text);
	if (rc == DRG_OK)
		rc = query_types(x, q, &in[TYPE]);
	if (rc == DRG_OK)
		rc = query_limit(x, q, &in[LIMITED]);
	return rc == DRG_OK ? query_properties(x, q, &in[PROPERTIES]) : rc;
}

static int batch_read(struct drg_exchange *x, void *batch)
{
	struct query_batch *b = batch;
	struct drg_arena *arena = drg_exchange_arena(x);
	struct drg_json_item all, v;
	struct drg_json_walk w;
	struct drg_str key;
	size_t n = 0;
	int rc = drg_recon_json(x, "queries", b->text, &all);
	if (rc != DRG_OK)
		return rc;
	drg_json_walk_init(&w, &all, arena);
	while ((rc = drg_json_walk_next(&w, &key, &v)) == DRG_OK)
		n++;
	if (n > QUERIES_MAX)
		return drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(too_many_elements), "queries",
		                "queries: %d at most, found %zu", QUERIES_MAX, n);
	b->v = rc == DRG_ENOENT ? drg_arena_calloc(arena, n, sizeof *b->v) : NULL;
	if (b->v == NULL)
		return DRG_ENOMEM;
	drg_json_walk_init(&w, &all, arena);
	while ((rc = drg_json_walk_next(&w, &key, &v)) == DRG_OK) {
		b->v[b->n].key = key;
		rc = query_read(x, &b->v[b->n++], &v);
		if (rc != DRG_OK)
			return rc;
	}
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* ---- answering ----------------------------------------------------------------------------------------- */

/* An id stands for the record that it was merged into (M19), which the index may not have seen yet (O2). */
static void query_add_id(const struct drg_catalog *cat, unsigned type, int64_t id, struct drg_recon_ids *ret)
{
	int64_t lives = drg_catalog_resolve(cat, (enum drg_kind)type, id);
	if (ret->n < DRG_RECON_IDS)
		ret->v[ret->n++] = id;
	if (lives != id && ret->n < DRG_RECON_IDS)
		ret->v[ret->n++] = lives;
}

static void query_resolve(const struct drg_recon_reading *g, const struct query_values *from, unsigned type,
                          const struct drg_recon_ids *countries, struct drg_recon_ids *ret)
{
	ret->n = 0;
	ret->given = from->n > 0;
	for (unsigned i = 0; i < from->n; i++) {
		const struct query_value *v = &from->v[i];
		if (v->by_id)
			query_add_id(g->r->cat, type, v->id, ret);
		else
			drg_recon_named(g->index, type, v->folded, countries, ret);
	}
}

static void query_resolve_all(const struct drg_recon_reading *g, struct query *q)
{
	static const struct drg_recon_ids nowhere;
	struct drg_recon_entity e;
	query_resolve(g, &q->named[DRG_RECON_COUNTRY], DRG_KIND_COUNTRY, &nowhere, &q->q.country);
	query_resolve(g, &q->named[DRG_RECON_CITY], DRG_KIND_CITY, &q->q.country, &q->q.city);
	query_resolve(g, &q->named[DRG_RECON_CATEGORY], DRG_KIND_HOTEL_CATEGORY, &nowhere, &q->q.category);
	if (q->q.by_id && drg_recon_entity_find(g, q->q.id_type, q->q.id, &e))
		q->q.id = e.id;
}

static void query_feature(struct drg_jw *w, const char *id, double value)
{
	drg_jw_object(w);
	drg_jw_member_str(w, "id", drg_str_c(id));
	drg_jw_member_real(w, "value", value);
	drg_jw_object_end(w);
}

static void query_flag(struct drg_jw *w, const char *id, int said)
{
	if (said == DRG_RECON_NOT_SAID)
		return;
	drg_jw_object(w);
	drg_jw_member_str(w, "id", drg_str_c(id));
	drg_jw_member_bool(w, "value", said == DRG_RECON_SAME);
	drg_jw_object_end(w);
}

static void query_features(struct drg_jw *w, const struct drg_recon_found *f)
{
	drg_jw_member_array(w, "features");
	query_feature(w, "name", round((double)f->name * 1000) / 1000);
	if (!isnan(f->metres))
		query_feature(w, "metres", round((double)f->metres));
	query_flag(w, "id", f->id ? DRG_RECON_SAME : DRG_RECON_NOT_SAID);
	query_flag(w, "country", f->country);
	query_flag(w, "city", f->city);
	query_flag(w, "category", f->category);
	query_flag(w, "code", f->code);
	drg_jw_array_end(w);
}

/* Write a candidate. A record that was removed, or merged into another, is skipped: the other has its own
 * place. */
static void query_candidate(struct drg_recon_reading *g, const struct drg_recon_found *f, bool sure)
{
	struct drg_recon_entity e;
	struct drg_jw *w = &g->r->w;
	if (!drg_recon_entity_find(g, f->record->kind, f->record->id, &e) || e.id != f->record->id)
		return;
	drg_jw_object(w);
	drg_recon_entity_members(g, &e);
	drg_jw_member_real(w, "score", round((double)f->score * 10) / 10);
	drg_jw_member_bool(w, "match", sure);
	drg_jw_member_array(w, "type");
	drg_recon_named_json(w, drg_recon_types[e.type].id, drg_recon_types[e.type].name);
	drg_jw_array_end(w);
	query_features(w, f);
	drg_jw_object_end(w);
}

static void query_answer(struct drg_recon_reading *g, struct query *q, struct drg_recon_scratch *scratch)
{
	struct drg_recon_found found[DRG_RECON_LIMIT_MAX];
	struct drg_jw *w = &g->r->w;
	bool sure;
	query_resolve_all(g, q);
	unsigned n = drg_recon_find(g->index, &q->q, scratch, found, &sure);
	drg_jw_key_str(w, q->key);
	drg_jw_object(w);
	drg_jw_member_array(w, "result");
	for (unsigned i = 0; i < n; i++)
		query_candidate(g, &found[i], sure && i == 0);
	drg_jw_array_end(w);
	drg_jw_object_end(w);
}

static int batch_write(struct drg_recon_reading *g, void *batch)
{
	struct query_batch *b = batch;
	struct drg_recon_scratch *scratch = drg_recon_scratch_new();
	if (scratch == NULL)
		return DRG_ENOMEM;
	if (b->done == 0)
		drg_jw_object(&g->r->w);
	for (unsigned i = 0; i < QUERY_SLICE && b->done < b->n; i++)
		query_answer(g, &b->v[b->done++], scratch);
	free(scratch);
	if (b->done < b->n)
		return DRG_RECON_MORE;
	drg_jw_object_end(&g->r->w);
	return DRG_OK;
}

int drg_recon_answer_queries(struct drg_exchange *x, struct drg_str queries)
{
	struct query_batch *b = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *b);
	if (b == NULL)
		return DRG_ENOMEM;
	b->text = queries;
	return drg_recon_work(x, batch_read, batch_write, b);
}
