/* src/decide/reference/dict_name.h
 * Names that come back with their batch (decisions M28, M41). */
#pragma once
#include "decide/history.h"

/**
 * A record of the reference was put as it was before the decisions of a batch: a dict_event for each language
 * whose name is another.
 * @param was    Before that.
 * @param a      Who takes it back, and why.
 * @param arena  Room.
 */
DRG_MUSTCHECK
int drg_dict_names_restored(struct drg_txn *t, const struct drg_record *was, const struct drg_record *is,
                            const struct drg_audit *a, struct drg_arena *arena, struct drg_err *reterr);
