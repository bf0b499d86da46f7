/* src/catalog/fragment_priv.h
 * Interned fragments: pieces of JSON that many sources share (the category, country and city of hotels), each
 * in the heap once. */
#pragma once
#include "catalog/table_priv.h"

struct drg_fragment {
	uint32_t n;
	char text[];
};

struct drg_fragments {
	struct drg_heap *heap;
	struct drg_table table;
	uint64_t seed;
};

/** Begin a fragment: append to the buffer, then call drg_fragment_intern(). Nothing else may use the heap in
 * between. */
struct drg_buf drg_fragment_begin(const struct drg_fragments *t);
/** Return the only fragment with the appended text. @return DRG_OK, DRG_ELIMIT (heap full), DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_fragment_intern(struct drg_fragments *t, const struct drg_buf *b, drg_ref *ret,
                        struct drg_err *reterr);

/** The text; p is NULL for DRG_NO_REF. */
static inline struct drg_str drg_fragment_text(const struct drg_heap *h, drg_ref ref)
{
	const struct drg_fragment *f = drg_heap_at(h, ref);
	return ref != DRG_NO_REF ? drg_str(f->text, f->n) : drg_str(NULL, 0);
}
