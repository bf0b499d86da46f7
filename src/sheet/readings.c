#include "sheet/readings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/icu.h"
#include "text/utf8.h"

/* ---- languages ----------------------------------------------------------------------------------------- */

/* Letters beyond ASCII that a language has, and how likely a list has names in it. */
struct language {
	UScriptCode script;
	const char *letters; /* small ones; "": all of the script */
	double weight;
};

static const struct language languages[] = {
	{ USCRIPT_LATIN, "éèêëàâçôîïûùœ", 1 },
	{ USCRIPT_LATIN, "äöüß", 1 },
	{ USCRIPT_LATIN, "áéíóúñü", 1 },
	{ USCRIPT_LATIN, "áàâãçéêíóôõú", 1 },
	{ USCRIPT_LATIN, "àèéìòù", 1 },
	{ USCRIPT_LATIN, "çğıöşüâîİ", 1 },
	{ USCRIPT_LATIN, "ąćęłńóśźż", 1 },
	{ USCRIPT_LATIN, "áčďéěíňóřšťúůýž", 0.95 },
	{ USCRIPT_LATIN, "áäčďéíĺľňóôŕšťúýž", 0.9 },
	{ USCRIPT_LATIN, "áéíóöőúüű", 0.95 },
	{ USCRIPT_LATIN, "ăâîșțşţ", 0.93 },
	{ USCRIPT_LATIN, "čćđšž", 0.9 },
	{ USCRIPT_LATIN, "åäöæøé", 0.95 },
	{ USCRIPT_LATIN, "àçèéíïòóúü", 0.9 },
	{ USCRIPT_LATIN, "éëïö", 0.8 },
	{ USCRIPT_LATIN, "äöõüšž", 0.7 },
	{ USCRIPT_LATIN, "āčēģīķļņšūž", 0.75 },
	{ USCRIPT_LATIN, "ąčęėįšųūž", 0.75 },
	{ USCRIPT_LATIN, "áðéíóúýþæö", 0.4 },
	{ USCRIPT_LATIN, "çë", 0.6 },
	{ USCRIPT_LATIN, "ċġħż", 0.4 },
	{ USCRIPT_LATIN, "àáâãèéêìíòóôõùúýăđĩũơư", 0.5 },
	{ USCRIPT_CYRILLIC, "абвгдежзийклмнопрстуфхцчшщъыьэюяё", 1 },
	{ USCRIPT_CYRILLIC, "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя", 1 },
	{ USCRIPT_CYRILLIC, "абвгдеёжзійклмнопрстуўфхцчшыьэюя", 0.7 },
	{ USCRIPT_CYRILLIC, "абвгдежзиклмнопрстуфхцчшђјљњћџ", 0.7 },
	{ USCRIPT_CYRILLIC, "абвгдежзиклмнопрстуфхцчшѓѕјљњќџ", 0.6 },
	{ USCRIPT_GREEK, "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ", 1 },
	{ USCRIPT_HEBREW, "", 1 },
	{ USCRIPT_ARABIC, "", 1 },
	{ USCRIPT_THAI, "", 1 },
	{ USCRIPT_ARMENIAN, "", 0.8 },
	{ USCRIPT_GEORGIAN, "", 0.8 },
	{ USCRIPT_HAN, "", 0.7 },
	{ USCRIPT_HIRAGANA, "", 1 },
	{ USCRIPT_KATAKANA, "", 1 },
	{ USCRIPT_HANGUL, "", 1 },
};

/* An encoding, the scripts that texts in it are in beside Latin ones, and its name at ICU's detector. The
 * usual one comes first: the first of those with the same score wins. */
