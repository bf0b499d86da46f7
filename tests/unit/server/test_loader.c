/* The loader against the plain scan of the same store. */
#include "../importing.h"

#include <pthread.h>
#include <sqlite3.h>

#include "server/loader.h"

enum { HOTELS = 20000 };

static struct importing x;
static struct drg_store *store;

static int set_up(void **state)
{
	(void)state;
	struct drg_buf text;
	drg_buf_init(&text, SIZE_MAX);
	drg_buf_lit(&text,
	            "{\"type\":\"adapter\",\"id\":7,\"code\":\"c\",\"name\":\"C\",\"domain\":\"tour\"}\n"
	            "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":\"AI\"}\n");
	for (unsigned i = 0; i < HOTELS; i++)
		drg_buf_printf(&text,
		               "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"hotel\",\"id\":\"%u\","
		               "\"name\":\"H %u\"}\n",
		               i * 7919 % HOTELS, i);
	drg_buf_char(&text, '\0');
	importing_begin(&x);
	const struct drg_import_options o = { .threads = 1 };
	assert_int_equal(importing_text(&x, text.p, o), DRG_OK);
	drg_buf_done(&text);
	return drg_store_open(x.store_url, DRG_STORE_READ, &store, NULL);
}

static int tear_down(void **state)
{
	(void)state;
	drg_store_close(store);
	importing_end(&x);
	return 0;
}

/* Rows as their packed bytes, one behind the other. */
struct gathering {
	struct drg_buf rows;
	uint64_t n, end_at; /* 0: go on to the end */
	pthread_t thread;
};

static int gather_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct gathering *g = ctx;
	drg_buf_add(&g->rows, m, sizeof *m);
	drg_record_pack(r, &g->rows);
	g->thread = pthread_self();
	return ++g->n == g->end_at ? DRG_EEXIST : DRG_OK;
}

static void every_row_comes_as_the_scan_gives_it(void **state)
{
	struct drg_rows rows_read;
	(void)state;
	const struct drg_filter filters[] = { { .any_order = true },
		                              { .type = &drg_types[DRG_TYPE_ADAPTER] },
		                              { .without = 1u << DRG_TYPE_SOURCE },
		                              { .type = &drg_types[DRG_TYPE_DIRECTION] } };
	const uint64_t rows[] = { HOTELS + 2, 1, 2, 0 };
	for (unsigned i = 0; i < DRG_ARRAY_LEN(filters); i++) {
		struct gathering plain = { .n = 0 }, loaded = { .n = 0 };
		struct drg_clock a = { 0 }, b = { 0 };
		drg_buf_init(&plain.rows, SIZE_MAX);
		drg_buf_init(&loaded.rows, SIZE_MAX);
		assert_int_equal(drg_rows_each(drg_rows_scan(&rows_read, store, &filters[i], NULL),
		                               gather_row, &plain),
		                 DRG_OK);
		a = rows_read.clock;
		assert_int_equal(drg_load_rows(store, &filters[i], gather_row, &loaded, &b, NULL), DRG_OK);
		assert_int_equal(plain.n, rows[i]);
		assert_int_equal(loaded.n, rows[i]);
		assert_int_equal(plain.rows.n, loaded.rows.n);
		if (plain.rows.n > 0)
			assert_memory_equal(plain.rows.p, loaded.rows.p, plain.rows.n);
		assert_int_equal(a.seq, b.seq);
		assert_string_equal(a.epoch, b.epoch);
		assert_true(loaded.n == 0 || pthread_equal(loaded.thread, pthread_self()));
		drg_buf_done(&plain.rows);
		drg_buf_done(&loaded.rows);
	}
}

/* Wherever the caller stops: the thread that reads ahead ends, and the handle can be used again. */
static void the_caller_can_end_it(void **state)
{
	(void)state;
	const struct drg_filter all = { .any_order = true };
	const uint64_t ends[] = { 1, 2, 777, HOTELS / 2, HOTELS + 2 };
	for (unsigned i = 0; i < DRG_ARRAY_LEN(ends); i++) {
		struct gathering g = { .end_at = ends[i] };
		struct drg_clock clock = { .seq = -1 };
		drg_buf_init(&g.rows, SIZE_MAX);
		assert_int_equal(drg_load_rows(store, &all, gather_row, &g, &clock, NULL), DRG_EEXIST);
		assert_int_equal(g.n, ends[i]);
		assert_int_equal(clock.seq, -1);
		drg_buf_done(&g.rows);
	}
	struct drg_clock clock;
	assert_int_equal(drg_store_clock(store, &clock, NULL), DRG_OK);
}

static void what_the_reading_meets_is_told(void **state)
{
	(void)state;
	const struct drg_filter all = { .any_order = true };
	struct gathering g = { .n = 0 };
	struct drg_clock clock;
	struct drg_err err = { 0 };
	sqlite3 *db;
	drg_buf_init(&g.rows, SIZE_MAX);
	assert_int_equal(sqlite3_open(x.store_url + strlen("sqlite:"), &db), SQLITE_OK);
	/* A kind that nobody stored, in the last row. */
	assert_int_equal(sqlite3_exec(db,
	                              "UPDATE source SET kind = 99 WHERE row = (SELECT max(row) FROM source)",
	                              NULL, NULL, NULL),
	                 SQLITE_OK);
	sqlite3_close(db);
	assert_int_equal(drg_load_rows(store, &all, gather_row, &g, &clock, &err), DRG_ECORRUPT);
	assert_non_null(strstr(err.message, "is damaged"));
	assert_in_range(g.n, 1, HOTELS + 1);
	drg_buf_done(&g.rows);
}

GROUP(loader)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_comes_as_the_scan_gives_it),
		cmocka_unit_test(the_caller_can_end_it),
		cmocka_unit_test(what_the_reading_meets_is_told),
	};
	return cmocka_run_group_tests_name("server/loader", tests, set_up, tear_down);
}
