/* synth/supplier.h
 * One supplier: who it is, where it sells, how it numbers, spells and errs. */
#pragma once
#include "synth/hotel.h"
#include "synth/spelling.h"
#include "synth/write.h"

/** How a supplier numbers its hotels. */
enum drg_synth_ids {
	DRG_IDS_SEQUENCE, /**< 4711, 4712 */
	DRG_IDS_GAPS, /**< 4711, 4726, 4733 */
	DRG_IDS_PADDED, /**< 0004711 */
	DRG_IDS_PLACE, /**< TR-AYT-00412 */
	DRG_IDS_HEX, /**< 5f3a9c01 */
	DRG_IDS_COMPOSITE, /**< 331_4711 */
	DRG_IDS_COUNT
};

/** How it numbers countries, cities and the other short lists. */
enum drg_synth_list_ids {
	DRG_LIST_IDS_NUMBERS, /**< 90, 93, 96 */
	DRG_LIST_IDS_CODES, /**< ISO codes where there are any, else numbers */
	DRG_LIST_IDS_PADDED, /**< 00090 */
	DRG_LIST_IDS_PREFIXED, /**< CTY90 */
	DRG_LIST_IDS_COUNT
};

/** How it writes stars. */
enum drg_synth_stars {
	DRG_STARS_ASTERISK, /**< 5* */
	DRG_STARS_WORDS, /**< 5 stars */
	DRG_STARS_DIGIT, /**< 5 */
	DRG_STARS_ROW, /**< ***** */
	DRG_STARS_UPPER, /**< 5 STARS */
	DRG_STARS_VILLAGE, /**< HV-1/5* */
	DRG_STARS_COUNT
};

/** How often a field of a hotel is missing or wrong, per mille. */
struct drg_synth_flaws {
	unsigned no_category, odd_category, no_position, swapped, no_address, no_zip, no_phone, no_url;
	unsigned no_list_ids; /**< 1000 or 0: whether it gives only the names of city and country */
	unsigned metres; /**< positions are off by 10 to this many metres */
	unsigned duplicates; /**< several records of one hotel */
	unsigned own; /**< hotels that nobody else has, in relation to the ones it shares */
};

struct drg_synth_supplier {
	unsigned index;
	int64_t id;
	struct drg_str code, name;
	bool is_mapping_stage;
	struct drg_synth_style style;
	struct drg_synth_flaws flaws;
	enum drg_synth_ids ids;
	enum drg_synth_list_ids list_ids;
	enum drg_synth_stars stars;
	uint32_t first_id, id_step;
	bool *serves; /**< by country of the base: is it a destination? */
	uint32_t destinations;
	uint32_t home[3]; /**< countries whose departure cities it flies from */
	unsigned n_home;
	uint32_t chance; /**< that it has a hotel of usual popularity in a country it serves, per million */
};

/** Supplier @p index of a world. @param a  Holds what it points to. */
DRG_MUSTCHECK
int drg_synth_supplier_make(const struct drg_synth_world *w, unsigned index, struct drg_arena *a,
                            struct drg_synth_supplier *ret, struct drg_err *reterr);

/** Code ("amber-line") and name of company @p index, unique, into the arena; p NULL when memory is
 * exhausted. */
void drg_synth_company(uint64_t seed, unsigned index, struct drg_arena *a, struct drg_str *ret_code,
                       struct drg_str *ret_name);

/** The adapter line. */
void drg_synth_adapter_write(struct drg_synth_out *o, int64_t id, struct drg_str code, struct drg_str name,
                             const char *domain, bool is_mapping_stage);

/** Does it have a hotel of this popularity in this country? Draws once. */
static inline bool drg_synth_supplier_has(const struct drg_synth_supplier *s, const struct drg_synth_hotel *h,
                                          struct drg_rng *r)
{
	return s->serves[h->country] &&
	       drg_rng_below(r, 1000000) < (uint64_t)s->chance * h->popularity / 1000;
}

/** Append its id of its @p n-th hotel; different for every n. @param city  English name. */
void drg_synth_hotel_id(const struct drg_synth_supplier *s, uint32_t n, const char *country,
                        struct drg_str city, uint32_t city_index, struct drg_buf *out);

/** Append its id of element @p i of a list; different for every i. @param code  ISO code or "". */
void drg_synth_list_id(const struct drg_synth_supplier *s, enum drg_kind kind, uint32_t i, const char *code,
                       struct drg_buf *out);
