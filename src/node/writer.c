#include "node/writer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"

/* First in, first out, linked by drg_job.next. */
struct jobs {
	struct drg_job *first, *last;
};

struct drg_writer {
	struct drg_writer_options o;
	char *url;
	pthread_t thread;

	pthread_mutex_t lock; /* for what follows, up to the store */
	pthread_cond_t changed;
	struct jobs queue;
	struct jobs committed; /* and not shown by the catalog yet: by seq, and so by since_ns */
	size_t n_jobs, n_bytes; /* submitted and not done */
	bool stopping;

	/* the thread's */
	struct drg_store *store; /* NULL: to be opened */
	bool complained; /* the present outage was logged */
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
	list->first = j->next;
	return j;
}

/* ---- the end of a job ----------------------------------------------------------------------------------- */

static void finish(struct drg_writer *w, struct drg_job *j)
{
	pthread_mutex_lock(&w->lock);
	w->n_jobs--;
	w->n_bytes -= j->bytes;
	pthread_mutex_unlock(&w->lock);
	j->done(j);
}

static void finish_all(struct drg_writer *w, struct jobs *list)
{
	while (list->first != NULL)
		finish(w, pop(list));
}

/* What clients are told: nothing of the store's own words, which the log has (decision E3). */
static void fail_jobs(struct drg_writer *w, struct jobs *list, const char *reason, const char *message)
{
	for (struct drg_job *j = list->first; j != NULL; j = j->next)
		j->rc = drg_fail(&j->err, DRG_EBUSY, reason, NULL, "%s", message);
	finish_all(w, list);
}

static int64_t shown_seq(const struct drg_writer *w)
{
	drg_read_lock();
	const struct drg_catalog *cat = drg_follower_catalog(w->o.follower);
	int64_t seq = cat != NULL ? drg_catalog_seq(cat) : -1;
	drg_read_unlock();
	return seq;
}

static void finish_shown(struct drg_writer *w)
{
	struct jobs shown = { 0 };
	int64_t seq = shown_seq(w);
	pthread_mutex_lock(&w->lock);
	while (w->committed.first != NULL && w->committed.first->seq <= seq)
		push(&shown, pop(&w->committed));
	pthread_mutex_unlock(&w->lock);
	finish_all(w, &shown);
}

/* The catalog cannot take them in (its heap is full, the store cannot be read): nobody shall wait for ever. */
static void finish_overdue(struct drg_writer *w, int64_t before_ns)
{
	struct jobs overdue = { 0 };
	pthread_mutex_lock(&w->lock);
	while (w->committed.first != NULL && w->committed.first->since_ns < before_ns)
		push(&overdue, pop(&w->committed));
	pthread_mutex_unlock(&w->lock);
	fail_jobs(w, &overdue, "not_visible_yet",
	          "the request is stored, but this server does not show it yet; look for it later");
}

/* ---- a transaction -------------------------------------------------------------------------------------- */

static void close_store(struct drg_writer *w)
{
	drg_store_close(w->store);
	w->store = NULL;
}

static int open_store(struct drg_writer *w, struct drg_err *err)
{
	return w->store != NULL ? DRG_OK : drg_store_open(w->url, DRG_STORE_WRITE, &w->store, err);
}

/* Each outage is logged once, and so is its end. */
static void note_outage(struct drg_writer *w, int rc, const struct drg_err *err)
{
	if (rc != DRG_OK && !w->complained)
		drg_log(DRG_LOG_ERROR, "cannot write to the store: %s; requests that write get 503",
		        err->message);
	if (rc == DRG_OK && w->complained)
		drg_log(DRG_LOG_INFO, "the store can be written again");
	w->complained = rc != DRG_OK;
}

/* The job's own failure, of which the store knows nothing? */
static bool is_own(const struct drg_txn *t, int rc)
{
	return !drg_txn_failed(t) && rc != DRG_EIO && rc != DRG_EFULL && rc != DRG_ECORRUPT;
}

/* Who refuses without having written harms nobody.
 * @return what failed otherwise; in @p ret_own whether it was a job and not the store. */
static int run_jobs(struct drg_txn *t, const struct jobs *group, bool *ret_own, struct drg_err *err)
{
	for (struct drg_job *j = group->first; j != NULL; j = j->next) {
		unsigned long before = drg_txn_writes(t);
		memset(&j->err, 0, sizeof j->err);
		j->rc = j->run(j->decision, t, &j->err);
		*ret_own = is_own(t, j->rc);
		if (j->rc != DRG_OK && !(*ret_own && drg_txn_writes(t) == before)) {
			*err = j->err;
			return j->rc;
		}
	}
	return DRG_OK;
}

/* Is it certain that nothing of a commit that failed is stored, and that it cannot come up later? */
static bool surely_lost(struct drg_writer *w, const struct drg_txn_mark *mark)
{
	enum drg_outcome outcome;
	close_store(w);
	return open_store(w, NULL) == DRG_OK && drg_store_settle(w->store, mark, &outcome, NULL) == DRG_OK &&
	       outcome == DRG_OUTCOME_LOST;
}

static void fail_commit(struct drg_writer *w, struct jobs *group, const struct drg_txn_mark *mark)
{
	if (surely_lost(w, mark))
		fail_jobs(w, group, "not_stored",
		          "nothing of this request was stored, since the store failed; try again later");
	else
		fail_jobs(w, group, "outcome_unknown",
		          "the store failed, and whether this request is stored is not known; look before it "
		          "is sent "
		          "again");
}

