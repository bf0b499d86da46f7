/* src/sheet/encoding.h
 * Encodings of text files: recognised where that is safe (decision P1), and turned into UTF-8 as the file is
 * read. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "base/buf.h"
#include "base/err.h"
#include "sheet/sheet.h"

struct drg_encoding {
	char name[DRG_SHEET_ENCODING];
	unsigned mark; /**< bytes of the byte order mark */
	bool told; /**< by that mark, or by being valid UTF-8 */
};

/**
 * Detect the encoding of the beginning of a file. Cyrillic in windows-1251 is recognised by ICU's detector;
 * between windows-1252, 1254 and 1250 nothing is safe, and nothing is guessed.
 * @param whole  The sample is all of the file.
 * @return DRG_OK; DRG_EINVAL: to be told by the user; the message shows a line of it in the likely encodings.
 */
DRG_MUSTCHECK
int drg_encoding_detect(struct drg_str sample, bool whole, struct drg_encoding *ret, struct drg_err *reterr);

/**
 * Was UTF-8 taken for an 8-bit encoding, and that turned into UTF-8 once more ("HÃ´tel")?
 * @param ret  Room for @p cap bytes: the text as it was meant, cut to what fits.
 */
bool drg_encoded_twice(struct drg_str s, char *ret, size_t cap);

struct drg_decoder;
/** @param name  As ICU knows it. @return DRG_OK; DRG_EINVAL: there is no such encoding; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_decoder_open(const char *name, struct drg_decoder **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_decoder_close(struct drg_decoder *d);
/** Append @p in as UTF-8. @param last  Nothing follows. @return DRG_OK; DRG_EINVAL, without words: behind what
 * was appended are bytes that mean nothing in this encoding; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_decoder_add(struct drg_decoder *d, struct drg_str in, bool last, struct drg_buf *out);
