/* The follower beside an importer, and beside hands that change the store under it. */
#include "../serving.h"

#include <pthread.h>
#include <sqlite3.h>

#include "model/key.h"
#include "server/follower_priv.h"
#include "server/branch.h"

static const char meals[] = "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":\"AI\"}\n"
                            "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":2,\"name\":\"BB\"}\n";
static struct serving node;

static void begin(struct drg_follower_options o)
{
	serving_begin(&node, meals, o);
}

static void run(void)
{
	assert_int_equal(drg_follower_run(node.follower, NULL), DRG_OK);
	wait_until(drg_follower_catalog(node.follower) != NULL);
}

static bool has_meal(int64_t id)
{
	struct drg_dict d;
	drg_read_lock();
	bool has = drg_catalog_dict(drg_follower_catalog(node.follower), DRG_KIND_MEAL, id, &d);
	drg_read_unlock();
	return has;
}

/* Statements that no dragoman would send, straight into the store's file. */
static void tamper(const char *sql)
{
	sqlite3 *db;
	char *message = NULL;
	assert_int_equal(sqlite3_open(node.store.store_url + strlen("sqlite:"), &db), SQLITE_OK);
	sqlite3_busy_timeout(db, 5000);
	if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
		fail_msg("%s: %s", sql, message);
	sqlite3_close(db);
}

static void it_loads_and_tells(void **state)
{
	(void)state;
	begin((struct drg_follower_options){ 0 });
	assert_null(drg_follower_catalog(node.follower));
	run();
	wait_until(atomic_load(&node.published) == 1);
	assert_int_equal(serving_seq(&node), 1);
	assert_true(has_meal(1));
	serving_end(&node);
}

static void it_follows_what_others_commit(void **state)
{
	(void)state;
	begin((struct drg_follower_options){ 0 });
	run();
	wait_until(atomic_load(&node.published) == 1);
	serving_import(&node, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":3,\"name\":\"HB\"}\n");
	wait_until(serving_seq(&node) == 2);
	assert_true(has_meal(3));
	serving_import(&node, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":3,\"deleted\":true}\n");
	wait_until(serving_seq(&node) == 3);
	assert_false(has_meal(3));
	wait_until(atomic_load(&node.published) == 3);
	drg_follower_wake(node.follower);
	serving_change(&node, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":4,\"name\":\"FB\"}\n");
	wait_until(atomic_load(&node.published) >= 4);
	assert_int_equal(atomic_load(&node.published), 4); /* nothing new, nothing told */
	serving_end(&node);
}

/* Each import opens the store for writing. What was known before is not read again: here it is no longer
 * there. */
static void of_the_branches_only_new_ones_are_read(void **state)
{
	(void)state;
	struct drg_data_version first;
	begin((struct drg_follower_options){ 0 });
	run();
	struct drg_follower_position then;
	wait_until((drg_follower_read_position(node.follower, &then), then.clock.seq == 1));
	first = drg_version_of(&then.clock);
	serving_change(&node, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":3,\"name\":\"HB\"}\n");
	wait_until((drg_follower_read_position(node.follower, &then), then.clock.seq == 2));
	tamper("DELETE FROM branch WHERE seq < 2");
	serving_change(&node, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":4,\"name\":\"FB\"}\n");
	serving_change(&node, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":5,\"name\":\"RO\"}\n");
	struct drg_follower_position now;
	wait_until((drg_follower_read_position(node.follower, &now), now.clock.seq == 4));
	assert_int_equal(now.n, 4);
	assert_int_equal(drg_follower_reached(node.follower, &first), DRG_REACHED);
	serving_end(&node);
}

static void a_wake_up_saves_the_wait(void **state)
{
	(void)state;
	begin((struct drg_follower_options){ .poll_ms = 3600000 });
	run();
	serving_import(&node, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":3,\"name\":\"HB\"}\n");
	assert_int_equal(serving_seq(&node), 1);
	drg_follower_wake(node.follower);
	wait_until(serving_seq(&node) == 2);
	serving_end(&node);
}

