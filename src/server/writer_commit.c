/* The writer's transactions: a group of jobs, its commit, and finding out whether a commit that failed is
 * stored. */
#include "server/writer_priv.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "server/writer.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/outage.h"
#include "base/worker.h"
#include "store/lend.h"

void drg_writer_close_store(struct drg_writer *w)
{
	drg_store_close(w->store);
	w->store = NULL;
}

int drg_writer_open_store(struct drg_writer *w, struct drg_err *err)
{
	if (w->store != NULL)
		return DRG_OK;
	int rc = drg_store_open(w->url, DRG_STORE_WRITE, &w->store, err);
	if (rc == DRG_EBUSY) {
		drg_store_close_idle(
		        true); /* give back idle connections, so that the writer always gets one */
		rc = drg_store_open(w->url, DRG_STORE_WRITE, &w->store, err);
	}
	if (rc == DRG_OK && drg_store_remark(w->store)[0] != '\0')
		drg_log(DRG_LOG_WARN, "%s", drg_store_remark(w->store));
	return rc;
}

void drg_writer_note_outage(struct drg_writer *w, int rc, const struct drg_err *err)
{
	bool away = rc == DRG_EIO && !w->is_file &&
	            (w->store == NULL || drg_store_in_place(w->store, NULL) != DRG_OK);
	rc = away ? DRG_ENOENT : rc;
	if (rc != DRG_OK) {
		atomic_store(&w->failed_ns, drg_clock_ns());
		drg_measure_add(&w->failed, 1);
	}
	if (rc == DRG_OK)
		drg_outage_end(&w->outage, "the store can be written again");
	else
		drg_outage_begin(&w->outage, rc, DRG_LOG_ERROR,
		                 "cannot write to the store: %s; requests that write get 503", err->message);
}

/* The messages for clients; the log has the store's own words. */
static const struct {
	int rc;
	const char *word, *message;
} troubles[] = {
	{ DRG_EFULL, "disk_full",
	  "nothing of this request was stored, since the disk of the store is full; try again later" },
	{ DRG_EBUSY, "locked",
	  "nothing of this request was stored, since another process holds the store; try again later" },
	{ DRG_ENOENT, "away",
	  "nothing of this request was stored, since the store is not in its place; try again later" },
	{ DRG_EIO, "failing",
	  /* all other codes */
	  "nothing of this request was stored, since the store failed; try again later" },
};

static size_t trouble_of(int rc)
{
	size_t i = 0;
	while (i + 1 < DRG_ARRAY_LEN(troubles) && troubles[i].rc != rc)
		i++;
	return i;
}

const char *drg_writer_failure(const struct drg_writer *w)
{
	int rc = atomic_load(&w->outage.cause);
	return rc == DRG_OK ? NULL : troubles[trouble_of(rc)].word;
}

int64_t drg_writer_full_ns(const struct drg_writer *w)
{
	return atomic_load(&w->outage.cause) == DRG_EFULL ? atomic_load(&w->failed_ns) : 0;
}

const char *drg_writer_failure_word(size_t i)
{
	return i < DRG_ARRAY_LEN(troubles) ? troubles[i].word : NULL;
}

static void fail_unstored(struct drg_writer *w, struct drg_jobs *list, int rc)
{
	drg_writer_fail_jobs(w, list, DRG_R(not_stored), troubles[trouble_of(rc)].message);
}

/* Did the job fail by itself, and not the store? */
static bool writer_is_own(const struct drg_txn *t, int rc)
{
	return !drg_txn_failed(t) && rc != DRG_EIO && rc != DRG_EFULL && rc != DRG_ECORRUPT;
}

/* Run the jobs of a group. A job that fails without having written does not disturb the others.
 * @return the code of any other failure; @p ret_own: a job failed, not the store. */
static int run_jobs(struct drg_txn *t, const struct drg_jobs *group, bool *ret_own, struct drg_err *err)
{
	for (struct drg_job *j = drg_txn_can_prefetch(t) ? group->first : NULL; j != NULL; j = j->next)
		if (j->expect != NULL && j->expect(j->ctx, t, err) != DRG_OK)
			break; /* jobs run without this too, only slower */
	for (struct drg_job *j = group->first; j != NULL; j = j->next) {
		unsigned long before = drg_txn_writes(t);
		memset(&j->err, 0, sizeof j->err);
		j->rc = j->run(j->ctx, t, &j->err);
		*ret_own = writer_is_own(t, j->rc);
		if (j->rc != DRG_OK && !(*ret_own && drg_txn_writes(t) == before)) {
			*err = j->err;
			return j->rc;
		}
	}
	return DRG_OK;
}

static void writer_await_catalog(struct drg_writer *w, struct drg_jobs *group, const struct drg_clock *commit)
{
	struct drg_jobs over = { 0 };
	int64_t now_ns = drg_clock_ns();
	pthread_mutex_lock(&w->worker.lock);
	while (group->first != NULL) {
		struct drg_job *j = drg_writer_pop(group);
		j->commit = *commit;
		j->since_ns = now_ns;
		drg_measure_add(&w->done, j->rc == DRG_OK);
		drg_writer_push(j->rc == DRG_OK && !j->own ? &w->committed : &over, j);
	}
	bool more = w->queue.first != NULL;
	pthread_mutex_unlock(&w->worker.lock);
	drg_writer_finish_all(w, &over);
	drg_writer_published(w); /* in case the follower has shown the commit already */
	/* Last: a thread that wakes needs the locks of the above. While it shows this commit, this thread can
	 * make the next one. */
	if (more)
		drg_follower_wake(w->o.follower);
	else
		drg_follower_show(w->o.follower);
}

