#include "load/convert.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "load/parts.h"
#include "model/value.h"
#include "sheet/encoding.h"
#include "text/html.h"
#include "text/utf8.h"

struct converting {
	const struct drg_plan *p;
	struct drg_arena *arena;
	struct drg_record *r;
	struct drg_buf reasons, warning;
	bool bad_id, bad_place, swallows;
};

static void bad_cell(struct converting *c, const char *field, const char *message)
{
	drg_buf_printf(&c->reasons, "%s%s%s%s", c->reasons.n > 0 ? "; " : "", field,
	               field[0] != '\0' ? ": " : "", message);
}

static bool is_degrees(const struct drg_field_def *f)
{
	return f->field == DRG_F_LAT || f->field == DRG_F_LNG;
}

static void warn_of(struct converting *c, const char *field, const char *message)
{
	drg_buf_printf(&c->warning, "%s%s: %s", c->warning.n > 0 ? "; " : "", field, message);
}

/* Leave out a bad place only, since the record is worth more than its place. */
static void bad_place(struct converting *c, const char *field, const char *message)
{
	warn_of(c, field, message);
	c->bad_place = true;
}

static void bad_value(struct converting *c, const struct drg_field_def *f, const char *message)
{
	if (is_degrees(f))
		bad_place(c, f->wire, message);
	else
		bad_cell(c, f->wire, message);
	c->bad_id |= f->field == DRG_F_SOURCE_ID;
}

/* ---- numbers ------------------------------------------------------------------------------------------- */

/* Find the sign before the decimals: the given one; else the last sign if both occur, or the only sign if it
 * occurs once; '\0': unknown. */
static char decimal_of(struct drg_str s, char said)
{
	size_t n[2] = { 0, 0 }, last = 0;
	for (size_t i = 0; i < s.n; i++) {
		n[0] += s.p[i] == '.';
		n[1] += s.p[i] == ',';
		last = s.p[i] == '.' || s.p[i] == ',' ? i : last;
	}
	if (said != '\0' || n[0] + n[1] == 0)
		return said != '\0' ? said : '.';
	if (n[0] > 0 && n[1] > 0)
		return s.p[last];
	return n[0] + n[1] == 1 ? s.p[last] : '\0';
}

/* Do exactly three digits follow? Then the sign before them can only separate thousands. */
static bool thousands_follow(struct drg_str s)
{
	size_t n = 0;
	while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
		n++;
	return n == 3;
}

/* Read "1.234,56" with the decimal sign @p decimal; '\0': only if there is one way to read it. */
static bool convert_number(struct drg_str s, char decimal, double *ret)
{
	char plain[64], *end;
	size_t n = 0;
	char point = decimal_of(s, decimal);
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		size_t wide = s.n - i >= 2 && memcmp(s.p + i, "\xc2\xa0", 2) == 0 ? 2 : 1;
		bool group = wide == 2 || c == ' ' || c == '\'' || ((c == '.' || c == ',') && c != point);
		if (group && i > 0 && thousands_follow(drg_str(s.p + i + wide, s.n - i - wide))) {
			i += wide - 1;
			continue;
		}
		if (group || n + 1 == sizeof plain)
			return false;
		plain[n++] = c == point ? '.' : c;
	}
	plain[n] = '\0';
	double d = strtod(plain, &end);
	if (n == 0 || *end != '\0' || !isfinite(d) || strspn(plain, "+-0123456789.eE") != n)
		return false;
	*ret = d;
	return true;
}

/* ---- words --------------------------------------------------------------------------------------------- */

static bool read_bool(struct drg_str s, bool *ret)
{
	static const char *const yes[] = { "true", "yes", "y",   "1",    "x",  "+",   "да", "Да",
		                           "ДА",   "так", "Так", "evet", "ja", "oui", "si", "tak" };
	static const char *const no[] = { "false", "no", "n",     "0",     "-",    "нет", "Нет",
		                          "НЕТ",   "ні", "hayır", "hayir", "nein", "non", "nie" };
	for (size_t i = 0; i < DRG_ARRAY_LEN(yes); i++)
		if (drg_str_eq_nocase(s, drg_str_c(yes[i])))
			return *ret = true, true;
	for (size_t i = 0; i < DRG_ARRAY_LEN(no); i++)
		if (drg_str_eq_nocase(s, drg_str_c(no[i])))
			return *ret = false, true;
	return false;
}

