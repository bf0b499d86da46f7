/* Texts of the air search, over a few hundred places with names in several scripts. */
#include "catalog/air/air.h"
#include "catalog/rcu.h"
#include "fuzz.h"
#include "model/ndjson.h"
#include "text/lang.h"
#include "text/utf8.h"

enum { MEMORY = 64 << 20, PLACES = 400 };

static struct drg_catalog *catalog;

static void put(const char *line)
{
	struct drg_arena arena;
	struct drg_record r;
	struct drg_err err = { 0 };
	drg_arena_init(&arena, MEMORY);
	if (drg_ndjson_read(drg_str_c(line), &arena, &r, &err) != DRG_OK ||
	    drg_catalog_apply(catalog, &r, &err) != DRG_OK) {
		fprintf(stderr, "%s: %s\n", line, err.message);
		abort();
	}
	drg_arena_done(&arena);
}

/* Names that begin alike, share words, and stand in several scripts: many places for each letter. */
static void put_place(unsigned i)
{
	static const char *const words[] = { "San",    "Santa", "New",  "Nova",  "Kyiv", "Київ",
		                             "Москва", "東京",  "パリ", "باريس", "Port", "Bad",
		                             "Île",    "Al",    "Ust",  "Lake" };
	static const char *const ends[] = {
		"International Airport", "City", "Intl", "аэропорт", "空港", "Field", "Island", ""
	};
	char line[400];
	snprintf(line, sizeof line,
	         "{\"type\":\"air_place\",\"source_id\":%u,\"place\":\"%s\",\"code\":\"%c%c%c\",\"name\":{"
	         "\"en\":\"%s %s %s\","
	         "\"ru\":\"%s %u\"},\"country_code\":\"%s\",\"weight\":%u}",
	         i + 1, i % 3 != 0 ? "apt" : "city", 'A' + i % 26, 'A' + i / 26 % 26, 'A' + i / 7 % 26,
	         words[i % 16], words[i / 16 % 16], ends[i % 8], words[(i * 7 + 3) % 16], i,
	         i % 2 != 0 ? "UA" : "US", i * 37 % 50);
	put(line);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	struct drg_err err = { 0 };
	REQUIRE(drg_catalog_new(&(struct drg_catalog_options){ .max_bytes = 0 }, &catalog, &err) == DRG_OK);
	for (unsigned i = 0; i < PLACES; i++)
		put_place(i);
	REQUIRE(drg_catalog_publish(catalog, 1, "epoch", &err) == DRG_OK);
	return 0;
}

static void search(const struct drg_air_query *q)
{
	const struct drg_air_place *found = NULL;
	struct drg_arena arena;
	size_t n = 0, total = 0;
	drg_arena_init(&arena, MEMORY);
	drg_read_lock();
	REQUIRE(drg_air_search(catalog, q, &arena, &found, &n, &total) == DRG_OK);
	REQUIRE(n <= q->limit && n <= total);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			REQUIRE(found[i].id != found[k].id);
	drg_read_unlock();
	drg_arena_done(&arena);
}

/* The text, as the endpoint lets it through: UTF-8, not too long. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct drg_str text = input_text(data, n);
	if (!drg_utf8_valid(text, NULL) || drg_utf8_count(text) > DRG_AIR_QUERY_MAX)
		return 0;
	struct drg_air_place place;
	drg_read_lock();
	(void)drg_air_by_title(catalog, &(struct drg_air_title){ .title = text }, &place);
	drg_read_unlock();
	search(&(struct drg_air_query){ .text = text, .lang = DRG_STR("ru"), .limit = 20 });
	return 0;
}
