/* What only the SQLite engine does: its file, its schema, its faults. */
#include "place.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "store/migration.h"
#include "store/sqlite/sqlite_priv.h"

static char *file_of(struct place *p, const char *suffix, char *buf, size_t n)
{
	snprintf(buf, n, "%s/t.db%s", p->dir, suffix);
	return buf;
}

/* Statements from outside, as of somebody with the sqlite3 shell. */
static void run_sql(struct place *p, const char *sql)
{
	char path[128], *message = NULL;
	sqlite3 *db;
	assert_int_equal(sqlite3_open(file_of(p, "", path, sizeof path), &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
		fail_msg("%s: %s", sql, message);
	sqlite3_close(db);
}

static void write_file(const char *path, const char *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

static void expect_open(struct place *p, enum drg_store_mode mode, int rc, const char *says)
{
	struct drg_store *s = NULL;
	assert_int_equal(drg_store_open(p->url, mode, &s, &p->err), rc);
	assert_null(s);
	assert_non_null(strstr(p->err.message, "t.db"));
	if (strstr(p->err.message, says) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", p->err.message, says);
}

/* ---- schema -------------------------------------------------------------------------------------------- */

static void every_field_has_its_column(void **state)
{
	struct place *p = *state;
	static const char *const head[] = {
		"row", "deleted", "seq", "created_seq", "data_seq", "mapped_seq"
	};
	char path[128], sql[128];
	sqlite3 *db;
	assert_int_equal(sqlite3_open(file_of(p, "", path, sizeof path), &db), SQLITE_OK);
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++) {
		sqlite3_stmt *st;
		unsigned n = 0, n_head = sizeof head / sizeof head[0];
		snprintf(sql, sizeof sql, "SELECT name FROM pragma_table_info('%s') ORDER BY cid",
		         drg_types[t].name);
		assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
		for (; sqlite3_step(st) == SQLITE_ROW; n++) {
			assert_true(n < n_head + drg_types[t].n_fields);
			assert_string_equal((const char *)sqlite3_column_text(st, 0),
			                    n < n_head ? head[n] : drg_types[t].fields[n - n_head].wire);
		}
		assert_int_equal(n, n_head + drg_types[t].n_fields);
		sqlite3_finalize(st);
	}
	sqlite3_close(db);
}

static void the_files_are_for_their_owner(void **state)
{
	struct place *p = *state;
	const char *suffixes[] = { "", "-wal", "-shm", ".lock" };
	struct stat st;
	char path[128];
	put_one(p, adapter(1));
	for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
		assert_int_equal(stat(file_of(p, suffixes[i], path, sizeof path), &st), 0);
		assert_int_equal(st.st_mode & 0777, 0600);
	}
}

static void the_last_one_out_leaves_a_single_file(void **state)
{
	struct place *p = *state;
	struct drg_store *second;
	char path[128];
	put_one(p, adapter(1));
	MUST(p, drg_store_open(p->url, DRG_STORE_WRITE, &second, &p->err));
	place_close(p);
	assert_int_equal(access(file_of(p, "-wal", path, sizeof path), F_OK), 0);
	drg_store_close(second);
	assert_int_not_equal(access(file_of(p, "-wal", path, sizeof path), F_OK), 0);
}

/* Write 50 MB in 50 commits. @return the number of commits that were followed by a checkpoint */
static unsigned write_50_mb(struct place *p)
{
	static char text[20000];
	unsigned moved = 0;
	memset(text, ' ', sizeof text);
	text[0] = '{';
	text[sizeof text - 1] = '}';
	struct drg_record r = blank(DRG_TYPE_PROFILE);
	drg_record_set_i(&r, DRG_F_KIND, DRG_KIND_HOTEL);
	drg_record_set_s(&r, DRG_F_DATA, drg_str(text, sizeof text));
	for (int64_t i = 1; i <= 50; i++) {
		struct drg_txn *t;
		enum drg_put_result result;
		MUST(p, drg_store_begin(p->s, &t, &p->err));
		for (int64_t k = 0; k < 50; k++) {
			drg_record_set_i(&r, DRG_F_ADAPTER_ID, 50 * i + k);
			MUST(p, drg_txn_put(t, &r, &result, &p->err));
		}
		MUST(p, drg_txn_commit(t, NULL, &p->err));
		moved += p->s->wal_pages == 0;
	}
	return moved;
}

static void the_log_stays_short(void **state)
{
	struct place *p = *state;
	struct stat st;
	char path[128];
	assert_in_range(write_50_mb(p), 2, 4);
	/* 50 MB were written through a log of 16, and what one transaction adds. */
	assert_int_equal(stat(file_of(p, "-wal", path, sizeof path), &st), 0);
	assert_in_range(st.st_size, 1, 20 * 1024 * 1024);
}

/* Reads can follow each other for hours. */
static void while_somebody_reads_the_log_is_moved_as_seldom(void **state)
{
	struct place *p = *state;
	struct drg_store *reader;
	struct drg_clock clock;
	MUST(p, drg_store_open(p->url, DRG_STORE_READ, &reader, &p->err));
	MUST(p, drg_store_hold(reader, &clock, &p->err));
	assert_in_range(write_50_mb(p), 2, 4);
	drg_store_release(reader);
	drg_store_close(reader);
}

static void names_that_mean_something_to_sqlite_are_just_names(void **state)
{
	struct place *p = *state;
	const char *names[] = { ":memory:", "file:x?mode=memory" };
	char old[512];
	assert_non_null(getcwd(old, sizeof old));
	assert_int_equal(chdir(p->dir), 0);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		snprintf(p->url, sizeof p->url, "sqlite:%s", names[i]);
		MUST(p, drg_store_open(p->url, DRG_STORE_CREATE, &p->s, &p->err));
		place_close(p);
		assert_int_equal(access(names[i], F_OK), 0);
	}
	assert_int_equal(chdir(old), 0);
}

/* ---- files that are no store, or not ours -------------------------------------------------------------- */

static void a_file_of_something_else_is_left_alone(void **state)
{
	struct place *p = *state;
	char path[128];
	const char text[] = "id;name\n1;Some notes that somebody keeps in a file of this name\n";
	struct stat before, after;
	file_of(p, "", path, sizeof path);

	write_file(path, text, sizeof text - 1);
	assert_int_equal(stat(path, &before), 0);
	for (enum drg_store_mode m = DRG_STORE_READ; m <= DRG_STORE_CREATE; m++)
		expect_open(p, m, DRG_ECORRUPT, "not a store");
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(before.st_size, after.st_size);

	assert_int_equal(unlink(path), 0);
	run_sql(p, "CREATE TABLE notes (text TEXT)");
	for (enum drg_store_mode m = DRG_STORE_READ; m <= DRG_STORE_CREATE; m++)
		expect_open(p, m, DRG_ECORRUPT, "not a store");
	run_sql(p, "SELECT text FROM notes");
}

static void an_empty_file_becomes_a_store_only_by_create(void **state)
{
	struct place *p = *state;
	char path[128];
	write_file(file_of(p, "", path, sizeof path), "", 0);
	expect_open(p, DRG_STORE_READ, DRG_ECORRUPT, "not a store");
	expect_open(p, DRG_STORE_WRITE, DRG_ECORRUPT, "not a store");
	MUST(p, drg_store_open(p->url, DRG_STORE_CREATE, &p->s, &p->err));
}

static void a_store_of_a_newer_version_is_refused(void **state)
{
	struct place *p = *state;
	put_one(p, adapter(1));
	place_close(p);
	run_sql(p, "INSERT INTO migration VALUES (1000, 'future', 'then')");
	for (enum drg_store_mode m = DRG_STORE_READ; m <= DRG_STORE_CREATE; m++)
		expect_open(p, m, DRG_ELIMIT, "newer dragoman");
	run_sql(p, "DELETE FROM migration WHERE number = 1000");
	place_reopen(p);
	struct drg_record a = adapter(1);
	MUST(p, drg_store_exists(p->s, &a, &p->err));
}

/* The file as the first version made it, with one adapter in it. */
static void make_first_version(struct place *p)
{
	char path[128];
	write_file(file_of(p, "", path, sizeof path), "", 0);
	run_sql(p, "PRAGMA journal_mode = WAL; PRAGMA application_id = 0x64726731;"
	           "CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL,"
	           " applied_at TEXT NOT NULL) STRICT; INSERT INTO migration VALUES (1, 'tables', 'then')");
	run_sql(p, drg_sqlite_migrations[0].sql);
	run_sql(p, "UPDATE clock SET seq = 1;"
	           "INSERT INTO adapter (deleted, seq, created_seq, data_seq, mapped_seq, id, code, name, "
	           "domain)"
	           " VALUES (0, 1, 1, 1, 0, 7, 'a', 'A', 0)");
}

static void a_store_of_an_older_version_is_migrated_by_create(void **state)
{
	struct place *p = *state;
	struct drg_record a = adapter(7);
	make_first_version(p);
	if (drg_sqlite_n_migrations > 1) {
		expect_open(p, DRG_STORE_READ, DRG_ELIMIT, "older dragoman");
		expect_open(p, DRG_STORE_WRITE, DRG_ELIMIT, "older dragoman");
	}
	MUST(p, drg_store_open(p->url, DRG_STORE_CREATE, &p->s, &p->err));
	MUST(p, drg_store_exists(p->s, &a, &p->err));
	place_reopen(p);
	put_one(p, a);
	MUST(p, drg_store_exists(p->s, &a, &p->err));
}

/* ---- damage -------------------------------------------------------------------------------------------- */

static int ignore_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	char label[128];
	drg_record_label(r, label, sizeof label);
	++*(unsigned *)ctx;
	return DRG_OK;
}