/* The follower skips the feed of an unchanged type, as long as the process's own writer knows all commits. */
static void what_the_writer_has_not_changed_is_not_read(void **state)
{
	(void)state;
	static const struct {
		int64_t before, seq; /* the writer's note: from before to seq, no meal was changed */
		int64_t other_branch;
		bool believed;
	} cases[] = {
		{ 1, 2, 0, true },  { 0, 3, 0, true },
		{ 2, 3, 0, false }, /* begins after the published commit */
		{ 0, 1, 0, false }, /* another commit followed */
		{ 1, 2, 1, false }, /* another history */
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_follower_position shown;
		begin((struct drg_follower_options){ .poll_ms = 3600000 });
		run();
		wait_until((drg_follower_read_position(node.follower, &shown), shown.clock.seq == 1));
		struct drg_clock commit = shown.clock;
		commit.seq = cases[i].seq;
		commit.branch += cases[i].other_branch;
		tamper("BEGIN; UPDATE dict SET deleted = 1, seq = 2 WHERE id = 2; UPDATE clock SET seq = 2; "
		       "COMMIT");
		drg_follower_expect(node.follower, cases[i].before, &commit, 1u << DRG_TYPE_SOURCE);
		drg_follower_wake(node.follower);
		wait_until(serving_seq(&node) == 2);
		assert_int_equal(has_meal(2), cases[i].believed);
		serving_end(&node);
	}
}

/* The writer's note about one commit must not hide another commit's changes. */
static void a_commit_after_the_writers_is_read_whole(void **state)
{
	(void)state;
	struct drg_follower_position shown;
	begin((struct drg_follower_options){ .poll_ms = 3600000 });
	run();
	wait_until((drg_follower_read_position(node.follower, &shown), shown.clock.seq == 1));
	struct drg_clock commit = shown.clock;
	commit.seq = 2;
	tamper("BEGIN; UPDATE dict SET deleted = 1, seq = 3 WHERE id = 2; UPDATE clock SET seq = 3; COMMIT");
	drg_follower_expect(node.follower, 1, &commit, 1u << DRG_TYPE_SOURCE);
	drg_follower_wake(node.follower);
	wait_until(serving_seq(&node) == 3);
	assert_false(has_meal(2));
	serving_end(&node);
}

static bool follower_sleeps(void)
{
	pthread_mutex_lock(&node.follower->worker.lock);
	bool sleeps = !node.follower->busy && node.follower->worker.next_ns > 0;
	pthread_mutex_unlock(&node.follower->worker.lock);
	return sleeps;
}

/* Commit a removed meal, and tell the follower of it. */
static void tell_of_a_commit(void)
{
	struct drg_follower_position shown;
	begin((struct drg_follower_options){ .poll_ms = 3600000 });
	run();
	wait_until((drg_follower_read_position(node.follower, &shown), shown.clock.seq == 1));
	wait_until(follower_sleeps());
	struct drg_clock commit = shown.clock;
	commit.seq = 2;
	tamper("BEGIN; UPDATE dict SET deleted = 1, seq = 2 WHERE id = 2; UPDATE clock SET seq = 2; COMMIT");
	drg_follower_expect(node.follower, 1, &commit, 1u << DRG_TYPE_DICT);
}

static void who_tells_of_a_commit_shows_it(void **state)
{
	(void)state;
	tell_of_a_commit();
	drg_follower_show(node.follower);
	assert_int_equal(serving_seq(&node), 2);
	assert_false(has_meal(2));
	assert_int_equal(atomic_load(&node.published), 2);
	/* There is nothing more to show: the thread looks. */
	drg_follower_show(node.follower);
	serving_import(&node, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":3,\"name\":\"HB\"}\n");
	drg_follower_show(node.follower);
	wait_until(serving_seq(&node) == 3);
	serving_end(&node);
}

static void who_tells_of_a_commit_does_not_wait_for_readers(void **state)
{
	(void)state;
	tell_of_a_commit();
	drg_follower_hold(node.follower);
	drg_follower_show(node.follower);
	assert_int_equal(serving_seq(&node), 1);
	drg_follower_release(node.follower);
	wait_until(serving_seq(&node) == 2);
	serving_end(&node);
}

/* Another history: what the follower has is thrown away, though the clock went on. */
static void another_epoch_is_loaded_anew(void **state)
{
	(void)state;
	begin((struct drg_follower_options){ 0 });
	run();
	tamper("BEGIN; DELETE FROM dict WHERE id = 2; UPDATE clock SET epoch = 'another', seq = seq + 1; "
	       "COMMIT");
	wait_until(serving_seq(&node) == 2);
	wait_until(!has_meal(2));
	assert_true(has_meal(1));
	serving_end(&node);
}

