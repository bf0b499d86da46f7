/* Forms of names: stars, suffixes, former names. */
#include "../unit.h"

#include "match/variants.h"

static struct drg_buf room;

static void forms_of_a_name(void **state)
{
	(void)state;
	static const struct {
		const char *name, *forms;
	} cases[] = {
		{ "Orkide Resort", "" },
		{ "Orkide 5*", "Orkide" },
		{ "Orkide 5 *****", "Orkide" },
		{ "Orkide ★★★★", "Orkide" },
		{ "46*", "46" },
		{ "Hotel 46 Apart", "" },
		{ "Orkide (ex. Belmondo Palas) 5*", "Orkide|Belmondo Palas" },
		{ "Orkide ex Belmondo", "Orkide|Belmondo" },
		{ "Orkide by Rivanta", "Orkide" },
		{ "Orkide - Adults Only", "Orkide" },
		{ "Orkide, a Rivanta Hotel", "Orkide" },
		{ "Lara by Sea 4* (ex. Old)", "Lara by Sea|Lara|Old" },
		{ "By The Sea", "" },
		{ "", "" },
		{ "*", "" },
		{ "ex", "" },
		{ "a by b", "" },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_str form[DRG_VARIANTS_MAX];
		char all[256] = "";
		unsigned n = drg_name_variants(drg_str_c(cases[i].name), &room, form);
		for (unsigned k = 0; k < n; k++) {
			strncat(all, k > 0 ? "|" : "", sizeof all - strlen(all) - 1);
			strncat(all, form[k].p, form[k].n);
		}
		assert_string_equal(all, cases[i].forms);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(forms_of_a_name) };
	drg_buf_init(&room, 1 << 16);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	drg_buf_done(&room);
	return failed;
}
