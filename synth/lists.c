#include "synth/lists.h"

#include "base/compiler.h"

/** The shared state of making one supplier's lists. */
struct making {
	const struct drg_synth_world *w;
	const struct drg_synth_supplier *s;
	struct drg_synth_out *o;
	struct drg_arena *arena;
	struct drg_rng rng;
	bool blind;
	bool failed; /**< no memory */
	struct drg_buf id, name; /**< of the element being written */
};

/* Names under which suppliers know a place besides the one in the reference. */
static const struct {
	const char *name, *also;
} aliases[] = {
	{ "Czechia", "Czech Republic" },
	{ "Dominican Republic", "Dominicana" },
	{ "Türkiye", "Turkey" },
	{ "Turkey", "Turkiye" },
	{ "United Arab Emirates", "UAE" },
	{ "United Kingdom", "Great Britain" },
	{ "United States", "USA" },
	{ "Vietnam", "Viet Nam" },
	{ "Hurghada", "Hurgada" },
	{ "Sharm El Sheikh", "Sharm-el-Sheikh" },
	{ "Kyiv", "Kiev" },
	{ "Odesa", "Odessa" },
	{ "Lviv", "Lvov" },
	{ "Kharkiv", "Kharkov" },
	{ "Antalya", "Antalia" },
	{ "Kuşadası", "Kushadasi" },
	{ "Rhodes", "Rodos" },
	{ "Heraklion", "Iraklion" },
	{ "Chania", "Hania" },
	{ "Phuket", "Pukhet" },
	{ "Patong", "Patong Beach" },
	{ "Nesebar", "Nessebar" },
	{ "Marsa Alam", "Marsa-Alam" },
	{ "Hersonissos", "Hersonisos" },
	{ "Munich", "Muenchen" },
};
static const char *const odd_meals[] = { "AI Light", "Breakfast + Dinner", "As per programme" };
static const char *const odd_categories[DRG_SYNTH_ODD_CATEGORIES] = { "SPECIAL", "TBA", "Club" };

static struct drg_str synth_lists_keep(struct making *m, const struct drg_buf *b)
{
	struct drg_str s = drg_arena_str(m->arena, drg_buf_view(b));
	m->failed |= s.p == NULL;
	return s;
}

static void *keep_array(struct making *m, uint32_t n, size_t size)
{
	void *p = drg_arena_calloc(m->arena, n + 1, size);
	m->failed |= p == NULL;
	return p;
}

/* ---- lines ---- */

void drg_synth_source_begin(struct drg_synth_out *o, const struct drg_synth_supplier *s, enum drg_kind kind,
                            struct drg_str id, struct drg_str name, const int64_t *dict_id)
{
	drg_synth_line(o, "source");
	drg_synth_int(o, "adapter_id", s->id);
	drg_synth_str(o, "kind", drg_str_c(drg_kind_name(kind)));
	drg_synth_str(o, "id", id);
	drg_synth_str(o, "name", name);
	if (s->style.lang != DRG_LANG_EN)
		drg_synth_str(o, "lang", drg_str_c(drg_synth_lang_tags[s->style.lang]));
	if (dict_id != NULL)
		drg_synth_int(o, "dict_id", *dict_id);
}

/** Begin the line of element @p i, its name standing in m->name. @param e  NULL: one of the supplier's own. */
static void synth_lists_begin(struct making *m, enum drg_kind kind, uint32_t i,
                              const struct drg_synth_element *e)
{
	drg_buf_clear(&m->id);
	drg_synth_list_id(m->s, kind, i, e != NULL ? e->code : "", &m->id);
	bool mapped = e != NULL && !m->blind;
	drg_synth_source_begin(m->o, m->s, kind, drg_buf_view(&m->id), drg_buf_view(&m->name),
	                       mapped ? &e->id : NULL);
}

static void write_plain(struct making *m, enum drg_kind kind, uint32_t i, const struct drg_synth_element *e)
{
	synth_lists_begin(m, kind, i, e);
	drg_synth_line_end(m->o);
}

/** The id and name last written, as members that hotels quote: "city_id":"501","city_name":"ANTALYA". */
static struct drg_str quote(struct making *m, const char *id_key, const char *name_key)
{
	struct drg_buf b;
	drg_buf_init(&b, 1 << 20);
	struct drg_jw w = { .b = &b };
	if (m->s->flaws.no_list_ids == 0) {
		drg_jw_key(&w, id_key);
		drg_jw_str(&w, drg_buf_view(&m->id));
	}
	drg_jw_key(&w, name_key);
	drg_jw_str(&w, drg_buf_view(&m->name));
	m->failed |= b.rc != DRG_OK;
	struct drg_str s = synth_lists_keep(m, &b);
	drg_buf_done(&b);
	return s;
}

/* ---- names ---- */