static void a_clock_that_went_back_is_loaded_anew(void **state)
{
	(void)state;
	begin((struct drg_follower_options){ 0 });
	run();
	serving_change(&node, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":3,\"name\":\"HB\"}\n");
	assert_true(has_meal(3));
	tamper("BEGIN; DELETE FROM dict WHERE id = 3; UPDATE clock SET seq = 1; COMMIT");
	wait_until(serving_seq(&node) == 1);
	assert_false(has_meal(3));
	serving_change(&node, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":4,\"name\":\"FB\"}\n");
	assert_true(has_meal(4));
	serving_end(&node);
}

static void the_catalog_answers_while_the_store_is_away(void **state)
{
	(void)state;
	begin((struct drg_follower_options){ 0 });
	run();
	drg_log_set_level(DRG_LOG_ERROR);
	tamper("ALTER TABLE clock RENAME TO away");
	wait_until(drg_follower_is_offline(node.follower));
	assert_true(has_meal(1));
	tamper("ALTER TABLE away RENAME TO clock");
	wait_until(!drg_follower_is_offline(node.follower));
	serving_change(&node, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":3,\"name\":\"HB\"}\n");
	assert_true(has_meal(3));
	serving_end(&node);
}

static void rename_meal(int n)
{
	char text[256];
	snprintf(text, sizeof text, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":\"%0100d\"}\n",
	         n);
	serving_change(&node, text);
}

static size_t dead_bytes(void)
{
	struct drg_catalog_stats st;
	drg_read_lock();
	drg_catalog_stats(drg_follower_catalog(node.follower), &st);
	drg_read_unlock();
	return st.heap_dead;
}

static void a_heap_mostly_dead_is_built_anew(void **state)
{
	(void)state;
	begin((struct drg_follower_options){ .rebuild_dead_bytes = 2000 });
	run();
	bool grew = false, shrank = false;
	for (int i = 0; i < 200 && !shrank; i++) {
		rename_meal(i);
		drg_follower_wake(node.follower);
		size_t dead = dead_bytes();
		grew = grew || dead > 1000;
		shrank = grew && dead < 1000;
	}
	assert_true(grew);
	assert_true(shrank);
	assert_true(has_meal(1));
	assert_true(has_meal(2));
	serving_end(&node);
}

enum { MEALS = 50, WIDTH = 1000 };

static void rename_meals(int n)
{
	static char text[MEALS * (WIDTH + 100)];
	size_t len = 0;
	for (int i = 0; i < MEALS; i++)
		len += (size_t)snprintf(text + len, sizeof text - len,
		                        "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":%d,\"name\":\"%0*d\"}\n",
		                        10 + i, WIDTH, n);
	assert_in_range(len, MEALS * WIDTH, sizeof text - 1);
	serving_change(&node, text);
}

static void the_usual_threshold_is_some_mebibytes(void **state)
{
	(void)state;
	enum { LEAST = 7 << 20, MOST = 9 << 20 };
	begin((struct drg_follower_options){ 0 });
	run();
	size_t dead = 0, most = 0;
	for (int i = 0; dead >= most && i <= 1 + MOST / (MEALS * WIDTH); i++) {
		rename_meals(i);
		dead = dead_bytes();
		most = dead > most ? dead : most;
	}
	assert_true(dead < most);
	assert_in_range(most, LEAST, MOST);
	serving_end(&node);
}

/* Does it wait for those who hold it? They come after it then. */
static bool follower_waits(void)
{
	bool waits = pthread_rwlock_tryrdlock(&node.follower->still) != 0;
	if (!waits)
		pthread_rwlock_unlock(&node.follower->still);
	return waits;
}

static void what_is_held_stands_still(void **state)
{
	(void)state;
	begin((struct drg_follower_options){ 0 });
	run();
	drg_follower_hold(node.follower);
	serving_import(&node, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":3,\"name\":\"HB\"}\n");
	wait_until(follower_waits());
	assert_int_equal(serving_seq(&node), 1);
	assert_false(has_meal(3));
	drg_follower_release(node.follower);
	wait_until(serving_seq(&node) == 2);
	serving_end(&node);
}

static _Atomic bool readers_done;

static void *read_on_and_on(void *arg)
{
	(void)arg;
	while (!atomic_load(&readers_done)) {
		drg_read_lock();
		const struct drg_catalog *cat = drg_follower_catalog(node.follower);
		const drg_handle *all;
		struct drg_dict d;
		struct drg_lang_pref pref = drg_catalog_langs(cat, DRG_STR("en"));
		for (size_t i = drg_catalog_kind_handles(cat, DRG_KIND_MEAL, &all); i-- > 0;)
			if (drg_catalog_dict_at(cat, all[i], &d) && drg_dict_name_esc(&d, &pref).n == 0)
				abort();
		drg_read_unlock();
	}
	return NULL;
}

