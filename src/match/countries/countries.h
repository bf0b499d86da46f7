/* src/match/countries/countries.h
 * Names and codes of countries in lists, besides those of the reference (decision M44): the codes of ISO
 * 3166-1, and the names of CLDR with their usual variants. ICU must be loaded before: create a drg_normal. */
#pragma once
#include "match/labels/labels.h"

/** The alpha-2 code of a text in any of the forms of ISO 3166-1: "tr", "TUR", "792". @return static; empty:
 * it is no such code. */
struct drg_str drg_country_code(struct drg_str text);

/** A name of a country. Anything but DRG_OK ends the walk and is returned. */
typedef int drg_country_name_fn(void *ctx, struct drg_str name);

/** Call @p fn for each further name of a country, for some of them twice: CLDR's names in these languages,
 * CLDR's short names, and variants.
 * @param alpha_2  In capitals. @param langs  BCP 47. */
DRG_MUSTCHECK
int drg_country_names(struct drg_str alpha_2, const struct drg_str *langs, size_t n_langs,
                      drg_country_name_fn *fn, void *ctx);

/** Keys of a name of a country (struct drg_label_reader): its words in a row; in any order without articles, so
 * that "Bosnia-Herzegovina" and "Korea, Rep. of" are found; and, to look up only, without the forms of states
 * and islands, so that "Kingdom of Thailand" and "Fiji Islands" are. */
unsigned drg_country_keys(struct drg_normal *n, struct drg_str name, uint64_t ret[static DRG_LABEL_KEYS]);
