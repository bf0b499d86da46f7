#include "synth/supplier.h"

#include "base/compiler.h"

/* ---- the kinds of suppliers ---- */

#define EN DRG_LANG_EN
#define UPPER DRG_CASE_UPPER
#define AS_IS DRG_CASE_AS_IS

/* clang-format off */
/** The common traits of a kind of suppliers. Their own differences are drawn on top. */
static const struct archetype {
	uint32_t weight;
	bool home_lang; /**< lists in the language of its home market, else in English */
	struct drg_synth_style style;
	struct drg_synth_flaws flaws;
} archetypes[] = {
	/* style: language, letters, Cyrillic, ASCII, local type, "&",
	 *        abbreviate, drop type, type first, swap words, by chain, stars, was, city, quotes, typos
	 * flaws: no category, odd one, no position, swapped, no address, zip, phone, url, list ids;
	 *        metres, doubles, own */

	/* A charter operator: everything in capitals, stars and former names behind the name. */
	{ 24, false,
	  { EN, UPPER, false, true,  false, "&",    60, 250,  60, 10, 100, 350, 110,  30,  0, 15 },
	  {  10,  40, 250,  0, 300, 700, 500, 600,    0, 300, 20, 70 } },
	/* A supplier that writes hotels in Cyrillic, if its language has it. */
	{ 14, true,
	  { EN, AS_IS, true,  false, true,  "и",    80, 300, 200, 20,  50, 400,  60,  20, 60, 25 },
	  {  30,  50, 400,  0, 450, 800, 500, 500,    0, 500, 25, 80 } },
	/* A bed bank: well kept, large, in English. */
	{ 20, false,
	  { EN, AS_IS, false, false, false, "&",     5,  60,  20,  0, 300,   0,   0,  60,  0,  4 },
	  {  20,  60,  20,  2,  20,  80, 100, 400,    0, 120, 12, 55 } },
	/* A reservation system: capitals and abbreviations for narrow fields. */
	{ 12, false,
	  { EN, UPPER, false, true,  false, "AND", 650, 150, 150, 60,   0,   0,   0, 250,  0,  8 },
	  { 120,  20, 150,  3,  60, 100,  60, 950,    0, 400, 15, 60 } },
	/* An operator of a large market that writes its own language with all marks. */
	{ 16, true,
	  { EN, AS_IS, false, false, true,  "&",    20, 200, 250,  0, 120,  40,  30,  20,  0,  6 },
	  {  15,  30, 100,  0,  80, 150, 300, 300,    0, 200, 12, 60 } },
	/* A receiving agency: names as they are on the house, ids only for itself. */
	{ 10, false,
	  { EN, AS_IS, false, false, true,  "+",   120, 350, 120, 30,   0, 150,  80,   0,  0, 20 },
	  {  60,  80, 500,  8, 200, 600, 100, 800, 1000, 500, 30, 80 } },
	/* A small agency with a spreadsheet: typed by hand, columns mixed up. */
	{  8, true,
	  { EN, AS_IS, false, true,  false, "and", 200, 300, 300, 80,  60, 200, 100, 100, 40, 70 },
	  { 150, 120, 450, 25, 400, 600, 400, 700, 1000, 500, 30, 80 } },
};
/* clang-format on */

/* ---- companies ---- */

static const char *const first_words[] = { "Amber",   "Coral",   "Azure",  "Orbit",   "Polar",    "Golden",
	                                   "Vista",   "Delta",   "Atlas",  "Nova",    "Terra",    "Meridian",
	                                   "Alba",    "Sirius",  "Lagoon", "Zephyr",  "Aurora",   "Cobalt",
	                                   "Dune",    "Ember",   "Falcon", "Garnet",  "Harbor",   "Indigo",
	                                   "Juniper", "Kestrel", "Linden", "Mistral", "Northern", "Olive",
	                                   "Pelican", "Quartz",  "Rialto", "Saffron", "Tundra",   "Velvet",
	                                   "Willow" };
static const char *const second_words[] = { "Line",     "Tours",   "Holidays",  "Voyage",  "Trips",
	                                    "Reisen",   "Wings",   "Vacations", "Beds",    "Routes",
	                                    "Journeys", "Leisure", "Globe",     "Escapes", "Stays",
	                                    "Trails",   "Sun",     "Breaks",    "Ways",    "Compass" };

static void lower_dashed(struct drg_str s, char *p)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		p[i] = c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
	}
}

