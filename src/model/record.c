#include "model/record.h"

#include <stdio.h>

bool drg_record_same(const struct drg_field_def *f, const struct drg_record *a, const struct drg_record *b)
{
	if (!drg_record_has(a, f->field) || !drg_record_has(b, f->field))
		return drg_record_has(a, f->field) == drg_record_has(b, f->field);
	const union drg_value *x = &a->v[f->field], *y = &b->v[f->field];
	if (drg_value_is_text(f->vtype))
		return drg_str_eq(x->s, y->s);
	return f->vtype == DRG_V_REAL ? x->d == y->d : x->i == y->i;
}

bool drg_record_eq(const struct drg_record *a, const struct drg_record *b)
{
	if (a->type != b->type || a->deleted != b->deleted || a->has != b->has || a->nulls != b->nulls)
		return false;
	for (unsigned i = 0; i < a->type->n_fields; i++)
		if (!drg_record_same(&a->type->fields[i], a, b))
			return false;
	return true;
}

int drg_record_copy(struct drg_arena *a, const struct drg_record *src, struct drg_record *ret)
{
	struct drg_record r = *src;
	for (unsigned i = 0; i < r.type->n_fields; i++) {
		const struct drg_field_def *f = &r.type->fields[i];
		if (!drg_value_is_text(f->vtype) || !drg_record_has(&r, f->field))
			continue;
		r.v[f->field].s = drg_arena_str(a, src->v[f->field].s);
		if (r.v[f->field].s.p == NULL)
			return DRG_ENOMEM;
	}
	*ret = r;
	return DRG_OK;
}

bool drg_word_exists(const struct drg_field_def *f, int64_t i)
{
	int64_t n = 0;
	while (f->words[n] != NULL)
		n++;
	return i >= 0 && i < n;
}

const struct drg_field_def *drg_record_wordless(const struct drg_record *r)
{
	for (unsigned i = 0; i < r->type->n_fields; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		if (f->vtype == DRG_V_ENUM && drg_record_has(r, f->field) &&
		    !drg_word_exists(f, r->v[f->field].i))
			return f;
	}
	return NULL;
}

const char *drg_record_label(const struct drg_record *r, char *buf, size_t n)
{
	int at = snprintf(buf, n, "%s", r->type->name);
	for (unsigned i = 0; i < r->type->n_fields && at >= 0 && (size_t)at < n; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		if ((f->flags & DRG_FF_ID) == 0 || !drg_record_has(r, f->field))
			continue;
		const union drg_value *v = &r->v[f->field];
		char *to = buf + at;
		size_t room = n - (size_t)at;
		if (drg_value_is_text(f->vtype))
			at += snprintf(to, room, " %.*s", DRG_STR_ARG(v->s));
		else if (f->vtype == DRG_V_ENUM && drg_word_exists(f, v->i))
			at += snprintf(to, room, " %s", f->words[v->i]);
		else
			at += snprintf(to, room, " %lld", (long long)v->i);
	}
	return buf;
}

/* ---- binary form ---------------------------------------------------------------------------------------
 * Type, deleted (a byte each), has, nulls, then the values of `has` in the order of the type's table: reals as
 * their 8 bytes, texts as length and bytes, other numbers zigzag. Numbers are variable-length, 7 bits a byte. */

static void pack_number(struct drg_buf *out, uint64_t u)
{
	for (; u >= 0x80; u >>= 7)
		drg_buf_char(out, (char)(u | 0x80));
	drg_buf_char(out, (char)u);
}

static uint64_t zigzag(int64_t i)
{
	return (uint64_t)i << 1 ^ (i < 0 ? UINT64_MAX : 0);
}

static int64_t unzigzag(uint64_t u)
{
	return (int64_t)(u >> 1 ^ ((u & 1) != 0 ? UINT64_MAX : 0));
}

void drg_record_pack(const struct drg_record *r, struct drg_buf *out)
{
	drg_buf_char(out, (char)r->type->id);
	drg_buf_char(out, (char)r->deleted);
	pack_number(out, r->has);
	pack_number(out, r->nulls);
	for (unsigned i = 0; i < r->type->n_fields; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		const union drg_value *v = &r->v[f->field];
		if (!drg_record_has(r, f->field))
			continue;
		if (drg_value_is_text(f->vtype)) {
			pack_number(out, v->s.n);
			drg_buf_str(out, v->s);
		} else if (f->vtype == DRG_V_REAL) {
			drg_buf_add(out, &v->d, sizeof v->d);
		} else {
			pack_number(out, zigzag(v->i));
		}
	}
}

/* Sticky reader: what is not there reads as nothing, and `cut` remembers. */
struct unpacker {
	const char *p;
	size_t n;
	bool cut;
};

static const char *unpack_bytes(struct unpacker *u, uint64_t n)
{
	if (n > u->n) {
		u->cut = true;
		u->n = 0;
		return NULL;
	}
	const char *p = u->p;
	u->p += n;
	u->n -= n;
	return p;
}

static uint64_t unpack_number(struct unpacker *u)
{
	uint64_t v = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		const char *p = unpack_bytes(u, 1);
		if (p == NULL)
			break;
		v |= (uint64_t)(*p & 0x7f) << shift;
		if ((*p & 0x80) == 0)
			break;
	}
	return v;
}

static void unpack_value(struct unpacker *u, enum drg_value_type vtype, union drg_value *ret)
{
	if (drg_value_is_text(vtype)) {
		uint64_t n = unpack_number(u);
		ret->s = drg_str(unpack_bytes(u, n), n);
	} else if (vtype == DRG_V_REAL) {
		const char *p = unpack_bytes(u, sizeof ret->d);
		if (p != NULL)
			memcpy(&ret->d, p, sizeof ret->d);
	} else {
		ret->i = unzigzag(unpack_number(u));
	}
}

size_t drg_record_unpack(const char *bytes, size_t n, struct drg_record *ret)
{
	struct unpacker u = { bytes, n, false };
	const char *head = unpack_bytes(&u, 2);
	if (head == NULL || (unsigned char)head[0] >= DRG_TYPE_COUNT)
		return 0;
	drg_record_init(ret, &drg_types[(unsigned char)head[0]]);
	ret->deleted = head[1] != 0;
	ret->has = unpack_number(&u);
	ret->nulls = unpack_number(&u);
	for (unsigned i = 0; i < ret->type->n_fields; i++) {
		const struct drg_field_def *f = &ret->type->fields[i];
		if (drg_record_has(ret, f->field))
			unpack_value(&u, f->vtype, &ret->v[f->field]);
	}
	return u.cut ? 0 : n - u.n;
}
