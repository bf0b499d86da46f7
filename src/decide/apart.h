/* src/decide/apart.h
 * "Not the same" (decision M33): a person has said that a supplier's record is not a dict record. The matcher
 * obeys it, and whoever puts the two together later is told. A dict record that was merged into another
 * counts as that one. */
#pragma once
#include "decide/verb.h"
#include "match/tally.h"

/**
 * Forget what was said of the source and the dict record that lives as @p live, which is suggested again.
 * @param ret  Was it said?
 * @return DRG_OK; errors of the store.
 */
DRG_MUSTCHECK
int drg_apart_forget(struct drg_verb_run *x, int64_t live, bool *ret, struct drg_err *reterr);

/** What is suggested, after a not_same record was put, or removed, by the undoing of a batch. */
DRG_MUSTCHECK
int drg_apart_suggest(struct drg_txn *t, const struct drg_record *not_same, struct drg_err *reterr);

/** What a source was said not to be: dict ids, as they live now. @param source  adapter_id, kind, id. @param
 * ret  int64_t each. */
DRG_MUSTCHECK
int drg_apart_of_source(struct drg_store *s, const struct drg_record *source, struct drg_buf *ret,
                        struct drg_err *reterr);

/** Of how many sources of FROM and INTO, which a merge would put together, was said that they are not the
 * other one? */
DRG_MUSTCHECK
int drg_apart_of_merge(struct drg_store *s, enum drg_kind kind, int64_t from, int64_t into, uint64_t *ret,
                       struct drg_err *reterr);

/** All that was said: counted by drg_apart_key(). */
DRG_MUSTCHECK
int drg_apart_all(struct drg_store *s, struct drg_tally *ret, struct drg_err *reterr);
uint64_t drg_apart_key(int64_t adapter, enum drg_kind kind, struct drg_str id, int64_t dict_id);
