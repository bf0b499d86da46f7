/* src/catalog/lang_priv.h
 * The language tags of all records, each with a small number; tags are only ever added. */
#pragma once
#include <stdatomic.h>
#include <stdint.h>
#include "base/err.h"
#include "base/str.h"
#include "text/lang.h"

enum {
	DRG_LANGS_MAX = 250,
	DRG_LANGS_OTHER = DRG_LANGS_MAX /**< a language without a number: nobody can ask for it by name */
};

struct drg_langs {
	_Atomic uint32_t n;
	struct {
		uint64_t full; /**< a hash of drg_lang_full() */
		uint8_t n;
		char p[DRG_LANG_MAX];
	} tag[DRG_LANGS_MAX];
};

/** The number of a tag; -1: no record has it. */
int drg_langs_find(const struct drg_langs *l, struct drg_str tag);
/** The number of a tag, a new one if it has none. @return DRG_OK; DRG_ELIMIT: DRG_LANGS_MAX others, or an
 * overlong tag. */
DRG_MUSTCHECK
int drg_langs_add(struct drg_langs *l, struct drg_str tag, uint8_t *ret, struct drg_err *reterr);

static inline struct drg_str drg_langs_tag(const struct drg_langs *l, uint8_t number)
{
	return number == DRG_LANGS_OTHER ? DRG_STR("und") : drg_str(l->tag[number].p, l->tag[number].n);
}
