#include "../clock.h"
#include "../importing.h"

#include <pthread.h>

#include "base/log.h"
#include "server/content.h"

/* A store with a follower, readers and contents on it, as a server has them. */
struct serving {
	struct importing in;
	struct drg_follower *follower;
	struct drg_readers *readers;
	struct drg_contents *contents;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned done; /* under lock */
};

static void record_changed(void *ctx, const struct drg_record *r)
{
	struct serving *x = ctx;
	drg_contents_changed(x->contents, r);
}

static void published(void *ctx)
{
	const struct serving *x = ctx;
	drg_contents_published(x->contents);
}

static void import(struct serving *x, const char *text)
{
	if (importing_text(&x->in, text, (struct drg_import_options){ 0 }) != DRG_OK)
		fail_msg("%s %s", x->in.err.message, x->in.first_bad);
}

static int64_t shown(const struct serving *x)
{
	drg_read_lock();
	const struct drg_catalog *cat = drg_follower_catalog(x->follower);
	int64_t seq = cat != NULL ? drg_catalog_seq(cat) : -1;
	drg_read_unlock();
	return seq;
}

static int64_t stored(const struct serving *x)
{
	struct drg_store *s;
	struct drg_clock clock;
	assert_int_equal(drg_store_open(x->in.store_url, DRG_STORE_READ, &s, NULL), DRG_OK);
	assert_int_equal(drg_store_clock(s, &clock, NULL), DRG_OK);
	drg_store_close(s);
	return clock.seq;
}

static void await_follower(const struct serving *x)
{
	for (int64_t seq = stored(x); shown(x) < seq;) {
		drg_follower_wake(x->follower);
		a_moment();
	}
}

/* @param poll_ms  How soon the follower looks when nobody wakes it. */
static void begin(struct serving *x, size_t max_bytes, unsigned poll_ms)
{
	*x = (struct serving){ .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };
	importing_mini(&x->in);
	const struct drg_follower_options f = { .store_url = x->in.store_url,
		                                .poll_ms = poll_ms,
		                                .changed = record_changed,
		                                .published = published,
		                                .ctx = x };
	assert_int_equal(drg_follower_open(&f, &x->follower, NULL), DRG_OK);
	const struct drg_readers_options r = { .store_url = x->in.store_url, .threads = 1 };
	assert_int_equal(drg_readers_start(&r, &x->readers, NULL), DRG_OK);
	const struct drg_contents_options c = { x->readers, x->follower, max_bytes };
	assert_int_equal(drg_contents_new(&c, &x->contents, NULL), DRG_OK);
	assert_int_equal(drg_follower_run(x->follower, NULL), DRG_OK);
	await_follower(x);
}

static void end(struct serving *x)
{
	drg_follower_stop(x->follower);
	drg_readers_stop(x->readers);
	drg_contents_free(x->contents);
	drg_follower_close(x->follower);
	importing_end(&x->in);
}

static void look_done(void *ctx)
{
	struct serving *x = ctx;
	pthread_mutex_lock(&x->lock);
	x->done++;
	pthread_cond_signal(&x->changed);
	pthread_mutex_unlock(&x->lock);
}

/* @param dict  0: not mapped. */
static struct drg_hotel_lookup look_at(struct serving *x, const char *hotel, int64_t dict)
{
	return (struct drg_hotel_lookup){ .adapter = 7,
		                          .hotel = drg_str_c(hotel),
		                          .mapped = dict != 0,
		                          .dict = dict,
		                          .done = look_done,
		                          .ctx = x };
}

static int read_it(struct serving *x, struct drg_hotel_lookup *l)
{
	unsigned before = x->done;
	drg_contents_read(x->contents, l);
	pthread_mutex_lock(&x->lock);
	while (x->done == before)
		pthread_cond_wait(&x->changed, &x->lock);
	pthread_mutex_unlock(&x->lock);
	return l->job.rc;
}

static void assert_text(const struct drg_hotel_rows *rows, enum drg_type_id type, enum drg_field f,
                        const char *text)
{
	struct drg_record r;
	assert_true(drg_hotel_row(rows, type, &r));
	if (!drg_str_eq(drg_record_s(&r, f), drg_str_c(text)))
		fail_msg("%.*s, not %s", DRG_STR_ARG(drg_record_s(&r, f)), text);
}

static bool is_kept(struct serving *x, const char *hotel, int64_t dict)
{
	struct drg_hotel_lookup l = look_at(x, hotel, dict);
	bool kept = drg_contents_find(x->contents, &l);
	drg_hotel_lookup_done(&l);
	return kept;
}

static void read_both(struct serving *x)
{
	struct drg_hotel_lookup l = look_at(x, "1001", 55);
	assert_int_equal(read_it(x, &l), DRG_OK);
	drg_hotel_lookup_done(&l);
	assert_true(is_kept(x, "1001", 55));
}

