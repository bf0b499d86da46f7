/* Numbers as Excel shows them, and codes that nobody may guess at. */
#include "../unit.h"

#include <math.h>

#include "sheet/number_format.h"

/* What is shown; "=": the number itself, "D", "T", "E": a date, a time, hours; "?": not understood. */
static const struct {
	const char *code;
	double number;
	const char *shown;
} numbers[] = {
	{ "", 17, "=" },
	{ "General", 17, "=" },
	{ "GENERAL", 17, "=" },
	{ "@", 17, "=" },
	{ "0", 17, "=" },
	{ "#", 17, "=" },
	{ "0.00", 17, "=" },
	{ "#,##0", 6553, "=" },
	{ "#,##0.00_);(#,##0.00)", 6553, "=" },
	{ "#,##0_);(#,##0)", -6553, "(6,553)" },
	{ "0_ ", 17, "=" },
	{ "[Red]0", 17, "=" },
	{ "[$-409]0", 17, "=" },
	{ "00000", 17, "00017" },
	{ "00000", 1234567, "1234567" },
	{ "00000", -17, "-00017" },
	{ "[Red]00000", 17, "00017" },
	{ "[Color 12]00000", 17, "00017" },
	{ "[$-409]00000", 17, "00017" },
	{ "00000;00000", -17, "00017" },
	{ "00000;-00000;\"none\"", 0, "none" },
	{ "00000;;", 0, "" },
	{ "\"TR-\"0000", 17, "TR-0017" },
	{ "\"TR-\"0000", -17, "-TR-0017" },
	{ "\"TR-\"General", 17, "TR-17" },
	{ "General\" pcs\"", 17.5, "17.5 pcs" },
	{ "\"a;b\"0", 5, "a;b5" },
	{ "\\T\\R0000", 17, "TR0017" },
	{ "\\;0", 5, ";5" },
	{ "00-00", 1234, "12-34" },
	{ "00-00", 17, "00-17" },
	{ "00-00", 123456, "1234-56" },
	{ "0000\\-0000", 12345678, "1234-5678" },
	{ "000\\-00\\-0000", 123456789, "123-45-6789" },
	{ "###-####", 12, "-12" },
	{ "(000) 000-0000", 5551234567, "(555) 123-4567" },
	{ "000 000", 12345, "012 345" },
	{ "# ##", 1234, "12 34" },
	{ "00\\/00", 1234, "12/34" },
	{ "0\"\xd1\x88\xd1\x82\"", 5, "5\xd1\x88\xd1\x82" },
	{ "0\xe2\x82\xac", 5, "5\xe2\x82\xac" },
	{ "[$\xe2\x82\xac-407]0", 5,
	  "\xe2\x82\xac"
	  "5" },
	{ "[$TR-]0000", 17, "TR0017" },
	{ "[$TR-409]0000", 17, "TR0017" },
	{ "\"\"0", 5, "=" },
	{ "0,000", 17, "0,017" },
	{ "00,000.0", 1234.56, "01,234.6" },
	{ "0,", 17000, "17" },
	{ "#,##0,", 1234567, "1,235" },
	{ "0.0,,\"M\"", 1250000, "1.3M" },
	{ "0%", 0.17, "17%" },
	{ "0.0%", 0.1234, "12.3%" },
	{ "$0.00", 1.005, "$1.01" },
	{ "$#,##0.00", 1234.5, "$1,234.50" },
	{ "$#,##0.##", 1234.5, "$1,234.5" },
	{ "$.00", 12.5, "$12.50" },
	{ "$0.0?", 1.5, "$1.5 " },
	{ "0.00E+00", 123456789012, "1.23E+11" },
	{ "0.00E+00", 0.00123, "1.23E-03" },
	{ "0.00E-00", 123, "1.23E02" },
	{ "0.0E+0", 9.99, "1.0E+1" },
	{ "0E+0", 0, "0E+0" },
	{ "##0.0E+0", 123456, "123.5E+3" },
	{ "##0.0E+0", 999999, "1.0E+6" },
	{ "[<=9999999]###-####;(###) ###-####", 5551234, "555-1234" },
	{ "[<=9999999]###-####;(###) ###-####", 5551234567, "(555) 123-4567" },
	{ "[<10]\"A\"0;[<100]\"B\"0;\"C\"0", 5, "A5" },
	{ "[<10]\"A\"0;[<100]\"B\"0;\"C\"0", 50, "B50" },
	{ "[<10]\"A\"0;[<100]\"B\"0;\"C\"0", 500, "C500" },
	{ "[<0]\"m\"0;0", -5, "m5" },
	{ "[=1]\"one\";[=2]\"two\";0", 2, "two" },
	{ "[<>1]\"x\"0;0", 2, "x2" },
	{ "_(* #,##0_);_(* (#,##0);_(* \"-\"?"
	  "?_);_(@_)",
	  1234, "=" },
	{ "_(* #,##0_);_(* (#,##0);_(* \"-\"?"
	  "?_);_(@_)",
	  0, " -   " },
	{ "\"yes\"", 1, "yes" },
	{ ";;;", 1, "" },
	{ "yyyy-mm-dd", 1, "D" },
	{ "[$-419]d mmmm yyyy", 1, "D" },
	{ "mmm", 1, "D" },
	{ "dd\\.mm\\.yyyy\\ h:mm", 1, "D" },
	{ "[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy", 1, "D" },
	{ "[DBNum1]yyyy\"\xe5\xb9\xb4\"", 1, "D" },
	{ "h:mm AM/PM", 1, "T" },
	{ "mm:ss.0", 1, "T" },
	{ "[h]:mm", 1, "E" },
	{ "[mm]", 1, "E" },
	{ "# ?/?", 17, "?" },
	{ "#/16", 17, "?" },
	{ "[DBNum1]0", 17, "?" },
	{ "[$-2000401]0", 17, "?" },
	{ "0x00", 17, "?" },
	{ "0;0;0;0;0", 17, "?" },
	{ "0[", 17, "?" },
	{ "General0", 17, "?" },
	{ "0E+", 17, "?" },
};

