#include "../arena.h"

#include <stdio.h>

#include "http/params.h"

static int only_even(struct drg_str value, const char *name, struct drg_err *reterr)
{
	if (value.n > 0 && (value.p[value.n - 1] - '0') % 2 == 0)
		return DRG_OK;
	return drg_fail(reterr, DRG_EINVAL, &(const struct drg_reason){ "odd", 0, 0 }, name,
	                "%s must be even", name);
}

static const struct drg_param table[] = {
	{ .name = "lang", .type = DRG_P_LANG },
	{ .name = "demo", .type = DRG_P_FLAG },
	{ .name = "n", .type = DRG_P_INT },
	{ .name = "limit", .type = DRG_P_INT, .min = 1, .max = 500 },
	{ .name = "text", .type = DRG_P_TEXT, .min = 2, .max = 4 },
	{ .name = "even", .type = DRG_P_TEXT, .check = only_even },
	{ .name = "id", .type = DRG_P_TEXT, .repeated = true },
	{ .name = "country", .type = DRG_P_TEXT, .max = 2, .in_path = true },
	{ .name = NULL },
};
static const struct drg_param required[] = {
	{ .name = "n", .type = DRG_P_INT, .required = true },
	{ .name = NULL },
};

static const struct drg_endpoint with_table = { .path = "/list/:country", .params = table };
static const struct drg_endpoint with_required = { .path = "/list", .params = required };
static const struct drg_endpoint with_known = { .path = "/list", .params = required, .only_known = true };
static const struct drg_endpoint with_none = { .path = "/list" };

static struct drg_arena arena;
static char ignored[200];

static void note_ignored(void *ctx, struct drg_str name)
{
	(void)ctx;
	size_t n = strlen(ignored);
	snprintf(ignored + n, sizeof ignored - n, "%.*s ", DRG_STR_ARG(name));
}

static int read_into(const struct drg_endpoint *e, const char *raw, struct drg_params *p, struct drg_err *err)
{
	struct drg_target t;
	ignored[0] = '\0';
	assert_int_equal(drg_target_parse(drg_str_c(raw), &arena, &t, NULL), DRG_OK);
	return drg_params_read(e, &t, &arena, note_ignored, NULL, p, err);
}

static const struct {
	const char *target, *reason, *field;
} refused[] = {
	{ "/list/tr?n=", NULL, NULL },
	{ "/list/tr?n=x", "bad_integer", "n" },
	{ "/list/tr?n=1.0", "bad_integer", "n" },
	{ "/list/tr?n=+1", "bad_integer", "n" }, /* which is a space */
	{ "/list/tr?n=%2B1", "bad_integer", "n" },
	{ "/list/tr?n=9223372036854775807", NULL, NULL },
	{ "/list/tr?n=9223372036854775808", "bad_integer", "n" },
	{ "/list/tr?n=-9223372036854775808", NULL, NULL },
	{ "/list/tr?limit=0", "out_of_range", "limit" },
	{ "/list/tr?limit=1", NULL, NULL },
	{ "/list/tr?limit=500", NULL, NULL },
	{ "/list/tr?limit=501", "out_of_range", "limit" },
	{ "/list/tr?demo=maybe", "bad_flag", "demo" },
	{ "/list/tr?demo=2", "bad_flag", "demo" },
	{ "/list/tr?lang=u_k", NULL, NULL },
	{ "/list/tr?lang=a-abcdefghi", NULL, NULL }, /* ignored */
	{ "/list/tr?text=a", "too_short", "text" },
	{ "/list/tr?text=%D1%88%D1%88%D1%88%D1%88", NULL, NULL }, /* characters, not bytes */
	{ "/list/tr?text=abcde", "too_long", "text" },
	{ "/list/tr?even=3", "odd", "even" },
	{ "/list/tr?even=4", NULL, NULL },
	{ "/list/tur", "too_long", "country" },
	{ "/list/tr?n=1&n=2", "repeated_parameter", "n" },
	{ "/list/tr?n=&n=2", "repeated_parameter", "n" },
	{ "/list/tr?n=1&n=01", "repeated_parameter", "n" },
	{ "/list/tr?n=2&n=2", NULL, NULL },
	{ "/list/tr?demo&demo", NULL, NULL },
	{ "/list/tr?demo&demo=off", "repeated_parameter", "demo" },
	{ "/list/tr?demo=on", NULL, NULL },
	{ "/list/tr?demo=OFF", NULL, NULL },
	{ "/list/tr?id=1&id=2&id[]=3", NULL, NULL },
	{ "/list/tr?text=%", "bad_escape", "" },
	{ "/list/tr?unknown=%", "bad_escape", "" },
};

static void values_are_checked(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		struct drg_params p = { .n_pairs = 99 };
		struct drg_err err = { 0 };
		int rc = read_into(&with_table, refused[i].target, &p, &err);
		if (rc != (refused[i].reason != NULL ? DRG_EINVAL : DRG_OK))
			fail_msg("%s: %d %s", refused[i].target, rc, err.message);
		if (refused[i].reason == NULL)
			continue;
		assert_string_equal(err.reason, refused[i].reason);
		assert_string_equal(err.field, refused[i].field);
		assert_int_equal(p.n_pairs, 99);
	}
}

