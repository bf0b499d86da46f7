/* Random histories against the simplest catalog there could be: arrays that are searched from end to end.
 * Every answer must be the same, whatever came in which order. And the fixture, record by record, there and
 * back. */
#include "records.h"

#include "model/ndjson.h"

/* ---- the reference --------------------------------------------------------------------------------------- */

enum { ADAPTERS = 4, IDS = 400, DICTS = 60, KINDS = DRG_KIND_HOTEL + 1, STEPS = 60000 };

struct ref_source {
	bool live, mapped;
	int name, city;
	int64_t dict;
};

struct ref_dict {
	bool live;
	int name;
	int64_t country;
};

static struct ref_source sources[ADAPTERS][KINDS][IDS];
static struct ref_dict dicts[KINDS][DICTS];

static uint64_t seed;

static unsigned any(unsigned n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(seed >> 33) % n;
}

/* Ids of all lengths; some need escapes. */
static struct drg_str id_text(unsigned i, char *buf)
{
	static const char *const before[] = { "", "00", "H-", "\"", "ї" };
	static const char *const after[] = { "", "", "-long-identifier-of-a-supplier", "\"", "\\" };
	unsigned form = i % DRG_ARRAY_LEN(before);
	return drg_str(buf, (size_t)sprintf(buf, "%s%u%s", before[form], i, after[form]));
}

static int64_t dict_id(unsigned i)
{
	return (int64_t)i - DICTS / 2;
}

/* ---- one step -------------------------------------------------------------------------------------------- */

static void step_source(struct drg_catalog *c)
{
	char id[64], name[64], city[64];
	unsigned a = any(ADAPTERS), kind = any(KINDS), i = any(IDS);
	struct ref_source *want = &sources[a][kind][i];
	id_text(i, id);
	want->live = any(4) != 0;
	want->mapped = any(3) != 0;
	want->name = (int)any(3);
	want->city = (int)any(5);
	want->dict = dict_id(any(DICTS));
	snprintf(name, sizeof name, "NAME \"%d\"", want->name);
	snprintf(city, sizeof city, "CITY %d", want->city);

	struct drg_record r = source(a + 1, (enum drg_kind)kind, id, name);
	if (want->mapped)
		drg_record_set_i(&r, DRG_F_DICT_ID, want->dict);
	if (kind == DRG_KIND_HOTEL && want->city > 0)
		drg_record_set_s(&r, DRG_F_CITY_NAME, drg_str_c(city));
	r.deleted = !want->live;
	apply(c, &r);
}

static void step_dict(struct drg_catalog *c)
{
	char names[64];
	unsigned kind = any(KINDS), i = any(DICTS);
	struct ref_dict *want = &dicts[kind][i];
	want->live = any(4) != 0;
	want->name = (int)any(3);
	want->country = dict_id(any(3));
	snprintf(names, sizeof names, "{\"en\":\"Name %d\"}", want->name);
	struct drg_record r = dict((enum drg_kind)kind, dict_id(i), names);
	if (kind == DRG_KIND_HOTEL)
		drg_record_set_i(&r, DRG_F_COUNTRY_ID, want->country);
	r.deleted = !want->live;
	apply(c, &r);
}

/* ---- all answers ----------------------------------------------------------------------------------------- */

static void check_source(const struct drg_catalog *c, const struct ref_source *want,
                         const struct drg_source *got)
{
	char text[64];
	struct drg_dict d;
	assert_int_equal(got->rec != NULL, want->live);
	if (!want->live)
		return;
	snprintf(text, sizeof text, "NAME \\\"%d\\\"", want->name);
	assert_text(got->name_esc, text);
	assert_int_equal(got->dict != DRG_NO_HANDLE, want->mapped);
	if (want->mapped && drg_catalog_dict_at(c, got->dict, &d)) {
		assert_int_equal(d.id, want->dict);
		assert_int_equal(d.kind, got->kind);
	}
	if (got->kind != DRG_KIND_HOTEL)
		return;
	struct drg_buf b;
	drg_buf_init(&b, 4096);
	drg_source_json(c, got, &b);
	snprintf(text, sizeof text, want->city > 0 ? "\"city_title\":\"CITY %d\"}" : "\"city_title\":null}",
	         want->city);
	assert_text(drg_str(b.p + b.n - strlen(text), strlen(text)), text);
	drg_buf_done(&b);
}

static void check_sources(const struct drg_catalog *c, unsigned a, unsigned kind, uint64_t *live)
{
	char text[IDS][64];
	struct drg_str ids[IDS];
	struct drg_source got;
	const struct drg_adapter *adp = drg_catalog_adapter(c, a + 1);
	for (unsigned i = 0; i < IDS; i++)
		ids[i] = id_text(i, text[i]);
	for (unsigned i = 0; i < IDS; i++) {
		if (!drg_catalog_source(c, adp, (enum drg_kind)kind, ids[i], &got))
			got.rec = NULL;
		check_source(c, &sources[a][kind][i], &got);
		*live += got.rec != NULL;
	}
}

