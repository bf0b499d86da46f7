/* src/text/lines.h
 * Lines of a file, of standard input, of .gz and .zst files, in constant memory. */
#pragma once
#include <stdint.h>
#include "base/err.h"
#include "base/str.h"

struct drg_lines;

/**
 * @param path      "-" is standard input. Compression is told by the first bytes, not by the name.
 * @param max_line  Longest line accepted, in bytes.
 */
DRG_MUSTCHECK
int drg_lines_open(const char *path, size_t max_line, struct drg_lines **ret, struct drg_err *reterr);
void drg_lines_close(struct drg_lines *l);

/**
 * The next line, without its newline (and without a carriage return before it); a byte order mark at the very
 * beginning is dropped. What stands behind the last newline is a line too, when it is not empty.
 * @param ret  Valid until the next call.
 * @return DRG_OK; DRG_ENOENT at the end; DRG_ELIMIT: the line is longer than max_line (it is skipped, the
 *         next call goes on behind it); DRG_ECORRUPT: compressed data is damaged, cut, or grows beyond all
 *         measure; DRG_EIO.
 */
DRG_MUSTCHECK
int drg_lines_next(struct drg_lines *l, struct drg_str *ret, struct drg_err *reterr);

/** Number of the line that drg_lines_next() gave last, from 1. */
uint64_t drg_lines_number(const struct drg_lines *l);
/** Bytes read from the file so far (compressed ones, where it is), for progress. */
uint64_t drg_lines_bytes(const struct drg_lines *l);
