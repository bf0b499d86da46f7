#include "match/words.h"

const struct drg_word *drg_word_find(struct drg_str text)
{
	unsigned from = 0, to = drg_n_words;
	while (from < to) {
		unsigned middle = from + (to - from) / 2;
		int order = drg_str_cmp(text, drg_str_c(drg_words[middle].text));
		if (order == 0)
			return &drg_words[middle];
		if (order < 0)
			to = middle;
		else
			from = middle + 1;
	}
	return NULL;
}
