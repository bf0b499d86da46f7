/* src/catalog/air/air_priv.h
 * Air places: what the writer keeps, and what readers see. */
#pragma once
#include "catalog/air/air.h"
#include "catalog/small_priv.h"

struct drg_air_index;
struct drg_air_externals;

struct drg_air {
	struct drg_small places, sources, maps;
	_Atomic(struct drg_air_index *) index; /**< over the published places; NULL while there are none */
	_Atomic(struct drg_air_externals *) externals; /**< over the published sources */
	/** for the writer: a title without escapes, and with its words apart */
	struct drg_buf plain, spread;
};

/** Countries are places too, so that a search finds them in the same way; their id is the dict id. */
enum { DRG_AIR_COUNTRY = DRG_PLACE_APT + 1, DRG_AIR_KINDS };

/** A place in the heap. Behind the entries stand the titles with JSON's escapes, then the folded names, each
 * behind a character '0' + scripts (words_priv.h) and before a newline. An entry is a language (upper 8 bits)
 * and where its title ends (lower 24). */
struct drg_air_rec {
	int64_t id;
	double lat, lng;
	uint32_t weight;
	uint32_t folded_n;
	uint8_t place; /**< enum drg_place, or DRG_AIR_COUNTRY */
	uint8_t located, weighed, n_titles;
	char code[3], city_code[3], country_code[2], icao_code[4];
	uint32_t entry[];
};

/** A row of drg_air.places. */
struct drg_air_row {
	int64_t country; /**< 1: a country; they stand behind all others */
	int64_t id;
	const struct drg_air_rec *rec;
};

/** A row of drg_air.maps. */
struct drg_air_map {
	int64_t adapter;
	struct drg_str external_id;
	int64_t place;
};

void drg_air_init(struct drg_air *a);
void drg_air_done(struct drg_air *a);

/* One drg_catalog_apply() per type of record ... */
DRG_MUSTCHECK
int drg_air_place_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr);
DRG_MUSTCHECK
int drg_air_source_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr);
DRG_MUSTCHECK
int drg_air_map_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr);
/** Apply a country record: it is a place too if it has a code. */
DRG_MUSTCHECK
int drg_air_country_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr);
/** ... and the reverse: call fn for every place, source and map. */
int drg_air_each(const struct drg_catalog *c, struct drg_arena *arena, drg_catalog_row_fn *fn, void *ctx);

/** The changes of one publication. They are made first, since that may fail, then published or dropped. */
struct drg_air_next {
	struct drg_sorted_rows *places, *sources, *maps;
	struct drg_air_index *index;
	struct drg_air_externals *externals;
};
DRG_MUSTCHECK
int drg_air_prepare(struct drg_catalog *c, struct drg_air_next *ret, struct drg_err *reterr);
/** May wait for readers. */
void drg_air_publish(struct drg_catalog *c, struct drg_air_next *next);

/** Build the index of @p sources by the suppliers' identifiers. */
DRG_MUSTCHECK
int drg_air_externals_new(const struct drg_sorted_rows *sources, struct drg_air_externals **ret,
                          struct drg_err *reterr);
size_t drg_air_externals_bytes(const struct drg_air_externals *x);

/** Are two records equal in everything that is kept of a place? */
bool drg_air_rec_same(const struct drg_air_rec *a, const struct drg_air_rec *b);
void drg_air_fill(const struct drg_air_rec *rec, struct drg_air_place *ret);
DRG_MUSTCHECK
int drg_air_place_record(const struct drg_catalog *c, const struct drg_air_rec *rec, struct drg_arena *arena,
                         struct drg_record *ret);

static inline const char *drg_air_text(const struct drg_air_rec *rec)
{
	return (const char *)&rec->entry[rec->n_titles];
}

/** A title of the place, with JSON's escapes. */
static inline struct drg_str drg_air_title_at(const struct drg_air_rec *rec, unsigned i)
{
	uint32_t from = i > 0 ? rec->entry[i - 1] & 0xffffff : 0;
	return drg_str(drg_air_text(rec) + from, (rec->entry[i] & 0xffffff) - from);
}

/** The city code of an airport; empty for a city, whatever its record says. */
static inline struct drg_str drg_air_city_code(const struct drg_air_rec *rec)
{
	bool has = rec->place == DRG_PLACE_APT && rec->city_code[0] != '\0';
	return drg_str(rec->city_code, has ? sizeof rec->city_code : 0);
}

/** The folded names of a place, each behind a character that tells its scripts and before a newline. */
static inline struct drg_str drg_air_folded(const struct drg_air_rec *rec)
{
	size_t titles = rec->n_titles > 0 ? rec->entry[rec->n_titles - 1] & 0xffffff : 0;
	return drg_str(drg_air_text(rec) + titles, rec->folded_n);
}
