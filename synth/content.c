#include "synth/content.h"

#include "base/compiler.h"

enum { SENTENCES = 3 };

/** Sentences about one matter in the languages of suppliers; %c is the city, %d a number. */
static const struct matter {
	const char *type; /**< how the dict description_type begins */
	const char *title[DRG_LANG_COUNT]; /**< the supplier's word for it; NULL: English */
	const char *sentence[DRG_LANG_COUNT][SENTENCES]; /**< no first one: English */
} matters[] = {
	{ "Location",
	  { "Location", "Розташування", "Расположение", "Lage", "Położenie", "Konum", "Situation",
	    "Situación", "Posizione" },
	  { [DRG_LANG_EN] = { "The hotel is in %c, %d m from the centre.", "It stands in a quiet part of %c.",
	                      "The airport is %d minutes away by car." },
	    [DRG_LANG_UK] = { "Готель розташований у місті %c, за %d м від центру.",
	                      "Він стоїть у тихій частині міста %c.", "До аеропорту %d хвилин автомобілем." },
	    [DRG_LANG_RU] = { "Отель расположен в городе %c, в %d м от центра.",
	                      "Он стоит в тихой части города %c.", "До аэропорта %d минут на машине." },
	    [DRG_LANG_DE] = { "Das Hotel liegt in %c, %d m vom Zentrum.",
	                      "Es steht in einem ruhigen Teil von %c.",
	                      "Zum Flughafen sind es %d Minuten mit dem Auto." },
	    [DRG_LANG_PL] = { "Hotel znajduje się w miejscowości %c, %d m od centrum.",
	                      "Stoi w spokojnej części miejscowości %c.",
	                      "Do lotniska jest %d minut samochodem." },
	    [DRG_LANG_TR] = { "Otel %c merkezine %d m uzaklıktadır.", "%c bölgesinin sakin bir yerindedir.",
	                      "Havaalanı arabayla %d dakikadır." } } },
	{ "Beach",
	  { "Beach", "Пляж", "Пляж", "Strand", "Plaża", "Plaj", "Plage", "Playa", "Spiaggia" },
	  { [DRG_LANG_EN] = { "The beach is %d m away.", "Sunbeds and parasols are free.",
	                      "The beach is sandy, with a gentle slope." },
	    [DRG_LANG_UK] = { "До пляжу %d м.", "Шезлонги та парасольки безкоштовні.",
	                      "Пляж піщаний, вхід у море пологий." },
	    [DRG_LANG_RU] = { "До пляжа %d м.", "Шезлонги и зонтики бесплатно.",
	                      "Пляж песчаный, вход в море пологий." },
	    [DRG_LANG_DE] = { "Der Strand ist %d m entfernt.", "Liegen und Sonnenschirme sind kostenlos.",
	                      "Der Sandstrand fällt flach ab." },
	    [DRG_LANG_PL] = { "Plaża jest oddalona o %d m.", "Leżaki i parasole są bezpłatne.",
	                      "Plaża jest piaszczysta." },
	    [DRG_LANG_TR] = { "Plaj %d m uzaklıktadır.", "Şezlong ve şemsiye ücretsizdir.",
	                      "Plaj kumludur." } } },
	{ "Rooms",
	  { "Rooms", "Номери", "Номера", "Zimmer", "Pokoje", "Odalar", "Chambres", "Habitaciones", "Camere" },
	  { [DRG_LANG_EN] = { "There are rooms for up to %d guests.", "All rooms have a balcony.",
	                      "The rooms were renovated lately." },
	    [DRG_LANG_UK] = { "Є номери для %d гостей.", "Усі номери мають балкон.",
	                      "Номери нещодавно оновлено." },
	    [DRG_LANG_RU] = { "Есть номера на %d гостей.", "Во всех номерах балкон.",
	                      "Номера недавно обновлены." },
	    [DRG_LANG_DE] = { "Es gibt Zimmer für bis zu %d Gäste.", "Alle Zimmer haben einen Balkon.",
	                      "Die Zimmer wurden jüngst renoviert." },
	    [DRG_LANG_PL] = { "Są pokoje dla %d osób.", "Wszystkie pokoje mają balkon.",
	                      "Pokoje niedawno odnowiono." },
	    [DRG_LANG_TR] = { "%d kişilik odalar vardır.", "Bütün odalar balkonludur.",
	                      "Odalar yakın zamanda yenilendi." } } },
	{ "Meals",
	  { "Food", "Харчування", "Питание", "Verpflegung", "Wyżywienie", "Yemekler", "Repas", "Comidas",
	    "Pasti" },
	  { [DRG_LANG_EN] = { "There are %d restaurants and a bar.", "Breakfast is a buffet.",
	                      "There is a menu for children." },
	    [DRG_LANG_UK] = { "Є %d ресторани та бар.", "Сніданок: шведський стіл.", "Є дитяче меню." },
	    [DRG_LANG_RU] = { "Есть %d ресторана и бар.", "Завтрак: шведский стол.", "Есть детское меню." },
	    [DRG_LANG_DE] = { "Es gibt %d Restaurants und eine Bar.", "Das Frühstück ist ein Buffet.",
	                      "Es gibt eine Kinderkarte." },
	    [DRG_LANG_PL] = { "Są %d restauracje i bar.", "Śniadanie w formie bufetu.",
	                      "Jest menu dla dzieci." },
	    [DRG_LANG_TR] = { "%d restoran ve bir bar vardır.", "Kahvaltı açık büfedir.",
	                      "Çocuk menüsü vardır." } } },
	{ "Misc", /* none of the reference: not mapped */
	  { "Misc", "Різне", "Разное", "Sonstiges", "Różne", "Diğer", "Divers", "Varios", "Varie" },
	  { [DRG_LANG_EN] = { "The hotel has %d floors.", "Pets on request.", "Cards are accepted." },
	    [DRG_LANG_UK] = { "У готелі %d поверхів.", "Тварини за запитом.", "Приймаються картки." },
	    [DRG_LANG_RU] = { "В отеле %d этажей.", "Животные по запросу.", "Принимаются карты." },
	    [DRG_LANG_DE] = { "Das Hotel hat %d Etagen.", "Haustiere auf Anfrage.",
	                      "Karten werden angenommen." },
	    [DRG_LANG_PL] = { "Hotel ma %d pięter.", "Zwierzęta na życzenie.", "Akceptujemy karty." },
	    [DRG_LANG_TR] = { "Otel %d katlıdır.", "Evcil hayvan istek üzerine.", "Kart kabul edilir." } } },
};

