/* Which place a supplier means. */
#include "../serving.h"

#include "api/air_places.h"

static const char more[] =
        "{\"type\":\"air_place\",\"source_id\":7,\"place\":\"apt\",\"code\":\"SPI\",\"name\":\"Springfield\","
        "\"country_code\":\"US\"}\n"
        "{\"type\":\"air_place\",\"source_id\":8,\"place\":\"apt\",\"code\":\"SGF\",\"name\":\"Springfield\","
        "\"country_code\":\"US\"}\n"
        "{\"type\":\"air_map\",\"adapter_id\":21,\"external_id\":\"77\",\"source_id\":5}\n";

static struct serving data;

static int set_up(void **state)
{
	(void)state;
	char path[256];
	const char *files[] = { fixture("mini.ndjson", path, sizeof path) };
	const struct drg_import_options o = { .files = files, .n_files = 1 };
	data = (struct serving){ .published = 0 };
	serving_begin(&data, "", (struct drg_follower_options){ 0 });
	if (importing_files(&data.store, o) != DRG_OK || drg_follower_run(data.follower, NULL) != DRG_OK)
		return -1;
	serving_change(&data, more);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	serving_end(&data);
	return 0;
}

static const struct {
	int64_t adapter;
	const char *external_id, *iata_code, *title;
	int64_t place; /* 0: none */
} cases[] = {
	{ 21, "301", "", "", 2 },           { 22, "301", "", "", 0 },
	{ 22, "KBP", "", "", 2 },           { 21, "77", "", "", 5 },
	{ 21, "77", "KBP", "London", 5 }, /* the id goes first, */
	{ 21, "?", "KBP", "London", 2 }, /* then the code, */
	{ 21, "?", "QQQ", "London", 4 }, /* then the title */
	{ 21, "", "iev", "", 3 }, /* an airport before the city */
	{ 21, "", "dus", "", 6 },           { 21, "", "", "DUSSELDORF", 6 },
	{ 21, "", "", "Лондон", 4 },        { 21, "", "", "Springfield", 0 }, /* there are two */
	{ 21, "", "", "London City", 0 },   { 21, "", "", "", 0 },
	{ 23, "301", "QQQ", "Nowhere", 0 },
};

static void a_place_is_found_by_id_then_code_then_title(void **state)
{
	(void)state;
	drg_read_lock();
	const struct drg_catalog *cat = drg_follower_catalog(data.follower);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		const struct drg_air_clue clue = { drg_str_c(cases[i].external_id),
			                           drg_str_c(cases[i].iata_code),
			                           { .title = drg_str_c(cases[i].title) } };
		const struct drg_adapter a = { .id = cases[i].adapter };
		struct drg_air_place place = { .id = 0 };
		bool found = drg_air_match(cat, &a, &clue, &place);
		if (found != (cases[i].place != 0) || (found && place.id != cases[i].place))
			fail_msg("case %zu: %d %d", i, found, (int)place.id);
	}
	drg_read_unlock();
}

static void an_adapter_for_tours_or_none_is_refused(void **state)
{
	(void)state;
	static const int64_t refused[] = { 7, 0, -1, 99, INT64_MAX };
	const struct drg_adapter *a = NULL;
	struct drg_err err;
	drg_read_lock();
	const struct drg_catalog *cat = drg_follower_catalog(data.follower);
	for (size_t i = 0; i < DRG_ARRAY_LEN(refused); i++) {
		assert_int_equal(drg_air_adapter(cat, refused[i], &a, &err), DRG_EINVAL);
		assert_null(a);
		assert_string_equal(err.reason, "unknown_adapter");
		assert_string_equal(err.field, "adapter_id");
	}
	assert_int_equal(drg_air_adapter(cat, 21, &a, &err), DRG_OK);
	assert_int_equal(a->id, 21);
	drg_read_unlock();
}

GROUP(air_places)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_place_is_found_by_id_then_code_then_title),
		cmocka_unit_test(an_adapter_for_tours_or_none_is_refused),
	};
	return cmocka_run_group_tests_name("api/air_places", tests, set_up, tear_down);
}
