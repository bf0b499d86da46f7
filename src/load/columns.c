#include "load/columns.h"

#include <assert.h>

#include "load/column_words.h"
#include "load/profile.h"
#include "text/fold.h"
#include "text/utf8.h"

/* The first or last word of a column that exists for several languages: "Name (EN)", "en_name". Of these the
 * English one is used, if there is one. */
static const char english[] = "en|eng|english|angl";
static const char languages[] = "ru|rus|russian|uk|ua|ukr|ukrainian|tr|tur|turkish|de|deu|ger|german|fr|fra|"
                                "french|es|spa|spanish|it|ita|"
                                "italian|pl|pol|polish|cs|cz|czech|pt|por|portuguese|nl|dutch|el|greek|bg|ro|"
                                "hu|ar|arabic|he|zh|cn|chinese|"
                                "ja|jp|japanese|ko";

/* Words that stand before a sum, in an id's cell. */
static const char totals[] =
        "total|totals|grand total|sub total|subtotal|total hotels|toplam|genel toplam|ara toplam|"
        "toplam otel|итого|итог|всего|всего отелей|разом|всього|усього|razem|ogolem|summe|gesamt|"
        "insgesamt|totale|total general|celkem|osszesen|totaal|ukupno";

/* Words that an id's cell may begin with if it is a sum or a note for people. The first ones may stand
 * alone. */
static const char sums[] = "sum|suma|somme|count|anzahl|lacznie|количество|кількість";
static const char notes[] =
        "note|notes|page|end of|примечание|примітка|страница|стр|конец|кінець|sayfa|hinweis|seite|"
        "ende der|uwaga|strona|koniec|nota|pagina";

enum { FOLDED_MAX = 100, COLUMN_POOL = 8 * 1024 };

static struct {
	struct drg_buf pool; /* text of the folded words */
	struct {
		const char *of; /* totals, sums or notes */
		size_t at, n;
	} list[FOLDED_MAX];
	unsigned n;
} folded;

/* Longer names are not names that people use; they are equal only if their bytes are. */
enum { NAME_MAX_FOLDED = 256 };

/* Signs between words are blanks, and so is the apostrophe of "l'hôtel"; the one of "об'єкт" does not
 * separate words. */
static void fold_column(struct drg_str s, struct drg_buf *out)
{
	static const char apostrophe[] = "\xe2\x80\x99";
	char plain[NAME_MAX_FOLDED];
	size_t n = 0;
	if (s.n > sizeof plain)
		return;
	for (size_t i = 0; i < s.n; i++) {
		const bool elided = i > 0 && strchr("lLdD", s.p[i - 1]) != NULL,
		           curly = s.n - i >= 3 && memcmp(s.p + i, apostrophe, 3) == 0;
		const size_t unseen =
		        (unsigned char)s.p[i] >= 0x80 ? drg_utf8_unseen(drg_str(s.p + i, s.n - i)) : 0;
		const bool sign = unseen > 0 || (elided && (curly || s.p[i] == '\'')) ||
		                  (s.p[i] != '\0' && strchr("_-./:#*()[],;|&\n", s.p[i]) != NULL);
		if (unseen == 0 || drg_utf8_is_blank(drg_str(s.p + i, unseen)))
			plain[n++] = sign ? ' ' : s.p[i];
		i += elided && curly ? 2 : unseen > 0 ? unseen - 1 : 0;
	}
	drg_fold(drg_str(plain, n), DRG_FOLD_PLAIN, out);
}

static void take_words(const char *words)
{
	struct drg_str rest = drg_str_c(words), word;
	while (drg_str_split(&rest, '|', &word)) {
		const size_t at = folded.pool.n;
		assert(folded.n < FOLDED_MAX);
		fold_column(word, &folded.pool);
		folded.list[folded.n].of = words;
		folded.list[folded.n].at = at;
		folded.list[folded.n++].n = folded.pool.n - at;
	}
}

