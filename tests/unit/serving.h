/* tests/unit/serving.h
 * A store of the test and a follower of it, as a server has them. */
#pragma once
#include "importing.h"

#include <stdatomic.h>

#include "base/clock.h"
#include "base/log.h"
#include "catalog/rcu.h"
#include "server/follower.h"

struct serving {
	struct importing store;
	struct drg_follower *follower;
	_Atomic int published;
	void (*also)(void *ctx); /* called with `ctx` after each publication */
	void *ctx;
};

static inline void serving_published(void *ctx)
{
	struct serving *s = ctx;
	if (s->also != NULL)
		s->also(s->ctx);
	atomic_fetch_add(&s->published, 1);
}

/** Import a text; DRG_OK is expected. */
static inline void serving_import(struct serving *s, const char *ndjson)
{
	if (importing_text(&s->store, ndjson, (struct drg_import_options){ 0 }) != DRG_OK)
		fail_msg("%s %s", s->store.err.message, s->store.first_bad);
}

static inline int64_t serving_seq(const struct serving *s)
{
	drg_read_lock();
	const struct drg_catalog *cat = drg_follower_catalog(s->follower);
	int64_t seq = cat != NULL ? drg_catalog_seq(cat) : -1;
	drg_read_unlock();
	return seq;
}

/** What the store is at. */
static inline int64_t serving_store_seq(const struct serving *s)
{
	struct drg_store *store;
	struct drg_clock clock;
	assert_int_equal(drg_store_open(s->store.store_url, DRG_STORE_READ, &store, NULL), DRG_OK);
	assert_int_equal(drg_store_clock(store, &clock, NULL), DRG_OK);
	drg_store_close(store);
	return clock.seq;
}

/** Import, and wait until the catalog has it. */
static inline void serving_change(struct serving *s, const char *ndjson)
{
	serving_import(s, ndjson);
	int64_t seq = serving_store_seq(s);
	drg_follower_wake(s->follower);
	wait_until(serving_seq(s) == seq);
}

/** A store with some data and a follower that has not been started. */
static inline void serving_begin(struct serving *s, const char *ndjson, struct drg_follower_options o)
{
	*s = (struct serving){ .published = 0 };
	importing_begin(&s->store);
	serving_import(s, ndjson);
	drg_log_set_level(DRG_LOG_ERROR);
	o.store_url = s->store.store_url;
	o.poll_ms = o.poll_ms != 0 ? o.poll_ms : 5;
	o.catalog.max_bytes = 1 << 26;
	o.published = serving_published;
	o.ctx = s;
	assert_int_equal(drg_follower_open(&o, &s->follower, NULL), DRG_OK);
}

static inline void serving_end(struct serving *s)
{
	drg_follower_close(s->follower);
	importing_end(&s->store);
}
