/* Figures of the catalog alone, one thread: memory per record, time per record taken in, look-ups in batches, and
 * the JSON of answers. `catalog_bench [SOURCES]`, 1,000,000 hotels unless told. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
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
		int64_t start = drg_clock_ns();
		for (uint64_t k = 0; k < CHUNK; k++)
			take(&s[k].r);
		ns += drg_clock_ns() - start;
	}
	free(s);
	printf("%-44s %10.1f\n", "bytes per source, all in", (double)(in_use() - before) / (double)n);
	printf("%-44s %10.1f\n", "ns per source taken in", (double)ns / (double)n);
}

static void pick_batch(uint64_t round, uint64_t n, uint64_t adapter, struct drg_str *ids, char (*text)[24])
{
	uint64_t each = n / ADAPTERS;
	for (uint64_t i = 0; i < BATCH; i++)
		ids[i] = source_id(adapter * each + mix(round * BATCH + i) % each, text[i]);
}

static double us(int64_t ns)
{
	return (double)ns / 1e3 / ROUNDS;
}

static void measure_reads(uint64_t n)
{
	static char text[BATCH][24];
	static struct drg_str ids[BATCH];
	static struct drg_source found[BATCH];
	struct drg_buf out;
	int64_t one_by_one = 0, batch = 0, render = 0, known = 0;
	size_t bytes = 0;
	drg_buf_init(&out, 64 << 20);
	struct drg_lang_pref pref = drg_catalog_langs(cat, DRG_STR("uk"));
	drg_read_lock();
	for (uint64_t round = 0; round < 3 * ROUNDS; round++) {
		const struct drg_adapter *a = drg_catalog_adapter(cat, (int64_t)(round % ADAPTERS) + 1);
		pick_batch(round, n, round % ADAPTERS, ids, text);
		int64_t t0 = drg_clock_ns();
		if (round % 3 == 0) {
			for (size_t i = 0; i < BATCH; i++)
				known += drg_catalog_source(cat, a, DRG_KIND_HOTEL, ids[i], &found[i]);
			one_by_one += drg_clock_ns() - t0;
			continue;
		}
		drg_catalog_sources(cat, a, DRG_KIND_HOTEL, ids, BATCH, found);
		int64_t t1 = drg_clock_ns();
		if (round % 3 == 1) {
			batch += t1 - t0;
			continue;
		}
		drg_buf_clear(&out);
		for (size_t i = 0; i < BATCH; i++) {
			struct drg_dict d;
			if (i % 32 == 0)
				drg_catalog_prefetch(cat, found + i, BATCH - i < 32 ? BATCH - i : 32);
			drg_buf_lit(&out, "{\"source\":");
			drg_source_json(cat, &found[i], &out);
			drg_buf_lit(&out, ",\"dict\":");
			if (drg_catalog_dict_at(cat, found[i].dict, &d))
				drg_dict_json(cat, &d, &pref, &out);
			else
				drg_buf_lit(&out, "null");
			drg_buf_lit(&out, "},");
		}
		render += drg_clock_ns() - t1;
		bytes += out.n;
	}
	drg_read_unlock();
	if (known != (int64_t)ROUNDS * BATCH)
		printf("unknown ids: %lld\n", (long long)((int64_t)ROUNDS * BATCH - known));
	printf("%-44s %10.1f\n", "ns per look-up, one by one", us(one_by_one));
	printf("%-44s %10.1f\n", "ns per look-up, batches of 1,000", us(batch));
	printf("%-44s %10.1f\n", "us to write 1,000 sources with dicts", us(render));
	printf("%-44s %10.1f\n", "KB that they are", (double)bytes / 1e3 / ROUNDS);
	drg_buf_done(&out);
}

int main(int argc, char **argv)
{
	uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
	n -= n % (ADAPTERS * 1000);
	uint64_t n_hotels = n / 4;
	struct drg_err err = { 0 };
	if (n == 0 || drg_catalog_new(&(struct drg_catalog_options){ 0 }, &cat, &err) != DRG_OK)
		die("catalog", &err);
	printf("%-44s %10llu\n", "sources", (unsigned long long)n);
	load_places();
	int64_t start = drg_clock_ns();
	load_hotels(n_hotels);
	printf("%-44s %10.1f\n", "ns per dict hotel made and taken in",
	       (double)(drg_clock_ns() - start) / (double)n_hotels);
	measure_load(n, n_hotels);
	start = drg_clock_ns();
	if (drg_catalog_publish(cat, 1, "bench", &err) != DRG_OK)
		die("publish", &err);
	printf("%-44s %10.1f\n", "us to publish", (double)(drg_clock_ns() - start) / 1e3);
	measure_reads(n);
	drg_catalog_free(cat);
	return 0;
}
