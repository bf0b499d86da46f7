#include "text/fold.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>
#include <unicode/utf8.h>
#include <unicode/utrans.h>

/* What a letter folds to. */
enum { CELL_TEXT = 7, CELL_SPACE = 0xfe, CELL_ITSELF = 0xff };
struct cell {
	uint8_t n; /* bytes of text, or CELL_SPACE: between words, or CELL_ITSELF */
	char text[CELL_TEXT];
};

/* One page for each 256 letters of the basic plane, made from ICU when one of them is first met: transliterating a
 * query as a whole would cost a hundred times as much, and lock. */
enum { PAGE_CELLS = 256, PAGES = 0x10000 / PAGE_CELLS };
struct page {
	struct cell cell[PAGE_CELLS];
};
static _Atomic(struct page *) pages[PAGES];
static const struct page blank; /* where memory ran out: nothing of it can be found */

/* Each step takes the letters that those before it left. */
static const char steps[] =
        "Russian-Latin/BGN; Ukrainian-Latin/BGN; Greek-Latin/UNGEGN; Any-Latin; Latin-ASCII; "
        "NFD; [:Mn:] Remove; Lower";
static UTransliterator *latin; /* used under the lock only */
static const UNormalizer2 *nfc;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT, once_latin = PTHREAD_ONCE_INIT;
static UErrorCode opened;
static atomic_bool ready;

/* ---- tables from ICU ------------------------------------------------------------------------------------ */

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

/* BGN writes a vowel in another way at the beginning of a word. Here it is written as after a consonant everywhere,
 * so that a letter is one thing; the consonant is cut off again. */
static void transliterate(UChar32 c, struct cell *cell)
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
			if (cell->n < CELL_TEXT)
				cell->text[cell->n++] = (char)u;
		} else if (u >= 0x80 && u_isalpha(u) && !is_apostrophe(u)) {
			foreign = true;
		}
	}
	if (cell->n > 0 || !foreign || u_charType(c) == U_MODIFIER_LETTER)
		return;
	char letter = of_arabic(c);
	*cell = letter != 0 ? (struct cell){ .n = 1, .text = { letter } } : (struct cell){ .n = CELL_ITSELF };
}

static void make_cell(UChar32 c, struct cell *cell)
{
	int32_t digit = u_charDigitValue(c);
	if (digit >= 0 && digit <= 9)
		*cell = (struct cell){ .n = 1, .text = { (char)('0' + digit) } };
	else if (is_apostrophe(c) || is_mark(c) || is_doubling(c))
		cell->n = 0;
	else if (as_written(c) != 0)
		*cell = (struct cell){ .n = 1, .text = { as_written(c) } };
	else if ((c >= 0xd800 && c < 0xe000) || (U_GET_GC_MASK(c) & (U_GC_L_MASK | U_GC_M_MASK)) == 0)
		cell->n = CELL_SPACE;
	else
		transliterate(c, cell);
}

/* Takes a twentieth of a second: who has pages from elsewhere may never need it. */
static void open_latin(void)
{
	UChar id[sizeof steps];
	UParseError where;
	u_uastrcpy(id, steps);
	latin = utrans_openU(id, -1, UTRANS_FORWARD, NULL, 0, &where, &opened);
}

static const struct page *make_page(unsigned number)
{
	pthread_once(&once_latin, open_latin);
	if (latin == NULL)
		return &blank;
	pthread_mutex_lock(&lock);
	struct page *page = atomic_load_explicit(&pages[number], memory_order_acquire);
	if (page == NULL)
		page = calloc(1, sizeof *page);
	else
		number = PAGES; /* another thread was faster */
	for (unsigned i = 0; page != NULL && number < PAGES && i < PAGE_CELLS; i++)
		make_cell((UChar32)(number * PAGE_CELLS + i), &page->cell[i]);
	if (page != NULL && number < PAGES)
		atomic_store_explicit(&pages[number], page, memory_order_release);
	pthread_mutex_unlock(&lock);
	return page != NULL ? page : &blank;
}

static inline const struct page *fold_page_of(UChar32 c)
{
	unsigned number = (unsigned)c / PAGE_CELLS;
	const struct page *page = atomic_load_explicit(&pages[number], memory_order_acquire);
	return DRG_LIKELY(page != NULL) ? page : make_page(number);
}

