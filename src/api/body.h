/* src/api/body.h
 * Bodies by a table of their attributes, which the endpoint's row names. What is read here are those of
 * translation requests: flat objects of integers and lists of ids, JSON or a form. Ids are slices of the
 * body; a list is one array, whatever its length. */
#pragma once
#include "http/exchange.h"
#include "text/json_scan.h"

enum drg_body_type {
	DRG_B_INT, /**< one integer (decision L7) */
	DRG_B_INTS, /**< an array of integers; in a form repeated or separated by commas (M3) */
	DRG_B_IDS, /**< supplier ids: a text, separated by commas, or an array of texts and integers (M4) */
	DRG_B_TEXT, /**< of a JSON body only */
	/* api/submission.h only */
	DRG_B_LANG, /**< a language tag */
	DRG_B_LANG_OR_NOT, /**< likewise; what is none is ignored (L1) */
	DRG_B_ELEMENTS /**< an array of elements; see drg_columns.elements */
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
	struct drg_str s; /**< TEXT: decoded; memory of the body or the arena */
	size_t n; /**< of the list; an empty list has no array */
	int64_t *ints;
	struct drg_str *ids; /**< as they are; borrowed from the body or the arena */
};

/** A description of the type's values for people: "an integer". */
const char *drg_body_type_text(enum drg_body_type type);

/** The place of an attribute in its table; that of the table's end when there is none. */
size_t drg_body_find(const struct drg_body_field *fields, struct drg_str name);

/** Fill @p reterr with "NAME: expected EXPECTED, found ..." @return DRG_EINVAL */
int drg_body_bad_value(struct drg_err *reterr, const struct drg_reason *reason, const char *name,
                       const char *expected, const struct drg_json_item *found);

/** Take a text of 1 to @p max characters. */
DRG_MUSTCHECK
int drg_body_text(struct drg_err *reterr, const char *name, size_t max, const struct drg_json_item *v,
                  struct drg_str *ret);

/** An integer, or the canonical decimal text of one (decision L7): API A gives ids as text, too. */
bool drg_body_int(const struct drg_json_item *item, int64_t *ret);

/** Scan a JSON body that must be an object, and begin a walk over its members. An empty array is taken for an
 * empty object: PHP writes one for the other (decision L10).
 * @return DRG_OK; DRG_EINVAL, the exchange's err says what the body is, or names line and column (L10);
 *         DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_body_object(struct drg_exchange *x, struct drg_json_walk *ret);

/** Read the body by the attributes of the endpoint's row. What is not among them is reported as ignored (L6).
 * All lists together may have as many ids as drg_app.max_batch says, repeats counted (M5).
 * @param ret  Room for one value per attribute; written only on success.
 * @return DRG_OK; DRG_EINVAL, the exchange's err names the attribute, or line and column (L10); DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_body_parse(struct drg_exchange *x, struct drg_body_value *ret);
/** The same with other attributes than those of the endpoint's row, and at most @p max_ids. */
DRG_MUSTCHECK
int drg_body_parse_fields(struct drg_exchange *x, const struct drg_body_field *fields, size_t max_ids,
                          struct drg_body_value *ret);
