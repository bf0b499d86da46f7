/* src/import/ident.h
 * What a record defines, removes and refers to, as small entries of a refset.
 *
 * Each record that can be referred to has a 128-bit ident. The idents of dict records, adapters and air
 * places are exact: they contain the id. The ident of any other record is a hash of its identity. An entry is
 * an ident, a role, and the place in the spool of the record that it comes from. */
#pragma once
#include <assert.h>
#include <stdbool.h>
#include "model/ndjson.h"
#include "import/refset.h"

struct drg_ident {
	uint64_t hi, lo;
};

/** The roles, in the order in which the entries of one ident are read back: definitions and removals before
 * needs. */
enum drg_role {
	DRG_ROLE_DEFINE,
	DRG_ROLE_DEFINE_KEEPING, /**< likewise, and a stored mapping stays (dict_id was not given) */
	DRG_ROLE_REMOVE,
	DRG_ROLE_HOLD, /**< a stored record refers to a removed one */
	DRG_ROLE_REDIRECT, /**< a redirect replaces a dict record */
	DRG_ROLE_NEED
};

static inline bool drg_ident_eq(struct drg_ident a, struct drg_ident b)
{
	return a.hi == b.hi && a.lo == b.lo;
}

/** Order of idents in a refset: <0, 0, >0. */
static inline int drg_ident_cmp(struct drg_ident a, struct drg_ident b)
{
	if (a.hi != b.hi)
		return a.hi < b.hi ? -1 : 1;
	return a.lo < b.lo ? -1 : a.lo > b.lo;
}

static inline struct drg_refset_entry drg_entry(struct drg_ident k, enum drg_role role, uint64_t at)
{
	assert(at >> 56 == 0); /* a larger place would change the role */
	return (struct drg_refset_entry){ k.hi, k.lo, (uint64_t)role << 56 | at };
}

static inline struct drg_ident drg_entry_ident(const struct drg_refset_entry *e)
{
	return (struct drg_ident){ e->hi, e->lo };
}

static inline enum drg_role drg_entry_role(const struct drg_refset_entry *e)
{
	return (enum drg_role)(e->tag >> 56);
}

static inline uint64_t drg_entry_at(const struct drg_refset_entry *e)
{
	return e->tag & ((UINT64_C(1) << 56) - 1);
}

/** The ident of a record. */
struct drg_ident drg_ident_of(const struct drg_record *r);
/** The ident of the record that a reference names; arguments as of drg_ref_fn. */
struct drg_ident drg_ident_of_ref(int ref, int64_t id, struct drg_str text);

/**
 * Get the record that an ident stands for: type and identity fields.
 * @return false: the ident is a hash.
 */
bool drg_ident_record(struct drg_ident k, struct drg_record *ret);

/** The ident of the value of a DRG_FF_UNIQUE field: two records with equal idents clash. */
struct drg_ident drg_ident_of_value(const struct drg_record *r, const struct drg_field_def *f);

/** Idents that were needed lately, so that the adapter of a million records is noted a few times, not a
 * million times. */
struct drg_ident_cache {
	struct drg_ident place[4096];
};
void drg_ident_cache_clear(struct drg_ident_cache *c);

/**
 * Append the entries of a record (struct drg_refset_entry) to @p out.
 * @param cache  Needs that are in it are left out.
 * @param at     Place of the record in the spool, below 2^56.
 * @param out    Its rc tells whether memory ran out.
 */
void drg_ident_entries(const struct drg_record *r, uint64_t at, struct drg_ident_cache *cache,
                       struct drg_buf *out);