/* The chain holds exactly the sources that are mapped to the dict record. */
static void check_chain(const struct drg_catalog *c, unsigned a, unsigned kind, unsigned i, drg_handle h)
{
	size_t want = 0, got = 0;
	struct drg_source s;
	for (unsigned k = 0; k < IDS; k++) {
		const struct ref_source *r = &sources[a][kind][k];
		want += r->live && r->mapped && r->dict == dict_id(i);
	}
	const struct drg_adapter *adp = drg_catalog_adapter(c, a + 1);
	for (bool more = drg_catalog_first_source(c, adp, (enum drg_kind)kind, h, &s); more;
	     more = drg_catalog_next_source(c, &s, &s)) {
		assert_int_equal(s.dict, h);
		assert_int_equal(s.kind, kind);
		assert_int_equal(s.adapter_index, adp->index);
		got++;
	}
	assert_int_equal(got, want);
}

static void check_dicts(const struct drg_catalog *c, unsigned kind, uint64_t *live)
{
	const struct drg_lang_pref pref = { .n = 0 };
	const drg_handle *h;
	char text[64];
	struct drg_dict d;
	size_t n_live = 0, n_listed = 0;
	for (unsigned i = 0; i < DICTS; i++) {
		const struct ref_dict *want = &dicts[kind][i];
		assert_int_equal(drg_catalog_dict(c, (enum drg_kind)kind, dict_id(i), &d), want->live);
		if (!want->live)
			continue;
		n_live++;
		snprintf(text, sizeof text, "Name %d", want->name);
		assert_text(drg_dict_name_esc(&d, &pref), text);
		for (unsigned a = 0; a < ADAPTERS; a++)
			check_chain(c, a, kind, i, d.handle);
	}
	size_t n = drg_catalog_kind_handles(c, (enum drg_kind)kind, &h);
	for (size_t i = 0; i < n; i++)
		n_listed += drg_catalog_dict_at(c, h[i], &d);
	assert_int_equal(n_listed, n_live);
	*live += n_live;
}

static void check_countries(const struct drg_catalog *c)
{
	for (unsigned k = 0; k < 3; k++) {
		struct drg_dict country, d;
		const drg_handle *h;
		size_t want = 0, got = 0;
		if (!drg_catalog_dict(c, DRG_KIND_COUNTRY, dict_id(k), &country))
			continue;
		for (unsigned i = 0; i < DICTS; i++)
			want += dicts[DRG_KIND_HOTEL][i].live &&
			        dicts[DRG_KIND_HOTEL][i].country == dict_id(k);
		size_t n = drg_catalog_country_hotels(c, country.handle, &h);
		for (size_t i = 0; i < n; i++)
			got += drg_catalog_dict_at(c, h[i], &d) && d.country == country.handle;
		assert_int_equal(got, want);
	}
}

static void check_all(const struct drg_catalog *c)
{
	uint64_t n_sources = 0, n_dicts = 0;
	struct drg_catalog_stats s;
	drg_read_lock();
	for (unsigned kind = 0; kind < KINDS; kind++) {
		for (unsigned a = 0; a < ADAPTERS; a++)
			check_sources(c, a, kind, &n_sources);
		check_dicts(c, kind, &n_dicts);
	}
	check_countries(c);
	drg_read_unlock();
	drg_catalog_stats(c, &s);
	assert_int_equal(s.sources, n_sources);
	assert_int_equal(s.dicts, n_dicts);
}

static void random_history(uint64_t start)
{
	struct drg_catalog *c = new_catalog(0);
	memset(sources, 0, sizeof sources);
	memset(dicts, 0, sizeof dicts);
	seed = start;
	for (int64_t i = 1; i <= ADAPTERS; i++) {
		struct drg_record r = adapter(i, "code");
		apply(c, &r);
	}
	publish(c, 1);
	for (unsigned i = 0; i < STEPS; i++) {
		if (any(10) == 0)
			step_dict(c);
		else
			step_source(c);
		if (i % (STEPS / 8) == 0 || i < 3)
			check_all(c);
		if (any(1000) == 0)
			publish(c, i + 2);
	}
	check_all(c);
	drg_catalog_free(c);
}

static void random_histories_answer_as_arrays_do(void **state)
{
	(void)state;
	for (uint64_t s = 1; s <= 3; s++)
		random_history(s);
}

/* ---- growth ---------------------------------------------------------------------------------------------- */

