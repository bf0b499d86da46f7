#include "import/ident.h"

#include "base/hash.h"

/* The highest byte of an ident. For dict records it is the number of their kind. */
enum { SPACE_ADAPTER = 0x20, SPACE_PLACE = 0x21, SPACE_HASHED = 0x22, SPACE_EMPTY = 0xff };
_Static_assert((int)DRG_KIND_COUNT <= (int)SPACE_ADAPTER, "kinds and other spaces share a byte");

enum { SPACE_SHIFT = 56 };

static struct drg_ident exact(unsigned space, int64_t id)
{
	return (struct drg_ident){ (uint64_t)space << SPACE_SHIFT, (uint64_t)id };
}

static struct drg_ident hashed(const void *p, size_t n)
{
	XXH128_hash_t h = XXH3_128bits_withSeed(p, n, drg_hash_secret);
	return (struct drg_ident){ (uint64_t)SPACE_HASHED << SPACE_SHIFT | h.high64 >> 8, h.low64 };
}

/* The values of an identity, one after the other. Texts come with their length, so that two identities never
 * give the same bytes. */
struct bytes {
	char p[1024];
	size_t n;
};

static void ident_add(struct bytes *b, const void *p, size_t n)
{
	/* The room suffices: an identity has 64 characters and a few numbers, a unique code at most 64
	 * characters. */
	if (n > sizeof b->p - b->n)
		n = sizeof b->p - b->n;
	if (n > 0)
		memcpy(b->p + b->n, p, n);
	b->n += n;
}

static void ident_add_int(struct bytes *b, int64_t i)
{
	ident_add(b, &i, sizeof i);
}

static void ident_add_value(struct bytes *b, const struct drg_field_def *f, union drg_value v)
{
	if (!drg_value_is_text(f->vtype)) {
		ident_add_int(b, v.i);
		return;
	}
	ident_add_int(b, (int64_t)v.s.n);
	ident_add(b, v.s.p, v.s.n);
}

struct drg_ident drg_ident_of(const struct drg_record *r)
{
	switch (r->type->id) {
	case DRG_TYPE_ADAPTER: return exact(SPACE_ADAPTER, r->v[DRG_F_ID].i);
	case DRG_TYPE_DICT: return exact((unsigned)drg_record_kind(r), r->v[DRG_F_ID].i);
	case DRG_TYPE_AIR_PLACE: return exact(SPACE_PLACE, r->v[DRG_F_PLACE_ID].i);
	default: break;
	}
	struct bytes b = { .n = 0 };
	ident_add_int(&b, (int64_t)r->type->id);
	for (unsigned i = 0; i < r->type->n_fields; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		if ((f->flags & DRG_FF_ID) != 0)
			ident_add_value(&b, f, *drg_record_value(r, f));
	}
	return hashed(b.p, b.n);
}

struct drg_ident drg_ident_of_ref(int ref, int64_t id, struct drg_str text)
{
	if (ref == DRG_REF_ADAPTER)
		return exact(SPACE_ADAPTER, id);
	if (ref == DRG_REF_PLACE)
		return exact(SPACE_PLACE, id);
	if (ref != DRG_REF_SOURCE_HOTEL)
		return exact((unsigned)ref, id);
	struct drg_record hotel;
	drg_record_init(&hotel, &drg_types[DRG_TYPE_SOURCE]);
	drg_record_set_i(&hotel, DRG_F_ADAPTER_ID, id);
	drg_record_set_i(&hotel, DRG_F_KIND, DRG_KIND_HOTEL);
	drg_record_set_s(&hotel, DRG_F_SOURCE_ID, text);
	return drg_ident_of(&hotel);
}

bool drg_ident_record(struct drg_ident k, struct drg_record *ret)
{
	unsigned space = (unsigned)(k.hi >> SPACE_SHIFT);
	if (space == SPACE_HASHED)
		return false;
	if (space == SPACE_ADAPTER) {
		drg_record_init(ret, &drg_types[DRG_TYPE_ADAPTER]);
		drg_record_set_i(ret, DRG_F_ID, (int64_t)k.lo);
	} else if (space == SPACE_PLACE) {
		drg_record_init(ret, &drg_types[DRG_TYPE_AIR_PLACE]);
		drg_record_set_i(ret, DRG_F_PLACE_ID, (int64_t)k.lo);
	} else {
		drg_record_init(ret, &drg_types[DRG_TYPE_DICT]);
		drg_record_set_i(ret, DRG_F_KIND, (int64_t)space);
		drg_record_set_i(ret, DRG_F_ID, (int64_t)k.lo);
	}
	return true;
}

struct drg_ident drg_ident_of_value(const struct drg_record *r, const struct drg_field_def *f)
{
	struct bytes b = { .n = 0 };
	ident_add_int(&b, (int64_t)r->type->id);
	ident_add_int(&b, (int64_t)drg_record_kind(r));
	ident_add_int(&b, (int64_t)f->field);
	ident_add_value(&b, f, *drg_record_value(r, f));
	return hashed(b.p, b.n);
}

void drg_ident_cache_clear(struct drg_ident_cache *c)
{
	memset(c, SPACE_EMPTY, sizeof *c);
}

/* Was the ident in the cache? Puts it there. */
static bool seen(struct drg_ident_cache *c, struct drg_ident k)
{
	uint64_t mixed = (k.lo ^ k.hi >> 40) * UINT64_C(0x9e3779b97f4a7c15);
	struct drg_ident *place = &c->place[mixed >> 52];
	bool there = drg_ident_eq(*place, k);
	*place = k;
	return there;
}

struct entries_collecting {
	uint64_t at;
	struct drg_ident_cache *cache;
	struct drg_buf *out;
};

static void ident_add_entry(struct drg_buf *out, struct drg_ident k, enum drg_role role, uint64_t at)
{
	struct drg_refset_entry e = drg_entry(k, role, at);
	drg_buf_add(out, &e, sizeof e);
}

static void add_need(void *ctx, int ref, int64_t id, struct drg_str text, const char *field)
{
	(void)field;
	const struct entries_collecting *c = ctx;
	struct drg_ident k = drg_ident_of_ref(ref, id, text);
	if (!seen(c->cache, k))
		ident_add_entry(c->out, k, DRG_ROLE_NEED, c->at);
}

static bool keeps_something(const struct drg_record *r)
{
	for (unsigned i = 0; i < r->type->n_fields; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		if ((f->flags & DRG_FF_KEEP) != 0 && ((r->has | r->nulls) & drg_field_bit(f->field)) == 0)
			return true;
	}
	return false;
}

void drg_ident_entries(const struct drg_record *r, uint64_t at, struct drg_ident_cache *cache,
                       struct drg_buf *out)
{
	struct entries_collecting c = { at, cache, out };
	enum drg_role role = r->deleted           ? DRG_ROLE_REMOVE
	                     : keeps_something(r) ? DRG_ROLE_DEFINE_KEEPING
	                                          : DRG_ROLE_DEFINE;
	ident_add_entry(out, drg_ident_of(r), role, at);
	if (r->type->id == DRG_TYPE_REDIRECT && !r->deleted)
		ident_add_entry(out, exact((unsigned)drg_record_kind(r), r->v[DRG_F_ID].i), DRG_ROLE_REDIRECT,
		                at);
	if (drg_record_refs(r, add_need, &c) != DRG_OK)
		out->rc = DRG_ENOMEM;
}
