#include "synth/places.h"

#include "base/compiler.h"
#include "text/json.h"

/* Names are "English|Ukrainian|Russian|German"; what is missing at the end is left out. Ids of countries and
 * currencies are their ISO numbers. */

static const char *const name_langs[] = { "en", "uk", "ru", "de" };

/* clang-format off */
static const struct {
	int id;
	const char *code, *names;
} countries[] = {
	{  40, "AT", "Austria|Австрія|Австрия|Österreich" },
	{ 100, "BG", "Bulgaria|Болгарія|Болгария|Bulgarien" },
	{ 144, "LK", "Sri Lanka|Шрі-Ланка|Шри-Ланка|Sri Lanka" },
	{ 191, "HR", "Croatia|Хорватія|Хорватия|Kroatien" },
	{ 196, "CY", "Cyprus|Кіпр|Кипр|Zypern" },
	{ 203, "CZ", "Czechia|Чехія|Чехия|Tschechien" },
	{ 214, "DO",
		"Dominican Republic|Домініканська Республіка|Доминиканская Республика|Dominikanische "
		"Republik" },
	{ 268, "GE", "Georgia|Грузія|Грузия|Georgien" },
	{ 276, "DE", "Germany|Німеччина|Германия|Deutschland" },
	{ 300, "GR", "Greece|Греція|Греция|Griechenland" },
	{ 360, "ID", "Indonesia|Індонезія|Индонезия|Indonesien" },
	{ 380, "IT", "Italy|Італія|Италия|Italien" },
	{ 398, "KZ", "Kazakhstan|Казахстан|Казахстан|Kasachstan" },
	{ 462, "MV", "Maldives|Мальдіви|Мальдивы|Malediven" },
	{ 484, "MX", "Mexico|Мексика|Мексика|Mexiko" },
	{ 499, "ME", "Montenegro|Чорногорія|Черногория|Montenegro" },
	{ 616, "PL", "Poland|Польща|Польша|Polen" },
	{ 704, "VN", "Vietnam|Вʼєтнам|Вьетнам|Vietnam" },
	{ 724, "ES", "Spain|Іспанія|Испания|Spanien" },
	{ 764, "TH", "Thailand|Таїланд|Таиланд|Thailand" },
	{ 784, "AE", "United Arab Emirates|Обʼєднані Арабські Емірати|ОАЭ|Vereinigte Arabische Emirate" },
	{ 788, "TN", "Tunisia|Туніс|Тунис|Tunesien" },
	{ 792, "TR", "Türkiye|Туреччина|Турция|Türkei" },
	{ 804, "UA", "Ukraine|Україна|Украина|Ukraine" },
	{ 818, "EG", "Egypt|Єгипет|Египет|Ägypten" },
	{ 826, "GB", "United Kingdom|Велика Британія|Великобритания|Vereinigtes Königreich" },
};

