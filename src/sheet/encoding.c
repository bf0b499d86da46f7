#include "sheet/encoding.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "sheet/readings.h"
#include "text/icu.h"
#include "text/utf8.h"

/* ---- turning into UTF-8 -------------------------------------------------------------------------------- */

struct drg_decoder {
	UConverter *from, *to;
	UChar pivot[4096];
	UChar *source, *target; /* in pivot */
	bool begun;
};

/* Names that other programs use have "mac_greek" for "x-mac-greek", "win1251" or "1251" for "windows-1251". */
static UConverter *decoder_find(const char *name)
{
	static const char *const before[] = { "", "x-", "windows-", "ibm-" };
	const char *digits = name + strcspn(name, "0123456789");
	UConverter *found = NULL;
	for (size_t i = 0; i < DRG_ARRAY_LEN(before) && found == NULL; i++) {
		UErrorCode status = U_ZERO_ERROR;
		char text[DRG_SHEET_ENCODING + 16];
		snprintf(text, sizeof text, "%s%s", before[i], i < 2 ? name : digits);
		if (i < 2 || (digits[0] != '\0' && digits[strspn(digits, "0123456789")] == '\0'))
			found = ucnv_open(text, &status);
	}
	return found;
}

int drg_decoder_open(const char *name, struct drg_decoder **ret, struct drg_err *reterr)
{
	UErrorCode status = U_ZERO_ERROR;
	int rc = drg_library_load(DRG_LIBRARY_ICU, reterr);
	struct drg_decoder *d = rc == DRG_OK ? calloc(1, sizeof *d) : NULL;
	if (d == NULL)
		return rc != DRG_OK ? rc : drg_fail_memory(reterr);
	d->from = name[0] != '\0' ? decoder_find(name) : NULL;
	if (d->from != NULL)
		ucnv_setToUCallBack(d->from, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &status);
	d->to = ucnv_open("UTF-8", &status);
	if (d->from == NULL || U_FAILURE(status)) {
		drg_decoder_close(d);
		return drg_fail(reterr, DRG_EINVAL, NULL, "encoding",
		                "expected an encoding that ICU knows, such as utf-8, windows-1251, cp1254, "
		                "macintosh, shift_jis or koi8-u, found %s",
		                name);
	}
	d->source = d->target = d->pivot;
	*ret = d;
	return DRG_OK;
}

void drg_decoder_close(struct drg_decoder *d)
{
	if (d == NULL)
		return;
	if (d->from != NULL)
		ucnv_close(d->from);
	if (d->to != NULL)
		ucnv_close(d->to);
	free(d);
}

int drg_decoder_add(struct drg_decoder *d, struct drg_str in, bool last, struct drg_buf *out)
{
	const char *p = in.p, *end = in.p + in.n;
	UErrorCode status;
	do {
		if (!drg_buf_reserve(out, 8192))
			return DRG_ENOMEM;
		char *to = out->p + out->n, *limit = out->p + out->cap;
		status = U_ZERO_ERROR;
		ucnv_convertEx(d->to, d->from, &to, limit, &p, end, d->pivot, &d->source, &d->target,
		               d->pivot + DRG_ARRAY_LEN(d->pivot), !d->begun, last, &status);
		d->begun = true;
		out->n = (size_t)(to - out->p);
	} while (status == U_BUFFER_OVERFLOW_ERROR);
	return U_SUCCESS(status) ? DRG_OK : DRG_EINVAL;
}

/* ---- UTF-8 encoded twice ------------------------------------------------------------------------------- */

static const char *const taken_for[] = { "windows-1252", "windows-1251", "windows-1250", "windows-1254",
	                                 "windows-1253", "windows-1257", "macintosh",    "ibm437",
	                                 "ibm850",       "ibm866",       "koi8-u" };

/* The characters of the bytes from 0x80 on in each of these. */
static struct {
	UChar32 chars[DRG_ARRAY_LEN(taken_for)][128];
	pthread_once_t once;
} twice = { .once = PTHREAD_ONCE_INIT };

