/* Which columns are proposed for a list (src/load/columns.h, column_words.h), and the order of the numbers in
 * cells with a place. */
#include "../folder.h"

#include "load/column_words.h"
#include "load/convert.h"
#include "load/parts.h"

/* ---- names --------------------------------------------------------------------------------------------- */

/* Names that suppliers use, with bars between them. */
static const struct {
	enum drg_kind kind;
	const char *field, *names;
} used[] = {
	{ DRG_KIND_HOTEL, "id",
	  "hotel id|hotel code|hotelid|hotelcode|код отеля|ид отеля|id отеля|код готелю|"
	  "otel kodu|otel id|tesis kodu|hotel kodu|hotel nr|hotelnummer|objekt nr|"
	  "objektnummer|property id|property code|kod hotelu|otel no|hotel no|tesis no|"
	  "id hotelu" },
	{ DRG_KIND_HOTEL, "name",
	  "hotel|hotel name|hotelname|отель|название отеля|гостиница|готель|назва готелю|"
	  "otel|otel adi|hotel adi|tesis|tesis adi|property|property name|nazwa hotelu|"
	  "nombre del hotel|наименование отеля|найменування готелю|otel ismi|tesis ismi" },
	{ DRG_KIND_COUNTRY, "id", "country id|country code|код страны|код країни|ulke kodu" },
	{ DRG_KIND_COUNTRY, "name", "country|country name|страна|країна|ulke|ulke adi|land|pays|pais" },
	{ DRG_KIND_CITY, "id", "city id|city code|код города|код міста|sehir kodu|resort id|код курорта" },
	{ DRG_KIND_CITY, "name",
	  "city|city name|resort|resort name|город|курорт|місто|sehir|sehir adi|stadt|"
	  "ville" },
	{ DRG_KIND_DEP_CITY, "id", "city id|city code|код города|код міста|departure id" },
	{ DRG_KIND_DEP_CITY, "name",
	  "city|departure city|departure|город|город вылета|місто|місто вильоту|sehir|"
	  "stadt" },
	{ DRG_KIND_CURRENCY, "id", "currency id|код валюты|код валюти" },
	{ DRG_KIND_CURRENCY, "name", "currency|currency name|валюта|para birimi" },
	{ DRG_KIND_MEAL, "id",
	  "meal id|meal code|board id|board code|код питания|код харчування|"
	  "pansiyon kodu|board basis code|meal plan code|verpflegungscode" },
	{ DRG_KIND_MEAL, "name",
	  "meal|meal name|board|board name|питание|харчування|pansiyon|pansiyon adi|"
	  "pansiyon tipi|verpflegung|board basis|meal plan|тип питания|wyzywienie|regimen" },
	{ DRG_KIND_HOTEL_CATEGORY, "id",
	  "category id|category code|код категории|kategori kodu|sinif kodu|class code|"
	  "class id|код класса" },
	{ DRG_KIND_HOTEL_CATEGORY, "name",
	  "category|category name|stars|категория|звезды|категорія|kategori|kategori adi|"
	  "yildiz|sinif|sinifi|sinif adi|class|class name|класс|sterne" },
	{ DRG_KIND_HOTEL, "id",
	  "id|id|code|key|ид|код|шифр|kod|kodu|kisa kod|codigo|kennung|external id|"
	  "supplier id|item code|uid|ref" },
	{ DRG_KIND_HOTEL, "name",
	  "name|name|title|название|наименование|назва|найменування|adi|ad|nazwa|nombre|"
	  "nom|bezeichnung|nome" },
	{ DRG_KIND_HOTEL, "country_id",
	  "country_id|country id|country code|countryid|код страны|ид страны|код країни|"
	  "ulke kodu|ulke id|landcode|laendercode|country iso|iso country code|cc|iso2|"
	  "iso3|iso 2|iso 3|iso alpha 2|country code iso|country iso code|countrycode|"
	  "iso 3166|kod kraju|cc1|iso|country iso 2|country iso 3" },
	{ DRG_KIND_HOTEL, "country_name",
	  "country_name|country|country name|страна|країна|ulke|ulke adi|land|pays|pais|"
	  "kraj|paese" },
	{ DRG_KIND_HOTEL, "city_id",
	  "city_id|city id|city code|cityid|resort id|resort code|код города|ид города|"
	  "код курорта|код міста|sehir kodu|sehir id|bolge kodu|destination id|"
	  "destination code" },
	{ DRG_KIND_HOTEL, "city_name",
	  "city_name|city|city name|resort|resort name|город|курорт|місто|sehir|"
	  "sehir adi|il ilce|ilce|il|town|ort|zielort|stadt|ville|ciudad|miasto|citta|"
	  "miejscowosc|населенный пункт" },
	{ DRG_KIND_HOTEL, "category_id",
	  "category_id|category id|category code|код категории|код категорії|"
	  "kategori kodu|star id" },
	{ DRG_KIND_HOTEL, "category_name",
	  "category_name|category|stars|star|hotel category|star rating|категория|звезды|"
	  "звёзды|звездность|категорія|зірки|kategori|kat|yildiz|kategorie|sterne|rating|"
	  "kategoria|sinif|sinifi|class|class number|класс|клас|klasse|official category|"
	  "standard|hotel class|tesis sinifi|otel sinifi|кол во звезд|количество звезд|"
	  "categoria|estrellas|gwiazdki|liczba gwiazdek" },
	{ DRG_KIND_HOTEL, "lat",
	  "lat|lat|latitude|широта|enlem|breitengrad|geo lat|gps lat|latitud|latitudine|"
	  "breite|szer|szerokosc|szerokosc geograficzna|шир" },
	{ DRG_KIND_HOTEL, "lng",
	  "lng|lng|lon|long|longitude|долгота|довгота|boylam|laengengrad|langengrad|"
	  "geo lon|geo lng|geo long|gps lon|gps lng|gps long|longitud|longitudine|laenge|"
	  "lange|dl|dlugosc|dlugosc geograficzna|долг|довг" },
	{ DRG_KIND_HOTEL, "address",
	  "address|address|street|street address|адрес|адреса|adres|adresse|direccion|"
	  "indirizzo" },
	{ DRG_KIND_HOTEL, "zip",
	  "zip|zip|postcode|postal code|zip code|zipcode|индекс|почтовый индекс|"
	  "поштовий індекс|posta kodu|plz" },
	{ DRG_KIND_HOTEL, "url", "url|url|website|web|web site|link|homepage|сайт|веб сайт" },
	{ DRG_KIND_HOTEL, "phone", "phone|phone|telephone|tel|phone number|телефон|telefon|telefono" },
	{ DRG_KIND_CURRENCY, "iso_code", "iso_code|iso|iso code|iso kodu|currency code" },
	{ DRG_KIND_CITY, "is_resort", "is_resort|is resort" },
	{ DRG_KIND_HOTEL, "lang", "lang|lang|language" },
	{ DRG_KIND_HOTEL, "dict_id", "dict_id|dict id" },
	{ DRG_KIND_HOTEL, "city_name",
	  "region|zielgebiet|bolge|destination|регион|регіон|область|province|area" },
	{ DRG_KIND_HOTEL, "lat+lng",
	  "coordinates|coordinate|coords|gps|gps coordinates|geo|geo coordinates|"
	  "geolocation|geo location|latlng|lat lng|latlon|lat lon|lat long|"
	  "latitude longitude|координаты|координати|koordinat|koordinatlar|koordinaten|"
	  "wspolrzedne|coordenadas|coordonnees|coordinate gps|konum|enlem boylam|"
	  "широта долгота" },
	/* names beyond those, and columns that are something else */
	{ DRG_KIND_HOTEL, "address",
	  "hotel_address|addr:street|Dirección|Straße|Adresse de l'hôtel|Indirizzo|"
	  "Endereço|Straatnaam|Ulica|address.addr1|Address1|Straße und Hausnummer|"
	  "Straße/Hausnr.|Hotelanschrift|Ulica i numer|Адрес места нахождения|"
	  "Tesis Adresi|Indirizzo struttura|Adresse postale|Domicilio|Hotel Address 1|"
	  "Street 1|address.street" },
	{ DRG_KIND_HOTEL, "city_name",
	  "HotelCity|addr:city|addr_city|Localidad|Provincia|Ortsname|COMMUNE|Freguesia|"
	  "Plaats|Miejscowość|Obec|Населённый пункт|İlçe|İl|城市名称|المدينة|hotelcityname|"
	  "region.name|address.city|Miasto hotelu|Ortsbezeichnung|Zielgebietsname|"
	  "Nazwa miasta|Город отеля|Bulunduğu İl|İlçe Adı|Şehir Adı|Población|"
	  "Hotel City Name|Property City|City/Town|sehiradi|address:city|contact:city|"
	  "city.name" },
	{ DRG_KIND_HOTEL, "category_name",
	  "HotelRating|Categoría|Anzahl Sterne|CLASSEMENT|Nombre d'étoiles|Estrelas|"
	  "Aantal sterren|Liczba gwiazdek|Počet hvězdiček|Количество звёзд|"
	  "Кількість зірок|Yıldız Sayısı|星级|عدد النجوم|HOTELSTARS|category|"
	  "Hotelkategorie|Sternekategorie|Sterneanzahl|Kategoria obiektu|"
	  "Категория средства размещения|Звёздность отеля|Otel Yıldızı|N. stelle|"
	  "Classement étoiles|Nb étoiles|Catégorie hôtel|N° estrellas|"
	  "Número de estrellas|Categoría (estrellas)|Hotel Star Rating|Stars Count" },
	{ DRG_KIND_HOTEL, "country_name",
	  "hotel_country|addr:country|País|国家|البلد|countryLabel|Nazwa kraju|"
	  "Страна пребывания|Nom pays|country.name" },
	{ DRG_KIND_HOTEL, "lat",
	  "hotel_latitude|@lat|Breedtegraad|Zeměpisná šířka|纬度|خط العرض|GPS Lat|"
	  "Geo-Breite|Geobreite|GPS-Breite|Szerokość geogr.|Гео широта|Enlem (Lat)|Lat.|"
	  "Latitude WGS84|lat_decimal|Hotel GPS Latitude|gps_lat|location.lat|"
	  "location/latitude|geo.latitude|coordinates.latitude" },
	{ DRG_KIND_HOTEL, "id",
	  "id_hotel|hotel_uid|kod obiektu|код объекта|@id|Código hotel|Hotel-ID|idHotel|"
	  "Codice hotel|Código do hotel|Идентификатор отеля|КодОтеля|"
	  "Ідентифікатор готелю|Otel Numarası|酒店ID|酒店编号|رمز الفندق|uniqueid|HotelUUID|"
	  "property_code|Object ID|Nº registo|item|CodiceStruttura|Kod hotela|Nr hotelu|"
	  "Hotel-Nr.|Unterkunft-ID|Identyfikator obiektu|ID obiektu|Nr obiektu|"
	  "ID гостиницы|Код гостиницы|Otel ID|Otel Kod|ID struttura|"
	  "Codice identificativo|ID hébergement|Code établissement|Cód. hotel|"
	  "Codigo_Hotel|Supplier Hotel Code|Provider hotel id|Unique Hotel Code|"
	  "hotel_id_supplier|id_otel|otel_id|otelkodu|kodhotelu|codhotel|hotel/id" },
	{ DRG_KIND_HOTEL, "zip",
	  "código postal|addr:postcode|Postleitzahl|CODE POSTAL|CAP|Kod pocztowy|PSČ|"
	  "Почтовый индекс|Поштовий індекс|Posta Kodu|邮编|الرمز البريدي|"
	  "address.postal_code|Código postal del hotel|Codice postale|PLZ Hotel|C.P.|"
	  "Property Postal Code|Zip/Postal Code" },
	{ DRG_KIND_HOTEL, "name",
	  "nombre hotel|Hotelname|NOM COMMERCIAL|Nom de l'hôtel|Nom de l’hôtel|"
	  "Nome struttura|DenominazioneStruttura|Nome Hotel|Nome_Hotel|Hotelnaam|"
	  "Nazwa obiektu|Název|Název hotelu|Наименование средства размещения|"
	  "Назва об’єкта|Tesisin Adı|酒店名称|اسم الفندق|official_name|en_name|name:de|"
	  "Name (English)|hotel_name_en|Accommodation Name|establishment name|"
	  "object_name|itemLabel|nomeHotel|Objektname|Objektbezeichnung|Hotelbezeichnung|"
	  "Unterkunftsname|Наименование КСР|Название объекта размещения|İşletme Adı|"
	  "Denominazione struttura ricettiva|Nome albergo|Nom de l'établissement|"
	  "Raison sociale|Nombre establecimiento|Nombre comercial|oteladi|nazwahotelu|"
	  "nomehotel|hotelname_en|HOTEL NAME ENGLISH|Hotel (name)|Название (рус)|"
	  "Название (англ)|Назва готелю (укр)|hotel.name" },
	{ DRG_KIND_HOTEL, "-",
	  "addr:housenumber|contact_email|Hausnummer|Количество номеров|region.id|"
	  "address.addr2|Address 2|area code|chain id|Chain Name|airport code|"
	  "guest rating|review score|number of rooms|room count|hotel type|hotel chain|"
	  "geo id|contact name|alt_name|state|ID отеля в системе|Verkaufsstellennr.|"
	  "house number|street number|phone 2|mobile|Anzahl Zimmer|descripción|Места|"
	  "Количество мест|hotel_code_giata|Country of residence|stato|"
	  "Адрес электронной почты|Otel Türü|Codice ISTAT comune|Code INSEE|"
	  "Correo electrónico|Supplier Code|Hotel Location|hotelnameen|gostinica|"
	  "name_int|int_name|loc_name|x|y|coord_x|geometry/coordinates/0|position.lng|"
	  "geoCode.lat" },
	{ DRG_KIND_HOTEL, "phone",
	  "contact:phone|Teléfono|Telefonnummer|TÉLÉPHONE|Номер телефона|电话|رقم الهاتف|"
	  "hotel phone number|Tel.-Nr.|Telefon kontaktowy|Телефон отеля|Telefon No|Tél.|"
	  "Numéro de téléphone|Teléfono 1|Phone No.|Telephone Number|contact.phone" },
	{ DRG_KIND_HOTEL, "url",
	  "contact:website|Página web|Webseite|SITE INTERNET|Web Sitesi|"
	  "Hotel web address|Homepage-URL|Internet-Adresse|Webadresse|Strona WWW|"
	  "Adres strony internetowej|Адрес сайта|Официальный сайт|Sito internet|"
	  "Site web officiel|Web|Web URL" },
	{ DRG_KIND_HOTEL, "lng", "@lon|经度|خط الطول|Longitude (E)|gps_lon|lon_wgs84|location.lng" },
	{ DRG_KIND_HOTEL, "country_id",
	  "Länderkürzel|КодСтраны|Ülke Kodu|hotelcountrycode|region.country_code|"
	  "ISO Country Code|Kod kraju|Land (ISO)|Ländercode|Länderkennung|Код ISO страны|"
	  "Code pays|Cod. país|Country ISO2|Country (ISO 3166-1 alpha-2)|ulkekodu|"
	  "country.code|address.countryCode" },
	{ DRG_KIND_HOTEL, "city_id",
	  "城市代码|city id|destination code|CityUID|Ortscode|Zielgebietscode|Kod miasta|"
	  "Codice comune" },
	{ DRG_KIND_HOTEL, "lat+lng",
	  "Ubicación (coordenadas)|Geo Point|geo_point_2d|latitude_longitude|"
	  "Геокоординаты|Konum|Coordonnées GPS|Géolocalisation" },
	{ DRG_KIND_HOTEL, "lng+lat", "LonLat|lng,lat" },
	{ DRG_KIND_HOTEL, "zip+city_name", "zip code / city" },
	{ DRG_KIND_HOTEL, "category_id", "Hotel Category Code" },
};

