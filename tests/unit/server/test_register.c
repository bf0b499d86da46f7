#include "../writing.h"

#include "base/clock.h"
#include "server/register.h"
#include "server/write.h"

static const struct drg_field_def fields[] = {
	{ DRG_F_SOURCE_ID, "id", DRG_V_SRCID, 0, 1, 64, 0, NULL, DRG_REF_NONE, 0, NULL },
	{ DRG_F_NAME, "name", DRG_V_TEXT, 0, 1, 64, 0, NULL, DRG_REF_NONE, 0, NULL },
};
static const struct drg_element_table table = { fields, 2 };

/* A request of up to four meals, and the retry that it is. */
struct request {
	struct drg_registration g;
	struct drg_write w;
	struct drg_element e[4];
	struct drg_retry retry;
	struct drg_buf out;
	struct tally tally;
};

static void done(struct drg_write *w)
{
	struct request *r = DRG_CONTAINER_OF(w, struct request, w);
	tally_add(&r->tally);
}

static bool answer(void *registration, struct drg_buf *out)
{
	struct request *r = DRG_CONTAINER_OF(registration, struct request, g);
	for (size_t i = 0; i < r->g.n; i++)
		drg_buf_printf(out, "%.*s:%d ", DRG_STR_ARG(r->e[i].key), r->e[i].state);
	return true;
}

static void make(struct request *r, const char *const *ids)
{
	*r = (struct request){ .tally = TALLY_INIT };
	drg_buf_init(&r->out, 4096);
	for (; ids[r->g.n] != NULL; r->g.n++) {
		struct drg_str id = drg_str_c(ids[r->g.n]);
		r->e[r->g.n] = (struct drg_element){ .kind = DRG_KIND_MEAL,
			                             .table = &table,
			                             .has = 3,
			                             .v = { { .s = id }, { .s = id } },
			                             .key = id };
	}
	r->g.adapter = 7;
	r->g.lang = DRG_STR("uk");
	r->g.elements = r->e;
	r->w = (struct drg_write){ .run = drg_registration_run,
		                   .expect = drg_registration_prefetch,
		                   .ctx = &r->g,
		                   .done = done,
		                   .job.rows = r->g.n };
}

static void name(struct request *r, const char *retry, const char *body)
{
	assert_int_equal(drg_retry_init(&r->retry, 1, drg_str_c(retry), drg_str_c(body), NULL), DRG_OK);
	r->w.retry = &r->retry;
	r->w.answer = answer;
	r->w.out = &r->out;
}

static void send(struct writing *x, struct drg_retries *retries, struct request *r)
{
	const unsigned before = r->tally.n;
	drg_write_submit(x->writer, retries, &r->w);
	tally_wait(&r->tally, before + 1);
}

struct fixture {
	struct writing x;
	struct drg_retries *retries;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	writing_begin(&f->x, (struct drg_writer_options){ .store_url = NULL }, true);
	*state = f;
	return drg_retries_new(&f->retries, &f->x.err);
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	writing_end(&f->x);
	drg_retries_free(f->retries);
	free(f);
	return 0;
}

#define IDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void test_new_elements_become_records(void **state)
{
	struct fixture *f = *state;
	struct request r;
	make(&r, IDS("a", "b"));
	send(&f->x, f->retries, &r);
	assert_int_equal(r.w.job.rc, DRG_OK);
	assert_int_equal(r.e[0].state, DRG_ELEMENT_CREATED);
	assert_int_equal(r.e[1].state, DRG_ELEMENT_CREATED);
	assert_true(writing_has(&f->x, "a") && writing_has(&f->x, "b"));
	assert_int_equal(r.out.n, 0);
}

static void test_those_that_exist_are_told_apart(void **state)
{
	struct fixture *f = *state;
	struct request first, second;
	make(&first, IDS("a"));
	send(&f->x, f->retries, &first);
	make(&second, IDS("b", "a", "b"));
	send(&f->x, f->retries, &second);
	assert_int_equal(second.e[0].state, DRG_ELEMENT_CREATED);
	assert_int_equal(second.e[1].state, DRG_ELEMENT_EXISTS);
	assert_int_equal(second.e[2].state, DRG_ELEMENT_EXISTS);
}

static void test_what_its_reader_settled_is_left_alone(void **state)
{
	struct fixture *f = *state;
	static const enum drg_element_state states[] = { DRG_ELEMENT_KNOWN, DRG_ELEMENT_REFUSED,
		                                         DRG_ELEMENT_REPEATED };
	struct request r;
	make(&r, IDS("a", "b", "c", "d"));
	for (unsigned i = 0; i < 3; i++)
		r.e[i].state = states[i];
	send(&f->x, f->retries, &r);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(r.e[i].state, states[i]);
		assert_false(writing_has(&f->x, r.e[i].key.p));
	}
	assert_true(writing_has(&f->x, "d"));
}