static void count_finding(void *ctx, const char *text)
{
	assert_true(text[0] != '\0');
	++*(unsigned *)ctx;
}

static void put_many(struct place *p, int64_t n)
{
	struct drg_txn *t;
	enum drg_put_result result;
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	for (int64_t i = 0; i < n; i++) {
		struct drg_record r = dict(DRG_KIND_MEAL, i);
		MUST(p, drg_txn_put(t, &r, &result, &p->err));
	}
	MUST(p, drg_txn_commit(t, NULL, &p->err));
}

/* Overwrite a part of the closed file with a byte, from a point in hundredths of its size. */
static void damage(struct place *p, int percent, size_t n, int byte)
{
	char path[128], bytes[65536];
	struct stat st;
	int fd = open(file_of(p, "", path, sizeof path), O_RDWR);
	assert_true(fd >= 0 && n <= sizeof bytes);
	assert_int_equal(fstat(fd, &st), 0);
	memset(bytes, byte, n);
	assert_int_equal(pwrite(fd, bytes, n, st.st_size * percent / 100), n);
	close(fd);
}

/* Whatever is overwritten: no crash, and check() finds it. */
static void damage_is_found(void **state)
{
	struct drg_rows reading;
	struct place *p = *state;
	put_many(p, 5000);
	place_close(p);
	char path[128], copy[128], cmd[300];
	snprintf(cmd, sizeof cmd, "cp %s %s", file_of(p, "", path, sizeof path),
	         file_of(p, ".good", copy, sizeof copy));
	assert_int_equal(system(cmd), 0);
	snprintf(cmd, sizeof cmd, "cp %s %s", copy, path);
	for (int i = 0; i < 50; i++) {
		unsigned findings = 0, rows = 0;
		struct drg_filter f = { .tombstones = true, .internal = true };
		assert_int_equal(system(cmd), 0);
		damage(p, 2 * i, i % 2 == 0 ? 16384 : 50, i % 3 == 0 ? 0xff : 0);
		int rc = drg_store_open(p->url, DRG_STORE_READ, &p->s, &p->err);
		if (rc == DRG_OK) {
			rc = drg_rows_each(drg_rows_scan(&reading, p->s, &f, &p->err), ignore_row, &rows);
			assert_true(rc == DRG_OK || rc == DRG_ECORRUPT);
			rc = drg_store_check(p->s, count_finding, &findings, &p->err);
			assert_true(findings > 0 || rc == DRG_ECORRUPT || i % 2 != 0);
			place_close(p);
		} else {
			assert_int_equal(rc, DRG_ECORRUPT);
		}
	}
}

