/* src/store/postgres/ops_priv.h
 * The operations of struct drg_store_ops (store/engine.h) for PostgreSQL, by file. */
#pragma once
#include "store/postgres/postgres_priv.h"

/* rows.c */
int drg_pg_insert(struct drg_txn *t, const struct drg_record *r, const struct drg_row_meta *m,
                  bool *ret_inserted, struct drg_err *reterr);
int drg_pg_update(struct drg_txn *t, int64_t row, const struct drg_record *r, const struct drg_row_meta *m,
                  struct drg_err *reterr);
int drg_pg_load(struct drg_store *s, const struct drg_record *key, struct drg_stored *ret,
                struct drg_err *reterr);
void drg_pg_unload(struct drg_store *s, const struct drg_type *t);
int drg_pg_exists(struct drg_store *s, const struct drg_record *key, struct drg_err *reterr);
int drg_pg_expect(struct drg_txn *t, const struct drg_record *key, struct drg_err *reterr);

/* engine.c */
int drg_pg_in_place(struct drg_store *s, struct drg_err *reterr);

/* txn.c */
int drg_pg_clock(struct drg_store *s, struct drg_clock *ret, struct drg_err *reterr);
/** Take the clock from the result of a statement that reads it. @return DRG_OK; DRG_ECORRUPT: no row; as
 * drg_store_outgrown(). */
DRG_MUSTCHECK
int drg_pg_take_clock(const struct drg_store *s, const PGresult *res, struct drg_clock *ret,
                      struct drg_err *reterr);
int drg_pg_begin(struct drg_store *s, struct drg_txn **ret, struct drg_err *reterr);
/** Roll back a transaction or snapshot, if the connection still works. */
void drg_pg_roll_back(struct drg_store *s);
int drg_pg_commit(struct drg_txn *t, int64_t seq, int64_t branch, int64_t at, struct drg_err *reterr);
void drg_pg_rollback(struct drg_txn *t);
bool drg_pg_wanted(const struct drg_txn *t);
int drg_pg_resolve_commit(struct drg_store *s, const struct drg_txn_mark *mark, enum drg_outcome *ret,
                          struct drg_err *reterr);

/* lock.c */
int drg_pg_lock_imports(struct drg_store *s, struct drg_err *reterr);
void drg_pg_unlock_imports(struct drg_store *s);
/** Find the holder of a lock, PG_LOCK_OF_..., for messages. The connection must be idle. */
void drg_pg_holder(struct drg_store *s, const char *table, const char *mode, char *to, size_t n);

/* read.c */
int drg_pg_snapshot(struct drg_store *s, struct drg_err *reterr);
void drg_pg_snapshot_end(struct drg_store *s);
int drg_pg_scan(struct drg_rows *q, const struct drg_type *t, struct drg_err *reterr);
int drg_pg_query(struct drg_rows *q, struct drg_buf *sql, const struct drg_type *t, struct drg_err *reterr);
int drg_pg_rows_next(struct drg_rows *q, struct drg_err *reterr);
int drg_pg_rows_end(struct drg_rows *q, struct drg_err *reterr);
/** How many rows to ask for next, so that memory is bounded whatever the size of rows. */
int drg_pg_page(const PGresult *last);
/** Take in the next rows of a scan, which were requested ahead. */
DRG_MUSTCHECK
int drg_pg_take_ahead(struct drg_store *s, struct drg_err *reterr);
int drg_pg_among(struct drg_rows *q, const struct drg_record *key, const struct drg_str *ids, size_t n,
                 struct drg_err *reterr);
int drg_pg_siblings(struct drg_rows *q, const struct drg_record *key, unsigned limit, struct drg_err *reterr);
int drg_pg_referrers(struct drg_rows *q, const struct drg_type *t, const struct drg_field_def *f,
                     struct drg_err *reterr);
int drg_pg_counts(struct drg_store *s, const struct drg_type *t, drg_count_fn *fn, void *ctx,
                  struct drg_err *reterr);
int drg_pg_check(struct drg_store *s, const struct drg_clock *clock, drg_finding_fn *fn, void *ctx,
                 struct drg_err *reterr);

/* listen.c */
int drg_pg_listen(struct drg_store *s, struct drg_err *reterr);
int drg_pg_await_news(struct drg_store *s, int wake, unsigned ms, bool *ret_news, struct drg_err *reterr);

/* feed.c */
int drg_pg_feed_begin(struct drg_store *s, const struct drg_type *t, int64_t seq, int64_t row,
                      struct drg_err *reterr);
int drg_pg_feed_next(struct drg_store *s, const struct drg_type *t, int64_t *ret_seq, struct drg_err *reterr);
int drg_pg_feed_row(struct drg_store *s, const struct drg_type *t, struct drg_stored *ret,
                    struct drg_err *reterr);
void drg_pg_feed_end(struct drg_store *s, const struct drg_type *t);