static void twice_open(void)
{
	for (size_t k = 0; k < DRG_ARRAY_LEN(taken_for); k++)
		for (unsigned i = 0; i < 128; i++) {
			const char byte = (char)(0x80 + i);
			struct drg_decoder *d = NULL;
			struct drg_buf out;
			size_t at = 0;
			UChar32 c = 0;
			drg_buf_init(&out, 1 << 14);
			if (drg_decoder_open(taken_for[k], &d, NULL) == DRG_OK &&
			    drg_decoder_add(d, drg_str(&byte, 1), true, &out) == DRG_OK && out.n > 0)
				U8_NEXT_OR_FFFD((const uint8_t *)out.p, at, out.n, c);
			twice.chars[k][i] = c;
			drg_decoder_close(d);
			drg_buf_done(&out);
		}
}

/* Every character beyond ASCII gives two or more such; most texts have one alone, or two usual letters. */
static bool may_be_twice(struct drg_str s)
{
	UChar32 first, second;
	size_t i = 0;
	while (i < s.n && (unsigned char)s.p[i] < 0x80)
		i++;
	if (s.n - i < 4)
		return false;
	U8_NEXT_OR_FFFD((const uint8_t *)s.p, i, s.n, first);
	if (i == s.n || (unsigned char)s.p[i] < 0x80)
		return false;
	U8_NEXT_OR_FFFD((const uint8_t *)s.p, i, s.n, second);
	return second < 0xc0 || (second >= 0x152 && second < 0x300) || (second >= 0x401 && second < 0x410) ||
	       (second >= 0x450 && second < 0x492) || (second >= 0x2000 && second < 0x2600) ||
	       (first >= 0x2000 && first < 0x2600) || first == 0xac || first == 0x192;
}

/* The text in the bytes of an encoding. @return false: it has other characters too. */
static bool twice_bytes(struct drg_str s, const UChar32 chars[128], struct drg_buf *out)
{
	for (size_t i = 0; i < s.n;) {
		unsigned b = 0;
		UChar32 c;
		U8_NEXT_OR_FFFD((const uint8_t *)s.p, i, s.n, c);
		while (c >= 0x80 && b < 128 && chars[b] != c)
			b++;
		if (b == 128)
			return false;
		drg_buf_char(out, (char)(c < 0x80 ? (unsigned)c : 0x80 + b));
	}
	return true;
}

/* Is it UTF-8 of letters and marks of text? Two Cyrillic letters may be that by accident. */
static bool twice_is_text(struct drg_str s, bool cyrillic)
{
	size_t letters = 0;
	if (!drg_utf8_valid(s, NULL) || drg_utf8_has_control(s))
		return false;
	for (size_t i = 0; i < s.n;) {
		UChar32 c;
		U8_NEXT_OR_FFFD((const uint8_t *)s.p, i, s.n, c);
		if (c >= 0x80 && !u_isalpha(c) && !(c >= 0x2010 && c <= 0x2026) && c != 0xa0 && c != 0xb0 &&
		    c != 0xab && c != 0xbb && u_charType(c) != U_NON_SPACING_MARK)
			return false;
		letters += c >= 0x80;
	}
	return letters > cyrillic;
}

bool drg_encoded_twice(struct drg_str s, char *ret, size_t cap)
{
	struct drg_buf out;
	bool found = false;
	if (drg_utf8_is_ascii(s) || !may_be_twice(s) || drg_library_load(DRG_LIBRARY_ICU, NULL) != DRG_OK)
		return false;
	pthread_once(&twice.once, twice_open);
	drg_buf_init(&out, SIZE_MAX);
	for (size_t k = 0; k < DRG_ARRAY_LEN(taken_for) && !found; k++) {
		drg_buf_clear(&out);
		found = twice_bytes(s, twice.chars[k], &out) && out.rc == DRG_OK &&
		        twice_is_text(drg_buf_view(&out), strcmp(taken_for[k], "windows-1251") == 0);
	}
	if (found)
		snprintf(ret, cap, "%.*s", DRG_STR_ARG(drg_utf8_cut(drg_buf_view(&out), cap - 1)));
	drg_buf_done(&out);
	return found;
}

/* ---- recognising --------------------------------------------------------------------------------------- */

static void encoding_is(struct drg_encoding *e, const char *name, unsigned mark, bool told)
{
	snprintf(e->name, sizeof e->name, "%s", name);
	e->mark = mark;
	e->told = told;
}