static void await_catalog(struct drg_writer *w, struct jobs *group, int64_t seq)
{
	struct jobs refused = { 0 };
	int64_t now_ns = drg_clock_ns();
	pthread_mutex_lock(&w->lock);
	while (group->first != NULL) {
		struct drg_job *j = pop(group);
		j->seq = seq;
		j->since_ns = now_ns;
		push(j->rc == DRG_OK ? &w->committed : &refused, j);
	}
	pthread_mutex_unlock(&w->lock);
	drg_follower_wake(w->o.follower);
	finish_all(w, &refused);
	finish_shown(w); /* in case the follower was there first */
}

/**
 * All jobs of a group in one transaction.
 * @param ret_own  Was it a job that failed, and not the store?
 * @return DRG_OK: they are on their way, or have been answered; else nothing is stored, and nobody answered.
 */
static int transact(struct drg_writer *w, struct jobs *group, bool *ret_own, struct drg_err *err)
{
	struct drg_txn_mark mark;
	struct drg_txn *t;
	int64_t seq = 0;
	int rc = open_store(w, err);
	if (rc == DRG_OK)
		rc = drg_store_begin(w->store, &t, err);
	if (rc != DRG_OK)
		return rc;
	rc = run_jobs(t, group, ret_own, err);
	if (rc != DRG_OK) {
		drg_txn_rollback(t);
		return rc;
	}
	drg_txn_mark(t, &mark);
	rc = drg_txn_commit(t, &seq, err);
	note_outage(w, rc, err);
	if (rc == DRG_OK)
		await_catalog(w, group, seq);
	else
		fail_commit(w, group, &mark);
	return DRG_OK;
}

static void write_one(struct drg_writer *w, struct drg_job *j)
{
	struct jobs alone = { 0 };
	struct drg_err err = { 0 };
	bool own = false;
	push(&alone, j);
	int rc = transact(w, &alone, &own, &err);
	if (rc != DRG_OK && own)
		finish_all(w, &alone);
	if (rc == DRG_OK || own)
		return;
	note_outage(w, rc, &err);
	if (rc != DRG_EFULL)
		close_store(w);
	fail_jobs(w, &alone, "not_stored",
	          rc == DRG_EFULL
	                  ? "nothing of this request was stored, since the disk is full; try again later"
	                  : "nothing of this request was stored, since the store failed; try again later");
}

static void write_group(struct drg_writer *w, struct jobs *group)
{
	struct drg_err err = { 0 };
	bool several = group->first != group->last, own;
	if (several && transact(w, group, &own, &err) == DRG_OK)
		return;
	while (group->first != NULL)
		write_one(w, pop(group));
}

/* ---- the thread ----------------------------------------------------------------------------------------- */

/* Under the lock: what has queued, as far as it fits into one transaction. */
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

/* Under the lock. */
static void wait_a_second(struct drg_writer *w)
{
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec++;
	pthread_cond_timedwait(&w->changed, &w->lock, &until);
}

static void *run(void *arg)
{
	struct drg_writer *w = arg;
	for (;;) {
		pthread_mutex_lock(&w->lock);
		while (w->queue.first == NULL && w->committed.first == NULL && !w->stopping)
			pthread_cond_wait(&w->changed, &w->lock);
		if (w->queue.first == NULL && !w->stopping)
			wait_a_second(w);
		struct jobs group = take_group(w);
		bool last = group.first == NULL && w->stopping;
		pthread_mutex_unlock(&w->lock);
		if (last)
			break;
		if (group.first != NULL)
			write_group(w, &group);
		finish_overdue(w, drg_clock_ns() - (int64_t)w->o.visible_ms * 1000000);
	}
	close_store(w);
	return NULL;
}

int drg_writer_submit(struct drg_writer *w, struct drg_job *j, struct drg_err *reterr)
{
	pthread_mutex_lock(&w->lock);
	bool room = w->n_jobs == 0 || (w->n_jobs < w->o.max_jobs && w->n_bytes + j->bytes <= w->o.max_bytes);
	if (room) {
		w->n_jobs++;
		w->n_bytes += j->bytes;
		push(&w->queue, j);
		pthread_cond_signal(&w->changed);
	}
	pthread_mutex_unlock(&w->lock);
	return room ? DRG_OK
	            : drg_fail(reterr, DRG_EBUSY, "queue_full", NULL,
	                       "too many requests wait to be stored; nothing of this one was; try again "
	                       "later");
}

void drg_writer_published(struct drg_writer *w)
{
	finish_shown(w);
}

static void writer_free(struct drg_writer *w)
{
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
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
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "out of memory");
	w->o = *o;
	w->o.max_jobs = or_default(o->max_jobs, 1024);
	w->o.max_bytes = or_default(o->max_bytes, (size_t)64 << 20);
	w->o.max_rows = or_default(o->max_rows, 10000);
	w->o.visible_ms = o->visible_ms > 0 ? o->visible_ms : 10000;
	w->url = strdup(o->store_url);
	pthread_mutex_init(&w->lock, NULL);
	pthread_condattr_t attr;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&w->changed, &attr);
	pthread_condattr_destroy(&attr);
	if (w->url == NULL || pthread_create(&w->thread, NULL, run, w) != 0) {
		writer_free(w);
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "cannot start a thread");
	}
	*ret = w;
	return DRG_OK;
}

void drg_writer_stop(struct drg_writer *w)
{
	if (w == NULL)
		return;
	pthread_mutex_lock(&w->lock);
	w->stopping = true;
	pthread_cond_signal(&w->changed);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	finish_overdue(w, INT64_MAX);
	writer_free(w);
}
