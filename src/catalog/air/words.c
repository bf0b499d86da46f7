#include "catalog/air/words_priv.h"

#include <pthread.h>
#include <stdlib.h>
#include <unicode/utf8.h>

#include "base/hash.h"
#include "text/fold.h"

/* ---- the tables ---------------------------------------------------------------------------------------- */

/* Words of airports that may be left out, by language; words of other alphabets are folded as names are.
 * Words that are part of place names are not here: "port" is in Port Louis, "luka" in Banja Luka, "bay" in
 * Montego Bay. */
static const char *const airport_words[] = {
	/* en */ "airport airports apt arpt arprt aprt airpt ap aerodrome aerodrom terminal",
	/* en */ "international intl intnl internat int",
	/* de */ "flughafen verkehrsflughafen flugplatz internationaler nationaler",
	/* fr */ "aéroport aérodrome international internationale régional",
	/* es */ "aeropuerto aeródromo internacional aeropuertos",
	/* it */ "aeroporto internazionale nazionale aerodromo",
	/* pt */ "aeroporto internacional aeródromo",
	/* nl */ "luchthaven vliegveld internationale",
	/* pl */ "lotnisko lotniczy międzynarodowy międzynarodowe krajowe",
	/* cs, sk */ "letiště letisko mezinárodní medzinárodné",
	/* tr */ "havalimanı havaalanı havalimani uluslararası uluslararasi",
	/* ru */ "аэропорт аэропорта международный международная аэродром аэровокзал",
	/* uk */ "аеропорт аеропорту міжнародний міжнародна летовище аеродром",
	/* be, bg, sr */ "аэрапорт летище аеродром међународни",
	/* hr, sl */ "zračna letališče međunarodna",
	/* ro */ "aeroportul internațional",
	/* hu */ "repülőtér nemzetközi",
	/* sv, da, no */ "flygplats lufthavn internationella",
	/* fi, et */ "lentoasema lentokenttä kansainvälinen lennujaam",
	/* lt, lv */ "uostas lidosta tarptautinis starptautiskā",
	/* el */ "αεροδρόμιο αερολιμένας διεθνές διεθνής κρατικός",
	/* ar */ "مطار المطار الدولي دولي الدولى",
	/* fa */ "فرودگاه بین‌المللی",
	/* he */ "שדה נמל התעופה תעופה הבינלאומי",
	/* id, ms */ "bandara internasional antarabangsa",
	/* ka, hy */ "აეროპორტი საერთაშორისო օդանավակայան",
	/* hi */ "हवाईअड्डा हवाई अड्डा अंतरराष्ट्रीय",
	/* zh, ja, ko: also of drg_air_spread() */
	"国际机场 國際機場 国際空港 国际 國際 国際 机场 機場 空港 飛行場 국제공항 공항 국제",
	/* th: likewise */
	"ท่าอากาศยาน สนามบิน นานาชาติ",
};

/* Words that distinguish airports of the same name, if one place is meant: Plymouth Municipal is not the
 * airport of the other Plymouth. */
static const char *const sort_words[] = {
	"airfield airstrip airpark afb airbase domestic intercontinental regional rgnl reg",
	"municipal muni national natl memorial mem meml civil heliport raf mcas jrb aaf usaf",
};

/* Words of any place. "city" is not among them: London City is one airport of London, not any of them. */
static const char *const filler_words[] = {
	/* en, de, fr, es, it, pt */ "the of de del des du di der",
	/* ru, uk: a city, a region */ "город місто обл область",
	/* ar */ "ال",
};

/* Generic words of scripts without spaces between words, longest first. */
static const char *const glued[] = {
	"ท่าอากาศยาน", "สนามบิน", "นานาชาติ", "机场", "機場", "空港",
	"飛行場",     "国际",   "國際",    "国際", "공항", "국제",
};

/* Suffixes of names of cities and provinces, longest first. `inside`: more may follow, as in 广东省广州市. */
static const struct {
	const char *text;
	bool inside;
} suffixes[] = {
	{ "特别行政区", false }, { "特別行政區", false }, { "특별자치시", false }, { "특별자치도", false },
	{ "自治区", true },      { "自治區", true },      { "自治州", true },      { "自治县", true },
	{ "特別市", true },      { "广域市", true },      { "廣域市", true },      { "特别市", true },
	{ "특별시", false },     { "광역시", false },     { "地区", true },        { "地區", true },
	{ "城", false },         { "郡", false },         { "市", true },          { "省", true },
	{ "县", true },          { "縣", true },          { "県", true },          { "府", false },
	{ "区", false },         { "區", false },         { "시", false },         { "군", false },
};