static void a_cut_file_is_found(void **state)
{
	struct place *p = *state;
	put_many(p, 20000);
	place_close(p);
	char path[128];
	unsigned findings = 0;
	struct stat st;
	assert_int_equal(stat(file_of(p, "", path, sizeof path), &st), 0);
	assert_int_equal(truncate(path, st.st_size / 2), 0);
	int rc = drg_store_open(p->url, DRG_STORE_READ, &p->s, &p->err);
	if (rc == DRG_OK)
		rc = drg_store_check(p->s, count_finding, &findings, &p->err);
	assert_true(rc == DRG_ECORRUPT || findings > 0);
}

static void a_word_that_nobody_stored_is_damage(void **state)
{
	struct drg_rows reading;
	struct place *p = *state;
	const char *sql[] = { "UPDATE adapter SET stage = 2", "UPDATE adapter SET stage = -1",
		              "UPDATE adapter SET stage = 4611686018427387904" };
	put_one(p, adapter(1));
	for (size_t i = 0; i < sizeof sql / sizeof sql[0]; i++) {
		struct drg_filter f = { 0 };
		unsigned rows = 0;
		place_close(p);
		run_sql(p, sql[i]);
		place_reopen(p);
		assert_int_equal(drg_rows_each(drg_rows_scan(&reading, p->s, &f, &p->err), ignore_row, &rows),
		                 DRG_ECORRUPT);
		assert_int_equal(rows, 0);
	}
}