/** Largest %d that makes sense: metres or minutes, guests, restaurants, floors. */
static uint32_t sensible(size_t matter, uint32_t sentence, struct drg_rng *r)
{
	static const uint32_t most[DRG_ARRAY_LEN(matters)] = { 40, 40, 6, 4, 12 };
	uint32_t n = 2 + drg_rng_below(r, most[matter] - 1);
	return matter < 2 && sentence == 0 ? n * 50 : n;
}

/** The shared state of writing one content. */
struct telling {
	const struct drg_synth_world *w;
	const struct drg_synth_supplier *s;
	const struct drg_synth_hotel *h;
	struct drg_rng *r;
	struct drg_synth_out *o;
	const char *lang; /**< tag of the supplier's language */
};

/** The id of an element of the reference, or null. */
static void put_term(struct telling *t, const char *key, enum drg_kind kind, uint32_t index)
{
	if (index != DRG_SYNTH_NONE) {
		drg_synth_int(t->o, key, t->w->base->list[kind].e[index].id);
		return;
	}
	drg_jw_key(&t->o->jw, key);
	drg_jw_null(&t->o->jw);
}

/* ---- descriptions ---- */

static void add_sentence(struct telling *t, size_t matter, uint32_t which, enum drg_synth_lang lang,
                         struct drg_buf *out)
{
	const char *text = matters[matter].sentence[lang][which];
	for (; *text != '\0'; text++) {
		if (*text != '%')
			drg_buf_char(out, *text);
		else if (*++text == 'c')
			drg_buf_str(out, t->w->base->list[DRG_KIND_CITY].e[t->h->city].name[lang]);
		else
			drg_buf_i64(out, sensible(matter, which, t->r));
	}
}

static void put_description(struct telling *t, size_t matter)
{
	const struct matter *m = &matters[matter];
	enum drg_synth_lang lang = t->s->style.lang;
	if (m->sentence[lang][0] == NULL)
		lang = DRG_LANG_EN;
	drg_jw_object(&t->o->jw);
	put_term(t, "type_id", DRG_KIND_DESCRIPTION_TYPE,
	         drg_synth_base_find(t->w->base, DRG_KIND_DESCRIPTION_TYPE, m->type));
	drg_synth_in_lang(t->o, "orig_type", t->lang, drg_str_c(m->title[t->s->style.lang]));
	char text[1024];
	struct drg_buf b = { .p = text, .cap = sizeof text, .max = sizeof text };
	uint32_t first = drg_rng_below(t->r, SENTENCES), n = 1 + drg_rng_below(t->r, SENTENCES);
	for (uint32_t i = 0; i < n; i++) {
		if (i > 0)
			drg_buf_char(&b, ' ');
		add_sentence(t, matter, (first + i) % SENTENCES, lang, &b);
	}
	drg_synth_in_lang(t->o, "text", drg_synth_lang_tags[lang], drg_buf_view(&b));
	drg_jw_object_end(&t->o->jw);
}

static void put_descriptions(struct telling *t)
{
	uint32_t n = 1 + drg_rng_below(t->r, 3), first = drg_rng_below(t->r, DRG_ARRAY_LEN(matters));
	drg_jw_key(&t->o->jw, "descriptions");
	drg_jw_array(&t->o->jw);
	for (uint32_t i = 0; i < n; i++)
		put_description(t, (first + i) % DRG_ARRAY_LEN(matters));
	drg_jw_array_end(&t->o->jw);
}

/* ---- facilities ---- */

