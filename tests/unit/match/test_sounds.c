/* Names in other letters, by the sound of their words. */
#include "../unit.h"

#include "match/sounds.h"

static struct drg_normal *normal;
static struct drg_vocab vocab;
static struct drg_places ref, src;
static struct drg_sounds sounds;

static void add_name(struct drg_places *l, const char *name)
{
	static struct drg_place_input in;
	in = (struct drg_place_input){ .names = { drg_str_c(name) }, .n_names = 1, .lat = NAN, .lng = NAN };
	in.country = in.city = in.category = DRG_PLACE_UNKNOWN;
	assert_int_equal(drg_places_add(l, normal, &in), DRG_OK);
}

static int set_up(void **state)
{
	(void)state;
	static const char *const reference[] = { "Sherwood Meadow",
		                                 "Barefoot Turtle",
		                                 "Windermere House",
		                                 "Crownhill",
		                                 "Jade Magic",
		                                 "Quiet Terrace",
		                                 "Kolibri Marina",
		                                 "Kolibry Marena",
		                                 "Kolibri Carthage",
		                                 "Scheherazade",
		                                 "Westerlea Bay 7",
		                                 "Готель Джерельце",
		                                 "Hidden Pine",
		                                 "Seraton",
		                                 "Sherwood Pines",
		                                 "Müllerhof",
		                                 "Sun",
		                                 "Sun Court",
		                                 "Sun Fort",
		                                 "Sun Lord",
		                                 "Sun Ford",
		                                 "Sun Hurst",
		                                 "Sun Kart",
		                                 "San",
		                                 "Raya",
		                                 "Phu Thai" };
	drg_vocab_init(&vocab);
	drg_places_init(&ref, &vocab);
	drg_places_init(&src, &vocab);
	assert_int_equal(drg_normal_new(&normal, NULL), DRG_OK);
	for (size_t i = 0; i < DRG_ARRAY_LEN(reference); i++)
		add_name(&ref, reference[i]);
	assert_int_equal(drg_sounds_make(&ref, NULL, &sounds), DRG_OK);
	vocab.sounds = &sounds;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	drg_sounds_done(&sounds);
	drg_places_done(&src);
	drg_places_done(&ref);
	drg_vocab_done(&vocab);
	drg_normal_free(normal);
	return 0;
}

/* The words of a form, with spaces between. */
static void form_text(const struct drg_place_record *r, unsigned i, char *ret, size_t room)
{
	const struct drg_form *f = drg_place_form(&src, r, i);
	const uint32_t *t = drg_place_tokens(&src, f->tokens);
	ret[0] = '\0';
	for (unsigned k = 0; k < f->n; k++) {
		strncat(ret, k > 0 ? " " : "", room - strlen(ret) - 1);
		strncat(ret, drg_token_text(&vocab, t[k]).p, drg_token_text(&vocab, t[k]).n);
	}
}

static void other_letters_are_heard_as_words_of_the_reference(void **state)
{
	(void)state;
	static const struct {
		const char *name, *heard; /* its forms besides the first one */
	} cases[] = {
		{ "Шервуд Медоу", "sherwood meadow" },
		{ "Бэрфут Тертл", "barefoot turtle" },
		{ "Уиндермир Хаус", "windermere house" },
		{ "Віндермір Хаус", "windermere house" },
		{ "Кроунхилл", "crownhill" },
		{ "Джейд Мэджик", "jade magic" },
		{ "Квайет Террас", "quiet terrace" },
		{ "Картаге", "carthage" },
		{ "Шехеразаде", "scheherazade" },
		{ "Вестерлиа Бей 7", "westerlea bay 7" },
		{ "Мюллерхоф", "" },
		{ "Хідден Пайн", "hidden pine" },
		{ "Райа", "raya" },
		{ "Фу Тай", "phu thai" },
		/* Those that sound alike, the nearer and commoner first. */
		{ "Колибре", "kolibri|kolibry" },
		{ "Сан", "sun" },
		/* What it has in these letters is no word to be heard. */
		{ "Джерельце Серенити", "" },
		/* Vowels that are quite other ones. */
		{ "Шароводиу", "" },
		/* Latin letters are left as they are. */
		{ "Servud Medou", "" },
		{ "Şervud Mędou", "" },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		char all[256] = "";
		add_name(&src, cases[i].name);
		const struct drg_place_record *r = drg_place(&src, drg_places_size(&src) - 1);
		for (unsigned k = 1; k < r->n_forms; k++) {
			char text[128];
			form_text(r, k, text, sizeof text);
			strncat(all, k > 1 ? "|" : "", sizeof all - strlen(all) - 1);
			strncat(all, text, sizeof all - strlen(all) - 1);
		}
		assert_string_equal(all, cases[i].heard);
	}
}

static void the_reference_itself_is_not_changed(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < drg_places_size(&ref); i++)
		assert_int_equal(drg_place(&ref, i)->n_forms, 1);
}

GROUP(sounds)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(
		                                    other_letters_are_heard_as_words_of_the_reference),
		                            cmocka_unit_test(the_reference_itself_is_not_changed) };
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