/* "lat+lng", or "-". */
static void fields_text(enum drg_kind kind, struct drg_str name, char text[64])
{
	const struct drg_field_def *both[2];
	struct drg_column c;
	struct drg_arena a;
	drg_arena_init(&a, 1 << 20);
	assert_int_equal(drg_column_make(name, &a, &c, NULL), DRG_OK);
	const unsigned n = drg_column_fields(kind, &c, both);
	snprintf(text, 64, "%s%s%s", n > 0 ? both[0]->wire : "-", n > 1 ? "+" : "",
	         n > 1 ? both[1]->wire : "");
	drg_arena_done(&a);
}

static void names_that_suppliers_use_are_known(void **state)
{
	char text[64];
	(void)state;
	assert_int_equal(drg_columns_open(NULL), DRG_OK);
	for (size_t i = 0; i < DRG_ARRAY_LEN(used); i++) {
		struct drg_str rest = drg_str_c(used[i].names), name;
		while (drg_str_split(&rest, '|', &name)) {
			fields_text(used[i].kind, name, text);
			if (strcmp(text, used[i].field) != 0)
				fail_msg("%s: %.*s is %s, not %s", drg_kind_name(used[i].kind),
				         DRG_STR_ARG(name), text, used[i].field);
		}
	}
}

static void a_name_without_a_word_that_is_known_says_nothing(void **state)
{
	static const char *const names[] = { "",     "of the", "hotel chain", "xid",
		                             "adid", "1",      "name 2",      "phone2" };
	char text[64];
	(void)state;
	assert_int_equal(drg_columns_open(NULL), DRG_OK);
	for (size_t i = 0; i < DRG_ARRAY_LEN(names); i++) {
		fields_text(DRG_KIND_HOTEL, drg_str_c(names[i]), text);
		if (strcmp(text, "-") != 0)
			fail_msg("\"%s\" is %s", names[i], text);
	}
}

