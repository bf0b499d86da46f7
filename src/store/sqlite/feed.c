/* The feed of one type. It takes two statements: a single one for "behind this row" would read all rows of
 * the commit. */
#include "store/sqlite/sqlite_priv.h"

#include <assert.h>

int drg_sqlite_feed_begin(struct drg_store *s, const struct drg_type *t, int64_t seq, int64_t row,
                          struct drg_err *reterr)
{
	struct sqlite_feed *f = &s->feed[t->id];
	bool rest = row != INT64_MAX;
	*f = (struct sqlite_feed){ .next_seq = rest ? seq : INT64_MAX };
	int rc = drg_sqlite_of_type(s, t, rest ? TYPE_FEED_REST : TYPE_FEED, &f->st, reterr);
	if (rc != DRG_OK)
		return rc;
	sqlite3_bind_int64(f->st, 1, seq);
	if (rest)
		sqlite3_bind_int64(f->st, 2, row);
	return DRG_OK;
}

int drg_sqlite_feed_next(struct drg_store *s, const struct drg_type *t, int64_t *ret_seq,
                         struct drg_err *reterr)
{
	struct sqlite_feed *f = &s->feed[t->id];
	assert(f->st != NULL);
	int step = sqlite3_step(f->st);
	if (step == SQLITE_DONE && f->next_seq != INT64_MAX) {
		sqlite3_reset(f->st);
		int rc = drg_sqlite_feed_begin(s, t, f->next_seq, INT64_MAX, reterr);
		if (rc != DRG_OK)
			return rc;
		step = sqlite3_step(f->st);
	}
	if (step != SQLITE_ROW && step != SQLITE_DONE)
		return drg_sqlite_fail(s, step, reterr);
	*ret_seq = step == SQLITE_ROW ? sqlite3_column_int64(f->st, COL_SEQ) : INT64_MAX;
	return DRG_OK;
}

int drg_sqlite_feed_row(struct drg_store *s, const struct drg_type *t, struct drg_stored *ret,
                        struct drg_err *reterr)
{
	sqlite3_stmt *st = s->feed[t->id].st;
	assert(st != NULL);
	ret->row = sqlite3_column_int64(st, COL_ROW);
	return drg_sqlite_read_row(s, st, t, &ret->r, &ret->m, reterr);
}

void drg_sqlite_feed_end(struct drg_store *s, const struct drg_type *t)
{
	sqlite3_reset(s->feed[t->id].st);
	s->feed[t->id].st = NULL;
}
