/* Text files in encodings that are no Unicode: each is read, or among the readings that are shown. */
#include <iconv.h>

#include "../folder.h"

#include "sheet/encoding.h"

static const struct {
	const char *encoding; /* as iconv names it */
	const char *rows; /* of names and places */
	const char *shown; /* a name that the message has to show */
} files[] = {
	{ "MACINTOSH", "Hôtel d’Été;Nîmes\nGünes Otel;Side\nL’Étoile;Sète\n", "Nîmes" },
	{ "MACINTOSH", "Château de la Forêt;Orléans\nMaría Cristina;San Sebastián\n", "Orléans" },
	{ "CP1252", "Château de la Forêt;Orléans\nGästehaus Müller;München\n", "Orléans" },
	{ "CP1252", "Pousada São João;Évora\nHotel Açores;Ponta Delgada\n", "Évora" },
	{ "CP850", "Château de la Forêt;Orléans\nGästehaus Müller;München\n", "Orléans" },
	{ "CP437", "Château de la Forêt;Orléans\nGästehaus Müller;München\n", "Orléans" },
	{ "CP1254", "Güneş Otel;Şanlıurfa\nAğva Çınar;İstanbul\n", "Şanlıurfa" },
	{ "CP857", "Güneş Otel;Şanlıurfa\nAğva Çınar;İstanbul\n", "Şanlıurfa" },
	{ "CP1250", "Dom Wypoczynkowy Łąka;Świnoujście\nPod Różą;Kraków\n", "Świnoujście" },
	{ "ISO-8859-2", "Dom Wypoczynkowy Łąka;Świnoujście\nPod Różą;Kraków\n", "Świnoujście" },
	{ "CP852", "Dom Wypoczynkowy Łąka;Świnoujście\nPod Różą;Kraków\n", "Świnoujście" },
	{ "CP1250", "Hotel Růže;Český Krumlov\nU Zlatého lva;Žďár\n", "Žďár" },
	{ "CP852", "Hotel Růže;Český Krumlov\nU Zlatého lva;Žďár\n", "Žďár" },
	{ "CP1250", "Szálloda Gellért;Győr\nŐrségi Vendégház;Szőce\n", "Győr" },
	{ "CP1253", "Ξενοδοχείο Ακρόπολις;Αθήνα\nΒίλα Αφροδίτη;Κρήτη\n", "Αθήνα" },
	{ "ISO-8859-7", "Ξενοδοχείο Ακρόπολις;Αθήνα\nΒίλα Αφροδίτη;Κρήτη\n", "Αθήνα" },
	{ "CP737", "Ξενοδοχείο Ακρόπολις;Αθήνα\nΒίλα Αφροδίτη;Κρήτη\n", "Αθήνα" },
	{ "CP1255", "מלון המלך דוד;ירושלים\nמלון דן;תל אביב\n", "ירושלים" },
	{ "ISO-8859-8", "מלון המלך דוד;ירושלים\nמלון דן;תל אביב\n", "ירושלים" },
	{ "CP862", "מלון המלך דוד;ירושלים\nמלון דן;תל אביב\n", "ירושלים" },
	{ "CP1256", "فندق النخيل;دبي\nفندق الواحة;مرسى مطروح\n", "مرسى مطروح" },
	{ "ISO-8859-6", "فندق النخيل;دبي\nفندق الواحة;مرسى مطروح\n", "مرسى مطروح" },
	{ "CP874", "โรงแรมริมน้ำ;เชียงใหม่\nบ้านสวน;ภูเก็ต\n", "เชียงใหม่" },
	{ "CP1257", "Viešbutis Žuvėdra;Šiauliai\nViesnīca Jūra;Liepāja\n", "Šiauliai" },
	{ "SHIFT_JIS", "ホテル桜;東京\n旅館さくら;京都\n", "東京" },
	{ "EUC-JP", "ホテル桜;東京\n旅館さくら;京都\n", "東京" },
	{ "SHIFT_JIS", "東京プリンスホテル;港区\n帝国ホテル大阪;大阪\n", "港区" },
	{ "EUC-JP", "東京プリンスホテル;港区\n帝国ホテル大阪;大阪\n", "港区" },
	{ "EUC-KR", "호텔 신라;서울\n부산 관광 호텔;부산\n", "서울" },
	{ "CP949", "호텔 신라;서울\n제주 펜션;제주\n", "서울" },
	{ "GB18030", "北京饭店;北京\n和平酒店;上海\n", "北京" },
	{ "GBK", "金陵大酒店;南京\n西湖宾馆;杭州\n", "南京" },
	{ "BIG5", "圓山大飯店;臺北\n日月潭飯店;南投\n", "臺北" },
	{ "KOI8-R", "Гостиница Россия;Москва\nОтель Сочи;Сочи\n", "Москва" },
	{ "KOI8-U", "Готель Київ;Київ\nГотель Їжак;Львів\n", "Київ" },
	{ "CP866", "Гостиница Россия;Москва\nОтель Сочи;Сочи\n", "Москва" },
	{ "CP1251", "Отель Сочи;Сочи\n", "Сочи" },
	{ "ISO-8859-5", "Гостиница Россия;Москва\nОтель Сочи;Сочи\n", "Москва" },
	{ "MAC-CYRILLIC", "Гостиница Россия;Москва\nОтель Сочи;Сочи\n", "Москва" },
	{ "CP855", "Гостиница Россия;Москва\nОтель Сочи;Сочи\n", "Москва" },
	{ "CP865", "Hotell Ålesund;Tromsø\nGjestehus Bjørn;Ærøskøbing\n", "Tromsø" },
	{ "CP861", "Hótel Ísafjörður;Ísafjörður\nGistiheimilið Þór;Húsavík\n", "Ísafjörður" },
	{ "CP860", "Pousada São João;Évora\nHotel Açores;Ponta Delgada\n", "Évora" },
	{ "CP775", "Viešbutis Žuvėdra;Šiauliai\nViesnīca Jūra;Liepāja\n", "Šiauliai" },
	{ "ISO-8859-13", "Viešbutis Žuvėdra;Šiauliai\nViesnīca Jūra;Liepāja\n", "Šiauliai" },
	{ "MAC-CENTRALEUROPE", "Hotel Růže;Český Krumlov\nU Zlatého lva;Žďár\n", "Žďár" },
	{ "CP1258", "Nhà nghỉ Hương;Huế\nKhách sạn Đà;Hội An\n", "Nhà ngh" },
	/* What others were asked about: rchardet 27, chardet 24, cChardet 101, charset_normalizer 605, 587. */
	{ "MACINTOSH", "SÍTIO SOL NASCENTE;maço\nALMEIRÃO PÃO DE AÇÚCAR;maço\n", "maço" },
	{ "ISO-8859-1", "Aluguel de imóveis para escritório político;CENTRAIS ELÉTRICAS DE RONDÔNIA\n",
	  "RONDÔNIA" },
	{ "CP1250", "ŚLIMOK;Świdnica\nŻÓŁW;Łódź\n", "Łódź" },
	{ "CP932", "表示名;東京\n部署;総務部\n", "総務部" },
	{ "GB2312", "函数声明;杭州\n二维变换函数;上海\n", "杭州" },
	{ "ISO-2022-JP", "ホテル桜;東京\n旅館さくら;京都\n", "東京" },
	{ "UTF-16LE", "北京饭店;北京\n和平酒店;上海\n一;一\n", "北京" },
	{ "UTF-32LE", "ホテル桜;東京\n", "東京" },
};

