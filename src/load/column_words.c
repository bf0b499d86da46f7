#include "load/column_words.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bound.h"
#include "base/buf.h"
#include "text/fold.h"

#define HOTEL DRG_COL_HOTEL
#define COUNTRY DRG_COL_COUNTRY
#define CITY DRG_COL_CITY
#define CATEGORY DRG_COL_CATEGORY
#define MEAL DRG_COL_MEAL
#define CURRENCY DRG_COL_CURRENCY
#define ID DRG_COL_ID
#define NUMBER DRG_COL_NUMBER
#define NAME DRG_COL_NAME
#define ADDRESS DRG_COL_ADDRESS
#define ZIP DRG_COL_ZIP
#define URL DRG_COL_URL
#define PHONE DRG_COL_PHONE
#define LAT DRG_COL_LAT
#define LNG DRG_COL_LNG
#define PAIR DRG_COL_PAIR
#define FEWER DRG_COL_FEWER
#define VAGUE DRG_COL_VAGUE
#define HOUSE DRG_COL_HOUSE
#define JOINS 0U /* "of", "the" */

/* Separated by bars; a word may be several. They are compared folded, so a spelling without diacritics is
 * known too, and words of two languages may be one. Short ones that other words begin or end with stand alone
 * only, see splits(). */
static const struct {
	uint64_t says;
	const char *words;
} table[] = {
	/* English: the hotel feeds of Google, Microsoft and Meta, the content APIs of Hotelbeds, Expedia,
	 * RateHawk and GIATA, the keys of OpenStreetMap (addr:city, contact:phone, official_name), GeoNames. */
	{ HOTEL, "hotel|hotels|property|accommodation|accomodation|lodging|hostel|htl" },
	{ HOTEL | FEWER, "establishment|object|venue" },
	{ COUNTRY, "country|countries|nation" },
	{ CITY, "city|cities|town|resort|locality|settlement" },
	{ CITY | FEWER, "municipality|village" },
	{ CITY | VAGUE, "region|destination|province|area" },
	{ CITY | ID | FEWER, "destination id|destination code" },
	{ DRG_COL_DEPARTURE, "departure" },
	{ CATEGORY, "stars|star|stars count|star count|star rating|star category|star "
	            "class|classification|class|classe|standard" },
	{ CATEGORY | FEWER, "category" },
	{ CATEGORY | VAGUE, "rating|grade" },
	{ MEAL, "meal|meals|board|boards|board basis|board type|meal plan|meal type" },
	{ CURRENCY, "currency|currencies" },
	{ CURRENCY | DRG_COL_ISO, "currency code|currencycode|currency iso code|iso currency code" },
	{ ID, "id|ids|code|codes|key|uid|uuid|guid|identifier|ref|reference|external id|supplier id|item "
	      "code|item id|unique id|uniqueid|hid" },
	{ ID | FEWER,
	  "item|registration number|registration no|registry number|licence number|license number|"
	  "licence no|license no" },
	{ NUMBER, "number|no|nr|num|numbers|cd" },
	{ NAME, "name|names|title|label|item label" },
	{ LAT, "lat|latitude|latitute" },
	{ LNG, "lng|lon|long|longitude|longtitude" },
	{ PAIR, "coordinates|coordinate|coords|coord|geolocation|geo location|geo coordinates|latlng|latlon|"
	        "latlong|geo point|geo point 2d|geopoint" },
	{ HOUSE, "house number|housenumber|addr housenumber|address housenumber|addr house number" },
	{ ADDRESS, "street and number|address|addr|street|street address|address line|addressline|postal "
	           "address|street name" },
	{ ZIP, "zip|postcode|postal code|post code|zip code|zipcode|postalcode" },
	{ URL, "url|uri|website|web|web site|web page|webpage|link|homepage|home page|www" },
	{ PHONE, "phone|telephone|tel|telephones|phones|mobile phone" },
	{ DRG_COL_ISO, "iso|iso2|iso3|iso 2|iso 3|iso alpha 2|iso alpha 3|alpha 2|alpha 3|alpha2|alpha3|"
	               "iso 3166|iso3166|iso 3166 1|iso 3166 1 alpha 2|iso 3166 1 alpha 3" },
	{ COUNTRY | DRG_COL_ISO, "cc|cc1" },
	{ DRG_COL_LANG, "lang|language" },
	{ DRG_COL_RESORT, "is resort" },
	{ DRG_COL_DICT, "dict id" },
	{ DRG_COL_GEO, "geo|gps|wgs84|wgs 84|geographic|geographical" },
	{ DRG_COL_DEGREES, "decimal|dec|degrees|deg|location" },
	{ DRG_COL_SOURCE, "supplier|provider|vendor|partner|unique|internal|own" },
	{ DRG_COL_CONTACT, "contact|contacts|reservation|reservations" },
	{ DRG_COL_TITLE, "official|full|commercial|trade|trading|display|main|default" },
	{ JOINS, "of|the|in|and" },

	/* German: the open data of Deutsche Bahn (Strasse, PLZ, Ort), lists of DACH operators (Zielgebiet,
	 * Zielort, Kat., Verpflegung), the Hotelstars Union. Words are joined: Hotelnummer, Ortsname. */
	{ HOTEL, "unterkunft|unterkunfts|unterkunfte|unterkuenfte|beherbergungsbetrieb|objekt" },
	{ HOTEL | FEWER, "betrieb" },
	{ COUNTRY, "land|landes|lander|laender|staat" },
	{ CITY, "ort|orts|stadt|zielort|wohnort" },
	{ CITY | FEWER, "gemeinde|ortschaft" },
	{ CITY | VAGUE, "zielgebiet|zielgebiets|bundesland" },
	{ CITY | ID | FEWER, "zielgebietscode|zielgebiet code|zielgebiet id" },
	{ CATEGORY, "sterne|stern|klasse|klassifizierung|kat" },
	{ CATEGORY | FEWER, "kategorie" },
	{ MEAL, "verpflegung|verpflegungs|verpflegungsart" },
	{ CURRENCY, "wahrung|waehrung" },
	{ ID, "kennung|schlussel|schluessel|kurzel|kuerzel|kennzeichen" },
	{ NUMBER, "nummer|anzahl" },
	{ NAME, "bezeichnung|titel|namen" },
	{ LAT, "breitengrad|breite|geografische breite|geographische breite" },
	{ LNG, "langengrad|laengengrad|lange|laenge|geografische lange|geographische lange" },
	{ PAIR, "koordinaten|koordinate" },
	{ ADDRESS, "adresse|anschrift|strasse|str|strassenname" },
	{ HOUSE, "hausnummer|hausnr|haus nr" },
	{ ZIP, "plz|postleitzahl" },
	{ URL, "webseite|webadresse|internet|internetseite|internetadresse" },
	{ PHONE, "telefon|telefonnummer|tel nr|rufnummer" },
	{ DRG_COL_TITLE, "offizielle|offizieller" },
	{ JOINS, "der|des|die|das|von|vom|und" },

	/* French: the classified hotels of Atout France (NOM COMMERCIAL, CLASSEMENT, COMMUNE, SITE INTERNET),
	 * the Base Adresse Nationale (code_postal, nom_commune). */
	{ HOTEL, "etablissement|hebergement|hebergements|etab" },
	{ COUNTRY, "pays" },
	{ CITY, "ville|localite" },
	{ CITY | FEWER, "commune" },
	{ CITY | VAGUE, "departement" },
	{ CATEGORY, "classement|etoiles|etoile|nb etoiles|nombre d etoiles|nombre etoiles" },
	{ CATEGORY | FEWER, "categorie|categories" },
	{ MEAL, "pension|restauration|formule" },
	{ CURRENCY, "devise|monnaie" },
	{ ID, "identifiant|ident|cle" },
	{ NUMBER, "numero|nb|n|n°|nº" },
	{ NAME, "nom|libelle|denomination|intitule|raison sociale" },
	{ ADDRESS, "rue|voie|adresse postale" },
	{ ZIP, "code postal|cp|codepostal" },
	{ URL, "site internet|site web|adresse internet|adresse web|lien" },
	{ PHONE, "numero de telephone" },
	{ PAIR, "coordonnees|coordonnees gps|coordonnees geographiques|geolocalisation" },
	{ DRG_COL_TITLE, "officiel|officielle" },
	{ JOINS, "de|du|d|la|le|les|l|et" },

	/* Spanish: the registers of alojamientos of Spanish regions (direccion, codigo_postal, municipio,
	 * localidad), lists of hotels of the world (Nombre del hotel, Ubicación, Estrellas). */
	{ HOTEL, "alojamiento|alojamientos|hospedaje" },
	{ HOTEL | FEWER, "establecimiento" },
	{ COUNTRY, "pais" },
	{ CITY, "ciudad|localidad|poblacion" },
	{ CITY | FEWER, "municipio" },
	{ CITY | VAGUE, "provincia|destino|isla" },
	{ CATEGORY, "estrellas|estrella|clase|clasificacion|modalidad de estrellas" },
	{ CATEGORY | FEWER, "categoria" },
	{ MEAL, "regimen|regimen alimenticio|pension alimenticia" },
	{ CURRENCY, "moneda|divisa" },
	{ ID, "codigo|cod|identificador|clave" },
	{ ID | FEWER, "signatura|numero de registro|n registro|num registro|no registro" },
	{ NAME, "nombre|denominacion|rotulo" },
	{ LAT, "latitud" },
	{ LNG, "longitud" },
	{ PAIR, "coordenadas|coordenada" },
	{ ADDRESS, "direccion|calle|domicilio|via" },
	{ ZIP, "codigo postal|cod postal|c p" },
	{ URL, "pagina web|sitio web|direccion web|enlace" },
	{ PHONE, "telefono|telefonos|tfno|numero de telefono" },
	{ DRG_COL_TITLE, "comercial|oficial" },
	{ JOINS, "del|el|los|las|y" },

	/* Italian: the strutture ricettive of Regione Piemonte and the esercizi alberghieri of the Provincia
	 * di Trento (DenominazioneStruttura, Indirizzo, Comune, CAP, Stelle). */
	{ HOTEL, "albergo|alberghi|struttura|strutture|struttura ricettiva|esercizio" },
	{ COUNTRY, "paese|nazione" },
	{ CITY, "citta|localita" },
	{ CITY | FEWER, "comune|frazione" },
	{ CITY | VAGUE, "regione" },
	{ CATEGORY, "stelle|stella|numero stelle|classificazione|classifica" },
	{ MEAL, "trattamento|pensione" },
	{ CURRENCY, "valuta" },
	{ ID, "codice|chiave|identificativo" },
	{ NAME, "nome|denominazione|ragione sociale|insegna" },
	{ LAT, "latitudine" },
	{ LNG, "longitudine" },
	{ PAIR, "coordinate geografiche" },
	{ ADDRESS, "indirizzo" },
	{ HOUSE, "numero civico|civico" },
	{ ZIP, "cap|codice postale|codice avviamento postale" },
	{ URL, "sito|sito web|sito internet|pagina web|indirizzo web" },
	{ PHONE, "telefono|recapito telefonico|numero di telefono" },
	{ DRG_COL_TITLE, "commerciale|ufficiale" },
	{ JOINS, "di|della|dello|dell|dei" },

	/* Portuguese: the map layers of Portuguese municipalities (Nome_Hotel, Freguesia, Estrelas), the
	 * registers of Turismo de Portugal and Brazil's Cadastur. */
	{ HOTEL, "hoteis|empreendimento|alojamento|hospedagem|pousada|estabelecimento|meio de hospedagem" },
	{ CITY, "cidade|localidade" },
	{ CITY | FEWER, "concelho|freguesia" },
	{ CITY | VAGUE, "distrito|regiao" },
	{ CATEGORY, "estrelas|classificacao|numero de estrelas" },
	{ MEAL, "regime|refeicao|regime alimentar" },
	{ CURRENCY, "moeda" },
	{ ID, "chave" },
	{ ID | FEWER, "nº registo|nº de registo|numero de registo|n registo" },
	{ NAME, "designacao|nome fantasia" },
	{ ADDRESS, "endereco|morada|rua|logradouro" },
	{ ZIP, "cep" },
	{ URL, "pagina|sitio|endereco web|pagina na internet" },
	{ PHONE, "telefone|telefones|numero de telefone" },
	{ JOINS, "do|da|dos|das|e" },

	/* Dutch: the Belgian registers of addresses (straatnaam, gemeentenaam, postcode), Toerisme Vlaanderen's
	 * list of logies. */
	{ HOTEL, "logies|accommodatie|verblijf" },
	{ CITY, "stad|plaats|woonplaats" },
	{ CITY | FEWER, "gemeente" },
	{ CITY | VAGUE, "regio|provincie|bestemming" },
	{ CATEGORY, "sterren|aantal sterren|klassering|classificatie" },
	{ MEAL, "verzorging|maaltijd" },
	{ CURRENCY, "valuta|munteenheid" },
	{ NUMBER, "aantal" },
	{ NAME, "naam|benaming" },
	{ LAT, "breedtegraad|breedte" },
	{ LNG, "lengtegraad|lengte" },
	{ PAIR, "coordinaten" },
	{ ADDRESS, "adres|straat|straatnaam" },
	{ HOUSE, "huisnummer" },
	{ URL, "webadres|internetadres" },
	{ PHONE, "telefoon|telefoonnummer" },
	{ JOINS, "van|het|een" },

	/* Polish: the Centralny Wykaz Obiektów Hotelarskich (Nazwa obiektu, Kod pocztowy, Miejscowość). */
	{ HOTEL, "hotelu|obiekt|obiektu|obiekty" },
	{ COUNTRY, "kraj|kraju|panstwo" },
	{ CITY, "miasto|miasta|miejscowosc|miejscowosci" },
	{ CITY | FEWER, "gmina" },
	{ CITY | VAGUE, "wojewodztwo" },
	{ CATEGORY, "gwiazdki|gwiazdka|gwiazdek|liczba gwiazdek|ilosc gwiazdek|klasa" },
	{ CATEGORY | FEWER, "kategoria|kategorii" },
	{ MEAL, "wyzywienie|wyzywienia|posilki" },
	{ CURRENCY, "waluta|waluty" },
	{ ID, "kod|identyfikator" },
	{ NUMBER, "numer|liczba|ilosc" },
	{ NAME, "nazwa|nazwy" },
	{ LAT, "szer|szerokosc|szerokosc geograficzna|szerokosc geogr|szer geogr" },
	{ LNG, "dl|dlugosc|dlugosc geograficzna|dlugosc geogr|dl geogr" },
	{ PAIR, "wspolrzedne|wspolrzedne geograficzne" },
	{ ADDRESS, "ulica|ulice|ulica i numer|ulica i nr" },
	{ HOUSE, "nr domu|numer domu" },
	{ ZIP, "kod pocztowy" },
	{ URL, "strona|strona www|strona internetowa|adres www|adres strony|adres strony www|adres strony "
	       "internetowej" },
	{ PHONE, "numer telefonu|nr telefonu|telefony|telefon kontaktowy" },

	/* Czech (and Slovak): the register of accommodation of the Czech Statistical Office (název, obec, PSČ,
	 * kategorie). */
	{ HOTEL, "hotela|ubytovani|zarizeni|ubytovaci zarizeni|ubytovacie zariadenie" },
	{ COUNTRY, "zeme|stat|krajina" },
	{ CITY, "mesto|stredisko|letovisko" },
	{ CITY | ID, "kod mesta|id mesta" }, /* "mesta" alone are places, in Russian */
	{ CITY | NAME, "nazev mesta|jmeno mesta" },
	{ CITY | FEWER, "obec|obce" },
	{ CITY | VAGUE, "oblast|okres" },
	{ CATEGORY, "hvezdicky|pocet hvezdicek|hvezdy|trida|hviezdicky" },
	{ MEAL, "strava|stravovani" },
	{ CURRENCY, "mena|meny" },
	{ ID, "identifikator|kod" },
	{ NUMBER, "cislo|pocet" },
	{ NAME, "nazev|nazov" },
	{ LAT, "zemepisna sirka|sirka" },
	{ LNG, "zemepisna delka|delka|dlzka" },
	{ PAIR, "souradnice|gps souradnice" },
	{ ADDRESS, "adresa|ulice" },
	{ HOUSE, "cislo domovni|cislo popisne|cp cislo" },
	{ ZIP, "psc" },
	{ URL, "webova stranka|webove stranky|internetova stranka|web stranka" },
	{ PHONE, "telefonni cislo" },

	/* Russian: Yandex's feed of hotels (Идентификатор отеля, Населенный пункт, Почтовый индекс), the
	 * register of classified hotels, operators' directories (Мастер-Тур, Самотур). */
	{ HOTEL, "отель|отеля|отели|гостиница|гостиницы|объект|объекта|объекты|кср|средство размещения|"
	         "средства размещения|объект размещения|объекта размещения" },
	{ COUNTRY, "страна|страны|государство" },
	{ CITY, "город|города|курорт|курорта|населенный пункт|населенного пункта" },
	{ CITY | VAGUE, "регион|область|направление" },
	{ DRG_COL_DEPARTURE, "вылет|вылета|отправление|отправления" },
	{ CATEGORY, "звезды|звёзды|звезд|звёзд|звезда|звездность|класс|класса|количество звезд|кол во звезд|"
	            "число звезд|классификация" },
	{ CATEGORY | FEWER, "категория|категории" },
	{ CATEGORY | VAGUE, "рейтинг" },
	{ MEAL, "питание|питания|тип питания|вид питания" },
	{ CURRENCY, "валюта|валюты" },
	{ ID, "код|ид|шифр|идентификатор|айди" },
	{ NUMBER, "номер|количество|кол во" },
	{ NAME, "название|названия|наименование|имя|полное наименование" },
	{ LAT, "широта|шир" },
	{ LNG, "долгота|долг" },
	{ PAIR, "координаты|координата|геокоординаты" },
	{ ADDRESS, "адрес|адреса|улица" },
	{ HOUSE, "дом|номер дома" },
	{ ZIP, "индекс|почтовый индекс|почтовый код" },
	{ URL, "сайт|веб сайт|адрес сайта|ссылка|страница" },
	{ PHONE, "телефон|телефоны|телефона|номер телефона|контактный телефон" },
	{ DRG_COL_TITLE, "полное|официальное|официальный" },
	{ JOINS, "и|пребывания|расположения|нахождения|местонахождения|места нахождения" },

	/* Ukrainian: the data dictionaries of data.gov.ua (Ідентифікатор, Повне найменування, Офіційний
	 * веб-сайт), the register of hotels' categories. */
	{ HOTEL, "готель|готелю|готелі|об'єкт|об'єкта|об'єкту|засіб розміщення|засобу розміщення" },
	{ COUNTRY, "країна|країни" },
	{ CITY, "місто|міста|населений пункт|населеного пункту" },
	{ CITY | VAGUE, "регіон|область" },
	{ DRG_COL_DEPARTURE, "виліт|вильоту|відправлення" },
	{ CATEGORY, "зірки|зірок|кількість зірок|клас|зірковість" },
	{ CATEGORY | FEWER, "категорія|категорії" },
	{ MEAL, "харчування|тип харчування" },
	{ CURRENCY, "валюта|валюти" },
	{ ID, "ідентифікатор|ід" },
	{ NUMBER, "кількість" },
	{ NAME, "назва|назви|найменування|повне найменування" },
	{ LAT, "широта" },
	{ LNG, "довгота|довг" },
	{ PAIR, "координати" },
	{ ADDRESS, "адреса|вулиця|вул" },
	{ ZIP, "індекс|поштовий індекс|поштовий код" },
	{ URL, "веб сайт|вебсайт|адреса сайту|посилання|веб сторінка" },
	{ PHONE, "телефон|телефони|номер телефону" },
	{ DRG_COL_TITLE, "повна|офіційна|офіційний" },
	{ HOUSE, "будинок|номер будинку" },
	{ JOINS, "та|розташування|місцезнаходження" },

	/* Turkish: the ministry's lists of certified facilities (Tesis Adı, Sınıfı, İl, İlçe, Belge No) and
	 * lists of operators in Antalya. */
	{ HOTEL, "otel|otelin|oteller|tesis|tesisin|konaklama|konaklama tesisi|isletme" },
	{ COUNTRY, "ulke|ulkesi" },
	{ CITY, "sehir|sehri|kent|ilce|il ilce|il|il adi" },
	{ CITY | VAGUE, "bolge|bolgesi" },
	{ CITY | ID | FEWER, "bolge kodu" },
	{ CATEGORY, "yildiz|yildizi|yildiz sayisi|sinif|sinifi|derece" },
	{ CATEGORY | FEWER, "kategori|kategorisi" },
	{ MEAL, "pansiyon|pansiyon tipi|konsept|yemek" },
	{ CURRENCY, "para birimi|doviz" },
	{ ID, "kodu|kisa kod|kimlik|anahtar" },
	{ ID | FEWER, "belge no|belge numarasi|isletme belge no|turizm isletmesi belge no" },
	{ NUMBER, "numara|numarasi|sayisi|sira no" },
	{ NAME, "adi|ad|isim|ismi|unvan|unvani" },
	{ LAT, "enlem" },
	{ LNG, "boylam" },
	{ PAIR, "koordinat|koordinatlar|koordinatlari|konum" },
	{ ADDRESS, "adresi|sokak|cadde" },
	{ ZIP, "posta kodu" },
	{ URL, "web sitesi|internet sitesi|web adresi|internet adresi" },
	{ JOINS, "bulundugu|ve" },
	{ PHONE, "telefonu|telefon numarasi|telefon no" },

	/* Chinese: the hotel types of Taobao's open API (酒店名称, 酒店地址, 酒店电话, 酒店级别, 经纬度). Its words are
	 * not parted. */
	{ HOTEL, "酒店|饭店|宾馆|旅馆" },
	{ COUNTRY, "国家|国别" },
	{ CITY, "城市|市" },
	{ CITY | VAGUE, "地区|目的地|省份" },
	{ CATEGORY, "星级|级别|等级" },
	{ MEAL, "餐食|膳食" },
	{ CURRENCY, "货币|币种" },
	{ ID, "编号|编码|代码|代号|标识" },
	{ NAME, "名称|名字|名" },
	{ LAT, "纬度" },
	{ LNG, "经度" },
	{ PAIR, "坐标|经纬度" },
	{ ADDRESS, "地址|街道" },
	{ ZIP, "邮编|邮政编码" },
	{ URL, "网址|网站|官网|链接" },
	{ PHONE, "电话|电话号码|联系电话" },

	/* Arabic: the hotel feeds of Google and Meta in Arabic (اسم الفندق, البلد, عنوان, خط العرض). */
	{ HOTEL, "فندق|الفندق|الفنادق|المنشأة" },
	{ COUNTRY, "بلد|البلد|الدولة|دولة" },
	{ CITY, "مدينة|المدينة" },
	{ CITY | VAGUE, "المنطقة|منطقة|المحافظة" },
	{ CATEGORY, "النجوم|نجوم|عدد النجوم|تصنيف|التصنيف|فئة|الفئة" },
	{ MEAL, "الوجبات|وجبة" },
	{ CURRENCY, "العملة|عملة" },
	{ ID, "رمز|الرمز|معرف|المعرف|كود|الكود" },
	{ NUMBER, "رقم|عدد" },
	{ NAME, "اسم|الاسم" },
	{ LAT, "خط العرض|دائرة العرض" },
	{ LNG, "خط الطول" },
	{ PAIR, "الإحداثيات|إحداثيات" },
	{ ADDRESS, "عنوان|العنوان|الشارع" },
	{ ZIP, "الرمز البريدي|رمز بريدي" },
	{ URL, "الموقع الإلكتروني|موقع الويب|رابط|الرابط" },
	{ PHONE, "هاتف|الهاتف|رقم الهاتف" },
};