/* "1.10E+03": Excel has shortened a long number to this form, and its digits are lost. */
static bool is_scientific(struct drg_str s)
{
	size_t i = 0, digits = 0;
	for (; i < s.n && ((s.p[i] >= '0' && s.p[i] <= '9') || s.p[i] == '.' || s.p[i] == ','); i++)
		digits += s.p[i] >= '0' && s.p[i] <= '9';
	if (digits == 0 || i + 2 >= s.n || (s.p[i] != 'E' && s.p[i] != 'e') ||
	    (s.p[i + 1] != '+' && s.p[i + 1] != '-'))
		return false;
	for (i += 2; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return true;
}

/* Why a cell cannot be an id; NULL: it can. */
static const char *bad_id(const struct drg_cell *cell)
{
	struct drg_str s = cell->text;
	if (cell->form == DRG_CELL_DATE)
		return "expected an id, found a date: Excel converted it; format the column as text and "
		       "enter the id again";
	if (is_scientific(s))
		return "expected an id, found a number that Excel has shortened: make the column text";
	if (cell->form == DRG_CELL_NUMBER && (memchr(s.p, '.', s.n) != NULL || fabs(cell->number) >= 1e15))
		return "expected an id, found a number with decimals or more than 15 digits: make the column "
		       "text";
	return NULL;
}

/* The bytes of a sign between thousands; 0: there is no such sign. */
static size_t thousands_sign(struct drg_str s)
{
	static const char *const signs[] = { ".", ",", "'", " ", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x99" };
	for (size_t i = 0; i < DRG_ARRAY_LEN(signs); i++)
		if (s.n >= strlen(signs[i]) && memcmp(s.p, signs[i], strlen(signs[i])) == 0)
			return strlen(signs[i]);
	return 0;
}

/* The digits of a number that follow the sign: three, or two of India's 1,03,815; 0: others do. */
static size_t group_follows(struct drg_str s, char sign)
{
	if (thousands_follow(s))
		return 3;
	return sign == ',' && s.n > 2 && s.p[2] == ',' && thousands_follow(drg_str(s.p + 3, s.n - 3)) &&
	                       s.p[0] >= '0' && s.p[0] <= '9' && s.p[1] >= '0' && s.p[1] <= '9'
	               ? 2
	               : 0;
}

/* Is it a whole number as programs write it: with the same sign before each three digits, with zeros only
 * behind the decimal sign? */
static const char *spoilt_number(struct drg_str s)
{
	size_t n = 0, sign, digits;
	const char *first = NULL, *what = NULL;
	while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
		n++;
	if (n == 0 || (s.p[0] == '0' && n > 1))
		return NULL;
	while (n < s.n && (first != NULL || (n <= 3 && s.p[0] != '0')) &&
	       (sign = thousands_sign(drg_str(s.p + n, s.n - n))) > 0 &&
	       (digits = group_follows(drg_str(s.p + n + sign, s.n - n - sign), s.p[n])) > 0 &&
	       (first == NULL || memcmp(first, s.p + n, sign) == 0)) {
		first = s.p + n;
		what = "thousands separators";
		n += sign + digits;
	}
	if (n + 1 < s.n && (s.p[n] == '.' || s.p[n] == ',') && (first == NULL || *first != s.p[n])) {
		what = "decimals";
		for (n++; n < s.n && s.p[n] == '0';)
			n++;
	}
	return n == s.n ? what : NULL;
}

static bool is_month(struct drg_str s)
{
	static const char *const months[] = {
		"jan",  "feb",  "mar", "apr",  "may", "jun",  "jul",  "aug",  "sep", "sept", "oct",
		"nov",  "dec", /* en */
		"mrz",  "mai",  "okt", "dez",  "mrt", "mei", /* de, nl */
		"janv", "févr", "fév", "mars", "avr", "juin", "juil", "août", "déc", /* fr */
		"ene",  "abr",  "ago", "dic",  "fev", "mai",  "set",  "out", /* es, pt */
		"gen",  "mag",  "giu", "lug",  "ott", /* it */
		"sty",  "lut",  "kwi", "maj",  "cze", "lip",  "sie",  "wrz",  "paź", "lis",  "gru", /* pl */
		"oca",  "şub",  "Şub", "nis",  "haz", "tem",  "ağu",  "Ağu",  "eyl", "eki",  "kas",
		"ara", /* tr */
		"янв",  "фев",  "мар", "апр",  "май", "мая",  "июн",  "июл",  "авг", "сен",  "окт",
		"ноя",  "дек", /* ru */
		"січ",  "лют",  "бер", "кві",  "тра", "чер",  "лип",  "сер",  "вер", "жов",  "лис",
		"гру", /* uk */
	};
	/* Excel writes no month in capitals; codes of places are in capitals: MAR-01. */
	if (s.n < 2 || (s.p[1] >= 'A' && s.p[1] <= 'Z'))
		return false;
	for (size_t i = 0; i < DRG_ARRAY_LEN(months); i++)
		if (drg_str_eq_nocase(s, drg_str_c(months[i])))
			return true;
	return false;
}

static bool has_digit(struct drg_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] >= '0' && s.p[i] <= '9')
			return true;
	return false;
}

