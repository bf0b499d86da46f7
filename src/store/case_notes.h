/* src/store/case_notes.h
 * Notes of people about suppliers' records (decision C13): comments, who should look at a case, who postpones
 * it. Notes are not records: they have no seq and are in no scan, feed, export or count. A note is never
 * changed or removed: the last one of a sort counts. */
#pragma once
#include "store/store.h"

/** Texts are borrowed. */
struct drg_case_note {
	int64_t adapter;
	enum drg_kind kind;
	struct drg_str id; /**< the source: adapter, kind, id */
	int64_t at_us; /**< wall clock */
	struct drg_str what; /**< a word of decide/case_note.h */
	struct drg_str who;
	struct drg_str detail; /**< may be empty */
};

/** The note is borrowed for the call. A return other than DRG_OK ends the reading and is passed on. */
typedef int drg_case_note_fn(void *ctx, const struct drg_case_note *n);

/** Add a note. Of notes with one word at the same microsecond the first is kept. */
DRG_MUSTCHECK
int drg_txn_case_note(struct drg_txn *t, const struct drg_case_note *n, struct drg_err *reterr);
/** Read the notes of a source, ascending by time. */
DRG_MUSTCHECK
int drg_store_case_notes(struct drg_store *s, int64_t adapter, enum drg_kind kind, struct drg_str id,
                         drg_case_note_fn *fn, void *ctx, struct drg_err *reterr);
/** Read all notes, ascending by adapter, kind, id and time. */
DRG_MUSTCHECK
int drg_store_each_case_note(struct drg_store *s, drg_case_note_fn *fn, void *ctx, struct drg_err *reterr);
