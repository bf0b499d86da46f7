#include "../unit.h"

#include <math.h>

#include "model/report.h"

struct row {
	int64_t number, tenths, at, day;
	double share;
	bool flag;
	struct drg_str text;
	const char *word;
	enum drg_kind kind;
	struct drg_report_supplier supplier;
	struct drg_report_suppliers suppliers;
	const struct drg_record *record;
};

#define FIELD(...) DRG_REPORT_STORED_COLUMN(struct row, __VA_ARGS__)
#define COLUMN(...) DRG_REPORT_COLUMN(struct row, __VA_ARGS__)
static const char *const words[] = { "first", "second", NULL };
static const struct drg_report report = {
	"Row",
	(const struct drg_report_column[]){ COLUMN(number, INT, 1, .none = "no number"),
	                                    COLUMN(tenths, TENTHS, 1, .flags = DRG_REPORT_COMMAND),
	                                    COLUMN(at, TIME, 1, .flags = DRG_REPORT_OPTIONAL),
	                                    COLUMN(day, DAY, 1, .none = "never"),
	                                    COLUMN(share, REAL, 1, .doc = "a share"),
	                                    COLUMN(flag, BOOL, 1, .doc = "a flag"),
	                                    COLUMN(text, TEXT, 1, .doc = "a text"),
	                                    COLUMN(word, WORD, 1, .doc = "a word"),
	                                    COLUMN(kind, KIND, 1, .doc = "a kind"),
	                                    COLUMN(supplier, SUPPLIER, 1, .doc = "a supplier"),
	                                    COLUMN(suppliers, SUPPLIERS, 1, .none = "all"),
	                                    FIELD("why", TEXT, DRG_F_WHY, 1, .doc = "a text"),
	                                    FIELD("created", INT, DRG_F_N_CREATED, 1, .doc = "a number"),
	                                    FIELD("what", WORD, DRG_F_WHAT, 1, .words = words),
	                                    { 0 } }
};

static const struct drg_report_supplier coral = { 7, { "coral", 5 }, { "Coral", 5 } };
static const struct drg_suppliers suppliers = { &coral, 1 };

static const struct row full = { .number = -7,
	                         .tenths = 987,
	                         .at = 1500000,
	                         .day = 1,
	                         .share = 0.5,
	                         .flag = true,
	                         .text = { "a \"b\"", 5 },
	                         .word = "good",
	                         .kind = DRG_KIND_HOTEL,
	                         .supplier = { 7, { "coral", 5 }, { "Coral", 5 } },
	                         .suppliers = { { "7, 9", 4 }, &suppliers } };
static const struct row empty = { .number = INT64_MIN,
	                          .tenths = INT64_MIN,
	                          .at = INT64_MIN,
	                          .day = INT64_MIN,
	                          .share = (double)NAN,
	                          .kind = DRG_KIND_NONE,
	                          .supplier = { .id = 8, .code = { "8", 1 } } };

static void assert_row(struct row row, bool stored, unsigned skip, const char *json, const char *cells)
{
	struct drg_record record;
	struct drg_buf b;
	drg_record_init(&record, &drg_types[DRG_TYPE_BATCH]);
	if (stored) {
		drg_record_set_s(&record, DRG_F_WHY, DRG_STR("because"));
		drg_record_set_i(&record, DRG_F_N_CREATED, 5);
		drg_record_set_i(&record, DRG_F_WHAT, 1);
	}
	row.record = &record;
	drg_buf_init(&b, SIZE_MAX);
	struct drg_jw w = { .b = &b };
	drg_report_json(&w, &report, &row, skip);
	drg_buf_char(&b, '\0');
	assert_string_equal(b.p, json);
	drg_buf_clear(&b);
	for (const struct drg_report_column *c = report.columns; c->name != NULL; c++) {
		const size_t before = b.n;
		const bool filled = drg_report_cell(&b, c, &row);
		assert_int_equal(filled, b.n > before);
		drg_buf_char(&b, '|');
	}
	drg_buf_char(&b, '\0');
	assert_string_equal(b.p, cells);
	drg_buf_done(&b);
}

static void each_type_has_its_form_in_json_and_in_a_cell(void **state)
{
	(void)state;
	assert_row(
	        full, true, 0,
	        "{\"number\":-7,\"tenths\":98.7,\"at\":\"1970-01-01T00:00:01.500Z\",\"day\":\"1970-01-02\","
	        "\"share\":0.5,\"flag\":true,\"text\":\"a \\\"b\\\"\",\"word\":\"good\",\"kind\":\"hotel\","
	        "\"adapter_id\":7,\"adapter\":\"Coral\",\"suppliers\":[7,9],\"why\":\"because\",\"created\":"
	        "5,\"what\":\"second\"}",
	        "-7|98.7|1970-01-01T00:00:01.500Z|1970-01-02|0.5000|yes|a "
	        "\"b\"|good|hotel|coral|coral,9|because|5|second|");
}

static void each_type_has_a_null(void **state)
{
	(void)state;
	assert_row(empty, false, DRG_REPORT_COMMAND | DRG_REPORT_OPTIONAL,
	           "{\"number\":null,\"day\":null,\"share\":null,\"flag\":false,\"text\":null,\"word\":null,"
	           "\"kind\":null,\"adapter_id\":8,\"adapter\":null,\"suppliers\":null,\"why\":null,"
	           "\"created\":null,\"what\":null}",
	           "no number|||never||no||||8|all||||");
}

GROUP(report)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_type_has_its_form_in_json_and_in_a_cell),
		cmocka_unit_test(each_type_has_a_null),
	};
	return cmocka_run_group_tests_name("model/report", tests, NULL, NULL);
}
