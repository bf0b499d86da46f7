/* Which commits are of which time. */
#include "base/clock.h"
#include "store/moments_priv.h"

static const int64_t SECOND_US = 1000000;

static int64_t seconds_of(int64_t us)
{
	return us / SECOND_US - (us % SECOND_US < 0);
}

int64_t drg_moments_thin_before(int64_t at)
{
	static const int64_t EVERY = 1024;
	return at % EVERY == 0 ? at - DRG_MOMENTS_FINE : 0;
}

int drg_store_seq_before(struct drg_store *s, int64_t us, int64_t *ret, int64_t *ret_since,
                         struct drg_err *reterr)
{
	/* Those who thin have clocks of their own. */
	static const int64_t SLACK = 86400;
	struct drg_moments m;
	struct drg_clock clock;
	int64_t asked = seconds_of(us), at = asked, now = seconds_of(drg_wall_us());
	if (at < now - DRG_MOMENTS_FINE + SLACK)
		at -= ((at % 3600) + 3600) % 3600;
	int rc = drg_store_snapshot(s, &clock, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_store_head(s)->ops->moments(s, at, &m, reterr);
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