/* "3-May", "Mar-05", "05.03.2021": a program took an id such as 3-5 for a date, and wrote that.
 * @param ret_shape  True if it has the form of a date, even with impossible parts. */
static bool is_dated(struct drg_str s, bool *ret_shape)
{
	struct drg_str part[4];
	unsigned n = 0;
	size_t at = 0;
	if (s.n > 9 && memcmp(s.p + s.n - 9, " 00:00:00", 9) == 0)
		s.n -= 9;
	while (n < 4 && at < s.n) {
		size_t end = at;
		while (end < s.n && strchr("-./ ", s.p[end]) == NULL)
			end++;
		part[n++] = drg_str(s.p + at, end - at);
		at = end + 1;
		at += at < s.n && s.p[end] == '.' && s.p[at] == ' '; /* 5. Mai */
	}
	unsigned digits = 0, words = 0, months = 0, days = 0, years = 0;
	for (unsigned i = 0; i < n; i++) {
		int64_t v = -1;
		const bool number = drg_str_to_i64(part[i], &v) && part[i].p[0] != '+';
		digits += number;
		words += !number && part[i].n > 2 && !has_digit(part[i]);
		months += !number && is_month(part[i]);
		days += number && part[i].n <= 2 && v <= 31;
		years += number && part[i].n == 4 && v >= 1900 && v < 2100;
	}
	*ret_shape = (n == 2 && digits == 1 && words == 1) || (n == 3 && digits + words == 3 && digits > 1);
	return *ret_shape &&
	       (n == 2 ? months == 1 && days + years == 1
	               : (months == 1 && days + years == 2 && days > 0) || (days == 2 && years == 1));
}

/* True if the first ids have that form but are not dates. */
static bool has_other_dates(const struct drg_plan *p, unsigned k)
{
	for (unsigned i = p->header_at + 1; i < p->n_kept; i++) {
		const struct drg_sheet_row *row = &p->kept[i];
		bool shape = false;
		if (p->at[k] < row->n && !is_dated(row->cells[p->at[k]].text, &shape) && shape)
			return true;
	}
	return false;
}

/* "1.2" and "12.34" are not numbers with thousands, and beside "12345" no number has a sign: then the ids
 * have points of their own. */
const char *drg_convert_spoilt(const struct drg_plan *p, unsigned k, struct drg_str id)
{
	bool shape;
	if (p->sheet == NULL || drg_sheet_about(p->sheet)->workbook)
		return NULL;
	if (is_dated(id, &shape))
		return has_other_dates(p, k) ? NULL : "a date";
	const char *what = spoilt_number(id);
	for (unsigned i = p->header_at + 1; i < p->n_kept && what != NULL; i++) {
		const struct drg_sheet_row *row = &p->kept[i];
		const struct drg_str s = p->at[k] < row->n ? row->cells[p->at[k]].text : drg_str("", 0);
		size_t digits = 0;
		while (digits < s.n && s.p[digits] >= '0' && s.p[digits] <= '9')
			digits++;
		const bool signs = digits > 0 && digits < s.n && thousands_sign(drg_str(s.p + digits, 1)) > 0;
		if ((signs && spoilt_number(s) == NULL) ||
		    (digits == s.n && digits > 3 && strcmp(what, "decimals") != 0))
			what = NULL;
	}
	return what == NULL                    ? NULL
	       : strcmp(what, "decimals") == 0 ? "a number with decimals"
	                                       : "a number with thousands separators";
}

