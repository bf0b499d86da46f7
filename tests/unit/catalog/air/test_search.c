/* The search of decision A1, rule by rule. */
#include "air_records.h"

static struct drg_catalog *cat;

static void country(int64_t id, const char *code, const char *names)
{
	struct drg_record r = dict(DRG_KIND_COUNTRY, id, names);
	drg_record_set_s(&r, DRG_F_ISO_ALPHA_2, drg_str_c(code));
	apply(cat, &r);
}

static void take(struct drg_record r, const char *country, double lat, double lng)
{
	drg_record_set_s(&r, DRG_F_COUNTRY_CODE, drg_str_c(country));
	put_at(&r, lat, lng);
	apply(cat, &r);
}

static int fill(void **state)
{
	(void)state;
	struct drg_record nowhere = air_place(90, "NOW", NULL, "{\"en\":\"Nowhere\"}", 1);
	cat = new_catalog((size_t)1 << 24);
	take(air_place(1, "PAR", NULL, "{\"en\":\"Paris\",\"ru\":\"Париж\",\"zh\":\"巴黎\"}", 900), "FR",
	     48.85, 2.35);
	take(air_place(2, "CDG", "PAR", "{\"en\":\"Charles de Gaulle Airport\"}", 950), "FR", 49.0, 2.57);
	take(air_place(3, "ORY", "PAR", "{\"en\":\"Paris Orly Airport\"}", 700), "FR", 48.73, 2.36);
	take(air_place(4, "PRX", NULL, "{\"en\":\"Paris\"}", 20), "US", 33.66, -95.55);
	take(air_place(5, "LON", NULL, "{\"en\":\"London\",\"uk\":\"Лондон\"}", 990), "GB", 51.5, -0.12);
	take(air_place(6, "LHR", "LON", "{\"en\":\"Heathrow Airport\"}", 980), "GB", 51.47, -0.45);
	take(air_place(7, "MOW", NULL, "{\"en\":\"Moscow\",\"ru\":\"Москва\"}", 890), "RU", 55.75, 37.61);
	take(air_place(8, "IEV", NULL, "{\"en\":\"Kyiv\",\"uk\":\"Київ\",\"ru\":\"Киев\"}", 800), "UA", 50.45,
	     30.52);
	take(air_place(9, "MUC", NULL, "{\"de\":\"München\"}", 850), "DE", 48.14, 11.58);
	take(air_place(10, "SAX", NULL, "{\"en\":\"Parton\"}", 990), "GB", 55, -3);
	take(air_place(11, "ZZA", NULL, "{\"en\":\"Zeta\",\"sv\":\"Öta\"}", 5), "SE", 1, 1);
	take(air_place(12, "ZZB", NULL, "{\"en\":\"Zeta b\",\"sv\":\"Zäta\"}", 5), "SE", 2, 2);
	take(air_place(13, "NYC", NULL, "{\"en\":\"New York\"}", 999), "US", 40.7, -74);
	struct drg_record gatwick = air_place(14, "LGW", "LON", "{\"en\":\"London Gatwick Airport\"}", 800);
	drg_record_set_s(&gatwick, DRG_F_ICAO_CODE, DRG_STR("EGKK"));
	take(gatwick, "GB", 51.15, -0.18);
	take(air_place(15, "DEL", NULL, "{\"en\":\"Delhi\"}", 700), "IN", 28.6, 77.2);
	take(air_place(16, "LED", NULL, "{\"en\":\"Saint Petersburg\"}", 600), "RU", 59.9, 30.3);
	take(air_place(17, "RIM", NULL, "{\"en\":\"Rodriguez\"}", 40), "PE", -6.4, -77.5);
	take(air_place(18, "ROM", NULL, "{\"en\":\"Rome\",\"ru\":\"Рим\"}", 870), "IT", 41.9, 12.5);
	take(air_place(19, "MUN", NULL, "{\"en\":\"Maturin\"}", 300), "VE", 9.7, -63.2);
	take(air_place(20, "DPS", NULL, "{\"en\":\"Bali\"}", 400), "ID", -8.7, 115.2);
	take(air_place(21, "PEK", "BJS", "{\"en\":\"Beijing Capital\",\"zh\":\"首都国际机场\"}", 600), "CN",
	     40, 116);
	take(air_place(22, "SGN", NULL, "{\"en\":\"Ho Chi Minh City\"}", 500), "VN", 10.8, 106.7);
	take(air_place(23, "HKT", NULL, "{\"ru\":\"Пхукет\",\"ar\":\"بوكيت\",\"el\":\"Πουκέτ\"}", 450), "TH",
	     8.1, 98.3);
	take(air_place(24, "BJS", NULL, "{\"zh\":\"北京\",\"ko\":\"베이징\"}", 650), "CN", 39.9, 116.4);
	take(air_place(25, "GOA", NULL, "{\"en\":\"Genoa\"}", 200), "IT", 44.4, 8.9);
	take(air_place(26, "GOI", NULL, "{\"en\":\"Goa\"}", 190), "IN", 15.4, 73.8);
	take(air_place(27, "TZN", NULL, "{\"ru\":\"Щучинск\"}", 30), "KZ", 52.9, 70.2);
	take(air_place(28, "SMX", NULL, "{\"en\":\"Santa Maria General Airport\"}", 25), "US", 34.9, -120.4);
	take(air_place(29, "SOU", NULL, "{\"en\":\"Southampton\",\"ru\":\"Саутгемптон\"}", 100), "ZA", 50.9,
	     -1.4);
	take(air_place(30, "SEL", NULL, "{\"en\":\"Seoul\",\"sv\":\"Söul\",\"ru\":\"Сеул\"}", 960), "KR",
	     37.6, 127);
	take(air_place(31, "SGC", NULL, "{\"en\":\"St. Surgut\",\"uk\":\"Сургут\"}", 90), "RU", 61.3, 73.4);
	take(air_place(32, "SUB", NULL, "{\"en\":\"Surabaya\",\"ru\":\"Сурабая\",\"uk\":\"Сурабайя\"}", 80),
	     "ID", -7.4, 112.8);
	take(air_place(33, "SIP", NULL, "{\"en\":\"Dzulan\",\"ru\":\"Дзулан\"}", 70), "ZB", 1, 2);
	take(air_place(34, "TLN", NULL, "{\"en\":\"Sea Port\",\"ru\":\"Дзучин\"}", 75), "ZB", 1, 2);
	take(air_place(35, "GAQ", NULL, "{\"en\":\"Gao\"}", 60), "ML", 16.2, 0);
	take(air_place(36, "GAA", "GAQ", "{\"en\":\"Korogoussou Airport\"}", 55), "ML", 16.2, 0);
	take(air_place(37, "KHH", NULL, "{\"en\":\"Gaoxiong\"}", 95), "TW", 22.6, 120.3);
	take(air_place(38, "KHA", "KHH", "{\"en\":\"Gaoxiong Airport\"}", 94), "TW", 22.6, 120.3);
	take(air_place(39, "DLH", NULL, "{\"ar\":\"دولوث\"}", 500), "ZB", 46.8, -92.1);
	take(air_place(40, "EWR", NULL, "{\"zh\":\"紐華克\"}", 640), "ZB", 40.7, -74.2);
	take(air_place(41, "YQQ", NULL, "{\"en\":\"Comox\"}", 41), "CA", 49.7, -124.9);
	take(air_place(42, "VAM", NULL, "{\"en\":\"Kaamigili\"}", 42), "MV", 3.5, 72.8);
	take(air_place(43, "MIA", NULL, "{\"ru\":\"Кайами\"}", 300), "ZB", 25.8, -80.3);
	take(air_place(44, "MRS", NULL, "{\"ru\":\"Генералка\"}", 43), "ZB", 1, 2);
	take(air_place(45, "DAY", NULL, "{\"ar\":\"دايتون، أوهايو\"}", 44), "ZB", 39.9, -84.2);
	take(air_place(46, "TTA", NULL, "{\"en\":\"Titan\"}", 43), "ZB", 1, 2);
	take(air_place(47, "YAO", NULL, "{\"en\":\"Yamoussoukro\"}", 30), "CI", 6.8, -5.3);
	take(air_place(48, "OOL", NULL, "{\"en\":\"Ivory Beach\"}", 200), "ZB", -28, 153);
	take(air_place(49, "AMS", NULL, "{\"en\":\"Amsterdam\"}", 400), "NL", 52.3, 4.8);
	take(air_place(50, "RTM", NULL, "{\"en\":\"Rotterdam\"}", 100), "NL", 52, 4.4);
	take(air_place(51, "HLM", NULL, "{\"en\":\"Holland\"}", 150), "ZB", 42.8, -86.1);
	take(air_place(52, "HLC", NULL, "{\"en\":\"Holland Creek\"}", 160), "ZB", 43, -86);
	country(384, "CI", "{\"en\":\"Côte d’Ivoire\"}");
	country(528, "NL", "{\"en\":\"Netherlands\"}");
	country(250, "FR", "{\"en\":\"France\"}");
	country(826, "GB", "{\"en\":\"United Kingdom\",\"ru\":\"Великобритания\"}");
	country(840, "US", "{\"en\":\"United States\"}");
	apply(cat, &nowhere);
	publish(cat, 1);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	drg_catalog_free(cat);
	return 0;
}

