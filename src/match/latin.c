#include "match/latin.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "text/icu.h"
#include "text/utf8.h"

/* A word and its Latin letters. A later word replaces an earlier one with the same hash. */
struct known_word {
	uint8_t n_word, n_latin; /* n_word 0: free */
	char word[62];
	UChar latin[32];
};
enum { KNOWN_WORDS = 1 << 14, TEXT_BYTES = DRG_LATIN_ROOM / 4 };

struct drg_latin {
	UTransliterator *latin;
	const UNormalizer2 *nfkc;
	UChar given[TEXT_BYTES];
	struct known_word known[KNOWN_WORDS];
};

int drg_latin_new(struct drg_latin **ret, struct drg_err *reterr)
{
	static const char steps[] =
	        "Lower; Any-Latin; Latin-ASCII; Lower"; /* Any-Latin leaves a mark for a capital soft sign */
	UChar id[sizeof steps];
	UParseError where;
	UErrorCode e = U_ZERO_ERROR;
	int rc = drg_library_load(DRG_LIBRARY_ICU, reterr);
	struct drg_latin *l = rc == DRG_OK ? calloc(1, sizeof *l) : NULL;
	if (l == NULL)
		return rc != DRG_OK ? rc : drg_fail_memory(reterr);
	u_uastrcpy(id, steps);
	l->latin = utrans_openU(id, -1, UTRANS_FORWARD, NULL, 0, &where, &e);
	l->nfkc = unorm2_getNFKCInstance(&e);
	if (U_FAILURE(e)) {
		drg_latin_free(l);
		return drg_fail(reterr, DRG_EINTERNAL, NULL, NULL, "ICU cannot transliterate: %s",
		                u_errorName(e));
	}
	*ret = l;
	return DRG_OK;
}

void drg_latin_free(struct drg_latin *l)
{
	if (l == NULL)
		return;
	if (l->latin != NULL)
		utrans_close(l->latin);
	free(l);
}

/* Transliterate with ICU; DRG_LATIN_ROOM has room for any text of TEXT_BYTES. */
static int32_t latin_by_icu(struct drg_latin *l, struct drg_str text, UChar *ret, int32_t room)
{
	UErrorCode e = U_ZERO_ERROR;
	int32_t len = 0;
	u_strFromUTF8WithSub(l->given, TEXT_BYTES, &len, text.p, (int32_t)text.n, 0xfffd, NULL, &e);
	len = unorm2_normalize(l->nfkc, l->given, len, ret, room / 2, &e);
	int32_t limit = len;
	utrans_transUChars(l->latin, ret, &len, room, 0, &limit, &e);
	return U_SUCCESS(e) ? len : 0;
}

static int32_t latin_of_ascii(struct drg_str s, UChar *ret)
{
	for (size_t i = 0; i < s.n; i++)
		ret[i] = (UChar)(s.p[i] >= 'A' && s.p[i] <= 'Z' ? s.p[i] + ('a' - 'A') : s.p[i]);
	return (int32_t)s.n;
}

/* Does the text have only letters that ICU transliterates word by word? These are U+00C0 to U+027F (Latin)
 * and U+0400 to U+04FF (Cyrillic), which are two bytes each. */
static bool has_words_apart(struct drg_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		if (c < 0x80)
			continue;
		if (!((c >= 0xc3 && c <= 0xc9) || (c >= 0xd0 && c <= 0xd3)) || i + 1 == s.n ||
		    ((unsigned char)s.p[i + 1] & 0xc0) != 0x80)
			return false;
		i++;
	}
	return true;
}

static int32_t latin_of_word(struct drg_latin *l, struct drg_str word, UChar *ret, int32_t room)
{
	if (drg_utf8_is_ascii(word))
		return latin_of_ascii(word, ret);
	struct known_word *known = &l->known[drg_hash(word.p, word.n, 0) % KNOWN_WORDS];
	if (known->n_word == word.n && known->n_latin <= room && memcmp(known->word, word.p, word.n) == 0) {
		memcpy(ret, known->latin, known->n_latin * sizeof *ret);
		return known->n_latin;
	}
	int32_t n = latin_by_icu(l, word, ret, room);
	if (word.n <= sizeof known->word && n <= (int32_t)DRG_ARRAY_LEN(known->latin)) {
		known->n_word = (uint8_t)word.n;
		known->n_latin = (uint8_t)n;
		memcpy(known->word, word.p, word.n);
		memcpy(known->latin, ret, (size_t)n * sizeof *ret);
	}
	return n;
}

int32_t drg_latin_transliterate(struct drg_latin *l, struct drg_str text, UChar *ret)
{
	if (text.n > TEXT_BYTES)
		text.n = TEXT_BYTES;
	if (drg_utf8_is_ascii(text))
		return latin_of_ascii(text, ret);
	if (!has_words_apart(text))
		return latin_by_icu(l, text, ret, DRG_LATIN_ROOM);
	int32_t n = 0;
	for (size_t i = 0; i < text.n && text.n - i <= (size_t)(DRG_LATIN_ROOM - n);) {
		size_t end = i;
		while (end < text.n && text.p[end] != ' ')
			end++;
		n += latin_of_word(l, drg_str(text.p + i, end - i), ret + n, DRG_LATIN_ROOM - n);
		for (; end < text.n && text.p[end] == ' '; end++)
			ret[n++] = ' ';
		i = end;
	}
	return n;
}
