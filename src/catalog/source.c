#include "catalog/source_priv.h"

#include <assert.h>
#include <stddef.h>

#include "base/checksum.h"
#include "catalog/hash_priv.h"
#include "catalog/quoted_priv.h"
#include "text/json.h"

/* Members that many sources of a supplier share, as JSON in one interned fragment:
 * ,"category_id":"5","category_title":"HV-1/5*" */
struct fragment_part {
	unsigned n;
	struct {
		struct drg_str key; /* ,"category_id": */
		enum drg_field field;
	} member[2];
};
struct fragment_layout {
	unsigned n;
	struct fragment_part part[DRG_SHARED_MAX];
};

/* clang-format off */
#define MEMBER(name, FIELD) { { ",\"" name "\":", sizeof(",\"" name "\":") - 1 }, DRG_F_##FIELD }

/* The shared fragments of each kind. */
static const struct fragment_layout shared[DRG_KIND_COUNT] = {
	[DRG_KIND_CURRENCY] = { 1, { { 1, { MEMBER("iso_code", ISO_CODE) } } } },
	[DRG_KIND_HOTEL] = { 3, {
		{ 2, { MEMBER("category_id", SRC_CATEGORY_ID), MEMBER("category_title", CATEGORY_NAME) } },
		{ 2, { MEMBER("country_id", SRC_COUNTRY_ID), MEMBER("country_title", COUNTRY_NAME) } },
		{ 2, { MEMBER("city_id", SRC_CITY_ID), MEMBER("city_title", CITY_NAME) } },
	} },
};
/* clang-format on */

uint64_t drg_source_layout(uint64_t hash)
{
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		for (unsigned p = 0; p < shared[k].n; p++)
			for (unsigned m = 0; m < shared[k].part[p].n; m++) {
				struct drg_str key = shared[k].part[p].member[m].key;
				hash = drg_checksum(key.p, key.n, hash ^ k);
			}
	return hash;
}

/* ---- in ------------------------------------------------------------------------------------------------- */

static size_t source_size_of(const struct drg_source_rec *rec)
{
	return offsetof(struct drg_source_rec, text) + rec->id_n + rec->name_n;
}

static void source_add_value(struct drg_buf *b, struct drg_str key, struct drg_str value)
{
	drg_buf_str(b, key);
	if (value.p != NULL)
		drg_json_string(b, value);
	else
		drg_buf_lit(b, "null");
}

static int read_shared(struct drg_catalog *c, const struct drg_record *r, enum drg_kind kind, drg_ref *ret,
                       struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (unsigned i = 0; i < shared[kind].n && rc == DRG_OK; i++) {
		const struct fragment_part *part = &shared[kind].part[i];
		struct drg_buf b = drg_fragment_begin(&c->fragments);
		for (unsigned m = 0; m < part->n; m++)
			source_add_value(&b, part->member[m].key, drg_record_s(r, part->member[m].field));
		rc = drg_fragment_intern(&c->fragments, &b, &ret[i], reterr);
	}
	return rc;
}

/* Build the record at the top of the heap. The heap keeps it only when it is taken. */
static int source_build(struct drg_catalog *c, const struct drg_record *r, const struct drg_source_key *k,
                        struct drg_source_rec **ret, struct drg_err *reterr)
{
	assert(k->adapter < DRG_ADAPTERS_MAX && drg_kind_is_source(k->kind));
	struct drg_source_rec s = { .adapter = (uint16_t)k->adapter, .kind = (uint8_t)k->kind };
	int rc = read_shared(c, r, k->kind, s.shared, reterr);
	if (rc == DRG_OK && drg_record_has(r, DRG_F_DICT_ID))
		rc = drg_handle_make(&c->handles, k->kind, r->v[DRG_F_DICT_ID].i, &s.dict, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_link_prefetch(c, s.adapter, s.dict);

	struct drg_buf b = drg_heap_top(&c->heap);
	size_t text_at = offsetof(struct drg_source_rec, text);
	if (drg_buf_reserve(&b, text_at))
		b.n = text_at;
	drg_buf_str(&b, k->id);
	drg_json_escape(&b, drg_record_s(r, DRG_F_NAME));
	if (b.rc != DRG_OK)
		return drg_heap_full(&c->heap, reterr);
	size_t name_n = b.n - text_at - k->id.n;
	if (k->id.n > UINT16_MAX || name_n > UINT16_MAX)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(too_long), "name",
		                "id or name is longer than %d bytes", UINT16_MAX);
	s.id_n = (uint16_t)k->id.n;
	s.name_n = (uint16_t)name_n;
	s.flags = (drg_record_i(r, DRG_F_IS_RESORT, 0) != 0 ? DRG_SOURCE_RESORT : 0) |
	          (drg_json_needs_escape(k->id) ? DRG_SOURCE_ID_ESCAPES : 0);
	*ret = memcpy(b.p, &s, text_at);
	assert(source_size_of(*ret) == b.n);
	return DRG_OK;
}