static void a_column_yields_to_a_more_usual_one(void **state)
{
	static const struct {
		const char *name;
		unsigned rank;
	} cases[] = { { "stars", 0 },
		      { "category", DRG_COLUMN_FEWER },
		      { "official_name", DRG_COLUMN_FEWER },
		      { "coordinates", DRG_COLUMN_FEWER },
		      { "name:de", DRG_COLUMN_FOREIGN },
		      { "name:en", 0 },
		      { "en_name", 0 },
		      { "ru_name", DRG_COLUMN_FOREIGN },
		      { "Name (short)", DRG_COLUMN_REMARKED },
		      { "region", DRG_COLUMN_VAGUE },
		      { "rating", DRG_COLUMN_VAGUE } };
	struct drg_column c;
	struct drg_arena a;
	(void)state;
	drg_arena_init(&a, 1 << 20);
	assert_int_equal(drg_columns_open(NULL), DRG_OK);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		unsigned rank = DRG_COLUMN_RANKS;
		assert_int_equal(drg_column_make(drg_str_c(cases[i].name), &a, &c, NULL), DRG_OK);
		(void)drg_column_field(DRG_KIND_HOTEL, &c, &rank);
		if (rank != cases[i].rank)
			fail_msg("%s: %u", cases[i].name, rank);
	}
	drg_arena_done(&a);
}