static const struct encoding {
	const char *name;
	UScriptCode scripts[3];
	const char *detected;
} encodings[] = {
	{ "windows-1252", { 0 }, "ISO-8859-1" },
	{ "windows-1254", { 0 }, "ISO-8859-9" },
	{ "windows-1250", { 0 }, "ISO-8859-2" },
	{ "windows-1251", { USCRIPT_CYRILLIC }, "windows-1251" },
	{ "windows-1253", { USCRIPT_GREEK }, "ISO-8859-7" },
	{ "windows-1255", { USCRIPT_HEBREW }, "ISO-8859-8" },
	{ "windows-1256", { USCRIPT_ARABIC }, "windows-1256" },
	{ "windows-1257", { 0 }, NULL },
	{ "windows-1258", { 0 }, NULL },
	{ "windows-874", { USCRIPT_THAI }, NULL },
	{ "macintosh", { 0 }, NULL },
	{ "gb18030", { USCRIPT_HAN }, "GB18030" },
	{ "shift_jis", { USCRIPT_HAN, USCRIPT_HIRAGANA, USCRIPT_KATAKANA }, "Shift_JIS" },
	{ "euc-jp", { USCRIPT_HAN, USCRIPT_HIRAGANA, USCRIPT_KATAKANA }, "EUC-JP" },
	{ "windows-949", { USCRIPT_HANGUL }, "EUC-KR" },
	{ "big5", { USCRIPT_HAN }, "Big5" },
	{ "koi8-u", { USCRIPT_CYRILLIC }, "KOI8-R" },
	{ "ibm866", { USCRIPT_CYRILLIC }, "IBM866" },
	{ "ibm850", { 0 }, NULL },
	{ "ibm437", { 0 }, NULL },
	{ "ibm852", { 0 }, NULL },
	{ "ibm857", { 0 }, NULL },
	{ "iso-8859-2", { 0 }, "ISO-8859-2" },
	{ "iso-8859-5", { USCRIPT_CYRILLIC }, "ISO-8859-5" },
	{ "iso-8859-6", { USCRIPT_ARABIC }, "ISO-8859-6" },
	{ "iso-8859-7", { USCRIPT_GREEK }, "ISO-8859-7" },
	{ "iso-8859-8", { USCRIPT_HEBREW }, "ISO-8859-8" },
	{ "iso-8859-13", { 0 }, NULL },
	{ "iso-8859-4", { 0 }, NULL },
	{ "iso-8859-10", { 0 }, NULL },
	{ "iso-8859-3", { 0 }, NULL },
	{ "iso-8859-14", { 0 }, NULL },
	{ "iso-8859-15", { 0 }, NULL },
	{ "x-mac-cyrillic", { USCRIPT_CYRILLIC }, NULL },
	{ "x-mac-greek", { USCRIPT_GREEK }, NULL },
	{ "x-mac-turkish", { 0 }, NULL },
	{ "x-mac-centraleurroman", { 0 }, NULL },
	{ "ibm855", { USCRIPT_CYRILLIC }, NULL },
	{ "ibm737", { USCRIPT_GREEK }, NULL },
	{ "ibm869", { USCRIPT_GREEK }, NULL },
	{ "ibm862", { USCRIPT_HEBREW }, NULL },
	{ "ibm864", { USCRIPT_ARABIC }, NULL },
	{ "ibm720", { USCRIPT_ARABIC }, NULL },
	{ "ibm775", { 0 }, NULL },
	{ "ibm860", { 0 }, NULL },
	{ "ibm861", { 0 }, NULL },
	{ "ibm863", { 0 }, NULL },
	{ "ibm865", { 0 }, NULL },
	{ "big5-hkscs", { USCRIPT_HAN }, NULL },
	{ "euc-tw", { USCRIPT_HAN }, NULL },
	{ "windows-936", { USCRIPT_HAN }, NULL },
};

enum { ENCODINGS = DRG_ARRAY_LEN(encodings), LANGUAGES = DRG_ARRAY_LEN(languages) };
/* Bytes of foreign lines that are read in every encoding; readings that are shown, each with other encodings
 * that read the file alike. */
enum { LOOKED_AT = 32 << 10, SHOWN = 3, ALIKE = 2 };

struct tried_reading {
	const struct encoding *encoding;
	double score; /* of a word, -1 to 1; below: it cannot be read so */
	struct drg_buf text; /* the foreign lines as UTF-8 */
	unsigned alike; /* the first encoding that reads the same, or its own number */
};

struct readings {
	UChar32 letters[LANGUAGES][48]; /* 0 behind the last */
	struct tried_reading list[ENCODINGS];
	struct drg_buf lines; /* those with bytes beyond ASCII, as they are */
};

/* ---- a word -------------------------------------------------------------------------------------------- */

static bool in_language(const struct readings *r, size_t k, UChar32 c, UScriptCode script)
{
	const UChar32 small = c == 0x130 ? c : u_tolower(c);
	if (languages[k].letters[0] == '\0')
		return languages[k].script == script;
	for (const UChar32 *l = r->letters[k]; *l != 0; l++)
		if (*l == small)
			return true;
	return false;
}

