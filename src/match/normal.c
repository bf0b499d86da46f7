#include "match/normal.h"

#include <stdlib.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#include <unicode/utrans.h>

#include "match/words.h"

/* A text of 1,024 characters, and what it can become: "&" is " and ", a letter of another script up to a word. */
enum { TEXT_ROOM = 1 << 14 };

struct drg_normal {
	UTransliterator *latin;
	const UNormalizer2 *nfkc;
	UChar a[TEXT_ROOM], b[TEXT_ROOM];
	char folded[DRG_NORMAL_MAX];
};

int drg_normal_new(struct drg_normal **ret, struct drg_err *reterr)
{
	static const char steps[] = "Any-Latin; Latin-ASCII; Lower";
	UChar id[sizeof steps];
	UParseError where;
	UErrorCode e = U_ZERO_ERROR;
	struct drg_normal *n = calloc(1, sizeof *n);
	if (n == NULL)
		return drg_fail_memory(reterr);
	u_uastrcpy(id, steps);
	n->latin = utrans_openU(id, -1, UTRANS_FORWARD, NULL, 0, &where, &e);
	n->nfkc = unorm2_getNFKCInstance(&e);
	if (U_FAILURE(e)) {
		drg_normal_free(n);
		return drg_fail(reterr, DRG_EINTERNAL, NULL, NULL, "ICU cannot transliterate: %s",
		                u_errorName(e));
	}
	*ret = n;
	return DRG_OK;
}

void drg_normal_free(struct drg_normal *n)
{
	if (n == NULL)
		return;
	if (n->latin != NULL)
		utrans_close(n->latin);
	free(n);
}

/* ---- folding -------------------------------------------------------------------------------------------- */

static bool normal_is_ascii(struct drg_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] >= 0x80)
			return false;
	return true;
}

/* In Latin letters, small, into n->a. @return how many */
static int32_t normal_latin(struct drg_normal *n, struct drg_str text)
{
	UErrorCode e = U_ZERO_ERROR;
	int32_t len = 0;
	if (text.n > TEXT_ROOM / 4)
		text.n = TEXT_ROOM / 4;
	if (normal_is_ascii(text)) {
		for (size_t i = 0; i < text.n; i++)
			n->a[i] = (UChar)(text.p[i] >= 'A' && text.p[i] <= 'Z' ? text.p[i] + ('a' - 'A')
			                                                       : text.p[i]);
		return (int32_t)text.n;
	}
	u_strFromUTF8WithSub(n->b, TEXT_ROOM / 4, &len, text.p, (int32_t)text.n, 0xfffd, NULL, &e);
	len = unorm2_normalize(n->nfkc, n->b, len, n->a, TEXT_ROOM / 2, &e);
	int32_t limit = len;
	utrans_transUChars(n->latin, n->a, &len, TEXT_ROOM, 0, &limit, &e);
	return U_SUCCESS(e) ? len : 0;
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

/* Signs as words, without quotes: from n->a to n->b. @return how many */
static int32_t normal_signs(struct drg_normal *n, int32_t len)
{
	int32_t out = 0;
	for (int32_t i = 0; i < len && out < TEXT_ROOM - 8; i++) {
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

/* The point of an abbreviation of single letters: "h.m.v". */
static bool is_inner_point(const UChar *s, int32_t len, int32_t i)
{
	return s[i] == '.' && i > 0 && i + 1 < len && is_small(s[i - 1]) && is_small(s[i + 1]) &&
	       !in_word(s, len, i - 2) && !in_word(s, len, i + 2);
}

struct drg_str drg_normal_fold(struct drg_normal *n, struct drg_str text)
{
	int32_t len = normal_signs(n, normal_latin(n, text));
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
	if (t->n < DRG_NORMAL_TOKENS)
		t->t[t->n++] = w != NULL && w->write != NULL ? drg_str_c(w->write) : token;
}

void drg_normal_tokens(struct drg_str folded, struct drg_tokens *ret)
{
	struct drg_str rest = folded, part;
	size_t used = 0, run = 0; /* of `room`; where the letters in a row begin */
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
