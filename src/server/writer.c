#include "server/writer.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "server/writer_priv.h"
#include "base/clock.h"
#include "base/outage.h"
#include "base/worker.h"
#include "store/lend.h"

/* WRITER_IDLE_MS: how often the thread looks for overdue jobs, and checks whether its handle is still of the
 * store at the path. */
enum { WRITER_IDLE_MS = 500, FULL_MS = 5000 /* after this time a full disk may have room again */ };

/* How often a database is asked whether it answers. */
static const int64_t ASK_NS = 3 * DRG_SECOND_NS;

void drg_writer_push(struct drg_jobs *list, struct drg_job *j)
{
	j->next = NULL;
	if (list->first == NULL)
		list->first = j;
	else
		list->last->next = j;
	list->last = j;
}

struct drg_job *drg_writer_pop(struct drg_jobs *list)
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
	assert(!j->own || w->n_own > 0);
	w->n_jobs--;
	w->n_own -= j->own;
	w->n_bytes -= j->bytes;
	pthread_mutex_unlock(&w->worker.lock);
	j->done(j);
}

void drg_writer_finish_all(struct drg_writer *w, struct drg_jobs *list)
{
	while (list->first != NULL)
		writer_finish(w, drg_writer_pop(list));
}

void drg_writer_fail_jobs(struct drg_writer *w, struct drg_jobs *list, const struct drg_reason *reason,
                          const char *message)
{
	for (struct drg_job *j = list->first; j != NULL; j = j->next)
		j->rc = drg_fail(&j->err, DRG_EBUSY, reason, NULL, "%s", message);
	drg_writer_finish_all(w, list);
}

void drg_writer_published(struct drg_writer *w)
{
	struct drg_jobs visible = { 0 }, waiting = { 0 };
	struct drg_follower_position now;
	drg_follower_read_position(w->o.follower, &now);
	pthread_mutex_lock(&w->worker.lock);
	struct drg_jobs all = w->committed;
	while (all.first != NULL) {
		struct drg_job *j = drg_writer_pop(&all);
		drg_writer_push(drg_follower_position_has(&now, &j->commit) ? &visible : &waiting, j);
	}
	w->committed = waiting;
	pthread_mutex_unlock(&w->worker.lock);
	drg_writer_finish_all(w, &visible);
}

static void take_overdue(struct drg_writer *w, int64_t before_ns, struct drg_jobs *to)
{
	pthread_mutex_lock(&w->worker.lock);
	while (w->committed.first != NULL && w->committed.first->since_ns < before_ns)
		drg_writer_push(to, drg_writer_pop(&w->committed));
	pthread_mutex_unlock(&w->worker.lock);
}

static void fail_unseen(struct drg_writer *w, struct drg_jobs *list)
{
	drg_writer_fail_jobs(
	        w, list, DRG_R(not_visible_yet),
	        "the request is stored, but this server does not show it yet; look for it later");
}

void drg_writer_fail_unknown(struct drg_writer *w, struct drg_jobs *list)
{
	drg_writer_fail_jobs(
	        w, list, DRG_R(outcome_unknown),
	        "the store failed, and whether this request is stored is not known; look before it is sent "
	        "again");
}

/* ---- a transaction -------------------------------------------------------------------------------------- */

bool drg_writer_is_ready(const struct drg_writer *w)
{
	int rc = atomic_load(&w->outage.cause);
	return rc == DRG_OK ||
	       (rc == DRG_EFULL && drg_clock_ns() - atomic_load(&w->failed_ns) > FULL_MS * INT64_C(1000000));
}

/* ---- jobs that the catalog does not show in time --------------------------------------------------------- */

/* End jobs that the catalog does not show in time (its heap is full, the store cannot be read): no request
 * may wait for ever. If the store was restored to an earlier state meanwhile, their commits are not stored
 * any more. */
static void finish_overdue(struct drg_writer *w, int64_t before_ns)
{
	struct drg_jobs overdue = { 0 }, unseen = { 0 }, unknown = { 0 };
	take_overdue(w, before_ns, &overdue);
	while (overdue.first != NULL) {
		struct drg_job *j = drg_writer_pop(&overdue);
		struct drg_clock now;
		int64_t branch = 0;
		bool stored = drg_writer_open_store(w, NULL) == DRG_OK &&
		              drg_store_in_place(w->store, NULL) == DRG_OK &&
		              drg_store_clock(w->store, &now, NULL) == DRG_OK &&
		              drg_store_branch_at(w->store, j->commit.seq, &branch, NULL) == DRG_OK &&
		              strcmp(now.epoch, j->commit.epoch) == 0 && now.seq >= j->commit.seq &&
		              branch == j->commit.branch;
		drg_writer_push(stored ? &unseen : &unknown, j);
	}
	fail_unseen(w, &unseen);
	drg_writer_fail_unknown(w, &unknown);
}

/* ---- the thread ----------------------------------------------------------------------------------------- */

