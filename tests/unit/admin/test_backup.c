/* The head of a backup: what newer programs, and older ones, may have written. */
#include "../unit.h"

#include "admin/backup/head.h"

#define LINES(format, sqlite, postgres)                                                                      \
	"program 0.9.0 abc\nformat " format "\nschema-sqlite " sqlite "\nschema-postgresql " postgres        \
	"\nmade 2026-11-23T22:40:15.000Z\nepoch e\ncommit 7\nbranch -9\nmatched 5 3 11\n"

static int read_head(const char *text, struct drg_backup_head *ret, struct drg_err *err)
{
	return drg_backup_head_read("FILE", drg_str_c(text), ret, err);
}

static void what_is_written_is_read(void **state)
{
	(void)state;
	struct drg_backup_head h = { .made = "2026-11-23T22:40:15.000Z",
		                     .clock = { .seq = 7, .branch = -9, .epoch = "e" },
		                     .matched = { 5, DRG_FEED_END, 11 } },
	                       got;
	struct drg_buf text;
	drg_buf_init(&text, SIZE_MAX);
	drg_backup_head_write(&h, &text);
	assert_int_equal(drg_backup_head_read("FILE", drg_buf_view(&text), &got, NULL), DRG_OK);
	assert_int_equal(got.clock.seq, 7);
	assert_int_equal(got.clock.branch, -9);
	assert_string_equal(got.clock.epoch, "e");
	assert_string_equal(got.made, h.made);
	assert_int_equal(got.matched.seq, 5);
	assert_int_equal(got.matched.type, DRG_FEED_END);
	assert_int_equal(got.matched.row, 11);
	assert_int_equal(got.layout.n, DRG_TYPE_COUNT + DRG_SIDE_TABLES);
	for (unsigned i = 0; i < DRG_TYPE_COUNT; i++) {
		assert_ptr_equal(got.layout.sorts[i].type, &drg_types[i]);
		assert_int_equal(got.layout.sorts[i].n, drg_types[i].n_fields);
	}
	drg_buf_done(&text);
}

static void an_older_file_has_fewer_columns_in_another_order(void **state)
{
	(void)state;
	struct drg_backup_head h;
	assert_int_equal(
	        read_head(LINES("1", "1", "1") "beside branch id:i seq:i\nrecords dict name:s id:i\n", &h,
	                  NULL),
	        DRG_OK);
	assert_int_equal(h.layout.n, 2);
	assert_string_equal(h.layout.sorts[0].columns[0].side->name, "id");
	assert_int_equal(h.layout.sorts[1].columns[1].field->field, DRG_F_ID);
}

static void what_this_program_does_not_know_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int rc;
		const char *words;
	} cases[] = {
		{ LINES("2", "1", "1"), DRG_ELIMIT, "newer dragoman (0.9.0 abc" },
		{ LINES("1", "999", "1"), DRG_ELIMIT, "schema 999 and 1" },
		{ LINES("1", "1", "999"), DRG_ELIMIT, "restore it with that version" },
		{ LINES("1", "999", "1") "new-line 5\n", DRG_ELIMIT, "newer dragoman" },
		{ LINES("1", "1", "1") "new-line 5\n", DRG_ECORRUPT, "made by 0.9.0 abc" },
		{ LINES("1", "1", "1") "records none id:i\n", DRG_ECORRUPT, "does not know" },
		{ LINES("1", "1", "1") "records dict none:i\n", DRG_ECORRUPT, "does not know" },
		{ LINES("1", "1", "1") "records dict id:s\n", DRG_ECORRUPT, "does not know" },
		{ LINES("1", "1", "1") "records dict id\n", DRG_ECORRUPT, "does not know" },
		{ LINES("1", "x", "1"), DRG_ECORRUPT, "does not know" },
		{ "program 0.9.0 abc\nformat 1\n", DRG_ECORRUPT, "does not know" },
		{ "records dict id:i\n", DRG_ECORRUPT, "an unknown one" },
		{ "", DRG_ECORRUPT, "an unknown one" },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_backup_head h;
		struct drg_err err = { 0 };
		assert_int_equal(read_head(cases[i].text, &h, &err), cases[i].rc);
		if (strstr(err.message, cases[i].words) == NULL)
			fail_msg("%zu: %s", i, err.message);
	}
}

GROUP(backup)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(an_older_file_has_fewer_columns_in_another_order),
		cmocka_unit_test(what_this_program_does_not_know_is_refused),
	};
	return cmocka_run_group_tests_name("admin/backup", tests, NULL, NULL);
}