/* The ways to write one word, the most frequent first. */
static const char *const same[] = {
	"saint st ste sainte sankt sint",
	"mount mt",
	"fort ft",
	"santa sta",
	"santo sto",
	"general gen gral",
	"doctor dr",
	"president pres presidente",
};

enum { SAME_MAX = 10 };

/* ---- folded once --------------------------------------------------------------------------------------- */

struct word {
	struct drg_str text;
	enum drg_air_generic what;
};

enum { WORD_SLOTS = 2048 };
static struct word slots[WORD_SLOTS]; /* by hash, probed in line */
static struct drg_buf folded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static size_t slot_of(struct drg_str word)
{
	size_t at = drg_hash(word.p, word.n, 0) % WORD_SLOTS;
	while (slots[at].text.n > 0 && !drg_str_eq(slots[at].text, word))
		at = (at + 1) % WORD_SLOTS;
	return at;
}

static void words_fold(const char *const *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct drg_str rest = drg_str_c(rows[i]), word;
		while (rest.n > 0 && drg_str_split(&rest, ' ', &word)) {
			drg_fold(word, DRG_FOLD_PLAIN, &folded);
			drg_buf_char(&folded, '\n');
			drg_fold(word, DRG_FOLD_UKRAINIAN, &folded);
			drg_buf_char(&folded, '\n');
		}
	}
}

static void words_keep(struct drg_str lines, enum drg_air_generic what)
{
	struct drg_str line, word;
	while (lines.n > 0 && drg_str_split(&lines, '\n', &line))
		while (line.n > 0 && drg_str_split(&line, ' ', &word))
			slots[slot_of(word)] = (struct word){ word, what };
}

static void words_make(void)
{
	drg_buf_init(&folded, (size_t)1 << 16);
	words_fold(filler_words, DRG_ARRAY_LEN(filler_words));
	size_t fillers = folded.n;
	words_fold(airport_words, DRG_ARRAY_LEN(airport_words));
	size_t airports = folded.n;
	words_fold(sort_words, DRG_ARRAY_LEN(sort_words));
	if (folded.rc != DRG_OK)
		return;
	words_keep(drg_str(folded.p, fillers), DRG_AIR_WORD_FILLER);
	words_keep(drg_str(folded.p + fillers, airports - fillers), DRG_AIR_WORD_AIRPORT);
	words_keep(drg_str(folded.p + airports, folded.n - airports), DRG_AIR_WORD_SORT);
}

bool drg_air_words_open(void)
{
	pthread_once(&once, words_make);
	return folded.rc == DRG_OK;
}

/* ---- what is asked of them ----------------------------------------------------------------------------- */

enum drg_air_generic drg_air_generic(struct drg_str word)
{
	return slots[slot_of(word)].what;
}

void drg_air_core(struct drg_str text, struct drg_buf *out)
{
	size_t start = out->n;
	struct drg_str word;
	while (text.n > 0 && drg_str_split(&text, ' ', &word)) {
		if (drg_air_generic(word) != DRG_AIR_WORD_OWN)
			continue;
		if (out->n > start)
			drg_buf_char(out, ' ');
		drg_buf_str(out, word);
	}
}

static size_t glued_at(struct drg_str text)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(glued); i++) {
		size_t n = strlen(glued[i]);
		if (n <= text.n && memcmp(text.p, glued[i], n) == 0)
			return n;
	}
	return 0;
}

/* The length of the Arabic article at the beginning of a word; it is written as a part of the word. */
static size_t article_at(struct drg_str text, size_t at)
{
	static const char al[] = "ال";
	enum { LEAD = 0xd8, LEAD_LAST = 0xdb }; /* lead bytes of Arabic letters in UTF-8 */
	size_t n = sizeof al - 1;
	bool begins = at == 0 || ((uint8_t)text.p[at - 1] & 0x80) == 0;
	return begins && text.n - at > n && memcmp(text.p + at, al, n) == 0 &&
	                       (uint8_t)text.p[at + n] >= LEAD && (uint8_t)text.p[at + n] <= LEAD_LAST
	               ? n
	               : 0;
}

