/* The store's files under open handles, and whether a history is the one that it was. */
#include "place.h"

#include <sys/stat.h>

static bool has(struct place *p, int64_t id)
{
	struct drg_record r = adapter(id);
	return drg_store_exists(p->s, &r, NULL) == DRG_OK;
}

static struct drg_clock clock_of(struct place *p)
{
	struct drg_clock c;
	MUST(p, drg_store_clock(p->s, &c, &p->err));
	return c;
}

static void put_and_close(struct place *p, int64_t id)
{
	put_one(p, adapter(id));
	place_close(p);
}

/* A backup with adapter 1; a store with 1 and 2 in the file and 3 in its log, held open. */
static void make_backup_and_go_on(struct place *p)
{
	put_and_close(p, 1);
	in_folder(p, "cp t.db backup");
	place_reopen(p);
	put_and_close(p, 2);
	place_reopen(p);
	put_one(p, adapter(3));
	in_folder(
	        p,
	        "touch -d '1 hour ago' t.db"); /* a change within the same tick of its clock would not show */
	MUST(p, drg_store_in_place(p->s, &p->err));
}

/* What was done to the files; whether the store is there afterwards; whether it is the same inode. */
static const struct way {
	const char *command;
	bool there, in_place;
} ways[] = {
	{ "rm t.db", false, false },
	{ "rm t.db*", false, false },
	{ "mkdir away && mv t.db* away", false, false },
	{ "mv backup t.db", true, false },
	{ "cp backup new && mv new t.db && rm -f t.db-wal t.db-shm", true, false },
	{ "cp backup t.db", true, true }, /* in place, over the same inode; the log is left */
	{ "rm t.db-wal t.db-shm; cp backup t.db", true, true },
	{ "rm t.db*; cp backup t.db", true, false },
};

static void set_up_again(struct place *p)
{
	place_close(p);
	in_folder(p, "rm -rf t.db* backup away");
	MUST(p, drg_store_open(p->url, DRG_STORE_CREATE, &p->s, &p->err));
	make_backup_and_go_on(p);
}

static void a_handle_sees_that_its_files_are_not_those_of_the_path(void **state)
{
	struct place *p = *state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(ways); i++) {
		struct drg_txn *t;
		set_up_again(p);
		in_folder(p, ways[i].command);
		if (drg_store_in_place(p->s, &p->err) != DRG_ENOENT)
			fail_msg("not seen: %s", ways[i].command);
		assert_int_equal(drg_store_begin(p->s, &t, &p->err), DRG_ENOENT);
		place_close(p);
		int rc = drg_store_open(p->url, DRG_STORE_WRITE, &p->s, &p->err);
		assert_int_equal(rc, ways[i].there ? DRG_OK : DRG_ENOENT);
		if (ways[i].there && (!has(p, 1) || has(p, 2) || has(p, 3)))
			fail_msg("not the backup: %s", ways[i].command);
	}
}

static void a_reader_sees_it_too(void **state)
{
	struct place *p = *state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(ways); i++) {
		struct drg_store *reader;
		set_up_again(p);
		MUST(p, drg_store_open(p->url, DRG_STORE_READ, &reader, &p->err));
		in_folder(p, ways[i].command);
		assert_int_equal(drg_store_in_place(reader, &p->err), DRG_ENOENT);
		drg_store_close(reader);
		/* Overwritten in place: SQLite would give us the index of before as long as p->s is open. */
		if (ways[i].in_place)
			assert_int_equal(drg_store_open(p->url, DRG_STORE_READ, &reader, &p->err),
			                 DRG_ENOENT);
		place_close(p);
		int rc = drg_store_open(p->url, DRG_STORE_READ, &reader, &p->err);
		assert_int_equal(rc, ways[i].there ? DRG_OK : DRG_ENOENT);
		struct drg_clock c;
		if (ways[i].there) {
			MUST(p, drg_store_clock(reader, &c, &p->err));
			assert_int_equal(c.seq, 1);
			drg_store_close(reader);
		}
	}
}

static void a_commit_goes_to_the_file_that_the_path_names_or_nowhere(void **state)
{
	struct place *p = *state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(ways); i++) {
		struct drg_txn *t;
		enum drg_put_result result;
		struct drg_record four = adapter(4);
		set_up_again(p);
		MUST(p, drg_store_begin(p->s, &t, &p->err));
		MUST(p, drg_txn_put(t, &four, &result, &p->err));
		in_folder(p, ways[i].command);
		assert_int_equal(drg_txn_commit(t, NULL, &p->err), DRG_ENOENT);
		place_close(p);
		if (ways[i].there) {
			MUST(p, drg_store_open(p->url, DRG_STORE_READ, &p->s, &p->err));
			assert_false(has(p, 4));
		}
	}
}

