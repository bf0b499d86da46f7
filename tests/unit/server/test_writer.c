#include "../writing.h"

#include "base/clock.h"
#include "base/lockfile.h"
#include "base/log.h"

/* A job that adds one record, or fails. */
struct adding {
	struct drg_job job;
	struct writing *x;
	struct tally *tally;
	char id[16];
	int fails; /* run() returns this, after having written */
	int refuses; /* run() returns this, before */
	unsigned runs;
	int64_t shown; /* the catalog's seq when it was done */
};

static int run(void *adding, struct drg_txn *t, struct drg_err *reterr)
{
	struct adding *a = adding;
	struct drg_record r = writing_meal(a->id);
	enum drg_put_result result;
	a->runs++;
	if (a->refuses != DRG_OK)
		return drg_fail(reterr, a->refuses, &(const struct drg_reason){ "refused", 0, 0 }, "id",
		                "no");
	int rc = drg_txn_add(t, &r, &result, reterr);
	return rc != DRG_OK         ? rc
	       : a->fails != DRG_OK ? drg_fail(reterr, a->fails, NULL, NULL, "failed")
	                            : DRG_OK;
}

static void done(struct drg_job *j)
{
	struct adding *a = (struct adding *)j;
	drg_read_lock();
	const struct drg_catalog *cat = drg_follower_catalog(a->x->follower);
	a->shown = cat != NULL ? drg_catalog_seq(cat) : -1;
	drg_read_unlock();
	tally_add(a->tally);
}

static void make(struct writing *x, struct tally *tally, struct adding *a, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		a[i] = (struct adding){ .job = { run, &a[i], done, .rows = 1, .bytes = 100 },
			                .x = x,
			                .tally = tally };
		snprintf(a[i].id, sizeof a[i].id, "%zu", i);
	}
}

static void submit(struct writing *x, struct adding *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		drg_writer_submit(x->writer, &a[i].job);
}

static void test_a_job_is_done_when_it_is_stored_and_shown(void **state)
{
	(void)state;
	struct writing x;
	struct tally tally = TALLY_INIT;
	struct adding a[20];
	writing_begin(&x, (struct drg_writer_options){ .store_url = NULL }, true);
	make(&x, &tally, a, 20);
	for (unsigned i = 0; i < 20; i++) {
		submit(&x, &a[i], 1);
		tally_wait(&tally, i + 1);
		assert_int_equal(a[i].job.rc, DRG_OK);
		assert_int_equal(a[i].job.commit.seq, i + 1);
		assert_true(a[i].shown >= a[i].job.commit.seq);
		assert_true(writing_has(&x, a[i].id));
	}
	writing_end(&x);
}

static void test_what_has_queued_is_one_commit(void **state)
{
	(void)state;
	struct writing x;
	struct tally tally = TALLY_INIT;
	struct adding a[100];
	writing_begin(&x, (struct drg_writer_options){ .store_url = NULL }, true);
	make(&x, &tally, a, 100);
	writing_hold(&x);
	submit(&x, a, 100);
	writing_release(&x);
	tally_wait(&tally, 100);
	/* The writer may have taken the first ones before the others came. */
	assert_in_range(writing_seq(&x), 1, 2);
	writing_end(&x);
}

static void test_a_transaction_has_at_most_so_many_rows_or_one_job(void **state)
{
	(void)state;
	struct writing x;
	struct tally tally = TALLY_INIT;
	struct adding a[8];
	writing_begin(&x, (struct drg_writer_options){ .max_rows = 10 }, true);
	make(&x, &tally, a, 8);
	for (unsigned i = 0; i < 8; i++)
		a[i].job.rows = i == 7 ? 1000 : 5;
	writing_hold(&x);
	submit(&x, a, 8);
	writing_release(&x);
	tally_wait(&tally, 8);
	/* Seven jobs in pairs, and the large one alone; the first may have gone ahead. */
	assert_in_range(writing_seq(&x), 5, 5);
	assert_true(a[7].job.commit.seq > a[6].job.commit.seq);
	writing_end(&x);
}

static void test_a_refusal_touches_nobody_else(void **state)
{
	(void)state;
	static const int codes[] = { DRG_EINVAL, DRG_EEXIST, DRG_ENOENT, DRG_ENOMEM, DRG_EBUSY };
	for (unsigned c = 0; c < DRG_ARRAY_LEN(codes); c++) {
		struct writing x;
		struct tally tally = TALLY_INIT;
		struct adding a[5];
		writing_begin(&x, (struct drg_writer_options){ .store_url = NULL }, true);
		make(&x, &tally, a, 5);
		a[2].refuses = codes[c];
		writing_hold(&x);
		submit(&x, a, 5);
		writing_release(&x);
		tally_wait(&tally, 5);
		for (unsigned i = 0; i < 5; i++) {
			assert_int_equal(a[i].job.rc, i == 2 ? codes[c] : DRG_OK);
			assert_int_equal(writing_has(&x, a[i].id), i != 2);
			assert_int_equal(a[i].runs, 1);
		}
		assert_string_equal(a[2].job.err.reason, "refused");
		writing_end(&x);
	}
}

