#include "node/readers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

struct drg_readers {
	char *url;
	size_t max_jobs;
	pthread_t *threads;
	unsigned n_threads;

	pthread_mutex_t lock; /* for what follows */
	pthread_cond_t changed;
	struct drg_read_job *first, *last; /* the queue */
	size_t n_jobs; /* in it */
	bool stopping;
	bool complained; /* the present outage was logged */
};

/* Each outage is logged once, and so is its end. */
static void note_outage(struct drg_readers *p, const struct drg_err *err)
{
	pthread_mutex_lock(&p->lock);
	bool changed = p->complained != (err != NULL);
	p->complained = err != NULL;
	pthread_mutex_unlock(&p->lock);
	if (changed && err != NULL)
		drg_log(DRG_LOG_ERROR, "cannot read the store: %s; requests that need it get 503",
		        err->message);
	if (changed && err == NULL)
		drg_log(DRG_LOG_INFO, "the store can be read again");
}

static bool store_failed(int rc)
{
	return rc != DRG_OK && rc != DRG_ENOENT && rc != DRG_EINVAL && rc != DRG_ELIMIT && rc != DRG_ENOMEM;
}

/* A failing store shows in *store: NULL. */
static void try_job(struct drg_readers *p, struct drg_read_job *j, struct drg_store **store)
{
	memset(&j->err, 0, sizeof j->err);
	if (*store == NULL) {
		j->rc = drg_store_open(p->url, DRG_STORE_READ, store, &j->err);
		if (j->rc != DRG_OK)
			return;
	}
	j->rc = j->run(j, *store, &j->err);
	if (store_failed(j->rc)) {
		drg_store_close(*store);
		*store = NULL;
	}
}

static void do_job(struct drg_readers *p, struct drg_read_job *j, struct drg_store **store)
{
	bool used = *store != NULL;
	try_job(p, j, store);
	if (*store == NULL && used)
		try_job(p, j, store);
	note_outage(p, *store == NULL ? &j->err : NULL);
	if (*store == NULL)
		j->rc = drg_fail(&j->err, DRG_EBUSY, "store_away", NULL,
		                 "the store cannot be read at present; try again later");
	j->done(j);
}

/* The next job; NULL: stop. */
static struct drg_read_job *take(struct drg_readers *p)
{
	pthread_mutex_lock(&p->lock);
	while (p->first == NULL && !p->stopping)
		pthread_cond_wait(&p->changed, &p->lock);
	struct drg_read_job *j = p->first;
	if (j != NULL) {
		p->first = j->next;
		p->n_jobs--;
	}
	pthread_mutex_unlock(&p->lock);
	return j;
}

static void *run(void *arg)
{
	struct drg_readers *p = arg;
	struct drg_store *store = NULL;
	for (struct drg_read_job *j = take(p); j != NULL; j = take(p))
		do_job(p, j, &store);
	drg_store_close(store);
	return NULL;
}

int drg_readers_submit(struct drg_readers *p, struct drg_read_job *j, struct drg_err *reterr)
{
	j->next = NULL;
	pthread_mutex_lock(&p->lock);
	bool room = p->n_jobs < p->max_jobs;
	if (room) {
		if (p->first == NULL)
			p->first = j;
		else
			p->last->next = j;
		p->last = j;
		p->n_jobs++;
		pthread_cond_signal(&p->changed);
	}
	pthread_mutex_unlock(&p->lock);
	return room ? DRG_OK
	            : drg_fail(reterr, DRG_EBUSY, "queue_full", NULL,
	                       "too many requests wait for the store; try again later");
}

int drg_readers_start(const struct drg_readers_options *o, struct drg_readers **ret, struct drg_err *reterr)
{
	struct drg_readers *p = calloc(1, sizeof *p);
	if (p == NULL)
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "out of memory");
	unsigned n = o->threads > 0 ? o->threads : 2;
	p->max_jobs = o->max_jobs > 0 ? o->max_jobs : 1024;
	p->url = strdup(o->store_url);
	p->threads = calloc(n, sizeof *p->threads);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->changed, NULL);
	bool ok = p->url != NULL && p->threads != NULL;
	while (ok && p->n_threads < n) {
		ok = pthread_create(&p->threads[p->n_threads], NULL, run, p) == 0;
		p->n_threads += ok;
	}
	if (!ok) {
		drg_readers_stop(p);
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "cannot start a thread");
	}
	*ret = p;
	return DRG_OK;
}

void drg_readers_stop(struct drg_readers *p)
{
	if (p == NULL)
		return;
	pthread_mutex_lock(&p->lock);
	p->stopping = true;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
	for (unsigned i = 0; i < p->n_threads; i++)
		pthread_join(p->threads[i], NULL);
	pthread_cond_destroy(&p->changed);
	pthread_mutex_destroy(&p->lock);
	free(p->threads);
	free(p->url);
	free(p);
}
