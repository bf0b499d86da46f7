/* src/api/list_answer.h
 * The way of every list endpoint: key, ready-made list, or waiting for the builder. */
#pragma once
#include "api/app.h"

/** The handler of every endpoint whose row names a list (drg_columns.list): the key from its parameters, the
 * answer. */
drg_handler_fn drg_list_endpoint;

/** Answer with the list of a key; what a handler returns. */
int drg_list_answer(struct drg_exchange *x, const struct drg_list_key *key);

/** How many items match, in X-Total-Count (decision A1). */
void drg_total_header(struct drg_exchange *x, uint64_t total);

/** Check of the parameter `with`, words with commas between (decision L12). */
int drg_check_with(struct drg_str value, const char *name, struct drg_err *reterr);

/** Check of an alpha-2 parameter for the parameter table (L3). */
int drg_check_alpha_2(struct drg_str value, const char *name, struct drg_err *reterr);
