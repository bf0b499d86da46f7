/* The bare way to keep what tour/sourceAdd brings: one table, its key, one transaction with an fsync per batch.
 * sqlite_insert FILE BATCH SECONDS prints rows per second. The rows are those of bench/source_add.lua. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static sqlite3 *db;

static void must(int rc)
{
	if (rc != SQLITE_OK && rc != SQLITE_DONE && rc != SQLITE_ROW) {
		fprintf(stderr, "%s\n", sqlite3_errmsg(db));
		exit(1);
	}
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void bind(sqlite3_stmt *st, int at, const char *before, long number, const char *after)
{
	char text[80];
	int n = snprintf(text, sizeof text, "%s%ld%s", before, number, after);
	must(sqlite3_bind_text(st, at, text, n, SQLITE_TRANSIENT));
}

static void insert(sqlite3_stmt *st, long number)
{
	bind(st, 1, "b-0-", number * 40503 % 16777216, "");
	bind(st, 2, "Hotel Number ", number, " Resort & Spa");
	must(sqlite3_bind_text(st, 3, "5", -1, SQLITE_STATIC));
	must(sqlite3_bind_text(st, 4, "HV-1/5*", -1, SQLITE_STATIC));
	must(sqlite3_bind_text(st, 5, "90", -1, SQLITE_STATIC));
	must(sqlite3_bind_text(st, 6, "TURKEY", -1, SQLITE_STATIC));
	bind(st, 7, "", number % 500, "");
	bind(st, 8, "City of ", number % 500, "");
	must(sqlite3_step(st));
	must(sqlite3_reset(st));
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	long batch = atol(argv[2]), rows = 0;
	sqlite3_stmt *st;
	must(sqlite3_open(argv[1], &db));
	must(sqlite3_exec(
	        db,
	        "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
	        "PRAGMA cache_size = -65536;"
	        "CREATE TABLE source (adapter_id INTEGER, kind INTEGER, id TEXT, name TEXT, lang TEXT,"
	        " category_id TEXT, category_name TEXT, country_id TEXT, country_name TEXT, city_id TEXT,"
	        " city_name TEXT);"
	        "CREATE UNIQUE INDEX source_key ON source (adapter_id, kind, id)",
	        NULL, NULL, NULL));
	must(sqlite3_prepare_v2(db,
	                        "INSERT INTO source VALUES (101, 6, ?1, ?2, 'en', ?3, ?4, ?5, ?6, ?7, ?8)",
	                        -1, &st, NULL));
	double start = now(), end = start + atof(argv[3]);
	while (now() < end) {
		must(sqlite3_exec(db, "BEGIN", NULL, NULL, NULL));
		for (long i = 0; i < batch; i++)
			insert(st, ++rows);
		must(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL));
	}
	printf("%.0f\n", (double)rows / (now() - start));
	sqlite3_finalize(st);
	sqlite3_close(db);
	return 0;
}
