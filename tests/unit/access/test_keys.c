#include "../importing.h"

#include "catalog/rcu.h"
#include "access/keys.h"
#include "access/key_check.h"

static struct importing data;
static struct drg_store *store;

/* The catalog that a server would have of the store now. */
static struct drg_catalog *cat;

static int apply(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	return drg_catalog_apply(ctx, r, NULL);
}

static void reload(void)
{
	struct drg_rows rows;
	const struct drg_filter all = { .internal = true };
	drg_catalog_free(cat);
	assert_int_equal(drg_catalog_new(&(struct drg_catalog_options){ .max_bytes = 1 << 24 }, &cat, NULL),
	                 DRG_OK);
	assert_int_equal(drg_rows_each(drg_rows_scan(&rows, store, &all, NULL), apply, cat), DRG_OK);
	assert_int_equal(drg_catalog_publish(cat, 1, "epoch", NULL), DRG_OK);
}

/* As the commands do it. */
static int key_create(const struct drg_key_spec *spec, struct drg_key_made *ret, struct drg_err *reterr)
{
	struct drg_key_creation c = { .spec = *spec, .made = *ret };
	int rc = drg_txn_run(store, drg_keys_create, &c, reterr);
	*ret = c.made;
	return rc;
}

static int key_revoke(int64_t id, struct drg_err *reterr)
{
	struct drg_key_change c = { .id = id };
	return drg_txn_run(store, drg_keys_revoke, &c, reterr);
}

static int key_rotate(int64_t id, int64_t overlap_us, struct drg_key_made *ret, struct drg_err *reterr)
{
	struct drg_key_change c = { .id = id, .overlap_us = overlap_us };
	int rc = drg_txn_run(store, drg_keys_rotate, &c, reterr);
	*ret = c.made;
	return rc;
}

static struct drg_key_made create(struct drg_key_spec spec)
{
	struct drg_key_made made = { 0 };
	struct drg_err err = { 0 };
	if (key_create(&spec, &made, &err) != DRG_OK)
		fail_msg("%s", err.message);
	reload();
	return made;
}

/* All questions come on one connection, as it were: what it remembers must not change an answer. */
static struct drg_key_memo memo;

static const struct drg_key *find(enum drg_api api, const char *text, int64_t now_us)
{
	drg_read_lock();
	const struct drg_key *k = drg_keys_find(cat, api, drg_str_c(text), &memo, now_us);
	assert_ptr_equal(k, drg_keys_find(cat, api, drg_str_c(text), &memo, now_us));
	assert_ptr_equal(k, drg_keys_find(cat, api, drg_str_c(text), NULL, now_us));
	drg_read_unlock(); /* nobody writes */
	return k;
}

static int64_t seq(void)
{
	struct drg_clock clock;
	assert_int_equal(drg_store_clock(store, &clock, NULL), DRG_OK);
	return clock.seq;
}

