/* src/api/body.h
 * The bodies of translation requests, read by a table: flat objects of integers and lists of ids, JSON or a form.
 * Ids are slices of the body; a list is one array, whatever its length. */
#pragma once
#include "http/exchange.h"

enum drg_body_type {
	DRG_B_INT, /**< one integer (decision L7) */
	DRG_B_INTS, /**< an array of integers; in a form repeated or separated by commas (M3) */
	DRG_B_IDS /**< supplier ids: a text, separated by commas, or an array of texts and integers (M4) */
};

/** One attribute. A table ends with a zero name. */
struct drg_body_field {
	const char *name;
	enum drg_body_type type;
	bool required;
};

struct drg_body_value {
	bool given; /**< sent, and not null */
	int64_t i;
	size_t n; /**< of the list; an empty list has no array */
	int64_t *ints;
	struct drg_str *ids; /**< as they are; borrowed from the body or the arena */
};

/**
 * Read the body by @p fields. What is not in the table is reported as ignored (L6).
 * @param max_ids  All lists together may have so many ids, repeats counted (M5).
 * @param ret      Room for one value per field; written only on success.
 * @return DRG_OK; DRG_EINVAL, the exchange's err names the attribute, or line and column (L10); DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_body_read(struct drg_exchange *x, const struct drg_body_field *fields, size_t max_ids,
                  struct drg_body_value *ret);
