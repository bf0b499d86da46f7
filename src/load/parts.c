#include "load/parts.h"

#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"

/* ---- parts of a cell ----------------------------------------------------------------------------------- */

static bool part_at(struct drg_str s, size_t at, size_t n, struct drg_str ret[2])
{
	ret[0] = drg_str_trim(drg_str(s.p, at));
	ret[1] = drg_str_trim(drg_str(s.p + at + n, s.n - at - n));
	return ret[0].n > 0 && ret[1].n > 0;
}

static size_t times(struct drg_str s, char c)
{
	size_t n = 0;
	for (size_t i = 0; i < s.n; i++)
		n += s.p[i] == c;
	return n;
}

static bool part_by_char(struct drg_str s, char c, struct drg_str ret[2])
{
	const char *at = times(s, c) == 1 ? memchr(s.p, c, s.n) : NULL;
	return at != NULL && part_at(s, (size_t)(at - s.p), 1, ret);
}

/* The cell without blanks and brackets around it. */
static struct drg_str unwrap(struct drg_str cell)
{
	struct drg_str s = drg_str_trim(cell);
	if (drg_str_begins(s, "geo:")) { /* RFC 5870 */
		const char *more =
		        memchr(s.p, ';', s.n) != NULL ? memchr(s.p, ';', s.n) : memchr(s.p, '?', s.n);
		return drg_str(s.p + 4, (more != NULL ? (size_t)(more - s.p) : s.n) - 4);
	}
	bool wrapped = s.n > 1 && strchr("([{", s.p[0]) != NULL && strchr(")]}", s.p[s.n - 1]) != NULL;
	return wrapped ? drg_str_trim(drg_str(s.p + 1, s.n - 2)) : s;
}

static bool is_whole(struct drg_str s)
{
	size_t i = s.n > 0 && (s.p[0] == '-' || s.p[0] == '+');
	const size_t from = i;
	while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
		i++;
	return i == s.n && i > from;
}

bool drg_cell_is_vague_pair(struct drg_str cell)
{
	struct drg_str rest = unwrap(cell), first;
	return drg_str_split(&rest, ',', &first) && rest.p != NULL && is_whole(first) && is_whole(rest);
}

/* Cut at the middle comma in "36,775, 31,376", at the only comma in "36.775, 31.376". */
static bool part_degrees(struct drg_str s, struct drg_str ret[2])
{
	size_t commas = times(s, ','), middle = (commas + 1) / 2;
	static const char signs[] = ";|/\n";
	for (const char *c = signs; *c != '\0'; c++)
		if (part_by_char(s, *c, ret))
			return true;
	for (size_t i = 0; i < s.n && commas % 2 == 1; i++)
		if (s.p[i] == ',' && --middle == 0)
			return part_at(s, i, 1, ret);
	return part_by_char(s, ' ', ret);
}

bool drg_cell_split_pair(struct drg_str cell, bool degrees, struct drg_str ret[2])
{
	static const char *const signs[] = { " / ", " - ", " \xe2\x80\x93 ", " | " };
	struct drg_str s = degrees ? unwrap(cell) : drg_str_trim(cell);
	if (s.n == 0)
		return false;
	if (degrees)
		return part_degrees(s, ret);
	for (size_t i = 0; i < DRG_ARRAY_LEN(signs); i++) {
		const char *at = memmem(s.p, s.n, signs[i], strlen(signs[i]));
		if (at != NULL)
			return part_at(s, (size_t)(at - s.p), strlen(signs[i]), ret);
	}
	return part_by_char(s, '/', ret) || part_by_char(s, '|', ret);
}

/* ---- points -------------------------------------------------------------------------------------------- */

static const char *find_nocase(struct drg_str s, const char *word)
{
	const size_t n = strlen(word);
	for (size_t i = 0; i + n <= s.n; i++)
		if (drg_str_eq_nocase(drg_str(s.p + i, n), drg_str_c(word)))
			return s.p + i;
	return NULL;
}

