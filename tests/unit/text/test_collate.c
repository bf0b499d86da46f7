#include "../unit.h"

#include "text/collate.h"

/* Names in the order that each language wants. */
static const struct {
	const char *lang;
	const char *names[8];
} orders[] = {
	{ "en", { "Åland", "apple", "Apple", "zebra", NULL } },
	{ "sv", { "apple", "zebra", "Åland", NULL } },
	{ "uk", { "Гадяч", "Ґалаґан", "Єгипет", "Житомир", "Ірпінь", "Їжакевич", NULL } },
	{ "de", { "Überlingen", "Ulm", "Üxheim", "Uz", NULL } },
	{ "tr", { "çam", "dam", "ısı", "izmir", NULL } },
	{ "es", { "nz", "ña", "o", NULL } },
	{ "zz-unknown", { "", "a", "B", "c", NULL } },
	{ "not a tag", { "a", "B", "c", NULL } },
	{ "", { "a", "B", "c", NULL } },
};

static struct drg_str add_key(struct drg_collator *c, const char *name, struct drg_buf *keys)
{
	size_t at = keys->n;
	drg_collator_key(c, drg_str_c(name), keys);
	assert_int_equal(keys->rc, DRG_OK);
	assert_true(keys->n > at);
	assert_int_equal(keys->p[keys->n - 1], 0);
	return drg_str((const char *)at, keys->n - at); /* an offset: the buffer may move */
}

static void names_sort_by_language(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
		struct drg_collator *c;
		struct drg_buf keys;
		struct drg_err err;
		drg_buf_init(&keys, 1 << 16);
		assert_int_equal(drg_collator_open(drg_str_c(orders[i].lang), &c, &err), DRG_OK);
		struct drg_str last = add_key(c, orders[i].names[0], &keys);
		for (size_t k = 1; orders[i].names[k] != NULL; k++) {
			struct drg_str key = add_key(c, orders[i].names[k], &keys);
			size_t n = key.n < last.n ? key.n : last.n;
			if (memcmp(keys.p + (size_t)last.p, keys.p + (size_t)key.p, n) >= 0)
				fail_msg("%s: %s", orders[i].lang, orders[i].names[k]);
			last = key;
		}
		drg_collator_close(c);
		drg_buf_done(&keys);
	}
	drg_collator_close(NULL);
}

static void known_are_the_tags_that_icu_lists(void **state)
{
	static const struct {
		const char *lang;
		bool known;
	} cases[] = { { "uk", true }, { "UK", true },     { "zh-hant", true }, { "fr-ca", true },
		      { "en", true }, { "uk-ua", false }, { "xx", false },     { "zh-han", false },
		      { "u", false }, { "", false } };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (drg_collator_known(drg_str_c(cases[i].lang)) != cases[i].known)
			fail_msg("%s", cases[i].lang);
}

static void long_names_have_whole_keys(void **state)
{
	(void)state;
	char name[4000];
	struct drg_collator *c;
	struct drg_buf keys;
	drg_buf_init(&keys, 1 << 20);
	assert_int_equal(drg_collator_open(DRG_STR("zh"), &c, NULL), DRG_OK);
	/* Rare ideographs have the longest keys. */
	for (size_t i = 0; i + 4 <= sizeof name; i += 4)
		memcpy(name + i, "\xf0\xa0\x80\x80", 4);
	drg_collator_key(c, drg_str(name, sizeof name), &keys);
	assert_int_equal(keys.rc, DRG_OK);
	size_t n = keys.n;
	drg_collator_key(c, drg_str(name, sizeof name), &keys);
	assert_int_equal(keys.n, 2 * n);
	assert_memory_equal(keys.p, keys.p + n, n);
	assert_null(memchr(keys.p, 0, n - 1));
	drg_collator_close(c);
	drg_buf_done(&keys);
}

static void a_full_buffer_sticks(void **state)
{
	(void)state;
	struct drg_collator *c;
	struct drg_buf keys;
	drg_buf_init(&keys, 3);
	assert_int_equal(drg_collator_open(DRG_STR("en"), &c, NULL), DRG_OK);
	drg_collator_key(c, DRG_STR("a rather long name of a hotel"), &keys);
	assert_int_equal(keys.rc, DRG_ELIMIT);
	drg_collator_close(c);
	drg_buf_done(&keys);
}

GROUP(collate)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_sort_by_language),
		cmocka_unit_test(known_are_the_tags_that_icu_lists),
		cmocka_unit_test(long_names_have_whole_keys),
		cmocka_unit_test(a_full_buffer_sticks),
	};
	return cmocka_run_group_tests_name("text/collate", tests, NULL, NULL);
}
