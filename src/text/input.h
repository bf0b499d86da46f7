/* src/text/input.h
 * The bytes of a file or of standard input, uncompressed on the way: plain, gzip or Zstandard. */
#pragma once
#include <stdint.h>
#include "base/err.h"
#include "base/str.h"

struct drg_input;

/** Compressed data may unfold to so many times its size, once it has given more than so many bytes. */
enum { DRG_INPUT_GROWTH_MAX = 1000, DRG_INPUT_GROWTH_FROM = 64 << 20 };

/** @param path  "-" is standard input. Compression is told by the first bytes, not by the name. */
DRG_MUSTCHECK
int drg_input_open(const char *path, struct drg_input **ret, struct drg_err *reterr);
void drg_input_close(struct drg_input *in);

/**
 * The next bytes, at most @p cap.
 * @param ret_n  How many; 0 only at the end.
 * @return DRG_OK; DRG_ECORRUPT: compressed data is damaged, cut, or grows beyond all measure; DRG_ENOMEM;
 *         DRG_EIO.
 */
DRG_MUSTCHECK
int drg_input_read(struct drg_input *in, char *buf, size_t cap, size_t *ret_n, struct drg_err *reterr);

/** Write what a file has, uncompressed, to a descriptor. @return as drg_input_open() and drg_input_read();
 * DRG_EFULL, DRG_EIO: it cannot be written. */
DRG_MUSTCHECK
int drg_input_copy(const char *path, int fd, struct drg_err *reterr);

/** Bytes read from the file so far (compressed ones, where it is). */
uint64_t drg_input_bytes(const struct drg_input *in);