/* What is found, as codes with spaces between. */
static const char *search(const struct drg_air_query *q, char *buf, size_t room)
{
	struct drg_arena a;
	const struct drg_air_place *found;
	size_t n, total, at = 0;
	drg_arena_init(&a, 1 << 24);
	assert_int_equal(drg_air_search(cat, q, &a, &found, &n, &total), DRG_OK);
	buf[0] = '\0';
	for (size_t i = 0; i < n; i++)
		at += (size_t)snprintf(buf + at, room - at, "%s%.*s", i > 0 ? " " : "",
		                       DRG_STR_ARG(found[i].code));
	drg_arena_done(&a);
	return buf;
}

static const struct {
	const char *name, *text, *want;
} cases[] = {
	/* 1. the IATA code is the query */
	{ "a code before a name that begins so", "par", "PAR SAX ORY PRX CDG" },
	{ "no code in Cyrillic letters", "иев", "" },
	/* 2. a name begins with the query */
	{ "equal names first, then by weight", "paris", "PAR PRX ORY CDG" },
	{ "in any language", "Париж", "PAR CDG ORY" },
	{ "with a hard sign", "Парижъ", "PAR CDG ORY" },
	{ "as people transliterate", "parizh", "PAR CDG ORY" },
	{ "with diacritics", "Pàris", "PAR PRX ORY CDG" },
	{ "in capitals", "PARIS", "PAR PRX ORY CDG" },
	{ "in katakana", "パリ", "PAR ORY PRX CDG SAX" },
	{ "in Han", "巴", "PAR CDG ORY DPS" },
	{ "Kyiv as Ukraine writes it", "kyiv", "IEV" },
	{ "Kyiv in Ukrainian letters", "КИЇВ", "IEV" },
	{ "an umlaut as two letters", "muen", "MUC" },
	{ "an umlaut without its dots", "munchen", "MUC" },
	/* 3. every word begins a word of the name or of its city's name, or is the code */
	{ "words in any order", "orly par", "ORY" },
	{ "a word of the city's name", "gaulle paris", "CDG" },
	{ "a code among words", "lhr london", "LHR" },
	{ "the beginning of a code is no code", "lh london", "LON LHR LGW" },
	{ "one word that nothing has is left out", "paris nothing", "PAR PRX CDG ORY" },
	{ "a word twice", "orly orly", "ORY" },
	/* 4. the wrong keyboard layout */
	{ "Moscow on QWERTY", "vjcrdf", "MOW" },
	{ "London on ЙЦУКЕН", "дщтвщт", "LON LGW LHR" },
	{ "a code on ЙЦУКЕН", "дрк", "LHR" },
	{ "no code was meant in Cyrillic letters on Latin keys", "vjd", "" },
	{ "words on ЙЦУКЕН", "щкдн зфкшы", "ORY" },
	{ "Kyiv on QWERTY", "rb]d", "IEV" },
	/* 5. typing errors, where nothing else is found */
	{ "another letter", "londan", "LON LHR LGW" },
	{ "a letter too many", "loondon", "LON LHR LGW" },
	{ "a letter missing", "lodon", "LON LHR LGW" },
	{ "neighbours swapped", "lnodon", "LON LHR LGW" },
	{ "of four letters one may be wrong", "kyuv", "IEV" },
	{ "of three none", "orx", "" },
	{ "two errors in seven are too many but in a whole name", "heazhxo", "" },
	{ "two errors in a name of seven", "morcovu", "" },
	{ "two errors in eight", "heazhxow", "LHR" },
	{ "one error explains more than two", "heathrww", "LHR" },
	{ "a missing space", "newyork", "NYC" },
	{ "an error in one word of two", "gaullx paris", "CDG" },
	{ "an error in the beginning of a name", "charlas", "CDG" },
	{ "a code has no errors", "lhx", "" },
	/* errors in the letters that were typed */
	{ "letters that are several in Latin", "пухкет", "HKT" },
	{ "one of them missing", "учинск", "TZN" },
	{ "in Arabic", "بوكبت", "HKT" },
	{ "in Greek, without marks", "πουτετ", "HKT" },
	{ "two in a whole name of seven", "щачинмк", "TZN" },
	{ "a whole name with two before a part of the words", "hi chi minj city", "SGN" },
	/* without the spaces between words */
	{ "of one name", "hochiminhcity", "SGN" },
	{ "its beginning", "chiminhci", "SGN" },
	{ "of a place and its city", "parisgaulle", "CDG" },
	{ "in Han", "北京首都", "PEK" },
	{ "with a generic word", "北京首都国际机场", "PEK" },
	{ "some spaces were typed", "hochi minhcity", "SGN" },
	{ "a part that nothing has", "parisqqqq", "" },
	/* what is written behind names of cities */
	{ "a city in Chinese", "北京市", "BJS PEK" },
	{ "in Korean", "베이징시", "BJS PEK" },
	{ "behind its province", "河北省北京市", "BJS PEK" },
	{ "in other words for a city", "北京城", "BJS PEK" },
	{ "for a county", "北京郡", "BJS PEK" },
	{ "behind a region without a suffix", "内蒙古北京市", "BJS" },
	{ "before the peoples of a prefecture", "北京土家族自治州", "BJS" },
	{ "not in other countries", "内蒙古巴黎市", "" },
	/* names as people write them */
	{ "a name that is a code, too", "Goa", "GOI GOA" },
	{ "the code in capitals", "GOA", "GOA GOI" },
	{ "short forms", "Sta. Maria Gen. AP", "SMX" },
	{ "an apostrophe", "Gatwick Int'l AP", "LGW" },
	/* generic words */
	{ "generic words may be missing", "heathrow international airport", "LHR" },
	{ "and are known by what people write", "Gatwick Intl Apt", "LGW" },
	{ "in other languages", "aéroport de paris", "CDG ORY PAR PRX" },
	{ "an airport is meant by them", "london flughafen", "LHR LGW LON" },
	{ "also where no space is between", "首都机场", "PEK" },
	{ "alone they are words as others", "airport", "LHR CDG LGW ORY KHA GAA SMX" },
	/* words that are written in several ways */
	{ "St", "st petersburg", "LED" },
	{ "Sankt", "sankt petersburg", "LED" },
	/* a word may be missing */
	{ "a word more than the name has", "new york city", "NYC" },
	{ "a word that nothing has", "new delhi", "DEL NYC" },
	{ "what has the rarest word goes first", "heathrow qqqq delhi", "LHR DEL" },
	{ "nothing has any word", "qqqq wwww", "" },
	/* airports of a city of that name */
	{ "before airports whose names begin so", "gao airport", "GAA KHA GAQ KHH" },
	{ "unless they are heavier, and more may follow", "airport gao", "KHA GAA KHH GAQ" },
	/* by ear, and what is likelier */
	{ "one letter of those that were typed before what sounds so", "دولوو", "DLH DEL" },
	{ "such a title without what is behind a comma", "دايتن", "DAY TTA" },
	{ "two names in Han", "纽瓦克", "EWR" },
	{ "in Cyrillic", "комокс", "YQQ" },
	{ "one letter in a heavier name before a beginning in another script", "каами", "MIA VAM" },
	{ "one letter before parts of names", "генералма", "MRS" },
	/* codes */
	{ "a code in Cyrillic letters is none", "рим", "ROM" },
	{ "a light place's code gives way", "mun", "MUC MUN" },
	{ "but not in capitals", "MUN", "MUN MUC" },
	{ "nor to a place that is hardly heavier", "lon", "LON LGW LHR" },
	{ "an ICAO code", "egkk", "LGW" },
	{ "an ICAO code among words", "london EGKK", "LGW" },
	/* scripts */
	{ "Latin letters are of Latin names first", "bali", "DPS PAR CDG ORY" },
	/* countries */
	{ "beside a place", "paris france", "CDG PAR ORY" },
	{ "of another country: the word is left out", "paris великобритания", "PAR PRX CDG ORY" },
	{ "by what it is called", "heathrow uk", "LHR" },
	{ "alone: its places", "united kingdom", "LON SAX LHR LGW" },
	{ "by another of its usual names", "ivory coast", "YAO" },
	{ "by an older name", "great britain", "LON SAX LHR LGW" },
	{ "in another alphabet", "берег слоновой кости", "YAO" },
	{ "its heaviest place, then those of the name", "holland", "AMS HLM RTM HLC" },
	{ "lighter than what begins so", "ivory", "OOL" },
	/* bad input */
	{ "only emoji", "😀😀", "" },
	{ "only marks", "\xcc\x80\xcc\x81", "" },
	{ "only punctuation", "--,;", "" },
	{ "SQL", "' OR 1=1 --", "ORY" },
	{ "a control character splits words", "orly\x01paris", "ORY" },
	{ "by its sound, from right to left", "باريس", "PAR PRX" },
};