enum { WORDS_MAX = 1600, POOL = 64 * 1024 };
enum {
	WORD_PARTS = 5, /* most blanks inside a word of the table, and one */
	NAME_PARTS = 10, /* most words in a name */
	SPLIT_LEAST = 3, /* letters of a word inside another, but "id" */
	SPLIT_MOST = 40, /* letters of such a word in all */
	SPLIT_DEPTH = 3
};

static struct {
	struct drg_buf pool; /* text of the folded words */
	struct column_word {
		size_t at, n;
		uint64_t says;
	} list[WORDS_MAX]; /* sorted by text */
	size_t n;
} known;

static struct drg_str text_of(const struct column_word *w)
{
	return drg_str(known.pool.p + w->at, w->n);
}

static int by_text(const void *a, const void *b)
{
	return drg_str_cmp(text_of(a), text_of(b));
}

static void add_words(uint64_t says, const char *words)
{
	struct drg_str rest = drg_str_c(words), word;
	while (drg_str_split(&rest, '|', &word)) {
		const size_t at = known.pool.n;
		drg_fold(word, DRG_FOLD_PLAIN, &known.pool);
		assert(known.n < WORDS_MAX);
		known.list[known.n++] = (struct column_word){ at, known.pool.n - at, says };
	}
}

int drg_column_words_open(struct drg_err *reterr)
{
	if (known.n > 0)
		return DRG_OK;
	drg_buf_init(&known.pool, POOL);
	for (size_t i = 0; i < DRG_ARRAY_LEN(table); i++)
		add_words(table[i].says, table[i].words);
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		if (drg_kinds[k].words[0] != '\0')
			add_words(DRG_COL_BIT(k), drg_kinds[k].words);
	if (known.pool.rc != DRG_OK) {
		known.n = 0;
		return drg_fail_memory(reterr);
	}
	qsort(known.list, known.n, sizeof known.list[0], by_text);
	for (size_t i = 1; i < known.n; i++) /* a word of two languages has one meaning */
		assert(by_text(&known.list[i - 1], &known.list[i]) != 0 ||
		       known.list[i - 1].says == known.list[i].says);
	return DRG_OK;
}

