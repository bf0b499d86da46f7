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

/** By IATA code: its city, and the airports that name it as theirs. */
struct code {
	const struct drg_synth_place *city;
	uint32_t airports;
};
enum { CODES = 37 * 37 * 37 };

static uint32_t code_number(const char *code)
{
	uint32_t n = 0;
	for (int i = 0; i < 3; i++) {
		char c = code[i];
		n = n * 37 + (uint32_t)(c >= 'A' && c <= 'Z'   ? c - 'A' + 11
		                        : c >= '0' && c <= '9' ? c - '0' + 1
		                                               : 0);
	}
	return n;
}

static void note_codes(const struct drg_synth_base *b, struct code *codes)
{
	for (uint32_t i = 0; i < b->n_places; i++) {
		const struct drg_synth_place *p = &b->places[i];
		if (p->is_city)
			codes[code_number(p->code)].city = p;
		else if (p->city_code[0] != '\0')
			codes[code_number(p->city_code)].airports++;
	}
}

static struct drg_str country_name(const struct drg_synth_base *b, const char *code)
{
	const struct drg_synth_list *countries = &b->list[DRG_KIND_COUNTRY];
	for (uint32_t i = 0; i < countries->n; i++)
		if (strcmp(countries->e[i].code, code) == 0)
			return countries->e[i].name[DRG_LANG_EN];
	return drg_str(NULL, 0);
}

static void put_full(const struct drg_synth_base *b, const struct code *codes, struct drg_synth_out *o,
                     int64_t adapter, const struct drg_synth_place *p)
{
	const char *city = p->is_city || p->city_code[0] == '\0' ? p->code : p->city_code;
	const struct code *c = &codes[code_number(city)];
	source_begin(o, adapter, p);
	/* A city and its airport often share a code. */
	char id[16];
	snprintf(id, sizeof id, p->is_city ? "%s.CITY" : "%s", p->code);
	drg_synth_str(o, "external_id", drg_str_c(id));
	data_begin(o);
	drg_synth_str(o, "code", drg_str_c(p->code));
	drg_synth_str(o, "name", p->name);
	drg_synth_str(o, "cityCode", drg_str_c(city));
	drg_synth_str(o, "cityName", c->city != NULL ? c->city->name : p->name);
	drg_synth_str(o, "countryName", country_name(b, p->country));
	drg_synth_str(o, "countryCode", drg_str_c(p->country));
	drg_synth_int(o, "timezone", (p->lng + (p->lng < 0 ? -7500000 : 7500000)) / 15000000);
	drg_synth_degrees(o, "lat", p->lat);
	drg_synth_degrees(o, "lon", p->lng);
	drg_synth_int(o, "numAirports", c->airports > 0 ? c->airports : 1);
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
	struct code *codes = drg_arena_calloc(a, CODES, sizeof *codes);
	if (codes == NULL)
		return drg_fail_memory(reterr);
	note_codes(b, codes);
	for (unsigned i = 0; i < DRG_SYNTH_AIR_ADAPTERS; i++) {
		struct drg_str code, name;
		drg_synth_company(w->seed, first_index + i, a, &code, &name);
		if (code.p == NULL || name.p == NULL)
			return drg_fail_memory(reterr);
		drg_synth_adapter_write(o, id + i, code, name, "air", false);
	}
	struct drg_rng r = drg_rng(w->seed, DRG_RNG_AIR, 0, 0);
	for (uint32_t i = 0; i < b->n_places && o->rc == DRG_OK; i++) {
		if (drg_rng_chance(&r, 700))
			put_brief(o, id, &b->places[i], 301 + i * 3);
		if (b->places[i].located && drg_rng_chance(&r, 450))
			put_full(b, codes, o, id + 1, &b->places[i]);
	}
	return DRG_OK;
}