/* ---- cells --------------------------------------------------------------------------------------------- */

/* Convert a number with digits and signs of other scripts, or with a typographic minus sign, to ASCII.
 * @param buf  Holds the result. @return the number itself if it has none of these, or if @p buf is too
 * small. */
static struct drg_str plain_number(struct drg_str s, char *buf, size_t cap)
{
	static const struct {
		const char *first; /* a sign, or the zero of ten digits */
		char plain;
		bool digits;
	} signs[] = {
		{ "\xe2\x88\x92", '-', false }, { "\xe2\x80\x90", '-', false },
		{ "\xe2\x80\x91", '-', false }, { "\xe2\x80\x92", '-', false },
		{ "\xe2\x80\x93", '-', false }, { "\xef\xb9\xa3", '-', false },
		{ "\xef\xbc\x8d", '-', false }, { "\xd9\xab", '.', false },
		{ "\xef\xbc\x8e", '.', false }, { "\xef\xbc\x8c", ',', false },
		{ "\xd9\xa0", '0', true },      { "\xdb\xb0", '0', true },
		{ "\xe0\xa5\xa6", '0', true },  { "\xef\xbc\x90", '0', true },
	};
	size_t n = 0;
	for (size_t i = 0; i < s.n; n++) {
		size_t bytes = 1;
		if (n == cap)
			return s;
		buf[n] = s.p[i];
		for (size_t k = 0; k < DRG_ARRAY_LEN(signs) && (unsigned char)s.p[i] >= 0x80 && bytes == 1;
		     k++) {
			const size_t m = strlen(signs[k].first);
			const int more =
			        s.n - i >= m && memcmp(s.p + i, signs[k].first, m - 1) == 0
			                ? (unsigned char)s.p[i + m - 1] - (unsigned char)signs[k].first[m - 1]
			                : -1;
			if (more < 0 || more > (signs[k].digits ? 9 : 0) || (signs[k].plain == '-' && i > 0))
				continue;
			buf[n] = (char)(signs[k].plain + more);
			bytes = m;
		}
		i += bytes;
	}
	return drg_str(buf, n);
}

static void cell_item(const struct converting *c, const struct drg_field_def *f, const struct drg_cell *cell,
                      struct drg_json_item *ret)
{
	char buf[64];
	const struct drg_str s =
	        f->vtype == DRG_V_REAL ? plain_number(cell->text, buf, sizeof buf) : cell->text;
	double d;
	bool b;
	int64_t i;
	/* A coordinate has no thousands, so its only sign is the decimal one, whatever prices have. */
	const char decimal = is_degrees(f) ? '\0' : c->p->profile.decimal;
	*ret = (struct drg_json_item){ .type = DRG_JSON_STRING, .s = cell->text };
	if (f->vtype == DRG_V_REAL && cell->form != DRG_CELL_TEXT &&
	    isfinite(cell->number)) /* its text may be rounded, or have a unit */
		*ret = (struct drg_json_item){ .type = DRG_JSON_REAL, .d = cell->number };
	else if (f->vtype == DRG_V_REAL &&
	         (convert_number(s, decimal, &d) ||
	          (is_degrees(f) && drg_cell_degrees(s, f->field == DRG_F_LAT, &d))))
		*ret = (struct drg_json_item){ .type = DRG_JSON_REAL, .d = d };
	else if (f->vtype == DRG_V_BOOL && read_bool(s, &b))
		*ret = (struct drg_json_item){ .type = DRG_JSON_BOOL, .b = b };
	else if (f->vtype == DRG_V_INT && drg_str_to_i64(s, &i))
		*ret = (struct drg_json_item){ .type = DRG_JSON_INT, .i = i };
}