static void a_check_reports_rows_ahead_of_the_clock(void **state)
{
	struct place *p = *state;
	unsigned findings = 0;
	put_one(p, adapter(1));
	put_one(p, adapter(2));
	place_close(p);
	run_sql(p, "UPDATE clock SET seq = 1");
	place_reopen(p);
	MUST(p, drg_store_check(p->s, count_finding, &findings, &p->err));
	assert_int_equal(findings, 1);
	place_close(p);
	run_sql(p, "UPDATE clock SET seq = 2; UPDATE adapter SET created_seq = 9 WHERE id = 1");
	place_reopen(p);
	findings = 0;
	MUST(p, drg_store_check(p->s, count_finding, &findings, &p->err));
	assert_int_equal(findings, 1);
}

/* ---- faults -------------------------------------------------------------------------------------------- */

/* Run a test in a process of its own, whose rights and limits it may change. Exit status 77: not possible
 * here. */
static void in_child(struct place *p, void (*test)(struct place *p))
{
	assert_null(p->s);
	pid_t pid = fork();
	if (pid == 0) {
		test(p);
		_exit(0);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail_msg("line %d", WEXITSTATUS(status));
}

/* Fails a child: by its line, as far as an exit status can hold it. */
#define CHILD(condition) ((condition) ? (void)0 : child_failed(__LINE__, #condition, p))

static void child_failed(int line, const char *what, struct place *p)
{
	fprintf(stderr, "%d: %s: %s\n", line, what, p->err.message);
	_exit(1);
}

/* One transaction of @p n records from @p first. */
static int try_put(struct place *p, int64_t first, int64_t n, size_t text_size)
{
	static char text[100000];
	memset(text, ' ', sizeof text);
	text[0] = '{';
	text[text_size - 1] = '}';
	struct drg_txn *t;
	enum drg_put_result result;
	struct drg_record r = blank(DRG_TYPE_PROFILE);
	drg_record_set_i(&r, DRG_F_KIND, DRG_KIND_HOTEL);
	drg_record_set_s(&r, DRG_F_DATA, drg_str(text, text_size));
	int rc = drg_store_begin(p->s, &t, &p->err);
	if (rc != DRG_OK)
		return rc;
	for (int64_t i = 0; i < n && rc == DRG_OK; i++) {
		drg_record_set_i(&r, DRG_F_ADAPTER_ID, first + i);
		rc = drg_txn_put(t, &r, &result, &p->err);
	}
	if (rc == DRG_OK)
		return drg_txn_commit(t, NULL, &p->err);
	/* After an error the transaction can only be undone, also by way of a commit. */
	CHILD(drg_txn_put(t, &r, &result, NULL) == rc);
	CHILD(drg_txn_commit(t, NULL, NULL) == rc);
	return rc;
}

static void no_rights(struct place *p)
{
	char path[128];
	if (chmod(p->dir, 0555) != 0 || (geteuid() == 0 && setuid(65534) != 0))
		_exit(77);
	CHILD(drg_store_open(p->url, DRG_STORE_CREATE, &p->s, &p->err) == DRG_EIO);
	CHILD(strstr(p->err.message, file_of(p, "", path, sizeof path)) != NULL);
}

static void a_folder_without_rights_is_named(void **state)
{
	in_child(*state, no_rights);
}

static void full_disk(struct place *p)
{
	struct drg_rows reading;
	char path[160], ballast[160];
	if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("tmpfs", p->dir, "tmpfs", 0, "size=4m") != 0)
		_exit(77);
	file_of(p, "", path, sizeof path);
	snprintf(ballast, sizeof ballast, "%s/ballast", p->dir);
	write_file(ballast, path, 100);
	CHILD(truncate(ballast, 0) == 0);
	int fd = open(ballast, O_WRONLY);
	CHILD(fd >= 0 && posix_fallocate(fd, 0, 1 << 20) == 0);
	CHILD(drg_store_open(p->url, DRG_STORE_CREATE, &p->s, &p->err) == DRG_OK);

	int rc = DRG_OK;
	int64_t n = 0;
	while (rc == DRG_OK && (rc = try_put(p, 10 * n + 1, 10, 1000)) == DRG_OK)
		n++;
	CHILD(rc == DRG_EFULL);
	CHILD(strstr(p->err.message, "disk is full") != NULL);
	struct drg_clock clock;
	CHILD(drg_store_clock(p->s, &clock, &p->err) == DRG_OK && clock.seq == n);
	struct drg_filter f = { 0 };
	unsigned rows = 0;
	CHILD(drg_rows_each(drg_rows_scan(&reading, p->s, &f, &p->err), ignore_row, &rows) == DRG_OK &&
	      rows == 10 * n);
	/* Space comes back: so does the store. */
	CHILD(ftruncate(fd, 0) == 0);
	CHILD(try_put(p, 10 * n + 1, 10, 1000) == DRG_OK);
	CHILD(drg_store_clock(p->s, &clock, &p->err) == DRG_OK && clock.seq == n + 1);
	drg_store_close(p->s);
	CHILD(drg_store_open(p->url, DRG_STORE_READ, &p->s, &p->err) == DRG_OK);
	rows = 0;
	CHILD(drg_rows_each(drg_rows_scan(&reading, p->s, &f, &p->err), ignore_row, &rows) == DRG_OK &&
	      rows == 10 * n + 10);
}