void drg_air_spread(struct drg_str text, struct drg_buf *out)
{
	for (size_t i = 0; i < text.n;) {
		uint8_t lead = (uint8_t)text.p[i];
		size_t n = lead >= 0xe0   ? glued_at(drg_str(text.p + i, text.n - i))
		           : lead == 0xd8 ? article_at(text, i)
		                          : 0;
		if (n > 0)
			drg_buf_char(out, ' ');
		drg_buf_add(out, text.p + i, n > 0 ? n : 1);
		if (n > 0)
			drg_buf_char(out, ' ');
		i += n > 0 ? n : 1;
	}
}

/* The length of the suffix at a place, behind a name of at least two letters. */
static size_t suffix_at(struct drg_str text, size_t at, size_t name)
{
	enum { LETTERS = 2 * 3 }; /* in UTF-8 */
	for (size_t i = 0; i < DRG_ARRAY_LEN(suffixes) && at - name >= LETTERS; i++) {
		if (suffixes[i].text[0] != text.p[at])
			continue;
		size_t n = strlen(suffixes[i].text);
		bool ends = at + n == text.n || ((uint8_t)text.p[at + n] & 0x80) == 0;
		if (n <= text.n - at && (ends || suffixes[i].inside) &&
		    memcmp(text.p + at, suffixes[i].text, n) == 0)
			return n;
	}
	return 0;
}

/* Find the next suffix from @p *at on. @param name  Where the name begins that it belongs to. @return its
 * length; 0: none. */
static size_t next_suffix(struct drg_str text, size_t *at, size_t name)
{
	for (; *at < text.n; ++*at) {
		uint8_t lead = (uint8_t)text.p[*at];
		size_t n = lead >= 0xe4 ? suffix_at(text, *at, name) : 0;
		if (n > 0)
			return n;
		if (lead < 0x80)
			name = *at + 1;
	}
	return 0;
}

bool drg_air_has_suffix(struct drg_str text)
{
	size_t at = 0;
	return next_suffix(text, &at, 0) > 0;
}

void drg_air_bare(struct drg_str text, struct drg_buf *out)
{
	for (size_t at = 0, n; text.n > 0; text = drg_str(text.p + at + n, text.n - at - n), at = 0) {
		n = next_suffix(text, &at, 0);
		drg_buf_add(out, text.p, at);
		if (n > 0)
			drg_buf_char(out, ' ');
	}
}

static bool has_word(struct drg_str list, struct drg_str word)
{
	struct drg_str one;
	while (list.n > 0 && drg_str_split(&list, ' ', &one))
		if (drg_str_eq(one, word))
			return true;
	return false;
}

struct drg_str drg_air_same(struct drg_str word)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(same) && word.n >= 2 && word.n <= SAME_MAX; i++)
		if (has_word(drg_str_c(same[i]), word))
			return drg_str_c(same[i]);
	return drg_str("", 0);
}

static uint64_t key_of_words(struct drg_str text, bool generic)
{
	uint64_t key = 0;
	struct drg_str word, first;
	while (text.n > 0 && drg_str_split(&text, ' ', &word)) {
		enum drg_air_generic what = drg_air_generic(word);
		if (!generic && (what == DRG_AIR_WORD_FILLER || what == DRG_AIR_WORD_AIRPORT))
			continue;
		struct drg_str ways = drg_air_same(word);
		if (ways.n > 0 && drg_str_split(&ways, ' ', &first))
			word = first;
		key += drg_hash(word.p, word.n, 0) | 1;
	}
	return key;
}

uint64_t drg_air_key(struct drg_str text)
{
	uint64_t key = key_of_words(text, false);
	return key != 0 ? key : key_of_words(text, true);
}

unsigned drg_air_script(struct drg_str text)
{
	const uint8_t *p = (const uint8_t *)text.p;
	for (size_t i = 0; i < text.n;) {
		UChar32 c;
		U8_NEXT(p, i, text.n, c);
		if (c < 0xc0 || (c >= 0x2000 && c < 0x2070)) /* ASCII, punctuation */
			continue;
		if (c < 0x370 || (c >= 0x1e00 && c < 0x1f00))
			return DRG_AIR_LATIN;
		if (c >= 0x400 && c < 0x530)
			return DRG_AIR_CYRILLIC;
		if (c >= 0x3400 && c < 0xa000)
			return DRG_AIR_HAN;
		return c >= 0x3040 && c < 0x3100 ? DRG_AIR_KANA : DRG_AIR_OTHER;
	}
	return DRG_AIR_LATIN;
}