static void test_rows_of_both_hotels_are_read_once(void **state)
{
	(void)state;
	struct serving x;
	begin(&x, 1 << 20, 10);
	struct drg_hotel_lookup l = look_at(&x, "1001", 55);
	assert_false(drg_contents_find(x.contents, &l));
	assert_int_equal(read_it(&x, &l), DRG_OK);
	for (int again = 0; again < 2; again++) {
		assert_text(l.orig, DRG_TYPE_SOURCE, DRG_F_ADDRESS, "Lara Caddesi 12");
		assert_text(l.orig, DRG_TYPE_HOTEL_CONTENT, DRG_F_CHECK_IN, "14:00:00");
		assert_text(l.common, DRG_TYPE_DICT, DRG_F_ADDRESS, "Lara Cd. 12");
		drg_hotel_lookup_done(&l);
		assert_null(l.orig);
		assert_null(l.common);
		l = look_at(&x, "1001", 55);
		assert_true(drg_contents_find(x.contents, &l));
	}
	drg_hotel_lookup_done(&l);
	end(&x);
}

static void test_only_what_lacks_is_read(void **state)
{
	(void)state;
	struct serving x;
	begin(&x, 1 << 20, 10);
	read_both(&x);
	struct drg_hotel_lookup l = look_at(&x, "1001-B", 55);
	assert_false(drg_contents_find(x.contents, &l));
	assert_null(l.orig);
	assert_non_null(l.common);
	struct drg_hotel_rows *common = l.common;
	assert_int_equal(read_it(&x, &l), DRG_OK);
	assert_text(l.orig, DRG_TYPE_SOURCE, DRG_F_NAME, "BLUE BAY PALACE (ANNEX)");
	assert_ptr_equal(l.common, common);
	drg_hotel_lookup_done(&l);
	end(&x);
}

static void test_hotels_without_content_and_without_mapping(void **state)
{
	(void)state;
	struct serving x;
	struct drg_record r;
	begin(&x, 1 << 20, 10);
	struct drg_hotel_lookup l = look_at(&x, "1002", 0);
	assert_int_equal(read_it(&x, &l), DRG_OK);
	assert_text(l.orig, DRG_TYPE_SOURCE, DRG_F_NAME, "BELEK GOLF");
	assert_false(drg_hotel_row(l.orig, DRG_TYPE_HOTEL_CONTENT, &r));
	assert_null(l.common);
	drg_hotel_lookup_done(&l);
	assert_true(is_kept(&x, "1002", 0));
	end(&x);
}

static void test_hotels_that_are_not_there(void **state)
{
	(void)state;
	struct serving x;
	struct drg_record r;
	begin(&x, 1 << 20, 10);
	struct drg_hotel_lookup l = look_at(&x, "nope", 999);
	assert_int_equal(read_it(&x, &l), DRG_OK);
	assert_false(drg_hotel_row(l.orig, DRG_TYPE_SOURCE, &r));
	assert_false(drg_hotel_row(l.common, DRG_TYPE_DICT, &r));
	drg_hotel_lookup_done(&l);
	end(&x);
}

#define SOURCE "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"hotel\",\"id\":"
#define CONTENT "{\"type\":\"hotel_content\",\"adapter_id\":7,\"hotel_id\":"
#define HOTEL                                                                                                \
	"{\"type\":\"dict\",\"kind\":\"hotel\",\"country_id\":1,\"city_id\":331,\"hotel_category_id\":5,"    \
	"\"id\":"

static void test_what_changes_is_forgotten_and_nothing_else(void **state)
{
	(void)state;
	static const struct {
		const char *name, *text;
		bool orig, common; /* kept afterwards */
	} cases[] = {
		{ "its source", SOURCE "\"1001\",\"name\":\"new\"}", false, true },
		{ "its content", CONTENT "\"1001\",\"room_count\":1}", false, true },
		{ "content removed", CONTENT "\"1001\",\"deleted\":true}", false, true },
		{ "the common hotel", HOTEL "55,\"name\":\"new\"}", true, false },
		{ "another source", SOURCE "\"1002\",\"name\":\"new\"}", true, true },
		{ "a source of this id, of another kind",
		  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":\"1001\",\"name\":\"n\"}",
		  true, true },
		{ "another common hotel", HOTEL "57,\"name\":\"new\"}", true, true },
		{ "its country",
		  "{\"type\":\"dict\",\"kind\":\"country\",\"id\":1,\"name\":\"n\",\"iso_alpha_2\":\"TR\"}",
		  true, true },
	};
	for (unsigned i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct serving x;
		begin(&x, 1 << 20, 10);
		read_both(&x);
		import(&x, cases[i].text);
		await_follower(&x);
		struct drg_hotel_lookup l = look_at(&x, "1001", 55);
		(void)drg_contents_find(x.contents, &l);
		if ((l.orig != NULL) != cases[i].orig || (l.common != NULL) != cases[i].common)
			fail_msg("%s: %d %d", cases[i].name, l.orig != NULL, l.common != NULL);
		drg_hotel_lookup_done(&l);
		end(&x);
	}
}

