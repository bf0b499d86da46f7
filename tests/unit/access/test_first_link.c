#include "../unit.h"

#include "access/first_link.h"
#include "base/clock.h"

static const int64_t NOW = INT64_C(1795132800) * 1000000, WEEK = 7 * 86400 * INT64_C(1000000);

static void a_link_works_for_a_week(void **state)
{
	char text[DRG_LINK_TEXT], other[DRG_LINK_TEXT], kept[DRG_PASSWORD_HASH], unused[DRG_PASSWORD_HASH];
	(void)state;
	assert_int_equal(drg_link_make(NOW, text, kept, NULL), DRG_OK);
	assert_int_equal(drg_link_make(NOW, other, unused, NULL), DRG_OK);
	assert_int_equal(strlen(text), 43);
	assert_string_not_equal(text, other);
	assert_null(strstr(kept, text));
	assert_int_equal(drg_link_until(drg_str_c(kept)), NOW + WEEK);
	assert_true(drg_link_is_valid(drg_str_c(kept), drg_str_c(text), NOW));
	assert_true(drg_link_is_valid(drg_str_c(kept), drg_str_c(text), NOW + WEEK - 1));
	assert_false(drg_link_is_valid(drg_str_c(kept), drg_str_c(text), NOW + WEEK));
	assert_false(drg_link_is_valid(drg_str_c(kept), drg_str_c(other), NOW));
	assert_false(drg_link_is_valid(drg_str_c(kept), DRG_STR(""), NOW));
}

/* What is kept of a password is no link, and what is kept of a link is nobody's password. */
static void a_password_and_a_link_are_not_taken_for_each_other(void **state)
{
	char text[DRG_LINK_TEXT], kept[DRG_PASSWORD_HASH], hash[DRG_PASSWORD_HASH];
	(void)state;
	assert_int_equal(drg_link_make(NOW, text, kept, NULL), DRG_OK);
	assert_int_equal(drg_password_compare(kept, drg_str_c(text)), DRG_EAUTH);
	assert_int_equal(drg_password_compare(kept, drg_str_c(kept)), DRG_EAUTH);
	assert_int_equal(drg_password_hash(DRG_STR("a long password"), hash, NULL), DRG_OK);
	assert_int_equal(drg_password_compare(hash, DRG_STR("a long password")), DRG_OK);
	const char *const none[] = { hash, "", "link ", "link x 1", NULL };
	for (size_t i = 0; none[i] != NULL; i++) {
		assert_int_equal(drg_link_until(drg_str_c(none[i])), 0);
		assert_false(drg_link_is_valid(drg_str_c(none[i]), drg_str_c(text), NOW));
	}
}

GROUP(first_link)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_link_works_for_a_week),
		cmocka_unit_test(a_password_and_a_link_are_not_taken_for_each_other),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
