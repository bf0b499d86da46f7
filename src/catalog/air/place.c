/* Air places in the heap: built from records, read by requests. */
#include <assert.h>
#include <ctype.h>
#include <stddef.h>

#include "catalog/air/air_priv.h"
#include "catalog/air/words_priv.h"
#include "catalog/catalog_priv.h"
#include "catalog/quoted_priv.h"
#include "text/countries.h"
#include "text/fold.h"
#include "text/json.h"

/* ---- in ------------------------------------------------------------------------------------------------- */

/* Every language with a number, one without a number, and room to look at one more. */
enum { TITLES_MAX = DRG_LANGS_MAX + 2 };

/* Read the titles and the numbers of their languages, as many as there is room for. Of the titles whose
 * language has no number one is kept, as for dict records. @return how many; -1: the text is not an object of
 * texts. */
static int read_titles(struct drg_catalog *c, struct drg_str json, struct drg_str *esc, uint8_t *lang)
{
	struct drg_str tag;
	bool other = false;
	int n = 0;
	while (drg_quoted_next(&json, &tag)) {
		assert(n < TITLES_MAX); /* the model has each language once */
		lang[n] = DRG_LANGS_OTHER;
		if (!drg_quoted_next(&json, &esc[n]))
			return -1;
		if (drg_langs_add(&c->langs, tag, &lang[n], NULL) != DRG_OK) {
			if (other)
				continue;
			other = true;
		}
		n++;
	}
	return n;
}

/* Find the line that has the same text as the last one, which begins at @p at; @p at itself if there is
 * none. */
static size_t same_line(const struct drg_buf *b, size_t from, size_t at)
{
	struct drg_str rest = drg_str(b->p + from, at - from), line;
	struct drg_str last = drg_str(b->p + at + 1, b->n - at - 1);
	while (rest.n > 0 && drg_str_split(&rest, '\n', &line))
		if (line.n > 0 && drg_str_eq(drg_str(line.p + 1, line.n - 1), last))
			return (size_t)(line.p - b->p);
	return at;
}

/* Append each way to write a title once, after the scripts in which it is a title. */
static void append_folded(struct drg_air *air, struct drg_buf *b, size_t folded_at, struct drg_str esc)
{
	drg_buf_clear(&air->plain);
	drg_buf_clear(&air->spread);
	drg_json_unescape(&air->plain, esc);
	drg_air_spread(drg_buf_view(&air->plain), &air->spread);
	if (air->plain.rc != DRG_OK || air->spread.rc != DRG_OK)
		b->rc = DRG_ENOMEM;
	unsigned script = drg_air_script(drg_buf_view(&air->plain));
	for (int way = 0; way < DRG_FOLD_WAYS && b->rc == DRG_OK; way++) {
		size_t at = b->n;
		drg_buf_char(b, (char)('0' + script));
		drg_fold(drg_buf_view(&air->spread), (enum drg_fold_way)way, b);
		size_t same = b->rc == DRG_OK ? same_line(b, folded_at, at) : at;
		if (same != at)
			b->p[same] = (char)('0' + ((unsigned)(b->p[same] - '0') | script));
		if (same != at || b->n == at + 1)
			b->n = at;
		else
			drg_buf_char(b, '\n');
	}
}

/* Append a folded text that is not a title. */
static void append_plain(struct drg_buf *b, struct drg_str text)
{
	drg_buf_char(b, (char)('0' + DRG_AIR_SCRIPTS));
	for (size_t i = 0; i < text.n; i++)
		drg_buf_char(b, (char)tolower((unsigned char)text.p[i]));
	drg_buf_char(b, '\n');
}

/* Append the code of a country and its usual names. None of these needs an escape in JSON. */
static void append_country_names(struct drg_air *air, struct drg_buf *b, size_t folded_at,
                                 struct drg_str code)
{
	struct drg_str rest = drg_country_variants(code), name;
	append_plain(b, code);
	while (rest.n > 0 && drg_str_split(&rest, '|', &name))
		append_folded(air, b, folded_at, name);
}

static void copy_code(char *to, size_t n, struct drg_str code)
{
	if (code.n == n)
		memcpy(to, code.p, n);
}

