/* Lists that a test's own builder makes, of a store that an importer writes to. The time of a request is an argument, so
 * that nobody need wait for a list to grow old. */
#include "../serving.h"

#include <pthread.h>

#include "node/lists/lists.h"

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

static int build(const struct drg_catalog *cat, const struct drg_list_key *key, void *ctx,
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

static void data_changed(void *ctx)
{
	(void)ctx;
	drg_lists_data_changed(lists);
}

/* What is attached to a list: its ETag. */
static atomic_int attached, detached;

static void *attach(const struct drg_list *list)
{
	atomic_fetch_add(&attached, 1);
	return strdup(list->etag);
}

static void detach(void *etag)
{
	atomic_fetch_add(&detached, 1);
	free(etag);
}

static size_t max_waiting; /* of the lists that are started */

static void start_with(size_t max_bytes, size_t max_lists)
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

static void start(size_t max_bytes)
{
	start_with(max_bytes, 0);
}

static void stop(void)
{
	drg_follower_stop(node.follower);
	drg_lists_stop(lists);
	assert_int_equal(atomic_load(&detached), atomic_load(&attached));
	lists = NULL;
	serving_end(&node);
}

static void change_data(const char *name)
{
	char text[128];
	snprintf(text, sizeof text, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":\"%s\"}\n", name);
	int before = atomic_load(&node.published);
	serving_change(&node, text);
	wait_until(atomic_load(&node.published) > before);
}

/* The key of country @p country. */
static struct drg_list_key key_of(int64_t country)
{
	struct drg_list_key key;
	memset(&key, 0, sizeof key);
	key.build = build;
	key.country = country;
	memcpy(key.lang, "en", 2);
	return key;
}

static struct drg_list_wish wish_for(int64_t country, int64_t asked_ns, enum drg_coding coding)
{
	return (struct drg_list_wish){ .key = key_of(country), .asked_ns = asked_ns, .coding = coding };
}

static bool is_ready(int64_t country, int64_t asked_ns)
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

static void wake_flag(void *asker)
{
	atomic_store(&((struct asker *)asker)->woken, true);
}

static int ask(struct asker *a, int64_t country, int64_t asked_ns, const struct drg_list **ret,
               struct drg_err *err)
{
	const struct drg_list_wish wish = wish_for(country, asked_ns, a->coding);
	a->wait.ctx = a;
	if (a->wait.wake == NULL)
		a->wait.wake = wake_flag;
	return drg_lists_get(lists, &wish, &a->wait, ret, err);
}

/* Ask for a list that is not there, by the client @p client with the key @p key_id. */
static void begin_to_wait(struct asker *a, int64_t country, unsigned char client, int64_t key_id)
{
	const struct drg_list *list;
	a->wait.key_id = key_id;
	a->wait.client[0] = client;
	assert_int_equal(ask(a, country, drg_clock_ns(), &list, NULL), DRG_EBUSY);
}

/* As a request does: ask, wait to be woken, ask again. */
static int get_coded(int64_t country, int64_t asked_ns, enum drg_coding c, const struct drg_list **ret,
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

static int get(int64_t country, int64_t asked_ns, const struct drg_list **ret, struct drg_err *err)
{
	return get_coded(country, asked_ns, DRG_CODING_IDENTITY, ret, err);
}

/* A list that has to come; to be released. */
static const struct drg_list *list_of(int64_t country, int64_t asked_ns)
{
	const struct drg_list *list = NULL;
	assert_int_equal(get(country, asked_ns, &list, NULL), DRG_OK);
	return list;
}

static void release(const struct drg_list *list)
{
	drg_list_release((void *)(uintptr_t)list);
}

static void the_first_request_waits_and_later_ones_find_it(void **state)
{
	(void)state;
	start(0);
	const struct drg_list *one = list_of(5, drg_clock_ns()), *two = list_of(5, drg_clock_ns());
	assert_ptr_equal(one, two);
	assert_int_equal(atomic_load(&maker.builds), 1);
	assert_true(drg_str_eq(one->body[DRG_CODING_IDENTITY], DRG_STR("{\"seq\":1,\"country\":5}")));
	assert_int_equal(strlen(one->etag), 32);
	release(one);
	release(two);
	stop();
}

static const struct drg_list *coded_list_of(int64_t country, int64_t asked_ns, enum drg_coding c)
{
	const struct drg_list *list = NULL;
	assert_int_equal(get_coded(country, asked_ns, c, &list, NULL), DRG_OK);
	return list;
}

static void a_coding_comes_where_it_pays(void **state)
{
	(void)state;
	start(0);
	atomic_store(&maker.padding, 1000);
	const struct drg_list *small = coded_list_of(1, drg_clock_ns(), DRG_CODING_BR);
	atomic_store(&maker.padding, 1024);
	const struct drg_list *large = coded_list_of(2, drg_clock_ns(), DRG_CODING_BR);
	assert_int_equal(small->body[DRG_CODING_BR].n, 0);
	assert_true(large->body[DRG_CODING_BR].n > 0);
	release(small);
	release(large);
	stop();
}

/* The codings that a list is there in, as bits; of one that has to be ready. */
static unsigned codings_of(int64_t country, int64_t asked_ns)
{
	const struct drg_list *list = list_of(country, asked_ns);
	unsigned bits = 0;
	for (unsigned c = 0; c < DRG_CODING_COUNT; c++)
		bits |= (unsigned)(list->body[c].n > 0) << c;
	release(list);
	return bits;
}

/* Made of what is there already; made again, after a change, where it was asked for lately. */
static void a_coding_is_made_when_it_is_asked_for(void **state)
{
	(void)state;
	enum { PLAIN = 1 << DRG_CODING_IDENTITY, GZIP = 1 << DRG_CODING_GZIP, ZSTD = 1 << DRG_CODING_ZSTD };
	const int64_t t = drg_clock_ns();
	start(0);
	atomic_store(&maker.padding, 5000);
	const struct drg_list *plain = list_of(5, t);
	assert_int_equal(codings_of(5, t), PLAIN);
	release(coded_list_of(5, t - 61 * SECOND, DRG_CODING_GZIP));
	assert_int_equal(codings_of(5, t), PLAIN | GZIP);
	const struct drg_list *both = coded_list_of(5, t, DRG_CODING_ZSTD);
	assert_int_equal(codings_of(5, t), PLAIN | GZIP | ZSTD);
	assert_int_equal(atomic_load(&maker.builds), 1);
	assert_ptr_equal(plain->body[0].p, both->body[0].p);
	assert_int_equal(plain->body[DRG_CODING_ZSTD].n, 0);
	assert_true(is_ready(5, drg_clock_ns()));
	change_data("B");
	wait_until(atomic_load(&maker.builds) == 2);
	wait_until(is_ready(5, drg_clock_ns() + SECOND));
	assert_int_equal(codings_of(5, drg_clock_ns() + SECOND), PLAIN | ZSTD);
	release(plain);
	release(both);
	stop();
}

/* A list that grew old is not compressed for who asks for a coding of it: it is built. */
static void a_coding_of_a_list_that_grew_old_is_one_of_the_new(void **state)
{
	(void)state;
	start(0);
	atomic_store(&maker.padding, 5000);
	release(list_of(5, drg_clock_ns() - 61 * SECOND));
	change_data("B");
	const struct drg_list *list = coded_list_of(5, drg_clock_ns() + SECOND, DRG_CODING_GZIP);
	assert_int_equal(atomic_load(&maker.builds), 2);
	assert_non_null(memmem(list->body[0].p, list->body[0].n, "\"seq\":2", 7));
	release(list);
	stop();
}

static void a_look_builds_nothing(void **state)
{
	(void)state;
	start(0);
	assert_false(is_ready(5, drg_clock_ns()));
	change_data("B");
	release(list_of(6, drg_clock_ns())); /* built after whatever had been asked for before */
	assert_int_equal(atomic_load(&maker.builds), 1);
	assert_int_equal(maker.order[0], 6);
	stop();
}

static void *ask_ten_times(void *arg)
{
	(void)arg;
	for (int i = 0; i < 10; i++)
		for (int64_t country = 1; country <= 3; country++)
			release(list_of(country, drg_clock_ns()));
	return NULL;
}

static void many_who_ask_at_once_share_one_build(void **state)
{
	(void)state;
	pthread_t thread[8];
	start(0);
	for (size_t i = 0; i < DRG_ARRAY_LEN(thread); i++)
		pthread_create(&thread[i], NULL, ask_ten_times, NULL);
	for (size_t i = 0; i < DRG_ARRAY_LEN(thread); i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(atomic_load(&maker.builds), 3);
	stop();
}

/* Readers beside a stream of changes: for ThreadSanitizer above all. */
static void lists_are_had_while_the_data_changes(void **state)
{
	(void)state;
	pthread_t thread[3];
	start(20000);
	atomic_store(&maker.padding, 3000);
	for (size_t i = 0; i < DRG_ARRAY_LEN(thread); i++)
		pthread_create(&thread[i], NULL, ask_ten_times, NULL);
	change_data("B");
	change_data("C");
	for (size_t i = 0; i < DRG_ARRAY_LEN(thread); i++)
		pthread_join(thread[i], NULL);
	stop();
}

static void a_list_that_grew_old_is_waited_for(void **state)
{
	(void)state;
	start(0);
	release(list_of(5, drg_clock_ns()));
	atomic_store(&maker.gate_closed, true);
	change_data("B");
	int64_t now = drg_clock_ns();
	assert_true(is_ready(5, now));
	assert_false(is_ready(5, now + 600 * MS));
	atomic_store(&maker.gate_closed, false);
	const struct drg_list *list = list_of(5, now + 600 * MS);
	assert_true(drg_str_eq(list->body[DRG_CODING_IDENTITY], DRG_STR("{\"seq\":2,\"country\":5}")));
	release(list);
	stop();
}

/* A list that was asked for again once it was there. */
static void make_hot(int64_t country)
{
	release(list_of(country, drg_clock_ns()));
	assert_true(is_ready(country, drg_clock_ns()));
}

static void what_was_asked_for_lately_and_again_is_rebuilt_unasked(void **state)
{
	(void)state;
	start(0);
	make_hot(5);
	release(list_of(6, drg_clock_ns() - 61 * SECOND));
	release(list_of(7, drg_clock_ns()));
	change_data("B");
	wait_until(atomic_load(&maker.builds) == 4);
	assert_int_equal(maker.order[3], 5);
	wait_until(is_ready(5, drg_clock_ns() + SECOND));
	change_data("C");
	wait_until(atomic_load(&maker.builds) == 5);
	wait_until(is_ready(5, drg_clock_ns() + SECOND));
	assert_false(is_ready(6, drg_clock_ns() + SECOND));
	assert_false(is_ready(7, drg_clock_ns() + SECOND));
	assert_int_equal(atomic_load(&maker.builds), 5);
	stop();
}

static void what_came_out_as_it_was_is_kept(void **state)
{
	(void)state;
	start(0);
	atomic_store(&maker.steady, true);
	const struct drg_list *before = list_of(5, drg_clock_ns());
	change_data("B");
	const struct drg_list *after = list_of(5, drg_clock_ns() + SECOND);
	assert_int_equal(atomic_load(&maker.builds), 2);
	assert_ptr_equal(before->body[0].p, after->body[0].p);
	assert_true(after->version.seq > before->version.seq);
	release(before);
	release(after);
	stop();
}

static void of_one_client_the_longest_waited_for_comes_first(void **state)
{
	(void)state;
	struct asker a[4] = { 0 };
	start(0);
	atomic_store(&maker.gate_closed, true);
	for (int64_t i = 0; i < 4; i++) {
		begin_to_wait(&a[i], i, 0, 0);
		if (i == 0)
			wait_until(atomic_load(&maker.at_gate));
	}
	atomic_store(&maker.gate_closed, false);
	for (int i = 0; i < 4; i++)
		wait_until(atomic_load(&a[i].woken));
	for (int i = 0; i < 4; i++)
		assert_int_equal(maker.order[i], i);
	stop();
}

/* One with many wishes, another one of the same key, one of another key, and one who leaves. */
static void clients_take_turns_and_leavers_get_nothing(void **state)
{
	(void)state;
	enum { MANY = 6 };
	static const int64_t order[] = { 0, 20, 30, 1, 2, 4, 5 };
	struct asker many[MANY] = { 0 }, other = { 0 }, other_key = { 0 }, left = { 0 }, beside = { 0 };
	start(0);
	atomic_store(&maker.gate_closed, true);
	for (int64_t i = 0; i < MANY; i++) {
		begin_to_wait(&many[i], i, 1, 1);
		if (i == 0)
			wait_until(atomic_load(&maker.at_gate));
	}
	begin_to_wait(&left, 10, 2, 1);
	begin_to_wait(&beside, 4, 2, 1);
	begin_to_wait(&other_key, 20, 1, 2);
	begin_to_wait(&other, 30, 3, 1);
	assert_int_equal(drg_lists_waiting(lists), MANY + 3);
	assert_true(drg_lists_leave(lists, &left.wait));
	assert_false(drg_lists_leave(lists, &left.wait));
	assert_true(drg_lists_leave(lists, &beside.wait));
	assert_true(drg_lists_leave(lists, &many[3].wait));
	assert_int_equal(drg_lists_waiting(lists), MANY + 1);
	atomic_store(&maker.gate_closed, false);
	for (int i = 0; i < MANY; i++)
		wait_until(i == 3 || atomic_load(&many[i].woken));
	assert_int_equal(atomic_load(&maker.builds), DRG_ARRAY_LEN(order));
	assert_memory_equal(maker.order, order, sizeof order);
	assert_true(atomic_load(&other.woken) && atomic_load(&other_key.woken));
	assert_false(atomic_load(&left.woken) || atomic_load(&many[3].woken));
	assert_false(drg_lists_leave(lists, &other.wait));
	assert_int_equal(drg_lists_waiting(lists), 0);
	stop();
}

static void who_is_refused_hears_why(void **state)
{
	(void)state;
	struct asker in_work = { 0 }, one = { 0 }, more = { 0 }, beside = { 0 }, other = { 0 };
	const struct drg_list *list;
	struct drg_err err;
	max_waiting = 3;
	start(0);
	atomic_store(&maker.gate_closed, true);
	begin_to_wait(&in_work, 0, 1, 1);
	wait_until(atomic_load(&maker.at_gate));
	more.wait.client[0] = 1;
	assert_int_equal(ask(&more, 1, drg_clock_ns(), &list, &err), DRG_ELIMIT);
	assert_string_equal(err.reason, "lists_waiting");
	assert_non_null(strstr(err.message, "your address"));
	begin_to_wait(&beside, 0, 1, 1); /* what somebody waits for already costs nothing */
	begin_to_wait(&one, 2, 2, 1);
	begin_to_wait(&other, 3, 3, 1);
	more.wait.client[0] = 4;
	assert_int_equal(ask(&more, 4, drg_clock_ns(), &list, &err), DRG_ELIMIT);
	assert_string_equal(err.reason, "lists_waiting");
	assert_null(strstr(err.message, "your address"));
	atomic_store(&maker.gate_closed, false);
	wait_until(atomic_load(&beside.woken) && atomic_load(&one.woken) && atomic_load(&other.woken));
	begin_to_wait(&more, 4, 4, 1);
	wait_until(atomic_load(&more.woken));
	max_waiting = 0;
	stop();
}

static void a_drain_ends_waiting_but_for_what_is_built(void **state)
{
	(void)state;
	struct asker in_work = { 0 }, behind = { 0 }, late = { 0 };
	const struct drg_list *list;
	start(0);
	release(list_of(7, drg_clock_ns()));
	atomic_store(&maker.gate_closed, true);
	begin_to_wait(&in_work, 5, 0, 0);
	wait_until(atomic_load(&maker.at_gate));
	begin_to_wait(&behind, 6, 0, 0);
	drg_lists_drain(lists);
	assert_true(atomic_load(&behind.woken));
	assert_int_equal(ask(&behind, 6, drg_clock_ns(), &list, NULL), DRG_ESTOPPED);
	assert_int_equal(ask(&late, 8, drg_clock_ns(), &list, NULL), DRG_ESTOPPED);
	assert_true(is_ready(7, drg_clock_ns()));
	assert_false(atomic_load(&in_work.woken));
	atomic_store(&maker.gate_closed, false);
	wait_until(atomic_load(&in_work.woken));
	assert_true(is_ready(5, drg_clock_ns()));
	assert_int_equal(atomic_load(&maker.builds), 2);
	stop();
}

static void the_least_recently_used_go_first(void **state)
{
	(void)state;
	int64_t t = drg_clock_ns();
	start(9 * 20000); /* room for four */
	atomic_store(&maker.padding, 40000);
	for (int64_t i = 0; i < 3; i++)
		release(list_of(i, t += 2 * SECOND));
	assert_true(is_ready(0, t += 2 * SECOND));
	for (int64_t i = 3; i < 5; i++)
		release(list_of(i, t += 2 * SECOND));
	assert_true(is_ready(0, t));
	assert_false(is_ready(1, t));
	assert_true(is_ready(2, t));
	assert_true(is_ready(4, t));
	stop();
}

static void there_are_only_so_many_however_small(void **state)
{
	(void)state;
	int64_t t = drg_clock_ns();
	start_with(0, 3);
	for (int64_t i = 0; i < 4; i++)
		release(list_of(i, t += 2 * SECOND));
	assert_true(is_ready(1, t));
	assert_true(is_ready(2, t));
	assert_true(is_ready(3, t));
	assert_false(is_ready(0, t));
	stop();
}

static void a_list_above_the_ceiling_is_served(void **state)
{
	(void)state;
	start(1);
	for (int64_t i = 0; i < 3; i++)
		release(list_of(i, drg_clock_ns()));
	assert_false(is_ready(0, drg_clock_ns()));
	assert_true(is_ready(2, drg_clock_ns()));
	stop();
}

static void a_failure_is_told_to_all_who_waited(void **state)
{
	(void)state;
	struct asker a[2] = { 0 };
	const struct drg_list *list;
	start(0);
	atomic_store(&maker.gate_closed, true);
	atomic_store(&maker.failures, 1);
	int64_t asked_ns = drg_clock_ns();
	for (int i = 0; i < 2; i++)
		assert_int_equal(ask(&a[i], 5, asked_ns, &list, NULL), DRG_EBUSY);
	atomic_store(&maker.gate_closed, false);
	for (int i = 0; i < 2; i++) {
		struct drg_err err = { 0 };
		wait_until(atomic_load(&a[i].woken));
		assert_int_equal(ask(&a[i], 5, asked_ns, &list, &err), DRG_ELIMIT);
		assert_string_equal(err.reason, "too_large");
	}
	assert_int_equal(atomic_load(&maker.builds), 1);
	release(list_of(5, drg_clock_ns())); /* the next one tries again */
	assert_int_equal(atomic_load(&maker.builds), 2);
	stop();
}

/* An old list stays old when its rebuild fails, and the builder does not run hot over it. */
static void a_failed_rebuild_leaves_the_list_old(void **state)
{
	(void)state;
	start(0);
	make_hot(5);
	atomic_store(&maker.failures, 1000);
	change_data("B");
	int64_t changed_ns = drg_clock_ns();
	wait_until(atomic_load(&maker.builds) == 2);
	const struct drg_list *other;
	assert_int_equal(get(6, drg_clock_ns(), &other, NULL),
	                 DRG_ELIMIT); /* built after what was asked for before */
	assert_int_equal(atomic_load(&maker.builds), 3);
	assert_false(is_ready(5, changed_ns + 600 * MS));
	atomic_store(&maker.failures, 0);
	change_data("C");
	const struct drg_list *list = list_of(5, drg_clock_ns() + SECOND);
	assert_true(drg_str_eq(list->body[DRG_CODING_IDENTITY], DRG_STR("{\"seq\":3,\"country\":5}")));
	release(list);
	stop();
}

static void ask_again(void *ctx)
{
	struct asker *a = ctx;
	const struct drg_list *list;
	a->rc = ask(a, 6, drg_clock_ns(), &list, NULL);
	atomic_store(&a->woken, true);
}

static void *stop_lists(void *arg)
{
	(void)arg;
	drg_lists_stop(lists);
	return NULL;
}

static bool is_stopping(void)
{
	const struct drg_list_wish wish = wish_for(7, drg_clock_ns(), DRG_CODING_IDENTITY);
	const struct drg_list *list;
	return drg_lists_get(lists, &wish, NULL, &list, NULL) == DRG_ESTOPPED;
}

static void who_waits_at_the_stop_is_woken(void **state)
{
	(void)state;
	pthread_t thread;
	struct asker waits = { .wait.wake = ask_again, .rc = -1 }, in_work = { 0 };
	start(0);
	drg_follower_stop(node.follower);
	const struct drg_list *held = list_of(4, drg_clock_ns());
	atomic_store(&maker.gate_closed, true);
	begin_to_wait(&in_work, 5, 0, 0);
	begin_to_wait(&waits, 6, 0, 0);
	wait_until(atomic_load(&maker.at_gate));
	pthread_create(&thread, NULL, stop_lists, NULL);
	wait_until(is_stopping());
	atomic_store(&maker.gate_closed, false);
	pthread_join(thread, NULL);
	assert_true(atomic_load(&in_work.woken));
	assert_true(atomic_load(&waits.woken));
	assert_int_equal(waits.rc, DRG_ESTOPPED);
	assert_true(drg_str_eq(held->body[DRG_CODING_IDENTITY], DRG_STR("{\"seq\":1,\"country\":4}")));
	release(held);
	lists = NULL;
	serving_end(&node);
	drg_lists_stop(NULL);
}

static void the_language_is_one_that_has_an_order_or_texts(void **state)
{
	static const struct {
		const char *asked, *got;
	} cases[] = {
		{ "en", "en" },   { "uk", "uk" },        { "uk-ua", "uk" },        { "xx", "en" },
		{ "tlh", "tlh" }, { "tlh-latn", "tlh" }, { "zh-hant", "zh-hant" }, { "xx-yy-zz", "en" },
	};
	(void)state;
	start(0);
	serving_change(&node, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":2,\"name\":{\"tlh\":\"Soj\"}}\n");
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		char lang[DRG_LANG_MAX + 1];
		memset(lang, 'z', sizeof lang);
		drg_read_lock();
		drg_lists_lang(drg_follower_catalog(node.follower), drg_str_c(cases[i].asked), lang);
		drg_read_unlock();
		assert_string_equal(lang, cases[i].got);
		for (size_t k = strlen(lang); k < sizeof lang; k++) /* keys compare as bytes */
			assert_int_equal(lang[k], 0);
	}
	stop();
}

GROUP(lists)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_request_waits_and_later_ones_find_it),
		cmocka_unit_test(a_coding_comes_where_it_pays),
		cmocka_unit_test(a_coding_is_made_when_it_is_asked_for),
		cmocka_unit_test(a_coding_of_a_list_that_grew_old_is_one_of_the_new),
		cmocka_unit_test(a_look_builds_nothing),
		cmocka_unit_test(many_who_ask_at_once_share_one_build),
		cmocka_unit_test(lists_are_had_while_the_data_changes),
		cmocka_unit_test(a_list_that_grew_old_is_waited_for),
		cmocka_unit_test(what_was_asked_for_lately_and_again_is_rebuilt_unasked),
		cmocka_unit_test(what_came_out_as_it_was_is_kept),
		cmocka_unit_test(of_one_client_the_longest_waited_for_comes_first),
		cmocka_unit_test(clients_take_turns_and_leavers_get_nothing),
		cmocka_unit_test(who_is_refused_hears_why),
		cmocka_unit_test(a_drain_ends_waiting_but_for_what_is_built),
		cmocka_unit_test(the_least_recently_used_go_first),
		cmocka_unit_test(there_are_only_so_many_however_small),
		cmocka_unit_test(a_list_above_the_ceiling_is_served),
		cmocka_unit_test(a_failure_is_told_to_all_who_waited),
		cmocka_unit_test(a_failed_rebuild_leaves_the_list_old),
		cmocka_unit_test(who_waits_at_the_stop_is_woken),
		cmocka_unit_test(the_language_is_one_that_has_an_order_or_texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
