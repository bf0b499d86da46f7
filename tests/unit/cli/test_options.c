#include "../unit.h"

#include "cli/nearest.h"
#include "cli/options.h"

static const char *const colours[] = { "red", "green", NULL };
static const struct drg_option table[] = {
	{ "flag", DRG_OPT_FLAG, NULL, NULL, 0, 0, NULL, NULL, "" },
	{ "text", DRG_OPT_TEXT, "T", NULL, 0, 0, NULL, "DRG_TEST_TEXT", "" },
	{ "number", DRG_OPT_INT, "N", "5", -1, 10, NULL, NULL, "" },
	{ "colour", DRG_OPT_WORD, "C", NULL, 0, 0, colours, NULL, "" },
	{ "many", DRG_OPT_TEXTS, "T", NULL, 0, 0, NULL, NULL, "" },
	{ .name = NULL },
};

static struct drg_arena arena;
static struct drg_err err;

/* Nothing is written to what main() gets as char *. */
static int parse(const char *const *argv, struct drg_options **ret)
{
	drg_arena_reset(&arena);
	return drg_options_parse(table, (char *const *)argv, &arena, ret, &err);
}

static void nothing_given(void **state)
{
	(void)state;
	struct drg_options *o;
	const char *argv[] = { NULL };
	size_t n;
	assert_int_equal(parse(argv, &o), DRG_OK);
	assert_false(drg_opt_flag(o, "flag"));
	assert_null(drg_opt_text(o, "text"));
	assert_int_equal(drg_opt_int(o, "number"), 5);
	assert_false(drg_opt_given(o, "number"));
	assert_int_equal(drg_opt_word(o, "colour"), -1);
	assert_null(drg_opt_texts(o, "many", NULL)[0]);
	assert_null(drg_opt_args(o, &n)[0]);
	assert_int_equal(n, 0);
}

static void everything_in_any_order(void **state)
{
	(void)state;
	struct drg_options *o;
	const char *argv[] = { "one",      "--flag", "--text", "-", "--number", "-1",     "-", "--many=a=b",
		               "--colour", "green",  "--many", "",  "--",       "--flag", NULL };
	size_t n;
	assert_int_equal(parse(argv, &o), DRG_OK);
	assert_true(drg_opt_flag(o, "flag"));
	assert_string_equal(drg_opt_text(o, "text"), "-");
	assert_int_equal(drg_opt_int(o, "number"), -1);
	assert_true(drg_opt_given(o, "number"));
	assert_int_equal(drg_opt_word(o, "colour"), 1);
	const char *const *many = drg_opt_texts(o, "many", &n);
	assert_int_equal(n, 2);
	assert_string_equal(many[0], "a=b");
	assert_string_equal(many[1], "");
	const char *const *args = drg_opt_args(o, &n);
	assert_int_equal(n, 3);
	assert_string_equal(args[0], "one");
	assert_string_equal(args[1], "-");
	assert_string_equal(args[2], "--flag");
}

static const struct {
	const char *name, *argv[4], *said;
} bad[] = {
	{ "unknown", { "--nothing" }, "unknown option --nothing" },
	{ "nearly known", { "--txet=1" }, "unknown option --txet; did you mean --text?" },
	{ "short", { "-f" }, "unknown option -f" },
	{ "flag with a value", { "--flag=1" }, "--flag takes no value" },
	{ "no value", { "--text" }, "--text needs a value: --text T" },
	{ "an option as value", { "--text", "--flag" }, "--text needs a value" },
	{ "twice", { "--text=a", "--text=b" }, "--text is given twice" },
	{ "flag twice", { "--flag", "--flag" }, "--flag is given twice" },
	{ "under the least",
	  { "--number", "-2" },
	  "--number: expected an integer of -1 to 10, found \"-2\"" },
	{ "over the most", { "--number", "11" }, "--number: expected" },
	{ "no number", { "--number", "1.5" }, "--number: expected" },
	{ "empty number", { "--number=" }, "--number: expected" },
	{ "no such word", { "--colour=blue" }, "--colour: expected one of red, green, found \"blue\"" },
};

static void mistakes_are_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct drg_options *o = NULL;
		int rc = parse(bad[i].argv, &o);
		if (rc != DRG_EUSAGE || strncmp(err.message, bad[i].said, strlen(bad[i].said)) != 0)
			fail_msg("%s: %d %s", bad[i].name, rc, err.message);
		assert_null(o);
	}
}

static void the_environment_stands_in(void **state)
{
	(void)state;
	struct drg_options *o;
	const char *none[] = { NULL }, *given[] = { "--text=here", NULL };
	setenv("DRG_TEST_TEXT", "there", 1);
	assert_int_equal(parse(none, &o), DRG_OK);
	assert_string_equal(drg_opt_text(o, "text"), "there");
	assert_true(drg_opt_given(o, "text"));
	assert_int_equal(parse(given, &o), DRG_OK);
	assert_string_equal(drg_opt_text(o, "text"), "here");
	setenv("DRG_TEST_TEXT", "", 1);
	assert_int_equal(parse(none, &o), DRG_OK);
	assert_null(drg_opt_text(o, "text"));
	unsetenv("DRG_TEST_TEXT");
}

static const struct {
	const char *typed, *near; /* near: NULL: none of the names */
} typings[] = {
	{ "serve", "serve" },
	{ "sevre", "serve" },
	{ "imprt", "import" },
	{ "imp", "import" },
	{ "xport", "export" },
	{ "status2", "status" },
	{ "s", NULL },
	{ "zzz", NULL },
	{ "", NULL },
	{ "ex", "export" },
	{ "a-name-that-is-much-longer-than-any-that-there-is", NULL },
};

static void the_nearest_name(void **state)
{
	(void)state;
	static const char *const names[] = { "serve", "import", "export", "status", "check" };
	for (size_t i = 0; i < sizeof typings / sizeof typings[0]; i++) {
		struct drg_nearest n = { .wanted = typings[i].typed };
		for (size_t k = 0; k < 5; k++)
			drg_nearest_offer(&n, names[k]);
		if (typings[i].near == NULL)
			assert_null(n.best);
		else if (n.best == NULL || strcmp(n.best, typings[i].near) != 0)
			fail_msg("%s: %s", typings[i].typed, n.best);
	}
}

GROUP(options)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_given),      cmocka_unit_test(everything_in_any_order),
		cmocka_unit_test(mistakes_are_named), cmocka_unit_test(the_environment_stands_in),
		cmocka_unit_test(the_nearest_name),
	};
	drg_arena_init(&arena, 1 << 20);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	drg_arena_done(&arena);
	return failed;
}
