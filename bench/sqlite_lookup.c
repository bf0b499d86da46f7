/* SQLite beside us: a prepared "SELECT ... WHERE k = ?" per id, in batches of 1,000 random ids, answers
 * copied into one buffer. Prints microseconds of CPU per batch. sqlite_lookup DATABASE KEYS BATCHES */
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 1000, VALUE_MAX = 8192 };

static uint64_t state = 88172645463325252u;

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

static double cpu_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void batch(sqlite3_stmt *stmt, uint64_t keys, char *out)
{
	for (int i = 0; i < BATCH; i++) {
		sqlite3_bind_int64(stmt, 1, (int64_t)(next_random() % keys));
		if (sqlite3_step(stmt) != SQLITE_ROW)
			exit(1);
		int n = sqlite3_column_bytes(stmt, 0);
		if (n > VALUE_MAX)
			exit(1);
		memcpy(out, sqlite3_column_text(stmt, 0), (size_t)n);
		out += n;
		sqlite3_reset(stmt);
	}
}

int main(int argc, char **argv)
{
	sqlite3 *db;
	sqlite3_stmt *stmt;
	if (argc != 4)
		return 2;
	uint64_t keys = strtoull(argv[2], NULL, 10);
	int batches = atoi(argv[3]);
	char *out = malloc((size_t)BATCH * VALUE_MAX);
	if (out == NULL || sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
		return 1;
	sqlite3_exec(db, "PRAGMA mmap_size = 34359738368; PRAGMA cache_size = -1000000", NULL, NULL, NULL);
	if (sqlite3_prepare_v2(db, "SELECT v FROM kv WHERE k = ?", -1, &stmt, NULL) != SQLITE_OK)
		return 1;
	for (int i = 0; i < batches; i++)
		batch(stmt, keys, out); /* warm */
	double start = cpu_us();
	for (int i = 0; i < batches; i++)
		batch(stmt, keys, out);
	printf("%.1f\n", (cpu_us() - start) / batches);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	free(out);
	return 0;
}
