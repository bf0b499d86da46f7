#include "matching/automap_supplier.h"

#include <stdlib.h>

#include "match/countries/countries.h"
#include "model/key.h"

/* ---- meanings of ids and names ------------------------------------------------------------------------- */

static uint64_t key_of_id(enum drg_kind kind, struct drg_str id)
{
	return drg_match_hash(id, 100 + (uint64_t)kind);
}

static uint64_t key_of_name(struct drg_normal *n, enum drg_kind kind, struct drg_str name, int64_t country)
{
	uint64_t key = drg_label_key(n, name);
	return key != 0 ? key ^ ((uint64_t)country * 31 + (uint64_t)kind + 1) * UINT64_C(0x9e3779b97f4a7c15)
	                : 0;
}

static int known_add(struct drg_known *k, uint64_t key, int64_t dict_id)
{
	const struct drg_keyed e = { key, dict_id };
	if (key != 0)
		drg_buf_add(&k->v, &e, sizeof e);
	return k->v.rc;
}

int drg_supplier_learn(struct drg_supplier *x, enum drg_kind kind, struct drg_str id, struct drg_str name,
                       int64_t country, int64_t dict_id)
{
	int rc = known_add(&x->learning, key_of_id(kind, id), dict_id);
	if (rc == DRG_OK && name.n > 0)
		rc = known_add(&x->learning, key_of_name(x->normal, kind, name, country), dict_id);
	return rc == DRG_OK ? DRG_OK : DRG_ENOMEM;
}

int drg_supplier_learn_end(struct drg_supplier *x)
{
	drg_buf_add(&x->known.v, x->learning.v.p, x->learning.v.n);
	drg_buf_clear(&x->learning.v);
	drg_known_sort(&x->known);
	return x->known.v.rc == DRG_OK ? DRG_OK : DRG_ENOMEM;
}

int64_t drg_supplier_country_of(const struct drg_supplier *x, const struct drg_supplier_row *row)
{
	const bool place = drg_kind_compared(x->kind) == DRG_COMPARED_PLACES;
	return place && drg_kind_has(DRG_TYPE_SOURCE, x->kind, DRG_F_SRC_COUNTRY_ID) ? row->country : 0;
}

int drg_supplier_learn_mapped(struct drg_supplier *x)
{
	int rc = DRG_OK;
	for (size_t i = 0; rc == DRG_OK && i < drg_supplier_size(x); i++) {
		const struct drg_supplier_row *row = drg_supplier_row(x, i);
		if (row->dict_id != DRG_PLACE_UNKNOWN)
			rc = drg_supplier_learn(x, x->kind, row->id, row->name,
			                        drg_supplier_country_of(x, row), row->dict_id);
	}
	return rc == DRG_OK ? drg_supplier_learn_end(x) : rc;
}

/* Is it a code of a country before it is a name? */
static bool is_country_code(const struct drg_supplier *x, struct drg_str name)
{
	return drg_country_code(name).n > 0 && (x->iso_names || drg_country_capitals(name));
}

/* Find the only record of the kind that has this name (for cities: in the country). */
static int64_t by_label(struct drg_supplier *x, enum drg_kind kind, struct drg_str name, int64_t country)
{
	const bool in_country = drg_kind_has(DRG_TYPE_SOURCE, kind, DRG_F_SRC_COUNTRY_ID);
	const struct drg_label_query q = { .name = name,
		                           .country = in_country ? country : DRG_PLACE_UNKNOWN,
		                           .lat = NAN,
		                           .lng = NAN,
		                           .wants_country = in_country,
		                           .is_place = in_country,
		                           .countries = &x->ref->labels[DRG_KIND_COUNTRY],
		                           .state = drg_places_state(&x->ref->hotels, country) };
	struct drg_label_match m;
	if (kind == DRG_KIND_COUNTRY && is_country_code(x, name))
		return drg_automap_country_of(x->ref, name);
	drg_label_match(&x->ref->labels[kind], x->normal, &q, &m);
	return m.outcome == DRG_MATCH_AUTOMATIC ? m.id : DRG_PLACE_UNKNOWN;
}