static void rules(void **state)
{
	(void)state;
	char got[256];
	int failed = 0;
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		const struct drg_air_query q = { .text = drg_str_c(cases[i].text),
			                         .lang = DRG_STR("en"),
			                         .limit = 50 };
		if (strcmp(search(&q, got, sizeof got), cases[i].want) != 0)
			print_error("%s: \"%s\" finds \"%s\", not \"%s\"\n", cases[i].name, cases[i].text,
			            got, cases[i].want),
			        failed++;
	}
	assert_int_equal(failed, 0);
}

static void expect(const struct drg_air_query *q, const char *want)
{
	char got[256];
	assert_string_equal(search(q, got, sizeof got), want);
}

static void a_limit_cuts_the_end(void **state)
{
	(void)state;
	struct drg_air_query q = { .text = DRG_STR("paris"), .lang = DRG_STR("en"), .limit = 1 };
	expect(&q, "PAR");
	q.limit = 2;
	expect(&q, "PAR PRX");
	q.limit = 3;
	expect(&q, "PAR PRX ORY");
	q.limit = DRG_AIR_LIMIT_MAX;
	expect(&q, "PAR PRX ORY CDG");
}

static void types_and_country_narrow(void **state)
{
	(void)state;
	struct drg_air_query q = {
		.text = DRG_STR("paris"), .lang = DRG_STR("en"), .limit = 50, .apt = true
	};
	expect(&q, "ORY CDG");
	q.city = true;
	expect(&q, "PAR PRX ORY CDG");
	q.apt = false;
	expect(&q, "PAR PRX");
	memcpy(q.country, "US", 2);
	expect(&q, "PRX");
	q.text = DRG_STR("");
	q.limit = 0;
	expect(&q, "NYC SMX PRX");
	memcpy(q.country, "QQ", 2);
	expect(&q, "");
}

