/* src/api/list_answer.h
 * The way of every list endpoint: key, ready-made list, or waiting for the builder. */
#pragma once
#include "api/app.h"

/** Fill lang and demo from the request, zero the rest. Fails while the catalog is being loaded. */
DRG_MUSTCHECK
int drg_list_key_init(struct drg_exchange *x, drg_list_build_fn *build, struct drg_list_key *ret);

/** Take the country code of a parameter (two letters, decision L3) into the key that was filled by drg_list_key_init(). A code that no country has becomes
 * one and the same key, so that made-up codes do not fill the cache. */
void drg_list_key_country(struct drg_exchange *x, const char *param, struct drg_list_key *key);

/** Take `dep_city` and `country` (dict ids, decision E2: 400 when unknown) into the key. */
DRG_MUSTCHECK
int drg_list_key_direction(struct drg_exchange *x, struct drg_list_key *key);

/** Answer with the list of a key; what a handler returns. */
int drg_list_answer(struct drg_exchange *x, const struct drg_list_key *key);

/** Check of the parameter `with`, words with commas between (decision L12). */
int drg_check_with(struct drg_str value, const char *name, struct drg_err *reterr);

/** Check of an alpha-2 parameter for the parameter table (L3). */
int drg_check_alpha_2(struct drg_str value, const char *name, struct drg_err *reterr);
