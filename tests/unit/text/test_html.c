#include "../unit.h"

#include "base/err.h"
#include "text/html.h"

static const struct {
	const char *name, *text, *want; /* want NULL: as it is */
} texts[] = {
	{ "plain", "Hotel", NULL },
	{ "ampersand", "Rixos &amp; Spa", "Rixos & Spa" },
	{ "an ampersand of its own", "Rixos & Spa; Belek", NULL },
	{ "no end", "Rixos &amp Spa", NULL },
	{ "Latin", "Caf&eacute; M&uuml;ller &szlig;", "Caf\u00e9 M\u00fcller \u00df" },
	{ "first and last of Latin", "a&iexcl;&yuml;", "a\u00a1\u00ff" },
	{ "case counts", "&Eacute;&eacute;&EACUTE;", "\u00c9\u00e9&EACUTE;" },
	{ "quotes", "&quot;A&apos;&#39;&rsquo;", "\"A''\u2019" },
	{ "no semicolon", "L&#39Enclume &#039s &#7", "L'Enclume 's &#7" },
	{ "numbers", "&#8211;&#x2013;&#X42;&#1050;", "\u2013\u2013B\u041a" },
	{ "no space that does not break", "A&nbsp;B&#160;C", "A B C" },
	{ "no break that does not show", "Kem&shy;er", "Kemer" },
	{ "escaped twice", "Caf&amp;eacute; &amp;amp; Bar", "Caf\u00e9 & Bar" },
	{ "three times", "&amp;amp;amp;", "&amp;" },
	{ "control characters", "&#7;&#x81;&#0;", NULL },
	{ "breaks", "Sea&#13;&#10;View", "Sea  View" },
	{ "Windows-1252", "L&#146;Ermitage &#150; &#159;", "L\u2019Ermitage \u2013 \u0178" },
	{ "no characters", "&#xd800;&#x110000;&#99999999;&#;&#x;&#1a;", NULL },
	{ "bold", "<b>Bold</b> <STRONG class=\"x\">Hotel</STRONG>", "Bold Hotel" },
	{ "a new line", "Sea<br/>View<br >Two", "Sea View Two" },
	{ "tags escaped", "&lt;b&gt;Bold&lt;/b&gt;", "Bold" },
	{ "no tag", "Nova <ex. Magic> 5 < 6 <>", NULL },
	{ "words", "<Small Double> <B & Spa> <P 12> <I/O> <u2>", NULL },
	{ "attributes", "<span\nclass='x'>Sea</span ><font color=red size=2>View</font>", "SeaView" },
	{ "a tag without an end", "Nova <b", NULL },
	{ "signs at the end", "a&", NULL },
};

static void references_and_tags_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct drg_buf out;
		const char *want = texts[i].want != NULL ? texts[i].want : texts[i].text;
		drg_buf_init(&out, SIZE_MAX);
		drg_html_text(drg_str_c(texts[i].text), &out);
		assert_int_equal(out.rc, DRG_OK);
		if (!drg_str_eq(drg_buf_view(&out), drg_str_c(want)))
			fail_msg("%s: %.*s", texts[i].name, (int)out.n, out.p);
		if (texts[i].want != NULL)
			assert_true(drg_html_may_be(drg_str_c(texts[i].text)));
		drg_buf_done(&out);
	}
	assert_false(drg_html_may_be(DRG_STR("Hotel")));
}

/* Each byte is looked at a few times, whatever stands behind it. */
static void long_texts_take_no_longer(void **state)
{
	(void)state;
	enum { N = 1 << 20 };
	static const char *const ones[] = { "<", "&", "<b", "&#", "<b =" };
	char *text = malloc(N);
	for (size_t i = 0; i < sizeof ones / sizeof ones[0]; i++) {
		struct drg_buf out;
		for (size_t k = 0; k < N - 1; k++)
			text[k] = ones[i][k % strlen(ones[i])];
		text[N - 1] = i % 2 == 0 ? '>' : ';';
		drg_buf_init(&out, SIZE_MAX);
		drg_html_text(drg_str(text, N), &out);
		assert_true(out.n <= N && out.n >= N - 256);
		drg_buf_done(&out);
	}
	free(text);
}

GROUP(html)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(references_and_tags_are_read),
		cmocka_unit_test(long_texts_take_no_longer),
	};
	return cmocka_run_group_tests_name("text/html", tests, NULL, NULL);
}