static void an_unknown_one_is_refused_where_it_would_give_more(void **state)
{
	(void)state;
	struct drg_params p;
	struct drg_err err = { 0 };
	assert_int_equal(read_into(&with_known, "/list?n=1", &p, &err), DRG_OK);
	assert_int_equal(read_into(&with_known, "/list?n=1&%6D=2", &p, &err), DRG_EINVAL);
	assert_string_equal(err.reason, "unknown_parameter");
	assert_string_equal(err.message, "there is no parameter m here");
	assert_string_equal(ignored, "");
}

static void flags_know_their_words(void **state)
{
	(void)state;
	static const struct {
		const char *query;
		int given, on;
	} flags[] = {
		{ "", 0, 0 },       { "demo", 1, 1 },       { "demo=", 1, 1 },
		{ "demo=1", 1, 1 }, { "demo=TRUE", 1, 1 },  { "demo=yes", 1, 1 },
		{ "demo=0", 1, 0 }, { "demo=false", 1, 0 }, { "demo=No", 1, 0 },
	};
	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
		char target[60];
		struct drg_params p;
		snprintf(target, sizeof target, "/list/tr?%s", flags[i].query);
		assert_int_equal(read_into(&with_table, target, &p, NULL), DRG_OK);
		assert_int_equal(drg_params_get(&p, "demo")->given, flags[i].given);
		assert_int_equal(drg_params_get(&p, "demo")->i, flags[i].on);
	}
}

static void defaults_and_values(void **state)
{
	(void)state;
	struct drg_params p;
	assert_int_equal(read_into(&with_table, "/list/tr", &p, NULL), DRG_OK);
	assert_true(drg_str_eq(drg_params_get(&p, "lang")->s, DRG_STR("en")));
	assert_false(drg_params_get(&p, "lang")->given);
	assert_false(drg_params_get(&p, "n")->given);
	assert_true(drg_str_eq(drg_params_get(&p, "country")->s, DRG_STR("tr")));
	assert_int_equal(read_into(&with_table, "/list/U%41?lang=PT-br&n=-7&text=a+b&lang2=x", &p, NULL),
	                 DRG_OK);
	assert_true(drg_str_eq(drg_params_get(&p, "lang")->s, DRG_STR("pt-br")));
	assert_int_equal(drg_params_get(&p, "n")->i, -7);
	assert_true(drg_str_eq(drg_params_get(&p, "text")->s, DRG_STR("a b")));
	assert_true(drg_str_eq(drg_params_get(&p, "country")->s, DRG_STR("UA")));
	assert_string_equal(ignored, "lang2 ");
	assert_int_equal(read_into(&with_table, "/list/tr?lang=", &p, NULL), DRG_OK);
	assert_true(drg_str_eq(drg_params_get(&p, "lang")->s, DRG_STR("en")));
	assert_int_equal(read_into(&with_table, "/list/tr?lang=UK_ua", &p, NULL), DRG_OK);
	assert_true(drg_str_eq(drg_params_get(&p, "lang")->s, DRG_STR("uk-ua")));
	assert_int_equal(read_into(&with_table, "/list/tr?lang=e+n", &p, NULL), DRG_OK);
	assert_true(drg_str_eq(drg_params_get(&p, "lang")->s, DRG_STR("en")));
	assert_false(drg_params_get(&p, "lang")->given);
	assert_string_equal(ignored, "lang ");
}

static void a_path_parameter_is_not_taken_from_the_query(void **state)
{
	(void)state;
	struct drg_params p;
	assert_int_equal(read_into(&with_table, "/list/tr?country=ua", &p, NULL), DRG_OK);
	assert_true(drg_str_eq(drg_params_get(&p, "country")->s, DRG_STR("tr")));
	assert_string_equal(ignored, "country ");
}

static void required_ones_must_have_a_value(void **state)
{
	(void)state;
	static const char *const targets[] = { "/list", "/list?n", "/list?n=", "/list?N=1" };
	for (size_t i = 0; i < 4; i++) {
		struct drg_params p;
		struct drg_err err = { 0 };
		assert_int_equal(read_into(&with_required, targets[i], &p, &err), DRG_EINVAL);
		assert_string_equal(err.reason, "missing_field");
		assert_string_equal(err.field, "n");
	}
}

static void without_a_table_everything_is_ignored(void **state)
{
	(void)state;
	struct drg_params p;
	assert_int_equal(read_into(&with_none, "/list?a=1&b&a=2", &p, NULL), DRG_OK);
	assert_string_equal(ignored, "a b a ");
	assert_int_equal(p.n_pairs, 3);
}

static void repeated_names_have_three_forms(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		bool is;
	} names[] = {
		{ "id", true },   { "id[]", true }, { "id[0]", true }, { "id[12]", true }, { "i", false },
		{ "ids", false }, { "id[", false }, { "id]", false },  { "id[a]", false }, { "id[1", false },
	};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		assert_int_equal(drg_params_is_repeat(drg_str_c(names[i].name), DRG_STR("id")), names[i].is);
}

GROUP(params)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_checked),
		cmocka_unit_test(an_unknown_one_is_refused_where_it_would_give_more),
		cmocka_unit_test(flags_know_their_words),
		cmocka_unit_test(defaults_and_values),
		cmocka_unit_test(a_path_parameter_is_not_taken_from_the_query),
		cmocka_unit_test(required_ones_must_have_a_value),
		cmocka_unit_test(without_a_table_everything_is_ignored),
		cmocka_unit_test(repeated_names_have_three_forms),
	};
	return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
