/* src/model/record.h
 * One record of any type: a place for every field, and a bit that says whether it is there. */
#pragma once
#include "base/arena.h"

#include <assert.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/packed.h"
#include "model/model.h"

/** A value of a field; the field's value type says which member is used, see model.h. Strings are
 * borrowed. */
union drg_value {
	int64_t i;
	double d;
	struct drg_str s;
};

struct drg_record {
	const struct drg_type *type;
	uint64_t has; /**< drg_field_bit() of each field that has a value */
	uint64_t nulls; /**< those of fields with DRG_FF_NULL that were given as null */
	bool deleted; /**< only the identity counts; the record is (to be) removed */
	/** By drg_field_index(); only fields in `has` are initialised. The number of a field of several types
	 * is its index: v[DRG_F_ID]. For all others, and for variables, use the functions below
	 * (tools/lint_fields.py). */
	union drg_value v[DRG_F_COUNT];
};

static inline void drg_record_init(struct drg_record *r, const struct drg_type *type)
{
	r->type = type;
	r->has = 0;
	r->nulls = 0;
	r->deleted = false;
}

/* ---- by number ------------------------------------------------------------------------------------------
 * These functions assert that the field is one of several types, or of the record's type. */

/** Can a record of this type be asked for the field? */
static inline bool drg_record_allows(const struct drg_record *r, enum drg_field f)
{
	const unsigned owner = (unsigned)f >> DRG_FIELD_INDEX_BITS;
	return owner == 0 ? (unsigned)f < DRG_F_OWN : r->type == &drg_types[owner - 1];
}

static inline bool drg_record_has(const struct drg_record *r, enum drg_field f)
{
	assert(drg_record_allows(r, f));
	return (r->has >> drg_field_index(f) & 1) != 0;
}

static inline void drg_record_set_i(struct drg_record *r, enum drg_field f, int64_t i)
{
	assert(drg_record_allows(r, f));
	r->v[drg_field_index(f)].i = i;
	r->has |= drg_field_bit(f);
}

static inline void drg_record_set_d(struct drg_record *r, enum drg_field f, double d)
{
	assert(drg_record_allows(r, f));
	r->v[drg_field_index(f)].d = d;
	r->has |= drg_field_bit(f);
}

static inline void drg_record_set_s(struct drg_record *r, enum drg_field f, struct drg_str s)
{
	assert(drg_record_allows(r, f));
	r->v[drg_field_index(f)].s = s;
	r->has |= drg_field_bit(f);
}

/** Remove the value of a field. */
static inline void drg_record_unset(struct drg_record *r, enum drg_field f)
{
	assert(drg_record_allows(r, f));
	r->has &= ~drg_field_bit(f);
}

/** The text of a field, or an empty string (p NULL) when it is absent. */
static inline struct drg_str drg_record_s(const struct drg_record *r, enum drg_field f)
{
	return drg_record_has(r, f) ? r->v[drg_field_index(f)].s : drg_str(NULL, 0);
}

/** The integer of a field, or @p dflt when it is absent. */
static inline int64_t drg_record_i(const struct drg_record *r, enum drg_field f, int64_t dflt)
{
	return drg_record_has(r, f) ? r->v[drg_field_index(f)].i : dflt;
}

/** The real number of a field, or @p dflt when it is absent. */
static inline double drg_record_d(const struct drg_record *r, enum drg_field f, double dflt)
{
	return drg_record_has(r, f) ? r->v[drg_field_index(f)].d : dflt;
}

/* ---- by definition --------------------------------------------------------------------------------------
 * For loops over the table of the record's type, where an assertion in every step would cost time: @p f is a
 * row of that table. */

static inline bool drg_record_has_value(const struct drg_record *r, const struct drg_field_def *f)
{
	return (r->has >> drg_field_index(f->field) & 1) != 0;
}

/** The value of a field that drg_record_has_value(). */
static inline const union drg_value *drg_record_value(const struct drg_record *r,
                                                      const struct drg_field_def *f)
{
	return &r->v[drg_field_index(f->field)];
}

static inline void drg_record_set_value(struct drg_record *r, const struct drg_field_def *f,
                                        union drg_value v)
{
	r->v[drg_field_index(f->field)] = v;
	r->has |= drg_field_bit(f->field);
}

/** The place of a field's value, for a function that writes it there. The caller adds drg_field_bit() to
 * `has`. */
static inline union drg_value *drg_record_room(struct drg_record *r, const struct drg_field_def *f)
{
	return &r->v[drg_field_index(f->field)];
}

/** Was it given as null? */
static inline bool drg_record_is_null(const struct drg_record *r, const struct drg_field_def *f)
{
	return (r->nulls >> drg_field_index(f->field) & 1) != 0;
}

/* ---- a whole record ------------------------------------------------------------------------------------- */

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