static void test_a_failure_in_a_group_is_only_the_failing_jobs(void **state)
{
	(void)state;
	static const struct {
		int fails, rc;
		const char *reason;
	} codes[] = {
		{ DRG_EIO, DRG_EBUSY, "not_stored" },      { DRG_EFULL, DRG_EBUSY, "not_stored" },
		{ DRG_ECORRUPT, DRG_EBUSY, "not_stored" }, { DRG_ENOMEM, DRG_ENOMEM, "" },
		{ DRG_EINTERNAL, DRG_EINTERNAL, "" },      { DRG_EINVAL, DRG_EINVAL, "" },
	};
	for (unsigned c = 0; c < DRG_ARRAY_LEN(codes); c++) {
		struct writing x;
		struct tally tally = TALLY_INIT;
		struct adding a[5];
		writing_begin(&x, (struct drg_writer_options){ .store_url = NULL }, true);
		make(&x, &tally, a, 5);
		a[3].fails = codes[c].fails;
		writing_hold(&x);
		submit(&x, a, 5);
		writing_release(&x);
		tally_wait(&tally, 5);
		for (unsigned i = 0; i < 5; i++) {
			assert_int_equal(a[i].job.rc, i == 3 ? codes[c].rc : DRG_OK);
			assert_int_equal(writing_has(&x, a[i].id), i != 3);
		}
		assert_string_equal(a[3].job.err.reason, codes[c].reason);
		writing_end(&x);
	}
}

static void test_a_full_queue_is_said_at_once(void **state)
{
	(void)state;
	static const struct {
		struct drg_writer_options o;
		size_t bytes;
		unsigned fit;
	} cases[] = {
		{ { .max_jobs = 3 }, 1, 3 },
		{ { .max_bytes = 300 }, 100, 3 },
		{ { .max_bytes = 299 }, 100, 2 },
		{ { .max_bytes = 99 }, 100, 1 }, /* an empty queue takes any job */
	};
	for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++) {
		struct writing x;
		struct tally tally = TALLY_INIT;
		struct adding a[4];
		writing_begin(&x, cases[c].o, true);
		make(&x, &tally, a, 4);
		for (unsigned i = 0; i < 4; i++)
			a[i].job.bytes = cases[c].bytes;
		writing_hold(&x);
		submit(&x, a, cases[c].fit);
		submit(&x, &a[3], 1);
		tally_wait(&tally, 1); /* at once */
		assert_int_equal(a[3].job.rc, DRG_EBUSY);
		assert_string_equal(a[3].job.err.reason, "queue_full");
		writing_release(&x);
		tally_wait(&tally, cases[c].fit + 1);
		submit(&x, &a[3], 1);
		tally_wait(&tally, cases[c].fit + 2);
		assert_int_equal(a[3].job.rc, DRG_OK);
		writing_end(&x);
	}
}

static void test_a_store_that_is_away_fails_jobs_until_it_is_back(void **state)
{
	(void)state;
	struct writing x;
	struct tally tally = TALLY_INIT;
	struct adding a[2];
	struct drg_store *later;
	char url[160];
	/* Nobody follows, so nobody reads x.writer while it changes. */
	writing_begin(&x, (struct drg_writer_options){ .store_url = NULL }, false);
	/* A second writer, for a store that comes later. */
	struct drg_writer *first = x.writer;
	snprintf(url, sizeof url, "sqlite:%s/later.db", x.dir.path);
	const struct drg_writer_options o = { .store_url = url, .follower = x.follower, .visible_ms = 1 };
	MUST(&x, drg_writer_start(&o, &x.writer, &x.err));
	make(&x, &tally, a, 2);
	submit(&x, &a[0], 1);
	tally_wait(&tally, 1);
	assert_int_equal(a[0].job.rc, DRG_EBUSY);
	assert_string_equal(a[0].job.err.reason, "not_stored");
	assert_null(strstr(a[0].job.err.message, "later.db")); /* the log has it, clients do not */
	MUST(&x, drg_store_open(url, DRG_STORE_CREATE, &later, &x.err));
	drg_store_close(later);
	submit(&x, &a[1], 1);
	tally_wait(&tally, 2);
	assert_string_not_equal(a[1].job.err.reason, "not_stored");
	drg_writer_stop(first);
	writing_end(&x);
}

