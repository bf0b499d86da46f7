/* What meals and hotel categories mean. */
#include "../unit.h"

#include "match/labels/terms.h"

static struct drg_normal *normal;

struct term_case {
	const char *name, *term;
};

static const struct term_case meals[] = {
	{ "RO", "RO" },
	{ "Room only", "RO" },
	{ "Без харчування", "RO" },
	{ "БЕЗ ПИТАНИЯ", "RO" },
	{ "Nur Übernachtung", "RO" },
	{ "Chambre seule", "RO" },
	{ "Solo alojamiento", "RO" },
	{ "Solo pernottamento", "RO" },
	{ "Bez wyżywienia", "RO" },
	{ "Yalnızca oda", "RO" },
	{ "Only bed", "RO" },
	{ "No meals", "RO" },
	{ "BB", "BB" },
	{ "Bed & Breakfast", "BB" },
	{ "B&B", "BB" },
	{ "B + B", "BB" },
	{ "ÜF", "BB" },
	{ "AD", "BB" },
	{ "OK", "BB" },
	{ "Сніданок", "BB" },
	{ "Завтраки", "BB" },
	{ "Frühstück", "BB" },
	{ "Übernachtung mit Frühstück", "BB" },
	{ "Petit déjeuner", "BB" },
	{ "Desayuno", "BB" },
	{ "Śniadanie", "BB" },
	{ "Oda kahvaltı", "BB" },
	{ "Continental breakfast", "CB" },
	{ "Континентальный завтрак", "CB" },
	{ "AB - AMERICAN BREAKFAST", "AB" },
	{ "Американський сніданок", "AB" },
	{ "HB", "HB" },
	{ "Half-board", "HB" },
	{ "Halbpension", "HB" },
	{ "Полупансион", "HB" },
	{ "Напівпансіон", "HB" },
	{ "Demi-pension", "HB" },
	{ "Media pensión", "HB" },
	{ "Mezza pensione", "HB" },
	{ "Yarım pansiyon", "HB" },
	{ "HB+", "HB+" },
	{ "HB plus", "HB+" },
	{ "Half board with drinks", "HB+" },
	{ "Полупансион + напитки", "HB+" },
	{ "FB", "FB" },
	{ "Full Board", "FB" },
	{ "Vollpension", "FB" },
	{ "Полный пансион", "FB" },
	{ "Повний пансіон", "FB" },
	{ "Pension complète", "FB" },
	{ "Pensión completa", "FB" },
	{ "Tam pansiyon", "FB" },
	{ "FB +", "FB+" },
	{ "FB+ - Full board with drinks", "FB+" },
	{ "AI", "AI" },
	{ "All inclusive", "AI" },
	{ "ALL INCL.", "AI" },
	{ "Все включено", "AI" },
	{ "Усе включено", "AI" },
	{ "Всё включено", "AI" },
	{ "Alles inklusive", "AI" },
	{ "Tout compris", "AI" },
	{ "Todo incluido", "AI" },
	{ "Tutto incluso", "AI" },
	{ "Her şey dahil", "AI" },
	{ "24h All Inclusive", "AI" },
	{ "UAI", "UAI" },
	{ "Ultra All Inclusive", "UAI" },
	{ "Ультра все включено", "UAI" },
	{ "Ultra Her şey dahil", "UAI" },
	{ "SAI", "SAI" },
	{ "Soft All Inclusive", "SAI" },
	{ "Все включено без алкоголю", "SAI" },
	{ "ВСЁ ВКЛЮЧЕНО БЕЗ АЛКОГОЛЯ", "SAI" },
	{ "Безалкогольное все включено", "SAI" },
	{ "All-inclusive ohne Alkohol", "SAI" },
	{ "Alkoholfrei All Inclusive", "SAI" },
	{ "Alkolsüz her şey dahil", "SAI" },
	{ "Tout compris sans alcool", "SAI" },
	{ "Todo incluido sin alcohol", "SAI" },
	{ "Tutto incluso senza alcolici", "SAI" },
	{ "All inclusive bez alkoholu", "SAI" },
	{ "All inclusive (non-alcoholic)", "SAI" },
	{ "Alcohol free all inclusive", "SAI" },
	{ "Ultra all inclusive without alcohol", "?" },
	{ "All inclusive with alcohol", "AI" },
	{ "Half board without alcohol", "HB" },
	{ "UAI", "UAI" },
	{ "HB+", "HB+" },
	{ "Ultra ALL", "UAI" },
	{ "УЛЬТРА ВСЁ ВКЛЮЧЕНО", "UAI" },
	{ "УЛЬТРА ВСЕ ВКЛЮЧЕНО", "UAI" },
	{ "Софт все включено", "SAI" },
	{ "SC", "SC" },
	{ "Self-catering", "SC" },
	{ "Selbstverpflegung", "SC" },
	{ "Самостійне приготування їжі", "SC" },
	{ "AI Light", "?" },
	{ "As per programme", "?" },
	{ "По программе", "?" },
	{ "Breakfast + Dinner", "?" },
	{ "Завтрак и ужин", "?" },
	{ "Premium All Inclusive", "?" },
	{ "AI+", "?" },
	{ "OB", "RO" },
	{ "Übernachtung", "RO" },
	{ "Alojamiento", "RO" },
	{ "Senza pasti", "RO" },
	{ "Tylko nocleg", "RO" },
	{ "Yemeksiz", "RO" },
	{ "Тільки проживання", "RO" },
	{ "Selbstversorger", "SC" },
	{ "DP", "HB" },
	{ "Y.P.", "HB" },
	{ "Śniadania i obiadokolacje", "HB" },
	{ "Modified American Plan", "HB" },
	{ "Двухразовое питание", "HB" },
	{ "TP", "FB" },
	{ "American Plan", "FB" },
	{ "ALL", "AI" },
	{ "ALL INC.", "AI" },
	{ "24h ALL", "AI" },
	{ "All meals on request", "?" },
	{ "For all guests", "" },
	{ "All Inklusiv", "AI" },
	{ "Tout inclus", "AI" },
	{ "Tutto compreso", "AI" },
	{ "Ultra", "UAI" },
	{ "UltraAI", "UAI" },
	{ "U.ALL", "UAI" },
	{ "UHD", "UAI" },
	{ "UAI+", "?" },
	{ "Soft ALL", "SAI" },
	{ "", "" },
	{ "???", "" },
	{ "XYZ", "" },
	{ "Wi-Fi", "" },
};