/* Cut "31.376 36.775", or "31.376, 36.775, 12" with the height, into its first two numbers. */
static bool first_two(struct drg_str s, struct drg_str ret[2])
{
	s = drg_str_trim(s);
	const bool commas = memmem(s.p, s.n, ", ", 2) != NULL || memmem(s.p, s.n, " ,", 2) != NULL ||
	                    memchr(s.p, ' ', s.n) == NULL;
	const char sign = commas ? ',' : ' ';
	struct drg_str rest = s, part;
	unsigned n = 0;
	while (drg_str_split(&rest, sign, &part)) {
		part = drg_str_trim(part);
		if (part.n > 0 && n < 2)
			ret[n] = part;
		n += part.n > 0;
	}
	return n >= 2 && n <= 4;
}

/* The number behind the name of a member, in {"lat": 36.775, "lng": 31.376}. */
static bool member_number(struct drg_str s, const char *const *names, struct drg_str *ret)
{
	for (; *names != NULL; names++) {
		const size_t n = strlen(*names);
		const char *at = find_nocase(s, *names), *end = s.p + s.n;
		if (at == NULL || at == s.p || strchr("\"' {,", at[-1]) == NULL)
			continue;
		for (at += n; at < end && strchr("\"' :", *at) != NULL;)
			at++;
		const char *from = at;
		while (at < end && strchr("+-.0123456789", *at) != NULL)
			at++;
		*ret = drg_str(from, (size_t)(at - from));
		return ret->n > 0;
	}
	return false;
}

bool drg_cell_point(struct drg_str cell, struct drg_str ret[2])
{
	static const char *const lats[] = { "latitude", "lat", NULL }, *const lngs[] = { "longitude", "long",
		                                                                         "lng", "lon", NULL };
	struct drg_str s = drg_str_trim(cell), xy[2];
	const char *open = NULL;
	if (s.n == 0 || strchr("{<PpSs", s.p[0]) == NULL)
		return false;
	if (s.p[0] == '{') {
		const char *name = find_nocase(s, "coordinates");
		if (name == NULL)
			return member_number(s, lats, &ret[0]) && member_number(s, lngs, &ret[1]);
		open = memchr(name, '[', (size_t)(s.p + s.n - name));
	} else {
		const char *name = find_nocase(s, "point");
		/* "SRID=4326;POINT (...)", "<http://.../CRS84> POINT(...)" stand before, " Z" behind */
		if (name == NULL || (name > s.p && strchr("; >", name[-1]) == NULL))
			return false;
		if (name > s.p && s.p[0] != '<' && !drg_str_eq_nocase(drg_str(s.p, 4), DRG_STR("SRID")))
			return false;
		open = memchr(name, '(', (size_t)(s.p + s.n - name));
		if (open != NULL && open - name > 8)
			return false;
	}
	if (open == NULL)
		return false;
	const char *close = memchr(open, *open == '[' ? ']' : ')', (size_t)(s.p + s.n - open));
	if (close == NULL || !first_two(drg_str(open + 1, (size_t)(close - open - 1)), xy) ||
	    xy[0].p[0] == '[')
		return false; /* a line or an area */
	ret[0] = xy[1];
	ret[1] = xy[0];
	return true;
}

/* "36.775, 31.376": two numbers with two decimals or more, which hardly mean anything else. */
static bool is_precise(struct drg_str s, double most)
{
	char text[24], *end;
	const char *point = memchr(s.p, '.', s.n);
	if (point == NULL)
		point = memchr(s.p, ',', s.n);
	if (point == NULL || s.p + s.n - point < 3 || s.n >= sizeof text)
		return false;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	text[point - s.p] = '.';
	const double d = strtod(text, &end);
	return *end == '\0' && d >= -most && d <= most;
}

bool drg_cell_is_place(struct drg_str cell)
{
	struct drg_str both[2];
	return drg_cell_point(cell, both) || (drg_cell_split_pair(cell, true, both) &&
	                                      is_precise(both[0], 180) && is_precise(both[1], 180));
}

