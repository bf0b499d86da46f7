/* The catalog through its public functions, subject by subject. */
#include "records.h"

#include "text/lang.h"

/* ---- helpers -------------------------------------------------------------------------------------------- */

static int set_up(void **state)
{
	struct drg_catalog *c = new_catalog(0);
	static const int64_t ids[] = { 9, 7 };
	for (size_t i = 0; i < DRG_ARRAY_LEN(ids); i++) {
		struct drg_record r = adapter(ids[i], ids[i] == 7 ? "coral" : "an\"ex");
		apply(c, &r);
	}
	publish(c, 1);
	*state = c;
	drg_read_lock();
	drg_read_unlock();
	return 0;
}

static int tear_down(void **state)
{
	drg_catalog_free(*state);
	return 0;
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)

static void put(struct drg_catalog *c, struct drg_record r)
{
	apply(c, &r);
}

static struct drg_str source_json(struct drg_catalog *c, int64_t adapter_id, enum drg_kind kind,
                                  const char *id, struct drg_buf *b)
{
	struct drg_source s;
	drg_buf_clear(b);
	assert_true(drg_catalog_source(c, drg_catalog_adapter(c, adapter_id), kind, drg_str_c(id), &s));
	drg_source_json(c, &s, b);
	return drg_buf_view(b);
}

static struct drg_str dict_json(struct drg_catalog *c, enum drg_kind kind, int64_t id, const char *lang,
                                struct drg_buf *b)
{
	struct drg_dict d;
	struct drg_lang_pref pref = drg_catalog_langs(c, drg_str_c(lang));
	drg_buf_clear(b);
	assert_true(drg_catalog_dict(c, kind, id, &d));
	drg_dict_json(c, &d, &pref, b);
	return drg_buf_view(b);
}

/* Supplier ids mapped to a dict record, sorted, with commas. */
static const char *linked(struct drg_catalog *c, int64_t adapter_id, enum drg_kind kind, int64_t id,
                          char *buf)
{
	const char *ids[64];
	size_t n = 0, len = 0;
	struct drg_dict d;
	struct drg_source s;
	drg_handle h = drg_catalog_dict(c, kind, id, &d) ? d.handle : DRG_NO_HANDLE;
	const struct drg_adapter *a = drg_catalog_adapter(c, adapter_id);
	for (bool more = drg_catalog_first_source(c, a, kind, h, &s); more;
	     more = drg_catalog_next_source(c, &s, &s))
		ids[n++] = s.id.p;
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++)
			if (*ids[k] < *ids[i]) {
				const char *t = ids[i];
				ids[i] = ids[k];
				ids[k] = t;
			}
	for (size_t i = 0; i < n; i++)
		buf[len++] = *ids[i];
	buf[len] = '\0';
	return buf;
}

/* ---- adapters, directions, keys -------------------------------------------------------------------------- */

static void adapters_are_sorted_and_found(void **state)
{
	struct drg_catalog *c = *state;
	const struct drg_adapter *a;
	assert_int_equal(drg_catalog_adapters(c, &a), 2);
	assert_int_equal(a[0].id, 7);
	assert_int_equal(a[1].id, 9);
	assert_str(a[1].code, "an\"ex");
	assert_str(a[1].code_esc, "an\\\"ex");
	assert_int_not_equal(a[0].index, a[1].index);
	assert_null(drg_catalog_adapter(c, 8));

	put(c, gone(adapter(7, "coral")));
	put(c, adapter(8, "new"));
	assert_non_null(drg_catalog_adapter(c, 7));
	publish(c, 2);
	assert_null(drg_catalog_adapter(c, 7));
	assert_str(drg_catalog_adapter(c, 8)->name, "new");
}