static const struct term_case categories[] = {
	{ "5*", "5*" },
	{ "5 *", "5*" },
	{ "*****", "5*" },
	{ "★★★★", "4*" },
	{ "5 stars", "5*" },
	{ "Five star", "5*" },
	{ "5", "5*" },
	{ "1 STAR", "1*" },
	{ "4-Sterne", "4*" },
	{ "Vier Sterne", "4*" },
	{ "Три звезды", "3*" },
	{ "Чотири зірки", "4*" },
	{ "П'ять зірок", "5*" },
	{ "Cinq étoiles", "5*" },
	{ "Tres estrellas", "3*" },
	{ "Cuatro estrellas", "4*" },
	{ "Due stelle", "2*" },
	{ "Pięć gwiazdek", "5*" },
	{ "Beş yıldız", "5*" },
	{ "3 Yıldız", "3*" },
	{ "Category 3", "3*" },
	{ "7*", "7*" },
	{ "HV-1", "HV-1" },
	{ "HV 2", "HV-2" },
	{ "HV1", "HV-1" },
	{ "HV-1/5*", "5*" },
	{ "HV-2/4*", "4*" },
	{ "Apartments", "apart" },
	{ "APT", "apart" },
	{ "Апартаменты", "apart" },
	{ "Апарт-отель", "apart" },
	{ "Villa", "villa" },
	{ "Вилла", "villa" },
	{ "Hostel", "hostel" },
	{ "Хостел", "hostel" },
	{ "Boutique", "boutique" },
	{ "Бутик-отель", "boutique" },
	{ "Unrated", "unrated" },
	{ "Без категории", "unrated" },
	{ "N/A", "unrated" },
	{ "4.5*", "?" },
	{ "4,5 *", "?" },
	{ "4* superior", "?" },
	{ "4*+", "?" },
	{ "4.5 stars", "?" },
	{ "Apart 4*", "?" },
	{ "5.0", "5*" },
	{ "4,0 *", "4*" },
	{ "05", "5*" },
	{ "5star", "5*" },
	{ "4EST", "4*" },
	{ "5зв.", "5*" },
	{ "Cat. 3", "3*" },
	{ "* * * *", "4*" },
	{ "*5", "5*" },
	{ "⭐⭐⭐", "3*" },
	{ "5+", "?" },
	{ "5S", "?" },
	{ "3-4*", "?" },
	{ "3*/4*", "?" },
	{ "3 1/2*", "?" },
	{ "4½*", "?" },
	{ "12*", "" },
	{ "HV-I", "HV-1" },
	{ "Holiday Village 1", "HV-1" },
	{ "1st class holiday village", "HV-1" },
	{ "1. Sınıf Tatil Köyü", "HV-1" },
	{ "2. Sınıf Tatil Köyü", "HV-2" },
	{ "Клубный отель первой категории", "HV-1" },
	{ "Holiday Village", "" },
	{ "Ferienwohnung", "apart" },
	{ "Villen", "villa" },
	{ "NR", "unrated" },
	{ "0*", "unrated" },
	{ "Nicht klassifiziert", "unrated" },
	{ "Belgesiz", "unrated" },
	{ "TBA", "" },
	{ "SPECIAL", "" },
	{ "Club", "" },
	{ "", "" },
	{ "8*", "" },
	{ "****************", "" },
	{ "46", "" },
};