int drg_columns_open(struct drg_err *reterr)
{
	if (folded.n > 0)
		return DRG_OK;
	drg_buf_init(&folded.pool, COLUMN_POOL);
	take_words(totals);
	take_words(sums);
	take_words(notes);
	return folded.pool.rc == DRG_OK ? drg_column_words_open(reterr) : drg_fail_memory(reterr);
}

/* The name before "(max 60 chars)"; all of it if there is no such remark. */
static struct drg_str before_remark(struct drg_str name)
{
	struct drg_str s = drg_str_trim(name);
	const char *open = NULL;
	if (s.n > 0 && (s.p[s.n - 1] == ')' || s.p[s.n - 1] == ']'))
		open = memrchr(s.p, s.p[s.n - 1] == ')' ? '(' : '[', s.n);
	struct drg_str before = drg_str_trim(drg_str(s.p, open != NULL ? (size_t)(open - s.p) : 0));
	return before.n > 0 ? before : s;
}

static bool is_among(struct drg_str word, const char *words)
{
	struct drg_str rest = drg_str_c(words), one;
	while (drg_str_split(&rest, '|', &one))
		if (drg_str_eq(one, word))
			return true;
	return false;
}

/* Both coordinates in one column. */
static bool says_both(uint64_t says)
{
	const uint64_t what = says & DRG_COL_WHAT, each = DRG_COL_LAT | DRG_COL_LNG;
	return what == DRG_COL_PAIR || (what & ~DRG_COL_PAIR) == each ||
	       (what == 0 && (says & (DRG_COL_SUBJECTS | DRG_COL_QUALITIES)) == DRG_COL_GEO);
}

/* The meanings of a folded name; "hotel name en" and "en hotel name" without the language. "de" and "el" are
 * words too, but not at the end. */
static uint64_t says_in_language(struct drg_str key, unsigned *ret_rank)
{
	const char *last = memrchr(key.p, ' ', key.n), *first = memchr(key.p, ' ', key.n);
	uint64_t says = 0;
	for (unsigned end = 0; end < 2 && says == 0; end++) {
		const char *blank = end == 0 ? last : first;
		struct drg_str before = drg_str(key.p, blank != NULL ? (size_t)(blank - key.p) : key.n),
		               behind = blank != NULL ? drg_str(blank + 1, key.n - before.n - 1)
		                                      : drg_str("", 0),
		               word = end == 0 ? behind : before;
		const bool is_english = is_among(word, english);
		*ret_rank = is_english ? 0 : DRG_COLUMN_FOREIGN;
		if (is_english || is_among(word, languages))
			says = drg_column_says(end == 0 ? before : behind);
		if (says == 0 && end == 0) {
			*ret_rank = 0;
			says = drg_column_says(key);
		}
	}
	*ret_rank = says != 0 ? *ret_rank : 0;
	return says;
}

/* Find the meaning of a name: of all of it, else of the part before a remark in brackets, else of the remark
 * if that is "(coordinates)". */
static void column_say(struct drg_column *c, struct drg_str before)
{
	char folded_remark[8 * NAME_MAX_FOLDED];
	if (c->bare.n > 0 && !c->remarked)
		c->says = says_in_language(c->bare, &c->rank);
	if (c->says == 0)
		c->says = says_in_language(c->key, &c->rank);
	if (c->says == 0 && c->remarked && c->bare.n > 0) {
		c->says = says_in_language(c->bare, &c->rank);
		c->rank |= DRG_COLUMN_REMARKED;
	}
	if (c->says == 0 && c->remarked) {
		struct drg_buf remark;
		drg_buf_init(&remark, sizeof folded_remark);
		fold_column(
		        drg_str(before.p + before.n, c->name.n - (size_t)(before.p + before.n - c->name.p)),
		        &remark);
		const uint64_t says = drg_column_says(drg_buf_view(&remark));
		c->says = says_both(says) ? says : 0;
		drg_buf_done(&remark);
	}
	c->rank |= (c->says & DRG_COL_VAGUE) != 0                     ? DRG_COLUMN_VAGUE
	           : (c->says & (DRG_COL_FEWER | DRG_COL_TITLE)) != 0 ? DRG_COLUMN_FEWER
	                                                              : 0;
}

