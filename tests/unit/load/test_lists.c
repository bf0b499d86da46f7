/* Lists of suppliers: names of columns, profiles, and rows that become records (src/load/). */
#include "../folder.h"

#include "load/columns.h"
#include "load/convert.h"
#include "load/seen.h"

/* ---- columns ------------------------------------------------------------------------------------------- */

static void columns_are_known_in_several_languages(void **state)
{
	static const struct {
		enum drg_kind kind;
		const char *column, *field; /* field NULL: none */
	} cases[] = {
		{ DRG_KIND_HOTEL, "id", "id" },
		{ DRG_KIND_HOTEL, "HOTEL_CODE", "id" },
		{ DRG_KIND_HOTEL, "Код отеля", "id" },
		{ DRG_KIND_HOTEL, "Название отеля", "name" },
		{ DRG_KIND_HOTEL, "Otel Adı", "name" },
		{ DRG_KIND_HOTEL, "OTEL ADI", "name" },
		{ DRG_KIND_HOTEL, "Широта", "lat" },
		{ DRG_KIND_HOTEL, "Enlem", "lat" },
		{ DRG_KIND_HOTEL, "Breite", "lat" },
		{ DRG_KIND_HOTEL, "Länge", "lng" },
		{ DRG_KIND_HOTEL, "Szer.", "lat" },
		{ DRG_KIND_HOTEL, "Dł.", "lng" },
		{ DRG_KIND_HOTEL, "Комментарий", NULL },
		{ DRG_KIND_HOTEL, "", NULL },
		{ DRG_KIND_MEAL, "Latitude", NULL },
		{ DRG_KIND_MEAL, "Pansiyon Adı", "name" },
		{ DRG_KIND_HOTEL, "SINIF", "category_name" },
		{ DRG_KIND_HOTEL, "GPS Long", "lng" },
		{ DRG_KIND_HOTEL, "geo_long", "lng" },
		{ DRG_KIND_HOTEL, "CityName", "city_name" },
		{ DRG_KIND_HOTEL, "StarRating", "category_name" },
		{ DRG_KIND_HOTEL, "PropertyID", "id" },
		{ DRG_KIND_HOTEL, "CC1", "country_id" },
		{ DRG_KIND_HOTEL, "ISO", "country_id" },
		{ DRG_KIND_HOTEL, "Country ISO-2", "country_id" },
		{ DRG_KIND_HOTEL, "Hotel Class", "category_name" },
		{ DRG_KIND_HOTEL, "Наименование отеля", "name" },
		{ DRG_KIND_HOTEL, "Kod hotelu", "id" },
		{ DRG_KIND_HOTEL, "Otel No", "id" },
		{ DRG_KIND_HOTEL, "Otel İsmi", "name" },
		{ DRG_KIND_HOTEL, "Objekt-Nr.", "id" },
		{ DRG_KIND_HOTEL, "Hotelnummer", "id" },
		{ DRG_KIND_HOTEL, "Шифр", "id" },
		{ DRG_KIND_COUNTRY, "Kısa Kod", "id" },
		{ DRG_KIND_HOTEL, "Zielgebiet", "city_name" },
		{ DRG_KIND_HOTEL, "Zielort", "city_name" },
		{ DRG_KIND_HOTEL, "Kat.", "category_name" },
		{ DRG_KIND_HOTEL, "Найменування готелю", "name" },
		{ DRG_KIND_HOTEL, "Tesis Sınıfı", "category_name" },
		{ DRG_KIND_HOTEL, "Кол-во звезд", "category_name" },
		{ DRG_KIND_HOTEL, "Categoría", "category_name" },
		{ DRG_KIND_HOTEL, "Estrellas", "category_name" },
		{ DRG_KIND_HOTEL, "Gwiazdki", "category_name" },
		{ DRG_KIND_HOTEL, "Latitude (WGS84)", "lat" },
		{ DRG_KIND_HOTEL, "Hotel name (max 60 chars)", "name" },
		{ DRG_KIND_HOTEL, "cityName [local]", "city_name" },
		{ DRG_KIND_HOTEL, "(Hotel)", "name" },
		{ DRG_KIND_HOTEL, "Remark (id)", NULL },
		{ DRG_KIND_HOTEL, "ALLCAPS", NULL },
		{ DRG_KIND_CURRENCY, "ISO", "iso_code" },
	};
	struct drg_column c, other;
	struct drg_arena a;
	(void)state;
	drg_arena_init(&a, 1 << 20);
	assert_int_equal(drg_columns_open(NULL), DRG_OK);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		assert_int_equal(drg_column_make(drg_str_c(cases[i].column), &a, &c, NULL), DRG_OK);
		const struct drg_field_def *f = drg_column_field(cases[i].kind, &c, NULL);
		if ((f == NULL) != (cases[i].field == NULL) ||
		    (f != NULL && strcmp(f->wire, cases[i].field) != 0))
			fail_msg("%s: %s", cases[i].column, f != NULL ? f->wire : "no field");
	}
	static const struct {
		const char *a, *b;
		bool same;
	} pairs[] = { { "Otel Adı", "otel_adi", true },
		      { "Otel", "Hotel", false },
		      { "#", "#", true },
		      { "#", "*", false } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(pairs); i++) {
		assert_int_equal(drg_column_make(drg_str_c(pairs[i].a), &a, &c, NULL), DRG_OK);
		assert_int_equal(drg_column_make(drg_str_c(pairs[i].b), &a, &other, NULL), DRG_OK);
		assert_int_equal(drg_column_same(&c, &other), pairs[i].same);
	}
	drg_arena_done(&a);
}