static void an_adapter_keeps_its_index_when_it_returns(void **state)
{
	struct drg_catalog *c = *state;
	put(c, source(7, DRG_KIND_HOTEL, "1", "A"));
	uint32_t index = drg_catalog_adapter(c, 7)->index;
	put(c, gone(adapter(7, "coral")));
	publish(c, 2);
	put(c, adapter(7, "coral"));
	publish(c, 3);
	assert_int_equal(drg_catalog_adapter(c, 7)->index, index);
	struct drg_source s;
	assert_true(drg_catalog_source(c, drg_catalog_adapter(c, 7), DRG_KIND_HOTEL, DRG_STR("1"), &s));
}

static void directions_are_sorted(void **state)
{
	struct drg_catalog *c = *state;
	static const struct drg_direction in[] = {
		{ 9, 1, 1 }, { 7, 2, -5 }, { 7, 2, -6 }, { 7, 1, 9 }, { 9, 1, 1 }
	};
	const struct drg_direction *d;
	for (size_t i = 0; i < DRG_ARRAY_LEN(in); i++)
		put(c, direction(in[i].adapter, in[i].dep_city, in[i].country));
	publish(c, 2);
	assert_int_equal(drg_catalog_directions(c, &d), 4);
	assert_int_equal(d[0].country, 9);
	assert_int_equal(d[1].country, -6);
	assert_int_equal(d[2].country, -5);
	assert_int_equal(d[3].adapter, 9);
	put(c, gone(direction(7, 2, -6)));
	publish(c, 3);
	assert_int_equal(drg_catalog_directions(c, &d), 3);
}

static struct drg_record key(int64_t id, const char *hash)
{
	struct drg_record r;
	drg_record_init(&r, &drg_types[DRG_TYPE_API_KEY]);
	drg_record_set_i(&r, DRG_F_ID, id);
	drg_record_set_i(&r, DRG_F_API, DRG_API_B);
	drg_record_set_s(&r, DRG_F_KEY_HASH, drg_str_c(hash));
	return r;
}

static void keys_are_found_by_hash(void **state)
{
	struct drg_catalog *c = *state;
	struct drg_record r = key(1, "ff00");
	drg_record_set_s(&r, DRG_F_SECRET_HASH, DRG_STR("5ec7"));
	drg_record_set_s(&r, DRG_F_ADAPTERS, DRG_STR("9,7"));
	drg_record_set_s(&r, DRG_F_EXPIRES, DRG_STR("1970-01-01T00:00:01.5Z"));
	assert_null(drg_catalog_key(c, DRG_STR("ff00")));
	put(c, r);
	put(c, key(2, "aa"));
	assert_null(drg_catalog_key(c, DRG_STR("ff00")));
	publish(c, 2);

	const struct drg_key *k = drg_catalog_key(c, DRG_STR("ff00"));
	assert_int_equal(k->id, 1);
	assert_int_equal(k->api, DRG_API_B);
	assert_str(k->secret_hash, "5ec7");
	assert_int_equal(k->expires_us, 1500000);
	assert_int_equal(k->n_adapters, 2);
	assert_int_equal(k->adapters[0], 7);
	assert_int_equal(k->adapters[1], 9);
	k = drg_catalog_key(c, DRG_STR("aa"));
	assert_int_equal(k->secret_hash.n, 0);
	assert_null(k->adapters);
	assert_int_equal(k->expires_us, 0);
	assert_null(drg_catalog_key(c, DRG_STR("a")));
}

static void revoked_and_rotated_keys_are_gone(void **state)
{
	struct drg_catalog *c = *state;
	struct drg_record r = key(1, "aa");
	put(c, r);
	put(c, key(2, "bb"));
	publish(c, 2);
	drg_record_set_s(&r, DRG_F_REVOKED, DRG_STR("2026-01-01T00:00:00Z"));
	put(c, r);
	put(c, key(2, "cc"));
	publish(c, 3);
	assert_null(drg_catalog_key(c, DRG_STR("aa")));
	assert_null(drg_catalog_key(c, DRG_STR("bb")));
	assert_int_equal(drg_catalog_key(c, DRG_STR("cc"))->id, 2);
}

