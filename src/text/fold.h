/* src/text/fold.h
 * Names as they are compared: small Latin letters and digits, words with one space between.
 *
 * Letter case, diacritics, apostrophes, soft and hard signs are gone; other scripts are written as people type them
 * in Latin letters (ICU's transliterations: BGN for Cyrillic, pinyin for Han ...), letter by letter, so that a
 * beginning folds to a beginning. "Парижъ" gives "parizh", "Saint-Étienne" "saint etienne", "N'Djaména" "ndjamena".
 * Letters that ICU cannot write in Latin ones stay as they are. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

/** Ways to write the same name that people use beside the plain one: for what is searched, never for what is asked. */
enum drg_fold_way {
	DRG_FOLD_PLAIN,
	DRG_FOLD_UKRAINIAN, /**< Cyrillic by Ukraine's own table: "kyiv", where the plain way gives "kiyiv" */
	DRG_FOLD_DIGRAPHS, /**< "muenchen", where the plain way gives "munchen" */
	DRG_FOLD_WAYS
};

/**
 * Load ICU's tables. Any thread, any number of times; takes a fifth of a second once.
 * @return DRG_OK; DRG_EINTERNAL: ICU lacks its data.
 */
DRG_MUSTCHECK
int drg_fold_open(struct drg_err *reterr);

/** Append what is known of letters so far, for another process's drg_fold_open_kept(). */
void drg_fold_keep(struct drg_buf *out);

/**
 * In place of drg_fold_open(), for a process that folds a few names while nobody else folds: letters that are not in @p kept
 * are read from ICU when they are met.
 * @return DRG_OK; DRG_EINVAL: not made by drg_fold_keep() of this program with this ICU; DRG_ENOMEM, DRG_EINTERNAL.
 */
DRG_MUSTCHECK
int drg_fold_open_kept(struct drg_str kept);

/**
 * Append @p s, folded: at most 7 bytes for each byte of it. Any thread, after drg_fold_open(). Allocates nothing but
 * what @p out needs. The first letter of a block of 256 costs some milliseconds in a process's life, under a lock: not in
 * a read section, see drg_fold_meet().
 */
void drg_fold(struct drg_str s, enum drg_fold_way way, struct drg_buf *out);

/**
 * Before a read section in which @p s will be folded: meet its letters now. Any thread; waits for who meets letters too.
 * @return How many blocks were new; none while drg_fold_open() has not ended, as there is nothing to search in yet.
 */
unsigned drg_fold_meet(struct drg_str s);
