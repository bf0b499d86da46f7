/* The dict ids that a record refers to, asked for and changed. */
#include "../unit.h"

#include "model/ndjson.h"
#include "model/relink.h"

#define CONTENT(a, b, c)                                                                                     \
	"{\"type\":\"hotel_content\",\"adapter_id\":7,\"hotel_id\":\"1\",\"descriptions\":[{\"type_id\":" a  \
	",\"text\":\"é "                                                                                    \
	"\\\"x\\\"\"},{\"text\":{\"en\":\"y\",\"uk\":\"й\"}}],\"facilities\":[{\"group_id\":" b              \
	",\"items\":[{\"type_id\":" c ",\"value_type\":\"bool\",\"value\":\"1\"}]}]}"

struct asking {
	enum drg_kind kind;
	int64_t from, to;
	unsigned asked;
};

static int64_t change(void *ctx, enum drg_kind kind, int64_t id)
{
	struct asking *a = ctx;
	a->asked++;
	return kind == a->kind && id == a->from ? a->to : id;
}

static const struct {
	const char *name, *before;
	struct asking a; /* `asked`: how often it must be */
	const char *after; /* NULL: as before */
} cases[] = {
	{ "mapping",
	  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":\"1\",\"name\":\"x\",\"dict_id\":"
	  "1}",
	  { DRG_KIND_MEAL, 1, -2, 1 },
	  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":\"1\",\"name\":\"x\",\"dict_id\":-"
	  "2}" },
	{ "another kind",
	  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":\"1\",\"name\":\"x\",\"dict_id\":"
	  "1}",
	  { DRG_KIND_CITY, 1, 2, 1 },
	  NULL },
	{ "not mapped",
	  "{\"type\":\"source\",\"adapter_id\":1,\"kind\":\"meal\",\"id\":\"1\",\"name\":\"x\"}",
	  { DRG_KIND_MEAL, 1, 2, 0 },
	  NULL },
	{ "the dict side",
	  "{\"type\":\"dict\",\"kind\":\"city\",\"id\":1,\"name\":\"x\",\"country_id\":1}",
	  { DRG_KIND_COUNTRY, 1, 2, 1 },
	  "{\"type\":\"dict\",\"kind\":\"city\",\"id\":1,\"name\":\"x\",\"country_id\":2}" },
	{ "an identity",
	  "{\"type\":\"direction\",\"adapter_id\":1,\"dep_city_id\":1,\"country_id\":1}",
	  { DRG_KIND_DEP_CITY, 1, 2, 2 },
	  "{\"type\":\"direction\",\"adapter_id\":1,\"dep_city_id\":2,\"country_id\":1}" },
	{ "a redirect's target, not its own id",
	  "{\"type\":\"redirect\",\"kind\":\"city\",\"id\":1,\"to\":5}",
	  { DRG_KIND_CITY, 5, 6, 1 },
	  "{\"type\":\"redirect\",\"kind\":\"city\",\"id\":1,\"to\":6}" },
	{ "history",
	  "{\"type\":\"mapping_event\",\"adapter_id\":1,\"kind\":\"city\",\"id\":\"1\",\"at\":\"2026-01-"
	  "01T00:00:00.000Z\",\"from\":1,\"to\":2}",
	  { DRG_KIND_CITY, 1, 9, 0 },
	  NULL },
	{ "a deletion",
	  "{\"type\":\"direction\",\"adapter_id\":1,\"dep_city_id\":1,\"country_id\":1,\"deleted\":true}",
	  { DRG_KIND_COUNTRY, 1, 2, 0 },
	  NULL },
	{ "content, description",
	  CONTENT("4", "4", "4"),
	  { DRG_KIND_DESCRIPTION_TYPE, 4, 5, 3 },
	  CONTENT("5", "4", "4") },
	{ "content, group",
	  CONTENT("4", "4", "4"),
	  { DRG_KIND_FACILITY_GROUP, 4, 5, 3 },
	  CONTENT("4", "5", "4") },
	{ "content, item",
	  CONTENT("4", "4", "4"),
	  { DRG_KIND_FACILITY_TYPE, 4, 5, 3 },
	  CONTENT("4", "4", "5") },
	{ "content, null", CONTENT("null", "4", "4"), { DRG_KIND_DESCRIPTION_TYPE, 4, 5, 2 }, NULL },
};

static void ids_are_asked_for_and_changed(void **state)
{
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_arena arena;
		struct drg_record r, wanted;
		struct asking a = cases[i].a;
		const char *after = cases[i].after != NULL ? cases[i].after : cases[i].before;
		bool changed;
		print_message("%s\n", cases[i].name);
		a.asked = 0;
		drg_arena_init(&arena, 1 << 20);
		assert_int_equal(drg_ndjson_read(drg_str_c(cases[i].before), &arena, &r, NULL), DRG_OK);
		assert_int_equal(drg_ndjson_read(drg_str_c(after), &arena, &wanted, NULL), DRG_OK);
		assert_int_equal(drg_record_relink(&r, change, &a, &arena, &changed), DRG_OK);
		assert_int_equal(a.asked, cases[i].a.asked);
		assert_int_equal(changed, cases[i].after != NULL);
		/* To the byte: what is written anew is canonical too. */
		assert_true(drg_record_eq(&r, &wanted));
		drg_arena_done(&arena);
	}
}

GROUP(relink)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(ids_are_asked_for_and_changed) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