static void errors_are_looked_for_where_the_filter_leaves_nothing(void **state)
{
	(void)state;
	struct drg_air_query q = { .text = DRG_STR("parts"), .lang = DRG_STR("en"), .limit = 50 };
	expect(&q, "PAR PRX SAX CDG ORY");
	memcpy(q.country, "FR", 2);
	expect(&q, "PAR CDG ORY");
}

static void countries_are_found_where_they_are_asked_for(void **state)
{
	(void)state;
	struct drg_air_query q = {
		.text = DRG_STR("united"), .lang = DRG_STR("en"), .limit = 50, .nation = true
	};
	expect(&q, "GB US");
	q.text = DRG_STR("великобр");
	expect(&q, "GB");
	q.text = DRG_STR("FR");
	expect(&q, "FR");
	q.text = DRG_STR("francw");
	expect(&q, "FR");
	q.city = true;
	q.text = DRG_STR("paris");
	expect(&q, "PAR PRX");
	q.text = DRG_STR("");
	q.city = false;
	expect(&q, "CI FR NL GB US");
}

static void a_search_counts_what_it_does_not_give(void **state)
{
	(void)state;
	struct drg_arena a;
	const struct drg_air_place *found;
	const struct drg_air_query q = { .text = DRG_STR("paris"), .lang = DRG_STR("en"), .limit = 2 };
	size_t n, total;
	drg_arena_init(&a, 1 << 24);
	assert_int_equal(drg_air_search(cat, &q, &a, &found, &n, &total), DRG_OK);
	assert_int_equal(n, 2);
	assert_int_equal(total, 4);
	drg_arena_done(&a);
}