static bool is_mark_of_text(UChar32 c)
{
	return (c >= 0x2010 && c <= 0x2026) || c == 0x20ac || c == 0x2116 || c == 0x2122 || c == 0xab ||
	       c == 0xbb || c == 0xa0 || c == 0xae || c == 0xa9 || c == 0xb0 || c == 0xb7 || c == 0xb4 ||
	       (c >= 0x3000 && c <= 0x3011) || (c >= 0xff01 && c <= 0xff5e) || c == 0x30fb || c == 0x30fc;
}

/* May it stand between letters of a word? */
static bool joins_letters(UChar32 c)
{
	return c == 0x2019 || c == 0x2018 || c == 0xb7 || c == 0x2010 || c == 0x2011 || c == 0x2013 ||
	       c == 0xb4 || c == 0x30fb || c == 0x30fc || c == 0xa0 || c == 0x3000;
}

static bool is_large(UChar32 c)
{
	return u_tolower(c) != c;
}

/* How much a word with something beyond ASCII is one of a language, -1 to 1. */
static double word_score(const struct readings *r, const struct encoding *e, const UChar32 *w, size_t n)
{
	size_t letters = 0, foreign = 0, changes = 0, humps = 0, inside = 0;
	UScriptCode before = USCRIPT_INVALID_CODE, last_script = USCRIPT_INVALID_CODE;
	bool of[LANGUAGES], wrong_script = false;
	UChar32 last = 0;
	memset(of, true, sizeof of);
	for (size_t i = 0; i < n; i++) {
		UErrorCode status = U_ZERO_ERROR;
		const int8_t type = u_charType(w[i]);
		if (type == U_CONTROL_CHAR || type == U_UNASSIGNED || type == U_PRIVATE_USE_CHAR ||
		    type == U_SURROGATE || w[i] == 0xfffd)
			return -1.5;
		if (!u_isalpha(w[i])) {
			const bool mark = type == U_NON_SPACING_MARK || type == U_COMBINING_SPACING_MARK ||
			                  type == U_MODIFIER_LETTER;
			inside += !mark && letters > 0 && i + 1 < n && u_isalpha(w[i + 1]) &&
			          !joins_letters(w[i]);
			inside += mark ? i == 0 : !is_mark_of_text(w[i]);
			before = USCRIPT_INVALID_CODE;
			continue;
		}
		const UScriptCode script = uscript_getScript(w[i], &status);
		const bool other = before != USCRIPT_INVALID_CODE && script != before &&
		                   script != USCRIPT_COMMON && before != USCRIPT_COMMON;
		/* Japanese words mix their scripts. */
		const bool mixes =
		        (script == USCRIPT_HAN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA) &&
		        (before == USCRIPT_HAN || before == USCRIPT_HIRAGANA || before == USCRIPT_KATAKANA);
		changes += other && !mixes;
		humps += letters > 0 && script == last_script && is_large(w[i]) && !is_large(last) &&
		         u_charType(last) == U_LOWERCASE_LETTER;
		letters++;
		if (w[i] >= 0x80) {
			bool known = script == USCRIPT_LATIN || script == USCRIPT_COMMON;
			for (size_t k = 0; k < DRG_ARRAY_LEN(e->scripts); k++)
				known |= e->scripts[k] == script;
			wrong_script |= !known;
			foreign++;
			for (size_t k = 0; k < LANGUAGES; k++)
				of[k] = of[k] && in_language(r, k, w[i], script);
		}
		last = w[i];
		before = last_script = script;
	}
	if (inside > 0 || wrong_script)
		return -1;
	if (letters == 0 || foreign == 0)
		return 0.1;
	double best = -0.6;
	bool mixed = before == USCRIPT_HAN || before == USCRIPT_HIRAGANA || before == USCRIPT_KATAKANA;
	for (size_t k = 0; k < LANGUAGES; k++)
		best = of[k] && languages[k].weight > best ? languages[k].weight : best;
	if (best < 0 && mixed && changes == 0)
		best = 0.9; /* Kanji and kana */
	if (last_script == USCRIPT_LATIN && letters >= 3 && foreign * 2 > letters)
		best -= 0.8;
	return best - (double)(humps + changes) * 0.8;
}