static void a_full_disk_stops_writing_only(void **state)
{
	in_child(*state, full_disk);
}

/* A limit on the size of files makes write() fail, as a broken disk would. */
static void failing_writes(struct place *p)
{
	struct drg_rows reading;
	const struct rlimit limit = { 1 << 20, RLIM_INFINITY };
	const struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };
	signal(SIGXFSZ, SIG_IGN);
	CHILD(drg_store_open(p->url, DRG_STORE_CREATE, &p->s, &p->err) == DRG_OK);
	CHILD(try_put(p, 1, 10, 1000) == DRG_OK);
	CHILD(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	int rc = try_put(p, 100, 100, 50000);
	CHILD(rc == DRG_EIO || rc == DRG_EFULL); /* DRG_EFULL with a SQLite that tells errno */
	CHILD(strcmp(p->err.reason, "not_stored") == 0);
	CHILD(setrlimit(RLIMIT_FSIZE, &none) == 0);
	drg_store_close(p->s);

	struct drg_clock clock;
	struct drg_filter f = { 0 };
	unsigned rows = 0;
	CHILD(drg_store_open(p->url, DRG_STORE_WRITE, &p->s, &p->err) == DRG_OK);
	CHILD(drg_store_clock(p->s, &clock, &p->err) == DRG_OK && clock.seq == 1);
	CHILD(drg_rows_each(drg_rows_scan(&reading, p->s, &f, &p->err), ignore_row, &rows) == DRG_OK &&
	      rows == 10);
	CHILD(try_put(p, 100, 100, 50000) == DRG_OK);
}