/* ---- degrees, minutes, seconds -------------------------------------------------------------------------- */

static const char *const degree_signs[] = { "°", "º", "˚", " ", "'", "’", "′", "\"", "”", "″" };
enum { OF_DEGREES = 3 }; /* the first ones can only be of degrees */

/* The bytes of one of the first @p n signs at a place; 0: there is none. */
static size_t degree_sign(struct drg_str s, size_t at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s.n - at >= strlen(degree_signs[i]) &&
		    memcmp(s.p + at, degree_signs[i], strlen(degree_signs[i])) == 0)
			return strlen(degree_signs[i]);
	return 0;
}

/* Read digits, with decimals if @p ret_last becomes true. @return bytes; 0: it is not a number */
static size_t degree_number(struct drg_str s, size_t at, double *ret, bool *ret_last)
{
	double scale = 1;
	size_t n = 0;
	*ret = 0;
	for (*ret_last = false; at + n < s.n && n < 20; n++) {
		char c = s.p[at + n];
		if (c >= '0' && c <= '9') {
			*ret = *ret * 10 + (c - '0');
			scale *= *ret_last ? 10 : 1;
		} else if ((c == '.' || c == ',') && n > 0 && !*ret_last) {
			*ret_last = true;
		} else {
			break;
		}
	}
	*ret /= scale;
	return n;
}

/* Cut off the letter of a side, or the sign before a number of degrees.
 * @return 1; -1: south or west; 0: there is neither a letter nor a sign of degrees */
static int take_side(struct drg_str *s, bool latitude)
{
	static const char *const sides[2][2] = { { "EeDd", "WwBb" }, { "NnKk", "SsGg" } };
	bool degrees = false;
	for (size_t i = 0; i < s->n && !degrees; i++)
		degrees = degree_sign(*s, i, OF_DEGREES) > 0;
	for (int minus = 0; minus < 2 && s->n > 1; minus++) {
		bool before = memchr(sides[latitude][minus], s->p[0], 4) != NULL;
		if (before || memchr(sides[latitude][minus], s->p[s->n - 1], 4) != NULL) {
			*s = drg_str(s->p + before, s->n - 1);
			return minus ? -1 : 1;
		}
	}
	bool negative = degrees && s->p[0] == '-';
	*s = drg_str(s->p + negative, s->n - negative);
	return negative ? -1 : degrees;
}

bool drg_cell_degrees(struct drg_str cell, bool latitude, double *ret)
{
	struct drg_str s = drg_str_trim(cell);
	double number, unit = 1, sum = 0;
	bool last = false;
	int side = s.n > 0 ? take_side(&s, latitude) : 0;
	for (size_t at = 0, n; at < s.n; at += n) {
		n = degree_sign(s, at, DRG_ARRAY_LEN(degree_signs));
		if (n > 0 && unit <= 60 && degree_sign(s, at, OF_DEGREES + 1) == 0)
			return false; /* minutes without degrees */
		if (n > 0)
			continue;
		if (last || unit > 3600 || (n = degree_number(s, at, &number, &last)) == 0 ||
		    (unit > 1 && number >= 60))
			return false;
		sum += number / unit;
		unit *= 60;
	}
	*ret = side * sum;
	return side != 0 && unit > 1;
}

/* ---- rows that are not records
 * -------------------------------------------------------------------------- */

static bool is_amount(struct drg_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((s.p[i] < '0' || s.p[i] > '9') && strchr(" .,'%", s.p[i]) == NULL)
			return false;
	return true;
}

/* "Total", "TOPLAM: 2093" in the first cell, with only amounts behind it. */
static bool is_total(const struct drg_sheet_row *row)
{
	struct drg_str first = drg_str("", 0);
	for (unsigned i = 0; i < row->n; i++) {
		struct drg_str s = row->cells[i].text;
		if (first.n == 0)
			first = s;
		else if (!is_amount(s))
			return false;
	}
	while (first.n > 0 && strchr(" .,:=0123456789", first.p[first.n - 1]) != NULL)
		first.n--;
	return drg_column_is_total(first);
}

