#include "../unit.h"

#include "console/nearest.h"
#include "console/options.h"

static const char *const colours[] = { "red", "green", NULL };
static const struct drg_option table[] = {
	{ "flag", DRG_OPT_FLAG, NULL, NULL, 0, 0, NULL, false, "" },
	{ "text", DRG_OPT_TEXT, "T", NULL, 0, 0, NULL, false, "" },
	{ "number", DRG_OPT_INT, "N", "5", -1, 10, NULL, false, "" },
	{ "colour", DRG_OPT_WORD, "C", NULL, 0, 0, colours, false, "" },
	{ "many", DRG_OPT_TEXTS, "T", NULL, 0, 0, NULL, true, "" },
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

static int fill(const char *const *argv, const struct drg_settings *settings, struct drg_options **ret)
{
	int rc = parse(argv, ret);
	return rc == DRG_OK ? drg_options_fill(*ret, "serve", settings, &err) : rc;
}

static void nothing_given(void **state)
{
	(void)state;
	struct drg_options *o;
	const char *argv[] = { NULL };
	size_t n;
	assert_int_equal(fill(argv, NULL, &o), DRG_OK);
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

static const struct {
	const char *name, *command, *option;
	bool is;
} names[] = {
	{ "number", "serve", "number", true },
	{ "key-create-number", "key create", "number", true },
	{ "many", "key create", "many", true },
	{ "key-create-many", "key create", "many", false },
	{ "number", "key create", "number", false },
	{ "key-createnumber", "key create", "number", false },
	{ "key-create-", "key create", "number", false },
	{ "key", "key create", "number", false },
};

static void a_setting_has_the_name_of_its_command(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const struct drg_option *row = table;
		while (strcmp(row->name, names[i].option) != 0)
			row++;
		char written[DRG_SETTING_NAME];
		drg_setting_name(names[i].command, row, written);
		if (drg_setting_is(names[i].command, row, names[i].name) != names[i].is ||
		    (strcmp(written, names[i].name) == 0) != names[i].is)
			fail_msg("%s: %s", names[i].name, written);
	}
}

static void settings_stand_in(void **state)
{
	(void)state;
	struct drg_options *o;
	char text[64];
	struct drg_setting all[] = {
		{ "text", "environment", "DRAGOMAN_TEXT", true },
		{ "many", "x, y,,", "DRAGOMAN_MANY", true },
		{ "text", "file", "f:1", false },
		{ "number", "7", "f:2", false },
		{ "many", "z", "f:3", false },
		{ "flag", "yes", "f:4", false },
		{ "serve-text", "of another", "f:5", false },
	};
	struct drg_settings settings = { all, sizeof all / sizeof all[0] };
	const char *none[] = { NULL }, *given[] = { "--text=here", "--number", "1", NULL };
	size_t n;
	assert_int_equal(fill(none, &settings, &o), DRG_OK);
	assert_string_equal(drg_opt_text(o, "text"), "environment");
	assert_string_equal(drg_opt_where(o, "text"), "DRAGOMAN_TEXT");
	assert_int_equal(drg_opt_int(o, "number"), 7);
	assert_true(drg_opt_flag(o, "flag"));
	const char *const *many = drg_opt_texts(o, "many", &n);
	assert_int_equal(n, 2);
	assert_string_equal(many[1], "y");
	drg_opt_print(o, "many", text, sizeof text);
	assert_string_equal(text, "x,y");
	assert_null(drg_opt_where(o, "colour"));

	assert_int_equal(fill(given, &settings, &o), DRG_OK);
	assert_string_equal(drg_opt_text(o, "text"), "here");
	assert_int_equal(drg_opt_int(o, "number"), 1);
	settings.all++; /* without the first */
	settings.n--;
	assert_int_equal(fill(none, &settings, &o), DRG_OK);
	assert_string_equal(drg_opt_where(o, "text"), "f:1");
}

static const struct {
	const char *name, *value, *said;
} bad_settings[] = {
	{ "number", "11", "--number: expected an integer of -1 to 10, found \"11\" (f:1)" },
	{ "colour", "blue", "--colour: expected one of red, green, found \"blue\" (f:1)" },
	{ "flag", "maybe", "--flag: expected yes or no, found \"maybe\" (f:1)" },
	{ "text", "a", "text is set twice (f:1, f:2)" },
};

static void mistakes_in_settings_are_named(void **state)
{
	(void)state;
	const char *none[] = { NULL };
	for (size_t i = 0; i < sizeof bad_settings / sizeof bad_settings[0]; i++) {
		struct drg_options *o;
		struct drg_setting all[] = { { bad_settings[i].name, bad_settings[i].value, "f:1", false },
			                     { "text", "b", "f:2", false } };
		struct drg_settings settings = { all, 2 };
		assert_int_equal(fill(none, &settings, &o), DRG_EUSAGE);
		assert_string_equal(err.message, bad_settings[i].said);
	}
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
	static const char *const known[] = { "serve", "import", "export", "status", "check" };
	for (size_t i = 0; i < sizeof typings / sizeof typings[0]; i++) {
		struct drg_nearest n = { .wanted = typings[i].typed };
		for (size_t k = 0; k < 5; k++)
			drg_nearest_offer(&n, known[k]);
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
		cmocka_unit_test(mistakes_are_named), cmocka_unit_test(a_setting_has_the_name_of_its_command),
		cmocka_unit_test(settings_stand_in),  cmocka_unit_test(mistakes_in_settings_are_named),
		cmocka_unit_test(the_nearest_name),
	};
	drg_arena_init(&arena, 1 << 20);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	drg_arena_done(&arena);
	return failed;
}
