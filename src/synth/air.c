#include "synth/air.h"

#include <stdio.h>

/* Two shapes of data: one gives a number and a name in capitals, the other all it knows. */

static const struct drg_synth_style capitals = { .letters = DRG_CASE_UPPER, .ascii = true };

static void source_begin(struct drg_synth_out *o, int64_t adapter, const struct drg_synth_place *p)
{
	drg_synth_line(o, "air_source");
	drg_synth_int(o, "adapter_id", adapter);
	drg_synth_int(o, "source_id", p->id);
}

static void data_begin(struct drg_synth_out *o)
{
	drg_jw_key(&o->jw, "data");
	drg_jw_object(&o->jw);
}

static void put_brief(struct drg_synth_out *o, int64_t adapter, const struct drg_synth_place *p,
                      uint32_t number)
{
	char digits[DRG_I64_TEXT];
	struct drg_buf name;
	drg_buf_init(&name, 1 << 16);
	drg_synth_spell_text(&capitals, p->name, &name);
	source_begin(o, adapter, p);
	drg_synth_str(o, "external_id", drg_str(digits, drg_i64_text(number, digits)));
	data_begin(o);
	drg_synth_int(o, "idx", number);
	drg_synth_str(o, "name", drg_buf_view(&name));
	drg_jw_object_end(&o->jw);
	drg_synth_line_end(o);
	drg_buf_done(&name);
}

/** What another record of the base says of a place. */
struct context {
	struct drg_str city, country;
	uint32_t airports;
};

static struct context context_of(const struct drg_synth_base *b, const struct drg_synth_place *p)
{
	struct context c = { .airports = 0 };
	const char *city = p->is_city ? p->code : p->city_code;
	for (uint32_t i = 0; i < b->n_places && city[0] != '\0'; i++) {
		const struct drg_synth_place *other = &b->places[i];
		if (other->is_city && strcmp(other->code, city) == 0)
			c.city = other->name;
		if (!other->is_city && strcmp(other->city_code, city) == 0)
			c.airports++;
	}
	const struct drg_synth_list *countries = &b->list[DRG_KIND_COUNTRY];
	for (uint32_t i = 0; i < countries->n; i++)
		if (strcmp(countries->e[i].code, p->country) == 0)
			c.country = countries->e[i].name[DRG_LANG_EN];
	return c;
}

static void put_full(const struct drg_synth_base *b, struct drg_synth_out *o, int64_t adapter,
                     const struct drg_synth_place *p)
{
	struct context c = context_of(b, p);
	source_begin(o, adapter, p);
	/* A city and its airport often share a code. */
	char id[16];
	snprintf(id, sizeof id, p->is_city ? "%s.CITY" : "%s", p->code);
	drg_synth_str(o, "external_id", drg_str_c(id));
	data_begin(o);
	drg_synth_str(o, "code", drg_str_c(p->code));
	drg_synth_str(o, "name", p->name);
	drg_synth_str(o, "cityCode",
	              drg_str_c(p->is_city || p->city_code[0] == '\0' ? p->code : p->city_code));
	drg_synth_str(o, "cityName", c.city.n > 0 ? c.city : p->name);
	drg_synth_str(o, "countryName", c.country);
	drg_synth_str(o, "countryCode", drg_str_c(p->country));
	drg_synth_int(o, "timezone", (p->lng + (p->lng < 0 ? -7500000 : 7500000)) / 15000000);
	drg_synth_degrees(o, "lat", p->lat);
	drg_synth_degrees(o, "lon", p->lng);
	drg_synth_int(o, "numAirports", c.airports > 0 ? c.airports : 1);
	drg_synth_bool(o, "city", p->is_city);
	drg_jw_object_end(&o->jw);
	drg_synth_line_end(o);
}

int drg_synth_air_write(const struct drg_synth_world *w, unsigned first_index, struct drg_arena *a,
                        struct drg_synth_out *o, struct drg_err *reterr)
{
	const struct drg_synth_base *b = w->base;
	int64_t id = DRG_SYNTH_FIRST_ADAPTER + (int64_t)first_index;
	if (b->n_places == 0)
		return DRG_OK;
	for (unsigned i = 0; i < DRG_SYNTH_AIR_ADAPTERS; i++) {
		struct drg_str code, name;
		drg_synth_company(w->seed, first_index + i, a, &code, &name);
		if (code.p == NULL || name.p == NULL)
			return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "no memory for an air supplier");
		drg_synth_adapter_write(o, id + i, code, name, "air", false);
	}
	struct drg_rng r = drg_rng(w->seed, DRG_RNG_AIR, 0, 0);
	for (uint32_t i = 0; i < b->n_places && o->rc == DRG_OK; i++) {
		if (drg_rng_chance(&r, 700))
			put_brief(o, id, &b->places[i], 301 + i * 3);
		if (b->places[i].located && drg_rng_chance(&r, 450))
			put_full(b, o, id + 1, &b->places[i]);
	}
	return DRG_OK;
}