int drg_column_make(struct drg_str name, struct drg_arena *arena, struct drg_column *ret,
                    struct drg_err *reterr)
{
	char words[2 * NAME_MAX_FOLDED];
	struct drg_buf key, bare;
	struct drg_str before = before_remark(name);
	size_t n = before.n <= NAME_MAX_FOLDED ? drg_fold_part(before, words) : 0;
	drg_buf_init(&key, 16 * NAME_MAX_FOLDED);
	drg_buf_init(&bare, 16 * NAME_MAX_FOLDED);
	fold_column(name, &key);
	*ret = (struct drg_column){ .name = name, .key = drg_arena_str(arena, drg_buf_view(&key)) };
	ret->remarked = before.n < drg_str_trim(name).n;
	if (ret->remarked || n > before.n)
		fold_column(drg_str(words, n), &bare);
	ret->bare = bare.n > 0 ? drg_arena_str(arena, drg_buf_view(&bare)) : drg_str("", 0);
	bool ok = key.rc != DRG_ENOMEM && bare.rc != DRG_ENOMEM && ret->key.p != NULL && ret->bare.p != NULL;
	if (ok)
		column_say(ret, before);
	drg_buf_done(&key);
	drg_buf_done(&bare);
	return ok ? DRG_OK : drg_fail_memory(reterr);
}

bool drg_column_same(const struct drg_column *a, const struct drg_column *b)
{
	return drg_str_eq(a->name, b->name) || (a->key.n > 0 && drg_str_eq(a->key, b->key));
}

static bool is_called(struct drg_str key, unsigned i)
{
	return drg_str_eq(key, drg_str(folded.pool.p + folded.list[i].at, folded.list[i].n));
}

/* ---- what they mean in a list of a kind ---------------------------------------------------------------- */

/* A quality fits some names only: "GPS" needs a coordinate, "contact" a telephone, an address or a place and
 * neither a name nor an id, "supplier" the id of a record. */
static bool qualities_fit(uint64_t says)
{
	static const struct {
		uint64_t quality, wants, without;
	} all[] = {
		{ DRG_COL_GEO, DRG_COL_LAT | DRG_COL_LNG | DRG_COL_PAIR, 0 },
		{ DRG_COL_DEGREES, DRG_COL_LAT | DRG_COL_LNG | DRG_COL_PAIR, 0 },
		{ DRG_COL_CONTACT,
		  DRG_COL_PHONE | DRG_COL_URL | DRG_COL_ADDRESS | DRG_COL_ZIP | DRG_COL_CITY |
		          DRG_COL_COUNTRY,
		  DRG_COL_ID | DRG_COL_NAME },
		{ DRG_COL_TITLE, DRG_COL_NAME | DRG_COL_URL | DRG_COL_CATEGORY, 0 },
		{ DRG_COL_SOURCE, DRG_COL_ID, DRG_COL_NAME },
		{ DRG_COL_SOURCE, DRG_COL_SUBJECTS, DRG_COL_NAME },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(all); i++)
		if ((says & all[i].quality) != 0 &&
		    ((says & all[i].wants) == 0 || (says & all[i].without) != 0))
			return false;
	return true;
}