/* Ask the store for the meaning of an id. If the store cannot be read, the meaning is not known. */
static int64_t supplier_ask(const struct drg_supplier *x, enum drg_kind kind, struct drg_str id)
{
	struct drg_rows rows;
	struct drg_record key;
	int64_t dict = DRG_PLACE_UNKNOWN;
	drg_key_source(&key, x->adapter, kind, id);
	drg_rows_get(&rows, x->ask, &key, NULL);
	if (drg_rows_next(&rows))
		dict = drg_record_i(&rows.row.r, DRG_F_DICT_ID, DRG_PLACE_UNKNOWN);
	return drg_rows_end(&rows) == DRG_OK ? dict : DRG_PLACE_UNKNOWN;
}

/* Find a dict record by the supplier's id; else by a name that the supplier uses for it; else by the names of
 * the reference. */
static int64_t lookup(struct drg_supplier *x, enum drg_kind kind, struct drg_str id, struct drg_str name,
                      int64_t country)
{
	int64_t found = DRG_PLACE_UNKNOWN;
	char room[DRG_NAME_ID];
	id = drg_key_name_id(id, room); /* it can be a name */
	if (id.n > 0)
		found = x->ask != NULL ? supplier_ask(x, kind, id)
		                       : drg_known_find(&x->known, key_of_id(kind, id));
	if (found == DRG_PLACE_UNKNOWN && name.n > 0)
		found = drg_known_find(&x->known, key_of_name(x->normal, kind, name, country));
	if (found == DRG_PLACE_UNKNOWN && name.n > 0)
		found = by_label(x, kind, name, country);
	return found;
}

/* Find a dict record by id and name. If only one of the two is given, it may stand for the other: "Turkey" in
 * the column of ids. But a city's id of three letters is never taken as a name: KAS is a supplier's code for
 * Kastamonu, not the town Kas. Nor is a country's id that may be a code: whether it is, the column says. */
static int64_t lookup_either(struct drg_supplier *x, enum drg_kind kind, struct drg_str id,
                             struct drg_str name, int64_t country)
{
	int64_t found = lookup(x, kind, id, name, country);
	bool may_be_name = name.n == 0 && (kind != DRG_KIND_CITY || id.n > 3) &&
	                   (kind != DRG_KIND_COUNTRY || drg_country_code(id).n == 0);
	if (found == DRG_PLACE_UNKNOWN && (id.n == 0 || may_be_name))
		found = lookup(x, kind, name, id, country);
	return found;
}

static bool has_digit(struct drg_str s)
{
	return s.n > 0 && s.p[0] >= '0' && s.p[0] <= '9';
}

static int64_t supplier_country(struct drg_supplier *x, const struct drg_record *r, bool *ret_lacks)
{
	struct drg_str id = drg_record_s(r, DRG_F_SRC_COUNTRY_ID), name = drg_record_s(r, DRG_F_COUNTRY_NAME);
	int64_t found = lookup_either(x, DRG_KIND_COUNTRY, id, name, 0);
	if (found == DRG_PLACE_UNKNOWN)
		found = drg_automap_country_of(x->ref, name);
	bool iso = has_digit(id) ? x->iso_digits : x->iso_letters;
	if (found == DRG_PLACE_UNKNOWN && iso)
		found = drg_automap_country_of(x->ref, id);
	*ret_lacks =
	        found == DRG_PLACE_UNKNOWN && (drg_automap_lacks_country(x->ref, x->normal, name, true) ||
	                                       drg_automap_lacks_country(x->ref, x->normal, id, iso));
	return found;
}

/* Find a city. If "Antalya / Kemer" as a whole is not known, try the district, then the province. */
static int64_t supplier_city(struct drg_supplier *x, const struct drg_record *r, int64_t country)
{
	struct drg_str name = drg_record_s(r, DRG_F_CITY_NAME), wider;
	int64_t found = lookup_either(x, DRG_KIND_CITY, drg_record_s(r, DRG_F_SRC_CITY_ID), name, country);
	bool parts = found == DRG_PLACE_UNKNOWN && drg_str_split(&name, '/', &wider) && name.p != NULL;
	if (parts)
		found = lookup(x, DRG_KIND_CITY, drg_str("", 0), drg_str_trim(name), country);
	if (parts && found == DRG_PLACE_UNKNOWN)
		found = lookup(x, DRG_KIND_CITY, drg_str("", 0), drg_str_trim(wider), country);
	return found;
}

/* Find a category. If its id and name are not known, try its term ("HV-1/5*"), then the stars of "Apart
 * 4*". */
