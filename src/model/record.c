#include "model/record.h"

#include <assert.h>
#include <stdio.h>

#include "text/utf8.h"

bool drg_record_field_eq(const struct drg_field_def *f, const struct drg_record *a,
                         const struct drg_record *b)
{
	assert(a->type == b->type);
	if (!drg_record_has_value(a, f) || !drg_record_has_value(b, f))
		return drg_record_has_value(a, f) == drg_record_has_value(b, f);
	const union drg_value *x = drg_record_value(a, f), *y = drg_record_value(b, f);
	if (drg_value_is_text(f->vtype))
		return drg_str_eq(x->s, y->s);
	return f->vtype == DRG_V_REAL ? x->d == y->d : x->i == y->i;
}

bool drg_record_eq(const struct drg_record *a, const struct drg_record *b)
{
	if (a->type != b->type || a->deleted != b->deleted || a->has != b->has || a->nulls != b->nulls)
		return false;
	for (unsigned i = 0; i < a->type->n_fields; i++)
		if (!drg_record_field_eq(&a->type->fields[i], a, b))
			return false;
	return true;
}

int drg_record_copy(struct drg_arena *a, const struct drg_record *src, struct drg_record *ret)
{
	struct drg_record r = *src;
	for (unsigned i = 0; i < r.type->n_fields; i++) {
		const struct drg_field_def *f = &r.type->fields[i];
		if (!drg_value_is_text(f->vtype) || !drg_record_has_value(&r, f))
			continue;
		struct drg_str *to = &drg_record_room(&r, f)->s;
		*to = drg_arena_str(a, *to);
		if (to->p == NULL)
			return DRG_ENOMEM;
	}
	*ret = r;
	return DRG_OK;
}

bool drg_word_exists(const struct drg_field_def *f, int64_t i)
{
	assert(f->words != NULL);
	int64_t n = 0;
	while (f->words[n] != NULL)
		n++;
	return i >= 0 && i < n && f->words[i][0] != '\0';
}

const struct drg_field_def *drg_record_find_unknown_enum(const struct drg_record *r)
{
	for (unsigned i = 0; i < r->type->n_fields; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		if (f->vtype == DRG_V_ENUM && drg_record_has_value(r, f) &&
		    !drg_word_exists(f, drg_record_value(r, f)->i))
			return f;
	}
	return NULL;
}

const char *drg_record_label(const struct drg_record *r, char *buf, size_t n)
{
	assert(n > 0);
	int at = snprintf(buf, n, "%s", r->type->name);
	for (unsigned i = 0; i < r->type->n_fields && at >= 0 && (size_t)at < n; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		if ((f->flags & DRG_FF_ID) == 0 || !drg_record_has_value(r, f))
			continue;
		const union drg_value *v = drg_record_value(r, f);
		char *to = buf + at;
		size_t room = n - (size_t)at;
		if (drg_value_is_text(f->vtype))
			at += snprintf(to, room, " %.*s", DRG_STR_ARG(v->s));
		else if (f->vtype == DRG_V_ENUM && drg_word_exists(f, v->i))
			at += snprintf(to, room, " %s", f->words[v->i]);
		else
			at += snprintf(to, room, " %lld", (long long)v->i);
	}
	size_t end; /* end of the last complete character */
	if (!drg_utf8_valid(drg_str_c(buf), &end))
		buf[end] = '\0';
	return buf;
}

/* ---- binary form ---------------------------------------------------------------------------------------
 * Type, deleted (a byte each), has, nulls, then the values of `has` in the order of the type's table
 * (base/packed.h). */

void drg_value_pack(enum drg_value_type vtype, const union drg_value *v, struct drg_buf *out)
{
	if (drg_value_is_text(vtype))
		drg_pack_s(out, v->s);
	else if (vtype == DRG_V_REAL)
		drg_buf_add(out, &v->d, sizeof v->d);
	else
		drg_pack_i(out, v->i);
}

void drg_value_unpack(enum drg_value_type vtype, struct drg_packed *u, union drg_value *ret)
{
	if (drg_value_is_text(vtype))
		ret->s = drg_unpack_s(u);
	else if (vtype == DRG_V_REAL)
		ret->d = drg_unpack_d(u);
	else
		ret->i = drg_unpack_i(u);
}

void drg_record_pack(const struct drg_record *r, struct drg_buf *out)
{
	assert(r->type->id < DRG_TYPE_COUNT);
	drg_buf_char(out, (char)r->type->id);
	drg_buf_char(out, (char)r->deleted);
	drg_pack_u(out, r->has);
	drg_pack_u(out, r->nulls);
	for (unsigned i = 0; i < r->type->n_fields; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		if (drg_record_has_value(r, f))
			drg_value_pack(f->vtype, drg_record_value(r, f), out);
	}
}

size_t drg_record_unpack(const char *bytes, size_t n, struct drg_record *ret)
{
	struct drg_packed u = { bytes, n, false };
	const char *head = drg_unpack_bytes(&u, 2);
	if (head == NULL || (unsigned char)head[0] >= DRG_TYPE_COUNT)
		return 0;
	drg_record_init(ret, &drg_types[(unsigned char)head[0]]);
	ret->deleted = head[1] != 0;
	ret->has = drg_unpack_u(&u);
	ret->nulls = drg_unpack_u(&u);
	for (unsigned i = 0; i < ret->type->n_fields; i++) {
		const struct drg_field_def *f = &ret->type->fields[i];
		if (drg_record_has_value(ret, f))
			drg_value_unpack(f->vtype, &u, drg_record_room(ret, f));
	}
	return u.cut ? 0 : n - u.n;
}
