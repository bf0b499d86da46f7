/* The JSON of sources and dict records (specification 2.2): constant pieces and texts that have their escapes
 * already, after one reservation per record. */
#include "catalog/dict_priv.h"
#include "catalog/source_priv.h"
#include "text/json.h"

static inline char *put(char *to, struct drg_str s)
{
	if (s.n > 0)
		memcpy(to, s.p, s.n);
	return to + s.n;
}

/* Constant pieces; their length is known, so that these are two or three moves. */
#define PUT_LIT(to, lit) ((char *)memcpy((to), (lit), sizeof(lit) - 1) + sizeof(lit) - 1)

/* ---- source --------------------------------------------------------------------------------------------- */

/* For the rare ids with quotes, backslashes or controls. */
static void odd_source_json(const struct drg_source_rec *rec, const struct drg_str *shared,
                            struct drg_buf *out)
{
	drg_buf_lit(out, "{\"id\":");
	drg_json_string(out, drg_str(rec->text, rec->id_n));
	drg_buf_lit(out, ",\"name\":\"");
	drg_buf_add(out, rec->text + rec->id_n, rec->name_n);
	drg_buf_char(out, '"');
	for (unsigned i = 0; i < DRG_SHARED_MAX; i++)
		drg_buf_str(out, shared[i]);
	drg_buf_char(out, '}');
}

void drg_source_json(const struct drg_catalog *c, const struct drg_source *s, struct drg_buf *out)
{
	const struct drg_source_rec *rec = s->rec;
	struct drg_str shared[DRG_SHARED_MAX];
	size_t room = sizeof("{\"id\":\"\",\"name\":\"\"}") + rec->id_n + rec->name_n;
	for (unsigned i = 0; i < DRG_SHARED_MAX; i++) {
		shared[i] = drg_title_text(&c->heap, rec->shared[i]);
		room += shared[i].n;
	}
	if (DRG_UNLIKELY((rec->flags & DRG_SOURCE_ID_ESCAPES) != 0)) {
		odd_source_json(rec, shared, out);
		return;
	}
	if (!drg_buf_reserve(out, room))
		return;
	char *to = PUT_LIT(out->p + out->n, "{\"id\":\"");
	to = put(to, drg_str(rec->text, rec->id_n));
	to = PUT_LIT(to, "\",\"name\":\"");
	to = put(to, drg_str(rec->text + rec->id_n, rec->name_n));
	*to++ = '"';
	for (unsigned i = 0; i < DRG_SHARED_MAX; i++)
		to = put(to, shared[i]);
	*to++ = '}';
	out->n = (size_t)(to - out->p);
}

/* ---- dict ----------------------------------------------------------------------------------------------- */

/* What a record refers to. */
struct referred {
	struct drg_str id, name; /* name.p NULL: no such record */
	char text[DRG_I64_TEXT]; /* of the id, then */
};

static void refer(const struct drg_catalog *c, drg_handle h, const struct drg_lang_pref *pref,
                  struct referred *ret)
{
	const struct drg_dict_rec *rec = drg_dict_rec_at(c, h);
	if (rec != NULL) {
		ret->id = drg_dict_id(rec);
		ret->name = drg_dict_rec_name(rec, pref);
		return;
	}
	if (h != DRG_NO_HANDLE)
		ret->id = drg_str(ret->text, drg_i64_text(c->handles.slot[h].id, ret->text));
	else
		ret->id = drg_str(memcpy(ret->text, "null", 4), 4);
	ret->name = drg_str(NULL, 0);
}

/* A text, or null where there is none. */
static inline char *put_text(char *to, struct drg_str s)
{
	if (s.p == NULL)
		return PUT_LIT(to, "null");
	*to++ = '"';
	to = put(to, s);
	*to++ = '"';
	return to;
}