/* Find out whether a commit that failed is stored. If the store was replaced, nobody knows whether the
 * previous one has it, unless the engine can find a transaction again. */
static enum drg_outcome writer_resolve_commit(struct drg_writer *w, const struct drg_txn_mark *mark)
{
	enum drg_outcome outcome = DRG_OUTCOME_UNKNOWN;
	bool same = mark->number != 0 || drg_store_in_place(w->store, NULL) == DRG_OK;
	drg_writer_close_store(w);
	if (!same || drg_writer_open_store(w, NULL) != DRG_OK ||
	    drg_store_resolve_commit(w->store, mark, &outcome, NULL) != DRG_OK)
		return DRG_OUTCOME_UNKNOWN;
	return outcome;
}

/* A commit that is found stored. Without its branch it never counts as shown: close the store then; the
 * clients are told that the commit is stored but not visible yet. */
static void writer_commit_exists(struct drg_writer *w, struct drg_jobs *group,
                                 const struct drg_txn_mark *mark, struct drg_clock *commit)
{
	if (drg_store_branch_at(w->store, commit->seq, &commit->branch, NULL) == DRG_OK)
		drg_follower_expect(w->o.follower, mark->before.seq, commit, mark->types);
	else
		drg_writer_close_store(w);
	writer_await_catalog(w, group, commit);
}

/* Did the engine say that nothing is stored (drg_txn_commit())? A full disk says so too. */
static bool is_lost(int rc, const struct drg_err *err)
{
	return rc != DRG_EIO || drg_reason_find(err->reason) == DRG_R(not_stored);
}

static void fail_commit(struct drg_writer *w, struct drg_jobs *group, const struct drg_txn_mark *mark, int rc,
                        const struct drg_err *err)
{
	if (is_lost(rc, err)) {
		if (rc != DRG_EFULL)
			drg_writer_close_store(w);
		fail_unstored(w, group, rc);
		return;
	}
	enum drg_outcome outcome = writer_resolve_commit(w, mark);
	struct drg_clock commit = mark->before;
	if (mark->seq > 0)
		commit.seq = mark->seq;
	if (outcome == DRG_OUTCOME_STORED)
		writer_commit_exists(w, group, mark, &commit);
	else if (outcome == DRG_OUTCOME_LOST)
		fail_unstored(w, group, rc);
	else
		drg_writer_fail_unknown(w, group);
}

static int writer_begin_once(struct drg_writer *w, struct drg_txn **ret, struct drg_err *err)
{
	int rc = drg_writer_open_store(w, err);
	return rc == DRG_OK ? drg_store_begin(w->store, ret, err) : rc;
}

int drg_writer_begin(struct drg_writer *w, struct drg_txn **ret, struct drg_err *err)
{
	bool was_open = w->store != NULL;
	int rc = writer_begin_once(w, ret, err);
	if (rc == DRG_ENOENT && was_open) {
		drg_writer_close_store(w);
		rc = writer_begin_once(w, ret, err);
	}
	return rc;
}

static void writer_commit(struct drg_writer *w, struct drg_txn *t, struct drg_jobs *group)
{
	struct drg_err err = { 0 };
	struct drg_txn_mark mark;
	drg_txn_mark(t, &mark);
	struct drg_clock commit;
	int64_t began_ns = drg_clock_ns();
	int rc = drg_txn_commit(t, &commit, &err);
	drg_durations_add(&w->commits, (drg_clock_ns() - began_ns) / 1000);
	drg_writer_note_outage(w, rc, &err);
	if (rc != DRG_OK) {
		fail_commit(w, group, &mark, rc, &err);
		return;
	}
	assert(commit.seq >= mark.before.seq);
	drg_follower_expect(w->o.follower, mark.before.seq, &commit, mark.types);
	writer_await_catalog(w, group, &commit);
}

void drg_writer_fail_all(struct drg_writer *w, struct drg_jobs *group, int rc, const struct drg_err *err)
{
	drg_writer_note_outage(w, rc, err);
	if (rc != DRG_EFULL && rc != DRG_EBUSY)
		drg_writer_close_store(w);
	pthread_mutex_lock(&w->worker.lock);
	while (w->queue.first != NULL)
		drg_writer_push(group, drg_writer_pop(&w->queue));
	pthread_mutex_unlock(&w->worker.lock);
	fail_unstored(w, group, rc);
}

static void fail_alone(struct drg_writer *w, struct drg_jobs *alone, int rc, bool own,
                       const struct drg_err *err)
{
	if (own) {
		drg_writer_finish_all(w, alone);
		return;
	}
	drg_writer_note_outage(w, rc, err);
	if (rc != DRG_EFULL)
		drg_writer_close_store(w);
	fail_unstored(w, alone, rc);
}

bool drg_writer_write_group(struct drg_writer *w, struct drg_jobs *group)
{
	struct drg_err err = { 0 };
	struct drg_txn *t;
	bool own = false;
	int rc = drg_writer_begin(w, &t, &err);
	if (rc != DRG_OK) {
		drg_writer_fail_all(w, group, rc, &err);
		return false;
	}
	rc = run_jobs(t, group, &own, &err);
	if (rc == DRG_OK) {
		writer_commit(w, t, group);
		return true;
	}
	drg_txn_rollback(t);
	if (group->first == group->last) {
		fail_alone(w, group, rc, own, &err);
		return true;
	}
	while (group->first != NULL) {
		struct drg_jobs alone = { 0 };
		drg_writer_push(&alone, drg_writer_pop(group));
		if (!drg_writer_write_group(w, &alone))
			fail_unstored(w, group, DRG_EIO); /* each job would wait as long */
	}
	return true;
}
