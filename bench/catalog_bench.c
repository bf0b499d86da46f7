/* Figures of the catalog alone, one thread, without the air search (air_bench has that): memory per record,
 * time per record taken in, look-ups in batches, and the JSON of answers. `catalog_bench [SOURCES]`,
 * 1,000,000 hotels unless told. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "catalog/catalog.h"
#include "catalog/rcu.h"

enum { ADAPTERS = 20, COUNTRIES = 250, CITIES = 20000, CATEGORIES = 12, BATCH = 1000, ROUNDS = 400 };

/* ---- data ----------------------------------------------------------------------------------------------- */

static struct drg_catalog *cat;

static void die(const char *what, const struct drg_err *err)
{
	fprintf(stderr, "%s: %s\n", what, err->message);
	exit(1);
}

static void take(const struct drg_record *r)
{
	struct drg_err err = { 0 };
	if (drg_catalog_apply(cat, r, &err) != DRG_OK)
		die("apply", &err);
}

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 31) * UINT64_C(0x7fb5d329728ea185);
	x = (x ^ x >> 27) * UINT64_C(0x81dadef4bc2dd44d);
	return x ^ x >> 33;
}

#define TEXT(buf, ...) drg_str((buf), (size_t)snprintf((buf), sizeof(buf), __VA_ARGS__))

static void make_dict(enum drg_kind kind, int64_t id, struct drg_str names, struct drg_record *r)
{
	drg_record_init(r, &drg_types[DRG_TYPE_DICT]);
	drg_record_set_i(r, DRG_F_KIND, kind);
	drg_record_set_i(r, DRG_F_ID, id);
	drg_record_set_s(r, DRG_F_NAMES, names);
}

static void load_places(void)
{
	struct drg_record r;
	char names[256], code[8];
	for (int64_t i = 0; i < ADAPTERS; i++) {
		drg_record_init(&r, &drg_types[DRG_TYPE_ADAPTER]);
		drg_record_set_i(&r, DRG_F_ID, i + 1);
		drg_record_set_s(&r, DRG_F_CODE, TEXT(names, "supplier-%d", (int)i));
		drg_record_set_s(&r, DRG_F_NAME, r.v[DRG_F_CODE].s);
		drg_record_set_i(&r, DRG_F_DOMAIN, DRG_DOMAIN_TOUR);
		take(&r);
	}
	for (int64_t i = 0; i < COUNTRIES; i++) {
		make_dict(DRG_KIND_COUNTRY, i,
		          TEXT(names, "{\"en\":\"Country %d\",\"uk\":\"Країна %d\"}", (int)i, (int)i), &r);
		drg_record_set_s(&r, DRG_F_ISO_ALPHA_2,
		                 TEXT(code, "%c%c", 'A' + (int)i / 26, 'A' + (int)i % 26));
		take(&r);
	}
	for (int64_t i = 0; i < CATEGORIES; i++) {
		make_dict(DRG_KIND_HOTEL_CATEGORY, i, TEXT(names, "{\"en\":\"%d*\"}", (int)i), &r);
		take(&r);
	}
	for (int64_t i = 0; i < CITIES; i++) {
		make_dict(
		        DRG_KIND_CITY, i,
		        TEXT(names, "{\"en\":\"City number %d\",\"uk\":\"Місто число %d\"}", (int)i, (int)i),
		        &r);
		drg_record_set_i(&r, DRG_F_COUNTRY_ID, i % COUNTRIES);
		take(&r);
	}
}

static void load_hotels(uint64_t n)
{
	struct drg_record r;
	char names[256];
	for (uint64_t i = 0; i < n; i++) {
		int64_t city = (int64_t)(mix(i) % CITIES);
		make_dict(DRG_KIND_HOTEL, (int64_t)i,
		          TEXT(names, "{\"en\":\"Grand Palace Resort & Spa Hotel %llu\"}",
		               (unsigned long long)i),
		          &r);
		drg_record_set_i(&r, DRG_F_COUNTRY_ID, city % COUNTRIES);
		drg_record_set_i(&r, DRG_F_CITY_ID, city);
		drg_record_set_i(&r, DRG_F_HOTEL_CATEGORY_ID, (int64_t)(mix(i + 7) % CATEGORIES));
		take(&r);
	}
}

/* Source i: as in a feed, the sources of one adapter stand together. */
struct source {
	int64_t adapter;
	char id[24], name[96], country_id[24], country[32], city_id[24], city[32], category[16];
	struct drg_record r;
};

static struct drg_str source_id(uint64_t i, char *buf)
{
	return drg_str(buf, drg_i64_text((int64_t)(mix(i) % 100000000 * 1000 + i % 1000), buf));
}

