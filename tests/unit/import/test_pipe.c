#include "../unit.h"

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "import/pipe.h"

enum { PLACES = 8 };

struct numbers {
	long place[PLACES];
	void *batches[PLACES];
	long next, end; /* what fill gives */
	long expected; /* what drain wants to see */
	atomic_long worked;
	long fail_fill, fail_work, fail_drain; /* at this number; -1: never */
};

static int fill(void *ctx, void *batch, struct drg_err *reterr)
{
	struct numbers *x = ctx;
	if (x->next == x->end)
		return DRG_ENOENT;
	if (x->next == x->fail_fill)
		return drg_fail(reterr, DRG_EIO, NULL, NULL, "fill");
	*(long *)batch = x->next++;
	return DRG_OK;
}

static int work(void *ctx, unsigned worker, void *batch, struct drg_err *reterr)
{
	struct numbers *x = ctx;
	long *n = batch;
	assert_true(worker < 3);
	if (*n == x->fail_work)
		return drg_fail(reterr, DRG_EFULL, NULL, NULL, "work");
	/* Some take longer, so that batches overtake each other. */
	if (*n % 7 == 0)
		a_moment();
	*n *= 2;
	atomic_fetch_add(&x->worked, 1);
	return DRG_OK;
}

static int drain(void *ctx, void *batch, struct drg_err *reterr)
{
	struct numbers *x = ctx;
	if (x->expected == x->fail_drain)
		return drg_fail(reterr, DRG_ESTOPPED, NULL, NULL, "drain");
	assert_int_equal(*(long *)batch, x->expected * 2);
	x->expected++;
	return DRG_OK;
}

static int run(struct numbers *x, unsigned n_batches, unsigned n_workers, struct drg_err *reterr)
{
	for (unsigned i = 0; i < PLACES; i++)
		x->batches[i] = &x->place[i];
	const struct drg_pipe p = { fill, work, drain, x, x->batches, n_batches, n_workers };
	return drg_pipe_run(&p, reterr);
}

static void batches_come_out_in_order(void **state)
{
	(void)state;
	static const struct {
		long end;
		unsigned batches, workers;
	} cases[] = { { 0, 1, 1 }, { 1, 1, 1 }, { 100, 1, 1 }, { 300, 2, 3 }, { 1000, 8, 3 }, { 5, 8, 3 } };
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct numbers x = {
			.end = cases[i].end, .fail_fill = -1, .fail_work = -1, .fail_drain = -1
		};
		assert_int_equal(run(&x, cases[i].batches, cases[i].workers, NULL), DRG_OK);
		assert_int_equal(x.expected, cases[i].end);
		assert_int_equal(atomic_load(&x.worked), cases[i].end);
	}
}

static void a_failing_step_ends_the_run(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		long fill, work, drain;
		int rc;
	} cases[] = {
		{ "fill", 50, -1, -1, DRG_EIO },
		{ "work", -1, 50, -1, DRG_EFULL },
		{ "drain", -1, -1, 50, DRG_ESTOPPED },
		{ "fill", 0, -1, -1, DRG_EIO },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct drg_err e;
		struct numbers x = { .end = 100000,
			             .fail_fill = cases[i].fill,
			             .fail_work = cases[i].work,
			             .fail_drain = cases[i].drain };
		assert_int_equal(run(&x, 6, 3, &e), cases[i].rc);
		assert_string_equal(e.message, cases[i].name);
		assert_true(x.expected <= 50);
	}
}

GROUP(pipe)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(batches_come_out_in_order),
		cmocka_unit_test(a_failing_step_ends_the_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
