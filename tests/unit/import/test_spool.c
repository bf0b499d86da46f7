#include "../folder.h"

#include "import/spool.h"

enum { RECORDS = 3000 };

static struct drg_record adapter(int64_t id, struct drg_str name)
{
	struct drg_record r;
	drg_record_init(&r, &drg_types[DRG_TYPE_ADAPTER]);
	drg_record_set_i(&r, DRG_F_ID, id);
	drg_record_set_s(&r, DRG_F_NAME, name);
	return r;
}

struct reading {
	struct drg_spool *spool;
	uint64_t at[RECORDS];
	unsigned n, rejected;
	bool reject_odd;
};

/* Add what @p b has as a block of its own, compressed by turns, and empty it. */
static void add_block(struct drg_spool *s, struct drg_buf *b, unsigned n)
{
	static unsigned added;
	struct drg_spool_block block;
	drg_spool_block_init(&block);
	assert_int_equal(drg_spool_block_pack(&block, drg_buf_view(b), n, added++ % 2 == 0, NULL), DRG_OK);
	assert_int_equal(drg_spool_add(s, &block, NULL), DRG_OK);
	drg_buf_done(&block.bytes);
	drg_buf_clear(b);
}

/* Record number n has the id n, a name of n letters, the line 2n and, every tenth, its row; every hundredth
 * is bad. Seven make a block; the last one has fewer. */
static struct drg_spool *filled(const struct folder *f)
{
	static char name[RECORDS];
	struct drg_spool *s;
	struct drg_buf b;
	memset(name, 'n', sizeof name);
	assert_int_equal(drg_spool_open(f->path, &s, NULL), DRG_OK);
	drg_buf_init(&b, SIZE_MAX);
	for (unsigned i = 0; i < RECORDS; i++) {
		struct drg_record r = adapter(i, drg_str(name, i));
		const struct drg_spool_origin from = { i % 3, UINT64_C(2) * i,
			                               i % 10 == 0 ? DRG_STR("row") : drg_str(NULL, 0),
			                               i % 4 == 0 };
		drg_spool_frame(&from, i % 100 == 0 ? NULL : &r, &b);
		if (i % 7 == 6)
			add_block(s, &b, 7);
	}
	add_block(s, &b, RECORDS % 7);
	add_block(s, &b, 0);
	drg_buf_done(&b);
	return s;
}

static int check(void *ctx, const struct drg_spooled *r, struct drg_err *reterr)
{
	struct reading *x = ctx;
	unsigned i = x->n++;
	x->at[i] = r->at;
	assert_int_equal(r->from.file, i % 3);
	assert_int_equal(r->from.line, 2 * i);
	assert_int_equal(r->from.row.n, i % 10 == 0 ? 3 : 0);
	assert_int_equal(r->from.asks, i % 4 == 0);
	assert_int_equal(r->readable, i % 100 != 0);
	if (r->readable) {
		assert_int_equal(r->record.v[DRG_F_ID].i, i);
		assert_int_equal(r->record.v[DRG_F_NAME].s.n, i);
	}
	x->rejected += r->rejected;
	return x->reject_odd && i % 2 == 1 ? drg_spool_reject(x->spool, reterr) : DRG_OK;
}

static int check_one(void *ctx, const struct drg_spooled *r, struct drg_err *reterr)
{
	(void)reterr;
	assert_int_equal(r->record.v[DRG_F_ID].i, *(unsigned *)ctx);
	return DRG_EEXIST;
}

static void records_come_back_in_order_and_one_by_one(void **state)
{
	struct folder *f = *state;
	struct drg_spool *s = filled(f);
	static struct reading x;
	x = (struct reading){ .spool = s };
	assert_int_equal(drg_spool_each(s, check, &x, NULL), DRG_OK);
	assert_int_equal(x.n, RECORDS);
	assert_int_equal(x.rejected, RECORDS / 100);
	assert_int_equal(x.at[0], 0);
	assert_int_equal(drg_spool_blocks(s), RECORDS / 7 + 1);
	for (unsigned i = 1; i < RECORDS; i += 101)
		assert_int_equal(drg_spool_get(s, x.at[i], check_one, &i, NULL), DRG_EEXIST);
	drg_spool_close(s);
}

static void rejected_records_stay_rejected(void **state)
{
	struct folder *f = *state;
	struct drg_spool *s = filled(f);
	static struct reading x, y;
	x = (struct reading){ .spool = s, .reject_odd = true };
	y = (struct reading){ .spool = s };
	assert_int_equal(drg_spool_each(s, check, &x, NULL), DRG_OK);
	assert_int_equal(drg_spool_each(s, check, &y, NULL), DRG_OK);
	assert_int_equal(y.rejected, RECORDS / 2 + RECORDS / 100);
	drg_spool_close(s);
	drg_spool_close(NULL);
}

static void an_empty_spool_has_no_records(void **state)
{
	struct folder *f = *state;
	struct drg_spool *s;
	static struct reading x;
	x = (struct reading){ .n = 0 };
	assert_int_equal(drg_spool_open(f->path, &s, NULL), DRG_OK);
	assert_int_equal(drg_spool_size(s), 0);
	assert_int_equal(drg_spool_each(s, check, &x, NULL), DRG_OK);
	assert_int_equal(x.n, 0);
	drg_spool_close(s);
}

GROUP(spool)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_come_back_in_order_and_one_by_one),
		cmocka_unit_test(rejected_records_stay_rejected),
		cmocka_unit_test(an_empty_spool_has_no_records),
	};
	return cmocka_run_group_tests(tests, folder_set_up, folder_tear_down);
}
