/* Print the levels and bits of every pair of two lists, for tests/unit/match/compare.py:
 *     match_levels [--hotel] A.ndjson B.ndjson       lines of {"id", "name", "lat", "lng", "address", "zip"} */
#include <stdio.h>
#include <stdlib.h>

#include "match/card/scorecard.h"
#include "text/json.h"
#include "text/lines.h"

static struct drg_str text_of(json_t *object, const char *name)
{
	return drg_str_c(json_string_value(json_object_get(object, name)));
}

static void add_line(struct drg_places *l, struct drg_normal *n, struct drg_str line)
{
	json_t *v;
	struct drg_err err;
	if (drg_json_parse(line, &v, &err) != DRG_OK)
		exit(1);
	struct drg_place_input in = { .names = { text_of(v, "name") }, .n_names = 1 };
	in.address = text_of(v, "address");
	in.zip = text_of(v, "zip");
	in.lat = json_number_value(json_object_get(v, "lat"));
	in.lng = json_number_value(json_object_get(v, "lng"));
	in.id = json_integer_value(json_object_get(v, "id"));
	if (drg_places_add(l, n, &in) != DRG_OK)
		exit(1);
	json_decref(v);
}

static void read_list(const char *path, struct drg_normal *n, struct drg_places *l)
{
	struct drg_lines *lines;
	struct drg_str line;
	if (drg_lines_open(path, 1 << 20, &lines, NULL) != DRG_OK)
		exit(1);
	while (drg_lines_next(lines, &line, NULL) == DRG_OK)
		add_line(l, n, line);
	drg_lines_close(lines);
}

static double by_level(void *ctx, unsigned level, const struct drg_form *a, const struct drg_form *b)
{
	(void)ctx;
	(void)a;
	(void)b;
	return level;
}

static void print_pair(struct drg_comparing *c, const struct drg_scorecard *card, uint32_t i, uint32_t k)
{
	const struct drg_place_record *a = drg_place(c->a, i), *b = drg_place(c->b, k);
	const struct drg_form *fa, *fb;
	uint8_t lv[DRG_CMP_COUNT] = { 0 };
	lv[DRG_CMP_NAME] = (uint8_t)drg_level_name(c, a, b, by_level, NULL, &fa, &fb);
	lv[DRG_CMP_DISTANCE] = (uint8_t)drg_level_distance(drg_metres(a, b), card->metres, card->n_metres);
	lv[DRG_CMP_ADDRESS] = (uint8_t)drg_level_address(c, a, b);
	lv[DRG_CMP_ZIP] = (uint8_t)drg_level_zip(c, a, b);
	lv[DRG_CMP_NUMBERS] = (uint8_t)drg_level_numbers(c, fa, fb);
	lv[DRG_CMP_RESIDENCE] = (uint8_t)drg_level_residence(c, fa, fb);
	printf("{\"a\":%lld,\"b\":%lld,\"bits\":%.6f,\"levels\":{", (long long)a->id, (long long)b->id,
	       drg_scorecard_sum(card, lv));
	for (unsigned m = 0, n = 0; m < DRG_CMP_COUNT; m++)
		if (card->levels[m] > 0)
			printf("%s\"%s\":%u", n++ > 0 ? "," : "", drg_comparison_name((enum drg_comparison)m),
			       lv[m]);
	printf("}}\n");
}

int main(int argc, char **argv)
{
	bool hotel = argc == 4;
	struct drg_vocab vocab;
	struct drg_places a, b;
	struct drg_normal *n;
	struct drg_comparing c;
	if (argc < 3 || drg_normal_new(&n, NULL) != DRG_OK)
		return 1;
	drg_vocab_init(&vocab);
	drg_places_init(&a, &vocab);
	drg_places_init(&b, &vocab);
	read_list(argv[argc - 2], n, &a);
	read_list(argv[argc - 1], n, &b);
	double *rarity = drg_rarity_new(&a, &b, false), *address = drg_rarity_new(&a, &b, true);
	if (drg_comparing_init(&c, &a, &b, rarity, address) != DRG_OK)
		return 1;
	for (uint32_t i = 0; i < drg_places_size(&a); i++)
		for (uint32_t k = 0; k < drg_places_size(&b); k++)
			print_pair(&c, hotel ? &drg_scorecard_hotels : &drg_scorecard_places, i, k);
	drg_comparing_done(&c);
	free(rarity);
	free(address);
	drg_places_done(&a);
	drg_places_done(&b);
	drg_vocab_done(&vocab);
	drg_normal_free(n);
	return 0;
}