/* Resorts and, marked 0, other cities; degrees in ten-thousandths. */
static const struct {
	int country;
	bool is_resort;
	int lat, lng;
	const char *names;
} cities[] = {
	{ 792, 0, 368969,  307133, "Antalya|Анталія|Анталья" },
	{ 792, 1, 368625,  310556, "Belek|Белек|Белек" },
	{ 792, 1, 365978,  305606, "Kemer|Кемер|Кемер" },
	{ 792, 1, 367667,  313889, "Side|Сіде|Сиде" },
	{ 792, 1, 365438,  319998, "Alanya|Аланія|Аланья" },
	{ 792, 1, 370344,  274305, "Bodrum|Бодрум|Бодрум" },
	{ 792, 1, 368550,  282742, "Marmaris|Мармарис|Мармарис" },
	{ 792, 1, 366217,  291164, "Fethiye|Фетхіє|Фетхие" },
	{ 792, 1, 378579,  272610, "Kuşadası|Кушадаси|Кушадасы" },
	{ 792, 0, 410082,  289784, "Istanbul|Стамбул|Стамбул|Istanbul" },
	{ 818, 1, 272579,  338116, "Hurghada|Хургада|Хургада" },
	{ 818, 1, 279158,  343300, "Sharm El Sheikh|Шарм-еш-Шейх|Шарм-эль-Шейх|Scharm asch-Schaich" },
	{ 818, 1, 250676,  348790, "Marsa Alam|Марса-Алам|Марса-Алам" },
	{ 818, 1, 273949,  336782, "El Gouna|Ель-Гуна|Эль-Гуна" },
	{ 818, 1, 285096,  345165, "Dahab|Дахаб|Дахаб" },
	{ 818, 0, 300444,  312357, "Cairo|Каїр|Каир|Kairo" },
	{ 300, 1, 364349,  282176, "Rhodes|Родос|Родос|Rhodos" },
	{ 300, 1, 363432,  281997, "Faliraki|Фаліракі|Фалираки" },
	{ 300, 1, 353387,  251442, "Heraklion|Іракліон|Ираклион" },
	{ 300, 1, 355138,  240180, "Chania|Ханья|Ханья" },
	{ 300, 1, 353160,  253930, "Hersonissos|Херсоніссос|Херсониссос" },
	{ 300, 1, 368915,  272877, "Kos|Кос|Кос" },
	{ 300, 1, 364618,  253753, "Oia|Ія|Ия" },
	{ 300, 0, 379838,  237275, "Athens|Афіни|Афины|Athen" },
	{ 196, 1, 349823,  339997, "Ayia Napa|Ая-Напа|Айя-Напа" },
	{ 196, 1, 350125,  340583, "Protaras|Протарас|Протарас" },
	{ 196, 1, 347754,  324245, "Paphos|Пафос|Пафос" },
	{ 196, 1, 346786,  330413, "Limassol|Лімасол|Лимассол" },
	{ 724, 1, 385342,   -1315, "Benidorm|Бенідорм|Бенидорм" },
	{ 724, 1, 365101,  -48825, "Marbella|Марбелья|Марбелья" },
	{ 724, 1, 410763,   11417, "Salou|Салоу|Салоу" },
	{ 724, 1, 416996,   28454, "Lloret de Mar|Льорет-де-Мар|Льорет-де-Мар" },
	{ 724, 1, 280500, -167167, "Playa de las Américas|Плая-де-лас-Амерікас|Плайя-де-лас-Америкас" },
	{ 724, 1, 395062,   25365, "Magaluf|Магалуф|Магалуф" },
	{ 724, 0, 413851,   21734, "Barcelona|Барселона|Барселона" },
	{ 380, 1, 440678,  125695, "Rimini|Ріміні|Римини" },
	{ 380, 1, 455040,  126400, "Lido di Jesolo|Лідо-ді-Єзоло|Лидо-ди-Езоло" },
	{ 380, 1, 406263,  143758, "Sorrento|Сорренто|Сорренто" },
	{ 380, 1, 378516,  152853, "Taormina|Таорміна|Таормина" },
	{ 380, 0, 419028,  124964, "Rome|Рим|Рим|Rom" },
	{ 100, 1, 426950,  277100, "Sunny Beach|Сонячний Берег|Солнечный Берег|Sonnenstrand" },
	{ 100, 1, 432850,  280420, "Golden Sands|Золоті Піски|Золотые Пески|Goldstrand" },
	{ 100, 1, 426600,  277170, "Nesebar|Несебир|Несебыр" },
	{ 100, 1, 418383,  234885, "Bansko|Банско|Банско" },
	{ 499, 1, 422911,  188403, "Budva|Будва|Будва" },
	{ 499, 1, 422820,  188700, "Becici|Бечичі|Бечичи" },
	{ 499, 1, 424531,  185375, "Herceg Novi|Герцег-Нові|Герцег-Нови" },
	{ 191, 1, 426507,  180944, "Dubrovnik|Дубровник|Дубровник" },
	{ 191, 1, 452258,  135950, "Poreč|Пореч|Пореч" },
	{ 191, 1, 432969,  170178, "Makarska|Макарська|Макарска" },
	{ 788, 1, 364000,  106167, "Hammamet|Хаммамет|Хаммамет" },
	{ 788, 1, 358256,  106084, "Sousse|Сус|Сус" },
	{ 788, 1, 338081,  108929, "Midoun|Мідун|Мидун" },
	{ 784, 1, 252010,  552410, "Jumeirah|Джумейра|Джумейра" },
	{ 784, 1, 257890,  559430, "Ras Al Khaimah|Рас-ель-Хайма|Рас-эль-Хайма" },
	{ 784, 1, 251220,  563350, "Fujairah|Фуджейра|Фуджейра" },
	{ 784, 0, 252048,  552708, "Dubai|Дубай|Дубай" },
	{ 764, 1,  78965,  982965, "Patong|Патонг|Патонг" },
	{ 764, 1, 129276, 1008771, "Pattaya|Паттайя|Паттайя" },
	{ 764, 1,  80863,  989063, "Krabi|Крабі|Краби" },
	{ 764, 1,  95320, 1000620, "Chaweng|Чавенг|Чавенг" },
	{ 764, 0, 137563, 1005018, "Bangkok|Бангкок|Бангкок" },
	{ 704, 1, 122388, 1091967, "Nha Trang|Нячанг|Нячанг" },
	{ 704, 1, 102180, 1039600, "Phu Quoc|Фукуок|Фукуок" },
	{ 360, 1, -87237, 1151750, "Kuta|Кута|Кута" },
	{ 360, 1, -88008, 1152317, "Nusa Dua|Нуса-Дуа|Нуса-Дуа" },
	{ 360, 1, -85069, 1152625, "Ubud|Убуд|Убуд" },
	{ 462, 1,  39418,  734907, "Maafushi|Маафуші|Маафуши" },
	{ 144, 1,  64189,  800006, "Bentota|Бентота|Бентота" },
	{ 144, 1,  61395,  801010, "Hikkaduwa|Хіккадува|Хиккадува" },
	{ 214, 1, 185820, -684055, "Punta Cana|Пунта-Кана|Пунта-Кана" },
	{ 214, 1, 188110, -705830, "Juan Dolio|Хуан-Доліо|Хуан-Долио" },
	{ 484, 1, 211619, -868515, "Cancún|Канкун|Канкун" },
	{ 484, 1, 206296, -870739, "Playa del Carmen|Плая-дель-Кармен|Плайя-дель-Кармен" },
	{  40, 1, 469655,  110080, "Sölden|Зельден|Зёльден" },
	{  40, 1, 473923,  127950, "Zell am See|Целль-ам-Зее|Целль-ам-Зе" },
	{ 268, 1, 416168,  416367, "Batumi|Батумі|Батуми" },
	{ 804, 1, 483640,  244230, "Bukovel|Буковель|Буковель" },
	{ 616, 1, 492992,  199496, "Zakopane|Закопане|Закопане" },
	{ 203, 1, 502304,  128712, "Karlovy Vary|Карлові Вари|Карловы Вары|Karlsbad" },
};