static void place_read_fields(const struct drg_record *r, struct drg_air_rec *rec)
{
	rec->id = r->v[DRG_F_PLACE_ID].i;
	rec->place = (uint8_t)drg_record_i(r, DRG_F_PLACE, DRG_PLACE_APT);
	rec->weighed = drg_record_has(r, DRG_F_WEIGHT);
	rec->weight = (uint32_t)drg_record_i(r, DRG_F_WEIGHT, 0);
	rec->located = drg_record_has(r, DRG_F_LAT) && drg_record_has(r, DRG_F_LNG);
	if (rec->located) {
		rec->lat = r->v[DRG_F_LAT].d;
		rec->lng = r->v[DRG_F_LNG].d;
	}
	copy_code(rec->code, sizeof rec->code, drg_record_s(r, DRG_F_CODE));
	copy_code(rec->country_code, sizeof rec->country_code, drg_record_s(r, DRG_F_COUNTRY_CODE));
	copy_code(rec->city_code, sizeof rec->city_code, drg_record_s(r, DRG_F_CITY_CODE));
	copy_code(rec->icao_code, sizeof rec->icao_code, drg_record_s(r, DRG_F_ICAO_CODE));
}

/* Read a country as a place: its code is ISO alpha-2, and it has the highest weight. */
static void place_read_country(const struct drg_record *r, struct drg_air_rec *rec)
{
	struct drg_str code = drg_record_s(r, DRG_F_ISO_ALPHA_2);
	rec->id = r->v[DRG_F_ID].i;
	rec->place = DRG_AIR_COUNTRY;
	rec->weight = UINT32_MAX;
	copy_code(rec->country_code, sizeof rec->country_code, code);
}

static size_t place_size_of(const struct drg_air_rec *rec)
{
	struct drg_str folded = drg_air_folded(rec);
	return (size_t)(folded.p + folded.n - (const char *)rec);
}

bool drg_air_rec_same(const struct drg_air_rec *a, const struct drg_air_rec *b)
{
	return a == b || (a->n_titles == b->n_titles && place_size_of(a) == place_size_of(b) &&
	                  memcmp(a, b, place_size_of(a)) == 0);
}

static int place_put(struct drg_catalog *c, const struct drg_record *r, const struct drg_air_rec **ret,
                     struct drg_err *reterr)
{
	struct drg_str esc[TITLES_MAX];
	uint8_t lang[TITLES_MAX];
	int n = read_titles(c, drg_record_s(r, DRG_F_NAMES), esc, lang);
	if (n < 0)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(bad_value), "name",
		                "expected an object of texts by language");

	struct drg_buf b = drg_heap_top(&c->heap);
	size_t text_at = offsetof(struct drg_air_rec, entry) + (size_t)n * sizeof(uint32_t);
	if (!drg_buf_reserve(&b, text_at))
		return drg_heap_full(&c->heap, reterr);
	struct drg_air_rec *rec = (struct drg_air_rec *)(void *)b.p;
	memset(rec, 0, text_at);
	bool country = r->type->id == DRG_TYPE_DICT;
	if (country)
		place_read_country(r, rec);
	else
		place_read_fields(r, rec);
	rec->n_titles = (uint8_t)n;
	b.n = text_at;
	for (int i = 0; i < n; i++) {
		drg_buf_str(&b, esc[i]);
		rec->entry[i] = (uint32_t)lang[i] << 24 | (uint32_t)(b.n - text_at);
	}
	size_t folded_at = b.n;
	for (int i = 0; i < n; i++)
		append_folded(&c->air, &b, folded_at, esc[i]);
	if (country)
		append_country_names(&c->air, &b, folded_at, drg_record_s(r, DRG_F_ISO_ALPHA_2));
	rec->folded_n = (uint32_t)(b.n - folded_at);
	if (b.rc != DRG_OK || (folded_at - text_at) >> 24 != 0)
		return drg_heap_full(&c->heap, reterr);
	assert(place_size_of(rec) == b.n);
	drg_heap_take(&c->heap, b.n);
	*ret = rec;
	return DRG_OK;
}

static int change(struct drg_catalog *c, const struct drg_record *r, struct drg_air_row row, bool gone,
                  struct drg_err *reterr)
{
	int rc = drg_air_words_open() ? DRG_OK : drg_fail_memory(reterr);
	if (rc == DRG_OK && !gone)
		rc = place_put(c, r, &row.rec, reterr);
	if (rc == DRG_OK)
		rc = drg_small_change(&c->air.places, &row, gone, reterr);
	if (rc != DRG_OK)
		return rc;
	const struct drg_air_row *old = drg_small_find(&c->air.places, &row);
	if (old != NULL)
		drg_heap_add_dead(&c->heap, place_size_of(old->rec));
	c->list_changed = true;
	return DRG_OK;
}

int drg_air_place_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr)
{
	const struct drg_air_row row = { .id = r->v[DRG_F_PLACE_ID].i };
	return change(c, r, row, r->deleted, reterr);
}