static char *put_hotel(char *to, const struct referred *country, const struct referred *city,
                       const struct referred *category)
{
	to = put(PUT_LIT(to, ",\"country_id\":"), country->id);
	to = put_text(PUT_LIT(to, ",\"country_name\":"), country->name);
	to = put(PUT_LIT(to, ",\"city_id\":"), city->id);
	to = put_text(PUT_LIT(to, ",\"city_name\":"), city->name);
	to = put(PUT_LIT(to, ",\"hotel_category_id\":"), category->id);
	return put_text(PUT_LIT(to, ",\"hotel_category_name\":"), category->name);
}

/* More than all constant pieces and numbers of a record together. */
enum { PIECES_ROOM = 512 };

static void hotel_rest(const struct drg_catalog *c, const struct drg_dict_rec *rec,
                       const struct drg_lang_pref *pref, struct drg_buf *out)
{
	struct referred country, city, category;
	refer(c, rec->country, pref, &country);
	refer(c, rec->city, pref, &city);
	refer(c, rec->category, pref, &category);
	if (!drg_buf_reserve(out, PIECES_ROOM + country.name.n + city.name.n + category.name.n))
		return;
	char *to = put_hotel(out->p + out->n, &country, &city, &category);
	*to++ = '}';
	out->n = (size_t)(to - out->p);
}

void drg_dict_json(const struct drg_catalog *c, const struct drg_dict *d, const struct drg_lang_pref *pref,
                   struct drg_buf *out)
{
	const struct drg_dict_rec *rec = d->rec;
	struct drg_str name = drg_dict_rec_name(rec, pref), description = drg_str(NULL, 0);
	if (d->kind == DRG_KIND_MEAL)
		description = drg_dict_rec_description(rec, pref);
	if (!drg_buf_reserve(out, PIECES_ROOM + d->code.n + name.n + description.n))
		return;
	char *to = put(PUT_LIT(out->p + out->n, "{\"id\":"), drg_dict_id(rec));
	if (d->kind == DRG_KIND_CURRENCY)
		to = put_text(PUT_LIT(to, ",\"iso_code\":"), d->code);
	to = put_text(PUT_LIT(to, ",\"name\":"), name);
	if (d->kind == DRG_KIND_MEAL)
		to = put_text(PUT_LIT(to, ",\"description\":"), description);
	if (d->kind != DRG_KIND_HOTEL)
		*to++ = '}';
	out->n = (size_t)(to - out->p);
	if (d->kind == DRG_KIND_HOTEL)
		hotel_rest(c, rec, pref, out);
}

/* ---- ahead of both --------------------------------------------------------------------------------------- */

enum { GROUP = 32 };

/* Each step waits for the one before, but not one record for another. */
static void prefetch_group(const struct drg_catalog *c, const struct drg_source *s, size_t n)
{
	drg_handle city[GROUP];
	for (size_t i = 0; i < n; i++) {
		__builtin_prefetch(&c->handles.slot[s[i].dict]);
		for (unsigned k = 0; s[i].rec != NULL && k < DRG_SHARED_MAX; k++)
			drg_heap_prefetch(&c->heap, s[i].rec->shared[k]);
	}
	for (size_t i = 0; i < n; i++)
		drg_heap_prefetch(&c->heap, drg_handle_ref(&c->handles, s[i].dict));
	for (size_t i = 0; i < n; i++) {
		const struct drg_dict_rec *rec = drg_dict_rec_at(c, s[i].dict);
		city[i] = rec != NULL ? rec->city : DRG_NO_HANDLE;
		__builtin_prefetch(&c->handles.slot[city[i]]);
	}
	for (size_t i = 0; i < n; i++)
		drg_heap_prefetch(&c->heap, drg_handle_ref(&c->handles, city[i]));
}

void drg_catalog_prefetch(const struct drg_catalog *c, const struct drg_source *s, size_t n)
{
	for (size_t i = 0; i < n; i += GROUP)
		prefetch_group(c, s + i, n - i < GROUP ? n - i : GROUP);
}