/* The field of a column of the record itself. @param ours  Its words name the kind. */
static const char *own_field(enum drg_kind kind, uint64_t what, bool ours)
{
	static const struct {
		uint64_t what;
		const char *wire;
	} fields[] = { { DRG_COL_NAME, "name" },
		       { DRG_COL_ID, "id" },
		       { DRG_COL_ID | DRG_COL_NUMBER, "id" },
		       { DRG_COL_LAT, "lat" },
		       { DRG_COL_LNG, "lng" },
		       { DRG_COL_ADDRESS, "address" },
		       { DRG_COL_ADDRESS | DRG_COL_NAME, "address" },
		       { DRG_COL_ADDRESS | DRG_COL_HOUSE, "address" },
		       { DRG_COL_ZIP, "zip" },
		       { DRG_COL_URL, "url" },
		       { DRG_COL_PHONE, "phone" },
		       { DRG_COL_PHONE | DRG_COL_NUMBER, "phone" },
		       { DRG_COL_LANG, "lang" },
		       { DRG_COL_LANG | DRG_COL_ID, "lang" },
		       { DRG_COL_RESORT, "is_resort" },
		       { DRG_COL_DICT, "dict_id" } };
	if (ours && (what == 0 || what == DRG_COL_NUMBER))
		return what == 0 ? "name" : "id";
	if ((what & ~DRG_COL_ID) == DRG_COL_ISO)
		return drg_kind_has(DRG_TYPE_SOURCE, kind, DRG_F_ISO_CODE) ? "iso_code"
		       : kind == DRG_KIND_COUNTRY                          ? "id"
		                                                           : "country_id";
	for (size_t i = 0; i < DRG_ARRAY_LEN(fields); i++)
		if (fields[i].what == what)
			return fields[i].wire;
	return NULL;
}

/* The field of a column of another record, to which a row belongs. */
static const char *other_field(uint64_t subject, uint64_t what)
{
	static const struct {
		uint64_t subject;
		const char *id, *name;
	} fields[] = { { DRG_COL_COUNTRY, "country_id", "country_name" },
		       { DRG_COL_CITY, "city_id", "city_name" },
		       { DRG_COL_CATEGORY, "category_id", "category_name" } };
	const uint64_t ids = DRG_COL_ID | DRG_COL_NUMBER | (subject == DRG_COL_COUNTRY ? DRG_COL_ISO : 0);
	/* "number of stars" */
	const bool name =
	        (what & ~DRG_COL_NAME) == 0 || (subject == DRG_COL_CATEGORY && what == DRG_COL_NUMBER);
	for (size_t i = 0; i < DRG_ARRAY_LEN(fields); i++)
		if (fields[i].subject == subject && (name || (what & ~ids) == 0))
			return name ? fields[i].name : fields[i].id;
	return NULL;
}

/* Words that name the record's own columns: those of its kind, and "city" where it is another sort of city. */
static uint64_t own_subjects(enum drg_kind kind)
{
	return DRG_COL_BIT(kind) | (drg_kind_compared(kind) == DRG_COMPARED_PLACES ? DRG_COL_CITY : 0);
}

/* The kind's own word before or behind another one says nothing more: "hotel_country", "id hotel". */
const struct drg_field_def *drg_column_field(enum drg_kind kind, const struct drg_column *column,
                                             unsigned *ret_rank)
{
	const uint64_t says = column->says, mine = own_subjects(kind),
	               hotel = drg_profile_of_codes(kind) && kind != DRG_KIND_COUNTRY ? DRG_COL_HOTEL : 0;
	uint64_t subject = says & DRG_COL_SUBJECTS, what = says & DRG_COL_WHAT;
	if (ret_rank != NULL && says_both(says))
		*ret_rank = column->rank | DRG_COLUMN_FEWER; /* a column for each is more usual */
	if (says == 0 || !qualities_fit(says) || says_both(says))
		return NULL;
	if ((subject & ~hotel) != 0)
		subject &= ~hotel; /* "hotel category" in a list of categories */
	if ((subject & ~mine) != 0)
		subject &= ~mine;
	if ((says & DRG_COL_VAGUE) != 0 && subject != DRG_COL_CITY)
		subject &= ~DRG_COL_CITY; /* "region.country_code" */
	if ((what & (DRG_COL_LAT | DRG_COL_LNG)) != 0)
		what &= ~DRG_COL_PAIR; /* "coordinates.lat" */
	const bool ours = (subject & mine) != 0, other = subject != 0 && !ours;
	if ((what & DRG_COL_ADDRESS) != 0 &&
	    (other || (what & (DRG_COL_ZIP | DRG_COL_URL | DRG_COL_PHONE | DRG_COL_LAT | DRG_COL_LNG)) != 0))
		what &= ~DRG_COL_ADDRESS; /* "addr:city", "web address" */
	if ((says & DRG_COL_VAGUE) != 0 && (subject & DRG_COL_CITY) != 0 && (what & DRG_COL_ID) != 0)
		return NULL; /* "area code" */
	const char *wire = other ? other_field(subject, what) : own_field(kind, what, ours);
	if (wire != NULL && ret_rank != NULL)
		*ret_rank = column->rank + (kind == DRG_KIND_COUNTRY && (what & DRG_COL_ISO) != 0);
	return wire != NULL ? drg_profile_field(kind, drg_str_c(wire)) : NULL;
}

