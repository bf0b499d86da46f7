#include "../unit.h"
#include "text/fold.h"

static struct drg_str fold(const char *s, enum drg_fold_way way, struct drg_buf *b)
{
	drg_buf_clear(b);
	drg_fold(drg_str_c(s), way, b);
	assert_int_equal(b->rc, DRG_OK);
	return drg_buf_view(b);
}

static void expect(const char *name, const char *text, enum drg_fold_way way, const char *want)
{
	struct drg_buf b;
	drg_buf_init(&b, 1 << 20);
	struct drg_str got = fold(text, way, &b);
	if (!drg_str_eq(got, drg_str_c(want)))
		fail_msg("%s: \"%s\" folds to \"%.*s\", not \"%s\"", name, text, DRG_STR_ARG(got), want);
	drg_buf_done(&b);
}

static const struct {
	const char *name, *text, *want;
} plain[] = {
	{ "letter case", "PARIS", "paris" },
	{ "diacritics", "Pàris", "paris" },
	{ "a decomposed diacritic", "Pa\xcc\x80ris", "paris" },
	{ "Russian by BGN", "париж", "parizh" },
	{ "a hard sign is dropped", "Парижъ", "parizh" },
	{ "a soft sign is dropped", "Казань", "kazan" },
	{ "katakana", "パリ", "pari" },
	{ "the small tsu is not written", "マドリッド", "madorido" },
	{ "a foreign v is b", "ヴェネツィア", "benetsuia" },
	{ "a foreign v without a vowel", "キエヴ", "kiebu" },
	{ "b as it is", "ベネツィア", "benetsuia" },
	{ "a teh marbuta is a heh", "الدوحة", "aldwhh" },
	{ "p and v are the b and f of most keyboards", "پاريس ڤيينا", "barys fyyna" },
	{ "Urdu", "لکھنؤ", "lkhnw" },
	{ "hiragana", "とうきょう", "toukiyou" },
	{ "Han by pinyin", "巴黎", "bali" },
	{ "Hangul", "서울", "seoul" },
	{ "Greek", "Αθήνα", "athina" },
	{ "Arabic", "باريس", "barys" },
	{ "Georgian", "თბილისი", "tbilisi" },
	{ "Ukrainian letters", "Київ", "kiyiv" },
	{ "y with a breve", "Сайгон", "saygon" },
	{ "y with a breve, decomposed", "Саи\xcc\x86гон", "saygon" },
	{ "vowels as after a consonant", "Екатеринбург", "ekaterinburg" },
	{ "sharp s", "Straße", "strasse" },
	{ "dotless i", "Diyarbakır", "diyarbakir" },
	{ "capital i with a dot", "İzmir", "izmir" },
	{ "o with a stroke", "Tromsø", "tromso" },
	{ "ae", "Ærø", "aero" },
	{ "l with a stroke", "Łódź", "lodz" },
	{ "eth and thorn", "Þórshöfn", "thorshofn" },
	{ "apostrophes are dropped", "N'Djaména O’Hare", "ndjamena ohare" },
	{ "hyphens split words", "Saint-Étienne", "saint etienne" },
	{ "slashes and brackets split words", "Basel/Mulhouse (EAP)", "basel mulhouse eap" },
	{ "many spaces are one", "  New \t\n York  ", "new york" },
	{ "no-break and wide spaces",
	  "New\xc2\xa0York\xe3\x80\x80"
	  "City",
	  "new york city" },
	{ "digits of all scripts", "Zone ٣ 4", "zone 3 4" },
	{ "nothing", "", "" },
	{ "only spaces", "   ", "" },
	{ "only marks", "\xcc\x80\xcc\x81\xcc\x82", "" },
	{ "emoji", "😀✈️", "" },
	{ "control characters split",
	  "a\x01"
	  "b\x7f",
	  "a b" },
	{ "SQL", "'; DROP TABLE--", "drop table" },
	{ "right-to-left marks are dropped", "\xe2\x80\x8fParis\xe2\x80\x8e", "paris" },
	{ "beyond the basic plane a letter stays", "𠀀 a", "𠀀 a" },
};

static void names_are_folded(void **state)
{
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(plain); i++)
		expect(plain[i].name, plain[i].text, DRG_FOLD_PLAIN, plain[i].want);
}

static const struct {
	const char *name, *text;
	enum drg_fold_way way;
	const char *want;
} other[] = {
	{ "Kyiv", "Київ", DRG_FOLD_UKRAINIAN, "kyiv" },
	{ "the beginning of a word", "Їжак Юля", DRG_FOLD_UKRAINIAN, "yizhak yulia" },
	{ "h", "Луганськ", DRG_FOLD_UKRAINIAN, "luhansk" },
	{ "capitals", "КИЇВ", DRG_FOLD_UKRAINIAN, "kyiv" },
	{ "Latin letters are as they are", "Paris", DRG_FOLD_UKRAINIAN, "paris" },
	{ "umlauts", "München Köln Ähtäri", DRG_FOLD_DIGRAPHS, "muenchen koeln aehtaeri" },
	{ "Nordic letters", "Tromsø Ålesund", DRG_FOLD_DIGRAPHS, "tromsoe aalesund" },
	{ "a decomposed umlaut", "Mu\xcc\x88nchen", DRG_FOLD_DIGRAPHS, "muenchen" },
};

static void other_ways_have_their_own_letters(void **state)
{
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(other); i++)
		expect(other[i].name, other[i].text, other[i].way, other[i].want);
}

/* What every user of folding relies on, for each letter of the basic plane. */
static void every_letter_folds_to_little_and_folds_no_further(void **state)
{
	(void)state;
	struct drg_buf once, twice;
	drg_buf_init(&once, 1 << 20);
	drg_buf_init(&twice, 1 << 20);
	for (unsigned c = 1; c < 0x10000; c++) {
		if (c >= 0xd800 && c < 0xe000)
			continue;
		char text[4] = { 0 };
		size_t n = 0;
		if (c < 0x80) {
			text[n++] = (char)c;
		} else if (c < 0x800) {
			text[n++] = (char)(0xc0 | c >> 6);
			text[n++] = (char)(0x80 | (c & 63));
		} else {
			text[n++] = (char)(0xe0 | c >> 12);
			text[n++] = (char)(0x80 | (c >> 6 & 63));
			text[n++] = (char)(0x80 | (c & 63));
		}
		struct drg_str f = fold(text, DRG_FOLD_PLAIN, &once);
		if (f.n > 7)
			fail_msg("U+%04X folds to %zu bytes", c, f.n);
		drg_buf_clear(&twice);
		drg_fold(f, DRG_FOLD_PLAIN, &twice);
		if (!drg_str_eq(f, drg_buf_view(&twice)))
			fail_msg("U+%04X folds on: \"%.*s\"", c, DRG_STR_ARG(f));
	}
	drg_buf_done(&twice);
	drg_buf_done(&once);
}

static void broken_utf8_does_no_harm(void **state)
{
	(void)state;
	expect("a lone byte", "par\xffis", DRG_FOLD_PLAIN, "par is");
	expect("a cut letter", "paris\xd0", DRG_FOLD_PLAIN, "paris");
}

GROUP(fold)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_folded),
		cmocka_unit_test(other_ways_have_their_own_letters),
		cmocka_unit_test(every_letter_folds_to_little_and_folds_no_further),
		cmocka_unit_test(broken_utf8_does_no_harm),
	};
	return cmocka_run_group_tests_name("fold", tests, NULL, NULL);
}