/* Neither a letter nor a digit: "---", "***". */
static bool is_rule(struct drg_str s)
{
	size_t i = 0;
	while (i < s.n && (strchr(" *-=_.~#+/\\|:<>", s.p[i]) != NULL ||
	                   (s.n - i >= 3 && (memcmp(s.p + i, "\xe2\x80", 2) == 0 || /* dashes, dots */
	                                     memcmp(s.p + i, "\xe2\x94", 2) == 0 || /* drawn lines */
	                                     memcmp(s.p + i, "\xe2\x95", 2) == 0))))
		i += s.p[i] == '\xe2' ? 3 : 1;
	return i >= s.n;
}

/* "12", "12 hotels", "-": no name of a record? */
static bool is_count(struct drg_str s)
{
	size_t n = 0;
	if (is_rule(s))
		return true;
	while (n < s.n && is_amount(drg_str(s.p + n, 1)))
		n++;
	return n == s.n || (n > 1 && s.p[n - 1] == ' ' && memchr(s.p + n, ' ', s.n - n) == NULL);
}

/* A sum or a note instead of the id, in a row without a name. */
static bool is_remark(const struct drg_plan *p, const struct drg_sheet_row *row)
{
	const struct drg_profile_column *id = drg_profile_column_of(&p->profile, DRG_F_SOURCE_ID);
	if (id == NULL || drg_profile_column_of(&p->profile, DRG_F_NAME) == NULL)
		return false;
	unsigned k = (unsigned)(id - p->profile.columns), at = p->at[k];
	for (unsigned i = 0; i < row->n; i++)
		if (i < at ? row->cells[i].text.n > 0 : i > at && !is_count(row->cells[i].text))
			return false;
	return at < row->n && p->part[k] < 0 && drg_column_is_remark(row->cells[at].text);
}

static bool same_cells(const struct drg_sheet_row *a, const struct drg_sheet_row *b)
{
	bool same = a->n == b->n;
	for (unsigned i = 0; i < a->n && same; i++)
		same = drg_str_eq_nocase(a->cells[i].text, b->cells[i].text);
	return same;
}

/* Is the cell the heading, as people compare them? Folding is for the few that begin alike. */
static bool is_heading(struct drg_str cell, const struct drg_column *heading)
{
	struct drg_column c;
	struct drg_arena arena;
	if (cell.n == 0 || heading->name.n == 0 || drg_str_eq_nocase(cell, heading->name))
		return cell.n > 0 && heading->name.n > 0;
	if (((cell.p[0] ^ heading->name.p[0]) & ~0x20) != 0)
		return false;
	drg_arena_init(&arena, SIZE_MAX);
	const bool same = drg_column_make(cell, &arena, &c, NULL) == DRG_OK && drg_column_same(&c, heading);
	drg_arena_done(&arena);
	return same;
}

/* Is the row the header once more? Printed lists have it on each page. */
static bool is_header_again(const struct drg_plan *p, const struct drg_sheet_row *row)
{
	unsigned same = 0;
	for (unsigned i = 0; i < p->header_rows && row->n > 1; i++)
		if (same_cells(row, &p->kept[p->header_at - i]))
			return true;
	for (unsigned k = 0; k < p->profile.n_columns && same == k; k++)
		same += p->at[k] < row->n && is_heading(row->cells[p->at[k]].text, &p->header[p->at[k]]);
	return same > 1 && same == p->profile.n_columns;
}

