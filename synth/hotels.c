#include "synth/hotels.h"

#include "synth/content.h"

enum { TEXT_MAX = 1 << 16 };

/* ---- of the reference ---- */

static const struct drg_synth_style plain_style = { .ampersand = "&" };

/** Buffers for the names of one hotel after the other. */
struct hotel_naming {
	struct drg_buf en, local, scratch;
};

/** The name in another language: its word for the house, its letters where they are Cyrillic. Left out when
 * that makes no difference. */
static void put_local_name(struct drg_synth_out *o, enum drg_synth_lang lang,
                           const struct drg_synth_name *name, const struct drg_synth_element *city,
                           struct hotel_naming *n)
{
	struct drg_synth_style style = { .lang = lang, .local_type = true, .ampersand = "&" };
	style.cyrillic = lang == DRG_LANG_UK || lang == DRG_LANG_RU;
	struct drg_rng none = { 0 };
	drg_buf_clear(&n->local);
	drg_synth_spell_name(&style, &none, name, 0, city->name[lang], &n->scratch, &n->local);
	if (!drg_str_eq(drg_buf_view(&n->local), drg_buf_view(&n->en)))
		drg_synth_str(o, drg_synth_lang_tags[lang], drg_buf_view(&n->local));
}

static void hotels_put_names(struct drg_synth_out *o, struct drg_rng *r, enum drg_synth_lang local,
                             const struct drg_synth_name *name, const struct drg_synth_element *city,
                             struct hotel_naming *n)
{
	struct drg_rng none = { 0 };
	drg_buf_clear(&n->en);
	drg_synth_spell_name(&plain_style, &none, name, 0, drg_str(NULL, 0), &n->scratch, &n->en);
	drg_jw_key(&o->jw, "name");
	drg_jw_object(&o->jw);
	drg_synth_str(o, "en", drg_buf_view(&n->en));
	if (local != DRG_LANG_EN)
		put_local_name(o, local, name, city, n);
	if (local != DRG_LANG_UK && drg_rng_chance(r, 120))
		put_local_name(o, DRG_LANG_UK, name, city, n);
	if (local != DRG_LANG_RU && drg_rng_chance(r, 120))
		put_local_name(o, DRG_LANG_RU, name, city, n);
	drg_jw_object_end(&o->jw);
}

/** A postal code in the length of the country; "" where there are none. */
static struct drg_str zip_text(const struct drg_synth_world *w, const struct drg_synth_hotel *h,
                               char text[static 16])
{
	unsigned digits = w->country[h->country]->zip_digits;
	uint32_t v = h->zip;
	for (unsigned i = digits; i > 0; i--, v /= 10)
		text[i - 1] = (char)('0' + v % 10);
	return drg_str(text, digits);
}

static void hotels_put_position(struct drg_synth_out *o, int32_t lat, int32_t lng)
{
	drg_synth_degrees(o, "lat", lat);
	drg_synth_degrees(o, "lng", lng);
}

static void put_hotel(const struct drg_synth_world *w, uint64_t k, const struct drg_synth_hotel *h,
                      struct drg_rng *r, struct drg_synth_out *o, struct hotel_naming *n)
{
	const struct drg_synth_list *list = w->base->list;
	char zip[16];
	drg_synth_line(o, "dict");
	drg_synth_str(o, "kind", DRG_STR("hotel"));
	drg_synth_int(o, "id", DRG_SYNTH_FIRST_HOTEL + (int64_t)k);
	hotels_put_names(o, r, w->country[h->country]->lang, &h->name, &list[DRG_KIND_CITY].e[h->city], n);
	drg_synth_int(o, "country_id", list[DRG_KIND_COUNTRY].e[h->country].id);
	drg_synth_int(o, "city_id", list[DRG_KIND_CITY].e[h->city].id);
	drg_synth_int(o, "hotel_category_id", list[DRG_KIND_HOTEL_CATEGORY].e[h->category].id);
	if (h->type != DRG_SYNTH_NONE)
		drg_synth_int(o, "hotel_type_id", list[DRG_KIND_HOTEL_TYPE].e[h->type].id);
	if (h->located)
		hotels_put_position(o, h->lat, h->lng);
	drg_buf_clear(&n->scratch);
	drg_synth_address_write(&h->address, DRG_ADDRESS_FULL, drg_str(NULL, 0), &n->scratch);
	drg_synth_str(o, "address", drg_buf_view(&n->scratch));
	drg_synth_str(o, "zip", zip_text(w, h, zip));
	drg_synth_line_end(o);
	o->totals.hotels++;
}

void drg_synth_hotels_write(const struct drg_synth_world *w, uint64_t n, struct drg_synth_out *o,
                            drg_synth_tick_fn *tick, void *ctx)
{
	struct hotel_naming names;
	drg_buf_init(&names.en, TEXT_MAX);
	drg_buf_init(&names.local, TEXT_MAX);
	drg_buf_init(&names.scratch, TEXT_MAX);
	for (uint64_t k = 0; k < n && tick(ctx); k++) {
		struct drg_rng r;
		struct drg_synth_hotel h;
		drg_synth_hotel_begin(w, k, &r, &h);
		drg_synth_hotel_fill(w, &r, &h);
		put_hotel(w, k, &h, &r, o, &names);
	}
	drg_buf_done(&names.en);
	drg_buf_done(&names.local);
	drg_buf_done(&names.scratch);
}

