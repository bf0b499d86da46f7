#include "sheet/encoding.h"

#include <stdio.h>
#include <stdlib.h>

#include "text/icu.h"
#include "text/utf8.h"

/* ---- turning into UTF-8 -------------------------------------------------------------------------------- */

struct drg_decoder {
	UConverter *from, *to;
	UChar pivot[4096];
	UChar *source, *target; /* in pivot */
	bool begun;
};

int drg_decoder_open(const char *name, struct drg_decoder **ret, struct drg_err *reterr)
{
	UErrorCode status = U_ZERO_ERROR;
	int rc = drg_library_load(DRG_LIBRARY_ICU, reterr);
	struct drg_decoder *d = rc == DRG_OK ? calloc(1, sizeof *d) : NULL;
	if (d == NULL)
		return rc != DRG_OK ? rc : drg_fail_memory(reterr);
	d->from = ucnv_open(name, &status);
	if (U_SUCCESS(status))
		ucnv_setToUCallBack(d->from, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &status);
	d->to = ucnv_open("UTF-8", &status);
	if (U_FAILURE(status)) {
		drg_decoder_close(d);
		return drg_fail(
		        reterr, DRG_EINVAL, NULL, "encoding",
		        "expected an encoding such as utf-8, utf-16, windows-1251 or cp1254, found %s", name);
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

enum { WORDS = 16384 }; /* bytes that are looked at */

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
		{ { "\xef\xbb\xbf", 3 }, "UTF-8" }, { { "\xff\xfe", 2 }, "UTF-16LE" }, { { "\xfe\xff", 2 },
			"UTF-16BE" },
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

/* UTF-16 without its mark: every separator and newline has a zero byte on one side, and no 8-bit text has
 * any. */
static bool is_utf16(struct drg_str s, struct drg_encoding *ret)
{
	size_t zeros[2] = { 0, 0 };
	for (size_t i = 0; i < s.n; i++)
		zeros[i % 2] += s.p[i] == '\0';
	size_t all = zeros[0] + zeros[1];
	if (all == 0 || all < s.n / 20 || (zeros[0] > 0 && zeros[1] > 0))
		return false;
	encoding_is(ret, zeros[1] > 0 ? "UTF-16LE" : "UTF-16BE", 0, true);
	return true;
}

/* A sample may end inside a character. */
static bool is_utf8(struct drg_str s, bool whole)
{
	size_t bad;
	return drg_utf8_valid(s, &bad) || (!whole && s.n - bad < 4);
}

/* The words beyond ASCII with one blank between: ids, numbers and separators would only blur what they are. */
static void foreign_words(struct drg_str s, struct drg_buf *out)
{
	for (size_t i = 0; i < s.n && out->n < WORDS; i++) {
		bool high = (unsigned char)s.p[i] >= 0x80;
		if (high || (out->n > 0 && out->p[out->n - 1] != ' '))
			drg_buf_char(out, high ? s.p[i] : ' ');
	}
}

/* What ICU's detector makes of it: how sure it is that this is windows-1251; 0: it is something else. */
static int cyrillic_confidence(struct drg_str words)
{
	UErrorCode status = U_ZERO_ERROR;
	UCharsetDetector *det = ucsdet_open(&status);
	ucsdet_setText(det, words.p, (int32_t)words.n, &status);
	const UCharsetMatch *m = ucsdet_detect(det, &status);
	const char *name = m != NULL ? ucsdet_getName(m, &status) : NULL;
	int confidence =
	        name != NULL && strcmp(name, "windows-1251") == 0 ? ucsdet_getConfidence(m, &status) : 0;
	ucsdet_close(det);
	return U_SUCCESS(status) ? confidence : 0;
}

/* Is nearly everything a letter of windows-1251, Ukrainian ones included? */
static bool is_cyrillic(struct drg_str s)
{
	static const char others[] = "\xa8\xb8\xaf\xbf\xb2\xb3\xaa\xba\xa5\xb4";
	size_t high = 0, letters = 0;
	struct drg_buf words;
	drg_buf_init(&words, WORDS + 1);
	foreign_words(s, &words);
	for (size_t i = 0; i < words.n; i++) {
		high += words.p[i] != ' ';
		letters += (unsigned char)words.p[i] >= 0xc0 ||
		           (words.p[i] != ' ' && strchr(others, words.p[i]) != NULL);
	}
	bool ok = high >= 40 && letters * 10 >= high * 9 && cyrillic_confidence(drg_buf_view(&words)) >= 20;
	drg_buf_done(&words);
	return ok;
}

/* A line with bytes beyond ASCII, as it would be in an encoding, cut to what fits. */
static void sample_line(struct drg_str s, const char *name, char *buf, size_t n)
{
	size_t at = 0, begin, end;
	while (at < s.n && (unsigned char)s.p[at] < 0x80)
		at++;
	for (begin = at; begin > 0 && at - begin < 20 && strchr(";,\t|\"\n", s.p[begin - 1]) == NULL;)
		begin--;
	for (end = at; end < s.n && end - begin < 40 && strchr(";,\t|\"\r\n", s.p[end]) == NULL;)
		end++;
	struct drg_decoder *d = NULL;
	struct drg_buf out;
	drg_buf_init(&out, 1 << 16);
	bool ok = drg_decoder_open(name, &d, NULL) == DRG_OK &&
	          drg_decoder_add(d, drg_str(s.p + begin, end - begin), true, &out) == DRG_OK &&
	          !drg_utf8_has_control(drg_buf_view(&out));
	snprintf(buf, n, "%.*s", ok ? (int)out.n : 1, ok ? out.p : "-");
	drg_decoder_close(d);
	drg_buf_done(&out);
}

static int ask(struct drg_str s, struct drg_err *reterr)
{
	static const char *const names[] = { "windows-1251", "windows-1252", "windows-1254", "windows-1250" };
	char lines[DRG_ARRAY_LEN(names)][96];
	for (size_t i = 0; i < DRG_ARRAY_LEN(names); i++)
		sample_line(s, names[i], lines[i], sizeof lines[i]);
	return drg_fail(
	        reterr, DRG_EINVAL, NULL, "encoding",
	        "not UTF-8, and which encoding it is cannot be told safely; say --encoding NAME for the "
	        "one in which this reads right: %s \"%s\", %s \"%s\", %s \"%s\", %s \"%s\"",
	        names[0], lines[0], names[1], lines[1], names[2], lines[2], names[3], lines[3]);
}

/* Where lines of two encodings stand: some are UTF-8, with letters enough to be no accident, and others are
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
	        "whatever --encoding says; ask for it in one, or save it anew",
	        (unsigned long long)m->good, (unsigned long long)m->bad);
}

int drg_encoding_detect(struct drg_str s, bool whole, struct drg_encoding *ret, struct drg_err *reterr)
{
	if (has_mark(s, ret) || is_utf16(s, ret))
		return DRG_OK;
	if (is_utf8(s, whole)) {
		encoding_is(ret, "UTF-8", 0, true);
		return DRG_OK;
	}
	const struct mixed_lines m = find_mixed(s, whole);
	if (m.good > 0 && m.bad > 0)
		return refuse_mixed(&m, reterr);
	if (is_cyrillic(s))
		encoding_is(ret, "windows-1251", 0, false);
	else
		return ask(s, reterr);
	return DRG_OK;
}