/* "N/A". "NA" is Namibia too, and "NAN" an airport: they are nothing only if a number is expected. */
static bool is_nothing(struct drg_str s, bool number)
{
	enum { OF_NUMBERS = 2 };
	static const char *const words[] = { "na",           "nan",  "-",        "--",     "\xe2\x80\x93",
		                             "\xe2\x80\x94", "?",    "n/a",      "n.a.",   "#n/a",
		                             "none",         "null", "(null)",   "[null]", "<null>",
		                             "#null!",       "nil",  "undefined" };
	for (size_t i = number ? 0 : OF_NUMBERS; i < DRG_ARRAY_LEN(words); i++)
		if (drg_str_eq_nocase(s, drg_str_c(words[i])))
			return true;
	/* The spelling of pandas; codes are in capitals. */
	return drg_str_eq(s, DRG_STR("nan")) || drg_str_eq(s, DRG_STR("NaN")) ||
	       drg_str_eq(s, DRG_STR("<NA>")) || drg_str_eq(s, DRG_STR("NaT"));
}

/* A word for nothing is an empty cell too, unless it is a name. */
static bool is_empty(const struct drg_field_def *f, const struct drg_cell *cell)
{
	if (cell->text.n == 0 || drg_utf8_is_blank(cell->text))
		return true;
	return cell->form != DRG_CELL_ERROR && f->field != DRG_F_NAME &&
	       is_nothing(cell->text, f->vtype == DRG_V_REAL);
}

/* Is a coordinate outside the globe? Mostly latitude and longitude are exchanged, or the unit is another. */
static bool is_nowhere(struct converting *c, const struct drg_field_def *f, const struct drg_json_item *item)
{
	bool lat = f->field == DRG_F_LAT;
	char text[96];
	if (!is_degrees(f) || item->type != DRG_JSON_REAL || fabs(item->d) <= (lat ? 90 : 180))
		return false;
	snprintf(text, sizeof text, "expected %s, found %g%s", lat ? "-90 to 90" : "-180 to 180", item->d,
	         lat && fabs(item->d) <= 180 ? " (exchanged with lng?)" : "");
	bad_place(c, f->wire, text);
	return true;
}

/* A text that passed through a web page has "&amp;" and the like. Without memory it stays as it is. */
static struct drg_str plain_text(struct converting *c, struct drg_str s)
{
	struct drg_buf out;
	if (!drg_html_may_be(s))
		return s;
	drg_buf_init(&out, SIZE_MAX);
	drg_html_text(s, &out);
	struct drg_str plain =
	        out.rc == DRG_OK ? drg_arena_str(c->arena, drg_str_trim(drg_buf_view(&out))) : s;
	drg_buf_done(&out);
	return plain.p != NULL ? plain : s;
}

/* In "'00123", the apostrophe makes Excel show the zeros. */
static bool is_prefixed(struct drg_str s)
{
	size_t i = 1;
	while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
		i++;
	return s.n > 1 && s.p[0] == '\'' && i == s.n;
}

static void convert_cell(struct converting *c, unsigned k, const struct drg_cell *whole)
{
	struct drg_cell plain = *whole, *const cell = &plain;
	const struct drg_field_def *f = c->p->profile.columns[k].field;
	struct drg_json_item item;
	struct drg_err e;
	char unshown[320];
	if (f->vtype == DRG_V_SRCID && is_prefixed(cell->text))
		cell->text = drg_str(cell->text.p + 1, cell->text.n - 1);
	const char *bad = f->vtype == DRG_V_SRCID ? bad_id(cell) : NULL;
	if ((f->flags & DRG_FF_NULL) != 0 && drg_str_eq(cell->text, DRG_STR("null"))) {
		c->r->nulls |= drg_field_bit(f->field);
		return;
	}
	if (is_empty(f, cell))
		return;
	const char *spoilt = f->vtype == DRG_V_SRCID && f->field != DRG_F_SOURCE_ID && bad == NULL
	                             ? drg_convert_spoilt(c->p, k, cell->text)
	                             : NULL;
	if (spoilt != NULL) {
		char text[96];
		snprintf(text, sizeof text, "expected an id, found %.*s, %s",
		         (int)(cell->text.n < 40 ? cell->text.n : 40), cell->text.p, spoilt);
		warn_of(c, f->wire, text);
	}
	if (cell->form == DRG_CELL_ERROR)
		bad = "expected a value, found an error of Excel or a formula without its value";
	if (cell->form == DRG_CELL_UNSHOWN && f->vtype != DRG_V_REAL) {
		snprintf(unshown, sizeof unshown,
		         "expected a value, found one that Excel shows in a way that is not understood %.*s: "
		         "make the column text and enter it again",
		         DRG_STR_ARG(cell->text));
		bad = unshown;
	}
	if (bad != NULL) {
		bad_value(c, f, bad);
		return;
	}
	cell_item(c, f, cell, &item);
	if (is_nowhere(c, f, &item))
		return;
	if (drg_value_read(f, &item, c->arena, drg_record_room(c->r, f), &e) == DRG_OK)
		c->r->has |= drg_field_bit(f->field);
	else
		bad_value(c, f, e.message);
}

