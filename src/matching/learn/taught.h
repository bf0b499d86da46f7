/* src/matching/learn/taught.h
 * People's statements about hotels that the matcher can learn from: that a supplier's record is a dict record
 * (`map set`, `map load`, answers to the queue, judgements of an audit), or that it is not one (decision
 * M33). The matcher's own mappings do not count, nor a dict record that was made from the supplier's: their
 * similarity teaches nothing. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "store/store.h"

struct drg_taught {
	int64_t adapter;
	struct drg_str id; /**< of the source */
	int64_t dict_id; /**< its present id */
	bool same; /**< false: they are not the same */
};

struct drg_teaching {
	struct drg_arena texts;
	/** struct drg_taught, ascending by adapter and id; the right record of a source comes first */
	struct drg_buf all;
	size_t n_same, n_apart;
};
void drg_teaching_init(struct drg_teaching *t);
void drg_teaching_done(struct drg_teaching *t);

/**
 * Read all statements of people.
 * @param imported  Mappings that came with an import or load count as statements of people too.
 * @return DRG_OK; DRG_ENOMEM; errors of the store.
 */
DRG_MUSTCHECK
int drg_teaching_read(struct drg_store *s, bool imported, struct drg_teaching *ret, struct drg_err *reterr);

/** The statements about a source: @p ret_n of them, 0: none. */
const struct drg_taught *drg_teaching_of(const struct drg_teaching *t, int64_t adapter, struct drg_str id,
                                         size_t *ret_n);
