/* src/match/countries/countries.h
 * What lists call a country besides what the reference does (decision M44): the codes of ISO 3166-1, and the
 * names of CLDR with their usual variants. ICU is loaded: a drg_normal is there. */
#pragma once
#include "base/err.h"
#include "base/str.h"

/** The alpha-2 code that a text is, in any of the forms of ISO 3166-1: "tr", "TUR", "792". @return static;
 * empty: it is none. */
struct drg_str drg_country_code(struct drg_str text);

/** A name of a country. Anything but DRG_OK ends the walk and is returned. */
typedef int drg_country_name_fn(void *ctx, struct drg_str name);

/** Each further name of a country, some of them twice: CLDR's in these languages and its short ones, and
 * variants.
 * @param alpha_2  In capitals. @param langs  BCP 47. */
DRG_MUSTCHECK
int drg_country_names(struct drg_str alpha_2, const struct drg_str *langs, size_t n_langs,
                      drg_country_name_fn *fn, void *ctx);
