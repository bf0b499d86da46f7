/* src/workbench/queue/cursor.h
 * Where a reader of the queue stands: behind a case, whether that is still open or not. Opaque text, safe in
 * a URL, of any server. */
#pragma once
#include "matching/desk/order.h"

enum { DRG_CASE_CURSOR_TEXT = 512 };

/** Into @p buf, NUL-terminated. @param later  Behind all that is not put off. @return its length. */
size_t drg_case_cursor_write(const struct drg_open_case *c, enum drg_queue_sort sort, bool later,
                             char buf[static DRG_CASE_CURSOR_TEXT]);
/** @param ret  What is compared; the id is in @p arena. @return DRG_OK; DRG_EINVAL: not a cursor of this
 *             order; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_case_cursor_read(struct drg_str text, enum drg_queue_sort sort, struct drg_arena *arena,
                         struct drg_open_case *ret, bool *ret_later, struct drg_err *reterr);