static void a_key_opens_its_own_api_only(void **state)
{
	(void)state;
	struct drg_key_made a = create((struct drg_key_spec){ .api = DRG_API_A, .name = DRG_STR("form") });
	struct drg_key_made b = create((struct drg_key_spec){ .api = DRG_API_B });
	assert_memory_equal(a.key, "drga_", 5);
	assert_memory_equal(b.key, "drgb_", 5);
	assert_int_equal(strlen(a.key), DRG_KEY_TEXT - 1);
	assert_int_equal(strspn(a.key + 5, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
	                 43);
	assert_string_equal(a.secret, "");
	assert_int_equal(a.id, 1);
	assert_int_equal(b.id, 2);
	assert_int_equal(find(DRG_API_A, a.key, 0)->id, 1);
	assert_int_equal(find(DRG_API_B, b.key, 0)->id, 2);
	assert_null(find(DRG_API_B, a.key, 0));
	assert_null(find(DRG_API_A, b.key, 0));
	assert_null(find(DRG_API_A, "", 0));
	a.key[DRG_KEY_TEXT - 2] ^= 1;
	assert_null(find(DRG_API_A, a.key, 0));
}

static void a_secret_goes_with_its_key(void **state)
{
	(void)state;
	struct drg_key_made one = create((struct drg_key_spec){ .api = DRG_API_B, .secret = true });
	struct drg_key_made other = create((struct drg_key_spec){ .api = DRG_API_B, .secret = true });
	struct drg_key_made without = create((struct drg_key_spec){ .api = DRG_API_B });
	const struct drg_key *k = find(DRG_API_B, one.key, 0);
	assert_memory_equal(one.secret, "drgs_", 5);
	assert_true(drg_keys_secret_matches(k, drg_str_c(one.secret), 0));
	assert_false(drg_keys_secret_matches(k, drg_str_c(other.secret), 0));
	assert_false(drg_keys_secret_matches(k, drg_str_c(one.key), 0));
	assert_false(drg_keys_secret_matches(k, DRG_STR(""), 0));
	assert_false(drg_keys_secret_matches(find(DRG_API_B, without.key, 0), DRG_STR(""), 0));
	assert_false(drg_keys_secret_matches(find(DRG_API_B, without.key, 0), drg_str_c(one.secret), 0));
}

static int has_no_text_of(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	const struct drg_key_made *made = ctx;
	for (unsigned i = 0; i < r->type->n_fields; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		if (!drg_record_has_value(r, f) || !drg_value_is_text(f->vtype))
			continue;
		struct drg_str s = drg_record_value(r, f)->s;
		assert_null(memmem(s.p, s.n, made->key, DRG_KEY_TEXT - 1));
		assert_null(memmem(s.p, s.n, made->secret, DRG_KEY_TEXT - 1));
	}
	return DRG_OK;
}

static void only_hashes_are_kept(void **state)
{
	(void)state;
	struct drg_key_made made = create((struct drg_key_spec){ .api = DRG_API_B, .secret = true });
	assert_int_equal(drg_keys_list(store, has_no_text_of, &made, NULL), DRG_OK);
}

static void expiry_is_a_day_or_a_time(void **state)
{
	static const struct {
		const char *text;
		int64_t end_us; /* from then on it does not work, as the list of keys says; 0: refused */
	} cases[] = {
		{ "2027-01-31", INT64_C(1801439999999000) },
		{ "2028-02-29", INT64_C(1835481599999000) },
		{ "2027-01-31T12:00:00Z", INT64_C(1801396800000000) },
		{ "2027-01-31T12:00:00+02:00", INT64_C(1801389600000000) },
		{ "2027-02-31", 0 },
		{ "2027-02-29", 0 },
		{ "2027-13-01", 0 },
		{ "2027-1-31", 0 },
		{ " 027-01-31", 0 },
		{ "-027-01-31", 0 },
		{ "2027-01-3", 0 },
		{ "2027-01-31 ", 0 },
		{ "2027-01-31T25:00:00Z", 0 },
		{ "2027-01-31T12:00:00", 0 },
		{ "tomorrow", 0 },
	};
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		const struct drg_key_spec spec = { .api = DRG_API_A, .expires = drg_str_c(cases[i].text) };
		struct drg_key_made made = { 0 };
		struct drg_err err = { 0 };
		int64_t before = seq();
		int rc = key_create(&spec, &made, &err);
		if (rc != (cases[i].end_us != 0 ? DRG_OK : DRG_EINVAL))
			fail_msg("%s: %d %s", cases[i].text, rc, err.message);
		reload();
		if (rc != DRG_OK) {
			assert_string_equal(err.field, "expires");
			assert_int_equal(seq(), before);
			continue;
		}
		if (find(DRG_API_A, made.key, cases[i].end_us - 1) == NULL)
			fail_msg("%s ends too early", cases[i].text);
		if (find(DRG_API_A, made.key, cases[i].end_us) != NULL)
			fail_msg("%s ends too late", cases[i].text);
	}
}

static void adapters_limit_what_a_key_may_write(void **state)
{
	(void)state;
	static const int64_t both[] = { 21, 7 };
	struct drg_key_made made =
	        create((struct drg_key_spec){ .api = DRG_API_B, .adapters = both, .n_adapters = 2 });
	const struct drg_key *k = find(DRG_API_B, made.key, 0);
	assert_int_equal(k->n_adapters, 2);
	assert_int_equal(k->adapters[0], 7);
	assert_int_equal(k->adapters[1], 21);
	assert_null(find(DRG_API_B, create((struct drg_key_spec){ .api = DRG_API_B }).key, 0)->adapters);
}

static void wrong_wishes_change_nothing(void **state)
{
	static const int64_t unknown[] = { 7, 12345 };
	static const struct {
		struct drg_key_spec spec;
		const char *field;
	} cases[] = {
		{ { .api = DRG_API_A, .secret = true }, "api" },
		{ { .api = DRG_API_A, .adapters = unknown, .n_adapters = 1 }, "api" },
		{ { .api = DRG_API_B, .adapters = unknown, .n_adapters = 2 }, "adapter" },
		{ { .api = DRG_API_A, .name = { "\xff", 1 } }, "name" },
		{ { .api = DRG_API_A, .name = { "a\x1b[2J", 5 } }, "name" },
	};
	(void)state;
	int64_t before = seq();
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_key_made made = { .id = -1 };
		struct drg_err err = { 0 };
		assert_int_equal(key_create(&cases[i].spec, &made, &err), DRG_EINVAL);
		assert_string_equal(err.field, cases[i].field);
		assert_int_equal(made.id, -1);
	}
	assert_int_equal(seq(), before);
}

