#include "catalog/dict_priv.h"

#include <assert.h>
#include <stddef.h>

#include "catalog/quoted_priv.h"

/* ---- in ------------------------------------------------------------------------------------------------- */

/* The texts of a record by language, while it is built. */
struct dict_texts {
	uint32_t n;
	struct {
		uint8_t lang;
		struct drg_str esc;
	} v[DRG_LANGS_MAX + 1];
};

/* Read names, a JSON object sorted by language, with their escapes. If the table of languages is full, one
 * name in a further language is kept as a fallback: odd data must not stop the feed. */
static int dict_read_texts(struct drg_catalog *c, struct drg_str json, struct dict_texts *ret,
                           struct drg_err *reterr)
{
	struct drg_str tag, esc;
	bool other = false;
	ret->n = 0;
	while (drg_quoted_next(&json, &tag)) {
		uint8_t lang = DRG_LANGS_OTHER;
		if (!drg_quoted_next(&json, &esc))
			return drg_fail(reterr, DRG_EINVAL, DRG_R(bad_value), "name",
			                "expected an object of texts by language");
		if (drg_langs_add(&c->langs, tag, &lang, NULL) != DRG_OK) {
			if (other)
				continue;
			other = true;
		}
		assert(ret->n < DRG_ARRAY_LEN(ret->v)); /* the model has each language once */
		ret->v[ret->n].lang = lang;
		ret->v[ret->n++].esc = esc;
	}
	return DRG_OK;
}

/* The references of a record and the members that keep their handles. */
static const struct reference {
	enum drg_field field;
	enum drg_kind kind;
	size_t at;
} references[] = {
	{ DRG_F_COUNTRY_ID, DRG_KIND_COUNTRY, offsetof(struct drg_dict_rec, country) },
	{ DRG_F_CITY_ID, DRG_KIND_CITY, offsetof(struct drg_dict_rec, city) },
	{ DRG_F_HOTEL_CATEGORY_ID, DRG_KIND_HOTEL_CATEGORY, offsetof(struct drg_dict_rec, category) },
	{ DRG_F_HOTEL_TYPE_ID, DRG_KIND_HOTEL_TYPE, offsetof(struct drg_dict_rec, hotel_type) },
};

static int read_references(struct drg_catalog *c, const struct drg_record *r, struct drg_dict_rec *d,
                           struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (size_t i = 0; i < DRG_ARRAY_LEN(references) && rc == DRG_OK; i++) {
		const struct reference *ref = &references[i];
		drg_handle h = DRG_NO_HANDLE;
		if (drg_record_has(r, ref->field))
			rc = drg_handle_make(&c->handles, ref->kind, drg_record_i(r, ref->field, 0), &h,
			                     reterr);
		memcpy((char *)d + ref->at, &h, sizeof h);
	}
	return rc;
}

/* Write the handles back as ids. */
static void write_references(const struct drg_catalog *c, const struct drg_dict_rec *d,
                             struct drg_record *ret)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(references); i++) {
		drg_handle h;
		memcpy(&h, (const char *)d + references[i].at, sizeof h);
		if (h != DRG_NO_HANDLE)
			drg_record_set_i(ret, references[i].field, c->handles.slot[h].id);
	}
}

static void append_texts(struct drg_buf *b, size_t text_at, uint32_t *entry, const struct dict_texts *t)
{
	for (uint32_t i = 0; i < t->n; i++) {
		drg_buf_str(b, t->v[i].esc);
		entry[i] = (uint32_t)t->v[i].lang << 24 | (uint32_t)(b->n - text_at);
	}
}

static size_t dict_size_of(const struct drg_dict_rec *d)
{
	unsigned n = (unsigned)d->n_names + d->n_descriptions;
	size_t text = n > 0 ? d->entry[n - 1] & 0xffffff : (size_t)d->id_n + d->code_n;
	return (size_t)(drg_dict_text(d) - (const char *)d) + text;
}

/* Build the record at the top of the heap. The heap keeps it only when it is taken. */
static int dict_build(struct drg_catalog *c, const struct drg_record *r, drg_handle h,
                      struct drg_dict_rec **ret, struct drg_err *reterr)
{
	assert(h != DRG_NO_HANDLE && h < atomic_load_explicit(&c->handles.n, memory_order_relaxed));
	const struct drg_handle_slot *slot = &c->handles.slot[h];
	struct drg_dict_rec d = { .id = slot->id, .handle = h, .kind = slot->kind };
	struct dict_texts names, descriptions;
	int rc = read_references(c, r, &d, reterr);
	if (rc == DRG_OK)
		rc = dict_read_texts(c, drg_record_s(r, DRG_F_NAMES), &names, reterr);
	if (rc == DRG_OK)
		rc = dict_read_texts(c, drg_record_s(r, DRG_F_DESCRIPTION), &descriptions, reterr);
	if (rc != DRG_OK)
		return rc;

