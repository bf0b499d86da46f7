#include "node/follower.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "node/loader.h"

struct drg_follower {
	struct drg_follower_options o;
	char *url;
	struct drg_store *store; /* the thread's; NULL while it is away */
	_Atomic(struct drg_catalog *) catalog;
	_Atomic int64_t last_contact_us;
	pthread_rwlock_t
	        still; /* written while records are applied, read by those who need them to stand still */
	pthread_t thread;
	bool running; /* the thread was started */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool woken, stopping; /* under lock */
	unsigned failures; /* looks in a row that failed; the first one is logged */
};

static const size_t REBUILD_DEAD_BYTES = 256u << 20;

struct apply {
	struct drg_follower *f;
	struct drg_catalog *cat;
	struct drg_err *err;
};

static void tell_changed(struct drg_follower *f, const struct drg_record *r)
{
	if (f->o.changed != NULL)
		f->o.changed(f->o.ctx, r);
}

static int load_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct apply *a = ctx;
	return drg_catalog_apply(a->cat, r, a->err);
}

static int apply_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct apply *a = ctx;
	tell_changed(a->f, r);
	return load_row(ctx, r, m);
}

/* Catalog from nothing, by the engine's fastest way. */
static int load(struct drg_follower *f, struct drg_catalog **ret, struct drg_err *err)
{
	struct drg_catalog *cat;
	int rc = drg_catalog_new(&f->o.catalog, &cat, err);
	if (rc != DRG_OK)
		return rc;
	const struct drg_filter all = { .without = drg_catalog_ignored_types(),
		                        .internal = true,
		                        .any_order = true };
	struct apply a = { f, cat, err };
	struct drg_clock clock;
	rc = drg_load_rows(f->store, &all, load_row, &a, &clock, err);
	if (rc == DRG_OK)
		rc = drg_catalog_publish(cat, clock.seq, clock.epoch, err);
	if (rc != DRG_OK) {
		drg_catalog_free(cat);
		return rc;
	}
	*ret = cat;
	return DRG_OK;
}

static int build_anew(struct drg_follower *f, struct drg_err *err)
{
	int64_t t0 = drg_clock_ns();
	struct drg_catalog *fresh;
	int rc = load(f, &fresh, err);
	if (rc != DRG_OK)
		return rc;
	struct drg_catalog_stats st;
	drg_catalog_stats(fresh, &st);
	double s = (double)(drg_clock_ns() - t0) / 1e9;
	drg_log(DRG_LOG_INFO,
	        "catalog of version %lld loaded: %llu source and %llu dict records in %.2f s, %zu MiB",
	        (long long)drg_catalog_seq(fresh), (unsigned long long)st.sources,
	        (unsigned long long)st.dicts, s, (st.heap_used + st.table_bytes) >> 20);
	tell_changed(f, NULL);
	struct drg_catalog *old = atomic_exchange(&f->catalog, fresh);
	if (old != NULL) {
		drg_read_synchronize();
		drg_catalog_free(old);
	}
	return DRG_OK;
}

static bool mostly_dead(const struct drg_follower *f, const struct drg_catalog *cat)
{
	struct drg_catalog_stats st;
	drg_catalog_stats(cat, &st);
	return st.heap_dead > f->o.rebuild_dead_bytes && st.heap_dead > st.heap_used / 2;
}

/* Is what the clock tells of a continuation of what the catalog has? */
static bool same_history(const struct drg_catalog *cat, const struct drg_clock *clock)
{
	return strcmp(clock->epoch, drg_catalog_epoch(cat)) == 0 && clock->seq >= drg_catalog_seq(cat);
}

/* One look at the store. @return whether something was published. */
static int follow(struct drg_follower *f, bool *ret_published, struct drg_err *err)
{
	struct drg_catalog *cat = atomic_load(&f->catalog);
	struct drg_clock clock;
	int rc = drg_store_clock(f->store, &clock, err);
	if (rc != DRG_OK)
		return rc;
	bool anew = cat == NULL || !same_history(cat, &clock) || mostly_dead(f, cat);
	*ret_published = anew || clock.seq > drg_catalog_seq(cat);
	if (anew)
		return build_anew(f, err);
	if (!*ret_published)
		return DRG_OK;
	struct apply a = { f, cat, err };
	pthread_rwlock_wrlock(&f->still);
	rc = drg_store_feed(f->store, drg_catalog_seq(cat), apply_row, &a, &clock, err);
	/* Restored between the two looks: what the catalog has from before would be taken for the new history. */
	anew = rc == DRG_OK && !same_history(cat, &clock);
	if (rc == DRG_OK && !anew)
		rc = drg_catalog_publish(cat, clock.seq, clock.epoch, err);
	pthread_rwlock_unlock(&f->still);
	return anew ? build_anew(f, err) : rc;
}