/* ICU reads the rules of a script when it is first met, those of Han for a tenth of a second: now is better than in
 * the middle of a request. */
static void open_tables(void)
{
	static const UChar32 met[] = { 0x4e00, 0x3042, 0x30a2, 0xac00, 0x3b1,
		                       0x627,  0x5d0,  0xe01,  0x905,  0x10d0 };
	pthread_once(&once_latin, open_latin);
	nfc = unorm2_getNFCInstance(&opened);
	if (U_FAILURE(opened))
		return;
	for (size_t i = 0; i < DRG_ARRAY_LEN(met); i++)
		transliterate(met[i], &(struct cell){ 0 });
	for (UChar32 c = 0; c < 0x600; c += PAGE_CELLS) /* Latin, Greek, Cyrillic, Armenian, Hebrew */
		fold_page_of(c);
	atomic_store_explicit(&ready, true, memory_order_release);
}

int drg_fold_open(struct drg_err *reterr)
{
	pthread_once(&once, open_tables);
	if (U_FAILURE(opened))
		return drg_fail(reterr, DRG_EINTERNAL, NULL, NULL, "ICU cannot transliterate: %s",
		                u_errorName(opened));
	return DRG_OK;
}

/* ---- tables from elsewhere ------------------------------------------------------------------------------ */

/* To be raised with every change of this file that folds a letter in another way. */
enum { FOLD_RULES = 1 };

/* A page as it is kept; `number` PAGES: of what ICU and rules they are. */
struct kept_page {
	uint32_t number, icu, rules, unicode;
	struct page page;
};

static struct kept_page kept_head(void)
{
	UVersionInfo icu, unicode;
	struct kept_page k = { .number = PAGES, .rules = FOLD_RULES };
	u_getVersion(icu);
	u_getUnicodeVersion(unicode);
	memcpy(&k.icu, icu, sizeof k.icu);
	memcpy(&k.unicode, unicode, sizeof k.unicode);
	return k;
}

void drg_fold_keep(struct drg_buf *out)
{
	struct kept_page k = kept_head();
	drg_buf_add(out, &k, sizeof k);
	for (uint32_t i = 0; i < PAGES; i++) {
		const struct page *page = atomic_load_explicit(&pages[i], memory_order_acquire);
		if (page == NULL)
			continue;
		k.number = i;
		k.page = *page;
		drg_buf_add(out, &k, sizeof k);
	}
}

static int take_page(const struct kept_page *k)
{
	struct page *page = NULL;
	if (k->number >= PAGES || atomic_load(&pages[k->number]) != NULL)
		return k->number < PAGES ? DRG_OK : DRG_EINVAL;
	for (unsigned i = 0; i < PAGE_CELLS; i++)
		if (k->page.cell[i].n > CELL_TEXT && k->page.cell[i].n < CELL_SPACE)
			return DRG_EINVAL;
	page = malloc(sizeof *page);
	if (page == NULL)
		return DRG_ENOMEM;
	*page = k->page;
	struct page *none = NULL;
	if (!atomic_compare_exchange_strong(&pages[k->number], &none, page))
		free(page);
	return DRG_OK;
}

int drg_fold_open_kept(struct drg_str kept)
{
	const struct kept_page head = kept_head();
	struct kept_page k;
	UErrorCode e = U_ZERO_ERROR;
	if (kept.n < sizeof k || kept.n % sizeof k != 0 || memcmp(kept.p, &head, sizeof head) != 0)
		return DRG_EINVAL;
	nfc = unorm2_getNFCInstance(&e);
	int rc = U_SUCCESS(e) ? DRG_OK : DRG_EINTERNAL;
	for (size_t at = sizeof k; at < kept.n && rc == DRG_OK; at += sizeof k) {
		memcpy(&k, kept.p + at, sizeof k);
		rc = take_page(&k);
	}
	return rc;
}

/* ---- folding -------------------------------------------------------------------------------------------- */

/* Japanese writes a foreign v with the letters of b, or with a sign of its own and a small vowel: they are one. */
enum { KANA_VU = 0x30f4, HIRAGANA_VU = 0x3094 };
static bool is_small_vowel(UChar32 c)
{
	return (c >= 0x30a1 && c <= 0x30a9 && c % 2 == 1) || (c >= 0x3041 && c <= 0x3049 && c % 2 == 1);
}

