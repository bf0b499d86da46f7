#include "reconcile/types.h"

#include <stdio.h>

#define T(kind) (1U << DRG_KIND_##kind)
#define AIR (1U << DRG_RECON_AIRPORT | 1U << DRG_RECON_AIR_CITY)
#define ANY ((unsigned)DRG_RECON_ALL)
#define PLAIN DRG_RECON_TYPES
#define TYPE(number, NAME, name, plural, title, ...) [number] = { name, title },

/* clang-format off */
const struct drg_recon_type_row drg_recon_types[DRG_RECON_TYPES] = {
	DRG_KINDS(TYPE)
	[DRG_RECON_AIRPORT] = { "airport", "Airport" },
	[DRG_RECON_AIR_CITY] = { "air_city", "City with airports" },
};
/* clang-format on */

const struct drg_recon_property_row drg_recon_properties[DRG_RECON_PROPERTIES] = {
	[DRG_RECON_ID] = { "id", "Number in the reference", ANY, PLAIN, false },
	[DRG_RECON_NAME] = { "name", "Name", ANY, PLAIN, false },
	[DRG_RECON_COUNTRY] = { "country", "Country", T(DEP_CITY) | T(CITY) | T(HOTEL) | AIR,
	                        DRG_KIND_COUNTRY, true },
	[DRG_RECON_CITY] = { "city", "City or resort", T(HOTEL), DRG_KIND_CITY, true },
	[DRG_RECON_CATEGORY] = { "category", "Hotel category", T(HOTEL), DRG_KIND_HOTEL_CATEGORY, true },
	[DRG_RECON_HOTEL_TYPE] = { "hotel_type", "Hotel type", T(HOTEL), DRG_KIND_HOTEL_TYPE, false },
	[DRG_RECON_LAT] = { "lat", "Latitude", T(CITY) | T(HOTEL) | AIR, PLAIN, true },
	[DRG_RECON_LNG] = { "lng", "Longitude", T(CITY) | T(HOTEL) | AIR, PLAIN, true },
	[DRG_RECON_CODE] = { "code", "ISO or IATA code", T(COUNTRY) | T(CURRENCY) | AIR, PLAIN, true },
};

unsigned drg_recon_type_by_id(struct drg_str id)
{
	unsigned t = 0;
	while (t < DRG_RECON_TYPES && !drg_str_eq(id, drg_str_c(drg_recon_types[t].id)))
		t++;
	return t;
}

unsigned drg_recon_property_by_id(struct drg_str id)
{
	unsigned p = 0;
	while (p < DRG_RECON_PROPERTIES && !drg_str_eq(id, drg_str_c(drg_recon_properties[p].id)))
		p++;
	return p;
}

size_t drg_recon_id_text(unsigned type, int64_t id, char buf[DRG_RECON_ID_TEXT])
{
	return (size_t)snprintf(buf, DRG_RECON_ID_TEXT, "%s-%lld", drg_recon_types[type].id, (long long)id);
}

bool drg_recon_id_read(struct drg_str text, unsigned *ret_type, int64_t *ret_id)
{
	const char *mark = text.n > 0 ? memchr(text.p, '-', text.n) : NULL;
	if (mark == NULL)
		return false;
	size_t n = (size_t)(mark - text.p);
	unsigned type = drg_recon_type_by_id(drg_str(text.p, n));
	if (type == DRG_RECON_TYPES || !drg_str_is_canonical_i64(drg_str(mark + 1, text.n - n - 1), ret_id))
		return false;
	*ret_type = type;
	return true;
}