/* "End" alone could be a name, so it is a note only where the list has more columns. */
static bool is_closing(struct drg_str s, bool columns)
{
	static const char *const rights[] = { "\xc2\xa9", "(c)", "copyright" };
	static const char *const ends[] = { "end",   "the end", "eof",    "ende",  "fin",
		                            "fine",  "son",     "koniec", "конец", "Конец",
		                            "КОНЕЦ", "кінець",  "Кінець", "КІНЕЦЬ" };
	while (s.n > 0 && strchr(" *-=.#_", s.p[s.n - 1]) != NULL)
		s.n--;
	while (s.n > 0 && strchr(" *-=.#_", s.p[0]) != NULL)
		s = drg_str(s.p + 1, s.n - 1);
	for (size_t i = 0; i < DRG_ARRAY_LEN(rights); i++) {
		const size_t n = strlen(rights[i]);
		if (s.n >= n && drg_str_eq_nocase(drg_str(s.p, n), drg_str_c(rights[i])))
			return true;
	}
	for (size_t i = 0; i < DRG_ARRAY_LEN(ends) && columns; i++)
		if (drg_str_eq_nocase(s, drg_str_c(ends[i])))
			return true;
	return false;
}

/* Is the row a drawn line, or has it one text, however often, that closes a list? Categories may be "***". */
static bool is_line(const struct drg_plan *p, const struct drg_sheet_row *row)
{
	struct drg_str text = drg_str("", 0);
	unsigned columns = 0;
	bool drawn = true, same = true;
	for (unsigned i = 0; i < row->n && (drawn || same); i++) {
		struct drg_str s = row->cells[i].text;
		drawn = drawn && is_rule(s);
		same = same && (text.n == 0 || s.n == 0 || drg_str_eq(s, text));
		text = s.n > 0 ? s : text;
	}
	for (unsigned i = 0; i < p->n_columns; i++)
		columns += p->header[i].name.n > 0;
	return text.n > 0 && p->profile.kind != DRG_KIND_HOTEL_CATEGORY &&
	       (drawn || (same && is_closing(text, columns > 1)));
}

/* True if the row is commented out, as in files that have such lines above the header. */
static bool is_comment(const struct drg_plan *p, const struct drg_sheet_row *row)
{
	const bool comments = p->n_kept > 0 && p->header_at >= p->header_rows && p->kept[0].n > 0 &&
	                      drg_str_begins(p->kept[0].cells[0].text, "#");
	return comments && row->n > 0 && drg_str_begins(row->cells[0].text, "#");
}

/* Words of a row below the header that describes the columns: "varchar(20)", "text", "required". */
static bool is_types(const struct drg_plan *p, const struct drg_sheet_row *row)
{
	static const char words[] =
	        " int integer bigint smallint tinyint long varchar nvarchar char nchar text string str float "
	        "double decimal numeric number real bool boolean bit date datetime timestamp uuid "
	        "alphanumeric required mandatory optional ";
	unsigned types = 0;
	if (p->header_at + 1 >= p->n_kept || row->line != p->kept[p->header_at + 1].line)
		return false;
	for (unsigned i = 0; i < row->n; i++) {
		const struct drg_str s = row->cells[i].text;
		const char *open = memchr(s.p, '(', s.n);
		char word[24];
		const size_t n = open != NULL && s.p[s.n - 1] == ')' ? (size_t)(open - s.p) : s.n;
		if (s.n == 0)
			continue;
		if (n == 0 || n > sizeof word || memchr(s.p, ' ', n) != NULL)
			return false;
		for (size_t k = 0; k < n; k++)
			word[k] = s.p[k] >= 'A' && s.p[k] <= 'Z' ? (char)(s.p[k] | 32) : s.p[k];
		if (!drg_str_is_among(drg_str(word, n), words))
			return false;
		types++;
	}
	return types > 1;
}

const char *drg_row_oddity(const struct drg_plan *p, const struct drg_sheet_row *row)
{
	return is_total(row)             ? "a total"
	       : is_remark(p, row)       ? "a total or a note"
	       : is_header_again(p, row) ? "the header once more"
	       : is_comment(p, row)      ? "a comment"
	       : is_types(p, row)        ? "a row of column types"
	       : is_line(p, row)         ? "a line or a note"
	                                 : NULL;
}
