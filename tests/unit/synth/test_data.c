/* What is in a synthetic data set: valid lines, unique identities, references that resolve, and suppliers whose
 * habits lie within the bounds that docs/interchange.md and the command's manual promise. */
#include "synth/synth.h"

#include <stdio.h>

#include "../unit.h"
#include "model/ndjson.h"

enum { HOTELS = 8000, ADAPTERS = 12 };

/** A growing array of hashes of texts. */
struct hashes {
	uint64_t *h;
	size_t n, cap;
};

/** What is known of a hotel of the reference. */
struct hotel {
	double lat, lng;
	int records[ADAPTERS]; /**< of each supplier */
};

static struct {
	struct drg_buf text;
	struct drg_synth_totals totals;
	struct hashes identities, wanted;
	struct hotel hotels[HOTELS];
	unsigned sources, unmapped, swapped, no_category, no_position, per_adapter[ADAPTERS];
	unsigned types[DRG_TYPE_COUNT], kinds[DRG_KIND_COUNT];
} data;

static void add_hash(struct hashes *s, const char *text)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	for (; *text != '\0'; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	if (s->n == s->cap) {
		s->cap = s->cap == 0 ? 1024 : s->cap * 2;
		s->h = realloc(s->h, s->cap * sizeof *s->h);
	}
	s->h[s->n++] = h;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/** Names of records as references have them: "2 792" for dict country 792. */
static void add_identity(const struct drg_record *r)
{
	char text[256];
	switch (r->type->id) {
	case DRG_TYPE_ADAPTER:
		snprintf(text, sizeof text, "%d %lld ", DRG_REF_ADAPTER, (long long)r->v[DRG_F_ID].i);
		break;
	case DRG_TYPE_DICT:
		snprintf(text, sizeof text, "%d %lld ", (int)drg_record_kind(r), (long long)r->v[DRG_F_ID].i);
		break;
	case DRG_TYPE_AIR_PLACE:
		snprintf(text, sizeof text, "%d %lld ", DRG_REF_PLACE, (long long)r->v[DRG_F_PLACE_ID].i);
		break;
	case DRG_TYPE_SOURCE:
		if (drg_record_kind(r) == DRG_KIND_HOTEL) {
			struct drg_str id = r->v[DRG_F_SOURCE_ID].s;
			snprintf(text, sizeof text, "%d %lld %.*s", DRG_REF_SOURCE_HOTEL,
			         (long long)r->v[DRG_F_ADAPTER_ID].i, DRG_STR_ARG(id));
			break;
		}
		__attribute__((fallthrough));
	default: drg_record_label(r, text, sizeof text); break;
	}
	add_hash(&data.identities, text);
}

static void want(void *ctx, int ref, int64_t id, struct drg_str text, const char *field)
{
	(void)ctx, (void)field;
	char name[256];
	snprintf(name, sizeof name, "%d %lld %.*s", ref, (long long)id, DRG_STR_ARG(text));
	add_hash(&data.wanted, name);
}

static bool near(double a, double b)
{
	return a - b < 0.011 && b - a < 0.011;
}

static void look_at_source(const struct drg_record *r)
{
	unsigned adapter = (unsigned)(r->v[DRG_F_ADAPTER_ID].i - DRG_SYNTH_FIRST_ADAPTER);
	data.sources++;
	data.per_adapter[adapter]++;
	data.no_category += !drg_record_has(r, DRG_F_CATEGORY_NAME);
	data.no_position += !drg_record_has(r, DRG_F_LAT);
	assert_true(drg_record_has(r, DRG_F_COUNTRY_NAME) && drg_record_has(r, DRG_F_CITY_NAME));
	if (!drg_record_has(r, DRG_F_DICT_ID)) {
		data.unmapped++;
		return;
	}
	struct hotel *h = &data.hotels[r->v[DRG_F_DICT_ID].i - DRG_SYNTH_FIRST_HOTEL];
	h->records[adapter]++;
	if (!drg_record_has(r, DRG_F_LAT))
		return;
	double lat = r->v[DRG_F_LAT].d, lng = r->v[DRG_F_LNG].d;
	bool swapped = near(lat, h->lng) && near(lng, h->lat) && !near(lat, h->lat);
	assert_true(swapped || (near(lat, h->lat) && near(lng, h->lng)));
	data.swapped += swapped;
}

static void look_at(const struct drg_record *r)
{
	data.types[r->type->id]++;
	if (drg_record_kind(r) != DRG_KIND_NONE)
		data.kinds[drg_record_kind(r)]++;
	if (r->type->id == DRG_TYPE_DICT && drg_record_kind(r) == DRG_KIND_HOTEL) {
		struct hotel *h = &data.hotels[r->v[DRG_F_ID].i - DRG_SYNTH_FIRST_HOTEL];
		h->lat = r->v[DRG_F_LAT].d;
		h->lng = r->v[DRG_F_LNG].d;
	}
	if (r->type->id == DRG_TYPE_SOURCE && drg_record_kind(r) == DRG_KIND_HOTEL)
		look_at_source(r);
}

static int keep(void *ctx, struct drg_str bytes, struct drg_err *reterr)
{
	(void)reterr;
	drg_buf_str(ctx, bytes);
	return DRG_OK;
}

/* Make the set once, and read every line as an import does. */
static int set_up(void **state)
{
	(void)state;
	drg_buf_init(&data.text, 1U << 30);
	struct drg_synth_options opt = {
		.hotels = HOTELS, .adapters = ADAPTERS, .seed = 11, .content_percent = 5
	};
	struct drg_synth_sink sink = { .write = keep, .write_ctx = &data.text };
	assert_int_equal(drg_synth_run(&opt, &sink, &data.totals, NULL), DRG_OK);
	struct drg_arena arena;
	drg_arena_init(&arena, 1 << 24);
	struct drg_str rest = drg_buf_view(&data.text), line;
	while (drg_str_split(&rest, '\n', &line) && rest.p != NULL) {
		struct drg_record r;
		struct drg_err err;
		drg_arena_reset(&arena);
		if (drg_ndjson_read(line, &arena, &r, &err) != DRG_OK)
			fail_msg("%.*s: %s: %s", DRG_STR_ARG(line), err.field, err.message);
		add_identity(&r);
		assert_int_equal(drg_record_refs(&r, want, NULL), DRG_OK);
		look_at(&r);
	}
	drg_arena_done(&arena);
	qsort(data.identities.h, data.identities.n, sizeof(uint64_t), compare);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	drg_buf_done(&data.text);
	free(data.identities.h);
	free(data.wanted.h);
	return 0;
}

static void test_identities_are_unique(void **state)
{
	(void)state;
	assert_int_equal(data.identities.n, data.totals.lines);
	for (size_t i = 1; i < data.identities.n; i++)
		assert_true(data.identities.h[i - 1] != data.identities.h[i]);
}

static void test_references_resolve(void **state)
{
	(void)state;
	assert_true(data.wanted.n > data.sources);
	for (size_t i = 0; i < data.wanted.n; i++)
		assert_non_null(bsearch(&data.wanted.h[i], data.identities.h, data.identities.n,
		                        sizeof(uint64_t), compare));
}

static void test_every_type_and_kind_is_there(void **state)
{
	(void)state;
	static const enum drg_type_id types[] = { DRG_TYPE_ADAPTER,      DRG_TYPE_DICT,
		                                  DRG_TYPE_SOURCE,       DRG_TYPE_DIRECTION,
		                                  DRG_TYPE_AIR_PLACE,    DRG_TYPE_AIR_SOURCE,
		                                  DRG_TYPE_HOTEL_CONTENT };
	for (size_t i = 0; i < DRG_ARRAY_LEN(types); i++)
		assert_true(data.types[types[i]] > 0);
	for (int k = 0; k < DRG_KIND_COUNT; k++)
		assert_true(data.kinds[k] > 0);
	assert_int_equal(data.types[DRG_TYPE_ADAPTER], ADAPTERS + 2);
}

/** Assert that @p part is between @p low and @p high thousandths of @p whole. */
static void assert_share(unsigned part, unsigned whole, unsigned low, unsigned high)
{
	assert_in_range((uint64_t)part * 1000 / whole, low, high);
}

static void test_suppliers_differ_in_size(void **state)
{
	(void)state;
	unsigned least = UINT32_MAX, most = 0;
	for (int a = 0; a < ADAPTERS; a++) {
		unsigned n = data.per_adapter[a];
		assert_share(n, HOTELS, 25, 680); /* 3..60 % of the hotels, and their own and double ones */
		least = n < least ? n : least;
		most = n > most ? n : most;
	}
	assert_share(data.sources, HOTELS * ADAPTERS, 200, 320);
	assert_true(most > 5 * least);
}

static void test_flaws_are_within_bounds(void **state)
{
	(void)state;
	assert_share(data.unmapped, data.sources, 45, 80);
	assert_share(data.no_category, data.sources, 10, 120);
	assert_share(data.no_position, data.sources, 30, 450);
	assert_in_range(data.swapped, 1, data.sources / 100);
}

static void test_some_hotels_stand_twice_and_some_nowhere(void **state)
{
	(void)state;
	unsigned twice = 0, pairs = 0, nowhere = 0;
	for (int k = 0; k < HOTELS; k++) {
		bool somewhere = false;
		for (int a = 0; a < ADAPTERS; a++) {
			assert_in_range(data.hotels[k].records[a], 0, 2);
			pairs += data.hotels[k].records[a] > 0;
			twice += data.hotels[k].records[a] == 2;
			somewhere |= data.hotels[k].records[a] > 0;
		}
		nowhere += !somewhere;
	}
	assert_share(twice, pairs, 8, 32);
	assert_share(nowhere, HOTELS, 1, 200);
}

GROUP(data)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_identities_are_unique),
		cmocka_unit_test(test_references_resolve),
		cmocka_unit_test(test_every_type_and_kind_is_there),
		cmocka_unit_test(test_suppliers_differ_in_size),
		cmocka_unit_test(test_flaws_are_within_bounds),
		cmocka_unit_test(test_some_hotels_stand_twice_and_some_nowhere),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
