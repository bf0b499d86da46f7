#include "matching/desk/filter.h"

#include <assert.h>

#include "base/bound.h"
#include "base/clock.h"
#include "store/restore.h"

/* Commits from seq on were made at this second or later. */
struct queue_moment {
	int64_t at, seq;
};

static int queue_take_moment(void *ctx, int64_t at, int64_t seq)
{
	struct drg_buf *moments = ctx;
	const struct queue_moment m = { at, seq };
	drg_buf_add(moments, &m, sizeof m);
	return moments->rc;
}

int drg_queue_moments_read(struct drg_store *s, struct drg_queue_order *q, struct drg_err *reterr)
{
	int rc = drg_store_each_moment(s, queue_take_moment, &q->moments, reterr);
	return rc == DRG_ENOMEM ? drg_fail_memory(reterr) : rc;
}

/* The first commit that was not made before then. */
static int64_t queue_seq_since(const struct drg_queue_order *q, int64_t us)
{
	const struct queue_moment *m = (const struct queue_moment *)(const void *)q->moments.p;
	size_t n = q->moments.n / sizeof *m, at;
	DRG_BOUND(at, n, i, m[i].at < us / 1000000);
	return at < n ? m[at].seq : INT64_MAX;
}

struct drg_queue_sieve drg_queue_sieve(const struct drg_queue_order *q, const struct drg_queue_filter *f,
                                       uint64_t group)
{
	assert(f->later >= -1 && f->later <= 1);
	struct drg_queue_sieve s = { .min_version = INT64_MIN,
		                     .city = f->city,
		                     .above = f->above,
		                     .suggested = f->suggested,
		                     .group = group,
		                     .assigned = f->assigned.n > 0 ? drg_queue_person(q, f->assigned) : 0,
		                     .who = drg_queue_person(q, f->who),
		                     .later = f->later,
		                     .now_us = drg_wall_us() };
	if (f->since_us != INT64_MIN)
		s.min_version = queue_seq_since(q, f->since_us);
	s.nothing = (f->assigned.n > 0 && s.assigned == 0) || (f->later == 1 && s.who == 0);
	s.looks = s.min_version != INT64_MIN || s.city != INT64_MIN || s.above > 0 || s.suggested >= 0 ||
	          s.group != 0 || s.assigned != 0 || (s.later >= 0 && s.who != 0);
	return s;
}

bool drg_queue_passes(const struct drg_queue_order *q, const struct drg_queue_sieve *s,
                      const struct drg_open_case *c)
{
	return !s->nothing && (s->min_version == INT64_MIN || c->version >= s->min_version) &&
	       (s->city == INT64_MIN || c->city == s->city) && c->likely >= s->above &&
	       (s->suggested < 0 || s->suggested == c->suggested) &&
	       (s->group == 0 || c->group == s->group) && (s->assigned == 0 || c->assigned == s->assigned) &&
	       (s->later < 0 || s->who == 0 ||
	        drg_queue_is_later(q, c, s->who, s->now_us) == (s->later == 1));
}