static bool has_mark(struct drg_str s, struct drg_encoding *ret)
{
	/* clang-format off */
	static const struct { struct drg_str mark; const char *name; } marks[] = {
		{ { "\xef\xbb\xbf", 3 }, "UTF-8" }, { { "\xff\xfe\0\0", 4 }, "UTF-32LE" },
		{ { "\0\0\xfe\xff", 4 }, "UTF-32BE" }, { { "\xff\xfe", 2 }, "UTF-16LE" },
		{ { "\xfe\xff", 2 }, "UTF-16BE" }, { { "\x84\x31\x95\x33", 4 }, "GB18030" },
		{ { "\x0e\xfe\xff", 3 }, "SCSU" }, { { "\xfb\xee\x28", 3 }, "BOCU-1" },
		{ { "+/v8-", 5 }, "UTF-7" },
	};
	/* clang-format on */
	for (size_t i = 0; i < DRG_ARRAY_LEN(marks); i++) {
		if (s.n < marks[i].mark.n || memcmp(s.p, marks[i].mark.p, marks[i].mark.n) != 0)
			continue;
		encoding_is(ret, marks[i].name, (unsigned)marks[i].mark.n, true);
		return true;
	}
	return false;
}

/* Detect UTF-32 without a byte order mark: no character is beyond U+10FFFF, and each newline has three
 * zero bytes. */
static bool is_utf32(struct drg_str s, struct drg_encoding *ret)
{
	bool little = true, big = true;
	if (s.n < 8)
		return false;
	for (size_t i = 0; i + 4 <= s.n && (little || big); i += 4) {
		const unsigned char *p = (const unsigned char *)s.p + i;
		little = little && p[3] == 0 && p[2] <= 0x10;
		big = big && p[0] == 0 && p[1] <= 0x10;
	}
	if (little != big)
		encoding_is(ret, little ? "UTF-32LE" : "UTF-32BE", 0, true);
	return little != big;
}

/* UTF-16 without its mark: every separator and newline has a zero byte on one side, and no 8-bit text has
 * any. A few letters have one on the other side. */
static bool is_utf16(struct drg_str s, struct drg_encoding *ret)
{
	size_t zeros[2] = { 0, 0 };
	for (size_t i = 0; i < s.n; i++)
		zeros[i % 2] += s.p[i] == '\0';
	/* In UTF-16, line ends have a zero byte too; stray zero bytes in other text are not beside line
	 * ends. */
	size_t ends = 0, pairs = 0;
	for (size_t i = 0; i < s.n; i++) {
		ends += s.p[i] == '\n';
		pairs += s.p[i] == '\n' &&
		         (i % 2 == 0 ? i + 1 < s.n && s.p[i + 1] == '\0' : s.p[i - 1] == '\0');
	}
	if (ends > 0 && pairs == 0)
		return false;
	size_t all = zeros[0] + zeros[1];
	const size_t few = zeros[0] < zeros[1] ? zeros[0] : zeros[1];
	if (all == 0 || all < s.n / 20 || few * 10 > all)
		return false;
	encoding_is(ret, zeros[1] > zeros[0] ? "UTF-16LE" : "UTF-16BE", 0, true);
	return true;
}

/* Encodings that change their meaning by an escape are ASCII to the eye, and so UTF-8. */
static bool has_escapes(struct drg_str s, struct drg_encoding *ret)
{
	/* clang-format off */
	static const struct { const char *escape, *name; } escapes[] = {
		{ "\x1b$B", "ISO-2022-JP" }, { "\x1b$@", "ISO-2022-JP" }, { "\x1b$(", "ISO-2022-JP-2" },
		{ "\x1b$)C", "ISO-2022-KR" }, { "\x1b$)A", "ISO-2022-CN" }, { "\x1b$)G", "ISO-2022-CN" },
	};
	/* clang-format on */
	if (memchr(s.p, '\x1b', s.n) == NULL || !drg_utf8_is_ascii(s))
		return false;
	for (size_t i = 0; i < DRG_ARRAY_LEN(escapes); i++)
		if (memmem(s.p, s.n, escapes[i].escape, strlen(escapes[i].escape)) != NULL) {
			encoding_is(ret, escapes[i].name, 0, false);
			return true;
		}
	return false;
}