/* Take as many jobs from the queue as fit into one transaction. Under the lock. */
static struct drg_jobs take_group(struct drg_writer *w)
{
	struct drg_jobs group = { 0 };
	size_t rows = 0;
	while (w->queue.first != NULL &&
	       (group.first == NULL || rows + w->queue.first->rows <= w->o.max_rows)) {
		rows += w->queue.first->rows;
		drg_writer_push(&group, drg_writer_pop(&w->queue));
	}
	return group;
}

/* Close the handle of a store that was replaced: it keeps its files (store.h). */
static void writer_close_if_replaced(struct drg_writer *w)
{
	if (w->store != NULL && drg_store_in_place(w->store, NULL) != DRG_OK)
		drg_writer_close_store(w);
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
	int rc = drg_writer_begin(w, &t, &err);
	if (rc == DRG_OK)
		drg_txn_rollback(t);
	drg_writer_note_outage(w, rc, &err);
	if (rc != DRG_OK)
		drg_writer_close_store(w);
}

/* Ask a database whether it answers: it may hang or be gone without an error, and a server that writes seldom
 * would notice late. This also connects at the start, before readers need a connection. */
static void writer_ping(struct drg_writer *w)
{
	struct drg_err err = { 0 };
	struct drg_clock clock;
	struct drg_jobs queued = { 0 };
	if (w->is_file || atomic_load(&w->outage.cause) != DRG_OK || drg_clock_ns() < w->ask_ns)
		return;
	int rc = drg_writer_open_store(w, &err);
	if (rc == DRG_OK)
		rc = drg_store_clock(w->store, &clock, &err);
	if (rc != DRG_OK)
		drg_writer_fail_all(w, &queued, rc, &err);
	w->ask_ns = drg_clock_ns() + ASK_NS;
}

static void writer_check(struct drg_writer *w)
{
	writer_close_if_replaced(w);
	drg_store_close_idle(false);
	writer_try(w);
	writer_ping(w);
}

void drg_writer_empty_log(struct drg_writer *w)
{
	pthread_mutex_lock(&w->worker.lock);
	assert(!w->empty_log);
	w->empty_log = true;
	drg_worker_wake(&w->worker);
	while (w->empty_log)
		pthread_cond_wait(&w->log_tried, &w->worker.lock);
	pthread_mutex_unlock(&w->worker.lock);
}

/* Readers that read from the log longer than SQLite waits keep it as it is, which is not a failure. */
static void try_to_empty_log(struct drg_writer *w)
{
	if (drg_writer_open_store(w, NULL) == DRG_OK)
		(void)!drg_store_empty_log(w->store, NULL);
	pthread_mutex_lock(&w->worker.lock);
	w->empty_log = false;
	pthread_cond_signal(&w->log_tried);
	pthread_mutex_unlock(&w->worker.lock);
}

/* A step of the thread: when jobs are queued or the log is to be emptied, else now and then. */
static int64_t writer_step(void *writer)
{
	struct drg_writer *w = writer;
	struct drg_jobs group = take_group(w);
	bool empty_log = w->empty_log;
	pthread_mutex_unlock(&w->worker.lock);
	if (group.first != NULL)
		drg_writer_write_group(w, &group);
	else
		writer_check(w);
	if (empty_log)
		try_to_empty_log(w);
	assert(group.first == NULL); /* each job was answered, or waits for the catalog */
	finish_overdue(w, drg_clock_ns() - (int64_t)w->o.visible_ms * 1000000);
	pthread_mutex_lock(&w->worker.lock);
	return w->queue.first != NULL || w->empty_log ? DRG_AT_ONCE
	                                              : drg_clock_ns() + WRITER_IDLE_MS * INT64_C(1000000);
}

void drg_writer_submit(struct drg_writer *w, struct drg_job *j)
{
	assert(j->run != NULL && j->done != NULL);
	pthread_mutex_lock(&w->worker.lock);
	bool room = w->n_jobs == 0 || (w->n_jobs < w->o.max_jobs && w->n_bytes + j->bytes <= w->o.max_bytes);
	if (room) {
		w->n_jobs++;
		w->n_own += j->own;
		w->n_bytes += j->bytes;
		drg_writer_push(&w->queue, j);
		drg_worker_wake_and_unlock(&w->worker);
		return;
	}
	pthread_mutex_unlock(&w->worker.lock);
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
	pthread_cond_destroy(&w->log_tried);
	drg_writer_close_store(w);
	free(w->url);
	free(w);
}

static size_t or_default(size_t given, size_t dflt)
{
	return given > 0 ? given : dflt;
}

int drg_writer_start(const struct drg_writer_options *o, struct drg_writer **ret, struct drg_err *reterr)
{
	assert(o->store_url != NULL && o->follower != NULL);
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
	drg_cond_init(&w->log_tried);
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
	struct drg_jobs unseen = { 0 };
	take_overdue(w, INT64_MAX, &unseen);
	fail_unseen(w, &unseen);
	writer_free(w);
}