/* Does the column feed another field too? */
static bool feeds_both(const struct drg_plan *p, unsigned k)
{
	for (unsigned i = 0; i < p->profile.n_columns; i++)
		if (i != k && p->at[i] == p->at[k])
			return true;
	return false;
}

/* The part of a point that is the coordinate. Some write the latitude first even there: a whole list shows
 * it. */
static unsigned point_part(const struct drg_field_def *f, bool exchanged)
{
	return (f->field == DRG_F_LNG) != exchanged;
}

/* Convert the cell of a column. A cell of a column for two fields may have one part only. It then feeds the
 * first field, and an id or a name also as the second: a code is its own name. No other field takes it: a
 * country alone is not a city. */
static void convert_column(struct converting *c, unsigned k, const struct drg_cell *cell)
{
	const struct drg_field_def *f = c->p->profile.columns[k].field;
	bool degrees = is_degrees(f);
	int part = c->p->part[k];
	struct drg_str both[2];
	struct drg_cell one = *cell;
	char text[96], meant[96];
	if (f->vtype == DRG_V_TEXT && cell->form != DRG_CELL_ERROR)
		one.text = plain_text(c, cell->text);
	if (f->vtype == DRG_V_TEXT && drg_encoded_twice(one.text, meant, sizeof meant)) {
		char told[192];
		snprintf(told, sizeof told,
		         "UTF-8 that was encoded twice, of \"%s\": ask for the file as UTF-8", meant);
		warn_of(c, f->wire, told);
	}
	const bool point = degrees && drg_cell_point(one.text, both),
	           pair = !point && part >= 0 && cell->form != DRG_CELL_UNSHOWN &&
	                  !is_nothing(one.text, degrees) && drg_cell_split_pair(one.text, degrees, both);
	if (degrees && !point && !is_empty(f, cell) &&
	    (pair ? drg_cell_is_vague_pair(cell->text) : feeds_both(c->p, k))) {
		snprintf(text, sizeof text, "expected two numbers such as 36.86, 30.63, found %.*s",
		         DRG_STR_ARG(cell->text));
		bad_place(c, f->wire, text);
		return;
	}
	if (point)
		one.text = both[point_part(f, c->p->profile.degrees == DRG_DEGREES_EXCHANGED)];
	else if (pair)
		one = (struct drg_cell){ both[part], DRG_CELL_TEXT, NAN };
	else if (part == 1 && f->field != DRG_F_SOURCE_ID && f->field != DRG_F_NAME)
		return;
	convert_cell(c, k, &one);
}

/* Rows that a cell in quotes has swallowed: a whole line has as many separators as the header. Behind those of
 * prose stands a blank, and between digits they are decimals. */
static bool has_swallowed(const struct drg_plan *p, struct drg_str s)
{
	const uint32_t separator = drg_sheet_about(p->sheet)->separator;
	char sign[4];
	const size_t bytes = drg_utf8_put(separator, sign);
	unsigned n = 0;
	for (size_t i = 0; i + 1 < s.n; i++)
		n += s.p[i] == sign[0] && s.n - i > bytes && memcmp(s.p + i, sign, bytes) == 0 &&
		     s.p[i + bytes] != ' ' && s.p[i + bytes] != '\n' && s.p[i + bytes] != '\r' &&
		     !(separator == ',' && i > 0 && s.p[i - 1] >= '0' && s.p[i - 1] <= '9' &&
		       s.p[i + 1] >= '0' && s.p[i + 1] <= '9');
	return memchr(s.p, '\n', s.n) != NULL && n > 0 && n + 1 >= p->n_columns;
}