static void a_catalog_is_not_freed_under_its_readers(void **state)
{
	(void)state;
	pthread_t thread[2];
	begin((struct drg_follower_options){ .poll_ms = 1 });
	run();
	atomic_store(&readers_done, false);
	for (size_t i = 0; i < DRG_ARRAY_LEN(thread); i++)
		pthread_create(&thread[i], NULL, read_on_and_on, NULL);
	for (int i = 0; i < 10; i++) {
		int before = atomic_load(&node.published);
		tamper("UPDATE clock SET epoch = hex(randomblob(8))");
		wait_until(atomic_load(&node.published) > before);
	}
	atomic_store(&readers_done, true);
	for (size_t i = 0; i < DRG_ARRAY_LEN(thread); i++)
		pthread_join(thread[i], NULL);
	serving_end(&node);
}

/* What changes again and again leads to a catalog built anew, of whatever type it is. */
static void garbage_of_small_tables_counts(void **state)
{
	(void)state;
	static const char *const lines[][2] = {
		{ "{\"type\":\"adapter\",\"id\":7,\"code\":\"a\",\"name\":\"One\",\"domain\":\"air\"}\n",
		  "{\"type\":\"adapter\",\"id\":7,\"code\":\"a\",\"name\":\"Two\",\"domain\":\"air\"}\n" },
		{ "{\"type\":\"air_map\",\"adapter_id\":7,\"external_id\":\"x\",\"source_id\":1}\n",
		  "{\"type\":\"air_map\",\"adapter_id\":7,\"external_id\":\"x\",\"source_id\":2}\n" },
	};
	char text[256];
	begin((struct drg_follower_options){ 0 });
	run();
	for (int i = 1; i <= 2; i++) {
		snprintf(text, sizeof text,
		         "{\"type\":\"air_place\",\"source_id\":%d,\"place\":\"city\",\"code\":\"IE%c\","
		         "\"name\":\"K\","
		         "\"country_code\":\"UA\"}\n",
		         i, 'A' + i);
		serving_change(&node, text);
	}
	for (size_t k = 0; k < DRG_ARRAY_LEN(lines); k++) {
		serving_change(&node, lines[k][0]);
		size_t before = dead_bytes();
		serving_change(&node, lines[k][1]);
		assert_true(dead_bytes() > before);
	}
	size_t before = dead_bytes();
	tamper("BEGIN; UPDATE clock SET seq = seq + 1; INSERT INTO api_key (deleted, seq, created_seq, "
	       "data_seq, mapped_seq, id, "
	       "api, key_hash) SELECT 0, seq, seq, seq, 0, 1, 0, hex(randomblob(32)) FROM clock; COMMIT");
	tamper("BEGIN; UPDATE clock SET seq = seq + 1; UPDATE api_key SET seq = (SELECT seq FROM clock), "
	       "key_hash = hex(randomblob(32)); COMMIT");
	serving_change(&node, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":3,\"name\":\"HB\"}\n");
	tamper("BEGIN; UPDATE clock SET seq = seq + 1; UPDATE api_key SET seq = (SELECT seq FROM clock), "
	       "key_hash = hex(randomblob(32)); COMMIT");
	wait_until(dead_bytes() >= before + 64);
	serving_end(&node);
}

/* Straight into the store, which knows no limit. */
static void put_adapters(int64_t first, int64_t last)
{
	struct drg_store *store;
	struct drg_txn *txn;
	struct drg_record r;
	enum drg_put_result unused;
	char code[32];
	assert_int_equal(drg_store_open(node.store.store_url, DRG_STORE_WRITE, &store, NULL), DRG_OK);
	assert_int_equal(drg_store_begin(store, &txn, NULL), DRG_OK);
	for (int64_t id = first; id <= last; id++) {
		drg_key_adapter(&r, id);
		drg_record_set_s(&r, DRG_F_CODE,
		                 drg_str(code, (size_t)snprintf(code, sizeof code, "a%d", (int)id)));
		drg_record_set_s(&r, DRG_F_NAME, DRG_STR("A"));
		drg_record_set_i(&r, DRG_F_DOMAIN, DRG_DOMAIN_TOUR);
		drg_record_set_i(&r, DRG_F_STAGE, DRG_STAGE_LIVE);
		assert_int_equal(drg_txn_put(txn, &r, &unused, NULL), DRG_OK);
	}
	assert_int_equal(drg_txn_commit(txn, NULL, NULL), DRG_OK);
	drg_store_close(store);
}

