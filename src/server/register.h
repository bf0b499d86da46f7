/* src/server/register.h
 * Registration: supplier elements that are new to us become source records, unmapped. The use case behind
 * tour/sourceAdd and tour/compared; validation and the shape of answers are theirs. */
#pragma once
#include "model/record.h"
#include "store/txn_run.h"

enum { DRG_ELEMENT_FIELDS = 16 };

/** The fields an element can have, of all kinds. `field` is its place in a source record. */
struct drg_element_table {
	const struct drg_field_def *fields;
	unsigned n; /**< at most DRG_ELEMENT_FIELDS */
};

enum drg_element_state {
	DRG_ELEMENT_NEW, /**< to be registered */
	DRG_ELEMENT_CREATED, /**< was registered */
	DRG_ELEMENT_EXISTS, /**< the supplier has one of this kind and id already; that one was left as it is */
	DRG_ELEMENT_KNOWN, /**< by its reader: need not be registered */
	DRG_ELEMENT_REFUSED, /**< by its reader: not to be registered */
	DRG_ELEMENT_REPEATED /**< by its reader: an earlier one of the request answers for it */
};

/** One element of a request. Texts are borrowed. */
struct drg_element {
	enum drg_kind kind;
	enum drg_element_state state;
	const struct drg_element_table *table;
	unsigned has; /**< bit per field of the table */
	union drg_value v[DRG_ELEMENT_FIELDS];
	struct drg_str key; /**< what the answer calls it (decision M6) */
	const struct drg_reason *reason;
	const char *message; /**< of DRG_ELEMENT_REFUSED */
};

/** The text of a field; p is NULL when the element lacks it. */
struct drg_str drg_element_text(const struct drg_element *e, enum drg_field f);

/** The elements of a request. */
struct drg_registration {
	int64_t adapter;
	struct drg_str lang; /**< of the elements' texts: valid, lower case */
	struct drg_element *elements; /**< `state` of the new ones is set */
	size_t n;
};

/**
 * Of a transaction (struct drg_registration): put the new elements. `state` of the elements may have changed when it fails, and is set
 * anew when it is run again.
 * @return DRG_OK; DRG_EINTERNAL; errors of the store.
 */
DRG_MUSTCHECK
int drg_registration_run(void *registration, struct drg_txn *t, struct drg_err *reterr);

/** Of a transaction (struct drg_registration): tell it what drg_registration_run() will look up (struct drg_job). */
DRG_MUSTCHECK
int drg_registration_expect(void *registration, struct drg_txn *t, struct drg_err *reterr);
