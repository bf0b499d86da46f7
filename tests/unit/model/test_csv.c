#include "texts.h"

#include "model/csv.h"
#include "model/ndjson.h"

enum { PAIRS_MAX = 8 };

/* What one row under one header means, as the NDJSON line without its newline; or the error's field and
 * reason. */
static const struct {
	const char *name, *target, *header, *row, *line;
	int64_t adapter;
	const char *lang;
	char separator;
	const char *map[PAIRS_MAX];
} rows[] = {
	{ "the fields' own names", "source:hotel", "adapter_id,id,name,dict_id,lat",
	  "7,1001,Blue Bay,55,36.85",
	  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"hotel\",\"id\":\"1001\",\"name\":\"Blue "
	  "Bay\",\"dict_id\":55,\"lat\":36.85}",
	  .map = { NULL } },
	{ "mapped names", "source:hotel", "HotelCode,HotelName,Stars", "007,\"Bay, Blue\",5",
	  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"hotel\",\"id\":\"007\",\"name\":\"Bay, "
	  "Blue\",\"category_name\":\"5\"}",
	  .adapter = 7, .map = { "id=HotelCode", "name=HotelName", "category_name=Stars" } },
	{ "the map goes before a column's name", "source:meal", "id,name,code", "1,A,X",
	  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":\"X\",\"name\":\"A\"}",
	  .adapter = 7, .map = { "id=code" } },
	{ "--adapter goes before a column", "source:meal", "adapter_id,id,name", "8,1,A",
	  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":\"1\",\"name\":\"A\"}",
	  .adapter = 7 },
	{ "unknown columns are ignored", "source:meal", "id,nothing,name", "1,2,A",
	  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":\"1\",\"name\":\"A\"}",
	  .adapter = 7 },
	{ "empty cells are absent", "source:hotel", "id,name,dict_id,address,lat", "1,A,, ,",
	  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"hotel\",\"id\":\"1\",\"name\":\"A\"}",
	  .adapter = 7 },
	{ "null clears a mapping", "source:meal", "id,name,dict_id", "1,A,null",
	  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":\"1\",\"name\":\"A\",\"dict_id\":"
	  "null}",
	  .adapter = 7 },
	{ "names by language", "dict:city", "id,name,name.uk,country_id,is_resort", "-44,Belek,Белек,1,yes",
	  "{\"type\":\"dict\",\"kind\":\"city\",\"id\":-44,\"name\":{\"en\":\"Belek\",\"uk\":\"Белек\"},"
	  "\"country_id\":1,\"is_resort\":true}",
	  .adapter = 0 },
	{ "only one language has a name", "dict:city", "id,name.en,name.uk,country_id", "1,,Белек,2",
	  "{\"type\":\"dict\",\"kind\":\"city\",\"id\":1,\"name\":{\"uk\":\"Белек\"},\"country_id\":2}",
	  .adapter = 0 },
	{ "plain names in another language", "dict:meal", "id,name", "1,Все",
	  "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":{\"uk\":\"Все\"}}", .lang = "UK" },
	{ "a mapped language", "dict:meal", "No,Titel", "1,Alles",
	  "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":{\"de\":\"Alles\"}}",
	  .map = { "id=No", "name.de=Titel" } },
	{ "language of a source", "source:meal", "id,name", "1,A",
	  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":\"1\",\"name\":\"A\",\"lang\":"
	  "\"de\"}",
	  .adapter = 7, .lang = "de" },
	{ "its own column goes before", "source:meal", "id,name,lang", "1,A,fr",
	  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":\"1\",\"name\":\"A\",\"lang\":"
	  "\"fr\"}",
	  .adapter = 7, .lang = "de" },
	{ "numbers are text by nature", "dict:city", "id, name ,country_id,lat", " 007,A,-1, 36.50 ",
	  "{\"type\":\"dict\",\"kind\":\"city\",\"id\":7,\"name\":\"A\",\"country_id\":-1,\"lat\":36.5}",
	  .adapter = 0 },
	{ "semicolons", "direction", "adapter_id;dep_city_id;country_id", "7;10;1",
	  "{\"type\":\"direction\",\"adapter_id\":7,\"dep_city_id\":10,\"country_id\":1}", .separator = ';' },
	{ "quotes and newlines", "source:hotel", "id,name,address", "1,\"A \"\"B\"\"\",\"x\ny\"",
	  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"hotel\",\"id\":\"1\",\"name\":\"A "
	  "\\\"B\\\"\",\"address\":\"x\\ny\"}",
	  .adapter = 7 },
	{ "raw data", "air_source", "adapter_id,source_id,data", "1,2,\"{\"\"lat\"\": 49.0128}\"",
	  "{\"type\":\"air_source\",\"adapter_id\":1,\"source_id\":2,\"data\":{\"lat\": 49.0128}}",
	  .adapter = 0 },
	{ "no number", "dict:city", "id,name,country_id", "x,A,1", "id: wrong_type", .adapter = 0 },
	{ "decimal comma", "dict:city", "id;name;country_id;lat", "1;A;1;36,5", "lat: wrong_type",
	  .separator = ';' },
	{ "no truth", "dict:city", "id,name,country_id,is_resort", "1,A,1,maybe", "is_resort: wrong_type",
	  .adapter = 0 },
	{ "no object", "air_source", "adapter_id,source_id,data", "1,2,{", "data: wrong_type", .adapter = 0 },
	{ "out of range", "dict:city", "id,name,country_id,lat", "1,A,1,91", "lat: out_of_range",
	  .adapter = 0 },
	{ "missing", "dict:city", "id,name,country_id", "1,,1", "name: missing_field", .adapter = 0 },
	{ "too few cells", "dict:meal", "id,name", "1", ": wrong_columns", .adapter = 0 },
	{ "too many cells", "dict:meal", "id,name", "1,A,", ": wrong_columns", .adapter = 0 },
	{ "open quotes", "dict:meal", "id,name", "1,\"A", ": invalid_csv", .adapter = 0 },
	{ "bad UTF-8", "dict:meal", "id,name", "1,\xff", ": invalid_utf8", .adapter = 0 },
};

static int open_csv(struct fixture *f, size_t i, struct drg_csv **ret)
{
	struct drg_csv_options opt = { rows[i].target, rows[i].adapter, rows[i].map, rows[i].lang,
		                       rows[i].separator };
	return drg_csv_open(&opt, drg_str_c(rows[i].header), ret, &f->err);
}

static void rows_mean_lines(void **state)
{
	struct fixture *f = *state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct drg_csv *c;
		struct drg_record r;
		if (open_csv(f, i, &c) != DRG_OK)
			fail_msg("%s: %s", rows[i].name, f->err.message);
		drg_buf_clear(&f->out);
		if (drg_csv_read(c, drg_str_c(rows[i].row), &f->arena, &r, &f->err) == DRG_OK) {
			drg_ndjson_write(&r, &f->out);
			f->out.p[f->out.n - 1] = '\0';
		} else {
			drg_buf_printf(&f->out, "%s: %s", f->err.field, f->err.reason);
			drg_buf_char(&f->out, '\0');
		}
		if (strcmp(f->out.p, rows[i].line) != 0)
			fail_msg("%s: %s (%s)", rows[i].name, f->out.p, f->err.message);
		drg_csv_close(c);
	}
}

static const struct {
	const char *target, *header, *lang, *map, *reason, *message;
} refused[] = {
	{ "hotel", "id", NULL, NULL, "unknown_type", "found hotel" },
	{ "api_key", "id", NULL, NULL, "unknown_type", "found api_key" },
	{ "source", "id", NULL, NULL, "unknown_kind", "such as source:hotel" },
	{ "source:hotel_type", "id", NULL, NULL, "unknown_kind", "found source:hotel_type" },
	{ "direction:city", "id", NULL, NULL, "unknown_kind", "without a kind" },
	{ "dict:meal", "id,name", "e n", NULL, "invalid_format", "found e n" },
	{ "dict:meal", "id,name", NULL, "name", "invalid_format", "found name" },
	{ "dict:meal", "id,name", NULL, "nmae=name", "unknown_field",
	  "fields kind, id, name, description, found nmae" },
	{ "dict:meal", "id,name", NULL, "id.uk=name", "unknown_field", "found id.uk" },
	{ "dict:meal", "id,name", NULL, "kind=name", "unknown_field", "found kind" },
	{ "dict:meal", "id,name", NULL, "name=Name", "unknown_column", "found Name (columns: id, name)" },
	{ "dict:meal", "id,name,name", NULL, NULL, "duplicate_column", "columns: id, name, name" },
	{ "dict:meal", "id,name,name.en", NULL, NULL, "duplicate_column", "columns: id, name, name.en" },
	{ "dict:meal", "id", NULL, NULL, "missing_column",
	  "a column for the field name, found none (columns: id" },
	{ "source:meal", "id,name", NULL, NULL, "missing_column",
	  "field adapter_id, found none (columns: id, name" },
	{ "dict:meal", "\"id,name", NULL, NULL, "invalid_csv", "closing quote" },
	{ "dict:meal", "id,\xff", NULL, NULL, "invalid_utf8", "UTF-8" },
};

static void headers_that_cannot_work_are_refused(void **state)
{
	struct fixture *f = *state;
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		const char *map[] = { refused[i].map, NULL };
		struct drg_csv_options opt = { .target = refused[i].target,
			                       .lang = refused[i].lang,
			                       .map = map };
		struct drg_csv *c = NULL;
		assert_int_equal(drg_csv_open(&opt, drg_str_c(refused[i].header), &c, &f->err), DRG_EINVAL);
		assert_null(c);
		assert_string_equal(f->err.reason, refused[i].reason);
		if (strstr(f->err.message, refused[i].message) == NULL)
			fail_msg("%s: %s", refused[i].header, f->err.message);
	}
	drg_csv_close(NULL);
}

GROUP(csv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(rows_mean_lines, set_up, tear_down),
		cmocka_unit_test_setup_teardown(headers_that_cannot_work_are_refused, set_up, tear_down),
	};
	return cmocka_run_group_tests_name("model/csv", tests, NULL, NULL);
}
