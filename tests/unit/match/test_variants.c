/* Forms of names: stars, suffixes, former names. */
#include "../unit.h"

#define drg_name_variants variants_of /* a copy of its own, for its static lists */
#include "match/variants.c"

static struct drg_buf room;

static void forms_of_a_name(void **state)
{
	(void)state;
	static const struct {
		const char *name, *forms;
		bool noise; /* the name itself tells nothing that the first form lacks */
		bool former;
	} cases[] = {
		{ "Orkide Resort", "", false, false },
		{ "Orkide 5*", "Orkide", true, false },
		{ "Orkide 5 *****", "Orkide", true, false },
		{ "Orkide ★★★★", "Orkide", true, false },
		{ "46*", "46", false, false },
		{ "Hotel 46 Apart", "", false, false },
		{ "Orkide (ex. Belmondo Palas) 5*", "Orkide|Belmondo Palas", true, true },
		{ "Orkide ex Belmondo", "Orkide|Belmondo", true, true },
		{ "Калина (екс. Ялина) 3*", "Калина|Ялина", true, true },
		{ "Orkide by Rivanta", "Orkide", false, false },
		{ "Orkide, Autograph Collection", "Orkide", false, false },
		{ "Orkide - The Leading Hotels of the World", "Orkide", false, false },
		{ "Orkide an SLH Hotel", "Orkide", false, false },
		{ "Orkide Curio Collection by Hilton", "Orkide", false, false },
		{ "Autograph Collection Orkide", "", false, false },
		{ "Orkide - Adults Only", "Orkide", false, false },
		{ "Orkide - ONLY ADULTS", "Orkide", false, false },
		{ "Orkide Ultra All Inclusive", "Orkide", false, false },
		{ "Orkide, a Rivanta Hotel", "Orkide", false, false },
		{ "Orkide - A Rivanta Hotel", "Orkide", false, false },
		{ "Lara by Sea 4* (ex. Old)", "Lara by Sea|Lara|Old", true, true },
		{ "Orkide - Parking inclus", "Orkide", false, false },
		{ "Orkide - piscine chauffée - Parking & Garage", "Orkide", false, false },
		{ "Orkide, parking sécurisé gratuit", "Orkide", false, false },
		{ "Orkide - Pool Villas", "", false, false },
		{ "Orkide - Hôtel", "", false, false },
		{ "Garage - Parking", "Garage", false, false },
		{ "Best Western Plus Hôtel Orkide", "Hôtel Orkide", false, false },
		{ "The Originals Boutique, Hotel Orkide", "Hotel Orkide", false, false },
		{ "Best Western Orkide", "", false, false },
		{ "By The Sea", "", false, false },
		{ "", "", false, false },
		{ "*", "", false, false },
		{ "ex", "", false, false },
		{ "a by b", "", false, false },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_str form[DRG_VARIANTS_MAX];
		char all[256] = "";
		struct drg_name_found found;
		unsigned n = drg_name_variants(drg_str_c(cases[i].name), &room, form, &found);
		assert_int_equal(found.noise, cases[i].noise);
		assert_int_equal(found.former, cases[i].former);
		for (unsigned k = 0; k < n; k++) {
			strncat(all, k > 0 ? "|" : "", sizeof all - strlen(all) - 1);
			strncat(all, form[k].p, form[k].n);
		}
		assert_string_equal(all, cases[i].forms);
	}
}

static void every_phrase_begins_as_its_list_says(void **state)
{
	(void)state;
	const struct {
		const char *begin;
		const char *const *words;
		size_t n;
	} lists[] = {
		{ FORMER_BEGIN, former, DRG_ARRAY_LEN(former) },
		{ GROUPS_BEGIN, groups, DRG_ARRAY_LEN(groups) },
		{ ALLIANCES_BEGIN, alliances, DRG_ARRAY_LEN(alliances) },
		{ REMARKS_BEGIN, remarks, DRG_ARRAY_LEN(remarks) },
	};
	for (size_t k = 0; k < DRG_ARRAY_LEN(lists); k++)
		for (size_t i = 0; i < lists[k].n; i++)
			if (!begins_one(lists[k].words[i][0], lists[k].begin))
				fail_msg("\"%s\" is never looked for", lists[k].words[i]);
}

GROUP(variants)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(forms_of_a_name),
		                            cmocka_unit_test(every_phrase_begins_as_its_list_says) };
	drg_buf_init(&room, 1 << 16);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	drg_buf_done(&room);
	return failed;
}