/* A job's own failure is no outage: the store stays open, and nobody is told to come again. */
static void test_a_jobs_own_failure_is_no_trouble_of_the_store(void **state)
{
	(void)state;
	struct writing x;
	struct tally tally = TALLY_INIT;
	struct adding a[1];
	writing_begin(&x, (struct drg_writer_options){ .store_url = NULL }, false);
	make(&x, &tally, a, 1);
	a[0].fails = DRG_ELIMIT;
	submit(&x, a, 1);
	tally_wait(&tally, 1);
	assert_int_equal(a[0].job.rc, DRG_ELIMIT);
	assert_string_equal(a[0].job.err.message, "failed");
	assert_null(drg_writer_failure(x.writer));
	writing_end(&x);
}

static void test_a_lock_that_is_held_fails_all_within_a_bound(void **state)
{
	(void)state;
	struct writing x;
	struct tally tally = TALLY_INIT;
	struct adding a[30];
	unsigned waits = 0;
	clock_stop();
	writing_begin(&x, (struct drg_writer_options){ .store_url = NULL }, true);
	make(&x, &tally, a, 30);
	submit(&x, a, 10);
	wait_and_pass(10, tally_count(&tally) == 10);
	drg_lockfile_set_timeout(60);
	writing_hold(&x);
	clock_pass_ms(50);
	submit(&x, a + 10, 20);
	/* Once for those that were taken first, and once for the rest; not once for each. */
	for (; tally_count(&tally) < 30; waits++) {
		unsigned before = tally_count(&tally);
		wait_until(tally_count(&tally) == 30 || writing_is_wanted(&x));
		clock_pass_ms(60);
		wait_until(tally_count(&tally) == 30 || tally_count(&tally) > before);
	}
	assert_in_range(waits, 1, 2);
	for (unsigned i = 10; i < 30; i++) {
		assert_int_equal(a[i].job.rc, DRG_EBUSY);
		assert_string_equal(a[i].job.err.reason, "not_stored");
		assert_non_null(strstr(a[i].job.err.message, "another process holds the store"));
	}
	assert_string_equal(drg_writer_failure(x.writer), "locked");
	writing_release(&x);
	drg_lockfile_set_timeout(5000);
	make(&x, &tally, a, 1);
	submit(&x, a, 1);
	wait_and_pass(10, tally_count(&tally) == 31);
	assert_int_equal(a[0].job.rc, DRG_OK);
	assert_null(drg_writer_failure(x.writer));
	writing_end(&x);
	clock_go();
}

static void shell(const char *fmt, const char *dir)
{
	char command[512];
	for (char *c = command; (size_t)(c - command) < sizeof command - 64 && *fmt != '\0'; fmt++) {
		if (*fmt == '%')
			c = stpcpy(c, dir);
		else
			*c++ = *fmt;
		*c = '\0';
	}
	assert_int_equal(system(command), 0);
}

/* What a job is told is true of the file that the path names, whatever was done to it. */
static void test_a_store_that_was_replaced_is_opened_anew(void **state)
{
	(void)state;
	static const char *const ways[] = {
		"mv %/backup %/t.db",
		"rm %/t.db-wal %/t.db-shm && cp %/backup %/t.db",
		"rm %/t.db* && cp %/backup %/t.db",
		"mkdir %/away && mv %/t.db* %/away && cp %/backup %/t.db",
	};
	for (unsigned w = 0; w < DRG_ARRAY_LEN(ways); w++) {
		struct writing x;
		struct tally tally = TALLY_INIT;
		struct adding a[3];
		writing_begin(&x, (struct drg_writer_options){ .store_url = NULL }, true);
		make(&x, &tally, a, 3);
		drg_store_close(x.other); /* another that has it open would be a process that fails too */
		x.other = NULL;
		shell("cp %/t.db %/backup", x.dir.path);
		submit(&x, a, 2);
		tally_wait(&tally, 2);
		shell(ways[w], x.dir.path);
		/* The follower has the files of before open for a moment more, and says so. */
		unsigned n = 2;
		do {
			submit(&x, &a[2], 1);
			tally_wait(&tally, ++n);
			if (a[2].job.rc != DRG_OK && strcmp(a[2].job.err.reason, "not_stored") != 0)
				fail_msg("%s: %s: %s", ways[w], a[2].job.err.reason, a[2].job.err.message);
		} while (a[2].job.rc != DRG_OK);
		MUST(&x, drg_store_open(x.url, DRG_STORE_WRITE, &x.other, &x.err));
		assert_true(writing_has(&x, a[2].id));
		assert_false(writing_has(&x, a[0].id));
		assert_true(a[2].shown >= 1);
		writing_end(&x);
	}
}

