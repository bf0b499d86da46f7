/* Decisions as jobs of a server's writer: the functions that the commands run, and then the catalog shows
 * it. */
#include "../importing.h"

#include <pthread.h>

#include "base/log.h"
#include "catalog/rcu.h"
#include "decide/decision.h"
#include "server/register.h"
#include "server/writer.h"

static struct importing data;
static struct drg_follower *follower;
static struct drg_writer *writer;

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned n; /* jobs */
	bool loaded; /* the catalog */
} over = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, false };

static void job_done(struct drg_job *j)
{
	(void)j;
	pthread_mutex_lock(&over.lock);
	over.n++;
	pthread_cond_signal(&over.changed);
	pthread_mutex_unlock(&over.lock);
}

static void wait_for(unsigned n)
{
	pthread_mutex_lock(&over.lock);
	while (over.n < n)
		pthread_cond_wait(&over.changed, &over.lock);
	over.n -= n;
	pthread_mutex_unlock(&over.lock);
}

static void published(void *ctx)
{
	(void)ctx;
	drg_writer_published(writer);
	pthread_mutex_lock(&over.lock);
	over.loaded = true;
	pthread_cond_signal(&over.changed);
	pthread_mutex_unlock(&over.lock);
}

static int set_up(void **state)
{
	(void)state;
	importing_mini(&data);
	const struct drg_follower_options f = { .store_url = data.store_url,
		                                .poll_ms = 20,
		                                .published = published };
	assert_int_equal(drg_follower_open(&f, &follower, NULL), DRG_OK);
	const struct drg_writer_options w = { .store_url = data.store_url, .follower = follower };
	assert_int_equal(drg_writer_start(&w, &writer, NULL), DRG_OK);
	over.loaded = false;
	assert_int_equal(drg_follower_run(follower, NULL), DRG_OK);
	pthread_mutex_lock(&over.lock);
	while (!over.loaded)
		pthread_cond_wait(&over.changed, &over.lock);
	pthread_mutex_unlock(&over.lock);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	drg_follower_stop(follower);
	drg_writer_stop(writer);
	drg_follower_close(follower);
	importing_end(&data);
	return 0;
}

/* The dict id that the catalog shows of hotel 1002 of adapter 7; 0: not mapped. */
struct shown {
	bool found;
	int64_t dict_id;
};

static int look_for_source(void *ctx, const struct drg_record *r)
{
	struct shown *s = ctx;
	if (r->type->id != DRG_TYPE_SOURCE || r->v[DRG_F_ADAPTER_ID].i != 7 ||
	    drg_record_kind(r) != DRG_KIND_HOTEL || !drg_str_eq(r->v[DRG_F_SOURCE_ID].s, DRG_STR("1002")))
		return DRG_OK;
	s->found = true;
	s->dict_id = drg_record_i(r, DRG_F_DICT_ID, 0);
	return DRG_OK;
}

static int64_t shown_mapping(void)
{
	struct shown s = { .found = false };
	drg_read_lock();
	assert_int_equal(drg_catalog_each(drg_follower_catalog(follower), look_for_source, &s), DRG_OK);
	drg_read_unlock();
	assert_true(s.found);
	return s.dict_id;
}

static struct drg_decision hotel_to(int64_t dict_id)
{
	return (struct drg_decision){ .verb = DRG_VERB_MAP,
		                      .adapter = 7,
		                      .kind = DRG_KIND_HOTEL,
		                      .id = DRG_STR("1002"),
		                      .dict_id = dict_id };
}

static const struct drg_decision merging = {
	.verb = DRG_VERB_MERGE, .kind = DRG_KIND_HOTEL, .dict_id = 55, .into = 56
};

static struct drg_job job_of(struct drg_decisions *all)
{
	return (struct drg_job){ .run = drg_decisions_run_batch, .ctx = all, .done = job_done, .rows = 10 };
}

static void a_decision_is_a_job_of_the_writer(void **state)
{
	(void)state;
	assert_int_equal(shown_mapping(), 0);

	struct drg_decision d = hotel_to(55);
	struct drg_decisions all = { .v = &d, .n = 1 };
	struct drg_job job = job_of(&all);
	drg_writer_submit(writer, &job);
	wait_for(1);

	assert_int_equal(job.rc, DRG_OK);
	assert_true(d.is.changed);
	assert_int_equal(shown_mapping(), 55);
}

