#include "../serving.h"
#include "../writing.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <limits.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "server/readers.h"

/* A store and a pool on it. */
struct reading {
	struct folder dir;
	char path[96], url[128];
	struct drg_readers *pool;
	struct drg_err err;
};

static void must(const struct reading *x, int rc)
{
	if (rc != DRG_OK)
		fail_msg("%s", x->err.message);
}

static void reading_begin(struct reading *x, struct drg_readers_options o, bool there)
{
	*x = (struct reading){ .pool = NULL };
	folder_make(&x->dir);
	folder_file(&x->dir, "t.db", x->path, sizeof x->path);
	snprintf(x->url, sizeof x->url, "sqlite:%s", x->path);
	if (there) {
		struct drg_store *s;
		must(x, drg_store_open(x->url, DRG_STORE_CREATE, &s, &x->err));
		drg_store_close(s);
	}
	o.store_url = x->url;
	must(x, drg_readers_start(&o, &x->pool, &x->err));
}

static void reading_end(struct reading *x)
{
	drg_readers_stop(x->pool);
	folder_remove(&x->dir);
}

/* A job that reads the clock, and then may wait, or return what it is told to. */
struct look {
	struct drg_read_job job;
	struct tally *done, *begun, *go;
	int returns[2]; /* of the first run and of the others */
	unsigned runs, at; /* at: the how-manieth to be done */
	int64_t seq;
};

static int run(struct drg_read_job *j, struct drg_store *s, struct drg_err *reterr)
{
	struct look *l = (struct look *)j;
	struct drg_clock clock;
	assert_int_equal(drg_store_clock(s, &clock, reterr), DRG_OK);
	l->seq = clock.seq;
	if (l->begun != NULL)
		tally_add(l->begun);
	if (l->go != NULL)
		tally_wait(l->go, 1);
	int rc = l->returns[l->runs++ > 0];
	return rc == DRG_OK
	               ? rc
	               : drg_fail(reterr, rc, &(const struct drg_reason){ "own", 0, 0 }, "id", "own words");
}

static void done(struct drg_read_job *j)
{
	struct look *l = (struct look *)j;
	struct tally *t = l->done;
	pthread_mutex_lock(&t->lock);
	l->at = ++t->n;
	pthread_cond_broadcast(&t->changed);
	pthread_mutex_unlock(&t->lock);
}

static struct look look_for(struct tally *t, int first, int later)
{
	return (struct look){
		.job = { .run = run, .done = done }, .done = t, .returns = { first, later }, .seq = -1
	};
}

static void do_look(struct reading *x, struct look *l)
{
	unsigned before = l->done->n;
	must(x, drg_readers_submit(x->pool, &l->job));
	tally_wait(l->done, before + 1);
}

static void test_jobs_read_the_store_in_the_order_they_came(void **state)
{
	(void)state;
	struct reading x;
	struct tally t = TALLY_INIT;
	struct look l[100];
	reading_begin(&x, (struct drg_readers_options){ .threads = 1 }, true);
	for (unsigned i = 0; i < DRG_ARRAY_LEN(l); i++) {
		l[i] = look_for(&t, DRG_OK, DRG_OK);
		must(&x, drg_readers_submit(x.pool, &l[i].job));
	}
	tally_wait(&t, DRG_ARRAY_LEN(l));
	for (unsigned i = 0; i < DRG_ARRAY_LEN(l); i++) {
		assert_int_equal(l[i].job.rc, DRG_OK);
		assert_int_equal(l[i].seq, 0);
		assert_int_equal(l[i].at, i + 1);
	}
	reading_end(&x);
}

