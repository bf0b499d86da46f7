#include "../folder.h"

#include "import/window.h"

enum { ROWS = 2000, BLOCK = 50 };

/* Numbers, shuffled so that no order is left. */
static unsigned shuffled(unsigned i)
{
	return (i * 797 + 13) % ROWS;
}

/* Every fifth is of another type, every seventh rejected. Two follow each other with each identity; "line"
 * tells them apart. */
static void add_frame(struct drg_buf *b, unsigned i)
{
	char id[DRG_I64_TEXT];
	unsigned number = shuffled(i) / 2;
	struct drg_record r;
	drg_record_init(&r, &drg_types[number % 5 == 0 ? DRG_TYPE_DIRECTION : DRG_TYPE_SOURCE]);
	drg_record_set_i(&r, DRG_F_ADAPTER_ID, number % 3 == 0 ? 70000 : number % 3);
	if (number % 5 == 0) {
		drg_record_set_i(&r, DRG_F_DEP_CITY_ID, (int64_t)number - ROWS / 4);
		drg_record_set_i(&r, DRG_F_COUNTRY_ID, 1);
	} else {
		drg_record_set_i(&r, DRG_F_KIND, number % 2 == 0 ? DRG_KIND_HOTEL : DRG_KIND_CITY);
		drg_record_set_s(&r, DRG_F_SOURCE_ID, drg_str(id, drg_i64_text(number, id)));
	}
	drg_spool_frame(&(struct drg_spool_origin){ .line = i }, i % 7 == 0 ? NULL : &r, b);
}

static struct drg_spool *filled(const struct folder *f)
{
	struct drg_spool *s;
	struct drg_buf b;
	struct drg_spool_block block;
	drg_spool_block_init(&block);
	drg_buf_init(&b, SIZE_MAX);
	assert_int_equal(drg_spool_open(f->path, &s, NULL), DRG_OK);
	for (unsigned i = 0; i < ROWS; i++) {
		add_frame(&b, i);
		if (i % BLOCK != BLOCK - 1)
			continue;
		assert_int_equal(drg_spool_block_pack(&block, drg_buf_view(&b), BLOCK, false, NULL), DRG_OK);
		assert_int_equal(drg_spool_add(s, &block, NULL), DRG_OK);
		drg_buf_clear(&b);
	}
	drg_buf_done(&b);
	drg_buf_done(&block.bytes);
	return s;
}

/* What the index of the store compares: type, then the identity, field by field. */
static int by_identity(const struct drg_record *a, const struct drg_record *b)
{
	if (a->type != b->type)
		return a->type->id < b->type->id ? -1 : 1;
	for (unsigned i = 0; i < a->type->n_fields && (a->type->fields[i].flags & DRG_FF_ID) != 0; i++) {
		const struct drg_field_def *f = &a->type->fields[i];
		const union drg_value *x = drg_record_value(a, f), *y = drg_record_value(b, f);
		int c = drg_value_is_text(f->vtype) ? drg_str_cmp(x->s, y->s) : (x->i > y->i) - (x->i < y->i);
		if (c != 0)
			return c;
	}
	return 0;
}

struct looking {
	struct drg_record last;
	uint64_t line, lines[ROWS];
	unsigned n, rejected;
};

static int look(void *ctx, const struct drg_spooled *r, struct drg_err *reterr)
{
	(void)reterr;
	struct looking *x = ctx;
	x->lines[r->from.line]++;
	assert_int_equal(r->rejected, !r->readable);
	if (r->rejected) {
		assert_int_equal(x->n, 0); /* before all others ... */
		assert_true(x->rejected++ == 0 || r->from.line > x->line); /* ... as in the file */
	} else if (x->n++ > 0) {
		int c = by_identity(&x->last, &r->record);
		assert_true(c < 0 || (c == 0 && x->line < r->from.line));
	}
	x->line = r->from.line;
	x->last = r->record;
	return DRG_OK;
}

/* In windows of @p bytes each every record comes once, in order. */
static unsigned windows_of(const struct folder *f, size_t bytes)
{
	struct drg_spool *s = filled(f);
	struct drg_window *w;
	static struct looking x;
	size_t block = 0;
	unsigned n = 0;
	memset(x.lines, 0, sizeof x.lines);
	assert_int_equal(drg_window_new(&w, NULL), DRG_OK);
	while (drg_window_fill(w, s, &block, bytes, NULL) == DRG_OK) {
		x.n = x.rejected = 0;
		drg_window_sort(w);
		assert_int_equal(drg_window_each(w, look, &x, NULL), DRG_OK);
		n++;
	}
	for (unsigned i = 0; i < ROWS; i++)
		assert_int_equal(x.lines[i], 1);
	drg_window_free(w);
	drg_spool_close(s);
	return n;
}

static void records_come_in_the_order_of_the_index(void **state)
{
	assert_int_equal(windows_of(*state, DRG_WINDOW_BYTES), 1);
	assert_int_equal(windows_of(*state, 1), ROWS / BLOCK);
	assert_in_range(windows_of(*state, 10000), 2, ROWS / BLOCK - 1);
	drg_window_free(NULL);
}

GROUP(window)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_come_in_the_order_of_the_index),
	};
	return cmocka_run_group_tests(tests, folder_set_up, folder_tear_down);
}
