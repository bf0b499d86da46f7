#include "catalog/fragment_priv.h"

#include <assert.h>

#include "catalog/hash_priv.h"

struct drg_buf drg_fragment_begin(const struct drg_fragments *t)
{
	struct drg_buf b = drg_heap_top(t->heap);
	if (drg_buf_reserve(&b, sizeof(struct drg_fragment)))
		b.n += sizeof(struct drg_fragment);
	return b;
}

int drg_fragment_intern(struct drg_fragments *t, const struct drg_buf *b, drg_ref *ret,
                        struct drg_err *reterr)
{
	if (b->rc != DRG_OK)
		return drg_heap_full(t->heap, reterr);
	int rc = drg_table_reserve(&t->table, reterr);
	if (rc != DRG_OK)
		return rc;

	assert(b->n >= sizeof(struct drg_fragment));
	struct drg_fragment *made = (struct drg_fragment *)(void *)b->p;
	struct drg_str text = drg_str(made->text, b->n - sizeof *made);
	uint32_t tag = drg_tag(t->seed, 0, text.p, text.n);
	struct drg_probe at = drg_table_probe(&t->table, tag);
	drg_ref ref;
	while ((ref = drg_probe_next(&at)) != DRG_NO_REF) {
		if (drg_str_eq(drg_fragment_text(t->heap, ref), text)) {
			*ret = ref;
			return DRG_OK;
		}
	}
	assert(text.n <= UINT32_MAX);
	made->n = (uint32_t)text.n;
	*ret = drg_heap_take(t->heap, b->n);
	assert(*ret != DRG_NO_REF);
	drg_table_insert(&t->table, tag, *ret);
	return DRG_OK;
}