static int base64_value(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c != '\0' ? strchr(digits, c) : NULL;
	return at != NULL ? (int)(at - digits) : -1;
}

/* Check a word of UTF-7 after its plus sign: UTF-16 in base64, with characters that occur in texts. A word of
 * digits only is a telephone number.
 * @param ret_n     Its bytes.
 * @param ret_sure  True if it does not look like English, as "Spa+Wellness" and "POOL+BBQ" do. @return true
 * if it is UTF-7. */
static bool is_utf7_word(struct drg_str s, bool behind_letter, size_t *ret_n, bool *ret_sure)
{
	uint32_t bits = 0, lead = 0, most = 0;
	unsigned n_bits = 0;
	size_t n = 0, digits = 0, units = 0;
	bool mixed = false; /* a capital after a small letter, unlike in words */
	for (int v; n < s.n && (v = base64_value(s.p[n])) >= 0; n++) {
		digits += s.p[n] >= '0' && s.p[n] <= '9';
		mixed = mixed || v >= 52 || (n > 0 && v < 26 && base64_value(s.p[n - 1]) >= 26);
		bits = bits << 6 | (uint32_t)v;
		n_bits += 6;
		if (n_bits < 16)
			continue;
		n_bits -= 16;
		const uint32_t unit = bits >> n_bits & 0xffff;
		bits &= (1U << n_bits) - 1;
		units++;
		const bool leads = (unit & 0xfc00) == 0xd800, trails = (unit & 0xfc00) == 0xdc00;
		if ((lead != 0) != trails)
			return false;
		lead = leads ? unit : 0;
		most = unit > most ? unit : most;
		const int8_t type = leads || trails ? (int8_t)U_OTHER_LETTER : u_charType((UChar32)unit);
		if (type == U_UNASSIGNED || type == U_PRIVATE_USE_CHAR || (unit >= 0x3400 && unit < 0x4dc0) ||
		    (type == U_CONTROL_CHAR && unit >= ' '))
			return false;
	}
	*ret_n = n;
	*ret_sure = most >= 0x1000 ? mixed : !behind_letter || (most >= 0x80 && most < 0x250);
	return units > 0 && lead == 0 && bits == 0 && digits < n;
}

/* Detect UTF-7, which is ASCII in which each plus sign begins a word in base64, or is part of "+-". */
static bool is_utf7(struct drg_str s, bool whole, struct drg_encoding *ret)
{
	const char *plus = memchr(s.p, '+', s.n), *end = s.p + s.n;
	size_t words = 0;
	if (plus == NULL || !drg_utf8_is_ascii(s) || drg_library_load(DRG_LIBRARY_ICU, NULL) != DRG_OK)
		return false;
	for (; plus != NULL; plus = memchr(plus, '+', (size_t)(end - plus))) {
		const struct drg_str word = drg_str(plus + 1, (size_t)(end - plus - 1));
		const bool letter = plus > s.p && base64_value(plus[-1]) >= 0 && base64_value(plus[-1]) < 52;
		size_t n = 0;
		bool sure = false;
		if (drg_str_begins(word, "-")) {
			plus += 2;
			continue;
		}
		if (!is_utf7_word(word, letter, &n, &sure)) {
			if (n == word.n && !whole)
				break; /* the sample ends within it */
			return false;
		}
		words += sure;
		plus += 1 + n;
	}
	if (words > 0)
		encoding_is(ret, "UTF-7", 0, false);
	return words > 0;
}

/* Detect EBCDIC, the encoding of mainframes: blanks, digits and letters have other codes than in ASCII,
 * and lines end with 0x15 or 0x25. Its code pages differ in the other characters. */
