/* fold_tables: the tables of src/text/fold.c as C, made of ICU's rules. They take a fifth of a second, so
 * they are made with the program and not by it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>
#include <unicode/utrans.h>

#include "text/fold.h"
#include "text/fold_priv.h"

/* Each step takes the letters that those before it left. */
static const char steps[] =
        "Russian-Latin/BGN; Ukrainian-Latin/BGN; Greek-Latin/UNGEGN; Any-Latin; Latin-ASCII; "
        "NFD; [:Mn:] Remove; Lower";
static UTransliterator *latin;
static UErrorCode failure;

/* ---- letters ---- */

static bool is_apostrophe(UChar32 c)
{
	static const UChar32 all[] = { '\'',  '`',   0xb4,   0x2b9,  0x2ba,  0x2bb,
		                       0x2bc, 0x2bd, 0x2018, 0x2019, 0x201b, 0x2032 };
	for (size_t i = 0; i < DRG_ARRAY_LEN(all); i++)
		if (c == all[i])
			return true;
	return false;
}

/* A mark on a letter, of any script; the vowel signs of Indic scripts are no such marks. */
static bool is_mark(UChar32 c)
{
	UErrorCode e = U_ZERO_ERROR;
	UScriptCode script = uscript_getScript(c, &e);
	return (U_GET_GC_MASK(c) & (U_GC_MN_MASK | U_GC_ME_MASK | U_GC_CF_MASK)) != 0 &&
	       (script == USCRIPT_INHERITED || script == USCRIPT_COMMON || script == USCRIPT_ARABIC ||
	        script == USCRIPT_HEBREW || script == USCRIPT_CYRILLIC || script == USCRIPT_LATIN);
}

/* Letters of Arabic that ICU writes as few people do: 0 for the others. */
static char as_written(UChar32 c)
{
	static const struct {
		UChar32 c;
		char latin;
	} all[] = {
		{ 0x629, 'h' }, /* a teh marbuta, which many write as a heh; ICU's t is not spoken in names */
		{ 0x67e, 'b' }, /* p and v, for which most keyboards have b and f */
		{ 0x6a4, 'f' },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(all); i++)
		if (c == all[i].c)
			return all[i].latin;
	return 0;
}

/* The small tsu doubles the consonant behind it. By itself ICU writes "tsu" for it. */
static bool is_doubling(UChar32 c)
{
	return c == 0x3063 || c == 0x30c3 || c == 0xff6f;
}

/* Letters of Persian, Urdu and their neighbours that ICU's Arabic-Latin leaves as they are. */
static char of_arabic(UChar32 c)
{
	static const struct {
		UChar32 c;
		char latin;
	} all[] = {
		{ 0x671, 'a' }, { 0x679, 't' }, { 0x681, 'z' }, { 0x685, 's' }, { 0x688, 'd' },
		{ 0x691, 'r' }, { 0x693, 'r' }, { 0x6ad, 'g' }, { 0x6ba, 'n' }, { 0x6be, 'h' },
		{ 0x6c0, 'h' }, { 0x6c1, 'h' }, { 0x6c2, 'h' }, { 0x6c3, 'h' }, { 0x6c6, 'w' },
		{ 0x6c7, 'w' }, { 0x6d2, 'y' }, { 0x6d3, 'y' }, { 0x6d5, 'h' },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(all); i++)
		if (all[i].c == c)
			return all[i].latin;
	return 0;
}

static bool is_cyrillic(UChar32 c)
{
	UErrorCode e = U_ZERO_ERROR;
	return uscript_getScript(c, &e) == USCRIPT_CYRILLIC;
}

/* BGN writes a vowel in another way at the beginning of a word. Here it is written as after a consonant
 * everywhere, so that a letter is one thing; the consonant is cut off again. */
static void transliterate(UChar32 c, struct drg_fold_cell *cell)
{
	static const UChar32 consonant = 0x431; /* b */
	UChar text[64];
	int32_t skip = is_cyrillic(c), n = 0;
	UErrorCode e = U_ZERO_ERROR;
	if (skip != 0)
		text[n++] = (UChar)consonant;
	text[n++] = (UChar)c;
	int32_t limit = n;
	utrans_transUChars(latin, text, &n, (int32_t)DRG_ARRAY_LEN(text), 0, &limit, &e);
	cell->n = 0;
	bool foreign = U_FAILURE(e) != 0;
	for (int32_t i = skip; i < n && U_SUCCESS(e); i++) {
		UChar u = text[i];
		if ((u >= 'a' && u <= 'z') || (u >= '0' && u <= '9')) {
			if (cell->n < DRG_FOLD_TEXT)
				cell->text[cell->n++] = (char)u;
		} else if (u >= 0x80 && u_isalpha(u) && !is_apostrophe(u)) {
			foreign = true;
		}
	}
	if (cell->n > 0 || !foreign || u_charType(c) == U_MODIFIER_LETTER)
		return;
	char letter = of_arabic(c);
	*cell = letter != 0 ? (struct drg_fold_cell){ .n = 1, .text = { letter } }
	                    : (struct drg_fold_cell){ .n = DRG_FOLD_ITSELF };
}

