#include "server/writer.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/outage.h"
#include "base/worker.h"

/* A queue, linked by drg_job.next. */
struct jobs {
	struct drg_job *first, *last;
};

/* How often the thread looks for overdue jobs, and checks whether its handle is still of the store at the
 * path. */
enum { IDLE_LOOK_MS = 500, FULL_MS = 5000 /* after this time a full disk may have room again */ };
/* How often a database is asked whether it answers. */
static const int64_t ASK_NS = 3 * INT64_C(1000000000);

struct drg_writer {
	struct drg_writer_options o;
	char *url;

	struct drg_worker worker; /* its lock protects what follows, up to the store */
	struct jobs queue;
	struct jobs committed; /* committed and not shown by the catalog yet, by since_ns */
	size_t n_jobs, n_bytes; /* submitted and not done */
	size_t n_own; /* of these, jobs of the server itself */

	/* for the thread */
	bool is_file;
	struct drg_store *store; /* NULL: not open */
	int64_t ask_ns; /* when a database is asked next */
	struct drg_outage outage; /* other threads read its cause ... */
	_Atomic int64_t failed_ns; /* ... and when it occurred last */
	drg_measure done, failed; /* for drg_writer_count() */
	struct drg_durations commits;
};

static void push(struct jobs *list, struct drg_job *j)
{
	j->next = NULL;
	if (list->first == NULL)
		list->first = j;
	else
		list->last->next = j;
	list->last = j;
}

static struct drg_job *pop(struct jobs *list)
{
	struct drg_job *j = list->first;
	assert(j != NULL);
	list->first = j->next;
	return j;
}

/* ---- the end of a job ----------------------------------------------------------------------------------- */

static void writer_finish(struct drg_writer *w, struct drg_job *j)
{
	pthread_mutex_lock(&w->worker.lock);
	assert(w->n_jobs > 0 && w->n_bytes >= j->bytes);
	w->n_jobs--;
	w->n_own -= j->own;
	w->n_bytes -= j->bytes;
	pthread_mutex_unlock(&w->worker.lock);
	j->done(j);
}

static void writer_finish_all(struct drg_writer *w, struct jobs *list)
{
	while (list->first != NULL)
		writer_finish(w, pop(list));
}

/* Fail jobs with a message for clients. The store's own words are in the log only (decision E3). */
static void fail_jobs(struct drg_writer *w, struct jobs *list, const struct drg_reason *reason,
                      const char *message)
{
	for (struct drg_job *j = list->first; j != NULL; j = j->next)
		j->rc = drg_fail(&j->err, DRG_EBUSY, reason, NULL, "%s", message);
	writer_finish_all(w, list);
}

void drg_writer_published(struct drg_writer *w)
{
	struct jobs visible = { 0 }, waiting = { 0 };
	struct drg_followed now;
	drg_follower_followed(w->o.follower, &now);
	pthread_mutex_lock(&w->worker.lock);
	struct jobs all = w->committed;
	while (all.first != NULL) {
		struct drg_job *j = pop(&all);
		push(drg_followed_has(&now, &j->commit) ? &visible : &waiting, j);
	}
	w->committed = waiting;
	pthread_mutex_unlock(&w->worker.lock);
	writer_finish_all(w, &visible);
}

static void take_overdue(struct drg_writer *w, int64_t before_ns, struct jobs *to)
{
	pthread_mutex_lock(&w->worker.lock);
	while (w->committed.first != NULL && w->committed.first->since_ns < before_ns)
		push(to, pop(&w->committed));
	pthread_mutex_unlock(&w->worker.lock);
}

static void fail_unseen(struct drg_writer *w, struct jobs *list)
{
	fail_jobs(w, list, DRG_R(not_visible_yet),
	          "the request is stored, but this server does not show it yet; look for it later");
}

static void fail_unknown(struct drg_writer *w, struct jobs *list)
{
	fail_jobs(w, list, DRG_R(outcome_unknown),
	          "the store failed, and whether this request is stored is not known; look before it is sent "
	          "again");
}