static void test_the_queue_is_bounded(void **state)
{
	(void)state;
	struct reading x;
	struct tally t = TALLY_INIT, begun = TALLY_INIT, go = TALLY_INIT;
	struct look l[4];
	reading_begin(&x, (struct drg_readers_options){ .threads = 1, .max_jobs = 3 }, true);
	for (unsigned i = 0; i < DRG_ARRAY_LEN(l); i++)
		l[i] = look_for(&t, DRG_OK, DRG_OK);
	l[0].begun = &begun;
	l[0].go = &go;
	must(&x, drg_readers_submit(x.pool, &l[0].job));
	tally_wait(&begun, 1);
	must(&x, drg_readers_submit(x.pool, &l[1].job));
	must(&x, drg_readers_submit(x.pool, &l[2].job));
	assert_int_equal(drg_readers_submit(x.pool, &l[3].job), DRG_EBUSY);
	assert_string_equal(l[3].job.err.reason, "queue_full");
	tally_add(&go);
	tally_wait(&t, 3);
	must(&x, drg_readers_submit(x.pool, &l[3].job));
	tally_wait(&t, 4);
	assert_int_equal(l[3].runs, 1);
	reading_end(&x);
}

static void test_a_key_has_its_share_and_leaves_a_thread_to_others(void **state)
{
	(void)state;
	struct reading x;
	struct tally t = TALLY_INIT, others = TALLY_INIT, begun = TALLY_INIT, go = TALLY_INIT;
	struct look l[5];
	reading_begin(&x, (struct drg_readers_options){ .threads = 2, .max_jobs = 8, .max_each = 3 }, true);
	for (unsigned i = 0; i < DRG_ARRAY_LEN(l); i++) {
		l[i] = look_for(i < 4 ? &t : &others, DRG_OK, DRG_OK);
		l[i].job.item.owner = i < 4 ? 1 : 2;
	}
	l[0].begun = &begun;
	l[0].go = &go;
	for (unsigned i = 0; i < 3; i++)
		must(&x, drg_readers_submit(x.pool, &l[i].job));
	assert_int_equal(drg_readers_submit(x.pool, &l[3].job), DRG_EBUSY);
	assert_string_equal(l[3].job.err.reason, "queue_full");
	tally_wait(&begun, 1);
	must(&x, drg_readers_submit(x.pool, &l[4].job));
	tally_wait(&others, 1); /* beside the one that does not end, and before those that wait */
	assert_int_equal(t.n, 0);
	tally_add(&go);
	tally_wait(&t, 3);
	reading_end(&x);
}

struct nice_look {
	struct drg_read_job job;
	struct tally *done;
	int priority;
};

static int run_nice(struct drg_read_job *j, struct drg_store *s, struct drg_err *reterr)
{
	(void)s, (void)reterr;
	((struct nice_look *)j)->priority = getpriority(PRIO_PROCESS, (id_t)gettid());
	return DRG_OK;
}

static void done_nice(struct drg_read_job *j)
{
	tally_add(((struct nice_look *)j)->done);
}

/* Reads that use a core for seconds must not slow writers or HTTP threads. */
static void test_long_readings_let_others_go_first(void **state)
{
	(void)state;
	struct reading x;
	struct tally t = TALLY_INIT;
	struct drg_long_reads *turns;
	struct drg_long_pool sort = { .max = 1 };
	struct nice_look l = { .job = { .run = run_nice, .done = done_nice }, .done = &t };
	const int own = getpriority(PRIO_PROCESS, 0);
	x.err = (struct drg_err){ 0 };
	assert_int_equal(drg_long_reads_new("sqlite:/nowhere", NULL, &turns, &x.err), DRG_OK);
	reading_begin(&x, (struct drg_readers_options){ .turns = turns, .sort = &sort }, true);
	must(&x, drg_readers_submit(x.pool, &l.job));
	tally_wait(&t, 1);
	reading_end(&x);
	drg_long_reads_free(turns);
	assert_int_equal(l.priority, own > 10 ? own : 10);
}

static void test_stopping_does_what_is_queued(void **state)
{
	(void)state;
	struct reading x;
	struct tally t = TALLY_INIT;
	struct look l[20];
	reading_begin(&x, (struct drg_readers_options){ .threads = 3 }, true);
	for (unsigned i = 0; i < DRG_ARRAY_LEN(l); i++) {
		l[i] = look_for(&t, DRG_OK, DRG_OK);
		must(&x, drg_readers_submit(x.pool, &l[i].job));
	}
	reading_end(&x);
	assert_int_equal(t.n, DRG_ARRAY_LEN(l));
}

