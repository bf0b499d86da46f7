/* src/decide/undo/created.h
 * The identities of the records that a batch has created and that will be removed: some 60 bytes each. */
#pragma once
#include "match/tally.h"
#include "model/record.h"

struct drg_created {
	size_t n;
	struct drg_buf rows, packed; /* private */
	struct drg_tally dicts;
};

void drg_created_init(struct drg_created *c);
void drg_created_done(struct drg_created *c);

/** @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_created_add(struct drg_created *c, const struct drg_record *r);
/** The i-th identity, without other fields; texts are borrowed until the next is added. */
void drg_created_at(const struct drg_created *c, size_t i, struct drg_record *ret);
enum drg_type_id drg_created_type(const struct drg_created *c, size_t i);

/** Mark the i-th record as done: it is removed, or cannot be removed. */
void drg_created_mark_handled(struct drg_created *c, size_t i);
bool drg_created_is_handled(const struct drg_created *c, size_t i);

/** Is this dict record among them? */
bool drg_created_has_dict(const struct drg_created *c, enum drg_kind kind, int64_t id);