static int64_t supplier_category(struct drg_supplier *x, const struct drg_record *r)
{
	char term[DRG_TERM_MAX] = "";
	struct drg_str id = drg_record_s(r, DRG_F_SRC_CATEGORY_ID),
	               name = drg_record_s(r, DRG_F_CATEGORY_NAME);
	struct drg_label_match m;
	int64_t found = lookup_either(x, DRG_KIND_HOTEL_CATEGORY, id, name, 0);
	if (found != DRG_PLACE_UNKNOWN)
		return found;
	name = name.n > 0 ? name : id;
	drg_automap_term(x->normal, DRG_KIND_HOTEL_CATEGORY, name, term);
	if (strcmp(term, DRG_TERM_ASK) == 0 && !drg_category_stars(x->normal, name, term))
		term[0] = '\0';
	const struct drg_label_query q = {
		.name = name, .code = drg_str_c(term), .code_is_sure = true, .lat = NAN, .lng = NAN
	};
	drg_label_match(&x->ref->labels[DRG_KIND_HOTEL_CATEGORY], x->normal, &q, &m);
	return m.outcome == DRG_MATCH_AUTOMATIC ? m.id : DRG_PLACE_UNKNOWN;
}

/* ---- ids that are ISO codes ---------------------------------------------------------------------------- */

enum { CODES_LOOKED_AT = 1000, CODES_PERCENT = 90, NUMBERS_MIN = 3 };

struct codes_seen {
	unsigned rows, letters, iso_letters, digits, iso_digits, distinct, names, iso_names;
	uint64_t numbers[16]; /* numbers of ISO 3166-1 that were seen: a bit for each, below 1000 */
};

static void note_number(struct codes_seen *c, struct drg_str id)
{
	unsigned n = 0;
	for (size_t i = 0; i < id.n; i++)
		n = n * 10 + (unsigned char)(id.p[i] - '0');
	uint64_t *of = &c->numbers[n / 64 % DRG_ARRAY_LEN(c->numbers)], bit = UINT64_C(1) << n % 64;
	c->distinct += (*of & bit) == 0;
	*of |= bit;
}

static void look_at_code(struct codes_seen *c, const struct drg_record *r)
{
	struct drg_str id = drg_record_s(r, DRG_F_SRC_COUNTRY_ID), name = drg_record_s(r, DRG_F_COUNTRY_NAME);
	c->rows++;
	c->names += name.n > 0;
	c->iso_names += drg_country_code(name).n > 0;
	bool iso = drg_country_code(id).n > 0;
	if (has_digit(id)) {
		c->digits++;
		c->iso_digits += iso;
		if (iso)
			note_number(c, id);
	} else if (id.n == 2 || id.n == 3) {
		c->letters++;
		c->iso_letters += iso;
	}
}

/* Are the ids of countries ISO codes, or texts instead of names? A quarter of all numbers with three digits
 * are numbers of ISO 3166-1, so a supplier's own numbers may look like them by chance. One number that is not
 * a code is therefore enough to say no, and fewer than NUMBERS_MIN different ones are not enough to say yes.
 * Own letters hardly ever look like ISO codes. */