/* ---- columns for two fields ---------------------------------------------------------------------------- */

/* Cut "Code / Name" into its two names; in two languages both sides have the same two. */
static bool two_names(struct drg_str name, struct drg_str ret[2])
{
	static const char signs[] = "/,|;\n";
	for (const char *sign = signs; *sign != '\0'; sign++) {
		struct drg_str rest = name, more;
		if (!drg_str_split(&rest, *sign, &ret[0]) || rest.p == NULL)
			continue;
		more = rest;
		drg_str_split(&more, *sign, &ret[1]);
		return more.p == NULL;
	}
	return false;
}

static unsigned fields_of_parts(enum drg_kind kind, struct drg_str name, struct drg_arena *arena,
                                const struct drg_field_def *ret[2])
{
	struct drg_str parts[2];
	struct drg_column c[2];
	if (!two_names(name, parts))
		return 0;
	for (unsigned i = 0; i < 2; i++) {
		if (drg_column_make(drg_str_trim(parts[i]), arena, &c[i], NULL) != DRG_OK)
			return 0;
		ret[i] = drg_column_field(kind, &c[i], NULL);
		if (ret[i] == NULL)
			return 0;
	}
	/* "hotel/id" is one name, "Code / Hotel" and "Hotel / City" are two. */
	const bool one = (c[0].says & DRG_COL_WHAT) == 0 && (c[1].says & DRG_COL_SUBJECTS) == 0;
	return ret[0] == ret[1] || one ? 1 : 2;
}

static bool is_called_one_of(struct drg_str key, const char *words)
{
	for (unsigned i = 0; i < folded.n; i++)
		if (folded.list[i].of == words && is_called(key, i))
			return true;
	return false;
}

static bool has_coordinates(const struct drg_column *column, struct drg_arena *arena)
{
	struct drg_str parts[2];
	struct drg_column one;
	if (says_both(column->says))
		return true;
	return two_names(column->name, parts) &&
	       drg_column_make(drg_str_trim(parts[0]), arena, &one, NULL) == DRG_OK && says_both(one.says);
}

/* The remaining words of the name must be those of a coordinate. */
bool drg_column_is_minutes(const struct drg_column *column)
{
	static const char words[] =
	        "min|mins|minute|minutes|minuten|minutos|minuti|dakika|minuta|minuty|minut|"
	        "sec|secs|second|seconds|seconde|secondes|sekunde|sekunden|segundos|secondi|"
	        "saniye|sekunda|sekundy|sekund|минуты|минут|мин|секунды|секунд|сек|хвилини";
	const struct drg_str key = column->bare.n > 0 ? column->bare : column->key;
	char rest[NAME_MAX_FOLDED];
	struct drg_str left = key, word;
	size_t n = 0;
	bool found = false;
	while (drg_str_split(&left, ' ', &word)) {
		const bool minutes = is_among(word, words);
		found |= minutes;
		if (minutes || n + word.n + 1 > sizeof rest)
			continue;
		if (n > 0)
			rest[n++] = ' ';
		memcpy(rest + n, word.p, word.n);
		n += word.n;
	}
	if (!found && key.n == 6 && drg_str_begins(key, "l")) { /* "latmin", "lngsec" */
		found = is_among(drg_str(key.p + 3, 3), "min|sec");
		memcpy(rest, key.p, n = 3);
	}
	return found && n > 0 && (drg_column_says(drg_str(rest, n)) & (DRG_COL_LAT | DRG_COL_LNG)) != 0;
}

