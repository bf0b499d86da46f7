/* src/store/store_priv.h
 * What the files of the store that are the same for every engine share. */
#pragma once
#include "store/engine.h"

static inline struct drg_store_head *drg_store_head(struct drg_store *s)
{
	return (struct drg_store_head *)s;
}

static inline struct drg_txn_head *drg_txn_head(struct drg_txn *t)
{
	return (struct drg_txn_head *)t;
}

/** A handle that was lent is closed. @param lent_url  Its own, which is freed; NULL: it was not lent. */
void drg_store_lent_ended(char *lent_url);

/** drg_store_set_timeout(); 0: it was not called. */
unsigned drg_store_timeout(void);
/** Has drg_store_stop() been called? */
bool drg_store_stops(void);

/** A store of an older schema is to be upgraded. @return DRG_OK; DRG_ELIMIT: drg_store_set_upgrade() said
 * no. */
DRG_MUSTCHECK
int drg_store_may_upgrade(const char *place, int64_t from, int64_t to, struct drg_err *reterr);
/** It was. @param copy  Where it is as it was; NULL: nowhere. */
void drg_store_log_upgraded(const char *place, int64_t from, int64_t to, const char *copy);
/** A handle finds that a newer program has upgraded what it has open (decision D9). Returns DRG_ENOENT: it is
 * of no use. */
int drg_store_outgrown(const char *place, struct drg_err *reterr);

/** The fields of a record against its type and kind. Values were checked where they came in.
 * @return DRG_OK, DRG_EINVAL. */
DRG_MUSTCHECK
int drg_store_check_fields(const struct drg_record *r, bool identity_only, struct drg_err *reterr);

/** May the transaction go on? After a failure the engine may have undone everything by itself; going on would
 * write outside the transaction. @return DRG_OK, or the rc of the failure. */
DRG_MUSTCHECK
int drg_txn_usable(const struct drg_txn_head *h, struct drg_err *reterr);

/** Note what a call of the engine that changes something has given. Returns @p rc. */
int drg_txn_note_write(struct drg_txn_head *h, int rc);

/** Count what becomes of a row. @param was  NULL: nothing. */
DRG_MUSTCHECK
int drg_txn_count(struct drg_txn *t, const struct drg_record *was, const struct drg_record *is,
                  struct drg_err *reterr);
/** Count a source about which people come to be asked. */
DRG_MUSTCHECK
int drg_txn_count_asked(struct drg_txn *t, int64_t adapter, enum drg_kind kind, struct drg_err *reterr);
/** The day that counts are kept under: days since 1970, of the commit. */
int64_t drg_txn_day(const struct drg_txn *t);
/** Write what was counted. */
DRG_MUSTCHECK
int drg_txn_counts_end(struct drg_txn *t, struct drg_err *reterr);

/** Begin a snapshot, unless the handle's own transaction is one, or one is held. @param ret_clock  May be
 * NULL. */
DRG_MUSTCHECK
int drg_store_snapshot(struct drg_store *s, struct drg_clock *ret_clock, struct drg_err *reterr);
void drg_store_snapshot_end(struct drg_store *s);