/* Reopens the store after a failure; logs an outage once, and its end. */
static void look(struct drg_follower *f)
{
	struct drg_err err = { 0 };
	bool published = false;
	int rc = DRG_OK;
	if (f->store == NULL)
		rc = drg_store_open(f->url, DRG_STORE_READ, &f->store, &err);
	if (rc == DRG_OK)
		rc = follow(f, &published, &err);
	if (rc != DRG_OK) {
		if (f->failures++ == 0)
			drg_log(DRG_LOG_ERROR, "cannot follow the store: %s; trying on", err.message);
		drg_store_close(f->store);
		f->store = NULL;
		return;
	}
	if (f->failures > 0)
		drg_log(DRG_LOG_INFO, "the store answers again");
	f->failures = 0;
	atomic_store(&f->last_contact_us, drg_wall_us());
	if (published && f->o.published != NULL)
		f->o.published(f->o.ctx);
}

/* A look that fails may be a whole load, so it is not repeated as often: up to eight times as seldom. */
static int64_t pause_ms(const struct drg_follower *f)
{
	return (int64_t)f->o.poll_ms << (f->failures < 3 ? f->failures : 3);
}

/* Sleep until the next poll, a wake-up or the stop. @return false: stop. */
static bool wait_turn(struct drg_follower *f)
{
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	int64_t ns = until.tv_nsec + pause_ms(f) * 1000000;
	until.tv_sec += (time_t)(ns / 1000000000);
	until.tv_nsec = (long)(ns % 1000000000);
	pthread_mutex_lock(&f->lock);
	int rc = 0;
	while (!f->woken && !f->stopping && rc == 0)
		rc = pthread_cond_timedwait(&f->changed, &f->lock, &until);
	f->woken = false;
	bool go_on = !f->stopping;
	pthread_mutex_unlock(&f->lock);
	return go_on;
}

static void *run(void *arg)
{
	struct drg_follower *f = arg;
	do
		look(f);
	while (wait_turn(f));
	return NULL;
}

static void follower_free(struct drg_follower *f)
{
	drg_store_close(f->store);
	drg_catalog_free(atomic_load(&f->catalog));
	pthread_rwlock_destroy(&f->still);
	pthread_cond_destroy(&f->changed);
	pthread_mutex_destroy(&f->lock);
	free(f->url);
	free(f);
}

/* The follower goes before readers that come after it, or lists built one after the other would hold it up. */
static void init_still(pthread_rwlock_t *lock)
{
	pthread_rwlockattr_t attr;
	pthread_rwlockattr_init(&attr);
	pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(lock, &attr);
	pthread_rwlockattr_destroy(&attr);
}

static struct drg_follower *follower_new(const struct drg_follower_options *o)
{
	struct drg_follower *f = calloc(1, sizeof *f);
	if (f == NULL)
		return NULL;
	f->o = *o;
	if (f->o.poll_ms == 0)
		f->o.poll_ms = 100;
	if (f->o.rebuild_dead_bytes == 0)
		f->o.rebuild_dead_bytes = REBUILD_DEAD_BYTES;
	f->url = strdup(o->store_url);
	pthread_mutex_init(&f->lock, NULL);
	init_still(&f->still);
	pthread_condattr_t attr;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&f->changed, &attr);
	pthread_condattr_destroy(&attr);
	if (f->url == NULL) {
		follower_free(f);
		return NULL;
	}
	return f;
}

int drg_follower_open(const struct drg_follower_options *o, struct drg_follower **ret, struct drg_err *reterr)
{
	struct drg_follower *f = follower_new(o);
	if (f == NULL)
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "out of memory");
	int rc = drg_store_open(f->url, DRG_STORE_READ, &f->store, reterr);
	if (rc != DRG_OK) {
		follower_free(f);
		return rc;
	}
	*ret = f;
	return DRG_OK;
}

int drg_follower_run(struct drg_follower *f, struct drg_err *reterr)
{
	if (pthread_create(&f->thread, NULL, run, f) != 0)
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "cannot start a thread");
	f->running = true;
	return DRG_OK;
}

void drg_follower_stop(struct drg_follower *f)
{
	if (f == NULL || !f->running)
		return;
	pthread_mutex_lock(&f->lock);
	f->stopping = true;
	pthread_cond_signal(&f->changed);
	pthread_mutex_unlock(&f->lock);
	pthread_join(f->thread, NULL);
	f->running = false;
}

void drg_follower_close(struct drg_follower *f)
{
	if (f == NULL)
		return;
	drg_follower_stop(f);
	follower_free(f);
}

void drg_follower_wake(struct drg_follower *f)
{
	pthread_mutex_lock(&f->lock);
	f->woken = true;
	pthread_cond_signal(&f->changed);
	pthread_mutex_unlock(&f->lock);
}

const struct drg_catalog *drg_follower_catalog(const struct drg_follower *f)
{
	return atomic_load_explicit(&f->catalog, memory_order_acquire);
}

void drg_follower_hold(struct drg_follower *f)
{
	pthread_rwlock_rdlock(&f->still);
}

void drg_follower_let_go(struct drg_follower *f)
{
	pthread_rwlock_unlock(&f->still);
}

bool drg_follower_ready(const struct drg_follower *f)
{
	return drg_follower_catalog(f) != NULL;
}

int64_t drg_follower_last_contact_us(const struct drg_follower *f)
{
	return atomic_load(&f->last_contact_us);
}