/* The file in its encoding. @return its bytes. */
static size_t encode(const char *encoding, const char *rows, char *out, size_t cap)
{
	char text[1024] = "", *from = text, *to = out;
	struct drg_str rest = drg_str_c(rows), row;
	size_t n = (size_t)snprintf(text, sizeof text, "%sid;name;city\n",
	                            strcmp(encoding, "UTF-32LE") == 0 ? "\xef\xbb\xbf" : "");
	for (unsigned i = 1; drg_str_split(&rest, '\n', &row) && row.n > 0; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%u;%.*s\n", i, DRG_STR_ARG(row));
	size_t left = cap;
	iconv_t cd = iconv_open(encoding, "UTF-8");
	assert_true(cd != (iconv_t)-1);
	if (iconv(cd, &from, &n, &to, &left) == (size_t)-1 || iconv(cd, NULL, NULL, &to, &left) == (size_t)-1)
		fail_msg("%s: %s", encoding, rows);
	iconv_close(cd);
	return cap - left;
}

static void the_right_reading_is_shown_or_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(files); i++) {
		const struct drg_sheet_options plain = { .encoding = NULL };
		char bytes[4096], path[128];
		struct drg_sheet_row row;
		struct drg_sheet *s;
		struct folder f;
		struct drg_err e = { .code = DRG_OK };
		const size_t n = encode(files[i].encoding, files[i].rows, bytes, sizeof bytes);
		folder_make(&f);
		folder_write(&f, "list.csv", bytes, n);
		int rc = drg_sheet_open(folder_file(&f, "list.csv", path, sizeof path), &plain, &s, &e);
		if (rc == DRG_OK) {
			bool found = false;
			while (drg_sheet_next(s, &row, &e) == DRG_OK)
				for (unsigned k = 0; k < row.n; k++)
					found |= drg_str_eq(row.cells[k].text, drg_str_c(files[i].shown));
			if (!found)
				fail_msg("%s is read as %s", files[i].encoding, drg_sheet_about(s)->encoding);
			drg_sheet_close(s);
		} else if (strstr(e.message, files[i].shown) == NULL || strcmp(e.field, "encoding") != 0) {
			fail_msg("%s: %s", files[i].encoding, e.message);
		}
		folder_remove(&f);
	}
}

