/* src/decide/reference/merge_journal.h
 * What a redirect remembers of its merge (member "undo", docs/interchange.md), so that it can be undone: the
 * record that was removed, and what referred to it on the dict side. Sources are not in it: their
 * mapping_events tell. */
#pragma once
#include <jansson.h>
#include "model/record.h"

/** Written while a merge goes on. */
struct drg_journal {
	struct drg_buf dicts[DRG_KIND_COUNT]; /**< ids with commas, by the kind of the referring record */
	struct drg_buf directions; /**< [adapter, dep_city, country, kept], ... */
	struct drg_buf contents; /**< [adapter, "hotel", which of its references, ...], ... */
};

void drg_journal_init(struct drg_journal *j);
void drg_journal_done(struct drg_journal *j);

/** A dict record referred to what is merged. */
void drg_journal_dict(struct drg_journal *j, const struct drg_record *r);
/** A direction did. @param kept  The one that it becomes was there before. */
void drg_journal_direction(struct drg_journal *j, const struct drg_record *r, bool kept);
/** A hotel content does, with its reference number @p ref, counted over all of its references to dict
 * records. */
void drg_journal_content(struct drg_journal *j, const struct drg_record *r);
void drg_journal_content_ref(struct drg_journal *j, unsigned ref);
void drg_journal_content_end(struct drg_journal *j);

/**
 * The whole, as JSON.
 * @param from  The record that was merged away.
 * @param ret   In @p arena.
 * @return DRG_OK; DRG_ELIMIT: more than fits in a line of the interchange format; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_journal_text(const struct drg_journal *j, const struct drg_record *from, struct drg_arena *arena,
                     struct drg_str *ret, struct drg_err *reterr);

/** Read back. */
struct drg_undo {
	json_t *json; /**< drg_undo_done() */
	struct drg_record record; /**< in the arena of drg_undo_read() */
	json_t *moved; /**< NULL: nothing; object of arrays that are to be looked at with care */
};

/**
 * @param redirect  kind, id and undo.
 * @return DRG_OK; DRG_EINVAL: there is none, or it is not what a merge writes; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_undo_read(const struct drg_record *redirect, struct drg_arena *arena, struct drg_undo *ret,
                  struct drg_err *reterr);
void drg_undo_done(struct drg_undo *u);

/** A dict record now belongs to what was moved: note it, unless it is there. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_undo_note(struct drg_undo *u, enum drg_kind kind, int64_t id);

/** The undo as JSON again, after a change. @return as drg_journal_text(). */
DRG_MUSTCHECK
int drg_undo_text(const struct drg_undo *u, struct drg_arena *arena, struct drg_str *ret,
                  struct drg_err *reterr);