static const struct {
	const char *code, *text, *shown;
} texts[] = {
	{ "General", "17", "=" },
	{ "@", "17", "=" },
	{ "0000", "17", "=" },
	{ "0;0;0;_(@_)", "17", "=" },
	{ "\"TR-\"@", "17", "TR-17" },
	{ "0;0;0;\"TR-\"@", "17", "TR-17" },
	{ "@\\-@", "17", "17-17" },
	{ ";;;", "17", "" },
	{ "0;0;0;\"none\"", "17", "none" },
	{ "[DBNum1]@", "17", "?" },
};

static void check(const char *code, const char *shown, enum format_shows got, const struct drg_buf *out)
{
	static const struct {
		const char *word;
		enum format_shows shows;
	} words[] = { { "=", FORMAT_PLAIN },
		      { "D", FORMAT_DATE },
		      { "T", FORMAT_TIME },
		      { "E", FORMAT_ELAPSED },
		      { "?", FORMAT_UNKNOWN } };
	enum format_shows expected = FORMAT_SHOWN;
	for (size_t i = 0; i < DRG_ARRAY_LEN(words); i++)
		if (strcmp(shown, words[i].word) == 0)
			expected = words[i].shows;
	if (got != expected ||
	    !drg_str_eq(drg_buf_view(out), drg_str_c(expected == FORMAT_SHOWN ? shown : "")))
		fail_msg("%s: expected %s, got %d \"%.*s\"", code, shown, (int)got, DRG_STR_ARG(*out));
}

static void numbers_are_shown_as_in_excel(void **state)
{
	struct drg_buf out;
	(void)state;
	drg_buf_init(&out, SIZE_MAX);
	for (size_t i = 0; i < DRG_ARRAY_LEN(numbers); i++) {
		drg_buf_clear(&out);
		check(numbers[i].code, numbers[i].shown,
		      drg_format_number(drg_str_c(numbers[i].code), numbers[i].number, &out), &out);
	}
	for (size_t i = 0; i < DRG_ARRAY_LEN(texts); i++) {
		drg_buf_clear(&out);
		check(texts[i].code, texts[i].shown,
		      drg_format_text(drg_str_c(texts[i].code), drg_str_c(texts[i].text), &out), &out);
	}
	drg_buf_done(&out);
}

/* Codes put together at random end in one of the answers, show the same twice, and what pads with zeros is the
 * number again once everything but its digits is taken away. */