static void test_two_requests_in_one_group_the_first_wins(void **state)
{
	struct fixture *f = *state;
	struct request r[2];
	make(&r[0], IDS("a"));
	make(&r[1], IDS("a"));
	writing_hold(&f->x);
	for (unsigned i = 0; i < 2; i++)
		drg_write_submit(f->x.writer, f->retries, &r[i].w);
	writing_release(&f->x);
	for (unsigned i = 0; i < 2; i++)
		tally_wait(&r[i].tally, 1);
	assert_int_equal(r[0].e[0].state, DRG_ELEMENT_CREATED);
	assert_int_equal(r[1].e[0].state, DRG_ELEMENT_EXISTS);
}

static void test_a_retry_gets_the_answer_of_before(void **state)
{
	struct fixture *f = *state;
	struct request first, again;
	make(&first, IDS("a", "b"));
	name(&first, "r", "body");
	send(&f->x, f->retries, &first);
	assert_false(first.w.replayed);
	make(&again, IDS("a", "b"));
	name(&again, "r", "body");
	send(&f->x, f->retries, &again);
	assert_int_equal(again.w.job.rc, DRG_OK);
	assert_true(again.w.replayed);
	assert_true(drg_str_eq(drg_buf_view(&first.out), drg_buf_view(&again.out)));
	assert_true(drg_str_eq(drg_buf_view(&first.out), DRG_STR("a:1 b:1 ")));
	drg_buf_done(&first.out);
	drg_buf_done(&again.out);
}

static void test_a_retry_with_another_body_is_refused(void **state)
{
	struct fixture *f = *state;
	struct request first, other;
	make(&first, IDS("a"));
	name(&first, "r", "body");
	send(&f->x, f->retries, &first);
	make(&other, IDS("b"));
	name(&other, "r", "other");
	send(&f->x, f->retries, &other);
	assert_int_equal(other.w.job.rc, DRG_EINVAL);
	assert_string_equal(other.w.job.err.reason, "idempotency_mismatch");
	assert_false(writing_has(&f->x, "b"));
	drg_buf_done(&first.out);
	drg_buf_done(&other.out);
}

static void test_a_retry_under_way_is_refused_at_once(void **state)
{
	struct fixture *f = *state;
	struct request r[2];
	for (unsigned i = 0; i < 2; i++) {
		make(&r[i], IDS("a"));
		name(&r[i], "r", "body");
	}
	writing_hold(&f->x);
	drg_write_submit(f->x.writer, f->retries, &r[0].w);
	send(&f->x, f->retries, &r[1]);
	assert_int_equal(r[1].w.job.rc, DRG_EEXIST);
	assert_string_equal(r[1].w.job.err.reason, "idempotency_in_flight");
	writing_release(&f->x);
	tally_wait(&r[0].tally, 1);
	send(&f->x, f->retries, &r[1]);
	assert_true(r[1].w.replayed);
	drg_buf_done(&r[0].out);
	drg_buf_done(&r[1].out);
}

static void test_an_answer_that_cannot_be_kept_stores_nothing(void **state)
{
	struct fixture *f = *state;
	struct request r;
	make(&r, IDS("a"));
	name(&r, "r", "body");
	drg_buf_init(&r.out, 2);
	send(&f->x, f->retries, &r);
	assert_int_equal(
	        r.w.job.rc,
	        DRG_EINTERNAL); /* it will not fit the next time either: nobody is told to come again */
	assert_null(drg_writer_failure(f->x.writer));
	assert_false(writing_has(&f->x, "a"));
	drg_buf_done(&r.out);
}

static void test_a_full_queue_ends_a_retry(void **state)
{
	(void)state;
	struct writing x;
	struct drg_retries *retries;
	struct request r[2];
	writing_begin(&x, (struct drg_writer_options){ .max_jobs = 1 }, true);
	MUST(&x, drg_retries_new(&retries, &x.err));
	make(&r[0], IDS("a"));
	make(&r[1], IDS("b"));
	name(&r[1], "r", "body");
	writing_hold(&x);
	drg_write_submit(x.writer, retries, &r[0].w);
	send(&x, retries, &r[1]);
	assert_int_equal(r[1].w.job.rc, DRG_EBUSY);
	writing_release(&x);
	tally_wait(&r[0].tally, 1);
	send(&x, retries, &r[1]);
	assert_int_equal(r[1].w.job.rc, DRG_OK);
	drg_buf_done(&r[1].out);
	writing_end(&x);
	drg_retries_free(retries);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

GROUP(register)
{
	const struct CMUnitTest tests[] = {
		TEST(test_new_elements_become_records),
		TEST(test_those_that_exist_are_told_apart),
		TEST(test_what_its_reader_settled_is_left_alone),
		TEST(test_two_requests_in_one_group_the_first_wins),
		TEST(test_a_retry_gets_the_answer_of_before),
		TEST(test_a_retry_with_another_body_is_refused),
		TEST(test_a_retry_under_way_is_refused_at_once),
		TEST(test_an_answer_that_cannot_be_kept_stores_nothing),
		cmocka_unit_test(test_a_full_queue_ends_a_retry),
	};
	return cmocka_run_group_tests_name("server/register", tests, NULL, NULL);
}