/* Departure cities with their airports; degrees in ten-thousandths. */
static const struct {
	int country;
	const char *names, *iata, *airport;
	int lat, lng;
} departures[] = {
	{ 804, "Kyiv|Київ|Киев|Kiew",                           "KBP", "Boryspil International Airport",
		503450, 308947 },
	{ 804, "Lviv|Львів|Львов|Lemberg",                      "LWO", "Lviv Danylo Halytskyi Airport",
		498125, 239561 },
	{ 804, "Odesa|Одеса|Одесса|Odessa",                     "ODS", "Odesa International Airport",
		464268, 306765 },
	{ 804, "Kharkiv|Харків|Харьков|Charkiw",                "HRK", "Kharkiv International Airport",
		499248, 362900 },
	{ 616, "Warsaw|Варшава|Варшава|Warschau",               "WAW", "Warsaw Chopin Airport",
		521657, 209671 },
	{ 616, "Kraków|Краків|Краков|Krakau",                   "KRK", "John Paul II Kraków-Balice Airport",
		500777, 197848 },
	{ 616, "Katowice|Катовіце|Катовице|Kattowitz",          "KTW", "Katowice International Airport",
		504743, 190800 },
	{ 616, "Gdańsk|Гданськ|Гданьск|Danzig",                 "GDN", "Gdańsk Lech Wałęsa Airport",
		543776, 184662 },
	{ 616, "Wrocław|Вроцлав|Вроцлав|Breslau",               "WRO", "Copernicus Wrocław Airport",
		511027, 168858 },
	{ 276, "Berlin|Берлін|Берлин|Berlin",                   "BER", "Berlin Brandenburg Airport",
		523667, 135033 },
	{ 276, "Munich|Мюнхен|Мюнхен|München",                  "MUC", "Munich Airport",
		483538, 117861 },
	{ 276, "Frankfurt|Франкфурт|Франкфурт|Frankfurt",       "FRA", "Frankfurt Airport",
		500333,  85706 },
	{ 276, "Düsseldorf|Дюссельдорф|Дюссельдорф|Düsseldorf", "DUS", "Düsseldorf Airport",
		512895,  67668 },
	{ 276, "Hamburg|Гамбург|Гамбург|Hamburg",               "HAM", "Hamburg Airport",
		536304,  99882 },
	{ 826, "London|Лондон|Лондон|London",                   "LHR", "Heathrow Airport",
		514706,  -4619 },
	{ 826, "Manchester|Манчестер|Манчестер",                "MAN", "Manchester Airport",
		533537, -22750 },
	{ 398, "Almaty|Алмати|Алматы|Almaty",                   "ALA", "Almaty International Airport",
		433521, 770405 },
	{ 398, "Astana|Астана|Астана|Astana",                   "NQZ", "Nursultan Nazarbayev Airport",
		510222, 714669 },
	{ 203, "Prague|Прага|Прага|Prag",                       "PRG", "Václav Havel Airport Prague",
		501008, 142600 },
	{ 203, "Brno|Брно|Брно|Brünn",                          "BRQ", "Brno-Tuřany Airport",
		491513, 166944 },
};

