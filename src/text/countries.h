/* src/text/countries.h
 * Names and codes of countries, besides those of the reference (decision M44): the codes of ISO 3166-1, and
 * the names of CLDR with their usual variants. The matcher and the air search use the same. */
#pragma once
#include <stdbool.h>
#include "base/compiler.h"
#include "base/str.h"

/** The alpha-2 code of a text in any of the forms of ISO 3166-1: "tr", "TUR", "792". @return static; empty:
 * it is no such code. */
struct drg_str drg_country_code(struct drg_str text);

/** Is it written as codes are, in two or three capitals? "RU" is then Russia; as a word it is Spain's for the
 * United Kingdom. */
bool drg_country_capitals(struct drg_str text);

/** A name of a country. Anything but DRG_OK ends the walk and is returned. */
typedef int drg_country_name_fn(void *ctx, struct drg_str name);

/** Call @p fn for each further name of a country, for some of them twice: CLDR's names in these languages,
 * CLDR's short names, and variants.
 * @param alpha_2  In capitals. @param langs  BCP 47. */
DRG_MUSTCHECK
int drg_country_names(struct drg_str alpha_2, const struct drg_str *langs, size_t n_langs,
                      drg_country_name_fn *fn, void *ctx);
/** The variants alone, which need no ICU, with bars between them; empty: it has none. */
struct drg_str drg_country_variants(struct drg_str alpha_2);