static void near_narrows_and_puts_the_nearest_first(void **state)
{
	(void)state;
	struct drg_air_query q = { .text = DRG_STR("paris"),
		                   .lang = DRG_STR("en"),
		                   .limit = 50,
		                   .near = true,
		                   .lat = 48.73,
		                   .lng = 2.36,
		                   .radius_km = 100 };
	expect(&q, "PAR ORY CDG"); /* the group of equal names still comes first */
	q.radius_km = 14;
	expect(&q, "PAR ORY");
	q.text = DRG_STR("");
	q.limit = 0;
	q.radius_km = 100;
	expect(&q, "ORY PAR CDG");
	q.limit = 2;
	expect(&q, "ORY PAR");
	q.lat = -80;
	expect(&q, "");
}

static void places_of_one_weight_stand_in_the_order_of_the_language(void **state)
{
	(void)state;
	struct drg_air_query q = { .text = DRG_STR("ze"), .lang = DRG_STR("en"), .limit = 50 };
	expect(&q, "ZZA ZZB"); /* Zeta, Zeta b */
	q.lang = DRG_STR("sv");
	expect(&q, "ZZB ZZA"); /* Zäta, Öta: in Swedish ö is the last letter */
	q.lang = DRG_STR("de");
	expect(&q, "ZZA ZZB");
	q.lang = DRG_STR("xx-nothing");
	expect(&q, "ZZA ZZB");
}

