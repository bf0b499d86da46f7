/* The times of commits. */
#include "base/clock.h"
#include "store/moments_priv.h"
#include "store/restore.h"
#include "store/side_priv.h"
#include "store/store_priv.h"

/* For this many seconds each second keeps its row; before that, only the first row of each hour is kept. */
enum { MOMENTS_FINE = 31 * 86400 };

static const int64_t SECOND_US = 1000000;

static int64_t seconds_of(int64_t us)
{
	return us / SECOND_US - (us % SECOND_US < 0);
}

int drg_moment_write(struct drg_txn *t, int64_t at, int64_t seq, struct drg_err *reterr)
{
	static const int64_t EVERY = 1024;
	const struct drg_side_values v = { 2, { drg_side_i(at), drg_side_i(seq) } },
	                             fine = { 1, { drg_side_i(at - MOMENTS_FINE) } };
	const struct drg_side_ops *ops = drg_side_ops(drg_txn_store(t));
	if (at <= drg_store_head(drg_txn_store(t))->moment)
		return DRG_OK; /* the store has a row of this second or a later one */
	int rc = ops->run(t, DRG_SIDE_MOMENT_NEW, &v, NULL, reterr);
	return rc == DRG_OK && at % EVERY == 0 ? ops->run(t, DRG_SIDE_MOMENTS_THIN, &fine, NULL, reterr) : rc;
}

struct moments_reading {
	drg_moment_fn *fn;
	void *ctx;
};

static int moments_read(void *ctx, const void *row)
{
	const struct moments_reading *x = ctx;
	const struct drg_moment *m = row;
	return x->fn(x->ctx, m->at, m->seq);
}

int drg_store_each_moment(struct drg_store *s, drg_moment_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct moments_reading x = { fn, ctx };
	return drg_store_each_side(s, DRG_SIDE_MOMENT, moments_read, &x, reterr);
}

static int moments_take(void *ctx, const void *row)
{
	*(struct drg_moments *)ctx = *(const struct drg_moments *)row;
	return DRG_OK;
}

int drg_store_seq_before(struct drg_store *s, int64_t us, int64_t *ret, int64_t *ret_since,
                         struct drg_err *reterr)
{
	/* Servers that thin out rows have different clocks. */
	static const int64_t SLACK = 86400;
	struct drg_moments m;
	struct drg_clock clock;
	int64_t asked = seconds_of(us), at = asked, now = seconds_of(drg_wall_us());
	if (at < now - MOMENTS_FINE + SLACK)
		at -= ((at % 3600) + 3600) % 3600;
	int rc = drg_store_snapshot(s, &clock, reterr);
	if (rc != DRG_OK)
		return rc;
	const struct drg_side_values v = { 1, { drg_side_i(at) } };
	rc = drg_side_ops(s)->each(s, DRG_SIDE_MOMENTS_OF, &v, moments_take, &m, reterr);
	drg_store_snapshot_end(s);
	if (rc != DRG_OK)
		return rc;
	if (ret_since != NULL)
		*ret_since = m.first_at * SECOND_US;
	if (asked < m.first_at && m.first_seq > 1)
		return DRG_ENOENT;
	*ret = m.next_seq > 0 && m.next_seq <= clock.seq ? m.next_seq - 1 : clock.seq;
	return DRG_OK;
}