static void a_failed_write_leaves_the_store_as_it_was(void **state)
{
	in_child(*state, failing_writes);
}

static void reading_needs_no_right_to_write_the_file(void **state)
{
	struct place *p = *state;
	char path[128];
	put_one(p, adapter(1));
	place_close(p);
	assert_int_equal(chmod(file_of(p, "", path, sizeof path), 0400), 0);
	struct drg_record a = adapter(1);
	MUST(p, drg_store_open(p->url, DRG_STORE_READ, &p->s, &p->err));
	MUST(p, drg_store_exists(p->s, &a, &p->err));
}

/* A server has many readers, and each of them reads all events now and then. */
static void a_reader_keeps_few_pages_in_memory(void **state)
{
	struct drg_rows reading;
	struct place *p = *state;
	enum { RECORDS = 100000, MOST_BYTES = 3 << 20 };
	const struct drg_filter all = { .type = &drg_types[DRG_TYPE_DICT] };
	unsigned n = 0;
	int bytes, highest;
	put_many(p, RECORDS);
	place_close(p);
	MUST(p, drg_store_open(p->url, DRG_STORE_READ, &p->s, &p->err));
	MUST(p, drg_rows_each(drg_rows_scan(&reading, p->s, &all, &p->err), ignore_row, &n));
	assert_int_equal(n, RECORDS);
	assert_int_equal(sqlite3_db_status(p->s->db, SQLITE_DBSTATUS_CACHE_USED, &bytes, &highest, 0),
	                 SQLITE_OK);
	assert_in_range(bytes, 1, MOST_BYTES);
}

#define without_store(test) cmocka_unit_test_setup_teardown(test, place_without_store, place_remove)

GROUP(sqlite)
{
	const struct CMUnitTest tests[] = {
		on_new_store(every_field_has_its_column),
		on_new_store(the_files_are_for_their_owner),
		on_new_store(the_last_one_out_leaves_a_single_file),
		on_new_store(the_log_stays_short),
		on_new_store(while_somebody_reads_the_log_is_moved_as_seldom),
		without_store(names_that_mean_something_to_sqlite_are_just_names),
		without_store(a_file_of_something_else_is_left_alone),
		without_store(an_empty_file_becomes_a_store_only_by_create),
		on_new_store(a_store_of_a_newer_version_is_refused),
		without_store(a_store_of_an_older_version_is_migrated_by_create),
		on_new_store(damage_is_found),
		on_new_store(a_cut_file_is_found),
		on_new_store(a_word_that_nobody_stored_is_damage),
		on_new_store(a_check_reports_rows_ahead_of_the_clock),
		without_store(a_folder_without_rights_is_named),
		without_store(a_full_disk_stops_writing_only),
		without_store(a_failed_write_leaves_the_store_as_it_was),
		on_new_store(reading_needs_no_right_to_write_the_file),
		on_new_store(a_reader_keeps_few_pages_in_memory),
	};
	return cmocka_run_group_tests_name("store/sqlite", tests, NULL, NULL);
}