static const char *fold_vu(struct drg_str rest)
{
	UChar32 next = 0;
	size_t i = 0;
	if (rest.n > 0)
		U8_NEXT((const uint8_t *)rest.p, i, rest.n, next);
	return is_small_vowel(next) ? "b" : "bu";
}

/* The letters of which a way has its own opinion; the first text is of the beginning of a word. */
struct exception {
	UChar32 c;
	const char *first, *later;
};
/* Ukraine's table of 2010. */
static const struct exception ukrainian[] = {
	{ 0x433, "h", "h" },   { 0x438, "y", "y" },   { 0x439, "y", "i" },  { 0x44e, "yu", "iu" },
	{ 0x44f, "ya", "ia" }, { 0x454, "ye", "ie" }, { 0x457, "yi", "i" },
};
static const struct exception digraphs[] = {
	{ 0xe4, "ae", "ae" }, { 0xe5, "aa", "aa" }, { 0xf6, "oe", "oe" },
	{ 0xf8, "oe", "oe" }, { 0xfc, "ue", "ue" },
};
static const struct {
	const struct exception *v;
	size_t n;
} ways[DRG_FOLD_WAYS] = {
	[DRG_FOLD_UKRAINIAN] = { ukrainian, DRG_ARRAY_LEN(ukrainian) },
	[DRG_FOLD_DIGRAPHS] = { digraphs, DRG_ARRAY_LEN(digraphs) },
};

static const char *except(enum drg_fold_way way, UChar32 c, bool first)
{
	c = u_tolower(c);
	for (size_t i = 0; i < ways[way].n; i++)
		if (ways[way].v[i].c == c)
			return first ? ways[way].v[i].first : ways[way].v[i].later;
	return NULL;
}

/* Takes a letter together with the marks that belong to it: a mark can make it another letter. */
static UChar32 next_letter(struct drg_str s, size_t *at)
{
	const uint8_t *p = (const uint8_t *)s.p;
	UChar32 c, mark;
	U8_NEXT(p, *at, s.n, c);
	for (size_t i = *at; i < s.n && p[i] >= 0xcc && p[i] <= 0xcd; *at = i) { /* U+0300..U+037F */
		U8_NEXT(p, i, s.n, mark);
		UChar32 both = mark > 0 && c > 0 ? unorm2_composePair(nfc, c, mark) : U_SENTINEL;
		if (both < 0)
			break;
		c = both;
	}
	return c;
}

static void fold_put(struct drg_buf *out, const char *p, size_t n, bool space)
{
	if (space)
		drg_buf_char(out, ' ');
	drg_buf_add(out, p, n);
}

void drg_fold(struct drg_str s, enum drg_fold_way way, struct drg_buf *out)
{
	assert(nfc != NULL);
	size_t start = out->n;
	bool space = false;
	for (size_t i = 0; i < s.n;) {
		size_t at = i;
		UChar32 c = next_letter(s, &i);
		struct cell cell = { .n = CELL_SPACE };
		if (c >= 0 && c < 0x10000)
			cell = fold_page_of(c)->cell[c % PAGE_CELLS];
		else if (c > 0 && u_isalpha(c))
			cell.n = CELL_ITSELF;
		if (cell.n == CELL_SPACE) {
			space = out->n > start;
			continue;
		}
		const char *other = way != DRG_FOLD_PLAIN ? except(way, c, space || out->n == start) : NULL;
		if (c == KANA_VU || c == HIRAGANA_VU)
			other = fold_vu(drg_str(s.p + i, s.n - i));
		if (other != NULL)
			fold_put(out, other, strlen(other), space);
		else if (cell.n == CELL_ITSELF)
			fold_put(out, s.p + at, i - at, space);
		else if (cell.n > 0)
			fold_put(out, cell.text, cell.n, space);
		else
			continue;
		space = false;
	}
}

unsigned drg_fold_meet(struct drg_str s)
{
	unsigned made = 0;
	if (!atomic_load_explicit(&ready, memory_order_acquire))
		return 0;
	for (size_t i = 0; i < s.n;) {
		UChar32 c = next_letter(s, &i);
		if (c < 0 || c >= 0x10000 || atomic_load(&pages[(unsigned)c / PAGE_CELLS]) != NULL)
			continue;
		make_page((unsigned)c / PAGE_CELLS);
		made++;
	}
	return made;
}