/* ---- of a supplier ---- */

/** One supplier's pass over the hotels. */
struct pass {
	const struct drg_synth_world *w;
	const struct drg_synth_supplier *s;
	const struct drg_synth_lists *l;
	const struct drg_synth_options *opt;
	struct drg_synth_out *o;
	struct drg_rng rng; /**< of the hotel at hand */
	uint32_t n; /**< hotels written so far: the next one's number */
	struct drg_buf id, text, scratch;
};

static bool chance(struct pass *p, unsigned per_mille)
{
	return drg_rng_chance(&p->rng, per_mille);
}

/** Its category there: mostly the true one, else one star more or less or one of its own. */
static void put_category(struct pass *p, const struct drg_synth_hotel *h)
{
	const struct drg_synth_flaws *f = &p->s->flaws;
	uint32_t c = h->category;
	if (chance(p, f->no_category))
		return;
	if (chance(p, f->odd_category)) {
		unsigned stars = h->stars == 5 || chance(p, 500) ? h->stars - 1 : h->stars + 1;
		c = chance(p, 300) || stars == 0
		            ? p->l->n_categories + drg_rng_below(&p->rng, DRG_SYNTH_ODD_CATEGORIES)
		            : p->w->stars[stars];
	}
	drg_jw_raw(&p->o->jw, p->l->category[c]);
}

/* That of the city, or 1 to 15 km off. */
static void misplace_badly(struct pass *p, const struct drg_synth_hotel *h, int32_t *lat, int32_t *lng)
{
	const struct drg_synth_element *city = &p->w->base->list[DRG_KIND_CITY].e[h->city];
	if (chance(p, 40)) {
		*lat = city->lat;
		*lng = city->lng;
	} else if (chance(p, 60)) {
		int32_t off = drg_rng_between(&p->rng, 1000, 15000);
		drg_synth_move(lat, lng, chance(p, 500) ? off : -off, 0);
	}
}

static void put_misplaced(struct pass *p, const struct drg_synth_hotel *h)
{
	const struct drg_synth_flaws *f = &p->s->flaws;
	if (!h->located || chance(p, f->no_position))
		return;
	/* Small errors are commoner than large ones. */
	uint32_t u = drg_rng_below(&p->rng, 1000);
	int32_t off = 10 + (int32_t)((f->metres - 10) * (u * u / 1000) / 1000);
	int32_t north = drg_rng_between(&p->rng, -off, off), east = off - (north < 0 ? -north : north);
	int32_t lat = h->lat, lng = h->lng;
	drg_synth_move(&lat, &lng, north, chance(p, 500) ? east : -east);
	if (p->opt->hard)
		misplace_badly(p, h, &lat, &lng);
	bool fits = lng >= -90000000 && lng <= 90000000;
	if (fits && chance(p, f->swapped))
		hotels_put_position(p->o, lng, lat);
	else
		hotels_put_position(p->o, lat, lng);
}

static void put_address(struct pass *p, const struct drg_synth_hotel *h)
{
	const struct drg_synth_flaws *f = &p->s->flaws;
	char zip[16];
	if (!chance(p, f->no_address)) {
		drg_buf_clear(&p->text);
		drg_buf_clear(&p->scratch);
		enum drg_synth_address_form form =
		        (enum drg_synth_address_form)drg_rng_below(&p->rng, DRG_ADDRESS_FORMS);
		drg_synth_address_write(&h->address, form, p->l->city_name[h->city], &p->scratch);
		drg_synth_spell_text(&p->s->style, drg_buf_view(&p->scratch), &p->text);
		drg_synth_str(p->o, "address", drg_buf_view(&p->text));
	}
	if (!chance(p, f->no_zip))
		drg_synth_str(p->o, "zip", zip_text(p->w, h, zip));
}

static void put_url(struct pass *p)
{
	drg_jw_key(&p->o->jw, "url");
	drg_jw_sep(&p->o->jw);
	drg_buf_lit(&p->o->buf, "\"https://");
	drg_buf_str(&p->o->buf, p->s->code);
	drg_buf_lit(&p->o->buf, ".example.com/hotel/");
	drg_buf_str(&p->o->buf, drg_buf_view(&p->id));
	drg_buf_char(&p->o->buf, '"');
}

/** +90 2345678, 902345678, +90-234-56-78: as is the supplier's way. */
static void put_phone(struct pass *p, const struct drg_synth_hotel *h)
{
	unsigned way = p->s->first_id % 3;
	drg_buf_clear(&p->text);
	if (way != 1)
		drg_buf_char(&p->text, '+');
	drg_buf_i64(&p->text, p->w->country[h->country]->phone);
	if (way == 0)
		drg_buf_char(&p->text, ' ');
	char digits[DRG_I64_TEXT];
	drg_i64_text(h->phone, digits);
	for (unsigned i = 0; i < 7; i++) {
		if (way == 2 && (i == 0 || i == 3 || i == 5))
			drg_buf_char(&p->text, '-');
		drg_buf_char(&p->text, digits[i]);
	}
	drg_synth_str(p->o, "phone", drg_buf_view(&p->text));
}

