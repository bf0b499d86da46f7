#include "load/columns.h"

#include "load/profile.h"
#include "text/fold.h"

/* Names are compared folded, so "Otel adı", "OTEL ADI" and "otel_adi" are one. A kind's own word stands for
 * its name in a list of that kind, and for the name of what a row belongs to in others ("Country" of a
 * hotel). */
struct synonym {
	const char *wire;
	const char *names; /* with bars between */
};

static const struct synonym general[] = {
	{ "id", "id|code|key|ид|код|kod|kodu|codigo|kennung|external id|supplier id|item code|uid|ref" },
	{ "name",
	  "name|title|название|наименование|назва|найменування|adi|ad|nazwa|nombre|nom|bezeichnung|nome" },
	{ "country_id", "country id|country code|countryid|код страны|ид страны|код країни|ulke kodu|ulke id|"
	                "landcode|laendercode|country iso|iso country code" },
	{ "country_name", "country|country name|страна|країна|ulke|ulke adi|land|pays|pais|kraj|paese" },
	{ "city_id",
	  "city id|city code|cityid|resort id|resort code|код города|ид города|код курорта|код міста|"
	  "sehir kodu|sehir id|bolge kodu|destination id|destination code" },
	{ "city_name", "city|city name|resort|resort name|region|destination|город|курорт|регион|місто|sehir|"
	               "sehir adi|bolge|ort|stadt|ville|ciudad|miasto|citta" },
	{ "category_id", "category id|category code|код категории|код категорії|kategori kodu|star id" },
	{ "category_name",
	  "category|stars|star|hotel category|star rating|категория|звезды|звёзды|звездность|"
	  "категорія|зірки|kategori|yildiz|kategorie|sterne|rating|kategoria" },
	{ "lat", "lat|latitude|широта|enlem|breitengrad|geo lat|gps lat|latitud|"
	         "latitudine|breite|szer|szerokosc|szerokosc geograficzna|шир" },
	{ "lng",
	  "lng|lon|long|longitude|долгота|довгота|boylam|laengengrad|langengrad|geo lon|geo lng|gps lon|"
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

/* The kind's own words: its id and its name in a list of that kind. */
static const struct {
	enum drg_kind kind;
	const char *ids, *names;
} own[] = {
	{ DRG_KIND_HOTEL,
	  "hotel id|hotel code|hotelid|hotelcode|код отеля|ид отеля|id отеля|код готелю|otel kodu|otel "
	  "id|tesis kodu|"
	  "hotel kodu|hotel nr|property id|property code",
	  "hotel|hotel name|hotelname|отель|название отеля|гостиница|готель|назва готелю|otel|otel adi|hotel "
	  "adi|"
	  "tesis|tesis adi|property|property name|nazwa hotelu|nombre del hotel" },
	{ DRG_KIND_COUNTRY, "country id|country code|код страны|код країни|ulke kodu",
	  "country|country name|страна|країна|ulke|ulke adi|land|pays|pais" },
	{ DRG_KIND_CITY, "city id|city code|код города|код міста|sehir kodu|resort id|код курорта",
	  "city|city name|resort|resort name|город|курорт|місто|sehir|sehir adi|stadt|ville" },
	{ DRG_KIND_DEP_CITY, "city id|city code|код города|код міста|departure id",
	  "city|departure city|departure|город|город вылета|місто|місто вильоту|sehir|stadt" },
	{ DRG_KIND_CURRENCY, "currency id|код валюты|код валюти",
	  "currency|currency name|валюта|para birimi" },
	{ DRG_KIND_MEAL, "meal id|meal code|board id|board code|код питания|код харчування|pansiyon kodu",
	  "meal|meal name|board|board name|питание|харчування|pansiyon|verpflegung" },
	{ DRG_KIND_HOTEL_CATEGORY, "category id|category code|код категории|kategori kodu",
	  "category|category name|stars|категория|звезды|категорія|kategori|yildiz" },
};

enum { FOLDED_MAX = 600, POOL = 32 * 1024 };

static struct {
	struct drg_buf pool; /* folded names */
	struct {
		const char *wire;
		int kind; /* -1: of every kind */
		size_t at, n;
	} list[FOLDED_MAX];
	unsigned n;
} folded;

/* Longer than any name of people's; then only the same bytes are the same. */
enum { NAME_MAX_FOLDED = 256 };

static void fold_column(struct drg_str s, struct drg_buf *out)
{
	char plain[NAME_MAX_FOLDED];
	if (s.n > sizeof plain)
		return;
	for (size_t i = 0; i < s.n; i++)
		plain[i] = s.p[i] != '\0' && strchr("_-./:#*()[]\n", s.p[i]) != NULL ? ' ' : s.p[i];
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
		take_names(general[i].wire, general[i].wire, -1);
		take_names(general[i].names, general[i].wire, -1);
	}
	return folded.pool.rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
}

int drg_column_make(struct drg_str name, struct drg_arena *arena, struct drg_column *ret,
                    struct drg_err *reterr)
{
	struct drg_buf key;
	drg_buf_init(&key, 16 * NAME_MAX_FOLDED);
	fold_column(name, &key);
	*ret = (struct drg_column){ name, drg_arena_str(arena, drg_buf_view(&key)) };
	bool ok = key.rc != DRG_ENOMEM && ret->key.p != NULL;
	drg_buf_done(&key);
	return ok ? DRG_OK : drg_fail_memory(reterr);
}

bool drg_column_same(const struct drg_column *a, const struct drg_column *b)
{
	return drg_str_eq(a->name, b->name) || (a->key.n > 0 && drg_str_eq(a->key, b->key));
}

const struct drg_field_def *drg_column_field(enum drg_kind kind, const struct drg_column *column)
{
	const struct drg_field_def *found = NULL;
	for (unsigned i = 0; i < folded.n && found == NULL; i++)
		if ((folded.list[i].kind < 0 || folded.list[i].kind == (int)kind) &&
		    drg_str_eq(column->key, drg_str(folded.pool.p + folded.list[i].at, folded.list[i].n)))
			found = drg_profile_field(kind, drg_str_c(folded.list[i].wire));
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