static void no_code_is_too_odd(void **state)
{
	static const char *const pieces[] = { "0",   "0",     "0",        "#",        "?",
		                              ".",   ",",     "%",        "E+",       "E-",
		                              "@",   ";",     "/",        "\"a b\"",  "\"",
		                              "\\-", "\\",    "_)",       "_",        "* ",
		                              "*",   "[Red]", "[<5]",     "[>=-1.5]", "[$\xe2\x82\xac-407]",
		                              "[",   "]",     "General",  "yyyy",     "m",
		                              "h",   "[h]",   "AM/PM",    "-",        "(",
		                              ")",   " ",     "\xd0\x96", "\xff",     "x" };
	static const double values[] = {
		0, 1, -1, 17, -0.5, 0.999999, 123456789012345.0, 1e-300, -1e300, 1e15
	};
	uint64_t random = 1;
	struct drg_buf code, out, again;
	(void)state;
	drg_buf_init(&code, SIZE_MAX);
	drg_buf_init(&out, SIZE_MAX);
	drg_buf_init(&again, SIZE_MAX);
	for (unsigned i = 0; i < 20000; i++) {
		drg_buf_clear(&code);
		drg_buf_clear(&out);
		drg_buf_clear(&again);
		unsigned n = 0;
		do {
			random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			drg_buf_str(&code, drg_str_c(pieces[(random >> 33) % DRG_ARRAY_LEN(pieces)]));
		} while (++n < 12 && (random >> 60) != 0);
		const double d = values[(random >> 40) % DRG_ARRAY_LEN(values)];
		enum format_shows shows = drg_format_number(drg_buf_view(&code), d, &out);
		assert_int_equal(drg_format_number(drg_buf_view(&code), d, &again), shows);
		assert_true(drg_str_eq(drg_buf_view(&out), drg_buf_view(&again)));
		assert_true(shows == FORMAT_SHOWN || out.n == 0);
		drg_buf_clear(&out);
		shows = drg_format_text(drg_buf_view(&code), DRG_STR("a"), &out);
		assert_true(shows == FORMAT_SHOWN || out.n == 0);
	}
	drg_buf_done(&code);
	drg_buf_done(&out);
	drg_buf_done(&again);
}

static void zeros_and_literals_keep_the_digits(void **state)
{
	static const char *const between[] = { "", "-", "\" \"", "\\.", "\"TR\"", " ", "[Red]", "_)" };
	uint64_t random = 7;
	struct drg_buf code, out;
	(void)state;
	drg_buf_init(&code, SIZE_MAX);
	drg_buf_init(&out, SIZE_MAX);
	for (unsigned i = 0; i < 20000; i++) {
		char digits[64];
		size_t n = 0;
		unsigned zeros = 0;
		drg_buf_clear(&code);
		drg_buf_clear(&out);
		do {
			random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			drg_buf_char(&code, '0');
			zeros++;
			drg_buf_str(&code, drg_str_c(between[(random >> 33) % DRG_ARRAY_LEN(between)]));
		} while (zeros < 15 && (random >> 61) != 0);
		const uint64_t number = (random >> 17) % UINT64_C(999999999999);
		enum format_shows shows = drg_format_number(drg_buf_view(&code), (double)number, &out);
		if (shows == FORMAT_PLAIN) {
			assert_int_equal(zeros, 1);
			continue;
		}
		assert_int_equal(shows, FORMAT_SHOWN);
		for (size_t k = 0; k < out.n && n < sizeof digits - 1; k++)
			if (out.p[k] >= '0' && out.p[k] <= '9')
				digits[n++] = out.p[k];
		digits[n] = '\0';
		char expected[64];
		snprintf(expected, sizeof expected, "%0*llu", (int)zeros, (unsigned long long)number);
		if (strcmp(digits, expected) != 0)
			fail_msg("%.*s of %s: %.*s", DRG_STR_ARG(code), expected, DRG_STR_ARG(out));
	}
	drg_buf_done(&code);
	drg_buf_done(&out);
}

GROUP(number_format)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_shown_as_in_excel),
		cmocka_unit_test(no_code_is_too_odd),
		cmocka_unit_test(zeros_and_literals_keep_the_digits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