static int refuse_ebcdic(struct drg_str s, struct drg_err *reterr)
{
	size_t usual = 0, ascii = 0, ends = 0;
	for (size_t i = 0; i < s.n; i++) {
		const unsigned char c = (unsigned char)s.p[i];
		const unsigned low = c & 15;
		ends += c == 0x15 || c == 0x25;
		ascii += c == ' ' || c == '\n' || (c >= '0' && c <= '9');
		usual += c == 0x40 || c == 0x15 || c == 0x25 || c == 0x0d || c == 0x6b || c == 0x5e ||
		         c == 0x4b || (c >= 0x80 && c < 0xb0 && low >= 1 && low <= 9) ||
		         (c >= 0xc0 && low <= 9);
	}
	if (ends == 0 || usual * 10 < s.n * 8 || ascii * 20 > s.n)
		return DRG_OK;
	return drg_fail(
	        reterr, DRG_EINVAL, NULL, "encoding",
	        "the file is EBCDIC, from a mainframe: set its code page, such as --encoding ibm-1047 "
	        "(Latin), ibm-1141 (German), ibm-1026 (Turkish) or ibm-1025 (Cyrillic), or ask for it "
	        "in UTF-8");
}

/* A sample may end inside a character. */
static bool is_utf8(struct drg_str s, bool whole)
{
	size_t bad;
	return drg_utf8_valid(s, &bad) || (!whole && s.n - bad < 4);
}

/* UTF-8 of programs that know only UTF-16, such as Oracle's UTF8: two surrogates for what needs two there. */
static bool is_cesu8(struct drg_str s, bool whole)
{
	enum { PAIR = 6 };
	size_t pairs = 0;
	for (size_t i = 0; i < s.n;) {
		const uint8_t *p = (const uint8_t *)s.p + i;
		const size_t left = s.n - i;
		UChar32 c;
		if (left >= PAIR && p[0] == 0xed && (p[1] & 0xf0) == 0xa0 && U8_IS_TRAIL(p[2]) &&
		    p[3] == 0xed && (p[4] & 0xf0) == 0xb0 && U8_IS_TRAIL(p[5])) {
			i += PAIR;
			pairs++;
			continue;
		}
		U8_NEXT((const uint8_t *)s.p, i, s.n, c);
		if (c < 0 && (whole || left >= PAIR))
			return false;
		if (c < 0)
			break; /* the sample ends within it */
	}
	return pairs > 0;
}

/* The places of lines in two encodings: some are UTF-8, with letters enough to be no accident, and others are
 * not. */
struct mixed_lines {
	uint64_t good, bad; /* the first of each; 0: none */
};

static struct mixed_lines find_mixed(struct drg_str s, bool whole)
{
	enum { NO_ACCIDENT = 4 };
	struct mixed_lines m = { 0, 0 };
	uint64_t number = 0;
	for (struct drg_str line; drg_str_split(&s, '\n', &line);) {
		size_t high = 0;
		number++;
		for (size_t i = 0; i < line.n; i++)
			high += (unsigned char)line.p[i] >= 0x80;
		if (high > 0 && !drg_utf8_valid(line, NULL))
			m.bad = m.bad > 0 || (s.p == NULL && !whole) ? m.bad
			                                             : number; /* the last may be cut */
		else if (high >= NO_ACCIDENT && m.good == 0)
			m.good = number;
	}
	return m;
}

static int refuse_mixed(const struct mixed_lines *m, struct drg_err *reterr)
{
	return drg_fail(
	        reterr, DRG_EINVAL, NULL, "encoding",
	        "line %llu is UTF-8 and line %llu is not: the file mixes encodings, and would be garbled "
	        "whatever --encoding says; ask for it in one, or save it again",
	        (unsigned long long)m->good, (unsigned long long)m->bad);
}

int drg_encoding_detect(struct drg_str s, bool whole, struct drg_encoding *ret, struct drg_err *reterr)
{
	if (has_mark(s, ret) || is_utf32(s, ret) || is_utf16(s, ret) || has_escapes(s, ret) ||
	    is_utf7(s, whole, ret))
		return DRG_OK;
	if (is_utf8(s, whole)) {
		encoding_is(ret, "UTF-8", 0, true);
		return DRG_OK;
	}
	if (is_cesu8(s, whole)) {
		encoding_is(ret, "CESU-8", 0, true);
		return DRG_OK;
	}
	const struct mixed_lines m = find_mixed(s, whole);
	if (m.good > 0 && m.bad > 0)
		return refuse_mixed(&m, reterr);
	int rc = refuse_ebcdic(s, reterr);
	if (rc == DRG_OK)
		rc = drg_library_load(DRG_LIBRARY_ICU, reterr);
	return rc == DRG_OK ? drg_readings_choose(s, ret, reterr) : rc;
}