/* Neither is anything wrong with a store that others use as they should. */
static void what_is_usual_is_not_suspected(void **state)
{
	struct place *p = *state;
	struct drg_store *reader, *other;
	MUST(p, drg_store_open(p->url, DRG_STORE_READ, &reader, &p->err));
	for (int i = 1; i <= 400; i++) {
		MUST(p, drg_store_open(p->url, DRG_STORE_WRITE, &other, &p->err));
		assert_string_equal(drg_store_remark(other), "");
		drg_store_close(other);
		struct drg_txn *t;
		enum drg_put_result result;
		MUST(p, drg_store_begin(p->s, &t, &p->err));
		for (int k = 0; k < 40; k++) {
			struct drg_record r = adapter(i * 40 + k);
			MUST(p, drg_txn_put(t, &r, &result, &p->err));
		}
		MUST(p, drg_txn_commit(t, NULL, &p->err));
		MUST(p, drg_store_in_place(reader, &p->err));
	}
	drg_store_close(reader);
	/* A folder that is copied as a whole after a crash: the log belongs to the file. */
	in_folder(p, "mkdir copy && cp t.db t.db-wal t.db.lock copy && rm t.db*");
	place_close(p);
	in_folder(p, "mv copy/* .");
	place_reopen(p);
	assert_string_equal(drg_store_remark(p->s), "");
	assert_true(has(p, 400 * 40));
}

static void a_log_of_another_file_is_put_aside_and_that_is_said(void **state)
{
	struct place *p = *state;
	make_backup_and_go_on(p);
	in_folder(p, "mv backup t.db");
	place_close(p);
	place_reopen(p);
	assert_non_null(strstr(drg_store_remark(p->s), "t.db-wal.orphan"));
	in_folder(p, "test -s t.db-wal.orphan");
}

/* ---- branches ------------------------------------------------------------------------------------------ */

static int64_t branch_at(struct place *p, int64_t seq)
{
	int64_t id;
	MUST(p, drg_store_branch_at(p->s, seq, &id, &p->err));
	return id;
}

static void whoever_opens_for_writing_begins_a_branch_with_its_first_change(void **state)
{
	struct place *p = *state;
	struct drg_branch b[8];
	unsigned n;
	assert_int_equal(clock_of(p).branch, 0);
	put_one(p, adapter(1));
	int64_t first = clock_of(p).branch;
	assert_int_not_equal(first, 0);
	put_one(p, adapter(2));
	assert_true(clock_of(p).branch == first);
	place_reopen(p);
	put_one(p, adapter(2)); /* no change */
	assert_true(clock_of(p).branch == first);
	put_one(p, adapter(3));
	int64_t second = clock_of(p).branch;
	assert_true(second != first && second != 0);
	assert_true(branch_at(p, 0) == 0 && branch_at(p, 1) == first && branch_at(p, 2) == first &&
	            branch_at(p, 3) == second && branch_at(p, 99) == second);
	MUST(p, drg_store_branches(p->s, 0, b, 8, &n, &p->err));
	assert_int_equal(n, 2);
	assert_true(b[0].seq == 3 && b[0].id == second && b[1].seq == 1 && b[1].id == first);
	MUST(p, drg_store_branches(p->s, 0, b, 1, &n, &p->err));
	assert_true(n == 1 && b[0].seq == 3);
	MUST(p, drg_store_branches(p->s, 3, b, 8, &n, &p->err));
	assert_true(n == 1 && b[0].seq == 3);
	MUST(p, drg_store_branches(p->s, 2, b, 8, &n, &p->err));
	assert_int_equal(n, 1);
	MUST(p, drg_store_branches(p->s, 4, b, 8, &n, &p->err));
	assert_int_equal(n, 0);
}

/* The one thing that a file which was copied back cannot know: nobody ran, nobody watched, the clock has
 * overtaken. */
static void a_history_that_is_over_is_known_by_its_branches(void **state)
{
	struct place *p = *state;
	put_and_close(p, 1);
	engine->backup(p);
	place_reopen(p);
	put_one(p, adapter(2));
	put_one(p, adapter(3));
	int64_t common = branch_at(p, 1), over = branch_at(p, 3);
	place_close(p);
	engine->restore(p);
	place_reopen(p);
	for (int i = 0; i < 5; i++)
		put_one(p, adapter(10 + i));
	assert_true(clock_of(p).seq > 3);
	assert_true(branch_at(p, 1) == common);
	assert_true(branch_at(p, 3) != over);
}

GROUP(place)
{
	const struct CMUnitTest files[] = {
		on_new_store(a_handle_sees_that_its_files_are_not_those_of_the_path),
		on_new_store(a_reader_sees_it_too),
		on_new_store(a_commit_goes_to_the_file_that_the_path_names_or_nowhere),
		on_new_store(what_is_usual_is_not_suspected),
		on_new_store(a_log_of_another_file_is_put_aside_and_that_is_said),
	};
	const struct CMUnitTest branches[] = {
		on_new_store(whoever_opens_for_writing_begins_a_branch_with_its_first_change),
		on_new_store(a_history_that_is_over_is_known_by_its_branches),
	};
	int failed = cmocka_run_group_tests_name("store/place: files of SQLite", files, NULL, NULL);
	return failed + run_on_every_engine("store/place: branches", branches);
}