/* The mean over the words of a reading; each weighs the same, as names do. */
static double reading_score(const struct readings *r, const struct encoding *e, struct drg_str text)
{
	enum { WORD = 64 };
	UChar32 word[WORD];
	size_t n = 0, words = 0;
	bool foreign = false;
	double sum = 0;
	for (size_t i = 0; i <= text.n;) {
		UChar32 c = ' ';
		if (i < text.n)
			U8_NEXT_OR_FFFD((const uint8_t *)text.p, i, text.n, c);
		else
			i++;
		if (c < 0x80 && (c | 0x20) >= 'a' && (c | 0x20) <= 'z') {
			if (n < WORD)
				word[n++] = c;
		} else if (c >= 0x80) {
			if (n < WORD)
				word[n++] = c;
			foreign = true;
		} else {
			if (foreign) {
				sum += word_score(r, e, word, n);
				words++;
			}
			n = 0;
			foreign = false;
		}
	}
	return words > 0 ? sum / (double)words : -2;
}

/* ---- all readings -------------------------------------------------------------------------------------- */

static void readings_letters(struct readings *r)
{
	for (size_t k = 0; k < LANGUAGES; k++) {
		const struct drg_str s = drg_str_c(languages[k].letters);
		unsigned n = 0;
		for (size_t i = 0; i < s.n && n + 1 < DRG_ARRAY_LEN(r->letters[k]); n++)
			U8_NEXT_OR_FFFD((const uint8_t *)s.p, i, s.n, r->letters[k][n]);
	}
}

/* A newline is a byte of its own in every encoding here, so lines can be taken before it is known. */
static void foreign_lines(struct drg_str sample, struct drg_buf *out)
{
	enum { LINE = 4096, BEFORE = 64 };
	struct drg_str s = sample;
	for (struct drg_str line; drg_str_split(&s, '\n', &line) && out->n < LOOKED_AT;) {
		if (drg_utf8_is_ascii(line) || line.n > LINE)
			continue;
		drg_buf_str(out, line);
		drg_buf_char(out, '\n');
	}
	if (out->n > 0)
		return;
	/* Its lines end with returns or are long: from the first letter on, to a byte that no letter has. */
	size_t from = 0, to;
	while (from < sample.n && (unsigned char)sample.p[from] < 0x80)
		from++;
	from = from > BEFORE ? from - BEFORE : 0;
	for (to = sample.n - from < LOOKED_AT ? sample.n : from + LOOKED_AT; to > from;)
		if ((unsigned char)sample.p[--to] < '0')
			break;
	drg_buf_add(out, sample.p + from, to > from ? to - from : sample.n - from);
}

/* @return false: bytes mean nothing in the encoding. */
static bool reading_decode(struct drg_str s, const char *name, struct drg_buf *out)
{
	struct drg_decoder *d = NULL;
	bool ok = drg_decoder_open(name, &d, NULL) == DRG_OK && drg_decoder_add(d, s, true, out) == DRG_OK;
	drg_decoder_close(d);
	return ok;
}

/* Ask ICU's detector, which goes by the frequency of letters in running text; names are too few for it
 * alone. */
static void readings_detect(struct readings *r, struct drg_str words)
{
	UErrorCode status = U_ZERO_ERROR;
	UCharsetDetector *det = ucsdet_open(&status);
	int32_t n = 0;
	ucsdet_setText(det, words.p, (int32_t)words.n, &status);
	const UCharsetMatch **all = ucsdet_detectAll(det, &n, &status);
	for (int32_t i = 0; U_SUCCESS(status) && i < n; i++) {
		const char *name = ucsdet_getName(all[i], &status);
		const int32_t sure = ucsdet_getConfidence(all[i], &status);
		for (size_t k = 0; k < ENCODINGS && name != NULL; k++)
			if (encodings[k].detected != NULL && strcmp(encodings[k].detected, name) == 0)
				r->list[k].score += 0.004 * sure;
	}
	ucsdet_close(det);
}

static int by_score(const void *a, const void *b)
{
	const struct tried_reading *x = a, *y = b;
	if (x->score > y->score || x->score < y->score)
		return x->score > y->score ? -1 : 1;
	return x->encoding < y->encoding ? -1 : 1;
}

