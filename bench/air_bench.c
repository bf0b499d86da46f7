/* Figures of the air search alone, one thread. `air_bench REFERENCE QUERIES [TRIES]`: a file in the
 * interchange format, lines of a kind, a tab, and what is typed, and how many texts the fuzzer tries. CPU
 * time of the thread, of each query the fastest of five rounds: what else runs on the machine is not the
 * search's. Prints a line for each kind: how many, mean, median, p99 and worst in microseconds; the time to
 * make the index anew; and the worst query that a fuzzer finds, the fastest of REPEATS. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "catalog/air/air.h"
#include "catalog/rcu.h"
#include "model/ndjson.h"
#include "text/lines.h"

enum { ROUNDS = 5, LIMIT = 50, LINE_MAX = 1 << 20, QUERIES_MAX = 1 << 20, FUZZ_TRIES = 40000, REPEATS = 50 };

struct query {
	char *kind, *text;
	double us;
};

static struct drg_catalog *cat;
static struct query query[QUERIES_MAX];
static size_t n_queries;

static void check(int rc, const char *what, const struct drg_err *err)
{
	if (rc != DRG_OK) {
		fprintf(stderr, "%s: %s\n", what, err->message);
		exit(1);
	}
}

static bool next_line(struct drg_lines *in, struct drg_str *ret)
{
	struct drg_err err = { 0 };
	int rc = drg_lines_next(in, ret, &err);
	if (rc != DRG_ENOENT)
		check(rc, "read", &err);
	return rc == DRG_OK;
}

/* Microseconds of CPU time of this thread: what else runs on its core does not count. */
static double cpu_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double publish(int64_t seq)
{
	struct drg_err err = { 0 };
	double before = cpu_us();
	check(drg_catalog_publish(cat, seq, "bench", &err), "publish", &err);
	return (cpu_us() - before) / 1e3;
}

/* @return CPU milliseconds of the index's making when the last place had changed. */
static double load(const char *path)
{
	struct drg_err err = { 0 };
	struct drg_lines *in;
	struct drg_arena arena;
	struct drg_record r, copy = { 0 };
	struct drg_str line;
	struct drg_arena kept;
	drg_arena_init(&arena, LINE_MAX);
	drg_arena_init(&kept, LINE_MAX);
	check(drg_lines_open(path, LINE_MAX, &in, &err), path, &err);
	while (next_line(in, &line)) {
		drg_arena_reset(&arena);
		check(drg_ndjson_read(line, &arena, &r, &err), path, &err);
		check(drg_catalog_apply(cat, &r, &err), "apply", &err);
		if (r.type->id != DRG_TYPE_AIR_PLACE)
			continue;
		drg_arena_reset(&kept);
		check(drg_record_copy(&kept, &r, &copy), "copy", &err);
	}
	drg_lines_close(in);
	publish(1);
	drg_record_set_i(&copy, DRG_F_WEIGHT, drg_record_i(&copy, DRG_F_WEIGHT, 0) + 1);
	check(drg_catalog_apply(cat, &copy, &err), "apply", &err);
	double ms = publish(2);
	drg_arena_done(&kept);
	drg_arena_done(&arena);
	return ms;
}

static void read_queries(const char *path)
{
	struct drg_err err = { 0 };
	struct drg_lines *in;
	struct drg_str line, kind;
	check(drg_lines_open(path, LINE_MAX, &in, &err), path, &err);
	while (n_queries < QUERIES_MAX && next_line(in, &line)) {
		drg_str_split(&line, '\t', &kind);
		query[n_queries].kind = strndup(kind.p, kind.n);
		query[n_queries].text = strndup(line.p, line.n);
		query[n_queries++].us = 1e9;
	}
	drg_lines_close(in);
}

static double ask(const char *text, struct drg_arena *arena, size_t *ret_found)
{
	const struct drg_air_query q = { .text = drg_str_c(text), .lang = DRG_STR("en"), .limit = LIMIT };
	const struct drg_air_place *found;
	size_t total;
	struct drg_err err = { .message = "out of memory" };
	drg_arena_reset(arena);
	double before = cpu_us();
	drg_read_lock();
	check(drg_air_search(cat, &q, arena, &found, ret_found, &total), "search", &err);
	drg_read_unlock();
	return cpu_us() - before;
}

