#include "load/columns.h"

#include <assert.h>

#include "load/profile.h"
#include "text/fold.h"

/* Names of columns. They are compared folded, so "Otel adı", "OTEL ADI" and "otel_adi" are equal. A kind's
 * own word stands for its name in a list of that kind, and in other lists for the name of the record that a
 * row belongs to ("Country" of a hotel). */
struct synonym {
	const char *wire;
	const char *names; /* separated by bars */
};

static const struct synonym general[] = {
	{ "id", "id|code|key|ид|код|шифр|kod|kodu|kisa kod|codigo|kennung|external id|supplier id|item "
	        "code|uid|ref" },
	{ "name",
	  "name|title|название|наименование|назва|найменування|adi|ad|nazwa|nombre|nom|bezeichnung|nome" },
	{ "country_id",
	  "country id|country code|countryid|код страны|ид страны|код країни|ulke kodu|ulke id|"
	  "landcode|laendercode|country iso|iso country code|cc|iso2|iso3|iso 2|iso 3|iso alpha 2|"
	  "country code iso|country iso code|countrycode|iso 3166|kod kraju|cc1|iso|country iso 2|"
	  "country iso 3" },
	{ "country_name", "country|country name|страна|країна|ulke|ulke adi|land|pays|pais|kraj|paese" },
	{ "city_id",
	  "city id|city code|cityid|resort id|resort code|код города|ид города|код курорта|код міста|"
	  "sehir kodu|sehir id|bolge kodu|destination id|destination code" },
	{ "city_name",
	  "city|city name|resort|resort name|город|курорт|місто|sehir|sehir adi|il ilce|ilce|il|town|"
	  "ort|zielort|stadt|ville|ciudad|miasto|citta|miejscowosc|населенный пункт" },
	{ "category_id", "category id|category code|код категории|код категорії|kategori kodu|star id" },
	{ "category_name",
	  "category|stars|star|hotel category|star rating|категория|звезды|звёзды|звездность|"
	  "категорія|зірки|kategori|kat|yildiz|kategorie|sterne|rating|kategoria|sinif|sinifi|class|class "
	  "number|класс|клас|klasse|official category|standard|hotel class|tesis sinifi|otel sinifi|"
	  "кол во звезд|количество звезд|categoria|estrellas|gwiazdki|liczba gwiazdek" },
	{ "lat", "lat|latitude|широта|enlem|breitengrad|geo lat|gps lat|latitud|"
	         "latitudine|breite|szer|szerokosc|szerokosc geograficzna|шир" },
	{ "lng", "lng|lon|long|longitude|долгота|довгота|boylam|laengengrad|langengrad|geo lon|geo lng|geo "
	         "long|gps lon|"
	         "gps lng|gps long|"
	         "longitud|longitudine|laenge|lange|dl|dlugosc|dlugosc geograficzna|долг|довг" },
	{ "address", "address|street|street address|адрес|адреса|adres|adresse|direccion|indirizzo" },
	{ "zip",
	  "zip|postcode|postal code|zip code|zipcode|индекс|почтовый индекс|поштовий індекс|posta kodu|plz" },
	{ "url", "url|website|web|web site|link|homepage|сайт|веб сайт" },
	{ "phone", "phone|telephone|tel|phone number|телефон|telefon|telefono" },
	{ "iso_code", "iso|iso code|iso kodu|currency code" },
	{ "is_resort", "is resort|resort|курорт" },
	{ "lang", "lang|language" },
	{ "dict_id", "dict id" },
};

/* The kind's own words, for its id and its name in a list of that kind. */
static const struct {
	enum drg_kind kind;
	const char *ids, *names;
} own[] = {
	{ DRG_KIND_HOTEL,
	  "hotel id|hotel code|hotelid|hotelcode|код отеля|ид отеля|id отеля|код готелю|otel kodu|otel "
	  "id|tesis kodu|"
	  "hotel kodu|hotel nr|hotelnummer|objekt nr|objektnummer|property id|property code|kod hotelu|otel "
	  "no|hotel no|tesis no|id hotelu",
	  "hotel|hotel name|hotelname|отель|название отеля|гостиница|готель|назва готелю|otel|otel adi|hotel "
	  "adi|"
	  "tesis|tesis adi|property|property name|nazwa hotelu|nombre del hotel|"
	  "наименование отеля|найменування готелю|otel ismi|tesis ismi" },
	{ DRG_KIND_COUNTRY, "country id|country code|код страны|код країни|ulke kodu",
	  "country|country name|страна|країна|ulke|ulke adi|land|pays|pais" },
	{ DRG_KIND_CITY, "city id|city code|код города|код міста|sehir kodu|resort id|код курорта",
	  "city|city name|resort|resort name|город|курорт|місто|sehir|sehir adi|stadt|ville" },
	{ DRG_KIND_DEP_CITY, "city id|city code|код города|код міста|departure id",
	  "city|departure city|departure|город|город вылета|місто|місто вильоту|sehir|stadt" },
	{ DRG_KIND_CURRENCY, "currency id|код валюты|код валюти",
	  "currency|currency name|валюта|para birimi" },
	{ DRG_KIND_MEAL,
	  "meal id|meal code|board id|board code|код питания|код харчування|pansiyon kodu|board basis code|"
	  "meal plan code|verpflegungscode",
	  "meal|meal name|board|board name|питание|харчування|pansiyon|pansiyon adi|pansiyon tipi|"
	  "verpflegung|board basis|meal plan|тип питания|wyzywienie|regimen" },
	{ DRG_KIND_HOTEL_CATEGORY,
	  "category id|category code|код категории|kategori kodu|sinif kodu|class code|class id|код класса",
	  "category|category name|stars|категория|звезды|категорія|kategori|kategori adi|yildiz|sinif|sinifi|"
	  "sinif adi|class|class name|класс|sterne" },
};