static void readings_make(struct readings *r, struct drg_str sample)
{
	readings_letters(r);
	foreign_lines(sample, &r->lines);
	for (size_t k = 0; k < ENCODINGS; k++) {
		struct tried_reading *x = &r->list[k];
		*x = (struct tried_reading){ .encoding = &encodings[k], .score = -3 };
		drg_buf_init(&x->text, LOOKED_AT * 8);
		if (reading_decode(drg_buf_view(&r->lines), encodings[k].name, &x->text))
			x->score = reading_score(r, &encodings[k], drg_buf_view(&x->text));
	}
	readings_detect(r, drg_buf_view(&r->lines));
	qsort(r->list, ENCODINGS, sizeof *r->list, by_score);
	for (unsigned k = 0; k < ENCODINGS; k++)
		for (unsigned i = r->list[k].alike = 0; i <= k; i++)
			if (i == k ||
			    drg_str_eq(drg_buf_view(&r->list[i].text), drg_buf_view(&r->list[k].text))) {
				r->list[k].alike = i;
				break;
			}
}

/* ---- showing them -------------------------------------------------------------------------------------- */

/* The cell of a reading, by its place: readings have the same lines, and mostly the same cells. */
static struct drg_str cell_at(struct drg_str text, unsigned line, unsigned cell)
{
	struct drg_str s = drg_str("", 0);
	for (unsigned i = 0; i <= line; i++)
		if (!drg_str_split(&text, '\n', &s))
			return drg_str("", 0);
	for (unsigned i = 0;; i++) {
		size_t n = 0;
		while (n < s.n && strchr(";,\t|\"\r", s.p[n]) == NULL)
			n++;
		if (i == cell || n == s.n)
			return i == cell ? drg_utf8_trim(drg_str(s.p, n)) : drg_str("", 0);
		s = drg_str(s.p + n + 1, s.n - n - 1);
	}
}

/* How much a cell is like a name of a house or a place, and shows how readings differ. @return 0: it does not.
 */
static int name_points(struct drg_str s, struct drg_str other)
{
	int letters = 0, blanks = 0, stops = 0, points;
	UChar32 first = 0;
	for (size_t i = 0; i < s.n;) {
		UChar32 c;
		U8_NEXT_OR_FFFD((const uint8_t *)s.p, i, s.n, c);
		first = first == 0 ? c : first;
		letters += c >= 0x80 && u_isalpha(c);
		blanks += c == ' ';
		stops += c == '.' || c == '!' || c == '?' || c == ':' || c == '<';
	}
	if (letters == 0) /* an apostrophe, where there is nothing better */
		return !drg_utf8_is_ascii(s);
	points = 6 + (letters < 4 ? letters : 4) +
	         (is_large(first) || u_charType(first) == U_OTHER_LETTER) * 2;
	points += drg_str_eq(s, other) ? -2 : 3;
	points -= (stops > 0) * 2 + (blanks > 3) * 2 + (s.n > 48) * 4;
	return points > 2 ? points : 2;
}

struct sample_cell {
	unsigned line, cell;
	int points;
};

/* Choose the cell that is most like a name. @param beside  One of another column, which is shown too; NULL:
 * none. */
static struct sample_cell choose_cell(const struct readings *r, unsigned second,
                                      const struct sample_cell *beside)
{
	enum { LINES = 200, CELLS = 40 };
	const struct drg_str text = drg_buf_view(&r->list[0].text);
	struct drg_str rest = text, other_rest = drg_buf_view(&r->list[second].text), line, other;
	struct sample_cell best = { .points = 0 };
	for (unsigned i = 0; i < LINES && drg_str_split(&rest, '\n', &line); i++) {
		if (!drg_str_split(&other_rest, '\n', &other))
			other = drg_str("", 0);
		for (unsigned k = 0; k < CELLS; k++) {
			const struct drg_str s = cell_at(line, 0, k);
			const int points = s.n > 0 ? name_points(s, cell_at(other, 0, k)) : 0;
			if (points > best.points && (beside == NULL || beside->cell != k))
				best = (struct sample_cell){ i, k, points };
		}
	}
	return best;
}

