#include "../unit.h"

#include <stdio.h>

#include "import/ident.h"

static struct drg_arena arena;

static struct drg_record record(const char *line)
{
	struct drg_record r;
	struct drg_err e;
	if (drg_ndjson_read(drg_str_c(line), &arena, &r, &e) != DRG_OK)
		fail_msg("%s: %s: %s", line, e.field, e.message);
	return r;
}

static const char *const lines[] = {
	"{\"type\":\"adapter\",\"id\":1,\"code\":\"a\",\"name\":\"A\",\"domain\":\"air\"}",
	"{\"type\":\"adapter\",\"id\":2,\"code\":\"b\",\"name\":\"B\",\"domain\":\"air\"}",
	"{\"type\":\"dict\",\"kind\":\"country\",\"id\":1,\"name\":\"A\",\"iso_alpha_2\":\"AA\"}",
	"{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":\"A\"}",
	"{\"type\":\"dict\",\"kind\":\"meal\",\"id\":-1,\"name\":\"A\"}",
	"{\"type\":\"air_place\",\"source_id\":1,\"place\":\"apt\",\"code\":\"AAA\",\"name\":\"A\",\"country_"
	"code\":\"AA\"}",
	"{\"type\":\"source\",\"adapter_id\":1,\"kind\":\"meal\",\"id\":\"1\",\"name\":\"A\"}",
	"{\"type\":\"source\",\"adapter_id\":1,\"kind\":\"hotel\",\"id\":\"1\",\"name\":\"A\"}",
	"{\"type\":\"source\",\"adapter_id\":1,\"kind\":\"hotel\",\"id\":\"01\",\"name\":\"A\"}",
	"{\"type\":\"source\",\"adapter_id\":2,\"kind\":\"hotel\",\"id\":\"1\",\"name\":\"A\"}",
	"{\"type\":\"hotel_content\",\"adapter_id\":1,\"hotel_id\":\"1\"}",
	"{\"type\":\"direction\",\"adapter_id\":1,\"dep_city_id\":2,\"country_id\":3}",
	"{\"type\":\"direction\",\"adapter_id\":1,\"dep_city_id\":3,\"country_id\":2}",
	"{\"type\":\"air_source\",\"adapter_id\":1,\"source_id\":1,\"data\":{}}",
	"{\"type\":\"air_map\",\"adapter_id\":1,\"external_id\":\"1\",\"source_id\":1}",
	"{\"type\":\"redirect\",\"kind\":\"meal\",\"id\":1,\"to\":2}",
	"{\"type\":\"mapping_event\",\"adapter_id\":1,\"kind\":\"meal\",\"id\":\"1\",\"at\":\"2026-01-01T00:"
	"00:00Z\"}",
};
enum { N_LINES = sizeof lines / sizeof lines[0] };

static void each_identity_has_its_own_ident(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_LINES; i++)
		for (size_t k = 0; k < N_LINES; k++) {
			struct drg_record a = record(lines[i]), b = record(lines[k]);
			struct drg_ident x = drg_ident_of(&a), y = drg_ident_of(&b);
			if (drg_ident_eq(x, y) != (i == k))
				fail_msg("%s, %s", lines[i], lines[k]);
			assert_int_equal(drg_ident_cmp(x, y) == 0, i == k);
			assert_int_equal(drg_ident_cmp(x, y), -drg_ident_cmp(y, x));
		}
}

static void a_removal_has_the_ident_of_its_record(void **state)
{
	(void)state;
	struct drg_record a = record(lines[7]);
	struct drg_record b = record(
	        "{\"type\":\"source\",\"adapter_id\":1,\"kind\":\"hotel\",\"id\":\"1\",\"deleted\":true}");
	assert_true(drg_ident_eq(drg_ident_of(&a), drg_ident_of(&b)));
}

static void an_exact_ident_gives_its_record_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_LINES; i++) {
		struct drg_record a = record(lines[i]), b;
		bool exact = a.type->id == DRG_TYPE_ADAPTER || a.type->id == DRG_TYPE_DICT ||
		             a.type->id == DRG_TYPE_AIR_PLACE;
		assert_int_equal(drg_ident_record(drg_ident_of(&a), &b), exact);
		char x[100], y[100];
		if (exact)
			assert_string_equal(drg_record_label(&a, x, sizeof x),
			                    drg_record_label(&b, y, sizeof y));
	}
}

struct expected {
	size_t n;
	struct drg_ident idents[8];
};

static void collect(void *ctx, int ref, int64_t id, struct drg_str text, const char *field)
{
	struct expected *x = ctx;
	(void)field;
	x->idents[x->n++] = drg_ident_of_ref(ref, id, text);
}

