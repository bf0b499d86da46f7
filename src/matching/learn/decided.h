/* src/matching/learn/decided.h
 * Tells which suppliers' records people have decided about, and which are open to the matcher. */
#pragma once
#include "match/tally.h"
#include "store/store.h"

/** How open a source that is not mapped is (decisions M30, M36). */
enum drg_automap_openness {
	DRG_AUTOMAP_CLOSED, /**< a person decided about it */
	DRG_AUTOMAP_ASK, /**< a person's decision was undone: it may be suggested, but not mapped */
	DRG_AUTOMAP_ASK_SERVER, /**< its batch was undone: a run may map it again, a server may not */
	DRG_AUTOMAP_OPEN
};

/** Is a source stored, not mapped, and not DRG_AUTOMAP_CLOSED? @return DRG_OK with the record in @p ret;
 * DRG_ENOENT. */
DRG_MUSTCHECK
int drg_automap_find_open(struct drg_store *s, const struct drg_record *key, struct drg_arena *arena,
                          struct drg_record *ret, enum drg_automap_openness *ret_open,
                          struct drg_err *reterr);

/** The openness by its history, whether it is stored or not. */
DRG_MUSTCHECK
int drg_automap_openness(struct drg_store *s, const struct drg_record *key, enum drg_automap_openness *ret,
                         struct drg_err *reterr);

/** Sources that a person has decided about: counted by drg_automap_source_key(). @param ret_ask  Those of them
 * that are DRG_AUTOMAP_ASK, if they are not mapped. */
DRG_MUSTCHECK
int drg_automap_decided(struct drg_store *s, struct drg_tally *ret, struct drg_tally *ret_ask,
                        struct drg_err *reterr);
uint64_t drg_automap_source_key(int64_t adapter, enum drg_kind kind, struct drg_str id);