void drg_synth_company(uint64_t seed, unsigned index, struct drg_arena *a, struct drg_str *ret_code,
                       struct drg_str *ret_name)
{
	enum {
		FIRST = DRG_ARRAY_LEN(first_words),
		SECOND = DRG_ARRAY_LEN(second_words),
		ALL = FIRST * SECOND,
		STEP = 271
	};
	_Static_assert(ALL % STEP != 0 && STEP % 37 != 0 && STEP % 2 != 0 && STEP % 5 != 0,
	               "a step that meets every pair of words once");
	struct drg_rng r = drg_rng(seed, DRG_RNG_SUPPLIER, UINT64_MAX, 0);
	unsigned pair = (drg_rng_below(&r, ALL) + index * STEP) % ALL;
	char text[64];
	struct drg_buf b = { .p = text, .cap = sizeof text, .max = sizeof text };
	drg_buf_str(&b, drg_str_c(first_words[pair % FIRST]));
	drg_buf_char(&b, ' ');
	drg_buf_str(&b, drg_str_c(second_words[pair / FIRST]));
	if (index >= ALL) {
		drg_buf_char(&b, ' ');
		drg_buf_i64(&b, index / ALL + 1);
	}
	char *code = drg_arena_alloc(a, b.n);
	if (code != NULL)
		lower_dashed(drg_buf_view(&b), code);
	*ret_code = drg_str(code, b.n);
	drg_buf_lit(&b, " (synthetic)");
	*ret_name = drg_arena_str(a, drg_buf_view(&b));
}

void drg_synth_adapter_write(struct drg_synth_out *o, int64_t id, struct drg_str code, struct drg_str name,
                             const char *domain, bool is_mapping_stage)
{
	drg_synth_line(o, "adapter");
	drg_synth_int(o, "id", id);
	drg_synth_str(o, "code", code);
	drg_synth_str(o, "name", name);
	drg_jw_key(&o->jw, "logo");
	drg_jw_sep(&o->jw);
	drg_buf_lit(&o->buf, "\"https://");
	drg_buf_str(&o->buf, code);
	drg_buf_lit(&o->buf, ".example.com/logo.svg\"");
	drg_synth_str(o, "domain", drg_str_c(domain));
	if (is_mapping_stage)
		drg_synth_str(o, "stage", DRG_STR("mapping"));
	drg_synth_line_end(o);
}

/* ---- where it sells ---- */

static void choose_home(const struct drg_synth_world *w, struct drg_rng *r, uint32_t *weight,
                        struct drg_synth_supplier *s)
{
	const struct drg_synth_list *dep = &w->base->list[DRG_KIND_DEP_CITY];
	uint32_t n = w->base->list[DRG_KIND_COUNTRY].n;
	for (uint32_t i = 0; i < dep->n; i++)
		weight[dep->e[i].parent] = w->country[dep->e[i].parent]->travels * 8 + 1;
	unsigned want = drg_rng_chance(r, 600) ? 1 : 2 + drg_rng_below(r, 2);
	while (s->n_home < want) {
		uint32_t c = drg_rng_pick(r, weight, sizeof *weight, n);
		if (c == n)
			break;
		weight[c] = 0;
		s->home[s->n_home++] = c;
	}
}

/** Destinations, and from their share of all hotels the chance that gives the supplier its size. */
static void choose_destinations(const struct drg_synth_world *w, struct drg_rng *r, uint32_t *weight,
                                struct drg_synth_supplier *s)
{
	uint32_t n = w->base->list[DRG_KIND_COUNTRY].n, want = 20 + drg_rng_below(r, 41);
	uint64_t inside = 0;
	for (uint32_t c = 0; c < n; c++)
		weight[c] = w->country_weight[c] > 0 ? w->country[c]->visited + 1 : 0;
	while (s->destinations < want) {
		uint32_t c = drg_rng_pick(r, weight, sizeof *weight, n);
		if (c == n)
			break;
		weight[c] = 0;
		s->serves[c] = true;
		s->destinations++;
		inside += w->country_weight[c];
	}
	/* Sizes from 3 % to 60 %, many small and few large; the golden ratio spreads them evenly over any
	 * number. */
	uint64_t u = ((s->index + 1) * UINT64_C(618034) + drg_rng_below(r, 80000)) % 1000000 / 1000;
	uint64_t share = 30 + 570 * (u * 1000 + 2 * u * u) / 3000000;
	uint64_t chance = inside > 0 ? share * 1000 * (w->weight_total >> 12) / ((inside >> 12) + 1) : 0;
	s->chance = chance > 900000 ? 900000 : (uint32_t)chance;
}

/* ---- making one ---- */

static void choose_manner(const struct drg_synth_world *w, struct drg_rng *r, struct drg_synth_supplier *s)
{
	const struct archetype *type = &archetypes[drg_rng_pick(
	        r, &archetypes[0].weight, sizeof archetypes[0], DRG_ARRAY_LEN(archetypes))];
	s->style = type->style;
	s->flaws = type->flaws;
	bool has_own = s->n_home > 0 && (type->home_lang || drg_rng_chance(r, 150));
	s->style.lang = has_own ? w->country[s->home[0]]->lang : DRG_LANG_EN;
	if (s->style.lang != DRG_LANG_UK && s->style.lang != DRG_LANG_RU)
		s->style.cyrillic = false;
	if (type->style.cyrillic)
		s->style.ampersand = !s->style.cyrillic ? "&" : s->style.lang == DRG_LANG_UK ? "та" : "и";
	else if (s->style.lang == DRG_LANG_UK || s->style.lang == DRG_LANG_RU)
		s->style.local_type = false; /* Latin names keep a Latin word for the house */
	s->ids = (enum drg_synth_ids)drg_rng_below(r, DRG_IDS_COUNT);
	s->list_ids = (enum drg_synth_list_ids)drg_rng_below(r, DRG_LIST_IDS_COUNT);
	s->stars = (enum drg_synth_stars)drg_rng_below(r, DRG_STARS_COUNT);
	s->first_id = 1 + drg_rng_below(r, 90000);
	s->id_step = 2 + drg_rng_below(r, 14);
}