static void hundred_thousand_are_all_found(void **state)
{
	(void)state;
	enum { N = 100000 };
	struct drg_catalog *c = new_catalog(0);
	char id[32];
	struct drg_source s;
	struct drg_record r = adapter(1, "a");
	apply(c, &r);
	publish(c, 1);
	for (int i = 0; i < N; i++) {
		snprintf(id, sizeof id, "%d", i);
		r = mapped(1, DRG_KIND_HOTEL, id, i % (N / 2));
		apply(c, &r);
	}
	const struct drg_adapter *a = drg_catalog_adapter(c, 1);
	for (int i = 0; i < N; i++) {
		size_t n = (size_t)snprintf(id, sizeof id, "%d", i);
		assert_true(drg_catalog_source(c, a, DRG_KIND_HOTEL, drg_str(id, n), &s));
		assert_true(drg_catalog_first_source(c, a, DRG_KIND_HOTEL, s.dict, &s));
		assert_true(drg_catalog_next_source(c, &s, &s));
		assert_false(drg_catalog_next_source(c, &s, &s));
	}
	drg_catalog_free(c);
}

/* One dict record with very many sources, moved away one by one: no step may walk the chain. */
static void a_long_chain_is_taken_apart_quickly(void **state)
{
	(void)state;
	enum { N = 100000 };
	struct drg_catalog *c = new_catalog(0);
	char id[32];
	for (int to = 1; to <= 2; to++) {
		for (int i = 0; i < N; i++) {
			snprintf(id, sizeof id, "%d", i);
			struct drg_record r = mapped(1, DRG_KIND_HOTEL, id, to);
			apply(c, &r);
		}
	}
	struct drg_catalog_stats s;
	drg_catalog_stats(c, &s);
	assert_int_equal(s.sources, N);
	drg_catalog_free(c);
}

/* ---- the fixture, there and back ------------------------------------------------------------------------- */

enum { LINES_MAX = 200, LINE_BYTES = 8192 };

struct lines {
	char text[LINES_MAX][LINE_BYTES];
	size_t n;
};

static void add_line(struct lines *l, const struct drg_record *r)
{
	struct drg_record kept = *r;
	struct drg_buf b;
	for (unsigned i = 0; i < r->type->n_fields; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		if ((f->flags & DRG_FF_ID) == 0 && !drg_field_in_catalog(f, drg_record_kind(r)))
			kept.has &= ~drg_field_bit(f->field);
	}
	drg_buf_init(&b, LINE_BYTES - 1);
	drg_ndjson_write(&kept, &b);
	assert_int_equal(b.rc, DRG_OK);
	assert_true(l->n < LINES_MAX);
	memcpy(l->text[l->n], b.p, b.n);
	l->text[l->n++][b.n] = '\0';
	drg_buf_done(&b);
}

static int add_row(void *ctx, const struct drg_record *r)
{
	add_line(ctx, r);
	return DRG_OK;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void read_fixture(struct drg_catalog *c, struct lines *want)
{
	static char line[65536];
	char path[1024];
	struct drg_arena arena;
	struct drg_err err = { 0 };
	drg_arena_init(&arena, 1 << 20);
	FILE *f = fopen(fixture("mini.ndjson", path, sizeof path), "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f) != NULL) {
		struct drg_record r;
		if (drg_ndjson_read(drg_str(line, strcspn(line, "\n")), &arena, &r, &err) != DRG_OK)
			fail_msg("%s: %s", err.field, err.message);
		apply(c, &r);
		if (r.type->in_catalog)
			add_line(want, &r);
		drg_arena_reset(&arena);
	}
	fclose(f);
	drg_arena_done(&arena);
}

static void the_fixture_comes_back(void **state)
{
	(void)state;
	static struct lines want, got;
	struct drg_catalog *c = new_catalog(0);
	read_fixture(c, &want);
	publish(c, 1);
	assert_int_equal(drg_catalog_each(c, add_row, &got), DRG_OK);
	assert_true(want.n > 40);
	assert_int_equal(got.n, want.n);
	qsort(want.text, want.n, LINE_BYTES, by_text);
	qsort(got.text, got.n, LINE_BYTES, by_text);
	for (size_t i = 0; i < want.n; i++)
		assert_string_equal(got.text[i], want.text[i]);
	drg_catalog_free(c);
}

static int stop(void *ctx, const struct drg_record *r)
{
	(void)r;
	++*(int *)ctx;
	return DRG_ESTOPPED;
}

static void the_walk_can_be_stopped(void **state)
{
	(void)state;
	static struct lines unused;
	int calls = 0;
	struct drg_catalog *c = new_catalog(0);
	read_fixture(c, &unused);
	assert_int_equal(drg_catalog_each(c, stop, &calls), DRG_ESTOPPED);
	assert_int_equal(calls, 1);
	drg_catalog_free(c);
}

GROUP(model)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_histories_answer_as_arrays_do),
		cmocka_unit_test(hundred_thousand_are_all_found),
		cmocka_unit_test(a_long_chain_is_taken_apart_quickly),
		cmocka_unit_test(the_fixture_comes_back),
		cmocka_unit_test(the_walk_can_be_stopped),
	};
	return cmocka_run_group_tests_name("catalog against arrays", tests, NULL, NULL);
}
