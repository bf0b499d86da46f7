/* src/catalog/source_priv.h
 * The record of a source in the heap: 32 bytes, its id and its name. */
#pragma once
#include "catalog/catalog_priv.h"
#include "catalog/hash_priv.h"

/** How many interned fragments a source has; other sources of its supplier share them. */
enum { DRG_SHARED_MAX = 3 };

enum {
	DRG_SOURCE_RESORT = 1,
	DRG_SOURCE_ID_ESCAPES = 2 /**< the id cannot stand in JSON as it is (rare) */
};

/** Only the links of a record change: a source that changes is written again, elsewhere. A replaced record
 * keeps its `next`, so a reader that stands on it can go on. */
struct drg_source_rec {
	_Atomic drg_ref next; /**< the next source of the adapter with the same dict */
	drg_ref prev; /**< the source before it in the chain; only the writer uses it */
	drg_handle dict;
	drg_ref shared[DRG_SHARED_MAX]; /**< interned fragments, see source.c */
	uint16_t adapter, id_n, name_n;
	uint8_t kind, flags;
	char text[]; /**< the id without escapes, then the name with JSON's escapes */
};

/** A record that the writer may change. */
static inline struct drg_source_rec *drg_source_rec_own(struct drg_catalog *c, drg_ref ref)
{
	return ref != DRG_NO_REF ? drg_heap_at(&c->heap, ref) : NULL;
}

static inline const struct drg_source_rec *drg_source_rec_at(const struct drg_catalog *c, drg_ref ref)
{
	return ref != DRG_NO_REF ? drg_heap_at(&c->heap, ref) : NULL;
}

struct drg_source_key {
	uint32_t adapter; /**< number of the adapter in the catalog */
	enum drg_kind kind;
	struct drg_str id;
};

static inline uint32_t drg_source_tag(const struct drg_catalog *c, const struct drg_source_key *k)
{
	return drg_tag(c->seed, (uint64_t)k->adapter << 8 | k->kind, k->id.p, k->id.n);
}

/** Begin the look-up of a source. */
static inline struct drg_probe drg_source_probe(const struct drg_catalog *c, const struct drg_source_key *k)
{
	return drg_table_probe(&c->by_id, drg_source_tag(c, k));
}

static inline bool drg_source_is(const struct drg_source_rec *rec, const struct drg_source_key *k)
{
	return rec->adapter == k->adapter && rec->kind == k->kind && rec->id_n == k->id.n &&
	       memcmp(rec->text, k->id.p, k->id.n) == 0;
}

/** Continue a look-up until the key is found; DRG_NO_REF: it is missing. */
static inline drg_ref drg_source_match(const struct drg_catalog *c, const struct drg_source_key *k,
                                       struct drg_probe *at)
{
	drg_ref ref;
	do
		ref = drg_probe_next(at);
	while (ref != DRG_NO_REF && !drg_source_is(drg_source_rec_at(c, ref), k));
	return ref;
}

/** The next source in its chain; DRG_NO_REF at the end. */
static inline drg_ref drg_source_next(const struct drg_source_rec *rec)
{
	return atomic_load_explicit(&rec->next, memory_order_acquire);
}

/* Chains of the sources with one dict (link.c). Those that change them are for the writer. */
/** Prefetch the chain of a dict record. */
void drg_link_prefetch(const struct drg_catalog *c, uint32_t adapter, drg_handle dict);
/** Prefetch the first source of a chain, whose slot has arrived. */
void drg_link_prefetch_first(const struct drg_catalog *c, uint32_t adapter, drg_handle dict);
/** The first source of a chain, or DRG_NO_REF, and its place in the table. */
drg_ref drg_link_first(const struct drg_catalog *c, uint32_t adapter, drg_handle dict, struct drg_probe *at);
/** Add a mapped record to its chain. @return true: the dict record had no source of this adapter before. */
bool drg_link_add(struct drg_catalog *c, struct drg_source_rec *rec);
/** Remove a mapped record from its chain. @return true: the dict record has no source of this adapter left. */
bool drg_link_remove(struct drg_catalog *c, struct drg_source_rec *rec);
/** Replace @p from by @p to, which has the same adapter and dict record. */
void drg_link_replace(struct drg_catalog *c, struct drg_source_rec *from, struct drg_source_rec *to);

/** Add the layout of the shared fragments to @p hash, the hash of an image's layout. */
uint64_t drg_source_layout(uint64_t hash);

void drg_source_fill(const struct drg_catalog *c, const struct drg_source_rec *rec, struct drg_source *ret);
