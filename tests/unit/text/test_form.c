#include "../arena.h"

#include "base/buf.h"
#include "text/form.h"

static const struct {
	const char *in;
	bool plus;
	const char *out, *reason; /* one of them is NULL */
} texts[] = {
	{ "", false, "", NULL },
	{ "plain", true, "plain", NULL },
	{ "a+b", false, "a+b", NULL },
	{ "a+b", true, "a b", NULL },
	{ "%41%4a%4A%2b", true, "AJJ+", NULL },
	{ "%d0%9c", false, "\xd0\x9c", NULL },
	{ "\xd0\x9c", false, "\xd0\x9c", NULL },
	{ "100%", false, NULL, "bad_escape" },
	{ "%", false, NULL, "bad_escape" },
	{ "%4", false, NULL, "bad_escape" },
	{ "%4g", false, NULL, "bad_escape" },
	{ "%-1", false, NULL, "bad_escape" },
	{ "% 1", false, NULL, "bad_escape" },
	{ "%00", false, NULL, "bad_encoding" },
	{ "%ff", false, NULL, "bad_encoding" },
	{ "%c0%80", false, NULL, "bad_encoding" },
	{ "%ed%a0%80", false, NULL, "bad_encoding" },
	{ "\xff", false, NULL, "bad_encoding" },
};

static void escapes_are_decoded_or_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct drg_str out = DRG_STR("untouched");
		struct drg_err err = { 0 };
		int rc =
		        drg_percent_decode(drg_str_c(texts[i].in), texts[i].plus, "text", &arena, &out, &err);
		if (texts[i].out != NULL) {
			assert_int_equal(rc, DRG_OK);
			assert_true(drg_str_eq(out, drg_str_c(texts[i].out)));
		} else {
			assert_int_equal(rc, DRG_EINVAL);
			assert_string_equal(err.reason, texts[i].reason);
			assert_true(drg_str_eq(out, DRG_STR("untouched")));
		}
	}
}

static int collect(void *ctx, struct drg_str name, struct drg_str value)
{
	drg_buf_printf(ctx, "[%.*s]=[%.*s] ", DRG_STR_ARG(name), DRG_STR_ARG(value));
	return drg_str_eq(name, DRG_STR("stop")) ? DRG_ESTOPPED : DRG_OK;
}

static const struct {
	const char *in;
	int rc;
	const char *pairs;
} forms[] = {
	{ "", DRG_OK, "" },
	{ "a=1&b=2", DRG_OK, "[a]=[1] [b]=[2] " },
	{ "a", DRG_OK, "[a]=[] " },
	{ "a=", DRG_OK, "[a]=[] " },
	{ "=1", DRG_OK, "[]=[1] " },
	{ "&&a=1&", DRG_OK, "[a]=[1] " },
	{ "a=b=c", DRG_OK, "[a]=[b=c] " },
	{ "city%5B%5D=1&city[]=2", DRG_OK, "[city[]]=[1] [city[]]=[2] " },
	{ "q=a+b%26c", DRG_OK, "[q]=[a b&c] " },
	{ "a=1&stop=1&b=2", DRG_ESTOPPED, "[a]=[1] [stop]=[1] " },
	{ "a=1&b=%", DRG_EINVAL, "[a]=[1] " },
	{ "%zz=1", DRG_EINVAL, "" },
};

static void forms_are_cut_into_pairs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		struct drg_buf b;
		drg_buf_init(&b, 1000);
		assert_int_equal(drg_form_each(drg_str_c(forms[i].in), &arena, collect, &b, NULL),
		                 forms[i].rc);
		assert_true(drg_str_eq(drg_buf_view(&b), drg_str_c(forms[i].pairs)));
		drg_buf_done(&b);
	}
}

GROUP(form)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escapes_are_decoded_or_refused),
		cmocka_unit_test(forms_are_cut_into_pairs),
	};
	return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