static const struct {
	int id;
	const char *code, *names;
} currencies[] = {
	{ 784, "AED", "UAE dirham|дирхам ОАЕ|дирхам ОАЭ" },
	{ 975, "BGN", "Bulgarian lev|болгарський лев|болгарский лев" },
	{ 756, "CHF", "Swiss franc|швейцарський франк|швейцарский франк" },
	{ 203, "CZK", "Czech koruna|чеська крона|чешская крона" },
	{ 818, "EGP", "Egyptian pound|єгипетський фунт|египетский фунт" },
	{ 978, "EUR", "Euro|євро|евро" },
	{ 826, "GBP", "Pound sterling|фунт стерлінгів|фунт стерлингов" },
	{ 981, "GEL", "Georgian lari|грузинський ларі|грузинский лари" },
	{ 348, "HUF", "Hungarian forint|угорський форинт|венгерский форинт" },
	{ 398, "KZT", "Kazakhstani tenge|казахстанський тенге|казахстанский тенге" },
	{ 498, "MDL", "Moldovan leu|молдовський лей|молдавский лей" },
	{ 484, "MXN", "Mexican peso|мексиканське песо|мексиканский песо" },
	{ 985, "PLN", "Polish zloty|польський злотий|польский злотый" },
	{ 946, "RON", "Romanian leu|румунський лей|румынский лей" },
	{ 941, "RSD", "Serbian dinar|сербський динар|сербский динар" },
	{ 764, "THB", "Thai baht|тайський бат|тайский бат" },
	{ 788, "TND", "Tunisian dinar|туніський динар|тунисский динар" },
	{ 949, "TRY", "Turkish lira|турецька ліра|турецкая лира" },
	{ 980, "UAH", "Ukrainian hryvnia|українська гривня|украинская гривна" },
	{ 840, "USD", "US dollar|долар США|доллар США" },
};

static const struct {
	const char *name, *description;
} meals[] = {
	{ "RO",  "Room only|Без харчування|Без питания|Nur Übernachtung" },
	{ "SC",
		"Self-catering|Самостійне приготування їжі|Самостоятельное приготовление "
		"еды|Selbstverpflegung" },
	{ "BB",  "Bed and breakfast|Ліжко та сніданок|Завтрак|Übernachtung mit Frühstück" },
	{ "CB",
		"Continental breakfast|Континентальний сніданок|Континентальный завтрак|Kontinentales "
		"Frühstück" },
	{ "AB",  "American breakfast|Американський сніданок|Американский завтрак|Amerikanisches Frühstück" },
	{ "HB",  "Half board|Напівпансіон|Полупансион|Halbpension" },
	{ "HB+", "Half board with drinks|Розширений напівпансіон|Расширенный полупансион|Halbpension Plus" },
	{ "FB",  "Full board|Повний пансіон|Полный пансион|Vollpension" },
	{ "FB+",
		"Full board with drinks|Розширений повний пансіон|Расширенный полный пансион|Vollpension "
		"Plus" },
	{ "AI",  "All inclusive|Все включено|Всё включено|All-inclusive" },
	{ "UAI", "Ultra all inclusive|Ультра все включено|Ультра всё включено|Ultra All-inclusive" },
	{ "SAI",
		"Soft all inclusive|Все включено без алкоголю|Всё включено без алкоголя|All-inclusive ohne "
		"" "Alkohol" },
};