/* Are the records equal apart from their links? */
static bool source_same(const struct drg_source_rec *a, const struct drg_source_rec *b)
{
	size_t from = offsetof(struct drg_source_rec, dict);
	return source_size_of(a) == source_size_of(b) &&
	       memcmp((const char *)a + from, (const char *)b + from, source_size_of(a) - from) == 0;
}

/* Update the chains when @p rec replaces @p old; either may be NULL. */
static void link(struct drg_catalog *c, struct drg_source_rec *old, struct drg_source_rec *rec)
{
	assert(old == NULL || rec == NULL || (old->kind == rec->kind && old->adapter == rec->adapter));
	drg_handle from = old != NULL ? old->dict : DRG_NO_HANDLE,
	           to = rec != NULL ? rec->dict : DRG_NO_HANDLE;
	bool changed = false;
	if (from == to) {
		if (to != DRG_NO_HANDLE)
			drg_link_replace(c, old, rec);
		return;
	}
	if (from != DRG_NO_HANDLE)
		changed = drg_link_remove(c, old);
	if (to != DRG_NO_HANDLE)
		changed |= drg_link_add(c, rec);
	/* A hotel is listed if an operator has it (decision R2). */
	if (changed && (old != NULL ? old : rec)->kind == DRG_KIND_HOTEL)
		c->list_changed = true;
}

/* Replace @p old by @p rec; either may be NULL. */
static void replace(struct drg_catalog *c, const struct drg_probe *at, struct drg_source_rec *old,
                    struct drg_source_rec *rec)
{
	drg_ref ref = rec != NULL ? drg_heap_take(&c->heap, source_size_of(rec)) : DRG_NO_REF;
	link(c, old, rec);
	if (old == NULL && rec != NULL)
		drg_table_insert(&c->by_id, at->tag, ref);
	else if (rec != NULL)
		drg_table_replace(&c->by_id, at, ref);
	else if (old != NULL)
		drg_table_remove(&c->by_id, at);
	if (old != NULL)
		drg_heap_add_dead(&c->heap, source_size_of(old));
	const struct drg_source_rec *either = old != NULL ? old : rec;
	if (either != NULL)
		drg_count(&c->n_sources[either->kind], (rec != NULL) - (old != NULL));
}

int drg_source_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr)
{
	assert(r->type->id == DRG_TYPE_SOURCE);
	struct drg_source_key k = { .kind = drg_record_kind(r), .id = r->v[DRG_F_SOURCE_ID].s };
	assert(drg_kind_is_source(k.kind));
	if (r->deleted && !drg_adapter_find(c, r->v[DRG_F_ADAPTER_ID].i, &k.adapter))
		return DRG_OK;
	int rc = drg_adapter_index(c, r->v[DRG_F_ADAPTER_ID].i, &k.adapter, reterr);
	if (rc == DRG_OK)
		rc = drg_table_reserve(&c->by_id, reterr);
	if (rc == DRG_OK)
		rc = drg_table_reserve(&c->by_dict, reterr);
	if (rc != DRG_OK)
		return rc;

	/* Prefetch while the texts are read: nearly every look-up of a fresh load is a cache miss. */
	struct drg_probe at = drg_source_probe(c, &k);
	drg_probe_prefetch(&at);
	struct drg_source_rec *rec = NULL;
	if (!r->deleted) {
		if (drg_record_has(r, DRG_F_DICT_ID))
			drg_handle_prefetch(&c->handles, k.kind, r->v[DRG_F_DICT_ID].i);
		rc = source_build(c, r, &k, &rec, reterr);
	}
	if (rc != DRG_OK)
		return rc;
	struct drg_source_rec *old = drg_source_rec_own(c, drg_source_match(c, &k, &at));
	if (old == NULL || rec == NULL || !source_same(old, rec))
		replace(c, &at, old, rec);
	return DRG_OK;
}

/* ---- out ------------------------------------------------------------------------------------------------ */

