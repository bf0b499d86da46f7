#include "match/countries/countries.h"

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

/* ---- names --------------------------------------------------------------------------------------------- */

/* clang-format off */
/* Names of countries that CLDR's usual names lack: those of ISO 3166-1 that differ from CLDR's; CLDR's
 * variants ("Ivory Coast"); former names, and names of a part of a country, that lists still use for the
 * whole; short forms of English and Russian lists. */
static const struct {
	char alpha_2[3];
	const char *names;
} variants[] = {
	{ "AE", "UAE|Emirates|United Arab Emirates (UAE)|ОАЭ|Эмираты" },
	{ "AG", "Antigua" },
	{ "BA", "Bosnia|Bosnia and Hercegovina" },
	{ "BN", "Brunei Darussalam" },
	{ "BO", "Bolivia, Plurinational State of|Bolivia (Plurinational State of)" },
	{ "BQ", "Bonaire|Bonaire, Sint Eustatius and Saba" },
	{ "BS", "The Bahamas" },
	{ "BY", "Белоруссия" },
	{ "CD", "Democratic Republic of the Congo|Congo, the Democratic Republic of the|"
	        "Congo, Democratic Republic of the|"
	        "Congo (Democratic Republic of the)|DR Congo|Zaire" },
	{ "CG", "Congo|Republic of the Congo" },
	{ "CI", "Ivory Coast" },
	{ "CN", "PRC|People's Republic of China|Mainland China|КНР" },
	{ "CV", "Cabo Verde|Cape Verde Islands" },
	{ "CZ", "Czech Republic|Czech Rep|Чешская Республика|Чеська Республіка|Tschechische Republik|"
	        "Çek Cumhuriyeti|"
	        "República Checa|Repubblica Ceca" },
	{ "DO", "Dominican Rep|Доминикана|Dominikana" },
	{ "FK", "Falkland Islands (Malvinas)" },
	{ "FM", "Micronesia, Federated States of|Micronesia (Federated States of)|"
	        "Federated States of Micronesia" },
	{ "FO", "Faeroe Islands" },
	{ "GB", "Great Britain|Britain|England|Scotland|Wales|Northern Ireland|"
	        "United Kingdom of Great Britain and Northern Ireland|"
	        "Англия|Соединенное Королевство" },
	{ "GM", "The Gambia" },
	{ "GR", "EL|Hellas" },
	{ "HK", "Hong Kong|Hong Kong SAR|Hong Kong, China|Hong Kong (China)|China, Hong Kong" },
	{ "IE", "Republic of Ireland|Eire" },
	{ "IR", "Iran, Islamic Republic of|Iran (Islamic Republic of)|Islamic Republic of Iran" },
	{ "KG", "Kyrgyz Republic|Киргизия" },
	{ "KN", "Saint Kitts and Nevis|Saint Kitts" },
	{ "KP", "Korea, Democratic People's Republic of|Korea (Democratic People's Republic of)|"
	        "Korea, North|DPRK|КНДР" },
	{ "KR", "Korea, Republic of|Korea (Republic of)|Korea, the Republic of|Republic of Korea|"
	        "Korea, South|Korea (South)" },
	{ "LA", "Lao People's Democratic Republic|Lao PDR" },
	{ "LC", "Saint Lucia" },
	{ "MD", "Moldova, Republic of|Moldova (Republic of)|Republic of Moldova|Молдавия" },
	{ "MF", "Saint Martin|Saint Martin (French part)" },
	{ "MK", "Macedonia|FYROM|FYR Macedonia|Republic of North Macedonia|"
	        "The former Yugoslav Republic of Macedonia|Македония" },
	{ "MM", "Myanmar|Burma|Бирма" },
	{ "MO", "Macau|Macao|Macau SAR|Macao, China|Macau (China)" },
	{ "MU", "Mauritius Island" },
	{ "MV", "Maldive Islands|Мальдивские острова" },
	{ "NL", "Holland|The Netherlands|Netherlands (Kingdom of the)|Голландия" },
	{ "PF", "Tahiti" },
	{ "PH", "The Philippines" },
	{ "PS", "Palestine|Palestine, State of|State of Palestine|Palestinian Territory, Occupied" },
	{ "RE", "Reunion Island" },
	{ "RU", "Russian Federation|The Russian Federation|Российская Федерация|РФ" },
	{ "SA", "KSA|Kingdom of Saudi Arabia" },
	{ "SH", "Saint Helena, Ascension and Tristan da Cunha|Saint Helena" },
	{ "SK", "Slovak Republic|Словацкая Республика" },
	{ "ST", "Sao Tome and Principe" },
	{ "SX", "Saint Maarten|Sint Maarten (Dutch part)" },
	{ "SY", "Syrian Arab Republic" },
	{ "SZ", "Swaziland" },
	{ "TL", "East Timor" },
	{ "TR", "Turkey|Turkiye|Republic of Turkey" },
	{ "TW", "Taiwan, Province of China|Taiwan (Province of China)|Chinese Taipei" },
	{ "TZ", "Tanzania, United Republic of|United Republic of Tanzania|Zanzibar|Занзибар" },
	{ "US", "USA|United States of America|The United States of America|America|Соединенные Штаты Америки" },
	{ "VA", "Holy See|Holy See (Vatican City State)|Vatican" },
	{ "VC", "Saint Vincent and the Grenadines" },
	{ "VE", "Venezuela, Bolivarian Republic of|Venezuela (Bolivarian Republic of)" },
	{ "VG", "Virgin Islands, British|Virgin Islands (British)" },
	{ "VI", "Virgin Islands, U.S.|Virgin Islands (U.S.)|US Virgin Islands|Virgin Islands (US)" },
	{ "VN", "Viet Nam" },
	{ "XK", "XKX" },
	{ "ZA", "RSA|Republic of South Africa|ЮАР" },
};
/* clang-format on */

static int variants_of(struct drg_str alpha_2, drg_country_name_fn *fn, void *ctx)
{
	int rc = DRG_OK;
	for (size_t i = 0; i < DRG_ARRAY_LEN(variants); i++) {
		struct drg_str rest = drg_str_c(variants[i].names), name;
		if (!drg_str_eq(drg_str_c(variants[i].alpha_2), alpha_2))
			continue;
		while (rc == DRG_OK && drg_str_split(&rest, '|', &name))
			rc = fn(ctx, name);
	}
	return rc;
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
	return U_SUCCESS(e) && n > 0 ? fn(ctx, drg_str(name, (size_t)n)) : DRG_OK;
}

int drg_country_names(struct drg_str alpha_2, const struct drg_str *langs, size_t n_langs,
                      drg_country_name_fn *fn, void *ctx)
{
	char code[3], tag[64], locale[ULOC_FULLNAME_CAPACITY];
	if (alpha_2.n != sizeof code - 1)
		return DRG_OK;
	memcpy(code, alpha_2.p, 2);
	code[2] = '\0';
	int rc = variants_of(alpha_2, fn, ctx);
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
