/* Transactions.
 *
 * A writer first takes a table lock, whose waiters queue; so a busy writer lets others in, which a row lock
 * does not. Under the table lock the clock's row is locked too: the numbers of commits depend on the row lock
 * alone. The table lock makes this handle the only writer, so the seq of a transaction is known at its
 * beginning, and rows that were looked up stay true. The clock is written at the end, and only if
 * something changed. */
#include <assert.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/checksum.h"
#include "base/lockfile.h"
#include "store/migration.h"
#include "store/moments_priv.h"
#include "store/postgres/ops_priv.h"
#include "store/store_priv.h"

/* ---- the clock ------------------------------------------------------------------------------------------ */

enum {
	CLOCK_SEQ,
	CLOCK_EPOCH,
	CLOCK_BRANCH,
	CLOCK_COPY,
	CLOCK_SCHEMA,
	CLOCK_XID,
	CLOCK_SYSTEM,
	CLOCK_WAL_FILE
};

int drg_pg_take_clock(const struct drg_store *s, const PGresult *res, struct drg_clock *ret,
                      struct drg_err *reterr)
{
	if (PQntuples(res) != 1)
		return drg_fail(reterr, DRG_ECORRUPT, NULL, NULL,
		                "the store %s has lost the row of dragoman.clock: restore it from a backup",
		                s->place);
	if (drg_pg_i(res, 0, CLOCK_SCHEMA) > drg_postgres_n_migrations)
		return drg_store_outgrown(s->place, reterr);
	struct drg_str epoch = drg_pg_s(res, 0, CLOCK_EPOCH);
	ret->seq = drg_pg_i(res, 0, CLOCK_SEQ);
	snprintf(ret->epoch, sizeof ret->epoch, "%.*s", DRG_STR_ARG(epoch));
	ret->branch = drg_pg_i(res, 0, CLOCK_BRANCH);
	ret->copy = drg_pg_i(res, 0, CLOCK_COPY) != 0;
	return DRG_OK;
}

