#include "text/countries.h"

#include <string.h>

#include "base/compiler.h"
#include "text/icu.h"

/* ---- codes --------------------------------------------------------------------------------------------- */

struct drg_str drg_country_code(struct drg_str text)
{
	char code[4];
	UErrorCode e = U_ZERO_ERROR;
	if (text.n != 2 && text.n != 3)
		return drg_str(NULL, 0);
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];
		code[i] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
		if ((code[i] < 'A' || code[i] > 'Z') && (code[i] < '0' || code[i] > '9'))
			return drg_str(NULL, 0);
	}
	code[text.n] = '\0';
	const URegion *r = uregion_getRegionFromCode(code, &e);
	if (U_FAILURE(e) || r == NULL || uregion_getType(r) != URGN_TERRITORY)
		return drg_str(NULL, 0);
	return drg_str_c(uregion_getRegionCode(r));
}

bool drg_country_capitals(struct drg_str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (text.p[i] < 'A' || text.p[i] > 'Z')
			return false;
	return text.n == 2 || text.n == 3;
}

/* ---- names --------------------------------------------------------------------------------------------- */

/* clang-format off */
/* Names of countries that CLDR's usual names lack: those of ISO 3166-1 that differ from CLDR's; CLDR's
 * variants ("Ivory Coast"); former names, and names of a part of a country, that lists still use for the
 * whole; short forms of lists. Their words may stand in any order, "republic" and "kingdom of" are found
 * without a row: see drg_country_keys(). */
