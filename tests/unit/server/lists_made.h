/* tests/unit/server/lists_made.h
 * Lists that a test's own builder makes, of a store that an importer writes to. The time of a request is an
 * argument, so that nobody need wait for a list to grow old. */
#pragma once
#include "../serving.h"

#include <pthread.h>

#include "server/lists/lists.h"

enum { MS = 1000000 };
#define SECOND INT64_C(1000000000)

static const char adapters[] =
        "{\"type\":\"adapter\",\"id\":7,\"code\":\"a\",\"name\":\"A\",\"domain\":\"tour\"}\n"
        "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":\"AI\"}\n";

/* The builder: what it does, and what it did. */
static struct {
	_Atomic int builds, failures; /* to come */
	_Atomic bool gate_closed; /* builds wait at their beginning */
	_Atomic bool at_gate;
	_Atomic bool steady; /* the body does not show the version of the data */
	_Atomic size_t padding; /* bytes that do not compress */
	int64_t order[32]; /* `country` of each key built, by the builder's thread */
} maker;

static struct serving node;
static struct drg_lists *lists;

static inline int build(const struct drg_catalog *cat, const struct drg_list_key *key, void *ctx,
                        struct drg_buf *out, int64_t *ret_total, struct drg_err *err)
{
	assert_ptr_equal(ctx, &maker);
	assert_int_equal(*ret_total, DRG_LIST_UNCOUNTED);
	maker.order[atomic_load(&maker.builds) % (int)DRG_ARRAY_LEN(maker.order)] = key->country;
	atomic_fetch_add(&maker.builds, 1);
	while (atomic_load(&maker.gate_closed)) {
		atomic_store(&maker.at_gate, true);
		a_moment();
	}
	if (atomic_load(&maker.failures) > 0) {
		atomic_fetch_sub(&maker.failures, 1);
		return drg_fail(err, DRG_ELIMIT, DRG_R(too_large), NULL, "too large");
	}
	long long seq = atomic_load(&maker.steady) ? 0 : (long long)drg_catalog_seq(cat);
	drg_buf_printf(out, "{\"seq\":%lld,\"country\":%lld}", seq, (long long)key->country);
	uint32_t x = 12345;
	for (size_t i = atomic_load(&maker.padding); i > 0; i--) {
		x = x * 1664525u + 1013904223u;
		drg_buf_char(out, (char)(x >> 24));
	}
	return DRG_OK;
}

static inline void data_changed(void *ctx)
{
	(void)ctx;
	drg_lists_data_changed(lists);
}

static size_t max_waiting; /* of the lists that are started */

static inline void start_with(size_t max_bytes, size_t max_lists)
{
	memset(&maker, 0, sizeof maker);
	serving_begin(&node, adapters, (struct drg_follower_options){ 0 });
	const struct drg_lists_options o = { .follower = node.follower,
		                             .ctx = &maker,
		                             .max_bytes = max_bytes,
		                             .max_lists = max_lists,
		                             .max_waiting = max_waiting };
	assert_int_equal(drg_lists_start(&o, &lists, NULL), DRG_OK);
	node.also = data_changed;
	assert_int_equal(drg_follower_run(node.follower, NULL), DRG_OK);
	wait_until(atomic_load(&node.published) == 1);
}

static inline void start(size_t max_bytes)
{
	start_with(max_bytes, 0);
}

static inline void stop(void)
{
	drg_follower_stop(node.follower);
	drg_lists_stop(lists);
	lists = NULL;
	serving_end(&node);
}

static inline void change_data(const char *name)
{
	char text[128];
	snprintf(text, sizeof text, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":\"%s\"}\n", name);
	int before = atomic_load(&node.published);
	serving_change(&node, text);
	wait_until(atomic_load(&node.published) > before);
}

/* The key of country @p country. */
static inline struct drg_list_key key_of(int64_t country)
{
	struct drg_list_key key;
	memset(&key, 0, sizeof key);
	key.build = build;
	key.country = country;
	memcpy(key.lang, "en", 2);
	return key;
}

static inline bool is_ready(int64_t country, int64_t asked_ns)
{
	struct drg_list_ask look = { .key = key_of(country), .asked_ns = asked_ns };
	if (drg_lists_get(lists, &look) != DRG_OK)
		return false;
	drg_content_release(look.content);
	return true;
}

/* A request that waits. */
struct asker {
	struct drg_list_ask ask;
	_Atomic bool woken;
};

static inline void wake_flag(struct drg_list_ask *ask)
{
	atomic_store(&DRG_CONTAINER_OF(ask, struct asker, ask)->woken, true);
}

/* Take nothing. */
static inline void wake_idle(struct drg_list_ask *ask)
{
	if (ask->rc == DRG_OK)
		drg_content_release(ask->content);
	wake_flag(ask);
}

static inline int ask(struct asker *a, int64_t country, int64_t asked_ns, struct drg_err *err)
{
	a->ask.key = key_of(country);
	a->ask.asked_ns = asked_ns;
	a->ask.err = err;
	if (a->ask.wake == NULL)
		a->ask.wake = wake_idle;
	return drg_lists_get(lists, &a->ask);
}

/* Ask for a list that is not there, by the client @p client with the key @p key_id. */
static inline void begin_to_wait(struct asker *a, int64_t country, unsigned char client, int64_t key_id)
{
	a->ask.key_id = key_id;
	a->ask.client[0] = client;
	assert_int_equal(ask(a, country, drg_clock_ns(), NULL), DRG_EBUSY);
}

/* Do what a request does: ask, wait to be woken, and retry if the built list is not enough. */
static inline int get(struct asker *a, int64_t country, int64_t asked_ns)
{
	a->ask.wake = wake_flag;
	for (;;) {
		atomic_store(&a->woken, false);
		int rc = ask(a, country, asked_ns, NULL);
		if (rc != DRG_EBUSY)
			return rc;
		wait_until(atomic_load(&a->woken));
		if (a->ask.rc != DRG_EBUSY)
			return a->ask.rc;
	}
}

/* A list that has to come; to be released. */
static inline struct drg_content *coded_list_of(int64_t country, int64_t asked_ns, enum drg_coding c)
{
	struct asker a = { .ask.coding = c };
	assert_int_equal(get(&a, country, asked_ns), DRG_OK);
	return a.ask.content;
}

static inline struct drg_content *list_of(int64_t country, int64_t asked_ns)
{
	return coded_list_of(country, asked_ns, DRG_CODING_IDENTITY);
}