static void meals_mean(void **state)
{
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(meals); i++) {
		const char *term = drg_meal_term(normal, drg_str_c(meals[i].name));
		if (strcmp(term, meals[i].term) != 0)
			fail_msg("\"%s\": \"%s\" instead of \"%s\"", meals[i].name, term, meals[i].term);
	}
}

static void categories_mean(void **state)
{
	(void)state;
	char term[DRG_TERM_MAX];
	for (size_t i = 0; i < DRG_ARRAY_LEN(categories); i++) {
		drg_category_term(normal, drg_str_c(categories[i].name), term);
		if (strcmp(term, categories[i].term) != 0)
			fail_msg("\"%s\": \"%s\" instead of \"%s\"", categories[i].name, term,
			         categories[i].term);
	}
}

static void stars_stand_beside_other_words(void **state)
{
	static const struct term_case stars[] = { { "Apart 4*", "4*" },     { "Apart-Hotel 3 stars", "3*" },
		                                  { "5*", "5*" },           { "HV-1", "" },
		                                  { "4* superior", "?4*" }, { "4.5*", "?4*" },
		                                  { "3-4*", "?4*" } };
	(void)state;
	char term[DRG_TERM_MAX];
	for (size_t i = 0; i < DRG_ARRAY_LEN(stars); i++) {
		bool half = stars[i].term[0] == '?';
		if (drg_category_stars(normal, drg_str_c(stars[i].name), term) == half ||
		    strcmp(term, stars[i].term + half) != 0)
			fail_msg("\"%s\": \"%s\" instead of \"%s\"", stars[i].name, term, stars[i].term);
	}
}

GROUP(terms)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(meals_mean), cmocka_unit_test(categories_mean),
		                            cmocka_unit_test(stars_stand_beside_other_words) };
	if (drg_normal_new(&normal, NULL) != DRG_OK)
		return 1;
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	drg_normal_free(normal);
	return failed;
}
