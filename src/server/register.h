/* src/server/register.h
 * Registration: supplier elements that are new to us become source records, unmapped. The use case behind
 * tour/sourceAdd and tour/compared; validation and the shape of answers are theirs. */
#pragma once
#include "model/record.h"
#include "server/idempotency.h"
#include "server/writer.h"

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

/** A request. Lives until done(). */
struct drg_registration {
	int64_t adapter;
	struct drg_str lang; /**< of the elements' texts: valid, lower case */
	struct drg_element *elements; /**< `state` of the new ones is set */
	size_t n;
	size_t bytes; /**< of memory that the request holds */

	struct drg_retry *retry; /**< NULL: the answer need not be kept */
	/** With a retry, on the writer's thread: append the answer to @p out, from what `state` says. */
	void (*answer)(void *ctx, struct drg_buf *out);
	struct drg_buf *out; /**< with a retry: the answer, be it a kept one; else untouched */
	bool replayed; /**< it is a kept one */

	void (*done)(void *ctx); /**< from a thread of the service; see job.rc and job.err */
	void *ctx;

	/* the service's own, but for job.rc and job.err */
	struct drg_job job;
	struct drg_retries *retries;
};

/**
 * Of a transaction (struct drg_registration): what drg_register() has the writer run. With a retry: the kept answer, or the
 * answer kept. `state` of the elements may have changed when it fails, and is set anew when it is run again.
 * @return DRG_OK; DRG_EINVAL: idempotency_mismatch; DRG_ENOMEM, DRG_EINTERNAL; errors of the store.
 */
DRG_MUSTCHECK
int drg_registration_run(void *registration, struct drg_txn *t, struct drg_err *reterr);

/**
 * Queue a request; done() may be called before this returns.
 * After it job.rc is DRG_OK; DRG_EINVAL: idempotency_mismatch; DRG_EBUSY: not stored, or not known to be, or not visible
 * yet (see struct drg_job).
 * @return DRG_OK; DRG_EBUSY: the queue is full; DRG_EEXIST: the same retry is under way.
 */
DRG_MUSTCHECK
int drg_register(struct drg_writer *w, struct drg_retries *retries, struct drg_registration *g,
                 struct drg_err *reterr);