bool drg_column_is_total(struct drg_str cell)
{
	enum { WORD_MAX = 40 };
	struct drg_column c;
	struct drg_arena arena;
	if (cell.n == 0 || cell.n > WORD_MAX)
		return false;
	drg_arena_init(&arena, SIZE_MAX);
	bool found = drg_column_make(cell, &arena, &c, NULL) == DRG_OK && is_called_one_of(c.key, totals);
	drg_arena_done(&arena);
	return found;
}

/* Does the cell begin with one of the words, and have more after a blank or a colon? An id such as SUM-1 has
 * neither. */
static bool begins_with_one_of(const struct drg_column *c, const char *words)
{
	bool sentence =
	        memchr(c->name.p, ' ', c->name.n) != NULL || memchr(c->name.p, ':', c->name.n) != NULL;
	for (unsigned i = 0; i < folded.n && sentence; i++) {
		size_t n = folded.list[i].n;
		if (folded.list[i].of == words && (c->key.n == n || (c->key.n > n && c->key.p[n] == ' ')) &&
		    memcmp(c->key.p, folded.pool.p + folded.list[i].at, n) == 0)
			return true;
	}
	return false;
}

/* "Hotels: 12" */
static bool ends_with_amount(struct drg_str s)
{
	const char *colon = memrchr(s.p, ':', s.n), *end = s.p + s.n;
	size_t blanks = 0, digits = 0;
	for (const char *c = colon != NULL ? colon + 1 : end; c < end; c++) {
		blanks += *c == ' ' && digits == 0;
		digits += *c >= '0' && *c <= '9';
		if ((*c < '0' || *c > '9') && strchr(" .,", *c) == NULL)
			return false;
	}
	return colon != NULL && colon > s.p && blanks > 0 && digits > 0;
}

bool drg_column_is_remark(struct drg_str cell)
{
	struct drg_column c;
	struct drg_arena arena;
	if (cell.n == 0)
		return false;
	drg_arena_init(&arena, SIZE_MAX);
	bool found = drg_column_make(cell, &arena, &c, NULL) == DRG_OK && c.key.n > 0 &&
	             (ends_with_amount(cell) || is_called_one_of(c.key, totals) ||
	              is_called_one_of(c.key, sums) || begins_with_one_of(&c, totals) ||
	              begins_with_one_of(&c, sums) || begins_with_one_of(&c, notes));
	drg_arena_done(&arena);
	return found;
}

unsigned drg_column_fields(enum drg_kind kind, const struct drg_column *column,
                           const struct drg_field_def *ret[2])
{
	struct drg_arena arena;
	const struct drg_field_def *whole = drg_column_field(kind, column, NULL);
	drg_arena_init(&arena, SIZE_MAX);
	unsigned n = fields_of_parts(kind, column->name, &arena, ret);
	if (n < 2 && whole != NULL) {
		ret[0] = whole;
		n = 1;
	}
	if (n == 0 && has_coordinates(column, &arena)) {
		const bool lng_first =
		        (column->says & DRG_COL_LNG_FIRST) != 0 && (column->says & DRG_COL_LAT) != 0;
		ret[lng_first] = drg_profile_field(kind, DRG_STR("lat"));
		ret[!lng_first] = drg_profile_field(kind, DRG_STR("lng"));
		n = ret[0] != NULL && ret[1] != NULL ? 2 : 0;
	}
	drg_arena_done(&arena);
	return n;
}

int drg_column_part(enum drg_kind kind, const struct drg_column *column, const struct drg_field_def *f)
{
	const struct drg_field_def *both[2];
	if (drg_column_fields(kind, column, both) == 2)
		return both[0] == f ? 0 : both[1] == f ? 1 : -1;
	return f->field == DRG_F_LAT ? 0 : f->field == DRG_F_LNG ? 1 : -1;
}