/* ---- header rows --------------------------------------------------------------------------------------- */

/* The field of each column; "-": none. */
static const struct {
	enum drg_kind kind;
	const char *header, *fields;
} headers[] = {

	/* The lists that the black box loads */
	{ DRG_KIND_HOTEL, "Hotel Code;Hotel Name;Country Code;Country;City Code;City;Latitude;Phone",
	  "id;name;country_id;country_name;city_id;city_name;lat;phone" },
	{ DRG_KIND_HOTEL, "Code;Hotel Name;Country Code;Country;Latitude;Note",
	  "id;name;country_id;country_name;lat;-" },
	{ DRG_KIND_HOTEL, "Code;Hotel;Country;Latitude;Longitude", "id;name;country_name;lat;lng" },
	{ DRG_KIND_HOTEL, "Code;Hotel;Country;Resort;Stars;Latitude;Longitude;Address",
	  "id;name;country_name;city_name;category_name;lat;lng;address" },
	{ DRG_KIND_HOTEL, "Kod;Otel adı;Ülke;Şehir;Telefon", "id;name;country_name;city_name;phone" },
	{ DRG_KIND_HOTEL, "Код;Назва готелю;Країна;Місто;Телефон", "id;name;country_name;city_name;phone" },
	{ DRG_KIND_HOTEL, "HOTEL_CODE;hotel-name;Country;Resort;Tel.",
	  "id;name;country_name;city_name;phone" },
	{ DRG_KIND_HOTEL, "ИД;Наименование;Страна;Курорт;Телефон", "id;name;country_name;city_name;phone" },
	{ DRG_KIND_CITY, "city_id;city_name;country_id;country_name", "id;name;country_id;country_name" },
	{ DRG_KIND_CITY, "City Code;City Name;Is Resort", "id;name;is_resort" },
	{ DRG_KIND_CURRENCY, "Code;Name", "id;name" },
	{ DRG_KIND_HOTEL, "Code;Hotel Name (DE);Hotel Name (EN)", "id;-;name" },
	{ DRG_KIND_HOTEL, "Code;name_ru;Notes", "id;name;-" },
	{ DRG_KIND_HOTEL, "Code;Hotel;Region;Coordinates", "id;name;city_name;lat+lng" },
	{ DRG_KIND_HOTEL, "Code;Region;City;Area", "id;-;city_name;-" },
	{ DRG_KIND_HOTEL, "Otel Kodu;Otel Adı;Ülke Kodu;Ülke;Enlem;Not",
	  "id;name;country_id;country_name;lat;-" },
	{ DRG_KIND_HOTEL, "Code / Name;Country", "id+name;country_name" },
	{ DRG_KIND_HOTEL, "Code / Hotel;City", "id+name;city_name" },
	{ DRG_KIND_HOTEL, "Hotel / City;hotel/id", "name+city_name;id" },

	/* Made after the documentation of suppliers */
	{ DRG_KIND_HOTEL, "Code;Name;Currency Code", "id;name;-" },
	{ DRG_KIND_CURRENCY, "Currency code;Currency", "iso_code+id;name" },
	{ DRG_KIND_CURRENCY, "Code;Currency;Currency code", "id;name;iso_code" },
	{ DRG_KIND_HOTEL, "id;name;address;zip;city_hotel;cc1;ufi;class;currencycode;longitude;latitude",
	  "id;name;address;zip;city_name;country_id;-;category_name;-;lng;lat" },
	{ DRG_KIND_HOTEL,
	  "EANHotelID;SequenceNumber;Name;Address1;City;StateProvince;Country;Latitude;"
	  "Longitude;StarRating",
	  "-;-;name;address;city_name;-;country_name;lat;lng;category_name" },
	{ DRG_KIND_HOTEL, "HotelCode;HotelName;HotelRating;Map;CountryName;CityName",
	  "id;name;category_name;-;country_name;city_name" },
	{ DRG_KIND_HOTEL, "Otel Kodu;Otel Adı;ÜLKE;BÖLGE;İL / İLÇE;SINIF;Enlem;Boylam",
	  "id;name;country_name;-;city_name;category_name;lat;lng" },
	{ DRG_KIND_HOTEL, "Код;Отель;Код страны;Курорт;Звездность;Координаты",
	  "id;name;country_id;city_name;category_name;lat+lng" },
	{ DRG_KIND_HOTEL,
	  "hotel_id;hotel_name;hotel_formerly_name;addressline1;zipcode;city;country;"
	  "countryisocode;star_rating;longitude;latitude",
	  "id;name;-;address;zip;city_name;country_name;country_id;category_name;lng;lat" },
	{ DRG_KIND_HOTEL,
	  "Hotel Code;Hotel Name;Country Code;City;Category;Latitude;Longitude;Room Code;"
	  "Room Name;Board Code",
	  "id;name;country_id;city_name;category_name;lat;lng;-;-;-" },
	{ DRG_KIND_HOTEL, "inc;name;lname;state;statename;town;townname;star;starname;lat;lon;edate",
	  "-;name;-;-;-;city_name;-;category_name;-;lat;lng;-" },
	{ DRG_KIND_HOTEL,
	  "Hotel ID;Hotel Name (EN);Hotel Name (RU);Country (EN);Country (RU);City (EN);;Stars;"
	  "Latitude;Longitude",
	  "id;name;-;country_name;-;city_name;-;category_name;lat;lng" },

	/* As they are published */
	/* Atout France, by the Île-de-France region */
	{ DRG_KIND_HOTEL,
	  "DATE DE CLASSEMENT;DÉPARTEMENT;CLASSEMENT;CATÉGORIE;NOM COMMERCIAL;ADRESSE;"
	  "CODE POSTAL;COMMUNE;TÉLÉPHONE;COURRIEL;SITE INTERNET;TYPOLOGIE ÉTABLISSEMENT;"
	  "NOMBRE DE CHAMBRES;geo",
	  "-;-;category_name;-;name;address;zip;city_name;phone;-;url;-;-;lat+lng" },
	/* The same by another portal */
	{ DRG_KIND_HOTEL,
	  "datasetid;id;commune;classement;codePostal;courriel;adresse;dateClassement;"
	  "nomCommercial;dept;capaciteAccueilPersonnes;nombreChambres;telephone;wgs84;lng;lat;"
	  "siteInternet",
	  "-;id;city_name;category_name;zip;-;address;-;name;-;-;-;phone;-;lng;lat;url" },
	/* OpenStreetMap, by Overpass */
	{ DRG_KIND_HOTEL,
	  "@id;@lat;@lon;name;stars;addr:city;addr:street;addr:housenumber;addr:postcode;"
	  "addr:country;phone;website",
	  "id;lat;lng;name;category_name;city_name;address;-;zip;country_name;phone;url" },
	/* OpenStreetMap, in a table */
	{ DRG_KIND_HOTEL,
	  "type;id;lat;lon;addr_city;addr_housenumber;addr_street;name;tourism;addr_postcode;"
	  "contact_email;fax;phone;stars;website;rooms;rating;addr_country;source;"
	  "contact_phone;url",
	  "-;id;lat;lng;city_name;-;address;name;-;zip;-;-;phone;category_name;url;-;-;"
	  "country_name;-;-;-" },
	/* Meta's catalogue of hotels */
	{ DRG_KIND_HOTEL,
	  "hotel_id;name;description;brand;address.addr1;address.city;address.region;"
	  "address.country;address.postal_code;latitude;longitude;neighborhood[0];star_rating;"
	  "base_price;image[0].url;phone;url",
	  "id;name;-;-;address;city_name;-;country_name;zip;lat;lng;-;category_name;-;-;phone;"
	  "url" },
	/* RateHawk's dump of hotels */
	{ DRG_KIND_HOTEL,
	  "id;hid;address;check_in_time;email;kind;latitude;longitude;name;phone;postal_code;"
	  "region.id;region.country_code;region.name;star_rating",
	  "id;-;address;-;-;-;lat;lng;name;phone;zip;-;country_id;city_name;category_name" },
	/* Hotelbeds' content */
	{ DRG_KIND_HOTEL,
	  "id;name;description;address;postalCode;email;city;countryCode;stateCode;"
	  "destinationCode;zoneCode;latitude;longitude;category",
	  "id;name;-;address;zip;-;city_name;country_id;-;-;-;lat;lng;category_name" },
	/* Check24's challenge */
	{ DRG_KIND_HOTEL, "hotelid;hotelname;latitude;longitude;hotelstars",
	  "id;name;lat;lng;category_name" },
	/* A reseller's GetHotels */
	{ DRG_KIND_HOTEL,
	  "hotelCode;hotelName;hotelClass;cityUID;countryCode;countryName;districtUID;cityName;"
	  "districtName;hotelType;latitude;longitude;hasPool",
	  "id;name;category_name;city_id;country_id;country_name;-;city_name;-;-;lat;lng;-" },
	/* Yandex's feed, as it is documented in Russian */
	{ DRG_KIND_HOTEL,
	  "Идентификатор отеля;Название отеля;Страна;Область;Район;Населенный пункт;"
	  "Почтовый индекс;Улица и дом;Широта;Долгота",
	  "id;name;country_name;-;-;city_name;zip;address;lat;lng" },
	/* Regione Piemonte */
	{ DRG_KIND_HOTEL,
	  "comune;provincia;denominazioneATL;stelle;qualifica;tipologia;nomeStruttura;"
	  "indirizzo;numeroCivico;cap;telefono;fax;email;altitudineComune",
	  "city_name;-;-;category_name;-;-;name;address;-;zip;phone;-;-;-" },
	/* Provincia di Trento */
	{ DRG_KIND_HOTEL,
	  "PartitaIva;Comune;Categoria;DenominazioneStruttura;Indirizzo;Frazione;CAP;Telefono;"
	  "FAX;IndirizzoPostaElettronica;Tipologia",
	  "-;city_name;category_name;name;address;-;zip;phone;-;-;-" },
	/* A layer of Lisbon's hotels */
	{ DRG_KIND_HOTEL, "ID;Nome_Hotel;Freguesia;AnoAbertura;Estrelas;Origem_da;Tipo_de_Af",
	  "id;name;city_name;-;category_name;-;-" },
	/* A Spanish list of the world's hotels */
	{ DRG_KIND_HOTEL, "Nombre del hotel;Ubicación (coordenadas);Estrellas",
	  "name;lat+lng;category_name" },
	/* A Spanish region's register */
	{ DRG_KIND_HOTEL,
	  "Código hotel;Nombre hotel;Dirección;Código postal;Localidad;Provincia;País;Teléfono;"
	  "Página web;Categoría;Latitud;Longitud",
	  "id;name;address;zip;city_name;-;country_name;phone;url;category_name;lat;lng" },
	/* A Polish directory */
	{ DRG_KIND_HOTEL, "Nazwa;Ulica,nr domu;Miasto;Kod pocztowy;Telefon;Fax;WWW",
	  "name;address;city_name;zip;phone;-;url" },
	/* A French one */
	{ DRG_KIND_HOTEL, "nom;type;adresse 1;adresse 2;CP;ville;téléphone;téléphone 2;email;site web",
	  "name;-;address;-;zip;city_name;phone;-;-;url" },
	/* Deutsche Bahn */
	{ DRG_KIND_HOTEL, "Verkaufsstellennr.;Name 1;Name 2;Strasse;PLZ;Ort;Adresszusatz",
	  "-;name;-;address;zip;city_name;-" },
	/* Infobel's places */
	{ DRG_KIND_HOTEL,
	  "UniqueID;CompanyName;TradeName;Address1;Address2;PostCode;City;CityCode;Locality;"
	  "LocalityCode;Province;Region;Country;CountryCode;PhoneOrMobile;Phone;Fax;Website;"
	  "CurrencyCode;Longitude;Latitude;GeoLevel",
	  "id;-;name;address;-;zip;city_name;city_id;-;-;-;-;country_name;country_id;-;phone;-;"
	  "url;-;lng;lat;-" },
	/* A town in Turkey */
	{ DRG_KIND_HOTEL, "id;name;category;district;phone;website;lat;lng;stars;is_member",
	  "id;name;-;-;phone;url;lat;lng;category_name;-" },
	/* Wikidata */
	{ DRG_KIND_HOTEL, "item;itemLabel;coordinates;countryLabel", "id;name;lat+lng;country_name" },
	/* GeoNames' countries */
	{ DRG_KIND_COUNTRY,
	  "ISO;ISO3;ISO-Numeric;fips;Country;Capital;Area(in sq km);Population;CurrencyCode;"
	  "Phone;Postal Code Format;Languages;geonameid",
	  "id;-;-;-;name;-;-;-;-;-;-;-;-" },

	/* Words before and behind */
	{ DRG_KIND_HOTEL,
	  "HotelCode;HotelName;hotel_address;HotelCity;hotel_country;hotel_latitude;"
	  "hotel_longitude;HotelRating",
	  "id;name;address;city_name;country_name;lat;lng;category_name" },
	{ DRG_KIND_HOTEL,
	  "hotel_uid;hotel_title;hotelcountrycode;hotelcityname;hotel_zip;hotel_phone;hotel_url",
	  "id;name;country_id;city_name;zip;phone;url" },
	{ DRG_KIND_HOTEL, "id_hotel;nom_hotel;adresse_hotel;ville_hotel;pays_hotel;étoiles",
	  "id;name;address;city_name;country_name;category_name" },
	{ DRG_KIND_HOTEL,
	  "Kod obiektu;Nazwa obiektu;Adres obiektu;Kod pocztowy;Miejscowość;Liczba gwiazdek;"
	  "Szerokość;Długość",
	  "id;name;address;zip;city_name;category_name;lat;lng" },
	{ DRG_KIND_HOTEL,
	  "Код объекта;Наименование объекта;Адрес объекта;Населённый пункт;Количество звёзд;"
	  "Телефон объекта;Сайт",
	  "id;name;address;city_name;category_name;phone;url" },
	{ DRG_KIND_HOTEL, "Код об'єкта;Назва об’єкта;Населений пункт;Кількість зірок;Поштовий індекс",
	  "id;name;city_name;category_name;zip" },
	{ DRG_KIND_HOTEL,
	  "Hotel-ID;Hotelname;Straße;Hausnummer;Postleitzahl;Ortsname;Länderkürzel;"
	  "Anzahl Sterne;Telefonnummer;Webseite",
	  "id;name;address;-;zip;city_name;country_id;category_name;phone;url" },
	{ DRG_KIND_HOTEL, "Tesis Numarası;Tesisin Adı;Adresi;İlçe;Posta Kodu;Yıldız Sayısı;Web Sitesi",
	  "id;name;address;city_name;zip;category_name;url" },
	{ DRG_KIND_HOTEL,
	  "Codice struttura;Nome struttura;Indirizzo;Località;Provincia;Numero stelle;Sito web",
	  "id;name;address;city_name;-;category_name;url" },
	{ DRG_KIND_HOTEL, "Código do hotel;Nome do hotel;Endereço;Cidade;CEP;Telefone;Número de estrelas",
	  "id;name;address;city_name;zip;phone;category_name" },
	{ DRG_KIND_HOTEL,
	  "Hotelcode;Hotelnaam;Straatnaam;Postcode;Plaats;Land;Aantal sterren;Breedtegraad;"
	  "Lengtegraad",
	  "id;name;address;zip;city_name;country_name;category_name;lat;lng" },
	{ DRG_KIND_HOTEL,
	  "Kód hotelu;Název hotelu;Obec;PSČ;Země;Počet hvězdiček;Zeměpisná šířka;"
	  "Zeměpisná délka",
	  "id;name;city_name;zip;country_name;category_name;lat;lng" },
	{ DRG_KIND_HOTEL, "酒店ID;酒店名称;国家;城市名称;酒店地址;星级;纬度;经度;电话;邮编",
	  "id;name;country_name;city_name;address;category_name;lat;lng;phone;zip" },
	{ DRG_KIND_HOTEL,
	  "رمز الفندق;اسم الفندق;البلد;المدينة;العنوان;عدد النجوم;خط العرض;خط الطول;رقم الهاتف",
	  "id;name;country_name;city_name;address;category_name;lat;lng;phone" },
	{ DRG_KIND_CITY, "City ID;City Name;City Country Code;City Latitude;City Longitude",
	  "id;name;country_id;lat;lng" },
	{ DRG_KIND_CITY, "код города;название города;код страны;страна", "id;name;country_id;country_name" },
	{ DRG_KIND_COUNTRY, "country_code;country_name_en;country_name_ru", "id;name;-" },
	{ DRG_KIND_MEAL, "Hotel Meal Code;Meal Plan Name", "id;name" },
	{ DRG_KIND_HOTEL_CATEGORY, "Hotel Category Code;Hotel Category Name", "id;name" },

	/* What is something else */
	{ DRG_KIND_HOTEL,
	  "Hotel ID;Hotel Name;Hotel Type;Hotel Chain;Chain ID;Area code;Airport code;"
	  "Guest rating;Number of rooms;Contact name;Geo ID;House number;Image URL;"
	  "Country phone code",
	  "id;name;-;-;-;-;-;-;-;-;-;-;-;-" },
};