int drg_supplier_detect_iso_codes(struct drg_supplier *x, struct drg_store *s, enum drg_kind kind,
                                  struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter f = {
		.type = &drg_types[DRG_TYPE_SOURCE], .one_kind = true, .kind = kind, .adapter = x->adapter
	};
	struct codes_seen c = { .rows = 0 };
	x->iso_letters = x->iso_digits = x->iso_names = false;
	if (!drg_kind_has(DRG_TYPE_SOURCE, kind, DRG_F_SRC_COUNTRY_ID))
		return DRG_OK;
	for (drg_rows_scan(&rows, s, &f, reterr); c.rows < CODES_LOOKED_AT && drg_rows_next(&rows);)
		look_at_code(&c, &rows.row.r);
	int rc = drg_rows_end(&rows);
	x->iso_letters = c.iso_letters > 0 && c.iso_letters * 100 >= c.letters * CODES_PERCENT;
	x->iso_names = c.iso_names > 0 && c.iso_names * 100 >= c.names * CODES_PERCENT;
	x->iso_digits =
	        c.iso_digits > 0 && c.iso_digits == c.digits && (c.distinct >= NUMBERS_MIN || x->iso_letters);
	return rc;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

void drg_supplier_init(struct drg_supplier *x, int64_t adapter, struct drg_normal *normal,
                       struct drg_automap_reference *ref, const struct drg_tally *decided)
{
	*x = (struct drg_supplier){ .adapter = adapter, .normal = normal, .ref = ref, .decided = decided };
	drg_arena_init(&x->texts, SIZE_MAX);
	drg_buf_init(&x->rows, SIZE_MAX);
	drg_buf_init(&x->known.v, SIZE_MAX);
	drg_buf_init(&x->learning.v, SIZE_MAX);
	drg_places_init(&x->hotels, &ref->vocab);
}

void drg_supplier_done(struct drg_supplier *x)
{
	drg_arena_done(&x->texts);
	drg_buf_done(&x->rows);
	drg_buf_done(&x->known.v);
	drg_buf_done(&x->learning.v);
	drg_places_done(&x->hotels);
}

/* Read the data of a hotel that the matcher compares. */
static int read_supplier_hotel(struct drg_supplier *x, const struct drg_record *r,
                               const struct drg_supplier_row *row)
{
	struct drg_arena *arena = &x->texts;
	struct drg_place_input *in = malloc(sizeof *in);
	if (in == NULL)
		return DRG_ENOMEM;
	in->n_names = 0;
	in->former = 0;
	in->id = 0;
	in->country = row->country;
	in->city = supplier_city(x, r, in->country);
	in->category = supplier_category(x, r);
	in->lat = drg_record_d(r, DRG_F_LAT, NAN);
	in->lng = drg_record_d(r, DRG_F_LNG, NAN);
	in->address = drg_record_s(r, DRG_F_ADDRESS);
	in->zip = drg_record_s(r, DRG_F_ZIP);
	drg_automap_name(in, row->name, arena, &x->ref->scratch);
	in->city_name = drg_record_s(r, DRG_F_CITY_NAME);
	drg_automap_city_names(x->ref, in);
	int rc = drg_places_add(&x->hotels, x->normal, in);
	free(in);
	return rc;
}

int drg_supplier_add_record(struct drg_supplier *x, const struct drg_record *r, bool decided)
{
	struct drg_supplier_row row = { .id = drg_arena_str(&x->texts, r->v[DRG_F_SOURCE_ID].s),
		                        .name = drg_arena_str(&x->texts, drg_record_s(r, DRG_F_NAME)) };
	if (row.id.p == NULL || row.name.p == NULL)
		return DRG_ENOMEM;
	row.dict_id = drg_record_i(r, DRG_F_DICT_ID, DRG_PLACE_UNKNOWN);
	row.decided = decided;
	row.lat = drg_record_d(r, DRG_F_LAT, NAN);
	row.lng = drg_record_d(r, DRG_F_LNG, NAN);
	row.country = DRG_PLACE_UNKNOWN;
	if (drg_kind_has(DRG_TYPE_SOURCE, x->kind, DRG_F_SRC_COUNTRY_ID))
		row.country = supplier_country(x, r, &row.lacks_country);
	if (drg_record_has(r, DRG_F_ISO_CODE))
		row.code = drg_arena_str(&x->texts, drg_record_s(r, DRG_F_ISO_CODE));
	drg_buf_add(&x->rows, &row, sizeof row);
	int rc = x->rows.rc;
	return rc == DRG_OK && drg_kind_compared(x->kind) == DRG_COMPARED_HOTELS
	               ? read_supplier_hotel(x, r, &row)
	               : rc;
}

void drg_supplier_clear(struct drg_supplier *x, enum drg_kind kind)
{
	x->kind = kind;
	drg_arena_reset(&x->texts);
	drg_buf_clear(&x->rows);
	drg_places_done(&x->hotels);
	drg_places_init(&x->hotels, &x->ref->vocab);
}

int drg_supplier_read(struct drg_supplier *x, struct drg_store *s, enum drg_kind kind, struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter f = {
		.type = &drg_types[DRG_TYPE_SOURCE], .one_kind = true, .kind = kind, .adapter = x->adapter
	};
	drg_supplier_clear(x, kind);
	int rc = drg_supplier_detect_iso_codes(x, s, kind, reterr);
	if (rc != DRG_OK)
		return rc;
	for (drg_rows_scan(&rows, s, &f, reterr); drg_rows_next(&rows);) {
		uint64_t key = drg_automap_source_key(x->adapter, kind, rows.row.r.v[DRG_F_SOURCE_ID].s);
		bool decided = drg_tally_get(x->decided, key) > 0 &&
		               (x->reopened == NULL || drg_tally_get(x->reopened, key) == 0);
		rows.rc = drg_supplier_add_record(x, &rows.row.r, decided);
	}
	rc = drg_rows_end(&rows);
	return rc == DRG_ENOMEM ? drg_fail_memory(reterr) : rc;
}
