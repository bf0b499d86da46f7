/* The JSON of sources and dict records (specification 2.2). Each record reserves room once, then constant
 * pieces and texts are copied; the texts have their escapes already. */
#include "catalog/render_priv.h"

#include <assert.h>

#include "catalog/source_priv.h"
#include "text/json.h"

/* Texts are short and differ in length. Copying 32 bytes at a time, beyond their ends, costs less than
 * copying the exact length. Both sides have room behind the text (DRG_HEAP_SLACK, PIECES_ROOM). */
enum { CHUNK = 32 };
static_assert(CHUNK <= DRG_HEAP_SLACK, "bytes read behind a text are still the heap's");

/* The writer may be writing the next record behind the text. These bytes are copied too, but nobody uses
 * them. ThreadSanitizer cannot know that, so it is shown the text alone. */
DRG_UNSEEN_BY_TSAN static inline char *put_chunks(char *to, struct drg_str s)
{
	for (size_t i = 0; i < s.n; i += CHUNK)
		memcpy(to + i, s.p + i, CHUNK);
	return to + s.n;
}

static inline char *render_put(char *to, struct drg_str s)
{
	DRG_TSAN_READ(s.p, s.n);
	return put_chunks(to, s);
}

/* Copy a constant piece: the compiler knows its length, so this is two or three moves. */
#define PUT_LIT(to, lit) ((char *)memcpy((to), (lit), sizeof(lit) - 1) + sizeof(lit) - 1)

/* ---- source --------------------------------------------------------------------------------------------- */

struct shared {
	struct drg_str text[DRG_SHARED_MAX];
	size_t n; /* bytes of all fragments */
};

static struct shared shared_of(const struct drg_catalog *c, const struct drg_source_rec *rec)
{
	struct shared s = { .n = 0 };
	for (unsigned i = 0; i < DRG_SHARED_MAX; i++) {
		s.text[i] = drg_fragment_text(&c->heap, rec->shared[i]);
		s.n += s.text[i].n;
	}
	return s;
}

/* A source whose id has quotes, backslashes or control characters, which is rare. */
static void odd_source_json(const struct drg_source_rec *rec, const struct shared *shared,
                            struct drg_buf *out)
{
	drg_buf_lit(out, "{\"id\":");
	drg_json_string(out, drg_str(rec->text, rec->id_n));
	drg_buf_lit(out, ",\"name\":\"");
	drg_buf_add(out, rec->text + rec->id_n, rec->name_n);
	drg_buf_char(out, '"');
	for (unsigned i = 0; i < DRG_SHARED_MAX; i++)
		drg_buf_str(out, shared->text[i]);
	drg_buf_char(out, '}');
}

static bool is_odd(const struct drg_source_rec *rec)
{
	return (rec->flags & DRG_SOURCE_ID_ESCAPES) != 0;
}

static inline char *render_put_source(char *to, const struct drg_source_rec *rec, const struct shared *shared)
{
	to = render_put(PUT_LIT(to, "{\"id\":\""), drg_str(rec->text, rec->id_n));
	to = render_put(PUT_LIT(to, "\",\"name\":\""), drg_str(rec->text + rec->id_n, rec->name_n));
	*to++ = '"';
	for (unsigned i = 0; i < DRG_SHARED_MAX; i++)
		to = render_put(to, shared->text[i]);
	*to++ = '}';
	return to;
}

/* More than all constant pieces and numbers of a record together. */
enum { PIECES_ROOM = 512 };

void drg_source_json(const struct drg_catalog *c, const struct drg_source *s, struct drg_buf *out)
{
	const struct drg_source_rec *rec = s->rec;
	struct shared shared = shared_of(c, rec);
	if (is_odd(rec)) {
		odd_source_json(rec, &shared, out);
		return;
	}
	if (!drg_buf_reserve(out, (size_t)PIECES_ROOM + rec->id_n + rec->name_n + shared.n))
		return;
	out->n = (size_t)(render_put_source(out->p + out->n, rec, &shared) - out->p);
	assert(out->n <= out->cap);
}

/* ---- dict ----------------------------------------------------------------------------------------------- */

/* A record that another one refers to. */
struct referred {
	struct drg_str id, name; /* name.p NULL: no such record */
	char text[CHUNK]; /* the digits of the id */
};
static_assert(DRG_I64_TEXT <= CHUNK, "an id is put in one piece");

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

/* Write a text, or null if there is none. */
static inline char *render_put_text(char *to, struct drg_str s)
{
	if (s.p == NULL)
		return PUT_LIT(to, "null");
	*to++ = '"';
	to = render_put(to, s);
	*to++ = '"';
	return to;
}

/* The keys of a reference of a hotel; each has room to be copied as one chunk. */
struct reference_keys {
	char id[CHUNK], name[CHUNK];
	unsigned id_n, name_n;
};

#define KEYS(what)                                                                                           \
	{                                                                                                    \
		",\"" what "_id\":", ",\"" what "_name\":", sizeof(",\"" what "_id\":") - 1,                 \
		        sizeof(",\"" what "_name\":") - 1                                                    \
	}