static void a_reference_has_the_ident_of_what_it_names(void **state)
{
	(void)state;
	struct drg_record content = record(lines[10]), air = record(lines[13]), place = record(lines[5]);
	struct drg_record adapter = record(lines[0]), hotel = record(lines[7]);
	struct expected x = { .n = 0 };
	assert_int_equal(drg_record_refs(&content, collect, &x), DRG_OK);
	assert_int_equal(drg_record_refs(&air, collect, &x), DRG_OK);
	assert_int_equal(x.n, 4);
	const struct drg_record *named[] = { &adapter, &hotel, &adapter, &place };
	for (size_t i = 0; i < 4; i++)
		assert_true(drg_ident_eq(x.idents[i], drg_ident_of(named[i])));
}

static void entries_of_a_record(void **state)
{
	(void)state;
	static const struct {
		const char *line;
		enum drg_role role;
		size_t needs;
	} cases[] = {
		{ "{\"type\":\"source\",\"adapter_id\":1,\"kind\":\"meal\",\"id\":\"1\",\"name\":\"A\","
		  "\"dict_id\":4}",
		  DRG_ROLE_DEFINE, 2 },
		{ "{\"type\":\"source\",\"adapter_id\":1,\"kind\":\"meal\",\"id\":\"1\",\"name\":\"A\","
		  "\"dict_id\":null}",
		  DRG_ROLE_DEFINE, 1 },
		{ "{\"type\":\"source\",\"adapter_id\":1,\"kind\":\"meal\",\"id\":\"1\",\"name\":\"A\"}",
		  DRG_ROLE_DEFINE_KEEPING, 1 },
		{ "{\"type\":\"source\",\"adapter_id\":1,\"kind\":\"meal\",\"id\":\"1\",\"deleted\":true}",
		  DRG_ROLE_REMOVE, 0 },
		{ "{\"type\":\"adapter\",\"id\":1,\"code\":\"a\",\"name\":\"A\",\"domain\":\"air\"}",
		  DRG_ROLE_DEFINE, 0 },
	};
	static struct drg_ident_cache cache;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct drg_buf out;
		struct drg_record r = record(cases[i].line);
		drg_buf_init(&out, SIZE_MAX);
		drg_ident_cache_clear(&cache);
		drg_ident_entries(&r, 1234567890123, &cache, &out);
		const struct drg_refset_entry *e = (const struct drg_refset_entry *)out.p;
		assert_int_equal(out.n, (1 + cases[i].needs) * sizeof *e);
		assert_int_equal(drg_entry_role(&e[0]), cases[i].role);
		assert_true(drg_ident_eq(drg_entry_ident(&e[0]), drg_ident_of(&r)));
		for (size_t k = 0; k <= cases[i].needs; k++)
			assert_int_equal(drg_entry_at(&e[k]), 1234567890123);
		for (size_t k = 1; k <= cases[i].needs; k++)
			assert_int_equal(drg_entry_role(&e[k]), DRG_ROLE_NEED);

		/* Once more: its needs are known by now. */
		drg_buf_clear(&out);
		drg_ident_entries(&r, 1, &cache, &out);
		assert_int_equal(out.n, sizeof *e);
		drg_buf_done(&out);
	}
}

static void unique_values_are_told_apart_by_type_and_kind(void **state)
{
	(void)state;
	struct drg_record a = record(
	        "{\"type\":\"dict\",\"kind\":\"country\",\"id\":1,\"name\":\"A\",\"iso_alpha_2\":\"TR\"}");
	struct drg_record b = record(
	        "{\"type\":\"dict\",\"kind\":\"country\",\"id\":2,\"name\":\"B\",\"iso_alpha_2\":\"tr\"}");
	struct drg_record c = record(
	        "{\"type\":\"dict\",\"kind\":\"currency\",\"id\":1,\"name\":\"A\",\"iso_code\":\"TRY\"}");
	const struct drg_field_def *alpha = drg_field_of(a.type, DRG_F_ISO_ALPHA_2);
	const struct drg_field_def *code = drg_field_of(a.type, DRG_F_ISO_CODE);
	assert_true(drg_ident_eq(drg_ident_of_value(&a, alpha), drg_ident_of_value(&b, alpha)));
	assert_false(drg_ident_eq(drg_ident_of_value(&a, alpha), drg_ident_of_value(&c, code)));
}

GROUP(ident)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_identity_has_its_own_ident),
		cmocka_unit_test(a_removal_has_the_ident_of_its_record),
		cmocka_unit_test(an_exact_ident_gives_its_record_back),
		cmocka_unit_test(a_reference_has_the_ident_of_what_it_names),
		cmocka_unit_test(entries_of_a_record),
		cmocka_unit_test(unique_values_are_told_apart_by_type_and_kind),
	};
	drg_arena_init(&arena, 1 << 24);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	drg_arena_done(&arena);
	return failed;
}
