/* src/decide/case_note.h
 * Notes of people at a supplier's record that waits in the queue (decision C13): a comment, the person who
 * should look at it, a person who puts it off. */
#pragma once
#include "store/case_notes.h"
#include "store/txn_run.h"

/** Their words are in the store: never change one. */
#define DRG_CASE_NOTES(N)                                                                                    \
	N(COMMENT, "comment") /* detail: the text */                                                         \
	N(ASSIGN, "assign") /* detail: the person */                                                         \
	N(UNASSIGN, "unassign")                                                                              \
	N(LATER, "later") /* detail: a date, or empty: until it is undone */                                 \
	N(NOW, "now") /* undoes "later" of the same person */
#define DRG_CASE_NOTE_ID(id, word) DRG_NOTE_##id,
enum drg_case_note_what { DRG_CASE_NOTES(DRG_CASE_NOTE_ID) DRG_CASE_NOTE_COUNT };
#undef DRG_CASE_NOTE_ID

/* DRG_CASE_NOTES_MAX: the most notes of a case, and as many again that undo one. DRG_COMMENT_MAX: the most
 * characters of a comment. */
enum { DRG_CASE_NOTES_MAX = 1000, DRG_COMMENT_MAX = 1000 };

/** @return DRG_CASE_NOTE_COUNT: no such word. */
enum drg_case_note_what drg_case_note_by_word(struct drg_str word);
/** Until when a note "later" puts a case off: the day in UTC that @p detail names; INT64_MAX: it names none;
 * INT64_MIN: it is no such text. */
int64_t drg_case_note_until(struct drg_str detail);

/** A note to write. note.detail is input; results are the time of the note, and note.detail with the stored
 * spelling of a person's name. */
struct drg_case_noting {
	struct drg_case_note note;
	char person[260]; /**< private */
};

/**
 * Write a note. A drg_txn_fn; @p noting is a struct drg_case_noting.
 * @return DRG_OK; DRG_EINVAL: the detail is not possible for this note; DRG_ENOENT: no such source, or no
 * person of this name who may decide; DRG_EEXIST: the case has DRG_CASE_NOTES_MAX; errors of the store.
 */
DRG_MUSTCHECK
int drg_case_note_run(void *noting, struct drg_txn *t, struct drg_err *reterr);
