#include "synth/base.h"

#include <math.h>

#include "model/ndjson.h"
#include "synth/places.h"
#include "text/json.h"
#include "text/lines.h"
#include "text/utf8.h"

enum { MAX_LINE = 1 << 20, MAX_BASE = 1 << 29, MAX_NAME = 200 };

const char *const drg_synth_lang_tags[DRG_LANG_COUNT] = {
	"en", "uk", "ru", "de", "pl", "tr", "fr", "es", "it"
};

static int32_t micro(double degrees)
{
	return (int32_t)lround(degrees * 1e6);
}

/** A name as the generator uses it: cut to MAX_NAME bytes between two letters, so that what is made of it keeps
 * within the bounds of the fields. */
static struct drg_str keep_name(struct drg_synth_base *b, const char *name)
{
	return drg_arena_str(&b->arena, drg_utf8_cut(drg_str_c(name), MAX_NAME));
}

/** Names by language out of the JSON object that the model keeps. */
static int synth_base_read_names(struct drg_synth_base *b, struct drg_str json, struct drg_str *ret,
                                 struct drg_err *reterr)
{
	json_t *names;
	int rc = drg_json_parse(json, &names, reterr);
	if (rc != DRG_OK)
		return rc;
	json_t *fallback = json_object_get(names, "en");
	if (fallback == NULL)
		fallback = json_object_iter_value(json_object_iter(names));
	struct drg_str any = keep_name(b, json_string_value(fallback));
	for (unsigned l = 0; l < DRG_LANG_COUNT && any.p != NULL; l++) {
		const char *name = json_string_value(json_object_get(names, drg_synth_lang_tags[l]));
		ret[l] = name != NULL ? keep_name(b, name) : any;
		if (ret[l].p == NULL)
			any.p = NULL;
	}
	json_decref(names);
	return any.p != NULL ? DRG_OK : drg_fail_memory(reterr);
}

static bool read_position(const struct drg_record *r, int32_t *ret_lat, int32_t *ret_lng)
{
	if (!drg_record_has(r, DRG_F_LAT) || !drg_record_has(r, DRG_F_LNG))
		return false;
	*ret_lat = micro(r->v[DRG_F_LAT].d);
	*ret_lng = micro(r->v[DRG_F_LNG].d);
	return true;
}

static void read_code(struct drg_str s, char *ret, size_t size)
{
	size_t n = s.n < size - 1 ? s.n : size - 1;
	if (n > 0)
		memcpy(ret, s.p, n);
	ret[n] = '\0';
}

static int add_element(struct drg_synth_base *b, const struct drg_record *r, struct drg_err *reterr)
{
	struct drg_synth_list *list = &b->list[drg_record_kind(r)];
	struct drg_synth_element e = { .id = r->v[DRG_F_ID].i, .parent = DRG_SYNTH_NONE };
	int rc = synth_base_read_names(b, drg_record_s(r, DRG_F_NAMES), e.name, reterr);
	if (rc != DRG_OK)
		return rc;
	bool is_country = drg_record_kind(r) == DRG_KIND_COUNTRY;
	read_code(drg_record_s(r, is_country ? DRG_F_ISO_ALPHA_2 : DRG_F_ISO_CODE), e.code, sizeof e.code);
	bool is_facility = drg_record_kind(r) == DRG_KIND_FACILITY_TYPE;
	e.parent_id = drg_record_i(r, is_facility ? DRG_F_FACILITY_GROUP_ID : DRG_F_COUNTRY_ID, 0);
	e.is_resort = drg_record_i(r, DRG_F_IS_RESORT, 0) != 0;
	e.located = read_position(r, &e.lat, &e.lng);
	if (drg_record_has(r, DRG_F_DESCRIPTION)) {
		e.description = drg_arena_calloc(&b->arena, DRG_LANG_COUNT, sizeof *e.description);
		rc = e.description != NULL ? synth_base_read_names(b, drg_record_s(r, DRG_F_DESCRIPTION),
		                                                   e.description, reterr)
		                           : drg_fail_memory(reterr);
		if (rc != DRG_OK)
			return rc;
	}
	drg_buf_add(&list->memory, &e, sizeof e);
	list->e = (struct drg_synth_element *)(void *)list->memory.p;
	list->n++;
	return list->memory.rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
}

static int synth_base_add_place(struct drg_synth_base *b, const struct drg_record *r, struct drg_err *reterr)
{
	struct drg_str names[DRG_LANG_COUNT];
	int rc = synth_base_read_names(b, drg_record_s(r, DRG_F_NAMES), names, reterr);
	if (rc != DRG_OK)
		return rc;
	struct drg_synth_place p = { .id = r->v[DRG_F_PLACE_ID].i, .name = names[DRG_LANG_EN] };
	p.is_city = drg_record_i(r, DRG_F_PLACE, 0) == DRG_PLACE_CITY;
	read_code(drg_record_s(r, DRG_F_CODE), p.code, sizeof p.code);
	read_code(drg_record_s(r, DRG_F_CITY_CODE), p.city_code, sizeof p.city_code);
	read_code(drg_record_s(r, DRG_F_COUNTRY_CODE), p.country, sizeof p.country);
	p.located = read_position(r, &p.lat, &p.lng);
	drg_buf_add(&b->places_memory, &p, sizeof p);
	b->places = (struct drg_synth_place *)(void *)b->places_memory.p;
	b->n_places++;
	return b->places_memory.rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
}

