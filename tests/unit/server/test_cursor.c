/* Cursors of the change feed (decision F5). */
#include "../unit.h"

#include <stdio.h>

#include "server/changes/cursor.h"

static const struct drg_cursor cursors[] = {
	{ 0, 0, 0, { 0, DRG_FEED_END, 0 } },
	{ UINT64_MAX, INT64_MAX, INT64_MAX, { INT64_MAX, DRG_TYPE_SOURCE, INT64_MAX } },
	{ 42, 7, 10, { 9, DRG_TYPE_DICT, 12345 } },
	{ 42, 7, 7, { 7, DRG_TYPE_REDIRECT, 1 } },
};
enum { CURSORS = sizeof cursors / sizeof cursors[0] };

static bool same(const struct drg_cursor *a, const struct drg_cursor *b)
{
	return a->history == b->history && a->base == b->base && a->seen == b->seen &&
	       a->place.seq == b->place.seq && a->place.type == b->place.type && a->place.row == b->place.row;
}

static void what_is_written_is_read(void **state)
{
	(void)state;
	for (unsigned i = 0; i < CURSORS; i++) {
		char text[DRG_CURSOR_TEXT];
		struct drg_cursor back;
		size_t n = drg_cursor_write(&cursors[i], text);
		assert_int_equal(n, strlen(text));
		assert_true(n <= 64);
		assert_int_equal(
		        strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"), n);
		assert_int_equal(drg_cursor_read(drg_str(text, n), &back, NULL), DRG_OK);
		assert_true(same(&cursors[i], &back));
	}
}

static void any_letter_changed_or_cut_is_found(void **state)
{
	(void)state;
	char good[DRG_CURSOR_TEXT], bad[DRG_CURSOR_TEXT];
	size_t n = drg_cursor_write(&cursors[2], good);
	for (size_t i = 0; i < n; i++) {
		struct drg_cursor back = cursors[0];
		struct drg_err err = { 0 };
		memcpy(bad, good, sizeof bad);
		bad[i] = good[i] == 'A' ? 'B' : 'A';
		assert_int_equal(drg_cursor_read(drg_str(bad, n), &back, &err), DRG_EINVAL);
		assert_string_equal(err.field, "since");
		assert_string_equal(err.reason, "invalid_cursor");
		assert_int_equal(drg_cursor_read(drg_str(good, i), &back, &err), DRG_EINVAL);
		assert_true(same(&back, &cursors[0]));
	}
}

static void a_place_that_cannot_be_is_no_cursor(void **state)
{
	(void)state;
	const struct drg_cursor bad[] = {
		{ 1, -1, 1, { 1, DRG_FEED_END, 0 } },  { 1, 2, 2, { 1, DRG_FEED_END, 0 } },
		{ 1, 1, 1, { 2, DRG_FEED_END, 0 } },   { 1, 1, 1, { 1, DRG_TYPE_COUNT, 0 } },
		{ 1, 1, 1, { 1, DRG_TYPE_DICT, -1 } },
	};
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		char text[DRG_CURSOR_TEXT];
		struct drg_cursor back;
		size_t n = drg_cursor_write(&bad[i], text);
		assert_int_equal(drg_cursor_read(drg_str(text, n), &back, NULL), DRG_EINVAL);
	}
}

static void histories_differ_and_stay(void **state)
{
	(void)state;
	assert_int_equal(drg_history_of("0123456789abcdef", 5), drg_history_of("0123456789abcdef", 5));
	assert_int_not_equal(drg_history_of("0123456789abcdef", 5), drg_history_of("0123456789abcdee", 5));
	assert_int_not_equal(drg_history_of("0123456789abcdef", 5), drg_history_of("0123456789abcdef", 6));
	const struct drg_clock clock = { .seq = 5, .epoch = "e", .branch = 17 };
	const struct drg_cursor at = drg_cursor_at(&clock),
	                        want = { drg_history_of("e", 17), 5, 5, { 5, DRG_FEED_END, 0 } };
	assert_true(same(&at, &want));
}

GROUP(cursor)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(any_letter_changed_or_cut_is_found),
		cmocka_unit_test(a_place_that_cannot_be_is_no_cursor),
		cmocka_unit_test(histories_differ_and_stay),
	};
	return cmocka_run_group_tests_name("server/cursor", tests, NULL, NULL);
}
