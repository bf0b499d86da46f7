/* tests/unit/writing.h
 * A store with a follower and a writer on it, and ways to hold the writer up. */
#pragma once
#include "clock.h"
#include "folder.h"

#include <pthread.h>

#include "server/writer.h"

struct writing {
	struct folder dir;
	char url[128];
	struct drg_follower *follower;
	struct drg_writer *writer;
	struct drg_store *other; /**< as another process would have it */
	struct drg_txn *holding; /**< of `other`: while it is there, the writer waits */
	struct drg_err err;
};

#define MUST(x, call) writing_must((x), (call), #call, __LINE__)

static inline void writing_must(const struct writing *x, int rc, const char *call, int line)
{
	if (rc != DRG_OK)
		fail_msg("line %d: %s: %d %s", line, call, rc, x->err.message);
}

static void writing_published(void *ctx)
{
	struct writing *x = ctx;
	drg_writer_published(x->writer);
}

/** @param follow  Does the catalog follow the store? */
static inline void writing_begin(struct writing *x, struct drg_writer_options o, bool follow)
{
	*x = (struct writing){ .writer = NULL };
	folder_make(&x->dir);
	snprintf(x->url, sizeof x->url, "sqlite:%s/t.db", x->dir.path);
	MUST(x, drg_store_open(x->url, DRG_STORE_CREATE, &x->other, &x->err));
	const struct drg_follower_options f = {
		.store_url = x->url, .poll_ms = 20, .published = writing_published, .ctx = x
	};
	MUST(x, drg_follower_open(&f, &x->follower, &x->err));
	if (o.store_url == NULL)
		o.store_url = x->url;
	o.follower = x->follower;
	MUST(x, drg_writer_start(&o, &x->writer, &x->err));
	if (follow)
		MUST(x, drg_follower_run(x->follower, &x->err));
}

static inline void writing_hold(struct writing *x)
{
	MUST(x, drg_store_begin(x->other, &x->holding, &x->err));
}

static inline void writing_release(struct writing *x)
{
	drg_txn_rollback(x->holding);
	x->holding = NULL;
}

/** Does somebody wait for what is held? With the clock of the test, when 40 to 250 ms of it have passed
 * since. */
static inline bool writing_is_wanted(const struct writing *x)
{
	bool due = false;
	for (int looks = 0; looks < 16; looks++)
		due |= drg_txn_should_commit(x->holding);
	return due;
}

static inline void writing_end(struct writing *x)
{
	drg_follower_stop(x->follower);
	drg_writer_stop(x->writer);
	drg_follower_close(x->follower);
	drg_store_close(x->other);
	folder_remove(&x->dir);
}

static inline int64_t writing_seq(struct writing *x)
{
	struct drg_clock c;
	MUST(x, drg_store_clock(x->other, &c, &x->err));
	return c.seq;
}

static inline struct drg_record writing_meal(const char *id)
{
	struct drg_record r;
	drg_record_init(&r, &drg_types[DRG_TYPE_SOURCE]);
	drg_record_set_i(&r, DRG_F_ADAPTER_ID, 7);
	drg_record_set_i(&r, DRG_F_KIND, DRG_KIND_MEAL);
	drg_record_set_s(&r, DRG_F_SOURCE_ID, drg_str_c(id));
	drg_record_set_s(&r, DRG_F_NAME, DRG_STR("NAME"));
	drg_record_set_s(&r, DRG_F_LANG, DRG_STR("en"));
	return r;
}

static inline bool writing_has(struct writing *x, const char *id)
{
	struct drg_record r = writing_meal(id);
	return drg_store_exists(x->other, &r, NULL) == DRG_OK;
}

/** Waits for things that other threads finish. */
struct tally {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned n;
};

#define TALLY_INIT                                                                                           \
	{                                                                                                    \
		PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0                                       \
	}

static inline void tally_add(struct tally *t)
{
	pthread_mutex_lock(&t->lock);
	t->n++;
	pthread_cond_broadcast(&t->changed);
	pthread_mutex_unlock(&t->lock);
}

static inline unsigned tally_count(struct tally *t)
{
	pthread_mutex_lock(&t->lock);
	unsigned n = t->n;
	pthread_mutex_unlock(&t->lock);
	return n;
}

static inline void tally_wait(struct tally *t, unsigned n)
{
	pthread_mutex_lock(&t->lock);
	while (t->n < n)
		pthread_cond_wait(&t->changed, &t->lock);
	pthread_mutex_unlock(&t->lock);
}
