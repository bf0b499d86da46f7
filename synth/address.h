/* synth/address.h
 * Invented street addresses in the manner of a country, and the variants in which people write one. */
#pragma once
#include "base/buf.h"
#include "synth/countries.h"
#include "synth/prng.h"

struct drg_synth_address {
	enum drg_synth_flavour flavour;
	unsigned kind; /**< street, avenue, square */
	const char *street; /**< its name */
	unsigned number; /**< of the house; 0: none is known */
};

/** How an address is written. */
enum drg_synth_address_form {
	DRG_ADDRESS_FULL, /**< "Lara Caddesi 12" */
	DRG_ADDRESS_SHORT, /**< "Lara Cad. 12" */
	DRG_ADDRESS_NO_NUMBER, /**< "Lara Caddesi" */
	DRG_ADDRESS_WITH_CITY, /**< "Lara Cad. 12, Antalya" */
	DRG_ADDRESS_FORMS
};

void drg_synth_address_make(struct drg_rng *r, enum drg_synth_flavour flavour, struct drg_synth_address *ret);

/** Append it. */
void drg_synth_address_write(const struct drg_synth_address *a, enum drg_synth_address_form form,
                             struct drg_str city, struct drg_buf *out);