static int last_key(void *ctx, const struct drg_record *r)
{
	if (r->type->id == DRG_TYPE_API_KEY)
		drg_buf_printf(ctx, "%d %.*s %.*s %.*s %.*s;", (int)r->v[DRG_F_ID].i,
		               DRG_STR_ARG(drg_record_s(r, DRG_F_KEY_HASH)),
		               DRG_STR_ARG(drg_record_s(r, DRG_F_SECRET_HASH)),
		               DRG_STR_ARG(drg_record_s(r, DRG_F_ADAPTERS)),
		               DRG_STR_ARG(drg_record_s(r, DRG_F_EXPIRES)));
	return DRG_OK;
}

static void keys_come_back(void **state)
{
	struct drg_catalog *c = *state;
	struct drg_buf b;
	drg_buf_init(&b, 1000);
	struct drg_record r = key(1, "ff00");
	drg_record_set_s(&r, DRG_F_SECRET_HASH, DRG_STR("5ec7"));
	drg_record_set_s(&r, DRG_F_ADAPTERS, DRG_STR("7,9"));
	drg_record_set_s(&r, DRG_F_EXPIRES, DRG_STR("2030-01-02T03:04:05.000Z"));
	put(c, r);
	put(c, key(2, "aa"));
	publish(c, 2);
	assert_int_equal(drg_catalog_each(c, last_key, &b), DRG_OK);
	assert_text(drg_buf_view(&b), "1 ff00 5ec7 7,9 2030-01-02T03:04:05.000Z;2 aa   ;");
	drg_buf_done(&b);
}

static void bad_keys_are_refused(void **state)
{
	struct drg_catalog *c = *state;
	struct drg_err err = { 0 };
	struct drg_record r = key(1, "aa");
	drg_record_set_s(&r, DRG_F_ADAPTERS, DRG_STR("9,x"));
	assert_int_equal(drg_catalog_apply(c, &r, &err), DRG_EINVAL);
	assert_string_equal(err.field, "adapters");
	r = key(1, "aa");
	drg_record_set_s(&r, DRG_F_EXPIRES, DRG_STR("tomorrow"));
	assert_int_equal(drg_catalog_apply(c, &r, &err), DRG_EINVAL);
	assert_string_equal(err.field, "expires");
	publish(c, 2);
	assert_null(drg_catalog_key(c, DRG_STR("aa")));
}

/* ---- dict records ---------------------------------------------------------------------------------------- */

