/* Who matches new records, and how far. */
#include "store/matching.h"

#include "base/clock.h"
#include "store/sqlite/sqlite_priv.h"

static int sqlite_matching_read(struct drg_store *s, struct drg_matching *ret, int64_t *ret_left_us,
                                struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(s, ONCE_MATCHING, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int step = sqlite3_step(st);
	if (step == SQLITE_ROW) {
		*ret_left_us = sqlite3_column_int64(st, 1) - drg_wall_us();
		*ret = (struct drg_matching){ .holder = sqlite3_column_int64(st, 0),
			                      .place = { .seq = sqlite3_column_int64(st, 2),
			                                 .type = (unsigned)sqlite3_column_int64(st, 3),
			                                 .row = sqlite3_column_int64(st, 4) } };
	} else {
		/* The row is made with its table and never removed. */
		rc = drg_sqlite_fail(s, step == SQLITE_DONE ? SQLITE_CORRUPT : step, reterr);
	}
	sqlite3_reset(st);
	return rc;
}

static int sqlite_matching_write(struct drg_txn *t, const struct drg_matching *m, int64_t lease_us,
                                 struct drg_err *reterr)
{
	sqlite3_stmt *st;
	const int64_t numbers[] = { m->holder, drg_wall_us() + lease_us, m->place.seq, m->place.type,
		                    m->place.row };
	int rc = drg_sqlite_once(t->head.store, ONCE_MATCHING_SET, &st, reterr), bound = SQLITE_OK;
	if (rc != DRG_OK)
		return rc;
	for (int i = 0; i < (int)DRG_ARRAY_LEN(numbers) && bound == SQLITE_OK; i++)
		bound = sqlite3_bind_int64(st, i + 1, numbers[i]);
	return drg_sqlite_run_bound(t->head.store, st, bound, reterr);
}

const struct drg_matching_ops drg_sqlite_matching_ops = { sqlite_matching_read, sqlite_matching_write };