/** The supplier's name of a place into m->name: its language, now and then another name or a slip. */
static void spell_place(struct making *m, const struct drg_synth_element *e)
{
	struct drg_str name = e->name[m->s->style.lang];
	for (size_t i = 0; i < DRG_ARRAY_LEN(aliases); i++)
		if (drg_str_eq(name, drg_str_c(aliases[i].name)) && drg_rng_chance(&m->rng, 400))
			name = drg_str_c(aliases[i].also);
	drg_buf_clear(&m->name);
	drg_synth_spell_text(&m->s->style, name, &m->name);
	if (drg_rng_chance(&m->rng, m->s->style.typos))
		drg_synth_typo(&m->rng, &m->name, 0);
}

static void spell(struct making *m, struct drg_str text)
{
	drg_buf_clear(&m->name);
	drg_synth_spell_text(&m->s->style, text, &m->name);
}

/** "BB", "Bed and breakfast" or both, as is the supplier's way. */
static void spell_meal(struct making *m, const struct drg_synth_element *e)
{
	unsigned way = e->description != NULL ? m->s->first_id % 3 : 0;
	drg_buf_clear(&m->name);
	if (way != 1)
		drg_buf_str(&m->name, e->name[DRG_LANG_EN]);
	if (way == 2)
		drg_buf_lit(&m->name, " - ");
	if (way != 0)
		drg_synth_spell_text(&m->s->style, e->description[m->s->style.lang], &m->name);
}

static void spell_stars(enum drg_synth_stars way, unsigned stars, struct drg_buf *out)
{
	if (way == DRG_STARS_ROW) {
		drg_buf_add(out, "*****", stars);
		return;
	}
	if (way == DRG_STARS_VILLAGE && stars == 5)
		drg_buf_lit(out, "HV-1/");
	if (way == DRG_STARS_VILLAGE && stars == 4)
		drg_buf_lit(out, "HV-2/");
	drg_buf_char(out, (char)('0' + stars));
	switch (way) {
	case DRG_STARS_WORDS: drg_buf_str(out, stars == 1 ? DRG_STR(" star") : DRG_STR(" stars")); break;
	case DRG_STARS_UPPER: drg_buf_lit(out, " STARS"); break;
	case DRG_STARS_DIGIT: break;
	default: drg_buf_char(out, '*'); break;
	}
}

static void spell_category(struct making *m, const struct drg_synth_element *e)
{
	struct drg_str name = e->name[DRG_LANG_EN];
	bool has_stars = name.n == 2 && name.p[0] >= '1' && name.p[0] <= '5' && name.p[1] == '*';
	drg_buf_clear(&m->name);
	if (has_stars)
		spell_stars(m->s->stars, (unsigned)(name.p[0] - '0'), &m->name);
	else
		drg_synth_spell_text(&m->s->style, e->name[m->s->style.lang], &m->name);
}

/* ---- the lists ---- */

static bool is_home(const struct drg_synth_supplier *s, uint32_t country)
{
	for (unsigned i = 0; i < s->n_home; i++)
		if (s->home[i] == country)
			return true;
	return false;
}

static void write_countries(struct making *m, struct drg_synth_lists *l)
{
	const struct drg_synth_list *list = &m->w->base->list[DRG_KIND_COUNTRY];
	l->country = keep_array(m, list->n, sizeof *l->country);
	for (uint32_t c = 0; c < list->n && !m->failed; c++) {
		if (!m->s->serves[c] && !is_home(m->s, c))
			continue;
		spell_place(m, &list->e[c]);
		write_plain(m, DRG_KIND_COUNTRY, c, &list->e[c]);
		l->country[c] = quote(m, "country_id", "country_name");
	}
}

static void write_dep_cities(struct making *m)
{
	const struct drg_synth_list *list = &m->w->base->list[DRG_KIND_DEP_CITY];
	for (uint32_t c = 0; c < list->n; c++) {
		if (!is_home(m->s, list->e[c].parent))
			continue;
		spell_place(m, &list->e[c]);
		write_plain(m, DRG_KIND_DEP_CITY, c, &list->e[c]);
	}
}

/** Euro and dollar are everybody's; the money of large markets is common, other money rare. */
static unsigned currency_share(const char *code)
{
	static const char *const common[] = { "AED", "BGN", "CHF", "CZK", "GBP", "HUF", "KZT",
		                              "MDL", "PLN", "RON", "RUB", "THB", "TRY", "UAH" };
	if (strcmp(code, "EUR") == 0 || strcmp(code, "USD") == 0)
		return 1000;
	for (size_t i = 0; i < DRG_ARRAY_LEN(common); i++)
		if (strcmp(code, common[i]) == 0)
			return 350;
	return 10;
}

static void write_currencies(struct making *m)
{
	const struct drg_synth_list *list = &m->w->base->list[DRG_KIND_CURRENCY];
	for (uint32_t c = 0; c < list->n; c++) {
		const struct drg_synth_element *e = &list->e[c];
		if (!drg_rng_chance(&m->rng, currency_share(e->code)))
			continue;
		spell(m, e->name[m->s->style.lang]);
		synth_lists_begin(m, DRG_KIND_CURRENCY, c, e);
		drg_synth_str(m->o, "iso_code", drg_str_c(e->code));
		drg_synth_line_end(m->o);
	}
}

/** A city; and beside a few resorts the supplier's own region of that name, which the reference does not
 * have. */