static void dict_records_are_written_by_kind(void **state)
{
	struct drg_catalog *c = *state;
	struct drg_buf b;
	drg_buf_init(&b, 1 << 20);
	struct drg_record r = dict(DRG_KIND_CURRENCY, 1, "{\"en\":\"Euro\"}");
	drg_record_set_s(&r, DRG_F_ISO_CODE, DRG_STR("EUR"));
	put(c, r);
	put(c, dict(DRG_KIND_CITY, -44, "{\"en\":\"Belek\",\"uk\":\"Белек\"}"));
	r = dict(DRG_KIND_MEAL, 1, "{\"en\":\"AI\"}");
	drg_record_set_s(&r, DRG_F_DESCRIPTION, DRG_STR("{\"en\":\"All \\\"inclusive\\\"\",\"uk\":\"Все\"}"));
	put(c, r);
	put(c, dict(DRG_KIND_MEAL, 2, "{\"en\":\"BB\"}"));
	put(c, dict(DRG_KIND_COUNTRY, INT64_MIN, "{\"en\":\"Turkey\"}"));
	put(c, dict(DRG_KIND_HOTEL_CATEGORY, 5, "{\"en\":\"5*\"}"));
	put(c, dict_hotel(55, "{\"en\":\"Blue \\\\ Bay\"}", INT64_MIN, -44, 5));
	put(c, dict_hotel(56, "{\"en\":\"Dangling\"}", 404, -405, 406));

	static const struct {
		enum drg_kind kind;
		int64_t id;
		const char *lang, *json;
	} cases[] = {
		{ DRG_KIND_CURRENCY, 1, "en", "{\"id\":1,\"iso_code\":\"EUR\",\"name\":\"Euro\"}" },
		{ DRG_KIND_CITY, -44, "uk", "{\"id\":-44,\"name\":\"Белек\"}" },
		{ DRG_KIND_CITY, -44, "uk-ua", "{\"id\":-44,\"name\":\"Белек\"}" },
		{ DRG_KIND_CITY, -44, "de", "{\"id\":-44,\"name\":\"Belek\"}" },
		{ DRG_KIND_MEAL, 1, "uk", "{\"id\":1,\"name\":\"AI\",\"description\":\"Все\"}" },
		{ DRG_KIND_MEAL, 1, "en",
		  "{\"id\":1,\"name\":\"AI\",\"description\":\"All \\\"inclusive\\\"\"}" },
		{ DRG_KIND_MEAL, 2, "en", "{\"id\":2,\"name\":\"BB\",\"description\":null}" },
		{ DRG_KIND_HOTEL, 55, "uk",
		  "{\"id\":55,\"name\":\"Blue \\\\ "
		  "Bay\",\"country_id\":-9223372036854775808,\"country_name\":\"Turkey\","
		  "\"city_id\":-44,\"city_name\":\"Белек\",\"hotel_category_id\":5,\"hotel_category_name\":"
		  "\"5*\"}" },
		{ DRG_KIND_HOTEL, 56, "uk",
		  "{\"id\":56,\"name\":\"Dangling\",\"country_id\":404,\"country_name\":null,"
		  "\"city_id\":-405,\"city_name\":null,\"hotel_category_id\":406,\"hotel_category_name\":"
		  "null}" },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++)
		assert_text(dict_json(c, cases[i].kind, cases[i].id, cases[i].lang, &b), cases[i].json);
	drg_buf_done(&b);
}

static void the_name_falls_back_to_any(void **state)
{
	struct drg_catalog *c = *state;
	struct drg_dict d;
	put(c, dict(DRG_KIND_CITY, 1, "{\"de\":\"Wien\",\"uk\":\"Відень\"}"));
	assert_true(drg_catalog_dict(c, DRG_KIND_CITY, 1, &d));
	struct drg_lang_pref pref = drg_catalog_langs(c, DRG_STR("fr"));
	assert_int_equal(pref.n, 0);
	assert_str(drg_dict_name_esc(&d, &pref), "Wien");
	char room[DRG_LANG_FULL + 1];
	assert_str(drg_catalog_lang(c, DRG_STR("de"), false, room), "de");
	assert_str(drg_catalog_lang(c, DRG_STR("fr"), false, room), "en");
	pref = drg_catalog_langs(c, DRG_STR("uk-ua-x"));
	assert_int_equal(pref.n, 1);
	assert_str(drg_dict_name_esc(&d, &pref), "Відень");
	assert_null(drg_dict_description_esc(&d, &pref).p);
}

static void collect_name(void *ctx, struct drg_str tag, struct drg_str name)
{
	drg_buf_printf(ctx, "%.*s=%.*s;", DRG_STR_ARG(tag), DRG_STR_ARG(name));
}

static void every_name_is_given(void **state)
{
	struct drg_catalog *c = *state;
	struct drg_dict d;
	struct drg_buf b;
	drg_buf_init(&b, 1000);
	put(c, dict(DRG_KIND_CITY, 1, "{\"de\":\"Wien\",\"en\":\"Vi\\\"enna\"}"));
	assert_true(drg_catalog_dict(c, DRG_KIND_CITY, 1, &d));
	drg_dict_names(c, &d, collect_name, &b);
	assert_text(drg_buf_view(&b), "de=Wien;en=Vi\\\"enna;");
	drg_buf_done(&b);
}