static const struct {
	char alpha_2[3];
	const char *names;
} variants[] = {
	{ "AE", "UAE|BAE|VAE|EAU|ZEA|ОАЭ|Emirates|Emirate|Emirati|Emirati Arabi|Emiratos|Emiratos Árabes|"
	        "Émirats|Emiraty|Эмираты|Емірати|Арабские Эмираты|Арабські Емірати|"
	        "Объединенные Арабские Эмираты|Arabische Emirate|Dubai|Дубай" },
	{ "AT", "Oesterreich" },
	{ "BA", "Bosnia and Hercegovina|Bosnie|Bosna|Bośnia" },
	{ "BH", "Bahrein" },
	{ "BN", "Brunei Darussalam" },
	{ "BQ", "Bonaire|Bonaire, Sint Eustatius and Saba" },
	{ "BS", "Багами|Багамские острова" },
	{ "BY", "Белоруссия|Weißrussland|Beyaz Rusya|Byelorussia" },
	{ "CD", "Democratic Republic of the Congo|Congo, Dem Rep|"
	        "Congo, Democratic Republic of the|DR Congo|DRC|RDC|Zaire|ДР Конго|"
	        "Demokratische Republik Kongo" },
	{ "CG", "Congo" },
	{ "CI", "Ivory Coast|Elfenbeinküste|Costa de Marfil|Wybrzeże Kości Słoniowej|Берег Слоновой Кости|"
	        "Fildişi Sahili|Fildişi Kıyısı" },
	{ "CN", "PRC|PR China|VR China|Volksrepublik China|Mainland China|КНР|Çin Halk Cumhuriyeti" },
	{ "CV", "Cabo Verde|Cape Verde|Kap Verde|Kapverden|Kapverdische Inseln|Wyspy Zielonego Przylądka|"
	        "Острова Зеленого Мыса|Yeşil Burun" },
	{ "CY", "Northern Cyprus|North Cyprus|TRNC|KKTC|Kuzey Kıbrıs|Kuzey Kıbrıs Türk Cumhuriyeti|"
	        "Güney Kıbrıs|Nordzypern|Северный Кипр|Північний Кіпр" },
	{ "CZ", "Czech Republic|Чешская Республика|Чеська Республіка|Tschechische Republik|Tschechei|"
	        "Çek Cumhuriyeti|République tchèque|República Checa|Repubblica Ceca|Republika Czeska" },
	{ "DE", "BRD|Bundesrepublik Deutschland|ФРГ|ФРН|RFN" },
	{ "DO", "Dominicana|Dom Rep|Dom Republik|Доминикана|Домінікана|Dominikana|Republika Dominikańska" },
	{ "FK", "Falkland Islands (Malvinas)" },
	{ "FM", "Federated States of Micronesia" },
	{ "FO", "Faeroe Islands" },
	{ "GB", "UK|Great Britain|Britain|England|Scotland|Wales|Northern Ireland|"
	        "United Kingdom of Great Britain and Northern Ireland|"
	        "Großbritannien|Schottland|Grande-Bretagne|Angleterre|Écosse|Gran Bretagna|Inghilterra|Scozia|"
	        "Gran Bretaña|Inglaterra|Escocia|Anglia|Szkocja|Büyük Britanya|İngiltere|İskoçya|"
	        "Соединенное Королевство|Англия|Шотландия|Сполучене Королівство|Великобританія|Англія|"
	        "Шотландія" },
	{ "GR", "EL|Hellas" },
	{ "HK", "Hong Kong|Hong Kong, China" },
	{ "HR", "Hrvatska" },
	{ "ID", "Bali|Бали|Балі" },
	{ "IE", "Eire" },
	{ "IN", "Goa|Гоа" },
	{ "IR", "Persia" },
	{ "KG", "Kyrgyz Republic|Киргизия" },
	{ "KH", "Kampuchea" },
	{ "KP", "Democratic People's Republic of Korea|People's Republic of Korea|"
	        "Korea, Democratic People's Republic of|Korea DPR|DPRK|КНДР|"
	        "Северная Корея|Korea|Корея" },
	{ "KR", "Republic of Korea|Korea|Корея|Южная Корея" },
	{ "LA", "Lao People's Democratic Republic|Lao PDR" },
	{ "LK", "Ceylon" },
	{ "MD", "Moldova|Молдавия|Moldau|Moldawien|Moldavya" },
	{ "ME", "Crna Gora" },
	{ "MF", "Saint Martin|Saint Martin (French part)" },
	{ "MK", "Macedonia|FYROM|FYR Macedonia|The former Yugoslav Republic of Macedonia|"
	        "Macedonia, the former Yugoslav Republic of|Mazedonien|Macédoine|"
	        "Makedonya|Македония|Македонія" },
	{ "MM", "Myanmar|Burma|Birma|Бирма|Бірма|Birmanie|Birmania|М'янма|Mjanma" },
	{ "MO", "Macau|Macao|Macau, China|Macao, China" },
	{ "MV", "Мальдивские острова" },
	{ "MX", "Méjico" },
	{ "NL", "Holland|Голландия|Голландія|Hollande|Olanda|Holanda" },
	{ "PF", "Tahiti|Таити" },
	{ "PG", "Papua N Guinea|PNG" },
	{ "PS", "Palestine|Palestinian Territory, Occupied" },
	{ "PT", "Madeira|Azores|Мадейра" },
	{ "RO", "Rumania|Roumania" },
	{ "RU", "Russian Federation|Российская Федерация|РФ|Російська Федерація|Russische Föderation|"
	        "Fédération de Russie|Federazione Russa|Federación Rusa|Federación de Rusia|"
	        "Federacja Rosyjska|Rusya Federasyonu" },
	{ "SA", "KSA|S Arabistan" },
	{ "SC", "Сейшелы|Сейшели|Сейшельские острова" },
	{ "SH", "Saint Helena, Ascension and Tristan da Cunha" },
	{ "SK", "Slovak Republic|Словацкая Республика|Slowakische Republik" },
	{ "SX", "Saint Maarten|Sint Maarten (Dutch part)" },
	{ "SY", "Syrian Arab Republic" },
	{ "SZ", "Swaziland|Swasiland|Suazilandia|Svaziland|Свазиленд" },
	{ "TH", "Тайланд|Siam" },
	{ "TL", "East Timor|Osttimor|Восточный Тимор" },
	{ "TR", "Turkey|Turkiye" },
	{ "TW", "Taiwan, China|Taiwan, Province of China|Chinese Taipei|Republic of China|"
	        "Republic of China (Taiwan)" },
	{ "TZ", "Tanzania, UR|Tanzania, United Republic of|Zanzibar|Sansibar|Занзибар|Занзібар" },
	{ "US", "USA|United States of America|America|Соединенные Штаты Америки|Сполучені Штати Америки|"
	        "Америка|Amerika|Vereinigte Staaten von Amerika|Amérique|États-Unis d'Amérique|"
	        "Stati Uniti d'America|EUA|Estados Unidos de América|Ameryka|Stany Zjednoczone Ameryki" },
	{ "VA", "Holy See|Holy See (Vatican City State)|Vatican|Vaticano|Cité du Vatican" },
	{ "VG", "BVI|Virgin Islands, British" },
	{ "VI", "US Virgin Islands|Virgin Islands, U.S.|USA Virgin Islands|USVI" },
	{ "VN", "Viet Nam" },
	{ "XK", "XKX" },
	{ "ZA", "RSA|RPA|ЮАР|Южная Африка|Південна Африка" },
};
/* clang-format on */

