/* src/decide/reference/merge_journal.h
 * The journal of a merge in its redirect (member "undo", docs/interchange.md), by which the merge can be
 * undone: the record that was removed, and the references to it on the dict side. Sources are not in the
 * journal: their mapping_events show which merge moved them. */
#pragma once
#include <jansson.h>
#include "model/record.h"

/** Written during a merge. */
struct drg_journal {
	struct drg_buf dicts[DRG_KIND_COUNT]; /**< ids with commas, by the kind of the referring record */
	struct drg_buf directions; /**< [adapter, dep_city, country, kept], ... */
	struct drg_buf contents; /**< [adapter, "hotel", which of its references, ...], ... */
};

void drg_journal_init(struct drg_journal *j);
void drg_journal_done(struct drg_journal *j);

/** Note a dict record that refers to the merged record. */
void drg_journal_dict(struct drg_journal *j, const struct drg_record *r);
/** Note a direction. @param kept  The direction that it becomes existed before. */
void drg_journal_direction(struct drg_journal *j, const struct drg_record *r, bool kept);
/** Note hotel content, and the reference number @p ref, counted over all of its references to dict records. */
void drg_journal_content(struct drg_journal *j, const struct drg_record *r);
void drg_journal_content_ref(struct drg_journal *j, unsigned ref);
void drg_journal_content_end(struct drg_journal *j);

/**
 * Write the journal as JSON.
 * @param from  The record that was merged away.
 * @param ret   In @p arena.
 * @return DRG_OK; DRG_ELIMIT: more than fits in a line of the interchange format; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_journal_text(const struct drg_journal *j, const struct drg_record *from, struct drg_arena *arena,
                     struct drg_str *ret, struct drg_err *reterr);

/** A journal that was read. */
struct drg_undo {
	json_t *json; /**< drg_undo_done() */
	struct drg_record record; /**< in the arena of drg_undo_read() */
	json_t *moved; /**< NULL: nothing; an object of arrays, which must be checked when read */
};

/**
 * Read the journal of a redirect. @param redirect  kind, id and undo.
 * @return DRG_OK; DRG_EINVAL: the redirect has no journal, or not one that a merge writes; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_undo_read(const struct drg_record *redirect, struct drg_arena *arena, struct drg_undo *ret,
                  struct drg_err *reterr);
void drg_undo_done(struct drg_undo *u);

/** Add a dict record to the journal, unless it is in it already. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_undo_note(struct drg_undo *u, enum drg_kind kind, int64_t id);

/** Write the changed journal as JSON. @return as drg_journal_text(). */
DRG_MUSTCHECK
int drg_undo_text(const struct drg_undo *u, struct drg_arena *arena, struct drg_str *ret,
                  struct drg_err *reterr);