static struct drg_plan plan;

static void open_list(struct folder *f, enum drg_kind kind, const char *text, const char *const *map,
                      struct drg_arena *arena)
{
	static const struct drg_profiles none;
	const struct drg_plan_wishes w = { .kind = kind, .look = true, .anew = map != NULL, .map = map };
	char path[128];
	struct drg_err e;
	folder_write(f, "list.csv", text, strlen(text));
	if (drg_plan_open(folder_file(f, "list.csv", path, sizeof path), NULL, &none, &w, arena, &plan, &e) !=
	    DRG_OK)
		fail_msg("%s: %s", text, e.message);
}

/* The fields of all columns, in their order. */
static void plan_text(struct drg_buf *out)
{
	drg_buf_clear(out);
	for (unsigned i = 0; i < plan.n_columns; i++) {
		const char *feeds[2];
		const unsigned n = drg_plan_feeds(&plan, i, feeds);
		drg_buf_printf(out, "%s%s%s%s", i > 0 ? ";" : "", n > 0 ? feeds[0] : "-", n > 1 ? "+" : "",
		               n > 1 ? feeds[1] : "");
	}
	drg_buf_char(out, '\0');
}

static void proposed(struct folder *f, enum drg_kind kind, const char *text, const char *fields)
{
	struct drg_buf found;
	struct drg_arena arena;
	drg_arena_init(&arena, SIZE_MAX);
	drg_buf_init(&found, 1 << 16);
	open_list(f, kind, text, NULL, &arena);
	plan_text(&found);
	if (strcmp(found.p, fields) != 0)
		fail_msg("%s: %s, not %s", text, found.p, fields);
	drg_plan_close(&plan);
	drg_buf_done(&found);
	drg_arena_done(&arena);
}