struct drg_str drg_country_variants(struct drg_str alpha_2)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(variants); i++)
		if (drg_str_eq(drg_str_c(variants[i].alpha_2), alpha_2))
			return drg_str_c(variants[i].names);
	return drg_str("", 0);
}

/* The length of what stands before "and", or before a bracket: lists say "Trinidad" and "Bosnien", and
 * "Myanmar" of "Myanmar (Burma)". 0: all of it. */
static size_t first_part(const char *name, size_t n)
{
	static const char *const behind[] = { " (",  " & ", " and ", " und ", " et ", " ed ", " e ",
		                              " y ", " i ", " ve ",  " и ",   " і ",  " та " };
	for (size_t at = 1; at < n; at++)
		for (size_t i = 0; i < DRG_ARRAY_LEN(behind); i++)
			if (n - at > strlen(behind[i]) &&
			    memcmp(name + at, behind[i], strlen(behind[i])) == 0)
				return at;
	return 0;
}

/* For a language that ICU does not have, this gives names of another language. */
static int names_in(const char *alpha_2, const char *locale, UDisplayContext length, drg_country_name_fn *fn,
                    void *ctx)
{
	enum { ROOM = 200 };
	UErrorCode e = U_ZERO_ERROR;
	UChar wide[ROOM];
	char name[3 * ROOM];
	int32_t n = 0;
	ULocaleDisplayNames *d = uldn_openForContext(locale, &length, 1, &e);
	int32_t len = U_SUCCESS(e) ? uldn_regionDisplayName(d, alpha_2, wide, ROOM, &e) : 0;
	if (U_SUCCESS(e) && len < ROOM)
		u_strToUTF8(name, sizeof name, &n, wide, len, &e);
	uldn_close(d);
	int rc = U_SUCCESS(e) && n > 0 ? fn(ctx, drg_str(name, (size_t)n)) : DRG_OK;
	size_t first = first_part(name, (size_t)n);
	return rc == DRG_OK && U_SUCCESS(e) && first > 0 ? fn(ctx, drg_str(name, first)) : rc;
}

int drg_country_names(struct drg_str alpha_2, const struct drg_str *langs, size_t n_langs,
                      drg_country_name_fn *fn, void *ctx)
{
	char code[3], tag[64], locale[ULOC_FULLNAME_CAPACITY];
	if (alpha_2.n != sizeof code - 1)
		return DRG_OK;
	memcpy(code, alpha_2.p, 2);
	code[2] = '\0';
	struct drg_str rest = drg_country_variants(alpha_2), name;
	int rc = DRG_OK;
	while (rc == DRG_OK && rest.n > 0 && drg_str_split(&rest, '|', &name))
		rc = fn(ctx, name);
	for (size_t i = 0; i < n_langs && rc == DRG_OK; i++) {
		UErrorCode e = U_ZERO_ERROR;
		if (langs[i].n >= sizeof tag)
			continue;
		memcpy(tag, langs[i].p, langs[i].n);
		tag[langs[i].n] = '\0';
		uloc_forLanguageTag(tag, locale, sizeof locale, NULL, &e);
		if (U_FAILURE(e))
			continue;
		rc = names_in(code, locale, UDISPCTX_LENGTH_FULL, fn, ctx);
		if (rc == DRG_OK)
			rc = names_in(code, locale, UDISPCTX_LENGTH_SHORT, fn, ctx);
	}
	return rc;
}