static void test_all_is_forgotten_when_anything_may_have_changed(void **state)
{
	(void)state;
	struct serving x;
	begin(&x, 1 << 20, 10);
	read_both(&x);
	drg_contents_changed(x.contents, NULL);
	assert_false(is_kept(&x, "1001", 0));
	end(&x);
}

/* The follower would not look for a minute; who reads ahead of it wakes it, and waits. */
static void test_what_is_read_is_shown_by_the_catalog(void **state)
{
	(void)state;
	static const struct {
		const char *name, *text;
	} cases[] = {
		{ "source", SOURCE "\"1001\",\"name\":\"new\"}" },
		{ "content", CONTENT "\"1001\",\"room_count\":1}" },
		{ "common hotel", HOTEL "55,\"name\":\"new\"}" },
		{ "removed", CONTENT "\"1001\",\"deleted\":true}\n" SOURCE "\"1001\",\"deleted\":true}" },
	};
	for (unsigned i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct serving x;
		begin(&x, 1 << 20, 60000);
		drg_follower_hold(x.follower); /* it may not have ended its first look */
		import(&x, cases[i].text);
		assert_true(shown(&x) < stored(&x));
		drg_follower_release(x.follower);
		struct drg_hotel_lookup l = look_at(&x, "1001", 55);
		assert_int_equal(read_it(&x, &l), DRG_OK);
		if (shown(&x) < stored(&x))
			fail_msg("%s", cases[i].name);
		drg_hotel_lookup_done(&l);
		end(&x);
	}
}

/* The follower applies nothing while it is held: those who read ahead wait, and keep nobody from the only
 * reader. */
static void test_who_waits_for_the_catalog_keeps_no_reader(void **state)
{
	(void)state;
	struct serving x;
	enum { AHEAD = 8 };
	struct drg_hotel_lookup ahead[AHEAD];
	clock_stop();
	begin(&x, 1 << 20, 60000);
	import(&x, SOURCE "\"1001\",\"name\":\"new\"}");
	drg_follower_hold(x.follower);
	for (unsigned i = 0; i < AHEAD; i++) {
		ahead[i] = look_at(&x, "1001", 0);
		drg_contents_read(x.contents, &ahead[i]);
	}
	struct drg_hotel_lookup l = look_at(&x, "1002", 0);
	assert_int_equal(read_it(&x, &l), DRG_OK);
	assert_int_equal(x.done, 1);
	/* All wait at once for what does not come, each for 200 ms. */
	clock_pass_ms(200);
	pthread_mutex_lock(&x.lock);
	while (x.done < AHEAD + 1)
		pthread_cond_wait(&x.changed, &x.lock);
	pthread_mutex_unlock(&x.lock);
	assert_true(shown(&x) < stored(&x));
	drg_follower_release(x.follower);
	await_follower(&x);
	for (unsigned i = 0; i < AHEAD; i++)
		drg_hotel_lookup_done(&ahead[i]);
	drg_hotel_lookup_done(&l);
	end(&x);
	clock_go();
}

static void test_what_was_kept_is_there_while_the_store_is_away(void **state)
{
	(void)state;
	struct serving x;
	char path[128], away[128];
	begin(&x, 1 << 20, 10);
	folder_file(&x.in.dir, "dragoman.db", path, sizeof path);
	folder_file(&x.in.dir, "away.db", away, sizeof away);
	assert_int_equal(rename(path, away), 0);
	struct drg_hotel_lookup l = look_at(&x, "1001", 55);
	assert_int_equal(read_it(&x, &l), DRG_EBUSY);
	assert_string_equal(l.job.err.reason, "store_away");
	assert_null(l.orig);
	assert_int_equal(rename(away, path), 0);
	assert_int_equal(read_it(&x, &l), DRG_OK);
	drg_hotel_lookup_done(&l);
	assert_int_equal(rename(path, away), 0);
	assert_true(is_kept(&x, "1001", 55));
	assert_int_equal(rename(away, path), 0);
	end(&x);
}

GROUP(content)
{
	drg_log_set_level(DRG_LOG_ERROR);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_of_both_hotels_are_read_once),
		cmocka_unit_test(test_only_what_lacks_is_read),
		cmocka_unit_test(test_hotels_without_content_and_without_mapping),
		cmocka_unit_test(test_hotels_that_are_not_there),
		cmocka_unit_test(test_what_changes_is_forgotten_and_nothing_else),
		cmocka_unit_test(test_all_is_forgotten_when_anything_may_have_changed),
		cmocka_unit_test(test_what_is_read_is_shown_by_the_catalog),
		cmocka_unit_test(test_who_waits_for_the_catalog_keeps_no_reader),
		cmocka_unit_test(test_what_was_kept_is_there_while_the_store_is_away),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