static void columns_are_proposed_by_their_names(void **state)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(headers); i++) {
		struct drg_buf text;
		drg_buf_init(&text, 1 << 16);
		drg_buf_printf(&text, "%s\n", headers[i].header);
		for (const char *c = headers[i].header; *c != '\0'; c++)
			if (*c == ';')
				drg_buf_lit(&text, "x;");
		drg_buf_lit(&text, "x\n");
		drg_buf_char(&text, '\0');
		proposed(*state, headers[i].kind, text.p, headers[i].fields);
		drg_buf_done(&text);
	}
}

static void another_kind_of_list_is_seen(void **state)
{
	static const struct {
		enum drg_kind told, is;
		const char *text;
	} lists[] = {
		{ DRG_KIND_HOTEL, DRG_KIND_CURRENCY, "Code;Name;Currency code\n" },
		{ DRG_KIND_HOTEL, DRG_KIND_CURRENCY, "Currency code;Currency\n" },
		{ DRG_KIND_HOTEL, DRG_KIND_CURRENCY, "Код валюты;Валюта\n" },
		{ DRG_KIND_HOTEL, DRG_KIND_CITY, "City ID;City;Country\n" },
		{ DRG_KIND_CITY, DRG_KIND_HOTEL, "Code;Hotel;City;Stars\n" },
		{ DRG_KIND_CITY, DRG_KIND_COUNTRY, "Country ID;Country\n" },
		{ DRG_KIND_CITY, DRG_KIND_DEP_CITY, "Departure city id;Departure city\n" },
		{ DRG_KIND_HOTEL, DRG_KIND_MEAL, "Board code;Board\n" },
		{ DRG_KIND_MEAL, DRG_KIND_HOTEL, "Hotel code;Hotel name;City\n" },
		{ DRG_KIND_CURRENCY, DRG_KIND_HOTEL_CATEGORY, "Category ID;Stars\n" },
		{ DRG_KIND_HOTEL, DRG_KIND_NONE, "Code;Name\n" },
		{ DRG_KIND_HOTEL, DRG_KIND_NONE, "Code;Name;Stars\n" },
		{ DRG_KIND_HOTEL, DRG_KIND_NONE, "Code;Name;City;Currency code\n" },
		{ DRG_KIND_HOTEL, DRG_KIND_NONE, "Hotel code;Hotel;City ID;City;Country code;Country\n" },
		{ DRG_KIND_CITY, DRG_KIND_NONE, "City ID;City;Country ID;Country\n" },
		{ DRG_KIND_CURRENCY, DRG_KIND_NONE, "Currency code\n" },
		{ DRG_KIND_HOTEL_CATEGORY, DRG_KIND_NONE, "Hotel category code;Hotel category\n" },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(lists); i++) {
		struct drg_arena arena;
		drg_arena_init(&arena, SIZE_MAX);
		open_list(*state, lists[i].told, lists[i].text, NULL, &arena);
		if (plan.looks_like != lists[i].is)
			fail_msg("%s: %d", lists[i].text, (int)plan.looks_like);
		drg_plan_close(&plan);
		drg_arena_done(&arena);
	}
}