static void write_cell(struct drg_buf *out, const struct tried_reading *x, const struct sample_cell *c)
{
	enum { BEFORE = 20, MOST = 60 };
	struct drg_str s = cell_at(drg_buf_view(&x->text), c->line, c->cell);
	size_t begin = 0;
	while (begin < s.n && (unsigned char)s.p[begin] < 0x80)
		begin++;
	begin = begin < s.n && begin > BEFORE ? begin - BEFORE : 0;
	s = drg_utf8_cut(drg_str(s.p + begin, s.n - begin), MOST);
	for (size_t i = 0, at; at = i, i < s.n;) {
		UChar32 u;
		U8_NEXT_OR_FFFD((const uint8_t *)s.p, i, s.n, u);
		if (u == '"' || drg_utf8_has_control(drg_str(s.p + at, i - at)))
			drg_buf_char(out, '?');
		else
			drg_buf_add(out, s.p + at, i - at);
	}
}

/* The encodings that read the file as the reading @p k does, the usual ones first. @return how many. */
static unsigned names_alike(const struct readings *r, unsigned k, const char *ret[ENCODINGS])
{
	unsigned n = 0;
	for (const struct encoding *e = encodings; e < encodings + ENCODINGS; e++)
		for (unsigned i = k; i < ENCODINGS; i++)
			if (r->list[i].alike == k && r->list[i].encoding == e)
				ret[n++] = e->name;
	return n;
}

static int readings_ask(const struct readings *r, struct drg_err *reterr)
{
	struct drg_buf b;
	unsigned second = 0, shown = 0;
	while (second + 1 < ENCODINGS && r->list[second].alike == 0)
		second++;
	const struct sample_cell house = choose_cell(r, second, NULL), place = choose_cell(r, second, &house);
	const struct sample_cell *const cells[] = { &house, &place };
	drg_buf_init(&b, 1 << 14);
	for (unsigned k = 0; k < ENCODINGS && shown < SHOWN && r->list[k].score > -3; k++) {
		if (r->list[k].alike != k)
			continue;
		const char *alike[ENCODINGS];
		const unsigned n_alike = names_alike(r, k, alike);
		drg_buf_printf(&b, "%s--encoding %s \"", shown++ > 0 ? "; " : "", alike[0]);
		for (size_t i = 0; i < DRG_ARRAY_LEN(cells) && cells[i]->points > 0; i++) {
			drg_buf_str(&b, drg_str_c(i > 0 ? ", " : ""));
			write_cell(&b, &r->list[k], cells[i]);
		}
		drg_buf_char(&b, '"');
		for (unsigned i = 1; i < n_alike && i <= ALIKE; i++)
			drg_buf_printf(&b, "%s%s", i == 1 ? " or " : ", ", alike[i]);
	}
	int rc = b.rc != DRG_OK
	                 ? drg_fail_memory(reterr)
	                 : drg_fail(reterr, DRG_EINVAL, NULL, "encoding",
	                            "not UTF-8, and which encoding it is cannot be told safely; take the one "
	                            "that reads right: %.*s",
	                            DRG_STR_ARG(drg_buf_view(&b)));
	drg_buf_done(&b);
	return rc;
}

/* Is nearly everything Cyrillic of windows-1251, and nothing else likely? A few words are too few. */
static bool is_cyrillic(const struct readings *r)
{
	enum { LEAST = 40 };
	static const char others[] = "\xa8\xb8\xaf\xbf\xb2\xb3\xaa\xba\xa5\xb4";
	size_t high = 0, letters = 0;
	for (size_t i = 0; i < r->lines.n; i++) {
		const unsigned char c = (unsigned char)r->lines.p[i];
		high += c >= 0x80;
		letters += c >= 0xc0 || (c >= 0x80 && strchr(others, r->lines.p[i]) != NULL);
	}
	return high >= LEAST && letters * 10 >= high * 9 && r->list[0].score >= 0.7 &&
	       strcmp(r->list[0].encoding->name, "windows-1251") == 0;
}

int drg_readings_choose(struct drg_str sample, struct drg_encoding *ret, struct drg_err *reterr)
{
	struct readings *r = calloc(1, sizeof *r);
	int rc = DRG_OK;
	if (r == NULL)
		return drg_fail_memory(reterr);
	drg_buf_init(&r->lines, (size_t)LOOKED_AT * 2);
	readings_make(r, sample);
	if (r->lines.rc != DRG_OK)
		rc = drg_fail_memory(reterr);
	else if (is_cyrillic(r))
		*ret = (struct drg_encoding){ .name = "windows-1251" };
	else
		rc = readings_ask(r, reterr);
	for (size_t k = 0; k < ENCODINGS; k++)
		drg_buf_done(&r->list[k].text);
	drg_buf_done(&r->lines);
	free(r);
	return rc;
}