static const char *const categories[] = {
	"1*",
	"2*",
	"3*",
	"4*",
	"5*",
	"HV-1",
	"HV-2",
	"Apartments|Апартаменти|Апартаменты|Apartments",
	"Villa|Вілла|Вилла|Villa",
	"Hostel|Хостел|Хостел|Hostel",
	"Boutique|Бутик|Бутик|Boutique",
	"Unrated|Без категорії|Без категории|Ohne Kategorie",
};

static const char *const hotel_types[] = {
	"Hotel|Готель|Отель|Hotel",
	"Beach hotel|Пляжний готель|Пляжный отель|Strandhotel",
	"City hotel|Міський готель|Городской отель|Stadthotel",
	"Resort|Курортний готель|Курортный отель|Resort",
	"Spa hotel|Спа-готель|Спа-отель|Wellnesshotel",
	"Aparthotel|Апарт-готель|Апарт-отель|Aparthotel",
	"Boutique hotel|Бутик-готель|Бутик-отель|Boutique-Hotel",
	"Guest house|Гостьовий будинок|Гостевой дом|Gästehaus",
	"Villa|Вілла|Вилла|Villa",
	"Hostel|Хостел|Хостел|Hostel",
	"Bungalow|Бунгало|Бунгало|Bungalow",
	"Sanatorium|Санаторій|Санаторий|Kurklinik",
};

static const char *const description_types[] = {
	"General|Загальний опис|Общее описание|Allgemeines",
	"Location|Розташування|Расположение|Lage",
	"Rooms|Номери|Номера|Zimmer",
	"Beach|Пляж|Пляж|Strand",
	"Meals|Харчування|Питание|Verpflegung",
};

static const char *const facility_groups[] = {
	"Beach|Пляж|Пляж|Strand",
	"Pools and spa|Басейни та спа|Бассейны и спа|Pools und Wellness",
	"In the room|У номері|В номере|Im Zimmer",
	"Services|Послуги|Услуги|Service",
};

static const struct {
	int group;
	const char *names;
} facilities[] = {
	{ 1, "Private beach|Власний пляж|Собственный пляж|Privatstrand" },
	{ 1, "Sandy beach|Піщаний пляж|Песчаный пляж|Sandstrand" },
	{ 1, "Sunbeds on the beach|Шезлонги на пляжі|Шезлонги на пляже|Liegen am Strand" },
	{ 2, "Outdoor pool|Відкритий басейн|Открытый бассейн|Außenpool" },
	{ 2, "Indoor pool|Критий басейн|Крытый бассейн|Hallenbad" },
	{ 2, "Spa centre|Спа-центр|Спа-центр|Spa-Bereich" },
	{ 2, "Sauna|Сауна|Сауна|Sauna" },
	{ 3, "Air conditioning|Кондиціонер|Кондиционер|Klimaanlage" },
	{ 3, "Balcony|Балкон|Балкон|Balkon" },
	{ 3, "Safe|Сейф|Сейф|Safe" },
	{ 3, "Minibar|Мінібар|Мини-бар|Minibar" },
	{ 4, "Parking|Парковка|Парковка|Parkplatz" },
	{ 4, "Airport transfer|Трансфер з аеропорту|Трансфер из аэропорта|Flughafentransfer" },
	{ 4, "Wi-Fi|Wi-Fi|Wi-Fi|WLAN" },
	{ 4, "Laundry|Пральня|Прачечная|Wäscherei" },
};
/* clang-format on */

/** A member with names by language; a name that is the same everywhere is a plain string. */
static void places_put_names(struct drg_jw *w, const char *key, const char *names)
{
	struct drg_str rest = drg_str_c(names), name;
	drg_jw_key(w, key);
	if (strchr(names, '|') == NULL) {
		drg_jw_str(w, rest);
		return;
	}
	drg_jw_object(w);
	for (unsigned l = 0; l < DRG_ARRAY_LEN(name_langs) && drg_str_split(&rest, '|', &name); l++) {
		drg_jw_key(w, name_langs[l]);
		drg_jw_str(w, name);
	}
	drg_jw_object_end(w);
}