static void a_column_with_a_remark_yields_to_one_without(void **state)
{
	static const struct {
		const char *column;
		bool vague;
	} cases[] = { { "Name (short)", true }, { "Name (EN)", false }, { "CityName", false } };
	struct drg_column c;
	struct drg_arena a;
	(void)state;
	drg_arena_init(&a, 1 << 20);
	assert_int_equal(drg_columns_open(NULL), DRG_OK);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		unsigned rank = DRG_COLUMN_RANKS;
		assert_int_equal(drg_column_make(drg_str_c(cases[i].column), &a, &c, NULL), DRG_OK);
		assert_non_null(drg_column_field(DRG_KIND_HOTEL, &c, &rank));
		assert_int_equal(rank > 0, cases[i].vague);
	}
	drg_arena_done(&a);
}

/* ---- profiles ------------------------------------------------------------------------------------------ */

static int profile_from(const char *data, struct drg_arena *a, struct drg_profile *ret, struct drg_err *e)
{
	return drg_profile_read(DRG_KIND_HOTEL, drg_str_c(data), a, ret, e);
}

static void a_profile_is_written_as_it_was_read(void **state)
{
	static const char data[] = "{\"columns\":{\"id\":\"Код\",\"name\":\"Имя\",\"lat\":\"Широта\"},"
	                           "\"ignored\":[\"Примечание\"],\"also\":[\"city\"],\"encoding\":\"windows-"
	                           "1251\",\"separator\":\";\","
	                           "\"decimal\":\",\",\"lang\":\"ru\",\"complete\":true}";
	struct drg_profile p;
	struct drg_arena a;
	struct drg_buf out;
	(void)state;
	drg_arena_init(&a, 1 << 20);
	drg_buf_init(&out, 1 << 16);
	assert_int_equal(profile_from(data, &a, &p, NULL), DRG_OK);
	assert_int_equal(p.n_columns, 3);
	assert_true(p.complete && p.separator == ';' && p.decimal == ',');
	assert_int_equal(p.also, 1U << DRG_KIND_CITY);
	drg_profile_write(&p, &out);
	drg_buf_char(&out, '\0');
	assert_string_equal(out.p, data);
	drg_buf_done(&out);
	drg_arena_done(&a);
}

static void what_is_no_profile_is_told(void **state)
{
	static const char *const bad[] = { "[]",
		                           "{\"columns\":1}",
		                           "{\"columns\":{\"nofield\":\"X\"}}",
		                           "{\"columns\":{\"id\":5}}",
		                           "{\"columns\":{},\"decimal\":\"x\"}",
		                           "{\"columns\":{},\"also\":[\"castle\"]}",
		                           "{\"columns\":{},\"more\":1}" };
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(bad); i++) {
		struct drg_profile p;
		struct drg_arena a;
		struct drg_err e = { .message = "" };
		drg_arena_init(&a, 1 << 20);
		if (profile_from(bad[i], &a, &p, &e) != DRG_EINVAL || e.message[0] == '\0')
			fail_msg("%s was taken", bad[i]);
		drg_arena_done(&a);
	}
}

