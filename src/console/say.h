/* src/console/say.h
 * What commands tell people. Names, ids, cells, headings and names of files come from elsewhere: none is a
 * command to a terminal, or a line of its own (decision P8). */
#pragma once
#include <stdio.h>
#include "base/buf.h"
#include "base/compiler.h"

/** fprintf(), tamed (drg_str_sanitize()). A newline at the beginning and at the end of @p fmt stays. Without
 * memory nothing is printed, and drg_print_failed() is true from then on. */
void drg_print(FILE *to, const char *fmt, ...) DRG_PRINTF(2, 3);
bool drg_print_failed(void);

/** Tame what stands in @p b from @p from on. */
void drg_print_sanitize(struct drg_buf *b, size_t from);
