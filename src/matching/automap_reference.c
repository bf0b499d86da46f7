#include "matching/automap_priv.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "match/countries/territories.h"
#include "match/variants.h"
#include "match/words.h"
#include "text/json_scan.h"

/* ---- meanings of ids and names -------------------------------------------------------------------------- */

void drg_known_sort(struct drg_known *k)
{
	struct drg_keyed *v = (struct drg_keyed *)(void *)k->v.p;
	size_t n = k->v.n / sizeof *v, kept = 0;
	drg_keyed_sort(&k->v);
	for (size_t i = 0; i < n; i++)
		if (kept > 0 && v[kept - 1].key == v[i].key) {
			if (v[kept - 1].value != v[i].value)
				v[kept - 1].value = DRG_PLACE_UNKNOWN;
		} else {
			v[kept++] = v[i];
		}
	k->v.n = kept * sizeof *v;
}

int64_t drg_known_find(const struct drg_known *k, uint64_t key)
{
	size_t n;
	const struct drg_keyed *v = drg_keyed_find(&k->v, key, &n);
	assert(n <= 1);
	return n > 0 ? v->value : DRG_PLACE_UNKNOWN;
}

/* ---- names ---------------------------------------------------------------------------------------------- */

int drg_automap_each_text(const struct drg_record *r, enum drg_field f, struct drg_arena *arena,
                          drg_automap_text_fn *fn, void *ctx)
{
	struct drg_json_item object, value;
	struct drg_json_walk walk;
	struct drg_str lang;
	if (drg_json_scan(drg_record_s(r, f), arena, &object, NULL) != DRG_OK ||
	    object.type != DRG_JSON_OBJECT)
		return DRG_OK;
	drg_json_walk_init(&walk, &object, arena);
	int rc;
	while ((rc = drg_json_walk_next(&walk, &lang, &value)) == DRG_OK) {
		rc = value.type == DRG_JSON_STRING ? fn(ctx, value.s) : DRG_OK;
		if (rc != DRG_OK)
			return rc;
	}
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

void drg_automap_name(struct drg_place_input *in, struct drg_str name, struct drg_arena *arena,
                      struct drg_buf *room)
{
	struct drg_str variants[DRG_VARIANTS_MAX];
	struct drg_name_found found;
	unsigned n = drg_name_variants(name, room, variants, &found);
	if (in->n_names < DRG_PLACE_NAMES && !found.noise)
		in->names[in->n_names++] = name;
	for (unsigned i = 0; i < n && in->n_names < DRG_PLACE_NAMES; i++) {
		struct drg_str copy = drg_arena_str(arena, variants[i]);
		if (copy.p == NULL)
			continue;
		in->former |= (uint64_t)(found.former && i + 1 == n) << in->n_names;
		in->names[in->n_names++] = copy;
	}
}

static int by_id(const void *pa, const void *pb)
{
	const struct drg_city_names *a = pa, *b = pb;
	return a->id < b->id ? -1 : a->id > b->id;
}

static const struct drg_city_names *names_by_id(const struct drg_buf *b, int64_t id)
{
	const struct drg_city_names key = { .id = id };
	size_t n = b->n / sizeof key;
	return n > 0 && id != DRG_PLACE_UNKNOWN ? bsearch(&key, b->p, n, sizeof key, by_id) : NULL;
}

void drg_automap_city_names(const struct drg_automap_reference *x, struct drg_place_input *in)
{
	const struct drg_city_names *city = names_by_id(&x->cities, in->city),
	                            *country = names_by_id(&x->countries, in->country);
	in->cities = city != NULL ? city->names : NULL;
	in->n_cities = city != NULL ? city->n : 0;
	in->countries = country != NULL ? country->names : NULL;
	in->n_countries = country != NULL ? country->n : 0;
}

/* ---- reading -------------------------------------------------------------------------------------------- */

struct reading_reference {
	struct drg_automap_reference *x;
	struct drg_normal *normal;
	struct drg_arena arena; /* of a record */
	struct drg_place_input in;
	struct drg_city_names *city;
	enum drg_kind kind;
	char term[DRG_TERM_MAX];
	const atomic_bool *leave; /* may be NULL */
};

static int read_label_name(void *ctx, struct drg_str name)
{
	struct reading_reference *x = ctx;
	return drg_labels_name(&x->x->labels[x->kind], x->normal, name);
}

static int read_city_name(void *ctx, struct drg_str name)
{
	struct reading_reference *x = ctx;
	struct drg_str copy = drg_arena_str(&x->x->arena, name);
	struct drg_place_city *more = drg_arena_alloc(&x->x->arena, (x->city->n + 1) * sizeof *more);
	if (copy.p == NULL || more == NULL)
		return DRG_ENOMEM;
	for (unsigned i = 0; i < x->city->n; i++) {
		if (drg_str_eq(x->city->names[i].name, name))
			return DRG_OK;
		more[i] = x->city->names[i];
	}
	more[x->city->n] = (struct drg_place_city){ .name = copy };
	x->city->names = more;
	x->city->n++;
	return DRG_OK;
}

/* Mark the words of a city: in the name of a hotel they name a place and are not noise. */
static int mark_city_words(struct reading_reference *x, const struct drg_city_names *city)
{
	struct drg_tokens t;
	uint32_t token;
	int rc = DRG_OK;
	for (unsigned k = 0; k < city->n && k < 1; k++) {
		drg_normal_tokens(drg_normal_fold(x->normal, city->names[k].name), &t);
		for (unsigned i = 0; i < t.n && rc == DRG_OK; i++) {
			rc = drg_vocab_add(&x->x->vocab, t.t[i], &token);
			if (rc == DRG_OK && t.n == 1 && t.t[i].n >= 4 &&
			    (drg_token(&x->x->vocab, token)->classes & DRG_WORD_TYPE) == 0)
				drg_vocab_mark(&x->x->vocab, token, DRG_WORD_PLACE);
		}
	}
	return rc;
}

static int read_city(struct reading_reference *x, const struct drg_record *r)
{
	struct drg_city_names city = { .id = r->v[DRG_F_ID].i };
	x->city = &city;
	int rc = drg_automap_each_text(r, DRG_F_NAMES, &x->arena, read_city_name, x);
	if (rc == DRG_OK)
		rc = mark_city_words(x, &city);
	drg_buf_add(&x->x->cities, &city, sizeof city);
	return rc == DRG_OK ? x->x->cities.rc : rc;
}

/* Gather the languages of a country's names: a dozen, nearly all in the first record. */
static int read_languages(struct reading_reference *x, const struct drg_record *r)
{
	struct drg_buf *langs = &x->x->langs;
	struct drg_json_item object, value;
	struct drg_json_walk walk;
	struct drg_str lang;
	if (drg_json_scan(drg_record_s(r, DRG_F_NAMES), &x->arena, &object, NULL) != DRG_OK ||
	    object.type != DRG_JSON_OBJECT)
		return DRG_OK;
	drg_json_walk_init(&walk, &object, &x->arena);
	int rc = DRG_OK;
	while (langs->rc == DRG_OK && (rc = drg_json_walk_next(&walk, &lang, &value)) == DRG_OK) {
		const struct drg_str *v = (const void *)langs->p;
		size_t n = langs->n / sizeof *v, i = 0;
		while (i < n && !drg_str_eq(v[i], lang))
			i++;
		const struct drg_str copy = i == n ? drg_arena_str(&x->x->arena, lang) : lang;
		if (copy.p == NULL)
			return DRG_ENOMEM;
		if (i == n)
			drg_buf_add(langs, &copy, sizeof copy);
	}
	return rc == DRG_OK || rc == DRG_ENOENT ? langs->rc : rc;
}

static int read_country(struct reading_reference *x, const struct drg_record *r)
{
	struct drg_city_names country = { .id = r->v[DRG_F_ID].i };
	x->city = &country;
	int rc = drg_automap_each_text(r, DRG_F_NAMES, &x->arena, read_city_name, x);
	if (rc == DRG_OK)
		rc = read_languages(x, r);
	drg_buf_add(&x->x->countries, &country, sizeof country);
	return rc == DRG_OK ? x->x->countries.rc : rc;
}

void drg_automap_term(struct drg_normal *n, enum drg_kind kind, struct drg_str name, char *ret)
{
	if (kind == DRG_KIND_MEAL)
		snprintf(ret, DRG_TERM_MAX, "%s", drg_meal_term(n, name));
	else
		drg_category_term(n, name, ret);
}

static int read_term(void *ctx, struct drg_str name)
{
	struct reading_reference *x = ctx;
	if (x->term[0] == '\0')
		drg_automap_term(x->normal, x->kind, name, x->term);
	return DRG_OK;
}

/* Read the ISO code of a country or currency, or the meaning of a meal or category. */
static int read_code(struct reading_reference *x, const struct drg_record *r, char *ret)
{
	struct drg_str code =
	        drg_record_s(r, drg_record_has(r, DRG_F_ISO_CODE) ? DRG_F_ISO_CODE : DRG_F_ISO_ALPHA_2);
	int rc = DRG_OK;
	x->term[0] = '\0';
	if (drg_kind_compared(x->kind) == DRG_COMPARED_TERMS)
		rc = drg_automap_each_text(r, DRG_F_NAMES, &x->arena, read_term, x);
	else if (drg_kind_compared(x->kind) == DRG_COMPARED_CODES && code.n < sizeof x->term)
		snprintf(x->term, sizeof x->term, "%.*s", DRG_STR_ARG(code));
	memcpy(ret, x->term, sizeof x->term);
	return rc;
}

static bool is_left(const struct reading_reference *x)
{
	return x->leave != NULL && atomic_load_explicit(x->leave, memory_order_relaxed);
}

static int read_label(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct reading_reference *x = ctx;
	if (is_left(x))
		return DRG_EBUSY;
	struct drg_label item = { .id = r->v[DRG_F_ID].i,
		                  .lat = drg_record_d(r, DRG_F_LAT, NAN),
		                  .lng = drg_record_d(r, DRG_F_LNG, NAN) };
	item.country = drg_record_i(r, DRG_F_COUNTRY_ID, DRG_PLACE_UNKNOWN);
	item.state = drg_places_state(&x->x->hotels, item.country);
	drg_arena_reset(&x->arena);
	int rc = read_code(x, r, item.code);
	if (rc == DRG_OK)
		rc = drg_labels_add(&x->x->labels[x->kind], &item);
	if (rc == DRG_OK)
		rc = drg_automap_each_text(r, DRG_F_NAMES, &x->arena, read_label_name, x);
	if (rc == DRG_OK && drg_kind_has(DRG_TYPE_DICT, x->kind, DRG_F_DESCRIPTION))
		rc = drg_automap_each_text(r, DRG_F_DESCRIPTION, &x->arena, read_label_name, x);
	if (rc == DRG_OK && x->kind == DRG_KIND_COUNTRY)
		rc = read_country(x, r);
	return rc == DRG_OK && x->kind == DRG_KIND_CITY ? read_city(x, r) : rc;
}

static int read_hotel_name(void *ctx, struct drg_str name)
{
	struct reading_reference *x = ctx;
	drg_automap_name(&x->in, name, &x->arena, &x->x->scratch);
	return DRG_OK;
}

static int read_hotel(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct reading_reference *x = ctx;
	struct drg_place_input *in = &x->in;
	if (is_left(x))
		return DRG_EBUSY;
	in->n_names = 0;
	in->former = 0;
	in->id = r->v[DRG_F_ID].i;
	in->country = drg_record_i(r, DRG_F_COUNTRY_ID, DRG_PLACE_UNKNOWN);
	in->city = drg_record_i(r, DRG_F_CITY_ID, DRG_PLACE_UNKNOWN);
	in->category = drg_record_i(r, DRG_F_HOTEL_CATEGORY_ID, DRG_PLACE_UNKNOWN);
	in->lat = drg_record_d(r, DRG_F_LAT, NAN);
	in->lng = drg_record_d(r, DRG_F_LNG, NAN);
	in->address = drg_record_s(r, DRG_F_ADDRESS);
	in->zip = drg_record_s(r, DRG_F_ZIP);
	drg_arena_reset(&x->arena);
	int rc = drg_automap_each_text(r, DRG_F_NAMES, &x->arena, read_hotel_name, x);
	drg_automap_city_names(x->x, in);
	return rc == DRG_OK ? drg_places_add(&x->x->hotels, x->normal, in) : rc;
}

static void sort_names(struct drg_buf *b)
{
	if (b->n > 0)
		qsort(b->p, b->n / sizeof(struct drg_city_names), sizeof(struct drg_city_names), by_id);
}

static int sort_countries(struct drg_automap_reference *x)
{
	const struct drg_label *v = (const void *)x->labels[DRG_KIND_COUNTRY].items.p;
	size_t n = x->labels[DRG_KIND_COUNTRY].items.n / sizeof *v;
	for (size_t i = 0; i < n; i++) {
		struct drg_str state = drg_territory_state(drg_str_c(v[i].code));
		for (size_t k = 0; k < n && state.n > 0; k++) {
			const struct drg_keyed of = { (uint64_t)v[i].id, v[k].id };
			if (drg_str_eq(drg_str_c(v[k].code), state))
				drg_buf_add(&x->hotels.states, &of, sizeof of);
		}
	}
	sort_names(&x->countries);
	drg_keyed_sort(&x->hotels.states);
	return x->hotels.states.rc;
}

static int read_kind(struct drg_store *s, struct reading_reference *x, enum drg_kind kind,
                     struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter f = {
		.type = &drg_types[DRG_TYPE_DICT], .one_kind = true, .kind = kind, .any_order = true
	};
	const bool hotels = drg_kind_compared(kind) == DRG_COMPARED_HOTELS;
	x->kind = kind;
	int rc = drg_rows_each(drg_rows_scan(&rows, s, &f, reterr), hotels ? read_hotel : read_label, x);
	if (rc == DRG_ENOMEM)
		return drg_fail_memory(reterr);
	if (rc == DRG_OK && kind == DRG_KIND_CITY)
		sort_names(&x->x->cities);
	if (rc == DRG_OK && kind == DRG_KIND_COUNTRY)
		rc = sort_countries(x->x);
	if (rc == DRG_OK && kind == DRG_KIND_COUNTRY)
		rc = drg_automap_name_countries(x->x, x->normal);
	if (rc == DRG_OK && !hotels)
		rc = drg_labels_build_index(&x->x->labels[kind]);
	return rc == DRG_ENOMEM ? drg_fail_memory(reterr) : rc;
}

static int finish_hotels(struct drg_automap_reference *x, const atomic_bool *leave, struct drg_err *reterr)
{
	drg_hotels_drop_crowds(&x->hotels);
	drg_places_gather(&x->hotels);
	int rc = drg_candidate_index_make(&x->hotels, leave, &x->index);
	if (rc == DRG_OK)
		rc = drg_sounds_make(&x->hotels, NULL, &x->sounds);
	if (rc == DRG_OK)
		x->vocab.sounds = &x->sounds;
	return rc == DRG_ENOMEM  ? drg_fail_memory(reterr)
	       : rc == DRG_EBUSY ? rc
	       : rc != DRG_OK ? drg_fail(reterr, rc, NULL, NULL, "the reference has too many hotels to match")
	                      : DRG_OK;
}

int drg_automap_reference_read(struct drg_store *s, struct drg_normal *n, unsigned kinds,
                               const atomic_bool *leave, struct drg_automap_reference *ret,
                               struct drg_err *reterr)
{
	struct reading_reference x = { .x = ret, .normal = n, .leave = leave };
	const bool hotels = (kinds >> DRG_KIND_HOTEL & 1) != 0;
	int rc = DRG_OK;
	*ret = (struct drg_automap_reference){ .index = { .ref = NULL } };
	drg_arena_init(&ret->arena, SIZE_MAX);
	drg_arena_init(&x.arena, 1 << 24);
	drg_buf_init(&ret->scratch, 1 << 16);
	drg_buf_init(&ret->cities, SIZE_MAX);
	drg_buf_init(&ret->countries, SIZE_MAX);
	drg_buf_init(&ret->langs, SIZE_MAX);
	drg_vocab_init(&ret->vocab);
	drg_places_init(&ret->hotels, &ret->vocab);
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		drg_labels_init(&ret->labels[k]);
	ret->labels[DRG_KIND_COUNTRY].reader = &drg_automap_country_reader;
	drg_labels_init(&ret->missing);
	ret->missing.reader = &drg_automap_country_reader;
	for (unsigned k = 0; k < DRG_KIND_COUNT && rc == DRG_OK; k++)
		if (drg_kind_in(kinds, k) || k == DRG_KIND_COUNTRY ||
		    (hotels && drg_kind_parent((enum drg_kind)k) != NULL))
			rc = read_kind(s, &x, (enum drg_kind)k, reterr);
	if (rc == DRG_OK && hotels)
		rc = finish_hotels(ret, leave, reterr);
	drg_arena_done(&x.arena);
	return rc;
}

int drg_automap_reference_add(struct drg_automap_reference *x, struct drg_normal *n,
                              const struct drg_record *hotel)
{
	struct reading_reference reading = { .x = x, .normal = n };
	for (uint32_t i = 0; i < drg_places_size(&x->hotels); i++)
		if (drg_place(&x->hotels, i)->id == hotel->v[DRG_F_ID].i)
			return DRG_OK;
	drg_arena_init(&reading.arena, 1 << 24);
	x->vocab.sounds = NULL; /* they are for names of suppliers */
	int rc = read_hotel(&reading, hotel, NULL);
	x->vocab.sounds = &x->sounds;
	drg_arena_done(&reading.arena);
	return rc;
}

void drg_automap_reference_done(struct drg_automap_reference *x)
{
	drg_candidate_index_done(&x->index);
	drg_sounds_done(&x->sounds);
	drg_places_done(&x->hotels);
	drg_vocab_done(&x->vocab);
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		drg_labels_done(&x->labels[k]);
	drg_labels_done(&x->missing);
	drg_buf_done(&x->cities);
	drg_buf_done(&x->countries);
	drg_buf_done(&x->langs);
	drg_buf_done(&x->scratch);
	drg_arena_done(&x->arena);
}