static void put_contacts(struct pass *p, const struct drg_synth_hotel *h)
{
	if (!chance(p, p->s->flaws.no_url))
		put_url(p);
	if (!chance(p, p->s->flaws.no_phone))
		put_phone(p, h);
}

/** The addition to the name of a hotel's second record; nothing in some. */
static struct drg_str annex(struct pass *p)
{
	static const char *const names[] = { " Annex", " (B Block)", " Land Side", " - Promo", "", "" };
	return drg_str_c(names[drg_rng_below(&p->rng, sizeof names / sizeof names[0])]);
}

static void hotels_put_source(struct pass *p, const struct drg_synth_hotel *h, const int64_t *dict_id,
                              bool again)
{
	const struct drg_synth_list *list = p->w->base->list;
	drg_buf_clear(&p->id);
	drg_buf_clear(&p->text);
	drg_synth_hotel_id(p->s, p->n++, list[DRG_KIND_COUNTRY].e[h->country].code,
	                   list[DRG_KIND_CITY].e[h->city].name[DRG_LANG_EN], h->city, &p->id);
	drg_synth_spell_name(&p->s->style, &p->rng, &h->name, h->stars, p->l->city_name[h->city], &p->scratch,
	                     &p->text);
	bool swapped = p->opt->hard && chance(p, 3);
	if (swapped) {
		drg_buf_clear(&p->text);
		drg_synth_address_write(&h->address, DRG_ADDRESS_FULL, drg_str(NULL, 0), &p->text);
	}
	if (again)
		drg_synth_spell_text(&p->s->style, annex(p), &p->text);
	drg_synth_source_begin(p->o, p->s, DRG_KIND_HOTEL, drg_buf_view(&p->id), drg_buf_view(&p->text),
	                       p->opt->blind ? NULL : dict_id);
	put_category(p, h);
	drg_jw_raw(&p->o->jw, p->l->country[h->country]);
	if (!p->opt->hard || !chance(p, 50))
		drg_jw_raw(&p->o->jw, p->l->city[h->city]);
	put_misplaced(p, h);
	put_address(p, h);
	put_contacts(p, h);
	drg_synth_line_end(p->o);
	p->o->totals.sources++;
	if (drg_rng_below(&p->rng, 100) < p->opt->content_percent)
		drg_synth_content_write(p->w, p->s, h, drg_buf_view(&p->id), &p->rng, p->o);
}

/** Write a hotel that nobody else has, in the city of hotel @p k; where life is hard a third are sister
 * houses of it. */
static void put_own(struct pass *p, uint64_t k, struct drg_synth_hotel *h)
{
	struct drg_rng hotel_rng;
	drg_synth_hotel_begin(p->w, k, &hotel_rng, h);
	bool sister = p->opt->hard && h->sister == 0 && chance(p, 333);
	h->sister = 0;
	drg_synth_hotel_fill(p->w, sister ? &hotel_rng : &p->rng, h);
	if (sister)
		drg_synth_make_sister(&p->rng, h);
	hotels_put_source(p, h, NULL, false);
}

/** Hotel @p k, if the supplier has it; and beside it, now and then, one in the same city that nobody else
 * has. */
static void put_sources(struct pass *p, uint64_t k)
{
	struct drg_rng hotel_rng;
	struct drg_synth_hotel h;
	drg_synth_hotel_begin(p->w, k, &hotel_rng, &h);
	if (!p->s->serves[h.country])
		return;
	p->rng = drg_rng(p->w->seed, DRG_RNG_SOURCE, k, p->s->index);
	if (drg_synth_supplier_has(p->s, &h, &p->rng)) {
		int64_t dict_id = DRG_SYNTH_FIRST_HOTEL + (int64_t)k;
		drg_synth_hotel_fill(p->w, &hotel_rng, &h);
		hotels_put_source(p, &h, &dict_id, false);
		if (chance(p, p->s->flaws.duplicates))
			hotels_put_source(p, &h, &dict_id, true);
	}
	if (drg_rng_below(&p->rng, 1000000) < (uint64_t)p->s->chance * p->s->flaws.own / 1000) {
		put_own(p, k, &h);
	}
}

void drg_synth_sources_write(const struct drg_synth_world *w, const struct drg_synth_supplier *s,
                             const struct drg_synth_lists *l, const struct drg_synth_options *opt,
                             struct drg_synth_out *o, drg_synth_tick_fn *tick, void *ctx)
{
	struct pass p = { .w = w, .s = s, .l = l, .opt = opt, .o = o };
	drg_buf_init(&p.id, TEXT_MAX);
	drg_buf_init(&p.text, TEXT_MAX);
	drg_buf_init(&p.scratch, TEXT_MAX);
	for (uint64_t k = 0; k < opt->hotels && tick(ctx); k++)
		put_sources(&p, k);
	drg_buf_done(&p.id);
	drg_buf_done(&p.text);
	drg_buf_done(&p.scratch);
}