/* ---- a transaction -------------------------------------------------------------------------------------- */

static void writer_close_store(struct drg_writer *w)
{
	drg_store_close(w->store);
	w->store = NULL;
}

static int writer_open_store(struct drg_writer *w, struct drg_err *err)
{
	if (w->store != NULL)
		return DRG_OK;
	int rc = drg_store_open(w->url, DRG_STORE_WRITE, &w->store, err);
	if (rc == DRG_EBUSY) {
		drg_store_shed(); /* the writer is never the one without a place */
		rc = drg_store_open(w->url, DRG_STORE_WRITE, &w->store, err);
	}
	if (rc == DRG_OK && drg_store_remark(w->store)[0] != '\0')
		drg_log(DRG_LOG_WARN, "%s", drg_store_remark(w->store));
	return rc;
}

/* Log each outage once, again when its cause changes, and its end. A database that cannot be reached counts
 * as away, like a missing file. */
static void note_outage(struct drg_writer *w, int rc, const struct drg_err *err)
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

const char *drg_writer_trouble(const struct drg_writer *w)
{
	int rc = atomic_load(&w->outage.cause);
	return rc == DRG_OK ? NULL : troubles[trouble_of(rc)].word;
}

const char *drg_writer_trouble_word(size_t i)
{
	return i < DRG_ARRAY_LEN(troubles) ? troubles[i].word : NULL;
}

bool drg_writer_is_ready(const struct drg_writer *w)
{
	int rc = atomic_load(&w->outage.cause);
	return rc == DRG_OK ||
	       (rc == DRG_EFULL && drg_clock_ns() - atomic_load(&w->failed_ns) > FULL_MS * INT64_C(1000000));
}

static void fail_unstored(struct drg_writer *w, struct jobs *list, int rc)
{
	fail_jobs(w, list, DRG_R(not_stored), troubles[trouble_of(rc)].message);
}

/* Did the job fail by itself, and not the store? */
static bool writer_is_own(const struct drg_txn *t, int rc)
{
	return !drg_txn_failed(t) && rc != DRG_EIO && rc != DRG_EFULL && rc != DRG_ECORRUPT;
}

/* Run the jobs of a group. A job that fails without having written does not disturb the others.
 * @return what failed otherwise; @p ret_own: it was a job, not the store. */
