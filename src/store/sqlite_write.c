#include "store/sqlite_priv.h"

#include <assert.h>
#include <stdio.h>

/* Writing.
 *
 * Every transaction and every checkpoint runs under the lock file: SQLite before 3.51.3 (Debian 12 has 3.40) can
 * lose data when one connection writes while another resets the log (sqlite.org/wal.html#walresetbug). The lock
 * is let go between a commit and its checkpoint, so that who waits, waits for one of the two, not for both.
 *
 * The lock makes us the only writer, so the seq of a transaction is known at its beginning; the clock row is
 * written at the end, and only if something changed. */

/* 16 MiB of log: a checkpoint of that size stays well below 100 ms on a plain disk. */
enum { CHECKPOINT_PAGES = 2048 };

int drg_sqlite_begin(struct drg_store *s, struct drg_txn **ret, struct drg_err *reterr)
{
	assert(s->lock != NULL && !s->in_txn);
	struct drg_clock clock = { 0 };
	int rc = drg_lockfile_lock(s->lock, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_sqlite_run(s, ONCE_BEGIN_WRITE, reterr);
	if (rc == DRG_OK)
		rc = drg_sqlite_clock(s, &clock, reterr);
	s->in_txn = true;
	s->txn = (struct drg_txn){ .head = s->head, .store = s, .seq = clock.seq + 1 };
	if (rc == DRG_OK)
		*ret = &s->txn;
	else
		drg_sqlite_rollback(&s->txn);
	return rc;
}

int64_t drg_sqlite_txn_seq(const struct drg_txn *t)
{
	return t->changed ? t->seq : 0;
}

static int64_t seq_if(bool changed, int64_t seq, int64_t old)
{
	return changed ? seq : old;
}

/* The record as parameters of TYPE_INSERT or TYPE_UPDATE: all but the row. */
static int bind_row(sqlite3_stmt *st, const struct drg_record *r, const struct drg_row_meta *m,
                    unsigned first)
{
	sqlite3_bind_int(st, COL_DELETED + 1, r->deleted);
	sqlite3_bind_int64(st, COL_SEQ + 1, m->seq);
	sqlite3_bind_int64(st, COL_CREATED_SEQ + 1, m->created_seq);
	sqlite3_bind_int64(st, COL_DATA_SEQ + 1, m->data_seq);
	sqlite3_bind_int64(st, COL_MAPPED_SEQ + 1, m->mapped_seq);
	int rc = SQLITE_OK;
	for (unsigned i = first; i < r->type->n_fields && rc == SQLITE_OK; i++)
		rc = drg_sqlite_bind(st, COL_FIELDS + (int)i + 1, &r->type->fields[i], r);
	return rc;
}

int drg_sqlite_run_change(struct drg_store *s, sqlite3_stmt *st, int bound, struct drg_err *reterr)
{
	int rc = bound == SQLITE_OK ? sqlite3_step(st) : bound;
	sqlite3_reset(st);
	return rc == SQLITE_DONE ? DRG_OK : drg_sqlite_fail(s, rc, reterr);
}

/* Insert, unless the identity is there already, be it as a tombstone. */
static int insert(struct drg_txn *t, const struct drg_record *r, bool *ret_inserted, struct drg_err *reterr)
{
	struct drg_store *s = t->store;
	sqlite3_stmt *st;
	int rc = drg_sqlite_of_type(s, r->type, TYPE_INSERT, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	bool mapped = drg_record_has(r, DRG_F_DICT_ID);
	struct drg_row_meta m = { t->seq, t->seq, t->seq, seq_if(mapped, t->seq, 0) };
	rc = drg_sqlite_run_change(s, st, bind_row(st, r, &m, 0), reterr);
	if (rc == DRG_OK)
		*ret_inserted = sqlite3_changes(s->db) > 0;
	return rc;
}

/* What will be stored: a tombstone keeps only its identity, a record the fields it is silent about. */
static void complete(struct drg_record *next, const struct drg_record *old)
{
	for (unsigned i = 0; i < next->type->n_fields; i++) {
		const struct drg_field_def *f = &next->type->fields[i];
		uint64_t bit = UINT64_C(1) << f->field;
		if (next->deleted && (f->flags & DRG_FF_ID) == 0) {
			next->has &= ~bit;
		} else if ((f->flags & DRG_FF_KEEP) != 0 && ((next->has | next->nulls) & bit) == 0) {
			next->has |= old->has & bit;
			next->v[f->field] = old->v[f->field];
		}
	}
}

/* Compare and move the seqs of @p m on. */
static enum drg_put_result change(const struct drg_record *old, const struct drg_record *next, int64_t seq,
                                  struct drg_row_meta *m)
{
	bool data = old->deleted != next->deleted, mapping = false;
	for (unsigned i = 0; i < next->type->n_fields; i++) {
		const struct drg_field_def *f = &next->type->fields[i];
		if (!drg_record_same(f, old, next))
			*(f->field == DRG_F_DICT_ID ? &mapping : &data) = true;
	}
	if (!data && !mapping)
		return DRG_PUT_SAME;
	bool created = old->deleted && !next->deleted;
	*m = (struct drg_row_meta){ seq, seq_if(created, seq, m->created_seq), seq_if(data, seq, m->data_seq),
		                    seq_if(mapping, seq, m->mapped_seq) };
	return next->deleted ? DRG_PUT_DELETED : created ? DRG_PUT_CREATED : DRG_PUT_CHANGED;
}

static int update(struct drg_store *s, int64_t row, const struct drg_record *r, const struct drg_row_meta *m,
                  struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_of_type(s, r->type, TYPE_UPDATE, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	sqlite3_bind_int64(st, COL_ROW + 1, row);
	return drg_sqlite_run_change(s, st, bind_row(st, r, m, drg_sqlite_n_identity(r->type)), reterr);
}

/* Change the row that has this identity. */
static int change_stored(struct drg_txn *t, const struct drg_record *r, bool *ret_found,
                         enum drg_put_result *ret, struct drg_err *reterr)
{
	struct drg_store *s = t->store;
	struct drg_record old, next;
	struct drg_row_meta m;
	enum drg_put_result result = DRG_PUT_SAME;
	sqlite3_stmt *st;
	int rc = drg_sqlite_of_type(s, r->type, TYPE_FIND, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int step = drg_sqlite_bind_identity(st, r);
	if (step == SQLITE_OK)
		step = sqlite3_step(st);
	if (step == SQLITE_ROW) {
		rc = drg_sqlite_read_row(s, st, r->type, &old, &m, reterr);
		if (rc != DRG_OK)
			goto out;
		next = *r;
		complete(&next, &old);
		result = change(&old, &next, t->seq, &m);
		if (result != DRG_PUT_SAME)
			rc = update(s, sqlite3_column_int64(st, COL_ROW), &next, &m, reterr);
	} else if (step != SQLITE_DONE) {
		rc = drg_sqlite_fail(s, step, reterr);
	}
	if (rc == DRG_OK) {
		*ret_found = step == SQLITE_ROW;
		*ret = result;
	}
out:
	sqlite3_reset(st);
	return rc;
}

/* New records come in runs, and so do known ones: begin with what the last one was. */
static int put(struct drg_txn *t, const struct drg_record *r, enum drg_put_result *ret,
               struct drg_err *reterr)
{
	bool inserted = false, found = false;
	int rc = DRG_OK;
	if (t->store->expect_new && !r->deleted)
		rc = insert(t, r, &inserted, reterr);
	if (rc == DRG_OK && !inserted)
		rc = change_stored(t, r, &found, ret, reterr);
	if (rc == DRG_OK && !inserted && !found && !r->deleted)
		rc = insert(t, r, &inserted, reterr);
	if (rc == DRG_OK && inserted)
		*ret = DRG_PUT_CREATED;
	t->store->expect_new = inserted;
	return rc;
}

/* Insert, or bring a tombstone back to life. */
static int add(struct drg_txn *t, const struct drg_record *r, enum drg_put_result *ret,
               struct drg_err *reterr)
{
	bool inserted = false, found;
	int rc = insert(t, r, &inserted, reterr);
	if (rc == DRG_OK && inserted) {
		*ret = DRG_PUT_CREATED;
		return DRG_OK;
	}
	if (rc == DRG_OK)
		rc = drg_sqlite_exists(t->store, r, reterr);
	return rc == DRG_ENOENT ? change_stored(t, r, &found, ret, reterr) : rc;
}

typedef int write_fn(struct drg_txn *t, const struct drg_record *r, enum drg_put_result *ret,
                     struct drg_err *reterr);

static int write_record(struct drg_txn *t, write_fn *fn, const struct drg_record *r, enum drg_put_result *ret,
                        struct drg_err *reterr)
{
	enum drg_put_result result = DRG_PUT_SAME;
	/* SQLite may have undone everything by itself after an error; going on would write outside the
	 * transaction. */
	if (t->rc == DRG_OK)
		t->rc = fn(t, r, &result, reterr);
	else
		drg_fail(reterr, t->rc, NULL, NULL, "this transaction failed before and can only be undone");
	if (t->rc != DRG_OK)
		return t->rc;
	if (result != DRG_PUT_SAME)
		t->changed = true;
	*ret = result;
	return DRG_OK;
}

int drg_sqlite_put(struct drg_txn *t, const struct drg_record *r, enum drg_put_result *ret,
                   struct drg_err *reterr)
{
	return write_record(t, put, r, ret, reterr);
}

int drg_sqlite_add(struct drg_txn *t, const struct drg_record *r, enum drg_put_result *ret,
                   struct drg_err *reterr)
{
	return write_record(t, add, r, ret, reterr);
}

int drg_sqlite_change(struct drg_txn *t, enum once_stmt which, sqlite3_stmt **ret, struct drg_err *reterr)
{
	if (t->rc == DRG_OK)
		t->rc = drg_sqlite_once(t->store, which, ret, reterr);
	else
		drg_fail(reterr, t->rc, NULL, NULL, "this transaction failed before and can only be undone");
	return t->rc;
}

static void end(struct drg_txn *t)
{
	struct drg_store *s = t->store;
	/* Fails only where SQLite has undone everything already. */
	if (sqlite3_get_autocommit(s->db) == 0)
		(void)!drg_sqlite_run(s, ONCE_ROLLBACK, NULL);
	s->in_txn = false;
	drg_lockfile_unlock(s->lock);
}

void drg_sqlite_rollback(struct drg_txn *t)
{
	end(t);
}

static int write_clock(struct drg_txn *t, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(t->store, ONCE_SET_CLOCK, &st, reterr);
	return rc == DRG_OK ? drg_sqlite_run_change(t->store, st, sqlite3_bind_int64(st, 1, t->seq), reterr)
	                    : rc;
}

/* Move the log into the file. A failure only leaves the log longer: the next commit tries again. */
static void checkpoint_if_due(struct drg_store *s)
{
	if (s->wal_pages < CHECKPOINT_PAGES || drg_lockfile_lock(s->lock, NULL) != DRG_OK)
		return;
	if (sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL) == SQLITE_OK)
		s->wal_pages = 0;
	drg_lockfile_unlock(s->lock);
}

int drg_sqlite_commit(struct drg_txn *t, int64_t *ret_seq, struct drg_err *reterr)
{
	struct drg_store *s = t->store;
	struct drg_err err = { 0 };
	int rc = t->rc;
	if (rc != DRG_OK)
		drg_fail(&err, rc, NULL, NULL, "this transaction failed before: nothing of it was stored");
	else if (t->changed)
		rc = write_clock(t, &err);
	if (rc == DRG_OK) {
		rc = drg_sqlite_run(s, ONCE_COMMIT, &err);
		/* The log may hold it whole, and be found so after a crash. */
		if (rc != DRG_OK && (sqlite3_errcode(s->db) & 0xff) == SQLITE_IOERR)
			rc = drg_fail(&err, DRG_EIO, NULL, NULL,
			              "%.500s; whether the last transaction is stored is unknown",
			              err.message);
	}
	end(t);
	if (rc != DRG_OK) {
		if (reterr != NULL)
			*reterr = err;
		return rc;
	}
	checkpoint_if_due(s);
	if (ret_seq != NULL)
		*ret_seq = t->changed ? t->seq : t->seq - 1;
	return DRG_OK;
}