int drg_synth_supplier_make(const struct drg_synth_world *w, unsigned index, struct drg_arena *a,
                            struct drg_synth_supplier *ret, struct drg_err *reterr)
{
	uint32_t n = w->base->list[DRG_KIND_COUNTRY].n;
	struct drg_rng r = drg_rng(w->seed, DRG_RNG_SUPPLIER, index, 0);
	struct drg_synth_supplier s = { .index = index, .id = DRG_SYNTH_FIRST_ADAPTER + (int64_t)index };
	s.is_mapping_stage = index % 8 == 7;
	s.serves = drg_arena_calloc(a, n + 1, sizeof *s.serves);
	uint32_t *weight = drg_arena_calloc(a, n + 1, sizeof *weight);
	drg_synth_company(w->seed, index, a, &s.code, &s.name);
	if (s.serves == NULL || weight == NULL || s.code.p == NULL || s.name.p == NULL)
		return drg_fail_memory(reterr);
	choose_home(w, &r, weight, &s);
	choose_destinations(w, &r, weight, &s);
	choose_manner(w, &r, &s);
	*ret = s;
	return DRG_OK;
}

/* ---- ids ---- */

static void add_padded(struct drg_buf *out, uint64_t v, size_t width)
{
	char text[DRG_I64_TEXT];
	size_t n = drg_i64_text((int64_t)v, text);
	for (; n < width; width--)
		drg_buf_char(out, '0');
	drg_buf_add(out, text, n);
}

/** Eight hexadecimal digits, scattered: the mix is a bijection, so different numbers stay different. */
static void add_scattered(struct drg_buf *out, uint32_t v, uint32_t key)
{
	v = (v ^ key) * 0x9e3779b1U;
	v = (v ^ (v >> 15)) * 0x85ebca77U;
	v ^= v >> 13;
	for (unsigned shift = 32; shift > 0; shift -= 4)
		drg_buf_char(out, "0123456789abcdef"[v >> (shift - 4) & 15]);
}

/** Three capital letters of a name, X where it has not enough. */
static void add_three_letters(struct drg_buf *out, struct drg_str name)
{
	unsigned n = 0;
	for (size_t i = 0; i < name.n && n < 3; i++) {
		char c = name.p[i] >= 'a' && name.p[i] <= 'z' ? (char)(name.p[i] - ('a' - 'A')) : name.p[i];
		if (c >= 'A' && c <= 'Z') {
			drg_buf_char(out, c);
			n++;
		}
	}
	for (; n < 3; n++)
		drg_buf_char(out, 'X');
}

void drg_synth_hotel_id(const struct drg_synth_supplier *s, uint32_t n, const char *country,
                        struct drg_str city, uint32_t city_index, struct drg_buf *out)
{
	uint64_t number = (uint64_t)s->first_id + n;
	switch (s->ids) {
	case DRG_IDS_SEQUENCE: add_padded(out, number, 1); break;
	case DRG_IDS_GAPS:
		add_padded(out, s->first_id + (uint64_t)n * s->id_step + drg_rng_mix(number) % s->id_step, 1);
		break;
	case DRG_IDS_PADDED: add_padded(out, number, 7); break;
	case DRG_IDS_PLACE:
		drg_buf_str(out, drg_str_c(country));
		drg_buf_char(out, '-');
		add_three_letters(out, city);
		drg_buf_char(out, '-');
		add_padded(out, n + 1, 5);
		break;
	case DRG_IDS_HEX: add_scattered(out, n, s->first_id); break;
	default:
		add_padded(out, city_index + 100, 1);
		drg_buf_char(out, '_');
		add_padded(out, number, 1);
		break;
	}
}

void drg_synth_list_id(const struct drg_synth_supplier *s, enum drg_kind kind, uint32_t i, const char *code,
                       struct drg_buf *out)
{
	static const char *const prefixes[DRG_KIND_COUNT] = {
		"CTR", "DEP", "CUR", "CTY", "ML", "CAT", "HTL"
	};
	uint64_t number = s->first_id % 97 + 1 + (uint64_t)i * (1 + s->id_step % 4);
	if (s->list_ids == DRG_LIST_IDS_CODES && code[0] != '\0') {
		drg_buf_str(out, drg_str_c(code));
		return;
	}
	if (s->list_ids == DRG_LIST_IDS_PREFIXED)
		drg_buf_str(out, drg_str_c(prefixes[kind]));
	add_padded(out, number, s->list_ids == DRG_LIST_IDS_PADDED ? 5 : 1);
}
