/* src/catalog/catalog_priv.h
 * What a catalog consists of, for the files of this folder. */
#pragma once
#include <assert.h>

#include "catalog/air/air_priv.h"
#include "catalog/catalog.h"
#include "catalog/handle_priv.h"
#include "catalog/lang_priv.h"
#include "catalog/small_priv.h"
#include "catalog/fragment_priv.h"

struct drg_key_index;

enum { DRG_COUNTRY_CODES = 36 * 36 };

struct drg_catalog {
	struct drg_heap heap;
	struct drg_retire retire;
	uint64_t seed;

	struct drg_langs langs;
	struct drg_handles handles;
	struct drg_fragments fragments;
	struct drg_table by_id; /**< (adapter, kind, id) -> source */
	struct drg_table by_dict; /**< (adapter, dict handle) -> first source that is mapped to it */

	struct drg_vec adapter_ids; /**< ids of the adapters, by their numbers in the catalog */
	/** number of the adapter that was looked up last: rows of one adapter mostly follow each other */
	uint32_t last_adapter;
	int64_t highest_adapter; /* the highest id of adapter_ids; 0: none */
	struct drg_small adapters, directions, keys, redirects, people, sessions;
	struct drg_air air;
	_Atomic(drg_handle) country_of[DRG_COUNTRY_CODES]; /**< by code, see country.c */
	_Atomic(struct drg_key_index *) key_index;

	bool no_search; /**< from drg_catalog_options */
	bool list_changed; /**< a change since the last publication can show in a reference list */
	_Atomic uint64_t list_version;
	/* The last publication is at[published % 2], so a reader gets history and seq of one publication. */
	_Atomic uint64_t published;
	struct {
		_Atomic uint64_t history;
		_Atomic int64_t seq;
	} at[2];
	_Atomic uint64_t state; /**< odd from the first record that is applied until its publication */
	uint64_t history; /**< history of the next publication */
	_Atomic(const char *) epoch; /**< in the heap */
	_Atomic uint64_t n_sources[DRG_KIND_COUNT], n_dicts[DRG_KIND_COUNT];
};

/** Add to a counter that the writer alone changes. */
static inline void drg_count(_Atomic uint64_t *n, int64_t by)
{
	uint64_t was = atomic_load_explicit(n, memory_order_relaxed);
	assert(by >= 0 || was >= (uint64_t)-by);
	atomic_store_explicit(n, was + (uint64_t)by, memory_order_relaxed);
}

/* One drg_catalog_apply() per type of record. */
DRG_MUSTCHECK
int drg_adapter_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr);
DRG_MUSTCHECK
int drg_direction_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr);
DRG_MUSTCHECK
int drg_key_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr);
DRG_MUSTCHECK
int drg_person_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr);
DRG_MUSTCHECK
int drg_session_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr);
DRG_MUSTCHECK
int drg_dict_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr);
DRG_MUSTCHECK
int drg_redirect_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr);
DRG_MUSTCHECK
int drg_source_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr);

/* The reverse: make a record with the fields that the catalog keeps. */
void drg_adapter_record(const struct drg_adapter *a, struct drg_record *ret);
void drg_direction_record(const struct drg_direction *d, struct drg_record *ret);
DRG_MUSTCHECK
int drg_key_record(const struct drg_key *k, struct drg_arena *arena, struct drg_record *ret);
void drg_person_record(const struct drg_person *p, struct drg_record *ret);
void drg_session_record(const struct drg_session *s, struct drg_record *ret);
DRG_MUSTCHECK
int drg_dict_record(const struct drg_catalog *c, const struct drg_dict *d, struct drg_arena *arena,
                    struct drg_record *ret);
DRG_MUSTCHECK
int drg_source_record(const struct drg_catalog *c, const struct drg_source *s, struct drg_arena *arena,
                      struct drg_record *ret);

/** Call fn for every record of the small tables and of air, like drg_catalog_each(). */
int drg_catalog_each_small(const struct drg_catalog *c, drg_catalog_row_fn *fn, void *ctx);
/** Call fn for every redirect. */
int drg_catalog_redirects_each(const struct drg_catalog *c, drg_catalog_row_fn *fn, void *ctx);

void drg_adapters_init(struct drg_small *s);
void drg_directions_init(struct drg_small *s);
void drg_keys_init(struct drg_small *s);
void drg_people_init(struct drg_small *people, struct drg_small *sessions);
void drg_catalog_redirects_init(struct drg_small *s);

/** Enter a country record into the index by code. */
void drg_country_note(struct drg_catalog *c, const struct drg_record *r);

/** Find the number of an adapter in the catalog. @return false: no record has named it yet. */
bool drg_adapter_find(struct drg_catalog *c, int64_t id, uint32_t *ret);
/** Find the number of an adapter, or give it one if no record has named it yet. @return DRG_OK, DRG_ELIMIT,
 * DRG_EINVAL, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_adapter_index(struct drg_catalog *c, int64_t id, uint32_t *ret, struct drg_err *reterr);

/** Build the index over @p rows of keys, for drg_key_index_publish(). */
DRG_MUSTCHECK
int drg_key_index_new(const struct drg_sorted_rows *rows, struct drg_key_index **ret, struct drg_err *reterr);
void drg_key_index_publish(struct drg_catalog *c, struct drg_key_index *index);
