/* src/base/pages.h
 * Memory straight from the system: address space is reserved, pages are used as they are touched, and zero. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/** @param huge  Large pages are welcome: for what will be filled from its beginning. @return NULL when there
 * is none. */
void *drg_pages_new(size_t bytes, bool huge);
/** What was filled bit by bit, and is now read at random, in large pages. Without effect where the system
 * cannot. */
void drg_pages_gather(const void *p, size_t bytes);
/** NULL is fine. */
void drg_pages_free(void *p, size_t bytes);