static void a_revoked_key_is_gone_for_good(void **state)
{
	(void)state;
	struct drg_key_made made = create((struct drg_key_spec){ .api = DRG_API_A });
	struct drg_key_made out;
	struct drg_err err = { 0 };
	assert_int_equal(key_revoke(made.id, NULL), DRG_OK);
	reload();
	assert_null(find(DRG_API_A, made.key, 0));
	assert_int_equal(key_revoke(made.id, &err), DRG_EEXIST);
	assert_string_equal(err.reason, "revoked_key");
	assert_int_equal(key_rotate(made.id, 0, &out, NULL), DRG_EEXIST);
	assert_int_equal(key_revoke(made.id + 1, &err), DRG_ENOENT);
	assert_string_equal(err.reason, "unknown_key");
	assert_int_equal(create((struct drg_key_spec){ .api = DRG_API_A }).id, made.id + 1);
}

static void rotation_keeps_number_and_rights(void **state)
{
	(void)state;
	static const int64_t seven[] = { 7 };
	struct drg_key_made new,
	        old = create((struct drg_key_spec){
	                .api = DRG_API_B, .secret = true, .adapters = seven, .n_adapters = 1 });
	assert_int_equal(key_rotate(old.id, 0, &new, NULL), DRG_OK);
	reload();
	assert_int_equal(new.id, old.id);
	assert_null(find(DRG_API_B, old.key, 0));
	const struct drg_key *k = find(DRG_API_B, new.key, 0);
	assert_int_equal(k->id, old.id);
	assert_int_equal(k->n_adapters, 1);
	assert_true(drg_keys_secret_matches(k, drg_str_c(new.secret), 0));
	assert_false(drg_keys_secret_matches(k, drg_str_c(old.secret), 0));
	assert_int_equal(key_rotate(old.id + 1, 0, &new, NULL), DRG_ENOENT);

	struct drg_key_made plain = create((struct drg_key_spec){ .api = DRG_API_A });
	assert_int_equal(key_rotate(plain.id, 0, &new, NULL), DRG_OK);
	assert_string_equal(new.secret, "");
}

static void an_overlap_ends_at_its_moment(void **state)
{
	(void)state;
	struct drg_key_made new, old = create((struct drg_key_spec){ .api = DRG_API_B, .secret = true });
	assert_int_equal(key_rotate(old.id, INT64_C(3600000000), &new, NULL), DRG_OK);
	reload();
	const struct drg_key *k = find(DRG_API_B, new.key, 0);
	const int64_t end = k->old_until_us;
	assert_ptr_equal(find(DRG_API_B, old.key, end - 1), k);
	assert_null(find(DRG_API_B, old.key, end));
	assert_true(drg_keys_secret_matches(k, drg_str_c(old.secret), end - 1));
	assert_false(drg_keys_secret_matches(k, drg_str_c(old.secret), end));
	assert_ptr_equal(find(DRG_API_B, new.key, end), k);
	assert_true(drg_keys_secret_matches(k, drg_str_c(new.secret), end));
}

static int count(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	int64_t *last = ctx;
	assert_int_equal(r->v[DRG_F_ID].i, *last + 1);
	++*last;
	return DRG_OK;
}

static void the_list_has_revoked_ones_too(void **state)
{
	(void)state;
	int64_t last = 0;
	for (int i = 0; i < 3; i++)
		create((struct drg_key_spec){ .api = DRG_API_A });
	assert_int_equal(key_revoke(2, NULL), DRG_OK);
	assert_int_equal(drg_keys_list(store, count, &last, NULL), DRG_OK);
	assert_int_equal(last, 3);
}

static int set_up(void **state)
{
	(void)state;
	importing_begin(&data);
	int rc = importing_text(
	        &data,
	        "{\"type\":\"adapter\",\"id\":7,\"code\":\"a\",\"name\":\"A\",\"domain\":\"tour\"}\n"
	        "{\"type\":\"adapter\",\"id\":21,\"code\":\"b\",\"name\":\"B\",\"domain\":\"air\"}\n",
	        (struct drg_import_options){ 0 });
	return rc == DRG_OK ? drg_store_open(data.store_url, DRG_STORE_WRITE, &store, NULL) : -1;
}

static int tear_down(void **state)
{
	(void)state;
	drg_catalog_free(cat);
	cat = NULL;
	drg_store_close(store);
	importing_end(&data);
	return 0;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

GROUP(keys)
{
	const struct CMUnitTest tests[] = {
		TEST(a_key_opens_its_own_api_only),
		TEST(a_secret_goes_with_its_key),
		TEST(only_hashes_are_kept),
		TEST(expiry_is_a_day_or_a_time),
		TEST(adapters_limit_what_a_key_may_write),
		TEST(wrong_wishes_change_nothing),
		TEST(a_revoked_key_is_gone_for_good),
		TEST(rotation_keeps_number_and_rights),
		TEST(an_overlap_ends_at_its_moment),
		TEST(the_list_has_revoked_ones_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