static void a_handle_outlives_its_record(void **state)
{
	struct drg_catalog *c = *state;
	struct drg_dict d;
	put(c, mapped(7, DRG_KIND_CITY, "1", 5));
	assert_false(drg_catalog_dict(c, DRG_KIND_CITY, 5, &d));
	put(c, dict(DRG_KIND_CITY, 5, "{\"en\":\"A\"}"));
	assert_true(drg_catalog_dict(c, DRG_KIND_CITY, 5, &d));
	drg_handle h = d.handle;
	put(c, gone(dict(DRG_KIND_CITY, 5, "")));
	assert_false(drg_catalog_dict_at(c, h, &d));
	put(c, dict(DRG_KIND_CITY, 5, "{\"en\":\"B\"}"));
	assert_true(drg_catalog_dict_at(c, h, &d));
	assert_int_equal(d.id, 5);
	assert_false(drg_catalog_dict_at(c, DRG_NO_HANDLE, &d));
	assert_false(drg_catalog_dict(c, DRG_KIND_COUNTRY, 5, &d));

	const drg_handle *all;
	assert_int_equal(drg_catalog_kind_handles(c, DRG_KIND_CITY, &all), 1);
	assert_int_equal(all[0], h);
}

static void a_hotel_is_once_in_each_country_it_was_in(void **state)
{
	struct drg_catalog *c = *state;
	struct drg_dict turkey, egypt;
	const drg_handle *h;
	put(c, dict(DRG_KIND_COUNTRY, 1, "{\"en\":\"Turkey\"}"));
	put(c, dict(DRG_KIND_COUNTRY, 2, "{\"en\":\"Egypt\"}"));
	assert_true(drg_catalog_dict(c, DRG_KIND_COUNTRY, 1, &turkey));
	assert_true(drg_catalog_dict(c, DRG_KIND_COUNTRY, 2, &egypt));
	assert_int_equal(drg_catalog_country_hotels(c, turkey.handle, &h), 0);
	for (int i = 0; i < 3; i++) {
		put(c, dict_hotel(55, "{\"en\":\"A\"}", 1, 1, 1));
		put(c, dict_hotel(55, "{\"en\":\"B\"}", 1, 1, 1));
		put(c, dict_hotel(55, "{\"en\":\"B\"}", 2, 1, 1));
		put(c, gone(dict_hotel(55, "", 0, 0, 0)));
	}
	put(c, dict_hotel(56, "{\"en\":\"C\"}", 1, 1, 1));
	assert_int_equal(drg_catalog_country_hotels(c, turkey.handle, &h), 2);
	assert_int_equal(drg_catalog_country_hotels(c, egypt.handle, &h), 1);
	assert_int_equal(drg_catalog_country_hotels(c, DRG_NO_HANDLE, &h), 0);
}

/* ---- sources --------------------------------------------------------------------------------------------- */

