/* src/match/countries/countries.h
 * How names of countries are compared (text/countries.h has the names). */
#pragma once
#include "match/labels/labels.h"
#include "text/countries.h"

/** Keys of a name of a country (struct drg_label_reader): its words in a row; in any order without articles, so
 * that "Bosnia-Herzegovina" and "Korea, Rep. of" are found; and, to look up only, without the forms of states
 * and islands, so that "Kingdom of Thailand" and "Fiji Islands" are. */
unsigned drg_country_keys(struct drg_normal *n, struct drg_str name, uint64_t ret[static DRG_LABEL_KEYS],
                          struct drg_buf *plain);

/** The words of a name without articles, as struct drg_label_reader's plain() has them. */
struct drg_str drg_country_plain(struct drg_normal *n, struct drg_str name, bool cut, char *ret);