	struct drg_str code =
	        drg_record_s(r, slot->kind == DRG_KIND_CURRENCY ? DRG_F_ISO_CODE : DRG_F_ISO_ALPHA_2);
	char id[DRG_I64_TEXT];
	d.is_resort = drg_record_i(r, DRG_F_IS_RESORT, 0) != 0;
	d.id_n = (uint8_t)drg_i64_text(d.id, id);
	d.code_n = (uint8_t)(code.n <= UINT8_MAX ? code.n : 0);
	d.n_names = (uint8_t)names.n;
	d.n_descriptions = (uint8_t)descriptions.n;

	struct drg_buf b = drg_heap_top(&c->heap);
	size_t text_at = offsetof(struct drg_dict_rec, entry) + (names.n + descriptions.n) * sizeof(uint32_t);
	if (!drg_buf_reserve(&b, text_at))
		return drg_heap_full(&c->heap, reterr);
	struct drg_dict_rec *rec = memcpy(b.p, &d, offsetof(struct drg_dict_rec, entry));
	b.n = text_at;
	drg_buf_add(&b, id, d.id_n);
	drg_buf_add(&b, code.p, d.code_n);
	append_texts(&b, text_at, rec->entry, &names);
	append_texts(&b, text_at, rec->entry + names.n, &descriptions);
	if (b.rc != DRG_OK || (b.n - text_at) >> 24 != 0)
		return drg_heap_full(&c->heap, reterr);
	assert(dict_size_of(rec) == b.n); /* readers compute its end in this way */
	*ret = rec;
	return DRG_OK;
}

static void dict_show(struct drg_catalog *c, drg_handle h, const struct drg_dict_rec *old, drg_ref ref)
{
	assert(old == NULL || old->handle == h);
	assert(h != DRG_NO_HANDLE);
	atomic_store_explicit(&c->handles.slot[h].ref, ref, memory_order_release);
	if (old != NULL)
		drg_heap_add_dead(&c->heap, dict_size_of(old));
	drg_count(&c->n_dicts[c->handles.slot[h].kind], (ref != DRG_NO_REF) - (old != NULL));
	/* Reference lists show exactly the kinds that sources have. */
	if (drg_kind_is_source(c->handles.slot[h].kind))
		c->list_changed = true;
}

static int dict_put(struct drg_catalog *c, const struct drg_record *r, drg_handle h, struct drg_err *reterr)
{
	struct drg_handle_slot *slot = &c->handles.slot[h];
	struct drg_dict_rec *rec = NULL;
	int rc = dict_build(c, r, h, &rec, reterr);
	if (rc != DRG_OK)
		return rc;
	const struct drg_dict_rec *old = drg_dict_rec_at(c, h);
	if (old != NULL && dict_size_of(old) == dict_size_of(rec) && memcmp(old, rec, dict_size_of(rec)) == 0)
		return DRG_OK;

	bool add = slot->kind == DRG_KIND_HOTEL && rec->country != DRG_NO_HANDLE &&
	           (old == NULL || old->country != rec->country);
	rc = add ? drg_handle_reserve_hotel(&c->handles, rec->country, reterr) : DRG_OK;
	if (rc != DRG_OK)
		return rc;
	dict_show(c, h, old, drg_heap_take(&c->heap, dict_size_of(rec)));
	if (add)
		drg_handle_add_hotel(&c->handles, rec->country, h, slot->was_live);
	slot->was_live = true;
	return DRG_OK;
}

int drg_dict_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr)
{
	assert(r->type->id == DRG_TYPE_DICT);
	enum drg_kind kind = drg_record_kind(r);
	int64_t id = r->v[DRG_F_ID].i;
	assert(kind < DRG_KIND_COUNT);
	drg_handle h = drg_handle_find(&c->handles, kind, id);
	if (r->deleted) {
		if (drg_dict_rec_at(c, h) != NULL)
			dict_show(c, h, drg_dict_rec_at(c, h), DRG_NO_REF);
		return DRG_OK;
	}
	int rc = h == DRG_NO_HANDLE ? drg_handle_make(&c->handles, kind, id, &h, reterr) : DRG_OK;
	return rc == DRG_OK ? dict_put(c, r, h, reterr) : rc;
}

/* ---- out ------------------------------------------------------------------------------------------------ */

bool drg_catalog_dict_at(const struct drg_catalog *c, drg_handle h, struct drg_dict *ret)
{
	const struct drg_dict_rec *d = drg_dict_rec_at(c, h);
	if (d == NULL)
		return false;
	*ret = (struct drg_dict){
		.rec = d,
		.handle = h,
		.kind = (enum drg_kind)d->kind,
		.id = d->id,
		.code = drg_dict_code(d),
		.is_resort = d->is_resort,
		.country = d->country,
		.city = d->city,
		.category = d->category,
		.hotel_type = d->hotel_type,
	};
	return true;
}