static int run_jobs(struct drg_txn *t, const struct jobs *group, bool *ret_own, struct drg_err *err)
{
	for (struct drg_job *j = drg_txn_expects(t) ? group->first : NULL; j != NULL; j = j->next)
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

static void writer_await_catalog(struct drg_writer *w, struct jobs *group, const struct drg_clock *commit)
{
	struct jobs over = { 0 };
	int64_t now_ns = drg_clock_ns();
	pthread_mutex_lock(&w->worker.lock);
	while (group->first != NULL) {
		struct drg_job *j = pop(group);
		j->commit = *commit;
		j->since_ns = now_ns;
		drg_measure_add(&w->done, j->rc == DRG_OK);
		push(j->rc == DRG_OK && !j->own ? &w->committed : &over, j);
	}
	pthread_mutex_unlock(&w->worker.lock);
	drg_follower_wake(w->o.follower);
	writer_finish_all(w, &over);
	drg_writer_published(w); /* in case the follower has shown the commit already */
}

/* Find out whether a commit that failed is stored. If the store was replaced, nobody knows whether the
 * previous one has it, unless the engine can find a transaction again. */
static enum drg_outcome writer_settle(struct drg_writer *w, const struct drg_txn_mark *mark)
{
	enum drg_outcome outcome = DRG_OUTCOME_UNKNOWN;
	bool same = mark->number != 0 || drg_store_in_place(w->store, NULL) == DRG_OK;
	writer_close_store(w);
	if (!same || writer_open_store(w, NULL) != DRG_OK ||
	    drg_store_settle(w->store, mark, &outcome, NULL) != DRG_OK)
		return DRG_OUTCOME_UNKNOWN;
	return outcome;
}

static void writer_commit_exists(struct drg_writer *w, struct jobs *group, struct drg_clock *commit)
{
	if (drg_store_branch_at(w->store, commit->seq, &commit->branch, NULL) != DRG_OK)
		/* without its branch the commit never counts as shown, and the clients are told that it is
		 * stored */
		writer_close_store(w);
	writer_await_catalog(w, group, commit);
}

/* Did the engine say that nothing is stored (drg_txn_commit())? A full disk says so too. */
static bool is_lost(int rc, const struct drg_err *err)
{
	return rc != DRG_EIO || drg_reason_find(err->reason) == DRG_R(not_stored);
}

static void fail_commit(struct drg_writer *w, struct jobs *group, const struct drg_txn_mark *mark, int rc,
                        const struct drg_err *err)
{
	if (is_lost(rc, err)) {
		if (rc != DRG_EFULL)
			writer_close_store(w);
		fail_unstored(w, group, rc);
		return;
	}
	enum drg_outcome outcome = writer_settle(w, mark);
	struct drg_clock commit = mark->before;
	if (mark->seq > 0)
		commit.seq = mark->seq;
	if (outcome == DRG_OUTCOME_STORED)
		writer_commit_exists(w, group, &commit);
	else if (outcome == DRG_OUTCOME_LOST)
		fail_unstored(w, group, rc);
	else
		fail_unknown(w, group);
}

static int writer_begin_once(struct drg_writer *w, struct drg_txn **ret, struct drg_err *err)
{
	int rc = writer_open_store(w, err);
	return rc == DRG_OK ? drg_store_begin(w->store, ret, err) : rc;
}

/* Begin a transaction; if the store was replaced, open it anew at once, not at the next request. */
static int writer_begin(struct drg_writer *w, struct drg_txn **ret, struct drg_err *err)
{
	bool was_open = w->store != NULL;
	int rc = writer_begin_once(w, ret, err);
	if (rc == DRG_ENOENT && was_open) {
		writer_close_store(w);
		rc = writer_begin_once(w, ret, err);
	}
	return rc;
}

static void writer_commit(struct drg_writer *w, struct drg_txn *t, struct jobs *group)
{
	struct drg_err err = { 0 };
	struct drg_txn_mark mark;
	drg_txn_mark(t, &mark);
	struct drg_clock now = mark.before;
	int64_t began_ns = drg_clock_ns();
	int rc = drg_txn_commit(t, &now.seq, &err);
	drg_durations_add(&w->commits, (drg_clock_ns() - began_ns) / 1000);
	note_outage(w, rc, &err);
	assert(rc != DRG_OK || now.seq >= mark.before.seq);
	if (rc != DRG_OK) {
		fail_commit(w, group, &mark, rc, &err);
		return;
	}
	writer_commit_exists(w, group, &now);
}

/* Fail the group and all queued jobs: no transaction can begin, and each would wait as long. */
static void fail_all(struct drg_writer *w, struct jobs *group, int rc, const struct drg_err *err)
{
	note_outage(w, rc, err);
	if (rc != DRG_EFULL && rc != DRG_EBUSY)
		writer_close_store(w);
	pthread_mutex_lock(&w->worker.lock);
	while (w->queue.first != NULL)
		push(group, pop(&w->queue));
	pthread_mutex_unlock(&w->worker.lock);
	fail_unstored(w, group, rc);
}

static void fail_alone(struct drg_writer *w, struct jobs *alone, int rc, bool own, const struct drg_err *err)
{
	if (own) {
		writer_finish_all(w, alone);
		return;
	}
	note_outage(w, rc, err);
	if (rc != DRG_EFULL)
		writer_close_store(w);
	fail_unstored(w, alone, rc);
}

/* Run all jobs of a group in one transaction; if one of them fails, each runs alone.
 * @return false: no transaction could begin. */
static bool write_group(struct drg_writer *w, struct jobs *group)
{
	struct drg_err err = { 0 };
	struct drg_txn *t;
	bool own = false;
	int rc = writer_begin(w, &t, &err);
	if (rc != DRG_OK) {
		fail_all(w, group, rc, &err);
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
		struct jobs alone = { 0 };
		push(&alone, pop(group));
		if (!write_group(w, &alone))
			fail_unstored(w, group, DRG_EIO); /* each would wait as long */
	}
	return true;
}

/* ---- what is not shown in time --------------------------------------------------------------------------- */

/* End jobs that the catalog does not show in time (its heap is full, the store cannot be read): no request
 * may wait for ever. If the store was set back meanwhile, they are not stored any more. */
static void finish_overdue(struct drg_writer *w, int64_t before_ns)
{
	struct jobs overdue = { 0 }, unseen = { 0 }, unknown = { 0 };
	take_overdue(w, before_ns, &overdue);
	while (overdue.first != NULL) {
		struct drg_job *j = pop(&overdue);
		struct drg_clock now;
		int64_t branch = 0;
		bool stored = writer_open_store(w, NULL) == DRG_OK &&
		              drg_store_in_place(w->store, NULL) == DRG_OK &&
		              drg_store_clock(w->store, &now, NULL) == DRG_OK &&
		              drg_store_branch_at(w->store, j->commit.seq, &branch, NULL) == DRG_OK &&
		              strcmp(now.epoch, j->commit.epoch) == 0 && now.seq >= j->commit.seq &&
		              branch == j->commit.branch;
		push(stored ? &unseen : &unknown, j);
	}
	fail_unseen(w, &unseen);
	fail_unknown(w, &unknown);
}

/* ---- the thread ----------------------------------------------------------------------------------------- */

/* Take as many jobs from the queue as fit into one transaction. Under the lock. */
static struct jobs take_group(struct drg_writer *w)
{
	struct jobs group = { 0 };
	size_t rows = 0;
	while (w->queue.first != NULL &&
	       (group.first == NULL || rows + w->queue.first->rows <= w->o.max_rows)) {
		rows += w->queue.first->rows;
		push(&group, pop(&w->queue));
	}
	return group;
}

/* Close the handle of a store that was replaced: it keeps its files (store.h). */
static void writer_close_if_replaced(struct drg_writer *w)
{
	if (w->store != NULL && drg_store_in_place(w->store, NULL) != DRG_OK)
		writer_close_store(w);
}

/* Try whether an outage is over, so that its end is noticed before a request tries to write. A full disk
 * cannot be tested in this way: a transaction that writes nothing succeeds. */
static void writer_try(struct drg_writer *w)
{
	struct drg_err err = { 0 };
	struct drg_txn *t;
	int cause = atomic_load(&w->outage.cause);
	if (cause == DRG_OK || cause == DRG_EFULL)
		return;
	int rc = writer_begin(w, &t, &err);
	if (rc == DRG_OK)
		drg_txn_rollback(t);
	note_outage(w, rc, &err);
	if (rc != DRG_OK)
		writer_close_store(w);
}

/* Ask a database whether it answers: it may hang or be gone without an error, and a server that writes seldom
 * would notice late. This also connects at the start, before readers need a connection. */
static void writer_ping(struct drg_writer *w)
{
	struct drg_err err = { 0 };
	struct drg_clock clock;
	struct jobs queued = { 0 };
	if (w->is_file || atomic_load(&w->outage.cause) != DRG_OK || drg_clock_ns() < w->ask_ns)
		return;
	int rc = writer_open_store(w, &err);
	if (rc == DRG_OK)
		rc = drg_store_clock(w->store, &clock, &err);
	if (rc != DRG_OK)
		fail_all(w, &queued, rc, &err);
	w->ask_ns = drg_clock_ns() + ASK_NS;
}

static void writer_check(struct drg_writer *w)
{
	writer_close_if_replaced(w);
	drg_store_tidy();
	writer_try(w);
	writer_ping(w);
}

/* A step of the thread: when jobs are queued, else now and then. */
static int64_t writer_step(void *writer)
{
	struct drg_writer *w = writer;
	struct jobs group = take_group(w);
	pthread_mutex_unlock(&w->worker.lock);
	if (group.first != NULL)
		write_group(w, &group);
	else
		writer_check(w);
	assert(group.first == NULL); /* each job was answered, or waits for the catalog */
	finish_overdue(w, drg_clock_ns() - (int64_t)w->o.visible_ms * 1000000);
	pthread_mutex_lock(&w->worker.lock);
	return w->queue.first != NULL ? DRG_AT_ONCE : drg_clock_ns() + IDLE_LOOK_MS * INT64_C(1000000);
}

void drg_writer_submit(struct drg_writer *w, struct drg_job *j)
{
	pthread_mutex_lock(&w->worker.lock);
	bool room = w->n_jobs == 0 || (w->n_jobs < w->o.max_jobs && w->n_bytes + j->bytes <= w->o.max_bytes);
	if (room) {
		w->n_jobs++;
		w->n_own += j->own;
		w->n_bytes += j->bytes;
		push(&w->queue, j);
		drg_worker_wake(&w->worker);
	}
	pthread_mutex_unlock(&w->worker.lock);
	if (room)
		return;
	j->rc = drg_fail(&j->err, DRG_EBUSY, DRG_R(queue_full), NULL,
	                 "too many requests wait to be stored; nothing of this one was; try again later");
	j->done(j);
}

size_t drg_writer_waiting(struct drg_writer *w)
{
	pthread_mutex_lock(&w->worker.lock);
	size_t n = w->n_jobs - w->n_own;
	pthread_mutex_unlock(&w->worker.lock);
	return n;
}

void drg_writer_count(const struct drg_writer *w, struct drg_writer_counts *ret)
{
	*ret = (struct drg_writer_counts){ .jobs = drg_measure_of(&w->done),
		                           .failed = drg_measure_of(&w->failed),
		                           .room = w->o.max_jobs };
	drg_durations_gather(&w->commits, &ret->commits);
}

static void writer_free(struct drg_writer *w)
{
	assert(w->n_jobs == 0); /* every job was answered */
	drg_worker_done(&w->worker);
	writer_close_store(w);
	free(w->url);
	free(w);
}

static size_t or_default(size_t given, size_t dflt)
{
	return given > 0 ? given : dflt;
}

int drg_writer_start(const struct drg_writer_options *o, struct drg_writer **ret, struct drg_err *reterr)
{
	struct drg_writer *w = calloc(1, sizeof *w);
	if (w == NULL)
		return drg_fail_memory(reterr);
	w->o = *o;
	w->o.max_jobs = or_default(o->max_jobs, 1024);
	w->o.max_bytes = or_default(o->max_bytes, (size_t)64 << 20);
	w->o.max_rows = or_default(o->max_rows, 10000);
	w->o.visible_ms = o->visible_ms > 0 ? o->visible_ms : 10000;
	w->url = strdup(o->store_url);
	drg_worker_init(&w->worker);
	w->is_file = drg_store_is_file(o->store_url);
	const int64_t first = w->is_file ? DRG_WHEN_WOKEN : DRG_AT_ONCE;
	int rc = w->url != NULL ? drg_worker_start(&w->worker, writer_step, w, first, reterr)
	                        : drg_fail_memory(reterr);
	if (rc == DRG_OK)
		*ret = w;
	else
		writer_free(w);
	return rc;
}

void drg_writer_stop(struct drg_writer *w)
{
	if (w == NULL)
		return;
	drg_worker_stop(&w->worker);
	struct jobs unseen = { 0 };
	take_overdue(w, INT64_MAX, &unseen);
	fail_unseen(w, &unseen);
	writer_free(w);
}
