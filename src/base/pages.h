/* src/base/pages.h
 * Memory from the system: address space is reserved, pages get memory when they are first touched, and are
 * zero. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/** @param huge  Ask for large pages: for memory that is filled from its beginning. @return NULL: no
 * memory. */
void *drg_pages_new(size_t bytes, bool huge);
/** Move memory that was filled bit by bit into large pages, since it is read at random from now on. Without
 * effect if the system cannot. */
void drg_pages_gather(const void *p, size_t bytes);
/** NULL is fine. */
void drg_pages_free(void *p, size_t bytes);