int drg_air_country_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr)
{
	const struct drg_air_row row = { .id = r->v[DRG_F_ID].i, .country = 1 };
	bool gone = r->deleted || !drg_record_has(r, DRG_F_ISO_ALPHA_2);
	return c->no_search ? DRG_OK : change(c, r, row, gone, reterr);
}

/* ---- out ------------------------------------------------------------------------------------------------ */

static struct drg_str code_of(const char *p, size_t n)
{
	return drg_str(p, p[0] != '\0' ? n : 0);
}

void drg_air_fill(const struct drg_air_rec *rec, struct drg_air_place *ret)
{
	*ret = (struct drg_air_place){
		.rec = rec,
		.id = rec->id,
		.place = rec->place == DRG_AIR_COUNTRY ? DRG_PLACE_CITY : (enum drg_place)rec->place,
		.is_country = rec->place == DRG_AIR_COUNTRY,
		.code = rec->place == DRG_AIR_COUNTRY ? code_of(rec->country_code, sizeof rec->country_code)
		                                      : code_of(rec->code, sizeof rec->code),
		.city_code = drg_air_city_code(rec),
		.country_code = code_of(rec->country_code, sizeof rec->country_code),
		.icao_code = code_of(rec->icao_code, sizeof rec->icao_code),
		.located = rec->located,
		.lat = rec->lat,
		.lng = rec->lng,
		.weight = rec->weight,
	};
}

struct drg_str drg_air_title_esc(const struct drg_catalog *c, const struct drg_air_place *p,
                                 const struct drg_lang_pref *pref, struct drg_str *ret_tag)
{
	const struct drg_air_rec *rec = p->rec;
	unsigned found = 0;
	if (rec->n_titles == 0) { /* the model refuses such a record */
		*ret_tag = DRG_STR("und");
		return p->code;
	}
	for (unsigned k = 0; k < pref->n; k++) {
		for (unsigned i = 0; i < rec->n_titles; i++) {
			if (rec->entry[i] >> 24 == pref->lang[k]) {
				found = i;
				k = pref->n;
				break;
			}
		}
	}
	*ret_tag = drg_langs_tag(&c->langs, (uint8_t)(rec->entry[found] >> 24));
	return drg_air_title_at(rec, found);
}

/* ---- back ----------------------------------------------------------------------------------------------- */

static int place_names_json(const struct drg_catalog *c, const struct drg_air_rec *rec,
                            struct drg_arena *arena, struct drg_str *ret)
{
	size_t room = 2;
	for (unsigned i = 0; i < rec->n_titles; i++)
		room += DRG_LANG_MAX + drg_air_title_at(rec, i).n + sizeof "\"\":\"\",";
	char *text = drg_arena_alloc(arena, room);
	if (text == NULL)
		return DRG_ENOMEM;
	struct drg_buf b = { .p = text, .cap = room, .max = room };
	struct drg_jw w = { .b = &b };
	drg_jw_object(&w);
	for (unsigned i = 0; i < rec->n_titles; i++) {
		drg_jw_key_str(&w, drg_langs_tag(&c->langs, (uint8_t)(rec->entry[i] >> 24)));
		drg_jw_escaped(&w, drg_air_title_at(rec, i));
	}
	drg_jw_object_end(&w);
	*ret = drg_buf_view(&b);
	return b.rc;
}

int drg_air_place_record(const struct drg_catalog *c, const struct drg_air_rec *rec, struct drg_arena *arena,
                         struct drg_record *ret)
{
	struct drg_str names;
	struct drg_air_place p;
	int rc = place_names_json(c, rec, arena, &names);
	if (rc != DRG_OK)
		return rc;
	drg_air_fill(rec, &p);
	drg_record_init(ret, &drg_types[DRG_TYPE_AIR_PLACE]);
	drg_record_set_i(ret, DRG_F_PLACE_ID, p.id);
	drg_record_set_i(ret, DRG_F_PLACE, p.place);
	drg_record_set_s(ret, DRG_F_CODE, p.code);
	drg_record_set_s(ret, DRG_F_NAMES, names);
	drg_record_set_s(ret, DRG_F_COUNTRY_CODE, p.country_code);
	if (rec->city_code[0] != '\0')
		drg_record_set_s(ret, DRG_F_CITY_CODE, drg_str(rec->city_code, sizeof rec->city_code));
	if (rec->located) {
		drg_record_set_d(ret, DRG_F_LAT, p.lat);
		drg_record_set_d(ret, DRG_F_LNG, p.lng);
	}
	if (rec->weighed)
		drg_record_set_i(ret, DRG_F_WEIGHT, p.weight);
	if (p.icao_code.n > 0)
		drg_record_set_s(ret, DRG_F_ICAO_CODE, p.icao_code);
	return DRG_OK;
}