static const struct reference_keys country_keys = KEYS("country"), city_keys = KEYS("city"),
                                   category_keys = KEYS("hotel_category");

static void new_reference(struct drg_renderer *r, drg_handle h, const struct reference_keys *keys,
                          struct drg_written *written)
{
	struct referred to;
	refer(r->c, h, r->pref, &to);
	if (!drg_buf_reserve(r->out, PIECES_ROOM + to.name.n))
		return;
	char *from = r->out->p + r->out->n, *p = from;
	p = render_put(render_put(p, drg_str(keys->id, keys->id_n)), to.id);
	p = render_put_text(render_put(p, drg_str(keys->name, keys->name_n)), to.name);
	assert((size_t)(p - from) <= PIECES_ROOM + to.name.n);
	*written = (struct drg_written){ .of = h, .n = (uint32_t)(p - from), .at = r->out->n };
	r->out->n += written->n;
}

/* Write a reference. The hotels of an answer share countries, categories and often cities, so the text is
 * copied from where the answer has it already. */
static inline void render_reference(struct drg_renderer *r, drg_handle h, const struct reference_keys *keys)
{
	struct drg_written *written = &r->written[h % DRG_ARRAY_LEN(r->written)];
	if (written->of != h || h == DRG_NO_HANDLE) {
		new_reference(r, h, keys, written);
	} else if (drg_buf_reserve(r->out, PIECES_ROOM + written->n)) {
		assert(written->at + written->n <= r->out->n);
		render_put(r->out->p + r->out->n, drg_str(r->out->p + written->at, written->n));
		r->out->n += written->n;
	}
}

static void render_dict(struct drg_renderer *r, const struct drg_dict_rec *rec)
{
	struct drg_str name = drg_dict_rec_name(rec, r->pref), description = drg_str(NULL, 0);
	if (rec->kind == DRG_KIND_MEAL)
		description = drg_dict_rec_description(rec, r->pref);
	if (!drg_buf_reserve(r->out, (size_t)PIECES_ROOM + rec->code_n + name.n + description.n))
		return;
	char *to = render_put(PUT_LIT(r->out->p + r->out->n, "{\"id\":"), drg_dict_id(rec));
	if (rec->kind == DRG_KIND_CURRENCY)
		to = render_put_text(PUT_LIT(to, ",\"iso_code\":"), drg_dict_code(rec));
	to = render_put_text(PUT_LIT(to, ",\"name\":"), name);
	if (rec->kind == DRG_KIND_MEAL)
		to = render_put_text(PUT_LIT(to, ",\"description\":"), description);
	r->out->n = (size_t)(to - r->out->p);
	assert(r->out->n <= r->out->cap);
	if (rec->kind == DRG_KIND_HOTEL) {
		render_reference(r, rec->country, &country_keys);
		render_reference(r, rec->city, &city_keys);
		render_reference(r, rec->category, &category_keys);
	}
	drg_buf_char(r->out, '}');
}

void drg_dict_json(const struct drg_catalog *c, const struct drg_dict *d, const struct drg_lang_pref *pref,
                   struct drg_buf *out)
{
	struct drg_renderer r = { .c = c, .pref = pref, .out = out };
	render_dict(&r, d->rec);
}

/* ---- both ------------------------------------------------------------------------------------------------ */

/* Write the head of an item whose id is unknown or has quotes, backslashes or control characters. */
static void odd_head(struct drg_renderer *r, struct drg_str id, const struct drg_source_rec *source)
{
	drg_buf_lit(r->out, "{\"id\":");
	drg_json_string(r->out, id);
	drg_buf_lit(r->out, ",\"source\":");
	if (source != NULL) {
		struct shared shared = shared_of(r->c, source);
		odd_source_json(source, &shared, r->out);
	} else {
		drg_buf_lit(r->out, "null");
	}
	drg_buf_lit(r->out, ",\"dict\":");
}

static void head(struct drg_renderer *r, const struct drg_source_rec *source)
{
	struct shared shared = shared_of(r->c, source);
	if (!drg_buf_reserve(r->out, PIECES_ROOM + 2 * (size_t)source->id_n + source->name_n + shared.n))
		return;
	char *to = PUT_LIT(r->out->p + r->out->n, "{\"id\":\"");
	to = render_put(to, drg_str(source->text, source->id_n));
	to = render_put_source(PUT_LIT(to, "\",\"source\":"), source, &shared);
	to = PUT_LIT(to, ",\"dict\":");
	r->out->n = (size_t)(to - r->out->p);
	assert(r->out->n <= r->out->cap);
}

void drg_render_mapped(struct drg_renderer *r, struct drg_str id, const struct drg_source_rec *source,
                       const struct drg_dict_rec *dict)
{
	if (source == NULL || is_odd(source))
		odd_head(r, id, source);
	else
		head(r, source);
	if (dict != NULL)
		render_dict(r, dict);
	else
		drg_buf_lit(r->out, "null");
	drg_buf_char(r->out, '}');
}