/* Names that may mean a city, if no column means one more surely. */
static const char vague_cities[] = "region|zielgebiet|bolge|destination|регион|регіон|область|province|area";
/* Names of a column with both coordinates in one cell. */
static const char coordinates[] =
        "coordinates|coordinate|coords|gps|gps coordinates|geo|geo coordinates|geolocation|geo "
        "location|latlng|"
        "lat lng|latlon|lat lon|lat long|latitude longitude|координаты|координати|koordinat|koordinatlar|"
        "koordinaten|wspolrzedne|coordenadas|coordonnees|coordinate gps|konum|"
        "enlem boylam|широта долгота";

/* The last word of a column that exists for several languages: "Name (EN)". Of these the English one is used,
 * if there is one. */
static const char english[] = "en|eng|english|англ";
static const char languages[] =
        "ru|rus|uk|ua|ukr|tr|tur|de|deu|ger|fr|es|it|pl|cs|cz|pt|nl|el|bg|ro|hu|ar|he|zh|ja|рус|укр";

/* Words that stand before a sum, in the place of an id. */
static const char totals[] =
        "total|totals|grand total|sub total|subtotal|total hotels|toplam|genel toplam|ara toplam|"
        "toplam otel|итого|итог|всего|всего отелей|разом|всього|усього|razem|ogolem|summe|gesamt|"
        "insgesamt|totale|total general|celkem|osszesen|totaal|ukupno";

/* Words that a cell in the place of an id may begin with if it is a sum or a note for people. The first ones
 * may stand alone. */
static const char sums[] = "sum|suma|somme|count|anzahl|lacznie|количество|кількість";
static const char notes[] =
        "note|notes|page|end of|примечание|примітка|страница|стр|конец|кінець|sayfa|hinweis|seite|"
        "ende der|uwaga|strona|koniec|nota|pagina";

enum { FOLDED_MAX = 700, POOL = 32 * 1024 };
enum { EVERY_KIND = -1, EVERY_KIND_VAGUE = -2 };

static struct {
	struct drg_buf pool; /* text of the folded names */
	struct {
		const char *wire;
		int kind; /* a kind or EVERY_KIND... */
		size_t at, n;
	} list[FOLDED_MAX];
	unsigned n;
} folded;

/* Longer names are no names that people use; they are equal only if their bytes are. */
enum { NAME_MAX_FOLDED = 256 };

static void fold_column(struct drg_str s, struct drg_buf *out)
{
	char plain[NAME_MAX_FOLDED];
	if (s.n > sizeof plain)
		return;
	for (size_t i = 0; i < s.n; i++)
		plain[i] = s.p[i] != '\0' && strchr("_-./:#*()[],;|&\n", s.p[i]) != NULL ? ' ' : s.p[i];
	drg_fold(drg_str(plain, s.n), DRG_FOLD_PLAIN, out);
}

static void take_names(const char *names, const char *wire, int kind)
{
	struct drg_str rest = drg_str_c(names), name;
	while (drg_str_split(&rest, '|', &name) && folded.n < FOLDED_MAX) {
		size_t at = folded.pool.n;
		fold_column(name, &folded.pool);
		folded.list[folded.n].wire = wire;
		folded.list[folded.n].kind = kind;
		folded.list[folded.n].at = at;
		folded.list[folded.n++].n = folded.pool.n - at;
	}
}

