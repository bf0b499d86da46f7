#include "match/words.h"

const struct drg_word *drg_word_find(struct drg_str text)
{
	/* the same hash as in tools/embed_words.py */
	uint32_t hash = 0, last = (UINT32_C(1) << drg_word_bits) - 1;
	for (size_t i = 0; i < text.n; i++)
		hash = hash * 33 ^ (unsigned char)text.p[i];
	for (uint32_t at = hash * UINT32_C(0x9e3779b1) >> (32 - drg_word_bits); drg_word_slots[at] != 0;
	     at = (at + 1) & last) {
		const struct drg_word *w = &drg_words[drg_word_slots[at] - 1];
		if (drg_str_eq(text, drg_str_c(w->text)))
			return w;
	}
	return NULL;
}