static void a_field_is_bound_once(void **state)
{
	struct drg_profile p = { .kind = DRG_KIND_HOTEL };
	const struct drg_field_def *id = drg_profile_field(DRG_KIND_HOTEL, DRG_STR("id"));
	(void)state;
	assert_null(drg_profile_field(DRG_KIND_HOTEL, DRG_STR("adapter_id")));
	assert_null(drg_profile_field(DRG_KIND_MEAL, DRG_STR("lat")));
	assert_true(drg_profile_bind(&p, id, DRG_STR("A")) && drg_profile_bind(&p, id, DRG_STR("B")));
	assert_int_equal(p.n_columns, 1);
	assert_true(drg_str_eq(drg_profile_column_of(&p, id->field)->column, DRG_STR("B")));
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

/* The first row below "id;name;lat;lng;phone" as a record. */
static void convert_first(struct folder *f, const char *row, struct drg_arena *a, struct drg_converted *ret)
{
	const struct drg_plan_wishes w = { .kind = DRG_KIND_HOTEL };
	static const struct drg_profiles none;
	struct drg_sheet_row cells;
	struct drg_plan *p = drg_arena_calloc(a, 1, sizeof *p);
	char text[512], path[128];
	int n = snprintf(text, sizeof text, "id;name;lat;lng;phone\n%s\n", row);
	folder_write(f, "list.csv", text, (size_t)n);
	assert_int_equal(
	        drg_plan_open(folder_file(f, "list.csv", path, sizeof path), NULL, &none, &w, a, p, NULL),
	        DRG_OK);
	assert_true(p->proposed && p->header_line == 1 && p->profile.n_columns == 5);
	assert_int_equal(drg_plan_next(p, &cells, NULL), DRG_OK);
	assert_int_equal(drg_convert_row(p, 7, &cells, a, ret, NULL), DRG_OK);
	drg_plan_close(p);
}

static void numbers_are_read_as_people_write_them(void **state)
{
	static const struct {
		const char *cell;
		double value;
	} cases[] = { { "36.85", 36.85 }, { "36,85", 36.85 }, { "-7,5", -7.5 },
		      { "36", 36 },       { "0,000", 0 },     { "1e1", 10 } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_converted c;
		struct drg_arena a;
		char row[64];
		drg_arena_init(&a, 16 << 20);
		snprintf(row, sizeof row, "A1;Sunny;%s;1;", cases[i].cell);
		convert_first(*state, row, &a, &c);
		if (c.reasons.n > 0 || c.r.v[DRG_F_LAT].d != cases[i].value)
			fail_msg("%s: %.*s", cases[i].cell, DRG_STR_ARG(c.reasons));
		drg_arena_done(&a);
	}
}

static void every_bad_cell_of_a_row_is_told(void **state)
{
	struct drg_converted c;
	struct drg_arena a;
	drg_arena_init(&a, 16 << 20);
	char row[128], phone[66];
	memset(phone, '1', 65);
	phone[65] = '\0';
	snprintf(row, sizeof row, "1.10E+03;Sunny;north;west;%s", phone);
	convert_first(*state, row, &a, &c);
	const char *reasons = strndup(c.reasons.p, c.reasons.n);
	const char *warning = strndup(c.warning.p, c.warning.n);
	assert_non_null(strstr(reasons, "id: expected an id, found a number that Excel has shortened"));
	assert_non_null(strstr(reasons, "; phone: "));
	assert_ptr_equal(strstr(warning, "lat: "), warning);
	assert_non_null(strstr(warning, "; lng: "));
	free((void *)reasons);
	free((void *)warning);
	drg_arena_done(&a);
}

static void a_place_beyond_the_globe_is_left_out(void **state)
{
	static const struct {
		const char *row;
		bool left_out;
	} cases[] = { { "A1;Sunny;90;180;", false },   { "A1;Sunny;90.1;180;", true },
		      { "A1;Sunny;-90;180.1;", true }, { "A1;Sunny;-90.1;0;", true },
		      { "A1;Sunny;0;-180;", false },   { "A1;Sunny;0;-180.1;", true } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_converted c;
		struct drg_arena a;
		drg_arena_init(&a, 16 << 20);
		convert_first(*state, cases[i].row, &a, &c);
		const uint64_t place = UINT64_C(1) << DRG_F_LAT | UINT64_C(1) << DRG_F_LNG;
		if (c.reasons.n > 0 || (c.warning.n > 0) != cases[i].left_out ||
		    c.unsaid != (cases[i].left_out ? place : 0) ||
		    (c.r.has & place) != (cases[i].left_out ? 0 : place))
			fail_msg("%s: %.*s", cases[i].row, DRG_STR_ARG(c.warning));
		drg_arena_done(&a);
	}
}

/* ---- ids that came already ----------------------------------------------------------------------------- */

static void ids_are_seen_once_in_each_kind(void **state)
{
	struct drg_seen s = { .n = 0 };
	char id[16];
	(void)state;
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < 5000; i++) {
			int n = snprintf(id, sizeof id, "H%d", i);
			assert_int_equal(drg_seen_add(&s, 1, drg_str(id, (size_t)n)),
			                 pass == 0 ? DRG_SEEN_NEW : DRG_SEEN_BEFORE);
			uint64_t *note = drg_seen_note(&s, 1, drg_str(id, (size_t)n));
			assert_int_equal(*note, pass * i);
			*note = (uint64_t)i;
		}
	assert_true(drg_seen_has(&s, 1, DRG_STR("H4999")));
	assert_false(drg_seen_has(&s, 2, DRG_STR("H4999")));
	assert_false(drg_seen_has(&s, 1, DRG_STR("H5000")));
	drg_seen_done(&s);
}

#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, folder_set_up, folder_tear_down)

GROUP(lists)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_known_in_several_languages),
		cmocka_unit_test(a_column_with_a_remark_yields_to_one_without),
		cmocka_unit_test(a_profile_is_written_as_it_was_read),
		cmocka_unit_test(what_is_no_profile_is_told),
		cmocka_unit_test(a_field_is_bound_once),
		IN_FOLDER(numbers_are_read_as_people_write_them),
		IN_FOLDER(every_bad_cell_of_a_row_is_told),
		IN_FOLDER(a_place_beyond_the_globe_is_left_out),
		cmocka_unit_test(ids_are_seen_once_in_each_kind),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