bool drg_column_may_feed(enum drg_kind kind, const struct drg_column *column, const struct drg_field_def *a,
                         const struct drg_field_def *b)
{
	int first = drg_column_part(kind, column, a), second = drg_column_part(kind, column, b);
	if ((a->field == DRG_F_SOURCE_ID && b->field == DRG_F_NAME) ||
	    (a->field == DRG_F_NAME && b->field == DRG_F_SOURCE_ID))
		return true; /* a list of names knows its records by them */
	if ((a->field == DRG_F_SOURCE_ID && b->field == DRG_F_ISO_CODE) ||
	    (a->field == DRG_F_ISO_CODE && b->field == DRG_F_SOURCE_ID))
		return true; /* a list of currencies is recognised by their codes */
	return first >= 0 && second >= 0 && first != second;
}

/* The fields that the columns feed in a list of a kind. */
struct kind_fit {
	uint64_t fields; /* a bit each */
	bool whole; /* they have an id and a name */
	bool called; /* named by the kind's words: "Meal code" */
};

static struct kind_fit fit_of_kind(const struct drg_column *columns, unsigned n, enum drg_kind kind)
{
	const uint64_t mine = DRG_COL_BIT(kind);
	struct kind_fit fit = { 0 };
	for (unsigned i = 0; i < n; i++) {
		const struct drg_field_def *both[2];
		for (unsigned k = drg_column_fields(kind, &columns[i], both); k > 0; k--) {
			const enum drg_field f = both[k - 1]->field;
			fit.fields |= drg_field_bit(f);
			fit.called |= (columns[i].says & mine) != 0 &&
			              (f == DRG_F_SOURCE_ID || f == DRG_F_NAME || f == DRG_F_ISO_CODE);
		}
	}
	const uint64_t id = UINT64_C(1) << DRG_F_SOURCE_ID | UINT64_C(1) << DRG_F_ISO_CODE;
	fit.whole = (fit.fields & id) != 0 && (fit.fields >> DRG_F_NAME & 1) != 0;
	return fit;
}

/* True if a kind reads each column that the other kind reads. */
static bool reads_as_much(const struct drg_column *columns, unsigned n, enum drg_kind kind,
                          enum drg_kind other)
{
	const struct drg_field_def *both[2];
	for (unsigned i = 0; i < n; i++)
		if (drg_column_fields(other, &columns[i], both) > drg_column_fields(kind, &columns[i], both))
			return false;
	return true;
}

enum drg_kind drg_columns_other_kind(const struct drg_column *columns, unsigned n, enum drg_kind kind)
{
	const struct kind_fit told = fit_of_kind(columns, n, kind);
	int most = told.whole ? __builtin_popcountll(told.fields) : 0;
	enum drg_kind found = DRG_KIND_NONE;
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++) {
		const struct kind_fit fit = fit_of_kind(columns, n, (enum drg_kind)k);
		const int fields = __builtin_popcountll(fit.fields);
		if (k == kind || !drg_kind_is_source(k) || !fit.whole || !fit.called || fields <= most ||
		    (told.whole && !reads_as_much(columns, n, (enum drg_kind)k, kind)))
			continue;
		most = fields;
		found = (enum drg_kind)k;
	}
	return found;
}

int drg_columns_find(const struct drg_sheet_row *header, const char *const *names, unsigned n, int *ret,
                     struct drg_err *reterr)
{
	struct drg_column cell, name;
	struct drg_arena arena;
	int rc = DRG_OK;
	drg_arena_init(&arena, SIZE_MAX);
	for (unsigned c = 0; c < n; c++)
		ret[c] = -1;
	for (unsigned i = 0; i < header->n && rc == DRG_OK; i++) {
		rc = drg_column_make(header->cells[i].text, &arena, &cell, reterr);
		for (unsigned c = 0; c < n && rc == DRG_OK; c++) {
			rc = drg_column_make(drg_str_c(names[c]), &arena, &name, reterr);
			if (rc == DRG_OK && drg_column_same(&cell, &name))
				ret[c] = (int)i;
		}
	}
	drg_arena_done(&arena);
	return rc;
}
