/* The follower's notes about the commit that the catalog shows and its history, and the questions about
 * them. */
#include "server/follower_priv.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bound.h"
#include "base/clock.h"
#include "server/branch.h"

/* Read the branches of the store that begin at @p from or later. */
static int read_branches(struct drg_store *store, int64_t from, struct drg_branches *ret, struct drg_err *err)
{
	struct drg_branches some = { .n = 0 };
	unsigned room = DRG_ARRAY_LEN(((struct drg_follower_position *)0)->branches);
	int rc = DRG_OK;
	do {
		room *= 2;
		free(some.v);
		some.v = calloc(room, sizeof *some.v);
		rc = some.v != NULL ? drg_store_branches(store, from, some.v, room, &some.n, err)
		                    : drg_fail_memory(err);
	} while (rc == DRG_OK && some.n == room);
	if (rc == DRG_OK)
		*ret = some;
	else
		free(some.v);
	return rc;
}

/* Append the known branches to the new ones. The last new branch is the newest @p known one, read again: if
 * the two are equal, all branches before them are equal. */
static int add_known(struct drg_branches *some, const struct drg_branches *known, struct drg_err *err)
{
	assert(some->n > 0 && known->n > 0);
	unsigned n = some->n - 1 + known->n;
	struct drg_branch *v = realloc(some->v, n * sizeof *v);
	if (v == NULL)
		return drg_fail_memory(err);
	memcpy(v + some->n - 1, known->v, known->n * sizeof *v);
	*some = (struct drg_branches){ v, n };
	return DRG_OK;
}

/* Get every branch of the store. Only new ones are read: each opening for writing leaves one. */
static int read_new_branches(struct drg_store *store, const struct drg_branches *known,
                             struct drg_branches *ret, struct drg_err *err)
{
	struct drg_branches some = { .n = 0 };
	int64_t from = known->n > 0 ? known->v[0].seq : 0;
	int rc = read_branches(store, from, &some, err);
	const struct drg_branch *last = some.n > 0 ? &some.v[some.n - 1] : NULL;
	bool same =
	        last != NULL && known->n > 0 && last->seq == known->v[0].seq && last->id == known->v[0].id;
	if (rc == DRG_OK && same)
		rc = add_known(&some, known, err);
	if (rc == DRG_OK && !same && from > 0) {
		free(some.v);
		return read_branches(store, 0, ret, err);
	}
	if (rc == DRG_OK)
		*ret = some;
	else
		free(some.v);
	return rc;
}

void drg_follower_note_commit(struct drg_follower *f, const struct drg_clock *clock,
                              const struct drg_branches *all)
{
	assert(all->n == 0 || all->v != NULL);
	assert(all->n < 2 || all->v[0].seq >= all->v[1].seq); /* the newest first */
	struct drg_follower_position now = { .clock = *clock, .n = DRG_ARRAY_LEN(now.branches) };
	now.n = all->n < now.n ? all->n : now.n;
	if (now.n > 0)
		memcpy(now.branches, all->v, now.n * sizeof *now.branches);
	pthread_mutex_lock(&f->worker.lock);
	struct drg_branch *old = f->branches.v;
	f->followed = now;
	f->branches = *all;
	pthread_mutex_unlock(&f->worker.lock);
	if (old != all->v)
		free(old);
}

int drg_follower_note_shown(struct drg_follower *f, const struct drg_clock *clock, struct drg_err *err)
{
	const struct drg_clock *was = &f->followed.clock;
	bool same =
	        f->branches.n > 0 && clock->branch == was->branch && strcmp(clock->epoch, was->epoch) == 0;
	struct drg_branches all = { .n = 0 };
	int rc = DRG_OK;
	if (same)
		all = f->branches;
	else
		rc = read_new_branches(f->store, &f->branches, &all, err);
	drg_follower_note_commit(f, clock, &all);
	return rc;
}

void drg_follower_read_position(struct drg_follower *f, struct drg_follower_position *ret)
{
	pthread_mutex_lock(&f->worker.lock);
	*ret = f->followed;
	pthread_mutex_unlock(&f->worker.lock);
}

bool drg_follower_position_has(const struct drg_follower_position *x, const struct drg_clock *commit)
{
	unsigned i = 0;
	while (i < x->n && x->branches[i].seq > commit->seq)
		i++;
	int64_t branch = i < x->n ? x->branches[i].id : 0;
	return strcmp(x->clock.epoch, commit->epoch) == 0 && x->clock.seq >= commit->seq &&
	       branch == commit->branch;
}

/* The branch of the commit @p seq; @p all is sorted, newest first. */
static int64_t branch_of(const struct drg_branches *all, int64_t seq)
{
	size_t at;
	DRG_BOUND(at, all->n, i, all->v[i].seq > seq);
	return at < all->n ? all->v[at].id : 0;
}

enum drg_reached drg_follower_reached(struct drg_follower *f, const struct drg_data_version *v)
{
	pthread_mutex_lock(&f->worker.lock);
	struct drg_clock commit = f->followed.clock;
	bool behind = commit.epoch[0] == '\0' || commit.seq < v->seq;
	commit.branch = branch_of(&f->branches, v->seq);
	pthread_mutex_unlock(&f->worker.lock);
	return behind                                                      ? DRG_NOT_YET_REACHED
	       : drg_history_of(commit.epoch, commit.branch) == v->history ? DRG_REACHED
	                                                                   : DRG_OTHER_HISTORY;
}

/* Is a server that is behind the catalog only late? The connection may lead to another server by now. If that
 * one stays behind, it was restored to an earlier state. */
static bool is_only_late(struct drg_follower *f, const struct drg_clock *clock)
{
	static const int64_t LATE_NS = 10 * DRG_SECOND_NS;
	bool behind = clock->copy && clock->seq < f->followed.clock.seq &&
	              strcmp(clock->epoch, f->followed.clock.epoch) == 0;
	int64_t now = drg_clock_ns();
	if (!behind)
		f->behind_since_ns = 0;
	else if (f->behind_since_ns == 0)
		f->behind_since_ns = now;
	return behind && now - f->behind_since_ns < LATE_NS;
}

int drg_follower_find_history(struct drg_follower *f, const struct drg_clock *clock, bool *ret_same,
                              struct drg_err *err)
{
	int64_t branch = clock->branch;
	int rc = DRG_OK;
	if (is_only_late(f, clock)) {
		*ret_same = true;
		return DRG_OK;
	}
	*ret_same = strcmp(clock->epoch, f->followed.clock.epoch) == 0 && clock->seq >= f->followed.clock.seq;
	if (*ret_same && branch != f->followed.clock.branch)
		rc = drg_store_branch_at(f->store, f->followed.clock.seq, &branch, err);
	*ret_same = *ret_same && rc == DRG_OK && branch == f->followed.clock.branch;
	return rc;
}