static int by_us(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

static void report(const char *kind)
{
	double *us = calloc(n_queries, sizeof *us), sum = 0;
	size_t n = 0;
	for (size_t i = 0; i < n_queries; i++)
		if (kind == NULL || strcmp(kind, query[i].kind) == 0)
			sum += us[n++] = query[i].us;
	qsort(us, n, sizeof *us, by_us);
	printf("%s\t%zu\t%.2f\t%.2f\t%.2f\t%.2f\n", kind != NULL ? kind : "all", n, sum / (double)n,
	       us[n / 2], us[n * 99 / 100], us[n - 1]);
	free(us);
}

/* ---- the worst query ------------------------------------------------------------------------------------ */

static uint64_t seed = 1;

static size_t below(size_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (size_t)(seed >> 33) % n;
}

/* Pieces of real queries, single letters, spaces; some cut, some doubled. Only whole ASCII texts are cut. */
static void mutate(const char *from, char *to, size_t room)
{
	const char *other = query[below(n_queries)].text;
	size_t cut = strlen(from) > 0 ? below(strlen(from)) : 0;
	switch (below(5)) {
	case 0: snprintf(to, room, "%s %s", from, other); break;
	case 1: snprintf(to, room, "%s%c", from, "abcdefghijklmnopqrstuvwxyz  "[below(28)]); break;
	case 2: snprintf(to, room, "%c %s", 'a' + (char)below(26), from); break;
	case 3: snprintf(to, room, "%.*s%s", (int)cut, from, from + cut + 1); break;
	default: snprintf(to, room, "%.*s%c%s", (int)cut, from, 'a' + (char)below(26), from + cut); break;
	}
}

static bool is_ascii(const char *s)
{
	for (; *s != '\0'; s++)
		if ((*s & 0x80) != 0)
			return false;
	return true;
}

static void fuzz(struct drg_arena *arena, int tries)
{
	char worst[DRG_AIR_QUERY_MAX + 1] = "", made[sizeof worst], start[sizeof worst];
	double most = 0;
	size_t found;
	for (int i = 0; i < tries; i++) {
		const char *fresh = query[below(n_queries)].text;
		snprintf(start, sizeof start, "%s", below(2) == 0 && is_ascii(fresh) ? fresh : worst);
		mutate(start, made, sizeof made);
		if (!is_ascii(made))
			continue;
		double us = ask(made, arena, &found);
		for (int again = 0; again < REPEATS && us > most; again++) {
			double next = ask(made, arena, &found);
			us = next < us ? next : us;
		}
		if (us > most) {
			most = us;
			memcpy(worst, made, sizeof worst);
		}
	}
	printf("worst\t%.2f\t%s\n", most, worst);
}

int main(int argc, char **argv)
{
	struct drg_err err = { 0 };
	struct drg_arena arena;
	size_t found;
	if (argc < 3 || argc > 4)
		return 2;
	drg_arena_init(&arena, (size_t)1 << 30);
	check(drg_catalog_new(&(struct drg_catalog_options){ .max_bytes = (size_t)1 << 30 }, &cat, &err),
	      "new", &err);
	load(argv[1]);
	read_queries(argv[2]);
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < n_queries; i++) {
			double us = ask(query[i].text, &arena, &found);
			query[i].us = us < query[i].us ? us : query[i].us;
		}
	}
	/* Once more: now there is an order of titles to be made again. */
	double ms = load(argv[1]);
	printf("index\t%zu\t%.1f\n", drg_air_count(cat), ms);
	report(NULL);
	for (size_t i = 0; i < n_queries; i++) /* kinds stand together */
		if (i == 0 || strcmp(query[i - 1].kind, query[i].kind) != 0)
			report(query[i].kind);
	fuzz(&arena, argc > 3 ? atoi(argv[3]) : FUZZ_TRIES);
	drg_arena_done(&arena);
	drg_catalog_free(cat);
	return 0;
}