static void make_source(uint64_t i, uint64_t n, uint64_t n_hotels, struct source *s)
{
	uint64_t hotel = mix(i + 3) % n_hotels, city = mix(hotel) % CITIES;
	struct drg_record *r = &s->r;
	s->adapter = (int64_t)(i * ADAPTERS / n) + 1;
	drg_record_init(r, &drg_types[DRG_TYPE_SOURCE]);
	drg_record_set_i(r, DRG_F_ADAPTER_ID, s->adapter);
	drg_record_set_i(r, DRG_F_KIND, DRG_KIND_HOTEL);
	drg_record_set_s(r, DRG_F_SOURCE_ID, source_id(i, s->id));
	drg_record_set_s(r, DRG_F_NAME,
	                 TEXT(s->name, "GRAND PALACE RESORT SPA %09llu HTL 5*", (unsigned long long)hotel));
	drg_record_set_s(r, DRG_F_CATEGORY_NAME,
	                 TEXT(s->category, "HV-%d/5*", (int)(mix(hotel + 7) % CATEGORIES)));
	drg_record_set_s(r, DRG_F_SRC_CITY_ID, TEXT(s->city_id, "%d", (int)city));
	drg_record_set_s(r, DRG_F_CITY_NAME, TEXT(s->city, "CITY NUMBER %d", (int)city));
	drg_record_set_s(r, DRG_F_SRC_COUNTRY_ID, TEXT(s->country_id, "%d", (int)(city % COUNTRIES)));
	drg_record_set_s(r, DRG_F_COUNTRY_NAME, TEXT(s->country, "COUNTRY %d", (int)(city % COUNTRIES)));
	if (mix(i + 5) % 100 < 85)
		drg_record_set_i(r, DRG_F_DICT_ID, (int64_t)hotel);
}

/* ---- measures ------------------------------------------------------------------------------------------- */

/* CPU time of this thread: what others do on the machine counts less than on the clock. */
static int64_t cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void report(const char *what, double value)
{
	printf("%-44s %10.1f\n", what, value);
}

static size_t in_use(void)
{
	struct drg_catalog_stats s;
	drg_catalog_stats(cat, &s);
	return s.heap_used + s.table_bytes;
}

static void measure_load(uint64_t n, uint64_t n_hotels)
{
	enum { CHUNK = 1000 };
	struct source *s = calloc(CHUNK, sizeof *s);
	size_t before = in_use();
	int64_t ns = 0;
	for (uint64_t i = 0; i < n; i += CHUNK) {
		for (uint64_t k = 0; k < CHUNK; k++)
			make_source(i + k, n, n_hotels, &s[k]);
		int64_t start = cpu_ns();
		for (uint64_t k = 0; k < CHUNK; k++)
			take(&s[k].r);
		ns += cpu_ns() - start;
	}
	free(s);
	report("bytes per source, all in", (double)(in_use() - before) / (double)n);
	report("ns per source taken in", (double)ns / (double)n);
}

/* One request's worth of random ids of one adapter, and its answer. */
static struct batch {
	const struct drg_adapter *adapter;
	char text[BATCH][24];
	struct drg_str ids[BATCH];
	struct drg_source found[BATCH];
	struct drg_lang_pref pref;
	struct drg_buf out;
} batch;

static void pick_batch(uint64_t round, uint64_t n)
{
	uint64_t each = n / ADAPTERS, first = round % ADAPTERS * each;
	batch.adapter = drg_catalog_adapter(cat, (int64_t)(round % ADAPTERS) + 1);
	for (uint64_t i = 0; i < BATCH; i++)
		batch.ids[i] = source_id(first + mix(round * BATCH + i) % each, batch.text[i]);
}

static void one_by_one(void)
{
	for (size_t i = 0; i < BATCH; i++)
		if (!drg_catalog_source(cat, batch.adapter, DRG_KIND_HOTEL, batch.ids[i], &batch.found[i]))
			exit(1); /* every id was put in */
}

/* As tour/sourceInfo does it. */
static void write_all(void)
{
	drg_buf_clear(&batch.out);
	static uint32_t open[BATCH];
	struct drg_mapped_tally t = { .open = open };
	drg_mapped_json(cat, batch.adapter, DRG_KIND_HOTEL, batch.ids, BATCH, &batch.pref, &batch.out, &t);
}

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

static double median_us(int64_t *ns)
{
	qsort(ns, ROUNDS, sizeof *ns, by_size);
	return (double)ns[ROUNDS / 2] / 1e3;
}

static void measure_reads(uint64_t n)
{
	static int64_t single[ROUNDS], writing[ROUNDS];
	size_t bytes = 0;
	drg_buf_init(&batch.out, 64 << 20);
	batch.pref = drg_catalog_langs(cat, DRG_STR("uk"));
	drg_read_lock();
	for (uint64_t round = 0; round < ROUNDS; round++) {
		pick_batch(2 * round, n);
		int64_t start = cpu_ns();
		one_by_one();
		single[round] = cpu_ns() - start;
		pick_batch(2 * round + 1, n);
		start = cpu_ns();
		write_all();
		writing[round] = cpu_ns() - start;
		bytes += batch.out.n;
	}
	drg_read_unlock();
	report("ns per look-up", median_us(single));
	report("us to find and write 1,000 sources with dicts", median_us(writing));
	report("KB that they are", (double)bytes / 1e3 / ROUNDS);
	drg_buf_done(&batch.out);
}

int main(int argc, char **argv)
{
	uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
	n -= n % (ADAPTERS * 1000);
	uint64_t n_hotels = n / 4;
	struct drg_err err = { 0 };
	if (n == 0 ||
	    drg_catalog_new(&(struct drg_catalog_options){ .no_search = true }, &cat, &err) != DRG_OK)
		die("catalog", &err);
	report("sources", (double)n);
	load_places();
	int64_t start = cpu_ns();
	load_hotels(n_hotels);
	report("ns per dict hotel made and taken in", (double)(cpu_ns() - start) / (double)n_hotels);
	measure_load(n, n_hotels);
	start = cpu_ns();
	if (drg_catalog_publish(cat, 1, "bench", &err) != DRG_OK)
		die("publish", &err);
	report("us to publish", (double)(cpu_ns() - start) / 1e3);
	measure_reads(n);
	drg_catalog_free(cat);
	return 0;
}