static void make_cell(UChar32 c, struct drg_fold_cell *cell)
{
	int32_t digit = u_charDigitValue(c);
	if (digit >= 0 && digit <= 9)
		*cell = (struct drg_fold_cell){ .n = 1, .text = { (char)('0' + digit) } };
	else if (is_apostrophe(c) || is_mark(c) || is_doubling(c))
		cell->n = 0;
	else if (as_written(c) != 0)
		*cell = (struct drg_fold_cell){ .n = 1, .text = { as_written(c) } };
	else if ((c >= 0xd800 && c < 0xe000) || (U_GET_GC_MASK(c) & (U_GC_L_MASK | U_GC_M_MASK)) == 0)
		cell->n = DRG_FOLD_SPACE;
	else
		transliterate(c, cell);
}

static bool open_latin(void)
{
	UChar id[sizeof steps];
	UParseError where;
	u_uastrcpy(id, steps);
	latin = utrans_openU(id, -1, UTRANS_FORWARD, NULL, 0, &where, &failure);
	return U_SUCCESS(failure);
}

/* Of everything that is printed, by FNV-1a. */
static uint64_t stamp = UINT64_C(0xcbf29ce484222325);

static void stamp_add(const void *p, size_t n)
{
	for (const unsigned char *at = p; n > 0; n--)
		stamp = (stamp ^ *at++) * UINT64_C(0x100000001b3);
}

static void print_cell(const struct drg_fold_cell *cell)
{
	printf("{%u,{%u", cell->n, (unsigned char)cell->text[0]);
	for (unsigned i = 1; i < cell->n && i < DRG_FOLD_TEXT; i++)
		printf(",%u", (unsigned char)cell->text[i]);
	printf("}},");
}

/* Pages that are the same, such as those of Hangul that no name has, are there once. */
static void print_pages(void)
{
	static struct drg_fold_cell made[DRG_FOLD_PAGES][DRG_FOLD_PAGE_CELLS];
	unsigned of[DRG_FOLD_PAGES], n = 0;
	printf("const struct drg_fold_cell drg_fold_cells[][DRG_FOLD_PAGE_CELLS] = {\n");
	for (unsigned p = 0; p < DRG_FOLD_PAGES; p++) {
		memset(made[n], 0, sizeof made[n]);
		for (unsigned i = 0; i < DRG_FOLD_PAGE_CELLS; i++)
			make_cell((UChar32)(p * DRG_FOLD_PAGE_CELLS + i), &made[n][i]);
		stamp_add(made[n], sizeof made[n]);
		for (of[p] = 0; memcmp(made[of[p]], made[n], sizeof made[n]) != 0;)
			of[p]++;
		if (of[p] < n)
			continue;
		printf("{");
		for (unsigned i = 0; i < DRG_FOLD_PAGE_CELLS; i++)
			print_cell(&made[n][i]);
		printf("},\n");
		n++;
	}
	printf("};\nconst uint8_t drg_fold_pages[DRG_FOLD_PAGES] = {");
	for (unsigned p = 0; p < DRG_FOLD_PAGES; p++)
		printf("%u,", of[p]);
	printf("};\n");
}

/* ---- letters with marks ---- */

static int compare_pairs(const void *pa, const void *pb)
{
	const struct drg_fold_pair *a = pa, *b = pb;
	return a->letter != b->letter ? (a->letter < b->letter ? -1 : 1)
	                              : (a->mark > b->mark) - (a->mark < b->mark);
}

static void print_pairs(void)
{
	static struct drg_fold_pair pairs[4096];
	const UNormalizer2 *nfc = unorm2_getNFCInstance(&failure);
	size_t n = 0;
	for (UChar32 c = 0x80; c < 0x10000 && U_SUCCESS(failure) && n < 4096; c++) {
		UErrorCode e = U_ZERO_ERROR;
		UChar parts[8];
		if (unorm2_getRawDecomposition(nfc, c, parts, 8, &e) != 2 || U_FAILURE(e) ||
		    parts[1] < 0x300 || parts[1] >= 0x380 || unorm2_composePair(nfc, parts[0], parts[1]) != c)
			continue;
		pairs[n++] = (struct drg_fold_pair){ parts[0], parts[1], (uint16_t)c };
	}
	qsort(pairs, n, sizeof pairs[0], compare_pairs);
	stamp_add(pairs, n * sizeof pairs[0]);
	printf("const struct drg_fold_pair drg_fold_pairs[] = {");
	for (size_t i = 0; i < n; i++)
		printf("{%u,%u,%u},", pairs[i].letter, pairs[i].mark, pairs[i].both);
	printf("};\nconst size_t drg_fold_n_pairs = %zu;\n", n);
}

int main(void)
{
	printf("/* Made by tools/fold_tables.c. */\n#include \"text/fold.h\"\n#include "
	       "\"text/fold_priv.h\"\n");
	if (open_latin()) {
		print_pages();
		print_pairs();
		printf("const uint64_t drg_fold_stamp = UINT64_C(%" PRIu64 ");\n", stamp);
	}
	utrans_close(latin);
	if (U_FAILURE(failure))
		fprintf(stderr, "ICU cannot transliterate: %s\n", u_errorName(failure));
	return U_SUCCESS(failure) && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