int drg_pg_clock(struct drg_store *s, struct drg_clock *ret, struct drg_err *reterr)
{
	PGresult *res;
	if (s->head.txn != NULL || s->in_snapshot) {
		*ret = s->head.txn != NULL ? s->txn.clock : s->snapshot;
		return DRG_OK;
	}
	int rc = drg_pg_run(s, PG_CLOCK, NULL, &res, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_pg_take_clock(s, res, ret, reterr);
	PQclear(res);
	return rc;
}

/* ---- begin ---------------------------------------------------------------------------------------------- */

void drg_pg_roll_back(struct drg_store *s)
{
	(void)!drg_pg_idle(s, NULL);
	if (!drg_pg_broken(s) && PQtransactionStatus(s->conn) != PQTRANS_IDLE)
		(void)!drg_pg_run(s, PG_ROLLBACK, NULL, NULL, NULL);
}

static int pg_send_begin(struct drg_store *s, struct drg_err *reterr)
{
	const unsigned patience_ms = drg_lockfile_timeout(), set = drg_store_timeout(),
	               spare_ms = set > 0 ? set : 60000;
	static const enum pg_once steps[] = { PG_BEGIN_WRITE, PG_SETTINGS, PG_LOCK_WRITERS, PG_BEGIN_CLOCK };
	char timeout[32], lock[32];
	int rc = DRG_OK;
	struct pg_params none = { 0 }, settings = { 0 };
	snprintf(timeout, sizeof timeout, "%ums", patience_ms + spare_ms);
	snprintf(lock, sizeof lock, "%ums", patience_ms);
	drg_pg_param_s(&settings, drg_str_c(timeout));
	drg_pg_param_s(&settings, drg_str_c(lock));
	/* Prepare all statements before the first is sent: preparing one behind the lock statement would wait
	 * for the lock, without an end. */
	for (size_t i = 0; i < DRG_ARRAY_LEN(steps) && rc == DRG_OK; i++)
		rc = drg_pg_prepare(s, drg_pg_once(s, steps[i]), steps[i] == PG_SETTINGS ? &settings : &none,
		                    reterr);
	for (size_t i = 0; i < DRG_ARRAY_LEN(steps) && rc == DRG_OK; i++)
		rc = drg_pg_queue(s, drg_pg_once(s, steps[i]), steps[i] == PG_SETTINGS ? &settings : &none,
		                  reterr);
	return rc;
}

/* Fail with DRG_EBUSY and the holder of the lock. */
static int pg_is_locked(struct drg_store *s, struct drg_err *reterr)
{
	char holder[160];
	drg_pg_holder(s, PG_LOCK_OF_WRITERS, holder, sizeof holder);
	return drg_fail(reterr, DRG_EBUSY, DRG_R(locked), NULL,
	                "the store %s is held by %s: try again when that has ended, or wait longer with "
	                "--lock-timeout",
	                s->place, holder);
}

/* On a server that took over, the same seq can mean another commit: the next commit begins a branch. */
static int pg_note_server(struct drg_store *s, const PGresult *res, struct drg_err *reterr)
{
	s->is.system = drg_pg_i(res, 0, CLOCK_SYSTEM);
	s->is.timeline = drg_pg_timeline_of(drg_pg_s(res, 0, CLOCK_WAL_FILE));
	int64_t is[] = { s->is.system, s->is.timeline }, server = (int64_t)drg_checksum(is, sizeof is, 0);
	if (server != s->server)
		s->head.branched = false;
	s->server = server;
	return drg_pg_timeline_note(&s->is, s->conn) ? DRG_OK : drg_pg_in_place(s, reterr);
}

/* Report why the transaction has not begun. */
static int pg_begin_failed(struct drg_store *s, int rc, struct drg_err *reterr)
{
	drg_pg_roll_back(s);
	if (s->gave_up_ms > 0)
		return rc;
	if (drg_pg_broken(s))
		return drg_pg_in_place(s, reterr);
	return rc == DRG_EBUSY ? pg_is_locked(s, reterr) : rc;
}

int drg_pg_begin(struct drg_store *s, struct drg_txn **ret, struct drg_err *reterr)
{
	PGresult *res = NULL;
	assert(s->writes);
	int rc = drg_pg_in_place(s, reterr);
	s->patience = PG_FOR_READS;
	if (rc == DRG_OK)
		rc = pg_send_begin(s, reterr);
	/* The answers arrive when the lock is granted, or the server reports a timeout. A server that does
	 * not answer, or is too late for a patience that was shortened meanwhile, is given up. */
	if (rc == DRG_OK)
		rc = drg_pg_collect_for(s, PG_FOR_LOCKS, &res, reterr);
	if (rc == DRG_OK)
		rc = drg_pg_take_clock(s, res, &s->txn.clock, reterr);
	if (rc == DRG_OK)
		rc = pg_note_server(s, res, reterr);
	if (rc != DRG_OK) {
		PQclear(res);
		return pg_begin_failed(s, rc, reterr);
	}
	drg_pg_rows_clear(s);
	s->txn.wanted = false;
	s->txn.unheard_rc = DRG_OK;
	s->txn.looked_ns = drg_clock_ns();
	s->txn.head.number = drg_pg_i(res, 0, CLOCK_XID);
	s->txn.head.server = s->server;
	PQclear(res);
	*ret = &s->txn;
	return DRG_OK;
}

/* Ask the server now and then whether another process waits. A yes holds until the transaction ends. */
bool drg_pg_wanted(const struct drg_txn *t)
{
	static const int64_t LOOK_NS = 10 * INT64_C(1000000);
	struct drg_store *s = t->head.store;
	int64_t now = drg_clock_ns();
	PGresult *res;
	if (s->txn.wanted || now - s->txn.looked_ns < LOOK_NS)
		return s->txn.wanted;
	s->txn.looked_ns = now;
	/* The statement ends a COPY of rows in progress, which can fail: the next call reports it. */
	int rc = drg_pg_run(s, PG_WANTED, NULL, &res, &s->txn.unheard);
	if (rc != DRG_OK && s->txn.unheard_rc == DRG_OK)
		s->txn.unheard_rc = rc;
	if (rc == DRG_OK) {
		s->txn.wanted = drg_pg_i(res, 0, 0) != 0;
		PQclear(res);
	}
	return s->txn.wanted;
}

/* ---- end ------------------------------------------------------------------------------------------------ */

void drg_pg_rollback(struct drg_txn *t)
{
	struct drg_store *s = t->head.store;
	drg_pg_rows_clear(s);
	drg_pg_roll_back(s);
}

static int pg_send_commit(struct drg_store *s, int64_t seq, int64_t branch, int64_t at,
                          struct drg_err *reterr)
{
	const struct drg_branch begins = { seq, branch };
	struct pg_params clock = { 0 };
	int rc = drg_pg_rows_flush(s, reterr);
	if (rc == DRG_OK)
		rc = drg_pg_suggested_flush(s, reterr);
	drg_pg_param_i(&clock, seq);
	if (rc == DRG_OK && seq > 0)
		rc = drg_pg_queue(s, drg_pg_once(s, PG_SET_CLOCK), &clock, reterr);
	if (rc == DRG_OK && branch != 0)
		rc = drg_side_put(&s->txn, DRG_SIDE_BRANCH, &begins, reterr);
	if (rc == DRG_OK && seq > 0)
		rc = drg_moment_write(&s->txn, at, seq, reterr);
	if (rc == DRG_OK && seq > 0)
		rc = drg_pg_queue(s, drg_pg_once(s, PG_NOTIFY), NULL, reterr);
	return rc == DRG_OK ? drg_pg_queue(s, drg_pg_once(s, PG_COMMIT), NULL, reterr) : rc;
}

int drg_pg_commit(struct drg_txn *t, int64_t seq, int64_t branch, int64_t at, struct drg_err *reterr)
{
	struct drg_store *s = t->head.store;
	struct drg_err err = { 0 };
	PGresult *res = NULL;
	int rc = drg_pg_timeline_is_over(&s->is) ? drg_pg_in_place(s, &err)
	                                         : pg_send_commit(s, seq, branch, at, &err);
	bool asked = rc == DRG_OK;
	/* A commit that waits for an absent standby lasts until that is back; statement_timeout does not end
	 * it. So after a while its answer counts as lost. It holds the writers' lock until it ends. */
	if (asked)
		rc = drg_pg_collect_for(s, PG_FOR_COMMITS, &res, &err);
	s->patience = PG_FOR_READS; /* an unhurried transaction ends here */
	/* COMMIT of a failed transaction rolls it back without an error. */
	assert(rc != DRG_OK || strcmp(PQcmdStatus(res), "COMMIT") == 0);
	PQclear(res);
	drg_pg_rows_clear(s);
	if (rc == DRG_OK)
		return DRG_OK;
	drg_pg_roll_back(s);
	if (asked && drg_pg_broken(s))
		return drg_fail(reterr, DRG_EIO, NULL, NULL,
		                "%.500s; whether the last transaction is stored is unknown", err.message);
	if (reterr != NULL)
		*reterr = err;
	return rc;
}

/* ---- a commit that failed ------------------------------------------------------------------------------- */

static int pg_xact_status(struct drg_store *s, int64_t number, enum drg_outcome *ret, struct drg_err *reterr)
{
	struct pg_params p = { 0 };
	PGresult *res;
	drg_pg_param_i(&p, number);
	int rc = drg_pg_run(s, PG_XACT_STATUS, &p, &res, reterr);
	if (rc != DRG_OK)
		return rc;
	struct drg_str status = drg_pg_s(res, 0, 0);
	*ret = drg_str_eq(status, DRG_STR("committed")) ? DRG_OUTCOME_STORED
	       : drg_str_eq(status, DRG_STR("aborted")) ? DRG_OUTCOME_LOST
	                                                : DRG_OUTCOME_UNKNOWN;
	PQclear(res);
	return DRG_OK;
}

/* Find out the outcome of a transaction. We have the writers' lock, so it has ended. On the server where it
 * ran, its status tells how. On a server that took over, its number may be that of another transaction; there
 * only a clock that stands before its seq tells. */
static int pg_resolve_commit(struct drg_txn *t, const struct drg_txn_mark *mark, enum drg_outcome *ret,
                             struct drg_err *reterr)
{
	struct drg_store *s = t->head.store;
	const struct drg_clock *now = &s->txn.clock;
	*ret = DRG_OUTCOME_UNKNOWN;
	if (strcmp(now->epoch, mark->before.epoch) != 0)
		return DRG_OK;
	if (mark->number != 0 && mark->server == s->server)
		return pg_xact_status(s, mark->number, ret, reterr);
	if (mark->seq > 0 && now->seq < mark->seq)
		*ret = DRG_OUTCOME_LOST;
	return DRG_OK;
}

/* Commit once more: then the earlier commit has reached all servers that synchronous replication asks for. */
int drg_pg_resolve_commit(struct drg_store *s, const struct drg_txn_mark *mark, enum drg_outcome *ret,
                          struct drg_err *reterr)
{
	enum drg_outcome outcome;
	struct drg_txn *t;
	struct pg_params p = { 0 };
	int rc = drg_store_begin(s, &t, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = pg_resolve_commit(t, mark, &outcome, reterr);
	drg_pg_param_i(&p, s->txn.clock.seq);
	if (rc == DRG_OK)
		rc = drg_pg_queue(s, drg_pg_once(s, PG_SET_CLOCK), &p, reterr);
	if (rc != DRG_OK) {
		drg_txn_rollback(t);
		return rc;
	}
	rc = drg_txn_commit(t, NULL, reterr);
	if (rc == DRG_OK)
		*ret = outcome;
	return rc;
}