static size_t adapters_shown(void)
{
	const struct drg_adapter *unused;
	drg_read_lock();
	size_t n = drg_catalog_adapters(drg_follower_catalog(node.follower), &unused);
	drg_read_unlock();
	return n;
}

/* Decision E14. */
static void one_record_never_stops_the_feed(void **state)
{
	(void)state;
	begin((struct drg_follower_options){ 0 });
	run();
	put_adapters(1, DRG_ADAPTERS_MAX + 5);
	wait_until(drg_follower_aside(node.follower) == 5);
	assert_int_equal(adapters_shown(), DRG_ADAPTERS_MAX);
	serving_change(&node, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":3,\"name\":\"HB\"}\n");
	assert_true(has_meal(3));
	assert_false(drg_follower_is_offline(node.follower));
	tamper("BEGIN; UPDATE clock SET epoch = 'another'; COMMIT");
	wait_until(atomic_load(&node.published) >= 4); /* a load of all is stopped no more */
	assert_int_equal(drg_follower_aside(node.follower), 5);
	serving_end(&node);
}

/* What was taken in before is gone as well: of a key its old state would be worse than none. */
static void what_is_set_aside_is_not_there(void **state)
{
	(void)state;
	begin((struct drg_follower_options){ 0 });
	run();
	tamper("BEGIN; UPDATE clock SET seq = seq + 1; UPDATE dict SET seq = 2, name = '{\"en\":7}' WHERE id "
	       "= 2; "
	       "COMMIT");
	wait_until(drg_follower_aside(node.follower) == 1);
	assert_false(has_meal(2));
	assert_true(has_meal(1));
	tamper("BEGIN; UPDATE clock SET seq = seq + 1; UPDATE dict SET seq = 3, kind = 99 WHERE id = 1; "
	       "COMMIT");
	wait_until(drg_follower_aside(node.follower) == 2);
	tamper("BEGIN; UPDATE clock SET seq = seq + 1; UPDATE dict SET seq = 4, name = '{\"en\":\"BB\"}' "
	       "WHERE id = 2; "
	       "COMMIT");
	wait_until(drg_follower_aside(node.follower) == 1);
	assert_true(has_meal(2));
	serving_end(&node);
}

static void opening_and_closing(void **state)
{
	(void)state;
	struct drg_follower *f = NULL;
	struct drg_err err = { 0 };
	const struct drg_follower_options missing = { .store_url = "sqlite:/nonexistent/dragoman.db" };
	assert_int_equal(drg_follower_open(&missing, &f, &err), DRG_ENOENT);
	assert_non_null(strstr(err.message, "/nonexistent/dragoman.db"));
	assert_null(f);
	drg_follower_stop(NULL);
	drg_follower_close(NULL);
	begin((struct drg_follower_options){ 0 });
	drg_follower_stop(node.follower); /* never ran */
	run();
	drg_follower_stop(node.follower);
	int published = atomic_load(&node.published);
	serving_import(&node, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":3,\"name\":\"HB\"}\n");
	assert_int_equal(atomic_load(&node.published), published);
	assert_true(has_meal(1)); /* the catalog stays */
	serving_end(&node);
}

GROUP(follower)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_loads_and_tells),
		cmocka_unit_test(it_follows_what_others_commit),
		cmocka_unit_test(of_the_branches_only_new_ones_are_read),
		cmocka_unit_test(a_wake_up_saves_the_wait),
		cmocka_unit_test(what_the_writer_has_not_changed_is_not_read),
		cmocka_unit_test(a_commit_after_the_writers_is_read_whole),
		cmocka_unit_test(who_tells_of_a_commit_shows_it),
		cmocka_unit_test(who_tells_of_a_commit_does_not_wait_for_readers),
		cmocka_unit_test(another_epoch_is_loaded_anew),
		cmocka_unit_test(a_clock_that_went_back_is_loaded_anew),
		cmocka_unit_test(the_catalog_answers_while_the_store_is_away),
		cmocka_unit_test(a_heap_mostly_dead_is_built_anew),
		cmocka_unit_test(the_usual_threshold_is_some_mebibytes),
		cmocka_unit_test(what_is_held_stands_still),
		cmocka_unit_test(a_catalog_is_not_freed_under_its_readers),
		cmocka_unit_test(garbage_of_small_tables_counts),
		cmocka_unit_test(one_record_never_stops_the_feed),
		cmocka_unit_test(what_is_set_aside_is_not_there),
		cmocka_unit_test(opening_and_closing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
