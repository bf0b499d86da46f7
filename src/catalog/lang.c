#include "catalog/lang_priv.h"

#include <assert.h>

#include "base/hash.h"
#include "catalog/catalog_priv.h"
#include "text/collate.h"

/* A damaged store may have any bytes where a tag should be. */
static uint64_t hash_in_full(struct drg_str tag)
{
	char full[DRG_LANG_FULL + 1];
	struct drg_str s = drg_lang_valid(tag) ? drg_lang_full(tag, full) : tag;
	return drg_hash(s.p, s.n, 0);
}

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
	l->tag[n].full = hash_in_full(tag);
	memcpy(l->tag[n].p, tag.p, tag.n);
	l->tag[n].n = (uint8_t)tag.n;
	atomic_store_explicit(&l->n, n + 1, memory_order_release);
	*ret = (uint8_t)n;
	return DRG_OK;
}

/* Add the tag, then those that mean the same: "he" where "iw" is asked for. */
static void prefer(struct drg_lang_pref *pref, const struct drg_langs *l, struct drg_str tag)
{
	int number = drg_langs_find(l, tag);
	uint64_t full = number >= 0 ? l->tag[number].full : hash_in_full(tag);
	uint32_t n = atomic_load_explicit(&l->n, memory_order_acquire);
	if (number >= 0 && pref->n < DRG_ARRAY_LEN(pref->lang))
		pref->lang[pref->n++] = (uint8_t)number;
	for (uint32_t i = 0; i < n && pref->n < DRG_ARRAY_LEN(pref->lang); i++)
		if (l->tag[i].full == full && (int)i != number)
			pref->lang[pref->n++] = (uint8_t)i;
}

struct drg_lang_pref drg_catalog_langs(const struct drg_catalog *c, struct drg_str tag)
{
	char buf[DRG_LANG_FULL + 1];
	struct drg_str chain[DRG_LANG_CHAIN];
	unsigned n = drg_lang_chain(tag, buf, chain);
	struct drg_lang_pref pref = { .n = 0 };
	for (unsigned i = 0; i < n; i++)
		prefer(&pref, &c->langs, chain[i]);
	return pref;
}

struct drg_str drg_catalog_lang(const struct drg_catalog *c, struct drg_str tag, bool or_ordered, char *buf)
{
	struct drg_str chain[DRG_LANG_CHAIN];
	unsigned n = drg_lang_chain(tag, buf, chain);
	for (unsigned i = 0; i < n; i++) {
		struct drg_lang_pref pref = { .n = 0 };
		prefer(&pref, &c->langs, chain[i]);
		if (pref.n > 0)
			return drg_langs_tag(&c->langs, pref.lang[0]);
		if (or_ordered && drg_collator_known(chain[i]))
			return chain[i];
	}
	return DRG_STR("en");
}
