/* src/server/register.h
 * Registration: new supplier elements become source records, not mapped. The use case behind tour/sourceAdd
 * and tour/compared, which validate the elements and write the answers. */
#pragma once
#include "model/record.h"
#include "store/txn_run.h"

enum { DRG_ELEMENT_FIELDS = 16 };

/** The fields that an element can have, of all kinds. `field` is the field of the source record. */
struct drg_element_table {
	const struct drg_field_def *fields;
	unsigned n; /**< at most DRG_ELEMENT_FIELDS */
};

enum drg_element_state {
	DRG_ELEMENT_NEW, /**< to be registered */
	DRG_ELEMENT_CREATED, /**< registered now */
	/** the supplier has a record of this kind and id already; it was left unchanged */
	DRG_ELEMENT_EXISTS,
	DRG_ELEMENT_KNOWN, /**< set by its reader: need not be registered */
	DRG_ELEMENT_REFUSED, /**< set by its reader: must not be registered */
	DRG_ELEMENT_REPEATED /**< set by its reader: an earlier element of the request has the same id */
};

/** One element of a request. Texts are borrowed. */
struct drg_element {
	enum drg_kind kind;
	enum drg_element_state state;
	const struct drg_element_table *table;
	unsigned has; /**< bit per field of the table */
	union drg_value v[DRG_ELEMENT_FIELDS];
	struct drg_str key; /**< its key in the answer (decision M6) */
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
	/** The daily limit of the request's key (decision E30); a day is one of the clock in UTC. */
	struct {
		/** elements that the key may add in a day; 0: it has no limit, and the other members are not
		 * used */
		int64_t per_day;
		int64_t key_id, n; /**< the key; the number of elements that this request adds */
		/** result of the run: what is left of the day after this request, or before it if it was
		 * refused */
		int64_t left;
	} adds;
};

/**
 * Store the new elements. A drg_txn_fn; @p registration is a struct drg_registration. If it fails, `state` of
 * the elements may have changed; the next run sets it again.
 * @return DRG_OK; DRG_EINVAL: more than the key may add today (reason too_many_today), and nothing is
 * written; DRG_EINTERNAL; errors of the store.
 */
DRG_MUSTCHECK
int drg_registration_run(void *registration, struct drg_txn *t, struct drg_err *reterr);

/** Announce what drg_registration_run() will look up (struct drg_job). A drg_txn_fn; @p registration is a
 * struct drg_registration. */
DRG_MUSTCHECK
int drg_registration_prefetch(void *registration, struct drg_txn *t, struct drg_err *reterr);
