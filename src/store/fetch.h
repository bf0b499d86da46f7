/* src/store/fetch.h
 * Small look-ups in a store: one record, and where a dict record lives. Nothing here begins or ends a
 * transaction. */
#pragma once
#include "store/store.h"

/** Get the stored record with the identity of @p key, copied into @p arena. @return DRG_OK, DRG_ENOENT, or an
 * error. */
DRG_MUSTCHECK
int drg_fetch(struct drg_store *s, const struct drg_record *key, struct drg_arena *arena,
              struct drg_record *ret, struct drg_err *reterr);

/**
 * Find the present id of a dict record: its own, or that of the record that it was merged into.
 * @return DRG_OK; DRG_ENOENT: no such record; the message says so.
 */
DRG_MUSTCHECK
int drg_resolve(struct drg_store *s, enum drg_kind kind, int64_t id, int64_t *ret, struct drg_err *reterr);
