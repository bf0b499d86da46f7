/* src/http/params.h
 * Path and query parameters, read by an endpoint's table (decisions L1, L2, L6, L7). */
#pragma once
#include "http/endpoint.h"
#include "http/target.h"

struct drg_param_value {
	bool seen; /**< its name was sent */
	bool given; /**< a value was sent too; false: the parameter was sent empty */
	struct drg_str sent; /**< the value as text */
	int64_t i; /**< INT, FLAG */
	struct drg_str s; /**< LANG, TEXT */
};

struct drg_pair {
	struct drg_str name, value;
};

/** All parameters of one request; their memory belongs to the arena and the target. */
struct drg_params {
	const struct drg_param *table; /**< never NULL after drg_params_read(), may be empty */
	struct drg_param_value *values; /**< one per row of the table */
	struct drg_pair *pairs; /**< the query, decoded, in order */
	size_t n_pairs;
};

/**
 * Read and check the parameters of @p e.
 * @param ignored  Called with the name of each query parameter that the table does not have, and of a
 *                 language parameter that is not a tag.
 */
DRG_MUSTCHECK
int drg_params_read(const struct drg_endpoint *e, const struct drg_target *t, struct drg_arena *arena,
                    void (*ignored)(void *ctx, struct drg_str name), void *ctx, struct drg_params *ret,
                    struct drg_err *reterr);

/** The value of the parameter @p name, which the table has (assert). */
const struct drg_param_value *drg_params_get(const struct drg_params *p, const char *name);
/** Refuse a text that should be an integer. @return DRG_EINVAL */
int drg_params_fail_int(struct drg_err *reterr, const char *name, struct drg_str text);
/** False, and the error is set, if @p name is @p param with brackets that the caller could not read: "lang[]",
 * or, of a list, "city[a]" (L6, M3). */
DRG_MUSTCHECK
bool drg_params_check_brackets(struct drg_str name, const char *param, bool list, struct drg_err *reterr);
/** Does @p name (as sent: "id", "id[]", "id[0]") belong to a parameter of the table? */
bool drg_params_is_repeat(struct drg_str name, struct drg_str param);