/* Cut the code out of ,"iso_code":"EUR" or ,"iso_code":null. */
static struct drg_str iso_code_of(const struct drg_catalog *c, const struct drg_source_rec *rec)
{
	struct drg_str text = drg_fragment_text(&c->heap, rec->shared[0]), code;
	size_t key = shared[DRG_KIND_CURRENCY].part[0].member[0].key.n;
	assert(text.n > key);
	text = drg_str(text.p + key, text.n - key);
	return drg_quoted_next(&text, &code) ? code : drg_str(NULL, 0);
}

void drg_source_fill(const struct drg_catalog *c, const struct drg_source_rec *rec, struct drg_source *ret)
{
	*ret = (struct drg_source){
		.rec = rec,
		.kind = (enum drg_kind)rec->kind,
		.adapter_index = rec->adapter,
		.id = drg_str(rec->text, rec->id_n),
		.name_esc = drg_str(rec->text + rec->id_n, rec->name_n),
		.is_resort = (rec->flags & DRG_SOURCE_RESORT) != 0,
		.dict = rec->dict,
	};
	if (rec->kind == DRG_KIND_CURRENCY)
		ret->iso_code_esc = iso_code_of(c, rec);
}

bool drg_catalog_source(const struct drg_catalog *c, const struct drg_adapter *a, enum drg_kind kind,
                        struct drg_str id, struct drg_source *ret)
{
	struct drg_source_key k = { a->index, kind, id };
	struct drg_probe at = drg_source_probe(c, &k);
	const struct drg_source_rec *rec = drg_source_rec_at(c, drg_source_match(c, &k, &at));
	if (rec != NULL)
		drg_source_fill(c, rec, ret);
	return rec != NULL;
}

/* ---- back ----------------------------------------------------------------------------------------------- */

/* Read the member at the beginning of a shared fragment into the record. */
static int unshare_one(struct drg_str *rest, struct drg_str key, enum drg_field f, struct drg_arena *arena,
                       struct drg_record *r)
{
	struct drg_str text;
	assert(rest->n > key.n); /* the fragment was put together from the same keys */
	*rest = drg_str(rest->p + key.n, rest->n - key.n);
	if (rest->p[0] == 'n') {
		*rest = drg_str(rest->p + 4, rest->n - 4); /* null */
		return DRG_OK;
	}
	drg_quoted_next(rest, &text);
	int rc = drg_unescape(text, arena, &text);
	if (rc == DRG_OK)
		drg_record_set_s(r, f, text);
	return rc;
}

static int unshare_all(const struct drg_catalog *c, const struct drg_source_rec *rec, struct drg_arena *arena,
                       struct drg_record *r)
{
	int rc = DRG_OK;
	for (unsigned i = 0; i < shared[rec->kind].n; i++) {
		const struct fragment_part *part = &shared[rec->kind].part[i];
		struct drg_str rest = drg_fragment_text(&c->heap, rec->shared[i]);
		for (unsigned m = 0; m < part->n && rc == DRG_OK; m++)
			rc = unshare_one(&rest, part->member[m].key, part->member[m].field, arena, r);
	}
	return rc;
}

int drg_source_record(const struct drg_catalog *c, const struct drg_source *s, struct drg_arena *arena,
                      struct drg_record *ret)
{
	const uint32_t *adapter_ids;
	struct drg_str name;
	if (drg_unescape(s->name_esc, arena, &name) != DRG_OK)
		return DRG_ENOMEM;
	size_t n_adapters = drg_vec_view(&c->adapter_ids, &adapter_ids);
	assert(s->adapter_index < n_adapters);
	(void)n_adapters;
	drg_record_init(ret, &drg_types[DRG_TYPE_SOURCE]);
	drg_record_set_i(ret, DRG_F_ADAPTER_ID, adapter_ids[s->adapter_index]);
	drg_record_set_i(ret, DRG_F_KIND, s->kind);
	drg_record_set_s(ret, DRG_F_SOURCE_ID, s->id);
	drg_record_set_s(ret, DRG_F_NAME, name);
	if (s->dict != DRG_NO_HANDLE)
		drg_record_set_i(ret, DRG_F_DICT_ID, c->handles.slot[s->dict].id);
	if (s->kind == DRG_KIND_CITY)
		drg_record_set_i(ret, DRG_F_IS_RESORT, s->is_resort);
	return unshare_all(c, s->rec, arena, ret);
}
