/* src/catalog/retire_priv.h
 * Replaced memory: no new reader finds it, but present readers may still use it. It is kept until they have
 * left, then freed together. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct drg_retire {
	bool alone; /**< there are no readers to wait for */
	struct {
		void *p;
		size_t pages; /**< bytes from drg_pages_new(); 0: from malloc */
	} item[64];
	unsigned n;
	size_t bytes;
};

/** Free @p p (from malloc, of about @p bytes) when no reader sees it any more; may wait for them. NULL is
 * fine. */
void drg_retire_block(struct drg_retire *r, void *p, size_t bytes);
/** The same for pages from drg_pages_new(). */
void drg_retire_pages(struct drg_retire *r, void *p, size_t bytes);
/** Wait for the readers and free everything; does not wait if there is nothing to free. */
void drg_retire_flush(struct drg_retire *r);