static void sources_are_written_by_kind(void **state)
{
	struct drg_catalog *c = *state;
	struct drg_buf b;
	drg_buf_init(&b, 1 << 20);
	struct drg_record r = source(7, DRG_KIND_HOTEL, "1001", "BLUE \"BAY\" 5*");
	drg_record_set_s(&r, DRG_F_SRC_CATEGORY_ID, DRG_STR("5"));
	drg_record_set_s(&r, DRG_F_CATEGORY_NAME, DRG_STR("HV-1/5*"));
	drg_record_set_s(&r, DRG_F_COUNTRY_NAME, DRG_STR("TUR\\KEY"));
	drg_record_set_s(&r, DRG_F_SRC_CITY_ID, DRG_STR("50\"1"));
	put(c, r);
	put(c, source(7, DRG_KIND_HOTEL, "a\"b", "ODD"));
	put(c, source(7, DRG_KIND_CITY, "501", "ANTALYA"));
	r = source(7, DRG_KIND_CURRENCY, "978", "EURO");
	drg_record_set_s(&r, DRG_F_ISO_CODE, DRG_STR("EUR"));
	put(c, r);
	put(c, source(7, DRG_KIND_CURRENCY, "x", "?"));

	static const struct {
		enum drg_kind kind;
		const char *id, *json;
	} cases[] = {
		{ DRG_KIND_HOTEL, "1001",
		  "{\"id\":\"1001\",\"name\":\"BLUE \\\"BAY\\\" "
		  "5*\",\"category_id\":\"5\",\"category_title\":\"HV-1/5*\","
		  "\"country_id\":null,\"country_title\":\"TUR\\\\KEY\",\"city_id\":\"50\\\"1\",\"city_"
		  "title\":null}" },
		{ DRG_KIND_HOTEL, "a\"b",
		  "{\"id\":\"a\\\"b\",\"name\":\"ODD\",\"category_id\":null,\"category_title\":null,"
		  "\"country_id\":null,\"country_title\":null,\"city_id\":null,\"city_title\":null}" },
		{ DRG_KIND_CITY, "501", "{\"id\":\"501\",\"name\":\"ANTALYA\"}" },
		{ DRG_KIND_CURRENCY, "978", "{\"id\":\"978\",\"name\":\"EURO\",\"iso_code\":\"EUR\"}" },
		{ DRG_KIND_CURRENCY, "x", "{\"id\":\"x\",\"name\":\"?\",\"iso_code\":null}" },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++)
		assert_text(source_json(c, 7, cases[i].kind, cases[i].id, &b), cases[i].json);
	drg_buf_done(&b);
}

static void a_source_has_its_fields(void **state)
{
	struct drg_catalog *c = *state;
	struct drg_source s;
	struct drg_record r = mapped(7, DRG_KIND_CITY, "50\"2", -44);
	drg_record_set_i(&r, DRG_F_IS_RESORT, 1);
	drg_record_set_s(&r, DRG_F_NAME, DRG_STR("BE\"LEK"));
	put(c, r);
	r = source(7, DRG_KIND_CURRENCY, "978", "EURO");
	drg_record_set_s(&r, DRG_F_ISO_CODE, DRG_STR("E\"R"));
	put(c, r);
	const struct drg_adapter *a = drg_catalog_adapter(c, 7);
	assert_true(drg_catalog_source(c, a, DRG_KIND_CITY, DRG_STR("50\"2"), &s));
	assert_str(s.id, "50\"2");
	assert_str(s.name_esc, "BE\\\"LEK");
	assert_true(s.is_resort);
	assert_int_not_equal(s.dict, DRG_NO_HANDLE);
	assert_int_equal(s.adapter_index, a->index);
	assert_null(s.iso_code_esc.p);
	assert_true(drg_catalog_source(c, a, DRG_KIND_CURRENCY, DRG_STR("978"), &s));
	assert_str(s.iso_code_esc, "E\\\"R");
	assert_int_equal(s.dict, DRG_NO_HANDLE);
}

static void adapter_kind_and_id_are_the_key(void **state)
{
	struct drg_catalog *c = *state;
	struct drg_source s;
	put(c, source(7, DRG_KIND_CITY, "1", "A"));
	const struct drg_adapter *seven = drg_catalog_adapter(c, 7), *nine = drg_catalog_adapter(c, 9);
	assert_true(drg_catalog_source(c, seven, DRG_KIND_CITY, DRG_STR("1"), &s));
	assert_false(drg_catalog_source(c, nine, DRG_KIND_CITY, DRG_STR("1"), &s));
	assert_false(drg_catalog_source(c, seven, DRG_KIND_HOTEL, DRG_STR("1"), &s));
	assert_false(drg_catalog_source(c, seven, DRG_KIND_CITY, DRG_STR("01"), &s));
	assert_false(drg_catalog_source(c, seven, DRG_KIND_CITY, DRG_STR(""), &s));
}

