/* src/decide/case_note.h
 * What people note at a supplier's record that waits in the queue (decision C13): a comment, who should look,
 * who looks later. */
#pragma once
#include "store/case_notes.h"
#include "store/txn_run.h"

/** In the store as words: never change one. */
#define DRG_CASE_NOTES(N)                                                                                    \
	N(COMMENT, "comment") /* detail: the text */                                                         \
	N(ASSIGN, "assign") /* detail: the person */                                                         \
	N(UNASSIGN, "unassign")                                                                              \
	N(LATER, "later") /* detail: a date, or empty: until it is taken back */                             \
	N(NOW, "now") /* takes "later" of the same person back */
#define DRG_CASE_NOTE_ID(id, word) DRG_NOTE_##id,
enum drg_case_note_what { DRG_CASE_NOTES(DRG_CASE_NOTE_ID) DRG_CASE_NOTE_COUNT };
#undef DRG_CASE_NOTE_ID

/* A case has so many notes, and as many more of those that take one back. */
enum { DRG_CASE_NOTES_MAX = 1000, DRG_COMMENT_MAX = 1000 };

/** @return DRG_CASE_NOTE_COUNT: no such word. */
enum drg_case_note_what drg_case_note_by_word(struct drg_str word);
/** Until when a note "later" puts a case off: its day in UTC; INT64_MAX: it has none; INT64_MIN: it is no such
 * text. */
int64_t drg_case_note_until(struct drg_str detail);

/** @p detail of a note to be written is what it is about; its time, and the name of a person as it is kept, are
 * results. */
struct drg_case_noting {
	struct drg_case_note note;
	char person[260]; /**< private */
};

/**
 * Of a transaction (struct drg_case_noting).
 * @return DRG_OK; DRG_EINVAL: what the note is about cannot be; DRG_ENOENT: no such source, or nobody of this
 * name who may decide; DRG_EEXIST: it has DRG_CASE_NOTES_MAX; errors of the store.
 */
DRG_MUSTCHECK
int drg_case_note_run(void *noting, struct drg_txn *t, struct drg_err *reterr);
