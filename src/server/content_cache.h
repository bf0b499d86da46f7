/* src/server/content_cache.h
 * A cache of rows of hotels, up to a limit; the least recently used go first. For server/content.h, which
 * says which rows. Every function may be called from any thread. */
#pragma once
#include "model/record.h"

struct drg_content_cache;

/** Rows of one hotel: immutable, shared by all who hold them. */
struct drg_hotel_rows;

/** The row of a type; @p ret borrows from @p rows. @return false: there is none. */
bool drg_hotel_row(const struct drg_hotel_rows *rows, enum drg_type_id type, struct drg_record *ret);
/** The seq of the newest of the rows. */
int64_t drg_hotel_rows_seq(const struct drg_hotel_rows *rows);
/** Release the rows; NULL is fine. */
void drg_hotel_rows_release(struct drg_hotel_rows *rows);

enum { DRG_HOTEL_KEY_MAX = 8 + 4 * DRG_CHARS_ID }; /**< adapter, then the longest id of a supplier */

/** The key of a hotel. */
struct drg_hotel_key {
	uint64_t hash;
	size_t n;
	char bytes[DRG_HOTEL_KEY_MAX];
};

/** @param max_bytes  0: nothing is kept. */
DRG_MUSTCHECK
int drg_content_cache_new(size_t max_bytes, struct drg_content_cache **ret, struct drg_err *reterr);
/** Rows that are held stay until they are released. NULL is fine. */
void drg_content_cache_free(struct drg_content_cache *c);

/** Make the key of a supplier's hotel. */
void drg_hotel_key_orig(const struct drg_content_cache *c, int64_t adapter, struct drg_str hotel,
                        struct drg_hotel_key *ret);
/** Make the key of a hotel of the common reference. */
void drg_hotel_key_common(const struct drg_content_cache *c, int64_t dict, struct drg_hotel_key *ret);

/**
 * Find the rows of a hotel; the caller holds them. NULL: not cached.
 * @param max_seq  Newer rows are not returned: the catalog does not show yet what belongs to them.
 * @param ret_mark  May be NULL; to be given to drg_content_cache_put() with rows that are read from now on.
 */
struct drg_hotel_rows *drg_content_cache_find(struct drg_content_cache *c, const struct drg_hotel_key *k,
                                              int64_t max_seq, unsigned *ret_mark);

/**
 * Make the rows of a hotel from what was read, and cache them, unless the hotel was forgotten since @p mark:
 * then they may be outdated.
 * @param packed  Of drg_record_pack(), one after the other; may be empty.
 * @return The rows, held for the caller even if they are not cached; NULL: no memory.
 */
struct drg_hotel_rows *drg_content_cache_put(struct drg_content_cache *c, const struct drg_hotel_key *k,
                                             unsigned mark, int64_t seq, struct drg_str packed);

void drg_content_cache_remove(struct drg_content_cache *c, const struct drg_hotel_key *k);
void drg_content_cache_clear(struct drg_content_cache *c);