static const struct {
	const char *name, *lang, *text, *want;
} languages[] = {
	{ "a title before a heavier name in another language", "en", "sou", "SOU SEL" },
	{ "in its own language that is the title", "sv", "sou", "SEL SOU" },
	{ "an equal name needs no language", "en", "soul", "SEL SOU" },
	{ "where there is no title, the English one", "sv", "sout", "SOU SEL" },
	{ "of a country's variety too", "sv-se", "sou", "SEL SOU" },
	{ "in Russian", "ru", "сур", "SUB SGC" },
	{ "in Ukrainian", "uk", "сур", "SGC SUB" },
	{ "without a word that is written in two ways", "en", "saint s", "SGC LED SMX" },
	{ "on another layout", "ru", "ceh", "SUB SGC" },
	{ "in letters of another language nothing changes", "ru", "sou", "SEL SOU" },
	{ "although it folds to one of its names", "en", "дзу", "TLN SIP" },
	{ "as in a language that nothing is written in", "xx", "sou", "SOU SEL" },
};

static void a_title_in_the_language_of_the_request_comes_first(void **state)
{
	(void)state;
	char got[256];
	int failed = 0;
	for (size_t i = 0; i < DRG_ARRAY_LEN(languages); i++) {
		const struct drg_air_query q = { .text = drg_str_c(languages[i].text),
			                         .lang = drg_str_c(languages[i].lang),
			                         .limit = 50 };
		if (strcmp(search(&q, got, sizeof got), languages[i].want) != 0)
			print_error("%s: \"%s\" in %s finds \"%s\", not \"%s\"\n", languages[i].name,
			            languages[i].text, languages[i].lang, got, languages[i].want),
			        failed++;
	}
	assert_int_equal(failed, 0);
}

