#include "catalog/lang_priv.h"

#include <assert.h>

#include "catalog/catalog_priv.h"
#include "text/collate.h"

int drg_langs_find(const struct drg_langs *l, struct drg_str tag)
{
	uint32_t n = atomic_load_explicit(&l->n, memory_order_acquire);
	for (uint32_t i = 0; i < n; i++)
		if (drg_str_eq(drg_langs_tag(l, (uint8_t)i), tag))
			return (int)i;
	return -1;
}

int drg_langs_add(struct drg_langs *l, struct drg_str tag, uint8_t *ret, struct drg_err *reterr)
{
	int found = drg_langs_find(l, tag);
	if (found >= 0) {
		*ret = (uint8_t)found;
		return DRG_OK;
	}
	uint32_t n = atomic_load_explicit(&l->n, memory_order_relaxed);
	assert(n <= DRG_LANGS_MAX);
	if (n == DRG_LANGS_MAX || tag.n == 0 || tag.n > DRG_LANG_MAX)
		return drg_fail(reterr, DRG_ELIMIT, DRG_R(too_many_languages), NULL,
		                "no room for the language \"%.*s\": at most %d languages, of %d characters",
		                DRG_STR_ARG(tag), DRG_LANGS_MAX, DRG_LANG_MAX);
	memcpy(l->tag[n].p, tag.p, tag.n);
	l->tag[n].n = (uint8_t)tag.n;
	atomic_store_explicit(&l->n, n + 1, memory_order_release);
	*ret = (uint8_t)n;
	return DRG_OK;
}

struct drg_lang_pref drg_catalog_langs(const struct drg_catalog *c, struct drg_str tag)
{
	struct drg_str chain[DRG_LANG_CHAIN];
	unsigned n = drg_lang_chain(tag, chain);
	struct drg_lang_pref pref = { .n = 0 };
	for (unsigned i = 0; i < n; i++) {
		int number = drg_langs_find(&c->langs, chain[i]);
		assert(pref.n < DRG_ARRAY_LEN(pref.lang));
		if (number >= 0)
			pref.lang[pref.n++] = (uint8_t)number;
	}
	return pref;
}

bool drg_catalog_knows_lang(const struct drg_catalog *c, struct drg_str tag)
{
	return drg_langs_find(&c->langs, tag) >= 0;
}

struct drg_str drg_catalog_lang(const struct drg_catalog *c, struct drg_str tag, bool or_ordered)
{
	struct drg_str chain[DRG_LANG_CHAIN];
	unsigned n = drg_lang_chain(tag, chain);
	for (unsigned i = 0; i < n; i++)
		if (drg_catalog_knows_lang(c, chain[i]) || (or_ordered && drg_collator_known(chain[i])))
			return chain[i];
	return DRG_STR("en");
}