static bool find(struct drg_str text, uint64_t *ret_says)
{
	size_t at;
	DRG_BOUND(at, known.n, i, drg_str_cmp(text_of(&known.list[i]), text) < 0);
	if (at == known.n || !drg_str_eq(text_of(&known.list[at]), text))
		return false;
	*ret_says = known.list[at].says;
	return true;
}

/* "hotelname", "countryisocode": known words without blanks between them, one of which says whose column it
 * is. Two letters inside a word say nothing, except "id". */
static bool splits(struct drg_str text, unsigned depth, uint64_t *ret_says)
{
	if (find(text, ret_says) && *ret_says != JOINS)
		return text.n >= SPLIT_LEAST || *ret_says == ID;
	for (size_t n = text.n; depth > 1 && text.n <= SPLIT_MOST && n > 2; n--) {
		struct drg_str begin = drg_str(text.p, n - 1), end = drg_str(text.p + n - 1, text.n - n + 1);
		uint64_t first, rest;
		if (splits(begin, 1, &first) && splits(end, depth - 1, &rest)) {
			*ret_says = first | rest;
			return true;
		}
	}
	return false;
}

/* One word: as it is, with the number of the first of several ("address1"), or as several. */
static bool find_word(struct drg_str word, uint64_t *ret_says)
{
	const bool first = word.n > 0 && word.p[word.n - 1] == '1';
	if (find(word, ret_says))
		return true;
	if (first && (word.n == 1 || find(drg_str(word.p, word.n - 1), ret_says)))
		return *ret_says = word.n == 1 ? JOINS : *ret_says, true;
	return splits(word, SPLIT_DEPTH, ret_says) && (*ret_says & (DRG_COL_SUBJECTS | DRG_COL_GEO)) != 0;
}

uint64_t drg_column_says(struct drg_str folded)
{
	struct drg_str parts[NAME_PARTS], rest = folded, part;
	uint64_t says = 0, one;
	size_t n = 0;
	while (drg_str_split(&rest, ' ', &part)) {
		if (n == NAME_PARTS)
			return 0;
		parts[n++] = part;
	}
	for (size_t i = 0, more; i < n; i += more) {
		bool found = false;
		for (more = n - i < WORD_PARTS ? n - i : WORD_PARTS; more > 1 && !found; more -= !found) {
			const struct drg_str *last = &parts[i + more - 1];
			found = find(drg_str(parts[i].p, (size_t)(last->p + last->n - parts[i].p)), &one);
		}
		if (!found && !find_word(parts[i], &one))
			return 0;
		if ((one & LNG) != 0 && (says & LAT) == 0)
			says |= DRG_COL_LNG_FIRST;
		says |= one;
	}
	return says;
}