static void test_results_of_a_job_are_handed_through(void **state)
{
	(void)state;
	static const int own[] = { DRG_ENOENT, DRG_EINVAL, DRG_ELIMIT, DRG_ENOMEM };
	struct reading x;
	struct tally t = TALLY_INIT;
	reading_begin(&x, (struct drg_readers_options){ .threads = 1 }, true);
	for (unsigned i = 0; i < DRG_ARRAY_LEN(own); i++) {
		struct look l = look_for(&t, own[i], DRG_OK);
		do_look(&x, &l);
		assert_int_equal(l.job.rc, own[i]);
		assert_string_equal(l.job.err.message, "own words");
		assert_int_equal(l.runs, 1);
	}
	reading_end(&x);
}

/* On a handle that was open for long, a failure may be of the handle: a fresh one tells. */
static void test_a_failure_is_tried_again_on_a_fresh_handle(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int first, later;
		bool used;
		int rc;
		unsigned runs;
	} cases[] = {
		{ "the first job, whose handle is fresh", DRG_EIO, DRG_OK, false, DRG_EBUSY, 1 },
		{ "fails once", DRG_EIO, DRG_OK, true, DRG_OK, 2 },
		{ "fails twice", DRG_EIO, DRG_EIO, true, DRG_EBUSY, 2 },
		{ "damaged", DRG_ECORRUPT, DRG_ECORRUPT, true, DRG_EBUSY, 2 },
		{ "then refuses", DRG_EIO, DRG_EINVAL, true, DRG_EINVAL, 2 },
	};
	for (unsigned i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct reading x;
		struct tally t = TALLY_INIT;
		struct look before = look_for(&t, DRG_OK, DRG_OK);
		struct look l = look_for(&t, cases[i].first, cases[i].later);
		reading_begin(&x, (struct drg_readers_options){ .threads = 1 }, true);
		if (cases[i].used)
			do_look(&x, &before);
		do_look(&x, &l);
		if (l.job.rc != cases[i].rc || l.runs != cases[i].runs)
			fail_msg("%s: %d after %u runs", cases[i].name, l.job.rc, l.runs);
		if (l.job.rc == DRG_EBUSY)
			assert_string_equal(l.job.err.reason, "store_away");
		reading_end(&x);
	}
}

static void test_a_store_that_is_away_and_comes(void **state)
{
	(void)state;
	struct reading x;
	struct tally t = TALLY_INIT;
	struct look l = look_for(&t, DRG_OK, DRG_OK);
	struct drg_store *s;
	reading_begin(&x, (struct drg_readers_options){ 0 }, false);
	do_look(&x, &l);
	assert_int_equal(l.job.rc, DRG_EBUSY);
	assert_string_equal(l.job.err.reason, "store_away");
	assert_null(strstr(l.job.err.message, x.path));
	assert_int_equal(l.runs, 0);
	must(&x, drg_store_open(x.url, DRG_STORE_CREATE, &s, &x.err));
	drg_store_close(s);
	do_look(&x, &l);
	assert_int_equal(l.job.rc, DRG_OK);
	reading_end(&x);
}

static unsigned open_files_of(const char *path)
{
	char link[300], target[PATH_MAX];
	unsigned n = 0;
	DIR *fds = opendir("/proc/self/fd");
	assert_non_null(fds);
	for (struct dirent *e; (e = readdir(fds)) != NULL;) {
		snprintf(link, sizeof link, "/proc/self/fd/%s", e->d_name);
		ssize_t len = readlink(link, target, sizeof target - 1);
		target[len > 0 ? len : 0] = '\0';
		n += strcmp(target, path) == 0;
	}
	closedir(fds);
	return n;
}