static void write_city(struct making *m, uint32_t c, struct drg_synth_lists *l)
{
	const struct drg_synth_list *list = &m->w->base->list[DRG_KIND_CITY];
	const struct drg_synth_element *e = &list->e[c];
	spell_place(m, e);
	l->city_name[c] = synth_lists_keep(m, &m->name);
	synth_lists_begin(m, DRG_KIND_CITY, c, e);
	if (e->is_resort)
		drg_synth_bool(m->o, "is_resort", true);
	if (!m->failed)
		drg_jw_raw(&m->o->jw, l->country[e->parent]);
	if (e->located && m->s->flaws.no_position < 300) {
		drg_synth_degrees(m->o, "lat", e->lat);
		drg_synth_degrees(m->o, "lng", e->lng);
	}
	drg_synth_line_end(m->o);
	l->city[c] = quote(m, "city_id", "city_name");
	if (e->is_resort && drg_rng_chance(&m->rng, 60)) {
		drg_buf_lit(&m->name, " (REGION)");
		write_plain(m, DRG_KIND_CITY, list->n + c, NULL);
	}
}

static void write_cities(struct making *m, struct drg_synth_lists *l)
{
	const struct drg_synth_list *list = &m->w->base->list[DRG_KIND_CITY];
	l->city = keep_array(m, list->n, sizeof *l->city);
	l->city_name = keep_array(m, list->n, sizeof *l->city_name);
	for (uint32_t c = 0; c < list->n && !m->failed; c++)
		if (m->s->serves[list->e[c].parent])
			write_city(m, c, l);
}

static void write_meals(struct making *m)
{
	const struct drg_synth_list *list = &m->w->base->list[DRG_KIND_MEAL];
	for (uint32_t i = 0; i < list->n; i++) {
		if (!drg_rng_chance(&m->rng, 850))
			continue;
		spell_meal(m, &list->e[i]);
		write_plain(m, DRG_KIND_MEAL, i, &list->e[i]);
	}
	for (uint32_t i = 0; i < DRG_ARRAY_LEN(odd_meals); i++) {
		if (!drg_rng_chance(&m->rng, 400))
			continue;
		spell(m, drg_str_c(odd_meals[i]));
		write_plain(m, DRG_KIND_MEAL, list->n + i, NULL);
	}
}

static void write_categories(struct making *m, struct drg_synth_lists *l)
{
	const struct drg_synth_list *list = &m->w->base->list[DRG_KIND_HOTEL_CATEGORY];
	l->n_categories = list->n;
	l->category = keep_array(m, list->n + DRG_SYNTH_ODD_CATEGORIES, sizeof *l->category);
	for (uint32_t i = 0; i < list->n + DRG_SYNTH_ODD_CATEGORIES && !m->failed; i++) {
		const struct drg_synth_element *e = i < list->n ? &list->e[i] : NULL;
		if (e != NULL)
			spell_category(m, e);
		else
			spell(m, drg_str_c(odd_categories[i - list->n]));
		write_plain(m, DRG_KIND_HOTEL_CATEGORY, i, e);
		l->category[i] = quote(m, "category_id", "category_name");
	}
}

/** From the first departure city of a home country everywhere, from the others to some destinations. */
static void write_directions(struct making *m)
{
	const struct drg_synth_list *deps = &m->w->base->list[DRG_KIND_DEP_CITY];
	const struct drg_synth_list *countries = &m->w->base->list[DRG_KIND_COUNTRY];
	uint32_t last_parent = DRG_SYNTH_NONE;
	for (uint32_t d = 0; d < deps->n; d++) {
		uint32_t parent = deps->e[d].parent;
		if (!is_home(m->s, parent))
			continue;
		for (uint32_t c = 0; c < countries->n; c++) {
			if (!m->s->serves[c] || (parent == last_parent && !drg_rng_chance(&m->rng, 450)))
				continue;
			drg_synth_line(m->o, "direction");
			drg_synth_int(m->o, "adapter_id", m->s->id);
			drg_synth_int(m->o, "dep_city_id", deps->e[d].id);
			drg_synth_int(m->o, "country_id", countries->e[c].id);
			drg_synth_line_end(m->o);
		}
		last_parent = parent;
	}
}

int drg_synth_lists_write(const struct drg_synth_world *w, const struct drg_synth_supplier *s, bool blind,
                          struct drg_arena *a, struct drg_synth_out *o, struct drg_synth_lists *ret,
                          struct drg_err *reterr)
{
	struct making m = { .w = w, .s = s, .o = o, .arena = a, .blind = blind };
	m.rng = drg_rng(w->seed, DRG_RNG_LISTS, s->index, 0);
	drg_buf_init(&m.id, 1 << 20);
	drg_buf_init(&m.name, 1 << 20);
	struct drg_synth_lists l = { 0 };
	write_countries(&m, &l);
	write_dep_cities(&m);
	write_currencies(&m);
	write_cities(&m, &l);
	write_meals(&m);
	write_categories(&m, &l);
	write_directions(&m);
	drg_buf_done(&m.id);
	drg_buf_done(&m.name);
	if (m.failed)
		return drg_fail_memory(reterr);
	*ret = l;
	return DRG_OK;
}