/* The names of the message can be said, and read what it shows. */
static void what_is_shown_can_be_said(void **state)
{
	static const char text[] =
	        "id;name;city\n1;H\x99tel de l\xd5\x83t\x8e;N\x94mes\n2;\x83toile;S\x8fte\n";
	const struct drg_sheet_options plain = { .encoding = NULL };
	char path[128], name[DRG_SHEET_ENCODING], shown[128];
	struct drg_sheet_row row;
	struct drg_sheet *s;
	struct folder f;
	struct drg_err e;
	(void)state;
	folder_make(&f);
	folder_write(&f, "list.csv", text, sizeof text - 1);
	folder_file(&f, "list.csv", path, sizeof path);
	assert_int_equal(drg_sheet_open(path, &plain, &s, &e), DRG_EINVAL);
	const char *first = strstr(e.message, "--encoding ");
	assert_non_null(first);
	assert_int_equal(sscanf(first, "--encoding %63s", name), 1);
	const struct drg_sheet_options said = { .encoding = name };
	assert_int_equal(drg_sheet_open(path, &said, &s, &e), DRG_OK);
	assert_int_equal(drg_sheet_next(s, &row, &e), DRG_OK);
	assert_int_equal(drg_sheet_next(s, &row, &e), DRG_OK);
	snprintf(shown, sizeof shown, "%.*s", DRG_STR_ARG(row.cells[1].text));
	assert_string_equal(shown, "Hôtel de l’Été");
	drg_sheet_close(s);
	folder_remove(&f);
}

/* Excel on a Mac ends lines with a return alone. */
static void a_file_with_returns_alone_is_read_too(void **state)
{
	static const char row[] = "\r1;H\x99tel de l\xd5\x83t\x8e;N\x94mes";
	const struct drg_sheet_options plain = { .encoding = NULL };
	struct drg_buf b;
	struct drg_sheet *s;
	struct folder f;
	struct drg_err e;
	char path[128];
	(void)state;
	drg_buf_init(&b, 1 << 20);
	drg_buf_str(&b, DRG_STR("id;name;city"));
	for (unsigned i = 0; i < 4000; i++)
		drg_buf_add(&b, row, sizeof row - 1);
	folder_make(&f);
	folder_write(&f, "list.csv", b.p, b.n);
	folder_file(&f, "list.csv", path, sizeof path);
	assert_int_equal(drg_sheet_open(path, &plain, &s, &e), DRG_EINVAL);
	assert_non_null(strstr(e.message, "--encoding macintosh \""));
	assert_non_null(strstr(e.message, "Nîmes"));
	folder_remove(&f);
	drg_buf_done(&b);
}

static void names_of_encodings_are_those_of_icu_and_of_other_programs(void **state)
{
	static const char *const good[] = { "macintosh",
		                            "MacRoman",
		                            "mac_roman",
		                            "x-mac-greek",
		                            "mac_greek",
		                            "cp1254",
		                            "latin5",
		                            "1251",
		                            "win1251",
		                            "ibm-1047",
		                            "Big5-HKSCS",
		                            "koi8-r",
		                            "iso8859_7",
		                            "windows-31j",
		                            "cp949",
		                            "hz",
		                            "utf-7",
		                            "gb2312",
		                            "Extended_UNIX_Code_Packed_Format_for_Japanese" };
	static const char *const bad[] = { "", "klingon", "windows-99999", "x-", "utf" };
	struct drg_decoder *d;
	struct drg_err e;
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(good); i++) {
		if (drg_decoder_open(good[i], &d, &e) != DRG_OK)
			fail_msg("%s", e.message);
		drg_decoder_close(d);
	}
	for (size_t i = 0; i < DRG_ARRAY_LEN(bad); i++) {
		if (drg_decoder_open(bad[i], &d, &e) != DRG_EINVAL)
			fail_msg("%s", bad[i]);
		assert_string_equal(e.field, "encoding");
	}
}

GROUP(readings)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_right_reading_is_shown_or_read),
		cmocka_unit_test(what_is_shown_can_be_said),
		cmocka_unit_test(a_file_with_returns_alone_is_read_too),
		cmocka_unit_test(names_of_encodings_are_those_of_icu_and_of_other_programs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