static void test_the_store_is_opened_by_the_first_job(void **state)
{
	(void)state;
	struct reading x;
	char path[PATH_MAX];
	struct tally t = TALLY_INIT;
	struct look l = look_for(&t, DRG_OK, DRG_OK);
	reading_begin(&x, (struct drg_readers_options){ .threads = 3 }, true);
	assert_non_null(realpath(x.path, path));
	assert_int_equal(open_files_of(path), 0);
	do_look(&x, &l);
	assert_int_equal(l.job.rc, DRG_OK);
	assert_int_equal(open_files_of(path), 1);
	drg_readers_stop(x.pool);
	x.pool = NULL;
	assert_int_equal(open_files_of(path), 0);
	reading_end(&x);
}

/* A database on loopback, which answers nobody. @return its socket. */
static int database_that_hangs(char url[static 64])
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof a;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	assert_int_equal(bind(fd, (const struct sockaddr *)&a, n), 0);
	assert_int_equal(listen(fd, 16), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &n), 0);
	snprintf(url, 64, "postgresql://u@127.0.0.1:%d/d?sslmode=disable", ntohs(a.sin_port));
	return fd;
}

/* Cut each connection that waits, when it has waited for @p ms. @return how many there were. */
static unsigned database_cut(int fd, int64_t ms)
{
	unsigned n = 0;
	for (int c; (c = accept(fd, NULL, NULL)) >= 0; n++) {
		clock_pass_ms(ms);
		close(c);
	}
	return n;
}

/* @return with how many connections it was asked for. */
static unsigned look_at_database(struct drg_readers *pool, struct look *l, int fd, int64_t ms)
{
	unsigned before = tally_count(l->done), asked = 0;
	assert_int_equal(drg_readers_submit(pool, &l->job), DRG_OK);
	wait_until((asked += database_cut(fd, ms), tally_count(l->done) > before));
	assert_int_equal(l->job.rc, DRG_EBUSY);
	assert_string_equal(l->job.err.reason, "store_away");
	return asked;
}

static void test_a_database_that_hung_is_asked_once_the_follower_was_answered(void **state)
{
	(void)state;
	static struct serving node;
	struct tally t = TALLY_INIT;
	struct look l = look_for(&t, DRG_OK, DRG_OK);
	struct drg_readers_options o = { .threads = 1 };
	struct drg_readers *pool;
	char url[64];
	int fd = database_that_hangs(url);
	clock_stop();
	serving_begin(&node, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":\"AI\"}\n",
	              (struct drg_follower_options){ 0 });
	assert_int_equal(drg_follower_run(node.follower, NULL), DRG_OK);
	wait_until(atomic_load(&node.published) == 1);
	o.store_url = url;
	o.follower = node.follower;
	assert_int_equal(drg_readers_start(&o, &pool, NULL), DRG_OK);
	assert_true(look_at_database(pool, &l, fd, 1000) > 0);
	assert_int_equal(look_at_database(pool, &l, fd, 0), 0); /* it is left alone for a second */
	int64_t hung_ns = drg_clock_ns();
	clock_pass_ms(1);
	drg_follower_wake(node.follower);
	wait_until(drg_follower_answered_ns(node.follower) > hung_ns);
	assert_true(look_at_database(pool, &l, fd, 0) > 0);
	drg_readers_stop(pool);
	serving_end(&node);
	clock_go();
	close(fd);
}

GROUP(readers)
{
	drg_log_set_level(DRG_LOG_ERROR);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_jobs_read_the_store_in_the_order_they_came),
		cmocka_unit_test(test_the_store_is_opened_by_the_first_job),
		cmocka_unit_test(test_the_queue_is_bounded),
		cmocka_unit_test(test_a_key_has_its_share_and_leaves_a_thread_to_others),
		cmocka_unit_test(test_long_readings_let_others_go_first),
		cmocka_unit_test(test_stopping_does_what_is_queued),
		cmocka_unit_test(test_results_of_a_job_are_handed_through),
		cmocka_unit_test(test_a_failure_is_tried_again_on_a_fresh_handle),
		cmocka_unit_test(test_a_store_that_is_away_and_comes),
		cmocka_unit_test(test_a_database_that_hung_is_asked_once_the_follower_was_answered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