static void put_int(struct drg_jw *w, const char *key, int64_t v)
{
	drg_jw_key(w, key);
	drg_jw_i64(w, v);
}

static void places_put_text(struct drg_jw *w, const char *key, const char *text)
{
	drg_jw_key(w, key);
	drg_jw_str(w, drg_str_c(text));
}

static void places_put_position(struct drg_jw *w, int lat, int lng)
{
	drg_jw_key(w, "lat");
	drg_jw_real(w, lat / 1e4);
	drg_jw_key(w, "lng");
	drg_jw_real(w, lng / 1e4);
}

static void dict_begin(struct drg_jw *w, const char *kind, int64_t id, const char *names)
{
	w->comma = false;
	drg_jw_object(w);
	places_put_text(w, "type", "dict");
	places_put_text(w, "kind", kind);
	put_int(w, "id", id);
	places_put_names(w, "name", names);
}

static void line_end(struct drg_jw *w)
{
	drg_jw_object_end(w);
	drg_buf_char(w->b, '\n');
}

static void put_countries_and_currencies(struct drg_jw *w)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(countries); i++) {
		dict_begin(w, "country", countries[i].id, countries[i].names);
		places_put_text(w, "iso_alpha_2", countries[i].code);
		line_end(w);
	}
	for (size_t i = 0; i < DRG_ARRAY_LEN(currencies); i++) {
		dict_begin(w, "currency", currencies[i].id, currencies[i].names);
		places_put_text(w, "iso_code", currencies[i].code);
		line_end(w);
	}
}

static void put_cities(struct drg_jw *w)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(departures); i++) {
		dict_begin(w, "dep_city", (int64_t)i + 1, departures[i].names);
		put_int(w, "country_id", departures[i].country);
		line_end(w);
	}
	for (size_t i = 0; i < DRG_ARRAY_LEN(cities); i++) {
		dict_begin(w, "city", (int64_t)i + 1, cities[i].names);
		put_int(w, "country_id", cities[i].country);
		if (cities[i].is_resort) {
			drg_jw_key(w, "is_resort");
			drg_jw_bool(w, true);
		}
		places_put_position(w, cities[i].lat, cities[i].lng);
		line_end(w);
	}
}

static void put_named(struct drg_jw *w, const char *kind, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		dict_begin(w, kind, (int64_t)i + 1, names[i]);
		line_end(w);
	}
}

static void put_terms(struct drg_jw *w)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(meals); i++) {
		dict_begin(w, "meal", (int64_t)i + 1, meals[i].name);
		places_put_names(w, "description", meals[i].description);
		line_end(w);
	}
	put_named(w, "hotel_category", categories, DRG_ARRAY_LEN(categories));
	put_named(w, "hotel_type", hotel_types, DRG_ARRAY_LEN(hotel_types));
	put_named(w, "description_type", description_types, DRG_ARRAY_LEN(description_types));
	put_named(w, "facility_group", facility_groups, DRG_ARRAY_LEN(facility_groups));
	for (size_t i = 0; i < DRG_ARRAY_LEN(facilities); i++) {
		dict_begin(w, "facility_type", (int64_t)i + 1, facilities[i].names);
		put_int(w, "facility_group_id", facilities[i].group);
		line_end(w);
	}
}

static const char *country_code(int id)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(countries); i++)
		if (countries[i].id == id)
			return countries[i].code;
	return "";
}

static void put_airports(struct drg_jw *w)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(departures); i++) {
		w->comma = false;
		drg_jw_object(w);
		places_put_text(w, "type", "air_place");
		put_int(w, "source_id", (int64_t)i + 1);
		places_put_text(w, "place", "apt");
		places_put_text(w, "code", departures[i].iata);
		places_put_text(w, "name", departures[i].airport);
		places_put_text(w, "country_code", country_code(departures[i].country));
		places_put_position(w, departures[i].lat, departures[i].lng);
		line_end(w);
	}
}

void drg_synth_places(struct drg_buf *out)
{
	struct drg_jw w = { .b = out };
	put_countries_and_currencies(&w);
	put_cities(&w);
	put_terms(&w);
	put_airports(&w);
}
