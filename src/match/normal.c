#include "match/normal.h"

#include <stdlib.h>

#include "match/latin.h"
#include "match/words.h"
#include "text/icu.h"

struct drg_normal {
	struct drg_latin *latin;
	UChar a[DRG_LATIN_ROOM], b[DRG_LATIN_ROOM];
	char folded[DRG_NORMAL_MAX];
};

int drg_normal_new(struct drg_normal **ret, struct drg_err *reterr)
{
	struct drg_normal *n = calloc(1, sizeof *n);
	if (n == NULL)
		return drg_fail_memory(reterr);
	int rc = drg_latin_new(&n->latin, reterr);
	if (rc != DRG_OK) {
		drg_normal_free(n);
		return rc;
	}
	*ret = n;
	return DRG_OK;
}

void drg_normal_free(struct drg_normal *n)
{
	if (n == NULL)
		return;
	drg_latin_free(n->latin);
	free(n);
}

/* ---- folding -------------------------------------------------------------------------------------------- */

bool drg_normal_has_other_script(struct drg_str text)
{
	const uint8_t *p = (const uint8_t *)text.p;
	for (size_t i = 0; i < text.n;) {
		UChar32 c;
		UErrorCode e = U_ZERO_ERROR;
		U8_NEXT(p, i, text.n, c);
		if (c >= 0x80 && u_isalpha(c) && uscript_getScript(c, &e) != USCRIPT_LATIN)
			return true;
	}
	return false;
}

static bool is_quote(UChar c)
{
	static const UChar all[] = { '\'', '"', '`', 0x2019, 0xb4, 0x2b9, 0x2bb };
	for (size_t i = 0; i < DRG_ARRAY_LEN(all); i++)
		if (c == all[i])
			return true;
	return false;
}

static const char *sign_word(UChar c)
{
	return c == '&' || c == '+' ? " and " : c == '@' ? " at " : NULL;
}

/* Replace signs by words and drop quotes: from n->a to n->b. @return how many units */
static int32_t normal_signs(struct drg_normal *n, int32_t len)
{
	int32_t out = 0;
	for (int32_t i = 0; i < len && out < DRG_LATIN_ROOM - 8; i++) {
		const char *word = sign_word(n->a[i]);
		if (word != NULL)
			for (; *word != '\0'; word++)
				n->b[out++] = (UChar)*word;
		else if (!is_quote(n->a[i]))
			n->b[out++] = n->a[i];
	}
	return out;
}

static bool is_small(UChar c)
{
	return c >= 'a' && c <= 'z';
}

static bool in_word(const UChar *s, int32_t len, int32_t i)
{
	return i >= 0 && i < len && (s[i] == '_' || (U_GET_GC_MASK(s[i]) & (U_GC_L_MASK | U_GC_N_MASK)) != 0);
}

/* Is it a point in an abbreviation of single letters: "h.m.v"? */
static bool is_inner_point(const UChar *s, int32_t len, int32_t i)
{
	return s[i] == '.' && i > 0 && i + 1 < len && is_small(s[i - 1]) && is_small(s[i + 1]) &&
	       !in_word(s, len, i - 2) && !in_word(s, len, i + 2);
}

struct drg_str drg_normal_fold(struct drg_normal *n, struct drg_str text)
{
	int32_t len = normal_signs(n, drg_latin_transliterate(n->latin, text, n->a));
	size_t out = 0;
	bool space = false;
	for (int32_t i = 0; i < len && out < DRG_NORMAL_MAX; i++) {
		UChar c = n->b[i];
		if (is_small(c) || (c >= '0' && c <= '9')) {
			if (space)
				n->folded[out++] = ' ';
			if (out < DRG_NORMAL_MAX)
				n->folded[out++] = (char)c;
			space = false;
		} else if (!is_inner_point(n->b, len, i)) {
			space = out > 0;
		}
	}
	while (out > 0 && n->folded[out - 1] == ' ')
		out--;
	return drg_str(n->folded, out);
}

/* ---- tokens --------------------------------------------------------------------------------------------- */

static void token_add(struct drg_tokens *t, struct drg_str token)
{
	const struct drg_word *w = drg_word_find(token);
	struct drg_str word, rest = w != NULL && w->write != NULL ? drg_str_c(w->write) : token;
	while (t->n < DRG_NORMAL_TOKENS && drg_str_split(&rest, '_', &word))
		t->t[t->n++] = word;
}

void drg_normal_tokens(struct drg_str folded, struct drg_tokens *ret)
{
	struct drg_str rest = folded, part;
	size_t used = 0, run = 0; /* bytes used of `room`; where the row of letters begins */
	ret->n = 0;
	while (folded.n > 0 && drg_str_split(&rest, ' ', &part)) {
		const struct drg_word *w = drg_word_find(part);
		if (w != NULL && w->number != NULL)
			part = drg_str_c(w->number);
		if (part.n == 1 && is_small((UChar)part.p[0])) {
			ret->room[used++] = part.p[0];
			continue;
		}
		if (used > run)
			token_add(ret, drg_str(ret->room + run, used - run));
		run = used;
		token_add(ret, part);
	}
	if (used > run)
		token_add(ret, drg_str(ret->room + run, used - run));
}