static int add_record(struct drg_synth_base *b, const struct drg_record *r, struct drg_err *reterr)
{
	if (r->type->id == DRG_TYPE_AIR_PLACE && !r->deleted)
		return synth_base_add_place(b, r, reterr);
	if (r->type->id == DRG_TYPE_DICT && drg_record_kind(r) != DRG_KIND_HOTEL && !r->deleted)
		return add_element(b, r, reterr);
	return drg_fail(reterr, DRG_EINVAL, NULL, "type",
	                "expected a dict record other than a hotel, or an air_place, found %s%s %s",
	                r->deleted ? "a deleted " : "", r->type->name, drg_kind_name(drg_record_kind(r)));
}

static int synth_base_add_line(struct drg_synth_base *b, struct drg_str line, struct drg_arena *scratch,
                               struct drg_err *reterr)
{
	struct drg_record r;
	drg_arena_reset(scratch);
	int rc = drg_ndjson_read(line, scratch, &r, reterr);
	if (rc == DRG_OK)
		rc = add_record(b, &r, reterr);
	b->n_lines++;
	return rc;
}

/** Name the place of an error: "FILE:LINE: FIELD: message". */
static int at_line(const char *path, uint64_t number, struct drg_err e, struct drg_err *reterr)
{
	return drg_fail(reterr, e.code, drg_reason_find(e.reason), e.field, "%s:%llu: %s%s%s", path,
	                (unsigned long long)number, e.field, e.field[0] != '\0' ? ": " : "", e.message);
}

static int synth_base_read_file(struct drg_synth_base *b, const char *path, struct drg_arena *scratch,
                                struct drg_err *reterr)
{
	struct drg_lines *lines;
	struct drg_err e = { 0 };
	int rc = drg_lines_open(path, MAX_LINE, &lines, reterr);
	if (rc != DRG_OK)
		return rc;
	for (;;) {
		struct drg_str line;
		rc = drg_lines_next(lines, &line, &e);
		if (rc == DRG_OK && line.n == 0)
			continue;
		if (rc == DRG_OK)
			rc = synth_base_add_line(b, line, scratch, &e);
		if (rc != DRG_OK)
			break;
		drg_buf_str(&b->text, line);
		drg_buf_char(&b->text, '\n');
	}
	if (rc == DRG_ENOENT)
		rc = DRG_OK;
	else
		rc = at_line(path, drg_lines_number(lines), e, reterr);
	drg_lines_close(lines);
	return rc;
}

static int read_builtin(struct drg_synth_base *b, struct drg_arena *scratch, struct drg_err *reterr)
{
	drg_synth_places(&b->text);
	struct drg_str rest = drg_buf_view(&b->text), line;
	int rc = b->text.rc;
	while (rc == DRG_OK && drg_str_split(&rest, '\n', &line))
		if (line.n > 0)
			rc = synth_base_add_line(b, line, scratch, reterr);
	return rc;
}

/** Turn ids of countries and groups into indexes. */
static int link_parents(struct drg_synth_base *b, enum drg_kind kind, enum drg_kind parent,
                        struct drg_err *reterr)
{
	for (uint32_t i = 0; i < b->list[kind].n; i++) {
		struct drg_synth_element *e = &b->list[kind].e[i];
		e->parent = drg_synth_base_index(b, parent, e->parent_id);
		if (e->parent == DRG_SYNTH_NONE)
			return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
			                "base: %s %lld names %s %lld, which is not in the base",
			                drg_kind_name(kind), (long long)e->id, drg_kind_name(parent),
			                (long long)e->parent_id);
	}
	return DRG_OK;
}

int drg_synth_base_load(const char *path, struct drg_synth_base *ret, struct drg_err *reterr)
{
	*ret = (struct drg_synth_base){ 0 };
	drg_arena_init(&ret->arena, MAX_BASE);
	drg_buf_init(&ret->text, MAX_BASE);
	drg_buf_init(&ret->places_memory, MAX_BASE);
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		drg_buf_init(&ret->list[k].memory, MAX_BASE);
	struct drg_arena scratch;
	drg_arena_init(&scratch, 4 * MAX_LINE);
	int rc = path != NULL ? synth_base_read_file(ret, path, &scratch, reterr)
	                      : read_builtin(ret, &scratch, reterr);
	drg_arena_done(&scratch);
	if (rc == DRG_OK && ret->text.rc != DRG_OK)
		rc = drg_fail(reterr, ret->text.rc, NULL, NULL, "the base is larger than memory allows");
	if (rc == DRG_OK)
		rc = link_parents(ret, DRG_KIND_CITY, DRG_KIND_COUNTRY, reterr);
	if (rc == DRG_OK)
		rc = link_parents(ret, DRG_KIND_DEP_CITY, DRG_KIND_COUNTRY, reterr);
	if (rc == DRG_OK)
		rc = link_parents(ret, DRG_KIND_FACILITY_TYPE, DRG_KIND_FACILITY_GROUP, reterr);
	return rc;
}

void drg_synth_base_done(struct drg_synth_base *b)
{
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		drg_buf_done(&b->list[k].memory);
	drg_buf_done(&b->places_memory);
	drg_buf_done(&b->text);
	drg_arena_done(&b->arena);
}

uint32_t drg_synth_base_find(const struct drg_synth_base *b, enum drg_kind kind, const char *word)
{
	struct drg_str want = drg_str_c(word);
	for (uint32_t i = 0; i < b->list[kind].n; i++) {
		struct drg_str name = b->list[kind].e[i].name[DRG_LANG_EN];
		if (name.n >= want.n && drg_str_eq_nocase(drg_str(name.p, want.n), want))
			return i;
	}
	return DRG_SYNTH_NONE;
}

uint32_t drg_synth_base_index(const struct drg_synth_base *b, enum drg_kind kind, int64_t id)
{
	for (uint32_t i = 0; i < b->list[kind].n; i++)
		if (b->list[kind].e[i].id == id)
			return i;
	return DRG_SYNTH_NONE;
}
