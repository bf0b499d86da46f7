/* src/store/fetch.h
 * Small look-ups in a store: one record, and where a dict record lives. Nothing here begins or ends a
 * transaction. */
#pragma once
#include "store/store.h"

/** The stored record with the identity of @p key, copied into @p arena. @return DRG_OK, DRG_ENOENT, or an
 * error. */
DRG_MUSTCHECK
int drg_fetch(struct drg_store *s, const struct drg_record *key, struct drg_arena *arena,
              struct drg_record *ret, struct drg_err *reterr);

/**
 * The id under which a dict record lives: its own, or that of the record which it was merged into.
 * @return DRG_OK; DRG_ENOENT: there is none, as the message says.
 */
DRG_MUSTCHECK
int drg_resolve(struct drg_store *s, enum drg_kind kind, int64_t id, int64_t *ret, struct drg_err *reterr);
