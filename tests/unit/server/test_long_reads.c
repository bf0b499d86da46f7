#include "../writing.h"

#include <unistd.h>

#include "server/long_reads.h"

struct turns {
	struct writing w;
	struct drg_long_reads *l;
	struct drg_long_pool exports, files;
	struct tally entered;
};

static void turns_begin(struct turns *t)
{
	*t = (struct turns){ .exports.max = 2, .files.max = 1, .entered = TALLY_INIT };
	writing_begin(&t->w, (struct drg_writer_options){ .store_url = NULL }, true);
	MUST(&t->w, drg_long_reads_new(t->w.url, t->w.writer, &t->l, &t->w.err));
}

static void turns_end(struct turns *t)
{
	drg_long_reads_free(t->l);
	writing_end(&t->w);
}

/* Make the log as long as it would be after many writes. */
static void make_log(struct turns *t, int64_t bytes)
{
	char path[160];
	snprintf(path, sizeof path, "%s-wal", t->w.url + strlen("sqlite:"));
	assert_int_equal(truncate(path, bytes), 0);
	assert_int_equal(drg_store_log_bytes(t->w.url), bytes);
}

static void *enter_exports(void *arg)
{
	struct turns *t = arg;
	drg_long_reads_enter(t->l, &t->exports);
	tally_add(&t->entered);
	return NULL;
}

static void *enter_files(void *arg)
{
	struct turns *t = arg;
	drg_long_reads_enter(t->l, &t->files);
	tally_add(&t->entered);
	return NULL;
}

static unsigned entered(struct turns *t)
{
	pthread_mutex_lock(&t->entered.lock);
	unsigned n = t->entered.n;
	pthread_mutex_unlock(&t->entered.lock);
	return n;
}

static void test_so_many_of_a_pool_read_at_one_time(void **state)
{
	(void)state;
	struct turns t;
	pthread_t third, file;
	turns_begin(&t);
	drg_long_reads_enter(t.l, &t.exports);
	drg_long_reads_enter(t.l, &t.exports);
	pthread_create(&third, NULL, enter_exports, &t);
	pthread_create(&file, NULL, enter_files, &t); /* the other pool has its own places */
	tally_wait(&t.entered, 1);
	assert_int_equal(t.files.running, 1);
	assert_int_equal(t.exports.running, 2);
	drg_long_reads_leave(t.l, &t.exports);
	tally_wait(&t.entered, 2);
	pthread_join(third, NULL);
	pthread_join(file, NULL);
	drg_long_reads_leave(t.l, &t.exports);
	drg_long_reads_leave(t.l, &t.exports);
	drg_long_reads_leave(t.l, &t.files);
	turns_end(&t);
}

static void test_a_long_log_is_emptied_before_the_next_reads(void **state)
{
	(void)state;
	struct turns t;
	pthread_t threads[2];
	turns_begin(&t);
	make_log(&t, DRG_LOG_LONG_BYTES);
	drg_long_reads_enter(t.l, &t.exports); /* it is not long yet */
	assert_int_equal(drg_store_log_bytes(t.w.url), DRG_LOG_LONG_BYTES);
	make_log(&t, DRG_LOG_LONG_BYTES + 1);
	pthread_create(&threads[0], NULL, enter_exports, &t);
	pthread_create(&threads[1], NULL, enter_files, &t);
	assert_int_equal(entered(&t), 0);
	drg_long_reads_leave(t.l, &t.exports);
	tally_wait(&t.entered, 2);
	assert_int_equal(drg_store_log_bytes(t.w.url), 0);
	for (unsigned i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	drg_long_reads_leave(t.l, &t.exports);
	drg_long_reads_leave(t.l, &t.files);
	turns_end(&t);
}

/* A backup, say. */
static void test_a_reader_elsewhere_keeps_nobody_from_reading(void **state)
{
	(void)state;
	struct turns t;
	struct drg_store *backup;
	struct drg_txn *txn;
	struct drg_record r = writing_meal("m");
	enum drg_put_result result;
	turns_begin(&t);
	MUST(&t.w, drg_store_begin(t.w.other, &txn, &t.w.err));
	MUST(&t.w, drg_txn_add(txn, &r, &result, &t.w.err));
	MUST(&t.w, drg_txn_commit(txn, NULL, &t.w.err));
	MUST(&t.w, drg_store_open(t.w.url, DRG_STORE_READ, &backup, &t.w.err));
	MUST(&t.w, drg_store_hold(backup, NULL, &t.w.err));
	make_log(&t, DRG_LOG_LONG_BYTES + 1);
	drg_long_reads_enter(t.l, &t.exports);
	assert_int_equal(drg_store_log_bytes(t.w.url), DRG_LOG_LONG_BYTES + 1);
	drg_long_reads_leave(t.l, &t.exports);
	drg_store_release(backup);
	drg_store_close(backup);
	turns_end(&t);
}

GROUP(long_reads)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_so_many_of_a_pool_read_at_one_time),
		cmocka_unit_test(test_a_long_log_is_emptied_before_the_next_reads),
		cmocka_unit_test(test_a_reader_elsewhere_keeps_nobody_from_reading),
	};
	return cmocka_run_group_tests_name("server/long_reads", tests, NULL, NULL);
}
