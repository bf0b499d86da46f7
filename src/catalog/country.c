/* Countries by code: air places have the code of a country, not its id. */
#include "catalog/catalog_priv.h"

#include <assert.h>

/* The number of a code of two letters or digits; DRG_COUNTRY_CODES for any other text. */
static uint32_t country_number_of(struct drg_str code)
{
	uint32_t number = 0;
	if (code.n != 2)
		return DRG_COUNTRY_CODES;
	for (size_t i = 0; i < 2; i++) {
		char c = code.p[i];
		int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : -1;
		if (digit < 0)
			return DRG_COUNTRY_CODES;
		number = number * 36 + (uint32_t)digit;
	}
	return number;
}

void drg_country_note(struct drg_catalog *c, const struct drg_record *r)
{
	uint32_t number = country_number_of(drg_record_s(r, DRG_F_ISO_ALPHA_2));
	drg_handle h = drg_handle_find(&c->handles, DRG_KIND_COUNTRY, r->v[DRG_F_ID].i);
	assert(h != DRG_NO_HANDLE); /* the country's record was applied before */
	if (number < DRG_COUNTRY_CODES)
		atomic_store_explicit(&c->country_of[number], h, memory_order_release);
}

/* The index keeps a country that was removed or got another code, so check the record. */
bool drg_catalog_country(const struct drg_catalog *c, struct drg_str code, struct drg_dict *ret)
{
	uint32_t number = country_number_of(code);
	struct drg_dict d;
	if (number == DRG_COUNTRY_CODES)
		return false;
	drg_handle h = atomic_load_explicit(&c->country_of[number], memory_order_acquire);
	if (h == DRG_NO_HANDLE || !drg_catalog_dict_at(c, h, &d) || !drg_str_eq(d.code, code))
		return false;
	*ret = d;
	return true;
}