/* If a quote within the quotes ends no cell, they do not pair, and the row is lost; else it may be meant. */
static void find_swallowed(struct converting *c, const struct drg_sheet_row *row)
{
	char text[192];
	for (unsigned i = 0; i < row->n; i++) {
		if (!has_swallowed(c->p, row->cells[i].text))
			continue;
		c->swallows = true;
		snprintf(text, sizeof text,
		         "the cell of column %u has line ends and separators, as if it were several rows: "
		         "%s (--quote none reads each line as a row)",
		         i + 1, row->stray ? "its quotes do not pair" : "is a quote unpaired?");
		if (row->stray)
			bad_cell(c, "", text);
		else
			warn_of(c, "quote", text);
	}
}

static void convert_cells(struct converting *c, const struct drg_sheet_row *row)
{
	char text[96];
	if (row->swallows)
		find_swallowed(c, row);
	for (unsigned k = 0; k < c->p->profile.n_columns; k++)
		if (c->p->at[k] < row->n)
			convert_column(c, k, &row->cells[c->p->at[k]]);
	if (row->n > c->p->n_columns) {
		snprintf(text, sizeof text, "expected %u cells as in the header, found %u", c->p->n_columns,
		         row->n);
		bad_cell(c, "", text);
	}
}

/* If the list has no names, the code of a record is its name, where it is known by that. */
static void name_by_id(const struct converting *c)
{
	if (drg_profile_of_codes(c->p->profile.kind) && drg_record_has(c->r, DRG_F_SOURCE_ID) &&
	    drg_profile_column_of(&c->p->profile, DRG_F_NAME) == NULL)
		drg_record_set_s(c->r, DRG_F_NAME, c->r->v[DRG_F_SOURCE_ID].s);
}

/* Fill in the values of the whole list that the row does not have. */
static void take_defaults(const struct converting *c, struct drg_converted *ret)
{
	const struct {
		struct drg_str text;
		enum drg_field name, id;
	} all[] = { { c->p->profile.country, DRG_F_COUNTRY_NAME, DRG_F_SRC_COUNTRY_ID },
		    { c->p->profile.category, DRG_F_CATEGORY_NAME, DRG_F_SRC_CATEGORY_ID } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(all); i++) {
		if (all[i].text.n == 0)
			continue;
		if (!drg_record_has(c->r, all[i].name) && !drg_record_has(c->r, all[i].id))
			drg_record_set_s(c->r, all[i].name, all[i].text);
		else if (drg_profile_column_of(&c->p->profile, all[i].name) == NULL)
			ret->unsaid |= drg_field_bit(all[i].name);
	}
}

/* Is the row a title? It has one cell, and the list has so many columns that cells are not left out by
 * mistake. */
static bool has_one_cell(const struct drg_plan *p, const struct drg_sheet_row *row)
{
	enum { COLUMNS = 3 };
	unsigned n = 0, names = 0;
	for (unsigned i = 0; i < row->n; i++)
		n += row->cells[i].text.n > 0;
	for (unsigned i = 0; i < p->n_columns; i++)
		names += p->header[i].name.n > 0;
	return n == 1 && names >= COLUMNS;
}

/* "0, 0" is what programs write that know no place; it is in the sea. */
static bool is_zero_place(const struct drg_record *r)
{
	return drg_record_has(r, DRG_F_LAT) && drg_record_has(r, DRG_F_LNG) &&
	       fabs(r->v[DRG_F_LAT].d) + fabs(r->v[DRG_F_LNG].d) <= 0;
}

/* Remove the coordinates from the row, so that the stored ones stay. */
static void leave_out_place(struct converting *c, struct drg_converted *ret)
{
	const uint64_t place = UINT64_C(1) << DRG_F_LAT | UINT64_C(1) << DRG_F_LNG;
	c->r->has &= ~place;
	ret->placeless = true;
	ret->unsaid |= place;
}

static int convert_keep_texts(struct converting *c, struct drg_converted *ret, struct drg_err *reterr)
{
	ret->reasons = ret->warning = drg_str("", 0);
	if (c->reasons.n > 0)
		ret->reasons = drg_arena_str(c->arena, drg_buf_view(&c->reasons));
	if (c->warning.n > 0)
		ret->warning = drg_arena_str(c->arena, drg_buf_view(&c->warning));
	drg_buf_done(&c->reasons);
	drg_buf_done(&c->warning);
	return ret->reasons.p != NULL && ret->warning.p != NULL ? DRG_OK : drg_fail_memory(reterr);
}

