#include "load/jobs.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/tempfile.h"
#include "store/lend.h"

struct drg_loads {
	struct drg_loads_options o;
	struct drg_pool *pool;
	atomic_bool draining;
	pthread_mutex_t lock; /* protects `reading` */
	struct drg_loading *reading; /* the list that is being loaded */
};

/* Replace the path in a message by the list's name: people do not know the path. */
static void loading_name(struct drg_err *err, const char *path, const char *name)
{
	char text[sizeof err->message];
	const char *from = err->message, *at;
	size_t n = 0;
	text[0] = '\0';
	while (n < sizeof text && (at = strstr(from, path)) != NULL) {
		n += (size_t)snprintf(text + n, sizeof text - n, "%.*s%s", (int)(at - from), from, name);
		from = at + strlen(path);
	}
	if (n < sizeof text)
		snprintf(text + n, sizeof text - n, "%s", from);
	drg_fail(err, err->code, drg_reason_find(err->reason), err->field, "%s", text);
}

/* The answer to the list names this version (decision D1); without it, that of the catalog. */
static void loading_note_commit(struct drg_loading *l, struct drg_store *s)
{
	if (drg_store_clock(s, &l->commit, NULL) != DRG_OK)
		l->commit.seq = 0;
}

static int jobs_work(struct drg_loads *p, struct drg_loading *l, const char *path)
{
	struct drg_store *s;
	int rc = drg_store_open(p->o.store_url, DRG_STORE_WRITE, &s, &l->err);
	if (rc != DRG_OK)
		return rc;
	rc = l->work(l, s, path, &l->err);
	loading_note_commit(l, s);
	drg_store_close(s);
	return rc;
}

static int jobs_load(struct drg_loads *p, struct drg_loading *l)
{
	struct drg_store *s;
	int rc = drg_load(&l->o, &l->sums, &l->err);
	if (rc != DRG_OK || l->o.dry_run ||
	    drg_store_open(p->o.store_url, DRG_STORE_WRITE, &s, NULL) != DRG_OK)
		return rc;
	loading_note_commit(l, s);
	drg_store_close(s);
	return rc;
}

static int jobs_run(struct drg_loads *p, struct drg_loading *l, struct drg_tempfile *t)
{
	enum { PLACES = 3 }; /* PLACES: handles of a load: to read, to write, for the right to import */
	char path[DRG_TEMPFILE_PATH];
	const char *const files[] = { path }, *const names[] = { l->name };
	int rc = drg_tempfile_add(t, l->file.p, l->file.n, &l->err);
	if (rc == DRG_OK)
		rc = drg_tempfile_path(t, path, &l->err);
	if (rc != DRG_OK)
		return rc;
	l->o.store_url = p->o.store_url;
	l->o.dir = p->o.dir;
	l->o.files = files;
	l->o.names = names;
	l->o.n_files = 1;
	l->o.stop = &p->draining;
	l->o.stop_reading = &l->stop;
	rc = drg_store_reserve_connections(p->o.store_url, PLACES, &l->err);
	if (rc != DRG_OK)
		return rc;
	rc = l->work != NULL ? jobs_work(p, l, path) : jobs_load(p, l);
	drg_store_unreserve_connections(p->o.store_url, PLACES);
	if (rc != DRG_OK)
		loading_name(&l->err, path, l->name);
	return rc;
}

/* Note the list that is being read; if the server stops, the reading ends too. */
static void loads_reading(struct drg_loads *p, struct drg_loading *l)
{
	pthread_mutex_lock(&p->lock);
	assert((p->reading == NULL) != (l == NULL));
	p->reading = l;
	if (l != NULL && atomic_load(&p->draining))
		drg_loading_cancel(l);
	pthread_mutex_unlock(&p->lock);
}

static void loads_work(void *ctx, unsigned thread, struct drg_lane_item *item)
{
	struct drg_loads *p = ctx;
	struct drg_loading *l = DRG_CONTAINER_OF(item, struct drg_loading, item);
	struct drg_tempfile *t = NULL;
	(void)thread;
	loads_reading(p, l);
	l->rc = drg_tempfile_open(p->o.dir, &t, &l->err);
	if (l->rc == DRG_OK)
		l->rc = jobs_run(p, l, t);
	drg_tempfile_close(t);
	loads_reading(p, NULL);
}

static void loads_ended(struct drg_lane_item *item)
{
	struct drg_loading *l = DRG_CONTAINER_OF(item, struct drg_loading, item);
	l->ended(l);
}

static void loads_free(struct drg_loads *p)
{
	pthread_mutex_destroy(&p->lock);
	free(p);
}

int drg_loads_start(const struct drg_loads_options *o, struct drg_loads **ret, struct drg_err *reterr)
{
	struct drg_loads *p = calloc(1, sizeof *p);
	if (p == NULL)
		return drg_fail_memory(reterr);
	p->o = *o;
	pthread_mutex_init(&p->lock, NULL);
	const struct drg_pool_options pool = {
		.threads = 1, .max = 1, .background = true, .work = loads_work, .ended = loads_ended, .ctx = p
	};
	int rc = drg_pool_start(&pool, &p->pool, reterr);
	if (rc == DRG_OK)
		*ret = p;
	else
		loads_free(p);
	return rc;
}

void drg_loads_drain(struct drg_loads *p)
{
	if (p == NULL)
		return;
	atomic_store(&p->draining, true);
	pthread_mutex_lock(&p->lock);
	if (p->reading != NULL)
		drg_loading_cancel(p->reading);
	pthread_mutex_unlock(&p->lock);
}

void drg_loading_cancel(struct drg_loading *l)
{
	atomic_store(&l->stop, true);
}

void drg_loads_stop(struct drg_loads *p)
{
	if (p == NULL)
		return;
	drg_pool_stop(p->pool);
	loads_free(p);
}

int drg_loads_submit(struct drg_loads *p, struct drg_loading *l, struct drg_err *reterr)
{
	if (drg_pool_put(p->pool, &l->item) == DRG_OK)
		return DRG_OK;
	return drg_fail(reterr, DRG_EBUSY, DRG_R(import_running), NULL,
	                "another list is being loaded; try again when it is through");
}
