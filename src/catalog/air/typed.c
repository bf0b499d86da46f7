/* What was typed. */
#include <assert.h>

#include "catalog/air/search_priv.h"
#include "text/utf8.h"
#include "catalog/air/words_priv.h"

static struct drg_buf buf_of(struct drg_arena *arena, size_t room)
{
	char *p = drg_arena_alloc(arena, room);
	return (struct drg_buf){ .p = p, .cap = p != NULL ? room : 0, .max = p != NULL ? room : 0 };
}

static void add_word(struct drg_air_work *s, struct drg_air_typed *t, struct drg_str word)
{
	for (size_t i = 0; i < t->n; i++)
		if (drg_str_eq(t->word[i].text, word))
			return;
	assert(t->n <= t->text.n / 2); /* words have a blank between them */
	struct drg_air_word *w = &t->word[t->n++];
	*w = (struct drg_air_word){ .text = word };
	w->range = drg_air_tree_find(&s->ix->word_tree, &s->ix->words, word, &w->equal);
}

static bool is_capital(struct drg_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] >= 'a' && s.p[i] <= 'z')
			return false;
	return true;
}

static bool typed_says_airport(struct drg_str text)
{
	struct drg_str word;
	while (text.n > 0 && drg_str_split(&text, ' ', &word))
		if (drg_air_generic(word) >= DRG_AIR_WORD_AIRPORT)
			return true;
	return false;
}

int drg_air_typed_read(struct drg_air_work *s, struct drg_str text, struct drg_air_typed *ret)
{
	enum { BYTES_MAX = 7 }; /* for each byte: text/fold.h */
	size_t spread = text.n * 3, room = spread * BYTES_MAX + 1;
	struct drg_buf apart = buf_of(s->arena, spread + 1), b = buf_of(s->arena, room);
	*ret = (struct drg_air_typed){ .codes = drg_utf8_is_ascii(text),
		                       .capitals = is_capital(text),
		                       .scripts = drg_air_script(text) };
	if (apart.p == NULL || b.p == NULL)
		return DRG_ENOMEM;
	drg_air_spread(text, &apart);
	drg_fold(drg_buf_view(&apart), DRG_FOLD_PLAIN, &b);
	ret->text = ret->core = drg_buf_view(&b);
	struct drg_buf core = buf_of(s->arena, b.n + 1);
	ret->word = drg_arena_alloc(s->arena, (b.n / 2 + 1) * sizeof *ret->word);
	if (core.p == NULL || ret->word == NULL)
		return DRG_ENOMEM;
	drg_air_core(ret->text, &core);
	if (core.n > 0 && core.n < b.n) {
		ret->core = drg_buf_view(&core);
		ret->airport = typed_says_airport(ret->text);
	}
	struct drg_str rest = ret->core, word;
	while (rest.n > 0 && drg_str_split(&rest, ' ', &word))
		add_word(s, ret, word);
	return DRG_OK;
}