static void what_is_near_comes_first_in_any_language(void **state)
{
	(void)state;
	struct drg_air_query q = { .text = DRG_STR("soul"),
		                   .lang = DRG_STR("en"),
		                   .limit = 50,
		                   .near = true,
		                   .lat = 37,
		                   .lng = 127,
		                   .radius_km = 20000 };
	expect(&q, "SEL SOU");
	q.text = DRG_STR("sou");
	expect(&q, "SOU SEL"); /* SOU is the code */
	q.text = DRG_STR("so");
	expect(&q, "SEL SOU");
}

static void blanks_are_no_text(void **state)
{
	(void)state;
	struct drg_air_query q = { .text = DRG_STR(" \t "), .lang = DRG_STR("en") };
	memcpy(q.country, "GB", 2);
	expect(&q, "LON SAX LHR LGW");
}

static void without_memory_nothing_is_promised(void **state)
{
	(void)state;
	struct drg_arena a;
	const struct drg_air_place *found;
	const struct drg_air_query q = { .text = DRG_STR("lnodon"), .lang = DRG_STR("en"), .limit = 50 };
	size_t n, total;
	int rc = DRG_ENOMEM;
	for (size_t room = 0; room < 40000 && rc == DRG_ENOMEM; room += 500) {
		drg_arena_init(&a, room);
		rc = drg_air_search(cat, &q, &a, &found, &n, &total);
		drg_arena_done(&a);
	}
	assert_int_equal(rc, DRG_OK);
}

GROUP(search)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules),
		cmocka_unit_test(a_limit_cuts_the_end),
		cmocka_unit_test(types_and_country_narrow),
		cmocka_unit_test(errors_are_looked_for_where_the_filter_leaves_nothing),
		cmocka_unit_test(countries_are_found_where_they_are_asked_for),
		cmocka_unit_test(a_search_counts_what_it_does_not_give),
		cmocka_unit_test(near_narrows_and_puts_the_nearest_first),
		cmocka_unit_test(places_of_one_weight_stand_in_the_order_of_the_language),
		cmocka_unit_test(a_title_in_the_language_of_the_request_comes_first),
		cmocka_unit_test(what_is_near_comes_first_in_any_language),
		cmocka_unit_test(blanks_are_no_text),
		cmocka_unit_test(without_memory_nothing_is_promised),
	};
	return cmocka_run_group_tests_name("air search", tests, fill, drop);
}