int drg_columns_open(struct drg_err *reterr)
{
	if (folded.n > 0)
		return DRG_OK;
	drg_buf_init(&folded.pool, POOL);
	for (size_t i = 0; i < DRG_ARRAY_LEN(own); i++) {
		take_names(own[i].ids, "id", (int)own[i].kind);
		take_names(own[i].names, "name", (int)own[i].kind);
	}
	for (size_t i = 0; i < DRG_ARRAY_LEN(general); i++) {
		take_names(general[i].wire, general[i].wire, EVERY_KIND);
		take_names(general[i].names, general[i].wire, EVERY_KIND);
	}
	take_names(vague_cities, "city_name", EVERY_KIND_VAGUE);
	take_names(coordinates, coordinates, EVERY_KIND);
	take_names(totals, totals, EVERY_KIND);
	take_names(sums, sums, EVERY_KIND);
	take_names(notes, notes, EVERY_KIND);
	assert(folded.n < FOLDED_MAX);
	return folded.pool.rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
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

static const struct drg_field_def *field_called(enum drg_kind kind, struct drg_str key, bool *ret_vague)
{
	const struct drg_field_def *found = NULL;
	for (unsigned i = 0; i < folded.n && found == NULL; i++)
		if ((folded.list[i].kind < 0 || folded.list[i].kind == (int)kind) && is_called(key, i)) {
			found = drg_profile_field(kind, drg_str_c(folded.list[i].wire));
			*ret_vague = folded.list[i].kind == EVERY_KIND_VAGUE;
		}
	return found;
}

static bool is_among(struct drg_str word, const char *words)
{
	struct drg_str rest = drg_str_c(words), one;
	while (drg_str_split(&rest, '|', &one))
		if (drg_str_eq(one, word))
			return true;
	return false;
}

/* Find the field of "hotel name en" by the name without its language. */
static const struct drg_field_def *field_in_language(enum drg_kind kind, struct drg_str key, bool *ret_vague)
{
	const char *space = memrchr(key.p, ' ', key.n);
	if (space == NULL)
		return NULL;
	struct drg_str word = drg_str(space + 1, (size_t)(key.p + key.n - space - 1));
	bool is_english = is_among(word, english);
	if (!is_english && !is_among(word, languages))
		return NULL;
	const struct drg_field_def *found =
	        field_called(kind, drg_str(key.p, (size_t)(space - key.p)), ret_vague);
	*ret_vague |= !is_english;
	return found;
}

const struct drg_field_def *drg_column_field(enum drg_kind kind, const struct drg_column *column,
                                             bool *ret_vague)
{
	bool vague = false;
	const struct drg_field_def *found = field_called(kind, column->key, &vague);
	if (found == NULL)
		found = field_in_language(kind, column->key, &vague);
	if (found == NULL && column->bare.n > 0) {
		found = field_called(kind, column->bare, &vague);
		if (found == NULL)
			found = field_in_language(kind, column->bare, &vague);
		vague |= column->remarked;
	}
	if (found != NULL && ret_vague != NULL)
		*ret_vague = vague;
	return found;
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
	struct drg_column c;
	if (!two_names(name, parts))
		return 0;
	for (unsigned i = 0; i < 2; i++) {
		if (drg_column_make(drg_str_trim(parts[i]), arena, &c, NULL) != DRG_OK)
			return 0;
		ret[i] = drg_column_field(kind, &c, NULL);
		if (ret[i] == NULL)
			return 0;
	}
	return ret[0] == ret[1] ? 1 : 2;
}

static bool is_called_one_of(struct drg_str key, const char *words)
{
	for (unsigned i = 0; i < folded.n; i++)
		if (folded.list[i].wire == words && is_called(key, i))
			return true;
	return false;
}

static bool has_coordinates(const struct drg_column *column, struct drg_arena *arena)
{
	struct drg_str parts[2];
	struct drg_column one;
	if (is_called_one_of(column->key, coordinates) || is_called_one_of(column->bare, coordinates))
		return true;
	return two_names(column->name, parts) &&
	       drg_column_make(drg_str_trim(parts[0]), arena, &one, NULL) == DRG_OK &&
	       is_called_one_of(one.key, coordinates);
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
		if (folded.list[i].wire == words && (c->key.n == n || (c->key.n > n && c->key.p[n] == ' ')) &&
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
	ret[0] = drg_column_field(kind, column, NULL);
	if (ret[0] != NULL)
		return 1;
	drg_arena_init(&arena, SIZE_MAX);
	unsigned n = fields_of_parts(kind, column->name, &arena, ret);
	if (n == 0 && has_coordinates(column, &arena)) {
		ret[0] = drg_profile_field(kind, DRG_STR("lat"));
		ret[1] = drg_profile_field(kind, DRG_STR("lng"));
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
	return first >= 0 && second >= 0 && first != second;
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