static void test_a_store_that_is_gone_fails_jobs_until_it_is_back(void **state)
{
	(void)state;
	struct writing x;
	struct tally tally = TALLY_INIT;
	struct adding a[3];
	writing_begin(&x, (struct drg_writer_options){ .store_url = NULL }, true);
	make(&x, &tally, a, 3);
	submit(&x, a, 1);
	tally_wait(&tally, 1);
	shell("mkdir %/away && mv %/t.db* %/away", x.dir.path);
	submit(&x, &a[1], 1);
	tally_wait(&tally, 2);
	assert_int_equal(a[1].job.rc, DRG_EBUSY);
	assert_string_equal(a[1].job.err.reason, "not_stored");
	assert_string_equal(drg_writer_failure(x.writer), "away");
	shell("mv %/away/* %", x.dir.path);
	submit(&x, &a[2], 1);
	tally_wait(&tally, 3);
	assert_int_equal(a[2].job.rc, DRG_OK);
	assert_true(writing_has(&x, a[0].id));
	assert_false(writing_has(&x, a[1].id));
	assert_true(writing_has(&x, a[2].id));
	writing_end(&x);
}

static void test_what_the_catalog_does_not_show_is_said_to_be_stored_all_the_same(void **state)
{
	(void)state;
	struct writing x;
	struct tally tally = TALLY_INIT;
	struct adding a[1];
	writing_begin(&x, (struct drg_writer_options){ .visible_ms = 30 }, false);
	make(&x, &tally, a, 1);
	submit(&x, a, 1);
	tally_wait(&tally, 1);
	assert_int_equal(a[0].job.rc, DRG_EBUSY);
	assert_string_equal(a[0].job.err.reason, "not_visible_yet");
	assert_true(writing_has(&x, a[0].id));
	writing_end(&x);
}

static void test_stopping_writes_what_is_queued(void **state)
{
	(void)state;
	struct writing x;
	struct tally tally = TALLY_INIT;
	struct adding a[10];
	writing_begin(&x, (struct drg_writer_options){ .store_url = NULL }, false);
	make(&x, &tally, a, 10);
	submit(&x, a, 10);
	drg_writer_stop(x.writer);
	x.writer = NULL;
	assert_int_equal(tally.n, 10);
	for (unsigned i = 0; i < 10; i++)
		assert_true(writing_has(&x, a[i].id));
	drg_writer_stop(NULL);
	writing_end(&x);
}

static void *submit_many(void *arg)
{
	struct adding *a = arg;
	for (unsigned i = 0; i < 50; i++)
		submit(a->x, &a[i], 1);
	return NULL;
}

static void test_many_threads(void **state)
{
	(void)state;
	enum { THREADS = 8, EACH = 50 };
	static struct adding a[THREADS * EACH];
	struct writing x;
	struct tally tally = TALLY_INIT;
	pthread_t thread[THREADS];
	writing_begin(&x, (struct drg_writer_options){ .store_url = NULL }, true);
	make(&x, &tally, a, THREADS * EACH);
	for (unsigned i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, submit_many, &a[i * EACH]), 0);
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	tally_wait(&tally, THREADS * EACH);
	for (unsigned i = 0; i < THREADS * EACH; i++) {
		assert_int_equal(a[i].job.rc, DRG_OK);
		assert_true(a[i].shown >= a[i].job.commit.seq);
	}
	writing_end(&x);
}

GROUP(writer)
{
	drg_log_set_level(DRG_LOG_ERROR);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_job_is_done_when_it_is_stored_and_shown),
		cmocka_unit_test(test_what_has_queued_is_one_commit),
		cmocka_unit_test(test_a_transaction_has_at_most_so_many_rows_or_one_job),
		cmocka_unit_test(test_a_refusal_touches_nobody_else),
		cmocka_unit_test(test_a_failure_in_a_group_is_only_the_failing_jobs),
		cmocka_unit_test(test_a_full_queue_is_said_at_once),
		cmocka_unit_test(test_a_store_that_is_away_fails_jobs_until_it_is_back),
		cmocka_unit_test(test_a_jobs_own_failure_is_no_trouble_of_the_store),
		cmocka_unit_test(test_a_lock_that_is_held_fails_all_within_a_bound),
		cmocka_unit_test(test_a_store_that_was_replaced_is_opened_anew),
		cmocka_unit_test(test_a_store_that_is_gone_fails_jobs_until_it_is_back),
		cmocka_unit_test(test_what_the_catalog_does_not_show_is_said_to_be_stored_all_the_same),
		cmocka_unit_test(test_stopping_writes_what_is_queued),
		cmocka_unit_test(test_many_threads),
	};
	return cmocka_run_group_tests_name("server/writer", tests, NULL, NULL);
}
