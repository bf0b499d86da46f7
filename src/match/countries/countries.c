#include "match/countries/countries.h"

#include <assert.h>
#include <string.h>

#include "base/compiler.h"
#include "match/compare.h"

/* Words by which names of one country differ, as the normaliser folds them. */
static const char articles[] =
        " the of and und et ed e y i ve ta u de del della des du d von la le les die der das "
        "el los il ";
/* Words that mean the same in names of countries, lists' short forms among them: "Kongo Dem. Cum.". */
static const struct {
	const char *words, *as;
} same[] = {
	{ " rep resp republique repubblica republica republik republika respublika cumhuriyeti cum ",
	  "republic" },
	{ " dem demokratik demokratische democratique democratica demokratyczna ", "democratic" },
	{ " is isl isls island ", "islands" },
	{ " eq equat ", "equatorial" },
	{ " br brit ", "british" },
	{ " utd ", "united" },
	{ " em ", "emirates" },
	{ " cent centr ", "central" },
	{ " afr ", "african" },
	{ " tob ", "tobago" },
	{ " barb ", "barbuda" },
	{ " gren ", "grenadines" },
	{ " prin ", "principe" },
	{ " herz herzeg ", "herzegovina" },
};
/* Words that a name can have in addition, even if no name in the table or in CLDR has them. */
static const char forms[] =
        " republic kingdom sultanate principality state federal federative islamic arab socialist peoples "
        "commonwealth union "
        "grand duchy hashemite independent plurinational bolivarian cooperative sar special administrative "
        "region "
        "island islands insel inseln ile iles isla islas isola isole wyspa wyspy adalari ostrova ";

static struct drg_str usual_word(struct drg_str word)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(same); i++)
		if (drg_str_is_among(word, same[i].words))
			return drg_str_c(same[i].as);
	return word;
}

/* A key of words in any order, without articles. @param bare  without the forms of states and islands too */
static uint64_t country_key(const struct drg_tokens *t, bool bare)
{
	struct drg_str words[DRG_NORMAL_TOKENS];
	char text[2 * DRG_NORMAL_MAX];
	size_t n = 0, len = 0;
	for (unsigned i = 0; i < t->n; i++) {
		struct drg_str word = usual_word(t->t[i]);
		size_t at = n;
		if (drg_str_is_among(word, articles) || (bare && drg_str_is_among(word, forms)))
			continue;
		for (n++; at > 0 && drg_str_cmp(words[at - 1], word) > 0; at--)
			words[at] = words[at - 1];
		words[at] = word;
	}
	for (size_t i = 0; i < n && len + words[i].n < sizeof text; i++) {
		memcpy(text + len, words[i].p, words[i].n);
		len += words[i].n;
		text[len++] = ' ';
	}
	return len > 0 ? drg_match_hash(drg_str(text, len), 4) : 0;
}

/* Does a word of the list begin so? Articles of two letters count as beginnings of anything. */
static bool may_begin(const char *words, struct drg_str begin)
{
	for (const char *at = words + 1; (at = memmem(at, strlen(at), begin.p, begin.n)) != NULL; at++)
		if (at[-1] == ' ')
			return true;
	return begin.n <= 2;
}

/* Write the words in a row, without articles. @return the length. */
static size_t plain_of(const struct drg_tokens *t, bool cut, char *ret)
{
	size_t len = 0;
	for (unsigned i = 0; i + cut < t->n; i++) {
		struct drg_str word = usual_word(t->t[i]);
		if (drg_str_is_among(word, articles) || (cut && drg_str_is_among(word, forms)) ||
		    len + word.n + 1 >= DRG_NORMAL_MAX)
			continue;
		memcpy(ret + len, word.p, word.n);
		len += word.n;
		ret[len++] = ' ';
	}
	return len > 0 ? len - 1 : 0;
}

unsigned drg_country_keys(struct drg_normal *n, struct drg_str name, uint64_t ret[static DRG_LABEL_KEYS],
                          struct drg_buf *plain)
{
	struct drg_tokens t;
	char words[DRG_NORMAL_MAX];
	drg_normal_tokens(drg_normal_fold(n, name), &t);
	ret[0] = drg_label_tokens_key(&t);
	ret[1] = country_key(&t, false);
	ret[2] = country_key(&t, true);
	if (plain != NULL)
		drg_buf_add(plain, words, plain_of(&t, false, words));
	return 3;
}

struct drg_str drg_country_plain(struct drg_normal *n, struct drg_str name, bool cut, char *ret)
{
	struct drg_tokens t;
	drg_normal_tokens(drg_normal_fold(n, name), &t);
	if (cut && (t.n == 0 || (!may_begin(forms, t.t[t.n - 1]) && !may_begin(articles, t.t[t.n - 1]))))
		return drg_str(ret, 0);
	return drg_str(ret, plain_of(&t, cut, ret));
}
