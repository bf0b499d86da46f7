/* src/catalog/title_priv.h
 * Texts that many sources share (the category, country and city of hotels), each kept once in the heap. */
#pragma once
#include "catalog/table_priv.h"

struct drg_title {
	uint32_t n;
	char text[];
};

struct drg_titles {
	struct drg_heap *heap;
	struct drg_table table;
	uint64_t seed;
};

/** A buffer for a text; append to it, then call drg_title_intern(). Nothing else may use the heap in between. */
struct drg_buf drg_title_begin(const struct drg_titles *t);
/** The one title with the text that was appended. @return DRG_OK, DRG_ELIMIT (heap full), DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_title_intern(struct drg_titles *t, const struct drg_buf *b, drg_ref *ret, struct drg_err *reterr);

/** The text; p is NULL for DRG_NO_REF. */
static inline struct drg_str drg_title_text(const struct drg_heap *h, drg_ref ref)
{
	const struct drg_title *t = drg_heap_at(h, ref);
	return ref != DRG_NO_REF ? drg_str(t->text, t->n) : drg_str(NULL, 0);
}
