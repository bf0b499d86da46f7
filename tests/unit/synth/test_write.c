#include "synth/write.h"

#include "../unit.h"

static struct drg_buf written;
static int calls;

static int keep(void *ctx, struct drg_str bytes, struct drg_err *reterr)
{
	(void)ctx, (void)reterr;
	calls++;
	drg_buf_str(&written, bytes);
	return DRG_OK;
}

static int refuse(void *ctx, struct drg_str bytes, struct drg_err *reterr)
{
	(void)ctx, (void)bytes;
	calls++;
	return drg_fail(reterr, DRG_EIO, NULL, NULL, "refused");
}

static const struct drg_synth_sink sink = { .write = keep }, bad_sink = { .write = refuse };

static int set_up(void **state)
{
	(void)state;
	calls = 0;
	drg_buf_init(&written, 1 << 24);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	drg_buf_done(&written);
	return 0;
}

static void test_a_line_with_every_field(void **state)
{
	(void)state;
	struct drg_synth_out o;
	drg_synth_out_init(&o, &sink);
	drg_synth_line(&o, "thing");
	drg_synth_str(&o, "text", DRG_STR("a \"b\""));
	drg_synth_str(&o, "empty", DRG_STR(""));
	drg_synth_int(&o, "int", -5);
	drg_synth_bool(&o, "bool", true);
	drg_synth_in_lang(&o, "name", "en", DRG_STR("N"));
	drg_synth_line_end(&o);
	drg_synth_raw_lines(&o, DRG_STR("{}\n{}\n"), 2);
	assert_int_equal(drg_synth_flush(&o), DRG_OK);
	drg_buf_char(&written, '\0');
	assert_string_equal(written.p,
	                    "{\"type\":\"thing\",\"text\":\"a \\\"b\\\"\",\"int\":-5,\"bool\":true,"
	                    "\"name\":{\"en\":\"N\"}}\n{}\n{}\n");
	assert_int_equal(o.totals.lines, 3);
	assert_int_equal(o.totals.bytes, written.n - 1);
	drg_synth_out_done(&o);
}

static void test_degrees(void **state)
{
	(void)state;
	static const struct {
		int64_t micro;
		const char *text;
	} cases[] = {
		{ 0, "0.000000" },         { 1, "0.000001" },
		{ -1, "-0.000001" },       { 999999, "0.999999" },
		{ 1000000, "1.000000" },   { -36896900, "-36.896900" },
		{ 90000000, "90.000000" }, { -180000000, "-180.000000" },
	};
	struct drg_synth_out o;
	drg_synth_out_init(&o, &sink);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		drg_buf_clear(&o.buf);
		o.jw.comma = false;
		drg_synth_degrees(&o, "d", cases[i].micro);
		assert_memory_equal(o.buf.p, "\"d\":", 4);
		assert_true(drg_str_eq(drg_str(o.buf.p + 4, o.buf.n - 4), drg_str_c(cases[i].text)));
	}
	drg_synth_out_done(&o);
}

static void test_lines_leave_in_large_pieces(void **state)
{
	(void)state;
	struct drg_synth_out o;
	drg_synth_out_init(&o, &sink);
	for (int i = 0; i < 20000; i++) {
		drg_synth_line(&o, "thing");
		drg_synth_line_end(&o);
	}
	assert_int_equal(drg_synth_flush(&o), DRG_OK);
	assert_int_equal(written.n, 20000 * 17);
	assert_in_range(calls, 2, 10);
	drg_synth_out_done(&o);
}

static void test_the_first_error_stays(void **state)
{
	(void)state;
	struct drg_synth_out o;
	drg_synth_out_init(&o, &bad_sink);
	drg_synth_line(&o, "thing");
	drg_synth_line_end(&o);
	assert_int_equal(drg_synth_flush(&o), DRG_EIO);
	assert_string_equal(o.err.message, "refused");
	drg_synth_raw_lines(&o, DRG_STR("{}\n"), 1);
	assert_int_equal(drg_synth_flush(&o), DRG_EIO);
	assert_int_equal(calls, 1);
	drg_synth_out_done(&o);
}

GROUP(write)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_a_line_with_every_field, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_degrees, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_lines_leave_in_large_pieces, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_the_first_error_stays, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
