/* src/model/record.h
 * One record of any type: a place for every field, and a bit that says whether it is there. */
#pragma once
#include "base/arena.h"

#include <assert.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/packed.h"
#include "model/model.h"

/** Which member is used follows from the field's value type, see model.h. Strings are borrowed. */
union drg_value {
	int64_t i;
	double d;
	struct drg_str s;
};

struct drg_record {
	const struct drg_type *type;
	uint64_t has; /**< bit per enum drg_field: v[field] holds a value */
	uint64_t nulls; /**< bit per field with DRG_FF_NULL: given as null */
	bool deleted; /**< only the identity counts; the record is (to be) removed */
	union drg_value v[DRG_F_COUNT]; /**< only fields in `has` are initialised */
};

static inline bool drg_record_has(const struct drg_record *r, enum drg_field f)
{
	return (r->has >> f & 1) != 0;
}

static inline void drg_record_init(struct drg_record *r, const struct drg_type *type)
{
	r->type = type;
	r->has = 0;
	r->nulls = 0;
	r->deleted = false;
}

static inline void drg_record_set_i(struct drg_record *r, enum drg_field f, int64_t i)
{
	assert((unsigned)f < DRG_F_COUNT);
	r->v[f].i = i;
	r->has |= UINT64_C(1) << f;
}

static inline void drg_record_set_d(struct drg_record *r, enum drg_field f, double d)
{
	assert((unsigned)f < DRG_F_COUNT);
	r->v[f].d = d;
	r->has |= UINT64_C(1) << f;
}

static inline void drg_record_set_s(struct drg_record *r, enum drg_field f, struct drg_str s)
{
	assert((unsigned)f < DRG_F_COUNT);
	r->v[f].s = s;
	r->has |= UINT64_C(1) << f;
}

/** The text of a field, or an empty string (p NULL) when it is absent. */
static inline struct drg_str drg_record_s(const struct drg_record *r, enum drg_field f)
{
	return drg_record_has(r, f) ? r->v[f].s : drg_str(NULL, 0);
}

/** The integer of a field, or @p dflt when it is absent. */
static inline int64_t drg_record_i(const struct drg_record *r, enum drg_field f, int64_t dflt)
{
	return drg_record_has(r, f) ? r->v[f].i : dflt;
}

/** The kind of a record; DRG_KIND_NONE for types without kinds. */
static inline enum drg_kind drg_record_kind(const struct drg_record *r)
{
	return drg_record_has(r, DRG_F_KIND) ? (enum drg_kind)r->v[DRG_F_KIND].i : DRG_KIND_NONE;
}

/** Does the value kept in struct drg_record live in `s`? */
static inline bool drg_value_is_text(enum drg_value_type t)
{
	return t >= DRG_V_SRCID;
}

/** Is there a word for this value of a DRG_V_ENUM field? A store that others wrote to may have any number. */
bool drg_word_exists(const struct drg_field_def *f, int64_t i);
/** Is each DRG_V_ENUM value of a record one for which there is a word? @return NULL, or the first field where
 * not. */
const struct drg_field_def *drg_record_find_unknown_enum(const struct drg_record *r);

/** Does a field have the same value in both records of one type, or is it absent from both? */
bool drg_record_field_eq(const struct drg_field_def *f, const struct drg_record *a,
                         const struct drg_record *b);

/** Same type, deletion, fields and values? */
bool drg_record_eq(const struct drg_record *a, const struct drg_record *b);

/** Copy @p src with every text it borrows into @p a. @return DRG_OK or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_record_copy(struct drg_arena *a, const struct drg_record *src, struct drg_record *ret);

/** "source 7 hotel 1001": type and identity for messages, into @p buf (cut when longer). Returns @p buf. */
const char *drg_record_label(const struct drg_record *r, char *buf, size_t n);

/**
 * A compact binary form, for spool files between the steps of an import: private to one process.
 * drg_record_unpack() borrows its texts from @p bytes.
 * @return bytes used, 0 when @p n is too short to hold a record.
 */
void drg_record_pack(const struct drg_record *r, struct drg_buf *out);
size_t drg_record_unpack(const char *bytes, size_t n, struct drg_record *ret);
/** One value in that form. */
void drg_value_pack(enum drg_value_type vtype, const union drg_value *v, struct drg_buf *out);
void drg_value_unpack(enum drg_value_type vtype, struct drg_packed *u, union drg_value *ret);
