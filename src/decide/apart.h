/* src/decide/apart.h
 * "Not the same" (decision M33): a person has said that a supplier's record is not a certain dict record. The
 * matcher obeys it, and a person who merges the two later gets a warning. A dict record that was merged into
 * another counts as that one. */
#pragma once
#include "decide/verb.h"
#include "match/tally.h"

/**
 * Remove the statement about the source and the dict record that now has the id @p live; that record is
 * suggested again.
 * @param ret  Was there such a statement?
 * @return DRG_OK; errors of the store.
 */
DRG_MUSTCHECK
int drg_not_same_remove(struct drg_verb_run *x, int64_t live, bool *ret, struct drg_err *reterr);

/** Update the suggestions after the undoing of a batch has put or removed a not_same record. */
DRG_MUSTCHECK
int drg_apart_suggest(struct drg_txn *t, const struct drg_record *not_same, struct drg_err *reterr);

/** Get the dict ids that a source is not, as people have said; ids of merged records are replaced.
 * @param source  adapter_id, kind, id.
 * @param ret  int64_t each. */
DRG_MUSTCHECK
int drg_not_same_of_source(struct drg_store *s, const struct drg_record *source, struct drg_buf *ret,
                           struct drg_err *reterr);

/** Count the sources of FROM and INTO which people have said are not the other record. A merge would put both
 * together. */
DRG_MUSTCHECK
int drg_not_same_count_merge(struct drg_store *s, enum drg_kind kind, int64_t from, int64_t into,
                             uint64_t *ret, struct drg_err *reterr);

/** Count all statements by drg_not_same_key(). */
DRG_MUSTCHECK
int drg_not_same_count_all(struct drg_store *s, struct drg_tally *ret, struct drg_err *reterr);
uint64_t drg_not_same_key(int64_t adapter, enum drg_kind kind, struct drg_str id, int64_t dict_id);