static void a_decision_that_is_refused_harms_no_other(void **state)
{
	(void)state;
	struct drg_decision good = hotel_to(55), bad = hotel_to(99);
	struct drg_decisions goods = { .v = &good, .n = 1 },
	                     bads = { .v = &bad, .n = 1, .by = DRG_STR("\x01") };
	struct drg_job jobs[] = { job_of(&bads), job_of(&goods) };
	for (unsigned i = 0; i < 2; i++)
		drg_writer_submit(writer, &jobs[i]);
	wait_for(2);
	assert_int_equal(jobs[0].rc, DRG_EINVAL);
	assert_int_equal(jobs[1].rc, DRG_OK);
	assert_int_equal(shown_mapping(), 55);
}

static void several_are_one_job(void **state)
{
	(void)state;
	struct drg_decision d[] = { hotel_to(55), merging, merging }, undo = hotel_to(0);
	struct drg_decisions all = { .v = d, .n = 3 }, undoing = { .v = &undo, .n = 1 };
	struct drg_job job = job_of(&all);
	drg_writer_submit(writer, &job);
	wait_for(1);
	assert_int_equal(job.rc, DRG_OK);
	assert_string_equal(d[2].is.err.reason, "merged_already");
	assert_int_equal(shown_mapping(), 56);

	/* A merge keeps its right to itself for as long as its transaction. */
	undo.verb = DRG_VERB_UNDO;
	job = job_of(&undoing);
	drg_writer_submit(writer, &job);
	wait_for(1);
	assert_string_equal(undo.is.err.reason, "merged");
}

/* A merge waits for no import, and is not the store's failure. */
static void a_merge_during_an_import_is_refused(void **state)
{
	(void)state;
	struct drg_store *importer;
	struct drg_decision m = merging;
	struct drg_decisions all = { .v = &m, .n = 1 };
	struct drg_job job = job_of(&all);
	assert_int_equal(drg_store_open(data.store_url, DRG_STORE_WRITE, &importer, NULL), DRG_OK);
	assert_int_equal(drg_store_lock_imports(importer, NULL), DRG_OK);
	drg_writer_submit(writer, &job);
	wait_for(1);
	assert_int_equal(m.is.rc, DRG_EBUSY);
	assert_string_equal(m.is.err.reason, "import_running");
	drg_store_close(importer);
	drg_writer_submit(writer, &job);
	wait_for(1);
	assert_int_equal(m.is.rc, DRG_OK);
}

/* The way back: what is a server's job runs without a server too. */
static void a_registration_runs_without_a_server(void **state)
{
	(void)state;
	static const struct drg_field_def fields[] = { { .field = DRG_F_SOURCE_ID, .wire = "id" },
		                                       { .field = DRG_F_NAME, .wire = "name" } };
	static const struct drg_element_table table = { fields, 2 };
	struct drg_element e = { .kind = DRG_KIND_MEAL, .table = &table, .has = 3 };
	struct drg_registration g = { .adapter = 7, .lang = DRG_STR("en"), .elements = &e, .n = 1 };
	struct drg_store *s;
	e.v[0].s = DRG_STR("new");
	e.v[1].s = DRG_STR("New");
	assert_int_equal(drg_store_open(data.store_url, DRG_STORE_WRITE, &s, NULL), DRG_OK);
	assert_int_equal(drg_txn_run(s, drg_registration_run, &g, NULL), DRG_OK);
	assert_int_equal(e.state, DRG_ELEMENT_CREATED);
	assert_int_equal(drg_txn_run(s, drg_registration_run, &g, NULL), DRG_OK);
	assert_int_equal(e.state, DRG_ELEMENT_EXISTS);
	drg_store_close(s);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

GROUP(decisions)
{
	drg_log_set_level(DRG_LOG_ERROR);
	const struct CMUnitTest tests[] = {
		TEST(a_decision_is_a_job_of_the_writer),
		TEST(a_decision_that_is_refused_harms_no_other),
		TEST(several_are_one_job),
		TEST(a_merge_during_an_import_is_refused),
		TEST(a_registration_runs_without_a_server),
	};
	return cmocka_run_group_tests_name("server/decisions", tests, NULL, NULL);
}
