/* Counts of what is used: however much is asked for, memory and store have a bound. */
#include "../writing.h"

#include <stdatomic.h>

#include "base/clock.h"
#include "base/log.h"
#include "server/uses.h"

enum { MOST = 16 * 1536, MANY = 3 * MOST, DAY = 86400 };
static _Atomic int64_t ahead_ns;

static struct drg_uses *start(struct writing *w)
{
	struct drg_uses *u;
	const struct drg_uses_options o = { .writer = w->writer, .flush_ms = 1000000000 };
	MUST(w, drg_uses_start(&o, &u, &w->err));
	return u;
}

static void ask_for(struct drg_uses *u, int n)
{
	char text[32];
	const uint32_t first = 0;
	snprintf(text, sizeof text, "id-%d", n);
	const struct drg_str id = drg_str_c(text);
	drg_uses_records(u, 7, DRG_KIND_HOTEL, &id, &first, 1);
}

static int count_use(void *ctx, const struct drg_use *u)
{
	(void)u;
	++*(int *)ctx;
	return DRG_OK;
}

static int stored_of(struct writing *w, enum drg_use_sort sort)
{
	int n = 0;
	MUST(w, drg_store_uses(w->other, sort, 0, count_use, &n, &w->err));
	return n;
}

static int stored(struct writing *w)
{
	return stored_of(w, DRG_USE_RECORD);
}

static void records_have_a_bound_between_two_stores_and_are_forgotten(void **state)
{
	(void)state;
	struct writing w;
	drg_log_set_level(DRG_LOG_ERROR);
	drg_clock_set_ahead(&ahead_ns);
	writing_begin(&w, (struct drg_writer_options){ 0 }, true);
	struct drg_uses *u = start(&w);
	for (int i = 0; i < MANY; i++)
		ask_for(u, i);
	drg_uses_stop(u);
	int first = stored(&w);
	assert_in_range(first, MOST / 2, MOST);
	ahead_ns += INT64_C(399) * DAY * 1000000000;
	u = start(&w);
	ask_for(u, -1);
	drg_uses_stop(u);
	assert_int_equal(stored(&w), first + 1);
	ahead_ns += INT64_C(3) * DAY * 1000000000;
	u = start(&w);
	ask_for(u, -1);
	drg_uses_stop(u);
	assert_int_equal(stored(&w), 1);
	writing_end(&w);
	drg_clock_set_ahead(NULL);
}

/* 2,000 are stored at once: the second store has both in its first transaction, the first one in its second. */
static void kinds_and_records_share_transactions(void **state)
{
	(void)state;
	static const int kinds[] = { 2500, 1990 };
	drg_log_set_level(DRG_LOG_ERROR);
	for (size_t k = 0; k < DRG_ARRAY_LEN(kinds); k++) {
		struct writing w;
		writing_begin(&w, (struct drg_writer_options){ 0 }, true);
		struct drg_uses *u = start(&w);
		drg_uses_key(u, 5);
		for (int i = 0; i < kinds[k]; i++)
			drg_uses_kind(u, i + 1, DRG_KIND_HOTEL, 3, 2);
		for (int i = 0; i < 50; i++)
			ask_for(u, i);
		drg_uses_stop(u);
		assert_int_equal(stored_of(&w, DRG_USE_KEY), 1);
		assert_int_equal(stored_of(&w, DRG_USE_KIND), kinds[k]);
		assert_int_equal(stored(&w), 50);
		writing_end(&w);
	}
}

GROUP(uses)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_have_a_bound_between_two_stores_and_are_forgotten),
		cmocka_unit_test(kinds_and_records_share_transactions),
	};
	return cmocka_run_group_tests_name("server/uses", tests, NULL, NULL);
}