bool drg_catalog_dict(const struct drg_catalog *c, enum drg_kind kind, int64_t id, struct drg_dict *ret)
{
	return drg_catalog_dict_at(c, drg_handle_find(&c->handles, kind, id), ret) ||
	       drg_catalog_dict_at(c, drg_handle_find(&c->handles, kind, drg_catalog_resolve(c, kind, id)),
	                           ret);
}

/* Choose the entry from @p i to @p end in the most wanted language, else the first entry. */
static struct drg_str dict_pick(const struct drg_dict_rec *d, unsigned i, unsigned end,
                                const struct drg_lang_pref *pref)
{
	if (i == end)
		return drg_str(NULL, 0);
	for (unsigned p = 0; p < pref->n; p++)
		for (unsigned e = i; e < end; e++)
			if (d->entry[e] >> 24 == pref->lang[p])
				return drg_dict_entry(d, e);
	return drg_dict_entry(d, i);
}

struct drg_str drg_dict_rec_name_in(const struct drg_dict_rec *d, const struct drg_lang_pref *pref)
{
	return dict_pick(d, 0, d->n_names, pref);
}

struct drg_str drg_dict_rec_description(const struct drg_dict_rec *d, const struct drg_lang_pref *pref)
{
	return dict_pick(d, d->n_names, (unsigned)d->n_names + d->n_descriptions, pref);
}

struct drg_str drg_dict_name_esc(const struct drg_dict *d, const struct drg_lang_pref *pref)
{
	return drg_dict_rec_name(d->rec, pref);
}

struct drg_str drg_dict_description_esc(const struct drg_dict *d, const struct drg_lang_pref *pref)
{
	return drg_dict_rec_description(d->rec, pref);
}

void drg_dict_names(const struct drg_catalog *c, const struct drg_dict *d, drg_name_fn *fn, void *ctx)
{
	for (unsigned i = 0; i < d->rec->n_names; i++)
		fn(ctx, drg_langs_tag(&c->langs, (uint8_t)(d->rec->entry[i] >> 24)),
		   drg_dict_entry(d->rec, i));
}

/* ---- back ----------------------------------------------------------------------------------------------- */

static int dict_names_json(const struct drg_catalog *c, const struct drg_dict_rec *d, unsigned i,
                           unsigned end, struct drg_arena *arena, struct drg_str *ret)
{
	size_t room = 2;
	for (unsigned e = i; e < end; e++)
		room += DRG_LANG_MAX + drg_dict_entry(d, e).n + sizeof "\"\":\"\",";
	char *text = drg_arena_alloc(arena, room);
	if (text == NULL)
		return DRG_ENOMEM;
	struct drg_buf b = { .p = text, .cap = room, .max = room };
	for (unsigned e = i; e < end; e++) {
		drg_buf_char(&b, e == i ? '{' : ',');
		drg_buf_char(&b, '"');
		drg_buf_str(&b, drg_langs_tag(&c->langs, (uint8_t)(d->entry[e] >> 24)));
		drg_buf_lit(&b, "\":\"");
		drg_buf_str(&b, drg_dict_entry(d, e));
		drg_buf_char(&b, '"');
	}
	drg_buf_char(&b, '}');
	assert(b.rc == DRG_OK);
	*ret = drg_buf_view(&b);
	return DRG_OK;
}

int drg_dict_record(const struct drg_catalog *c, const struct drg_dict *d, struct drg_arena *arena,
                    struct drg_record *ret)
{
	struct drg_str json;
	unsigned n = d->rec->n_names, all = n + d->rec->n_descriptions;
	drg_record_init(ret, &drg_types[DRG_TYPE_DICT]);
	drg_record_set_i(ret, DRG_F_KIND, d->kind);
	drg_record_set_i(ret, DRG_F_ID, d->id);
	if (dict_names_json(c, d->rec, 0, n, arena, &json) != DRG_OK)
		return DRG_ENOMEM;
	drg_record_set_s(ret, DRG_F_NAMES, json);
	if (all > n) {
		if (dict_names_json(c, d->rec, n, all, arena, &json) != DRG_OK)
			return DRG_ENOMEM;
		drg_record_set_s(ret, DRG_F_DESCRIPTION, json);
	}
	if (d->kind == DRG_KIND_COUNTRY)
		drg_record_set_s(ret, DRG_F_ISO_ALPHA_2, d->code);
	if (d->kind == DRG_KIND_CURRENCY)
		drg_record_set_s(ret, DRG_F_ISO_CODE, d->code);
	if (d->kind == DRG_KIND_CITY)
		drg_record_set_i(ret, DRG_F_IS_RESORT, d->is_resort);
	write_references(c, d->rec, ret);
	return DRG_OK;
}
