/* src/decide/reference/dict_name.h
 * Events of names that are restored with their batch (decisions M28, M41). */
#pragma once
#include "decide/history.h"

/**
 * Write a dict_event for each language in which a name differs, after the undoing of a batch has restored a
 * record of the reference.
 * @param was    The record before that.
 * @param a      The person who undoes it, and the reason.
 * @param arena  Working memory.
 */
DRG_MUSTCHECK
int drg_dict_names_restored(struct drg_txn *t, const struct drg_record *was, const struct drg_record *is,
                            const struct drg_audit *a, struct drg_arena *arena, struct drg_err *reterr);
