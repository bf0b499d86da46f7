/* src/store/store_priv.h
 * Shared by the files of the store that are the same for every engine. */
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

/** Free the place of a lent handle that is closed. @param lent_url  Its URL, is freed; NULL: not lent. */
void drg_store_lent_ended(char *lent_url);

/** The value of drg_store_set_timeout(); 0: it was not called. */
unsigned drg_store_timeout(void);
/** Has drg_store_stop() been called? */
bool drg_store_stops(void);

/** May a store with an older schema be upgraded? @return DRG_OK; DRG_ELIMIT: drg_store_set_upgrade() said
 * no. */
DRG_MUSTCHECK
int drg_store_may_upgrade(const char *place, int64_t from, int64_t to, struct drg_err *reterr);
/** True if drg_store_set_upgrade() forbids upgrades. */
bool drg_store_upgrade_refused(void);
/** Report that a store was upgraded. @param copy  Path of the copy made before; NULL: no copy. */
void drg_store_log_upgraded(const char *place, int64_t from, int64_t to, const char *copy);
/** The number of rows that a repair has shortened. */
struct drg_repaired {
	unsigned ids; /**< ids of countries */
	unsigned dropped; /**< of these: records that were removed, because another record has the short id */
	unsigned texts; /**< names and notes of keys */
};
/** Report a repair of a store's rows. */
void drg_store_log_repaired(const char *place, const struct drg_repaired *n);
/** Fail because a newer program has upgraded the store that a handle has open (decision D9). Returns
 * DRG_ENOENT: the handle is of no use. */
int drg_store_outgrown(const char *place, struct drg_err *reterr);

/** Check that the fields of a record to look up belong to its type and kind. The values are not checked.
 * @return DRG_OK, DRG_EINVAL. */
DRG_MUSTCHECK
int drg_store_check_fields(const struct drg_record *r, bool identity_only, struct drg_err *reterr);

/** May the transaction continue? After a failure the engine may have rolled back by itself; further calls
 * would write outside the transaction. @return DRG_OK, or the rc of the failure. */
DRG_MUSTCHECK
int drg_txn_usable(const struct drg_txn_head *h, struct drg_err *reterr);

/** Note the result of an engine call that changes something. Returns @p rc. */
int drg_txn_note_write(struct drg_txn_head *h, int rc);

/** Count the change of a row. @param was  NULL: there was no row. */
DRG_MUSTCHECK
int drg_txn_count(struct drg_txn *t, const struct drg_record *was, const struct drg_record *is,
                  struct drg_err *reterr);
/** Count a source that becomes an open question for people. */
DRG_MUSTCHECK
int drg_txn_count_asked(struct drg_txn *t, int64_t adapter, enum drg_kind kind, struct drg_err *reterr);
/** The day under which changes are counted: days since 1970, at the commit. */
int64_t drg_txn_day(const struct drg_txn *t);
/** Write the changes of counts. */
DRG_MUSTCHECK
int drg_txn_counts_end(struct drg_txn *t, struct drg_err *reterr);

/** Begin a snapshot, unless the handle's own transaction is one, or one is held. @param ret_clock  May be
 * NULL. */
DRG_MUSTCHECK
int drg_store_snapshot(struct drg_store *s, struct drg_clock *ret_clock, struct drg_err *reterr);
void drg_store_snapshot_end(struct drg_store *s);

/** Begin to read the rows of a type that a statement finds, for checks. Frees its text. */
struct drg_rows *drg_rows_query(struct drg_rows *rows, struct drg_store *s, struct drg_buf *sql,
                                const struct drg_type *t, struct drg_err *reterr);

/** Fail with DRG_ENOENT: there is no record of this identity. */
int drg_store_not_there(const struct drg_record *key, struct drg_err *reterr);