/* ---- what the cells tell ------------------------------------------------------------------------------- */

static void a_code_that_cities_share_is_no_id_of_theirs(void **state)
{
	static const char head[] = "Id;Name;City Code;City\n";
	char text[256];
	snprintf(text, sizeof text, "%s1;A;AYT;Side\n2;B;AYT;Kemer\n", head);
	proposed(*state, DRG_KIND_HOTEL, text, "id;name;-;city_name");
	snprintf(text, sizeof text, "%s1;A;7;Side\n2;B;7;SIDE\n3;C;8;Kemer\n4;D;;Belek\n5;E;;Tekirova\n",
	         head);
	proposed(*state, DRG_KIND_HOTEL, text, "id;name;city_id;city_name");
	proposed(*state, DRG_KIND_HOTEL, "Id;Name;Destination Code;City\n1;A;AYT;Side\n",
	         "id;name;-;city_name");
	proposed(*state, DRG_KIND_HOTEL, "Id;Name;Destination Code;Destination\n1;A;AYT;Side\n",
	         "id;name;city_id;city_name");
}

static void a_column_of_places_is_one_whatever_its_name(void **state)
{
	static const struct {
		const char *cell, *fields;
	} cases[] = {
		{ "POINT (31.376 36.775)", "id;name;lat+lng" },
		{ "SRID=4326;POINT(31.376 36.775)", "id;name;lat+lng" },
		{ "36.775, 31.376", "id;name;lat+lng" },
		{ "36.7, 31.3", "id;name;-" }, /* a range, a size */
		{ "Side, Antalya", "id;name;-" },
		{ "LINESTRING (31.3 36.7, 31.4 36.8)", "id;name;-" },
	};
	char text[256];
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		snprintf(text, sizeof text, "Id\tName\tPosition\n1\tA\t%s\n2\tB\t\n3\tC\t%s\n", cases[i].cell,
		         cases[i].cell);
		proposed(*state, DRG_KIND_HOTEL, text, cases[i].fields);
	}
	proposed(*state, DRG_KIND_HOTEL, "Id;Name;Position\n1;A;36.775, 31.376\n2;B;Side\n", "id;name;-");
	proposed(*state, DRG_KIND_HOTEL, "Id;Name;Lat;Lng;Position\n1;A;1;2;36.775, 31.376\n",
	         "id;name;lat;lng;-");
}