/** The supplier's word for a group or a facility. */
static void put_orig(struct telling *t, const char *key, struct drg_str name)
{
	char text[512];
	struct drg_buf b = { .p = text, .cap = sizeof text, .max = sizeof text };
	drg_synth_spell_text(&t->s->style, name, &b);
	drg_synth_in_lang(t->o, key, t->lang, drg_buf_view(&b));
}

static void put_value(struct telling *t)
{
	bool paid = drg_rng_chance(t->r, 250);
	drg_synth_str(t->o, "value_type", paid ? DRG_STR("free_or_paid") : DRG_STR("boolean"));
	if (paid)
		drg_synth_str(t->o, "value", drg_rng_chance(t->r, 500) ? DRG_STR("free") : DRG_STR("paid"));
	else
		drg_synth_str(t->o, "value", drg_rng_chance(t->r, 930) ? DRG_STR("1") : DRG_STR("0"));
	drg_jw_object_end(&t->o->jw);
}

static void put_facility_group(struct telling *t, uint32_t g)
{
	const struct drg_synth_list *groups = &t->w->base->list[DRG_KIND_FACILITY_GROUP];
	const struct drg_synth_list *types = &t->w->base->list[DRG_KIND_FACILITY_TYPE];
	enum drg_synth_lang lang = t->s->style.lang;
	drg_jw_object(&t->o->jw);
	put_term(t, "group_id", DRG_KIND_FACILITY_GROUP, g);
	put_orig(t, "orig_group", groups->e[g].name[lang]);
	drg_jw_key(&t->o->jw, "items");
	drg_jw_array(&t->o->jw);
	for (uint32_t i = 0; i < types->n; i++) {
		if (types->e[i].parent != g || !drg_rng_chance(t->r, 400))
			continue;
		drg_jw_object(&t->o->jw);
		put_term(t, "type_id", DRG_KIND_FACILITY_TYPE,
		         drg_rng_chance(t->r, 930) ? i : DRG_SYNTH_NONE);
		put_orig(t, "orig_type", types->e[i].name[lang]);
		put_value(t);
	}
	drg_jw_array_end(&t->o->jw);
	drg_jw_object_end(&t->o->jw);
}

static void put_facilities(struct telling *t)
{
	uint32_t all = t->w->base->list[DRG_KIND_FACILITY_GROUP].n;
	uint32_t n = 2 + drg_rng_below(t->r, 3), first = all > 0 ? drg_rng_below(t->r, all) : 0;
	drg_jw_key(&t->o->jw, "facilities");
	drg_jw_array(&t->o->jw);
	for (uint32_t i = 0; i < n && i < all; i++)
		put_facility_group(t, (first + i) % all);
	drg_jw_array_end(&t->o->jw);
}

/* ---- the rest ---- */

static void put_photos(struct telling *t, struct drg_str id)
{
	uint32_t n = 2 + drg_rng_below(t->r, 5);
	drg_jw_key(&t->o->jw, "photos");
	drg_jw_array(&t->o->jw);
	for (uint32_t i = 1; i <= n; i++) {
		drg_jw_object(&t->o->jw);
		drg_jw_key(&t->o->jw, "url");
		drg_jw_sep(&t->o->jw);
		drg_buf_lit(&t->o->buf, "\"https://");
		drg_buf_str(&t->o->buf, t->s->code);
		drg_buf_lit(&t->o->buf, ".example.com/photo/");
		drg_buf_str(&t->o->buf, id);
		drg_buf_char(&t->o->buf, '/');
		drg_buf_i64(&t->o->buf, i);
		drg_buf_lit(&t->o->buf, ".jpg\"");
		drg_synth_bool(t->o, "is_main", i == 1);
		drg_jw_object_end(&t->o->jw);
	}
	drg_jw_array_end(&t->o->jw);
}

void drg_synth_content_write(const struct drg_synth_world *w, const struct drg_synth_supplier *s,
                             const struct drg_synth_hotel *h, struct drg_str id, struct drg_rng *r,
                             struct drg_synth_out *o)
{
	static const char *const in[] = { "14:00:00", "15:00:00", "13:00:00", "16:00:00" };
	static const char *const out[] = { "12:00:00", "11:00:00", "10:00:00", "12:00:00" };
	struct telling t = {
		.w = w, .s = s, .h = h, .r = r, .o = o, .lang = drg_synth_lang_tags[s->style.lang]
	};
	drg_synth_line(o, "hotel_content");
	drg_synth_int(o, "adapter_id", s->id);
	drg_synth_str(o, "hotel_id", id);
	drg_synth_str(o, "check_in", drg_str_c(in[drg_rng_below(r, 4)]));
	drg_synth_str(o, "check_out", drg_str_c(out[drg_rng_below(r, 4)]));
	drg_synth_int(o, "room_count", 8 + drg_rng_below(r, 60 + h->stars * h->stars * 20));
	put_descriptions(&t);
	put_facilities(&t);
	put_photos(&t, id);
	drg_synth_line_end(o);
	o->totals.contents++;
}
