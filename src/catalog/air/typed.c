/* Reads the query. */
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
	assert(t->n <= t->text.n / 2); /* there is a blank between two words */
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

/* Is the text written like a name: "Goa", but not "goa" or "GOA"? */
static bool is_named(struct drg_str s)
{
	return s.n > 1 && s.p[0] >= 'A' && s.p[0] <= 'Z' && s.p[1] >= 'a' && s.p[1] <= 'z';
}

/* Is the last word one of airports? */
static bool ends_generic(struct drg_str text)
{
	size_t from = text.n;
	while (from > 0 && text.p[from - 1] != ' ')
		from--;
	return drg_air_generic(drg_str(text.p + from, text.n - from)) >= DRG_AIR_WORD_AIRPORT;
}

static bool typed_is_airport(struct drg_str text)
{
	struct drg_str word;
	while (text.n > 0 && drg_str_split(&text, ' ', &word))
		if (drg_air_generic(word) >= DRG_AIR_WORD_AIRPORT)
			return true;
	return false;
}

/* The most bytes that one byte becomes: when a text is folded (text/fold.h), when spaces are put around
 * generic words. */
enum { BYTES_MAX = 7, SPREAD_MAX = 3 };

/* Fold the query without the suffixes of city names. */
static int read_bare(struct drg_air_work *s, struct drg_str apart, struct drg_str *ret_bare,
                     struct drg_str *ret)
{
	struct drg_buf bare = buf_of(s->arena, apart.n + 1),
	               folded = buf_of(s->arena, apart.n * BYTES_MAX + 1);
	if (bare.p == NULL || folded.p == NULL)
		return DRG_ENOMEM;
	drg_air_bare(apart, &bare);
	drg_fold(drg_buf_view(&bare), DRG_FOLD_PLAIN, &folded);
	*ret_bare = drg_buf_view(&bare);
	*ret = drg_buf_view(&folded);
	return DRG_OK;
}

/* Make the core: the query without generic words and without suffixes of city names. */
static int read_core(struct drg_air_work *s, struct drg_str apart, struct drg_air_typed *t)
{
	struct drg_str bare = t->text;
	int rc = DRG_OK;
	if ((t->scripts & DRG_AIR_BY_EAR) != 0 && drg_air_has_suffix(apart))
		rc = read_bare(s, apart, &t->bare, &bare);
	struct drg_buf core = buf_of(s->arena, bare.n + 1);
	if (rc != DRG_OK || core.p == NULL)
		return DRG_ENOMEM;
	drg_air_core(bare, &core);
	if (core.n > 0 && core.n < t->text.n) {
		t->core = drg_buf_view(&core);
		t->airport = typed_is_airport(t->text);
		t->complete = ends_generic(t->text);
	}
	return DRG_OK;
}

int drg_air_typed_read(struct drg_air_work *s, struct drg_str text, struct drg_air_typed *ret)
{
	size_t spread = text.n * SPREAD_MAX, room = spread * BYTES_MAX + 1;
	struct drg_buf apart = buf_of(s->arena, spread + 1), b = buf_of(s->arena, room);
	*ret = (struct drg_air_typed){ .codes = drg_utf8_is_ascii(text),
		                       .capitals = is_capital(text),
		                       .named = is_named(text),
		                       .scripts = drg_air_script(text) };
	if (apart.p == NULL || b.p == NULL)
		return DRG_ENOMEM;
	drg_air_spread(text, &apart);
	drg_fold(drg_buf_view(&apart), DRG_FOLD_PLAIN, &b);
	ret->text = ret->core = drg_buf_view(&b);
	int rc = read_core(s, drg_buf_view(&apart), ret);
	ret->word = drg_arena_alloc(s->arena, (b.n / 2 + 1) * sizeof *ret->word);
	if (rc != DRG_OK || ret->word == NULL)
		return DRG_ENOMEM;
	struct drg_str rest = ret->core, word;
	while (rest.n > 0 && drg_str_split(&rest, ' ', &word))
		add_word(s, ret, word);
	return DRG_OK;
}

int drg_air_typed_own(struct drg_air_work *s, struct drg_str text, struct drg_air_typed *t)
{
	if ((t->scripts & (DRG_AIR_CYRILLIC | DRG_AIR_OTHER)) == 0)
		return DRG_OK;
	struct drg_buf apart = buf_of(s->arena, text.n * SPREAD_MAX + 1);
	struct drg_buf work = buf_of(s->arena, text.n * SPREAD_MAX * BYTES_MAX + 1);
	struct drg_buf own = buf_of(s->arena, text.n * SPREAD_MAX + 2);
	if (apart.p == NULL || work.p == NULL || own.p == NULL)
		return DRG_ENOMEM;
	drg_air_spread(text, &apart);
	if (drg_air_letters(drg_buf_view(&apart), &work, &own))
		t->own = drg_buf_view(&own);
	return DRG_OK;
}