/* A list of names (decision P7). */
static void one_column_is_the_id_and_the_name_if_it_is_said(void **state)
{
	static const char *const map[] = { "id=Nombre", NULL };
	struct drg_buf found;
	struct drg_arena arena;
	drg_arena_init(&arena, SIZE_MAX);
	drg_buf_init(&found, 1 << 16);
	proposed(*state, DRG_KIND_HOTEL, "Nombre;Ciudad\nAda;Side\n", "name;city_name");
	open_list(*state, DRG_KIND_HOTEL, "Nombre;Ciudad\nAda / Bay;Side\n", map, &arena);
	plan_text(&found);
	assert_string_equal(found.p, "id+name;city_name");
	struct drg_sheet_row row;
	struct drg_converted c;
	assert_int_equal(drg_plan_next(&plan, &row, NULL), DRG_OK);
	assert_int_equal(drg_convert_row(&plan, 7, &row, &arena, &c, NULL), DRG_OK);
	assert_true(drg_str_eq(drg_record_s(&c.r, DRG_F_SOURCE_ID), DRG_STR("Ada / Bay")));
	assert_true(drg_str_eq(drg_record_s(&c.r, DRG_F_NAME), DRG_STR("Ada / Bay")));
	drg_plan_close(&plan);
	drg_buf_done(&found);
	drg_arena_done(&arena);
}

/* ---- points -------------------------------------------------------------------------------------------- */

static void a_point_says_which_number_is_which(void **state)
{
	static const char *const points[] = {
		"Point(31.376 36.775)",
		"POINT (31.376 36.775)",
		" point( 31.376  36.775 ) ",
		"POINT Z (31.376 36.775 12)",
		"POINT(31.376,36.775)",
		"SRID=4326;POINT(31.376 36.775)",
		"<http://www.opengis.net/def/crs/OGC/1.3/CRS84> POINT(31.376 36.775)",
		"{\"type\":\"Point\",\"coordinates\":[31.376,36.775]}",
		"{ \"coordinates\": [ 31.376, 36.775, 12 ], \"type\": \"Point\" }",
		"{'type': 'Point', 'coordinates': [31.376, 36.775]}",
		"{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[31.376,36.775]}}",
		"{\"lat\":36.775,\"lng\":31.376}",
		"{'lon': 31.376, 'lat': 36.775}",
		"{\"latitude\": \"36.775\", \"longitude\": \"31.376\"}",
	};
	static const char *const others[] = {
		"",
		"31.376 36.775",
		"Point Hotel (31 36)",
		"Viewpoint(31.376 36.775)",
		"POINT EMPTY",
		"POINT(31.376)",
		"POINT(31.376 36.775",
		"POLYGON((31.3 36.7, 31.4 36.7, 31.4 36.8, 31.3 36.7))",
		"{\"type\":\"Polygon\",\"coordinates\":[[[31.3,36.7],[31.4,36.8]]]}",
		"{\"type\":\"Point\"}",
		"{\"flat\":36.775,\"lng\":31.376}"
	};
	struct drg_str both[2];
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(points); i++)
		if (!drg_cell_point(drg_str_c(points[i]), both) || !drg_str_eq(both[0], DRG_STR("36.775")) ||
		    !drg_str_eq(both[1], DRG_STR("31.376")))
			fail_msg("%s", points[i]);
	for (size_t i = 0; i < DRG_ARRAY_LEN(others); i++)
		if (drg_cell_point(drg_str_c(others[i]), both))
			fail_msg("%s is taken for a point", others[i]);
	assert_true(drg_cell_split_pair(DRG_STR("geo:36.775,31.376;u=10"), true, both));
	assert_true(drg_str_eq(both[0], DRG_STR("36.775")) && drg_str_eq(both[1], DRG_STR("31.376")));
}

#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, folder_set_up, folder_tear_down)

GROUP(columns)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_that_suppliers_use_are_known),
		cmocka_unit_test(a_name_without_a_word_that_is_known_says_nothing),
		cmocka_unit_test(a_column_yields_to_a_more_usual_one),
		IN_FOLDER(another_kind_of_list_is_seen),
		IN_FOLDER(columns_are_proposed_by_their_names),
		IN_FOLDER(a_code_that_cities_share_is_no_id_of_theirs),
		IN_FOLDER(a_column_of_places_is_one_whatever_its_name),
		IN_FOLDER(one_column_is_the_id_and_the_name_if_it_is_said),
		cmocka_unit_test(a_point_says_which_number_is_which),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