static void mappings_are_chained_and_moved(void **state)
{
	struct drg_catalog *c = *state;
	char buf[64];
	put(c, mapped(7, DRG_KIND_HOTEL, "a", 1));
	put(c, mapped(7, DRG_KIND_HOTEL, "b", 1));
	put(c, mapped(7, DRG_KIND_HOTEL, "c", 1));
	put(c, mapped(9, DRG_KIND_HOTEL, "a", 1));
	put(c, dict_hotel(1, "{\"en\":\"One\"}", 1, 1, 1));
	put(c, dict_hotel(2, "{\"en\":\"Two\"}", 1, 1, 1));
	assert_string_equal(linked(c, 7, DRG_KIND_HOTEL, 1, buf), "abc");
	assert_string_equal(linked(c, 9, DRG_KIND_HOTEL, 1, buf), "a");
	static const char *const order[] = { "b", "c", "a" };
	for (size_t i = 0; i < 3; i++)
		put(c, mapped(7, DRG_KIND_HOTEL, order[i], 2));
	assert_string_equal(linked(c, 7, DRG_KIND_HOTEL, 1, buf), "");
	assert_string_equal(linked(c, 7, DRG_KIND_HOTEL, 2, buf), "abc");
	put(c, source(7, DRG_KIND_HOTEL, "c", "UNMAPPED"));
	put(c, gone(source(7, DRG_KIND_HOTEL, "a", "")));
	assert_string_equal(linked(c, 7, DRG_KIND_HOTEL, 2, buf), "b");
	assert_string_equal(linked(c, 9, DRG_KIND_HOTEL, 1, buf), "a");
}

/* A reader that stands on a record when it is replaced still gets to the end of the chain. */
static void a_replaced_record_leads_on(void **state)
{
	struct drg_catalog *c = *state;
	struct drg_source s;
	struct drg_dict d;
	put(c, dict(DRG_KIND_MEAL, 1, "{\"en\":\"AI\"}"));
	put(c, mapped(7, DRG_KIND_MEAL, "a", 1));
	put(c, mapped(7, DRG_KIND_MEAL, "b", 1));
	assert_true(drg_catalog_dict(c, DRG_KIND_MEAL, 1, &d));
	assert_true(drg_catalog_first_source(c, drg_catalog_adapter(c, 7), DRG_KIND_MEAL, d.handle, &s));
	assert_str(s.id, "b");
	put(c, gone(mapped(7, DRG_KIND_MEAL, "b", 1)));
	assert_true(drg_catalog_next_source(c, &s, &s));
	assert_str(s.id, "a");
	assert_false(drg_catalog_next_source(c, &s, &s));
}

/* ---- versions and figures -------------------------------------------------------------------------------- */

static void publication_shows_seq_and_epoch(void **state)
{
	struct drg_catalog *c = *state;
	assert_int_equal(drg_catalog_seq(c), 1);
	assert_string_equal(drg_catalog_epoch(c), "epoch");
	assert_int_equal(drg_catalog_publish(c, 5, "other", NULL), DRG_OK);
	assert_int_equal(drg_catalog_seq(c), 5);
	assert_string_equal(drg_catalog_epoch(c), "other");
	struct drg_catalog *fresh = new_catalog(0);
	assert_int_equal(drg_catalog_seq(fresh), 0);
	assert_string_equal(drg_catalog_epoch(fresh), "");
	drg_catalog_free(fresh);
	drg_catalog_free(NULL);
}

