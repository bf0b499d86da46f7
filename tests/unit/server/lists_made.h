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
                        struct drg_list_body *out, struct drg_err *err)
{
	assert_ptr_equal(ctx, &maker);
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
	drg_buf_printf(&out->text, "{\"seq\":%lld,\"country\":%lld}", seq, (long long)key->country);
	uint32_t x = 12345;
	for (size_t i = atomic_load(&maker.padding); i > 0; i--) {
		x = x * 1664525u + 1013904223u;
		drg_buf_char(&out->text, (char)(x >> 24));
	}
	return DRG_OK;
}

static inline void data_changed(void *ctx)
{
	(void)ctx;
	drg_lists_data_changed(lists);
}

/* What is attached to a list: its ETag. */
static atomic_int attached, detached;

static inline void *attach(const struct drg_list *list)
{
	atomic_fetch_add(&attached, 1);
	return strdup(list->etag);
}

static inline void detach(void *etag)
{
	atomic_fetch_add(&detached, 1);
	free(etag);
}

static size_t max_waiting; /* of the lists that are started */

static inline void start_with(size_t max_bytes, size_t max_lists)
{
	memset(&maker, 0, sizeof maker);
	serving_begin(&node, adapters, (struct drg_follower_options){ 0 });
	atomic_store(&attached, 0);
	atomic_store(&detached, 0);
	const struct drg_lists_options o = { .follower = node.follower,
		                             .ctx = &maker,
		                             .max_bytes = max_bytes,
		                             .max_lists = max_lists,
		                             .max_waiting = max_waiting,
		                             .attach = attach,
		                             .detach = detach };
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
	assert_int_equal(atomic_load(&detached), atomic_load(&attached));
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

static inline struct drg_list_wish wish_for(int64_t country, int64_t asked_ns, enum drg_coding coding)
{
	return (struct drg_list_wish){ .key = key_of(country), .asked_ns = asked_ns, .coding = coding };
}

static inline bool is_ready(int64_t country, int64_t asked_ns)
{
	const struct drg_list_wish wish = wish_for(country, asked_ns, DRG_CODING_IDENTITY);
	const struct drg_list *list;
	if (drg_lists_get(lists, &wish, NULL, &list, NULL) != DRG_OK)
		return false;
	drg_list_release((void *)(uintptr_t)list);
	return true;
}

/* A request that waits. */
struct asker {
	struct drg_list_wait wait;
	enum drg_coding coding;
	_Atomic bool woken;
	int rc; /* of asking again */
};

static inline void wake_flag(void *asker)
{
	atomic_store(&((struct asker *)asker)->woken, true);
}

static inline int ask(struct asker *a, int64_t country, int64_t asked_ns, const struct drg_list **ret,
                      struct drg_err *err)
{
	const struct drg_list_wish wish = wish_for(country, asked_ns, a->coding);
	a->wait.ctx = a;
	if (a->wait.wake == NULL)
		a->wait.wake = wake_flag;
	return drg_lists_get(lists, &wish, &a->wait, ret, err);
}

/* Ask for a list that is not there, by the client @p client with the key @p key_id. */
static inline void begin_to_wait(struct asker *a, int64_t country, unsigned char client, int64_t key_id)
{
	const struct drg_list *list;
	a->wait.key_id = key_id;
	a->wait.client[0] = client;
	assert_int_equal(ask(a, country, drg_clock_ns(), &list, NULL), DRG_EBUSY);
}

/* As a request does: ask, wait to be woken, ask again. */
static inline int get_coded(int64_t country, int64_t asked_ns, enum drg_coding c, const struct drg_list **ret,
                            struct drg_err *err)
{
	for (;;) {
		struct asker a = { .coding = c };
		int rc = ask(&a, country, asked_ns, ret, err);
		if (rc != DRG_EBUSY)
			return rc;
		wait_until(atomic_load(&a.woken));
	}
}

static inline int get(int64_t country, int64_t asked_ns, const struct drg_list **ret, struct drg_err *err)
{
	return get_coded(country, asked_ns, DRG_CODING_IDENTITY, ret, err);
}

/* A list that has to come; to be released. */
static inline const struct drg_list *list_of(int64_t country, int64_t asked_ns)
{
	const struct drg_list *list = NULL;
	assert_int_equal(get(country, asked_ns, &list, NULL), DRG_OK);
	return list;
}

static inline void release(const struct drg_list *list)
{
	drg_list_release((void *)(uintptr_t)list);
}