int drg_convert_row(const struct drg_plan *p, int64_t adapter, const struct drg_sheet_row *row,
                    struct drg_arena *arena, struct drg_converted *ret, struct drg_err *reterr)
{
	struct converting c = { .p = p, .arena = arena, .r = &ret->r };
	*ret = (struct drg_converted){ .skipped = drg_row_oddity(p, row) };
	drg_buf_init(&c.reasons, 4096);
	drg_buf_init(&c.warning, 4096);
	drg_record_init(&ret->r, &drg_types[DRG_TYPE_SOURCE]);
	drg_record_set_i(&ret->r, DRG_F_ADAPTER_ID, adapter);
	drg_record_set_i(&ret->r, DRG_F_KIND, (int64_t)p->profile.kind);
	convert_cells(&c, row);
	ret->swallows = c.swallows;
	bool has_id = drg_record_has(&ret->r, DRG_F_SOURCE_ID);
	if (ret->skipped == NULL && !has_id && !c.bad_id) {
		ret->skipped = "no id";
		ret->idless = drg_record_has(&ret->r, DRG_F_NAME) && !has_one_cell(p, row);
	}
	if (is_zero_place(&ret->r))
		bad_place(&c, "lat, lng", "expected a place, found 0, 0");
	if (c.bad_place)
		leave_out_place(&c, ret);
	name_by_id(&c);
	take_defaults(&c, ret);
	ret->lone = has_id && !drg_record_has(&ret->r, DRG_F_NAME) && has_one_cell(p, row);
	return convert_keep_texts(&c, ret, reterr);
}

bool drg_convert_degrees(const struct drg_plan *p, const struct drg_sheet_row *row, bool exchanged,
                         double ret[2])
{
	const struct converting c = { .p = p };
	const enum drg_field fields[2] = { DRG_F_LAT, DRG_F_LNG };
	for (unsigned i = 0; i < 2; i++) {
		const struct drg_profile_column *f = drg_profile_column_of(&p->profile, fields[i]),
		                                *from = drg_profile_column_of(&p->profile,
		                                                              fields[exchanged ? 1 - i : i]);
		const size_t k = (size_t)(from - p->profile.columns);
		struct drg_str both[2];
		struct drg_json_item item;
		if (p->at[k] >= row->n)
			return false;
		struct drg_cell cell = row->cells[p->at[k]];
		if (drg_cell_point(cell.text, both)) {
			cell = (struct drg_cell){ both[point_part(f->field, exchanged)], DRG_CELL_TEXT, NAN };
		} else if (p->part[k] >= 0) {
			if (drg_cell_is_vague_pair(cell.text) || !drg_cell_split_pair(cell.text, true, both))
				return false;
			cell = (struct drg_cell){ both[p->part[k]], DRG_CELL_TEXT, NAN };
		}
		cell_item(&c, f->field, &cell, &item);
		if (item.type != DRG_JSON_REAL)
			return false;
		ret[i] = item.d;
	}
	return true;
}

bool drg_convert_also(const struct drg_record *row, enum drg_kind kind, struct drg_record *ret)
{
	assert(row->type->id == DRG_TYPE_SOURCE);
	const struct drg_kind_parent *said = drg_kind_parent(kind);
	if (said == NULL || !drg_record_has(row, said->id) || !drg_record_has(row, said->source_name))
		return false;
	drg_record_init(ret, row->type);
	drg_record_set_i(ret, DRG_F_ADAPTER_ID, row->v[DRG_F_ADAPTER_ID].i);
	drg_record_set_i(ret, DRG_F_KIND, (int64_t)kind);
	drg_record_set_s(ret, DRG_F_SOURCE_ID, drg_record_s(row, said->id));
	drg_record_set_s(ret, DRG_F_NAME, drg_record_s(row, said->source_name));
	for (unsigned i = 0; i < 2; i++) {
		static const enum drg_field country[] = { DRG_F_SRC_COUNTRY_ID, DRG_F_COUNTRY_NAME };
		if (drg_record_has(row, country[i]) && drg_kind_has(DRG_TYPE_SOURCE, kind, country[i]))
			drg_record_set_s(ret, country[i], drg_record_s(row, country[i]));
	}
	return true;
}