static void only_what_lists_show_changes_their_version(void **state)
{
	struct drg_catalog *c = *state;
	const struct drg_record city = dict(DRG_KIND_CITY, 1, "{\"en\":\"A\"}");
	const struct {
		const char *what;
		struct drg_record r;
		bool changes;
	} cases[] = {
		{ "dict", city, true },
		{ "same dict", city, false },
		{ "other name", dict(DRG_KIND_CITY, 1, "{\"en\":\"B\"}"), true },
		{ "dict removed", gone(city), true },
		{ "nothing removed", gone(city), false },
		{ "kind in no list", dict(DRG_KIND_HOTEL_TYPE, 1, "{\"en\":\"A\"}"), false },
		{ "adapter", adapter(10, "x"), true },
		{ "direction", direction(7, 1, 1), true },
		{ "key", key(1, "aa"), false },
		{ "source", source(7, DRG_KIND_HOTEL, "1", "A"), false },
		{ "hotel mapped", mapped(7, DRG_KIND_HOTEL, "1", 1), true },
		{ "second to the same", mapped(7, DRG_KIND_HOTEL, "2", 1), false },
		{ "one of two removed", gone(mapped(7, DRG_KIND_HOTEL, "1", 1)), false },
		{ "mapped elsewhere", mapped(7, DRG_KIND_HOTEL, "2", 2), true },
		{ "unmapped", source(7, DRG_KIND_HOTEL, "2", "A"), true },
		{ "city mapped", mapped(7, DRG_KIND_CITY, "1", 1), false },
	};
	publish(c, 2);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		uint64_t before = drg_catalog_list_version(c);
		put(c, cases[i].r);
		assert_int_equal(drg_catalog_list_version(c), before);
		publish(c, 3 + (int64_t)i);
		if ((drg_catalog_list_version(c) > before) != cases[i].changes)
			fail_msg("%s", cases[i].what);
	}
}

static void figures_count_live_and_dead(void **state)
{
	struct drg_catalog *c = *state;
	struct drg_catalog_stats s0, s;
	put(c, source(7, DRG_KIND_HOTEL, "1", "A NAME"));
	put(c, dict(DRG_KIND_CITY, 1, "{\"en\":\"A\"}"));
	drg_catalog_stats(c, &s0);
	assert_int_equal(s0.sources, 1);
	assert_int_equal(s0.dicts, 1);
	assert_int_equal(s0.heap_dead, 0);
	assert_true(s0.table_bytes >= 4 * 4096);
	put(c, source(7, DRG_KIND_HOTEL, "1", "A NAME"));
	drg_catalog_stats(c, &s);
	assert_int_equal(s.heap_used, s0.heap_used);
	put(c, source(7, DRG_KIND_HOTEL, "1", "OTHER"));
	put(c, gone(source(7, DRG_KIND_HOTEL, "1", "")));
	put(c, gone(dict(DRG_KIND_CITY, 1, "")));
	drg_catalog_stats(c, &s);
	assert_int_equal(s.sources, 0);
	assert_int_equal(s.dicts, 0);
	assert_true(s.heap_dead >= 3 * 40 && s.heap_dead <= s.heap_used);
}

static void other_types_are_ignored(void **state)
{
	struct drg_catalog *c = *state;
	struct drg_record r;
	drg_record_init(&r, &drg_types[DRG_TYPE_HOTEL_CONTENT]);
	put(c, r);
}

GROUP(catalog)
{
	static const struct CMUnitTest tests[] = {
		TEST(adapters_are_sorted_and_found),
		TEST(an_adapter_keeps_its_index_when_it_returns),
		TEST(directions_are_sorted),
		TEST(keys_are_found_by_hash),
		TEST(revoked_and_rotated_keys_are_gone),
		TEST(keys_come_back),
		TEST(bad_keys_are_refused),
		TEST(dict_records_are_written_by_kind),
		TEST(the_name_falls_back_to_any),
		TEST(every_name_is_given),
		TEST(a_handle_outlives_its_record),
		TEST(a_hotel_is_once_in_each_country_it_was_in),
		TEST(sources_are_written_by_kind),
		TEST(a_source_has_its_fields),
		TEST(adapter_kind_and_id_are_the_key),
		TEST(mappings_are_chained_and_moved),
		TEST(a_replaced_record_leads_on),
		TEST(publication_shows_seq_and_epoch),
		TEST(only_what_lists_show_changes_their_version),
		TEST(figures_count_live_and_dead),
		TEST(other_types_are_ignored),
	};
	return cmocka_run_group_tests_name("catalog", tests, NULL, NULL);
}
