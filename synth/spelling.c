#include "synth/spelling.h"

#include "base/compiler.h"
#include "synth/letters.h"
#include "synth/loanwords.h"

/* Longest first within a letter; uk NULL: as in Russian. */
struct rule {
	const char *latin, *ru, *uk;
};
enum { RULES = 7 };

/* clang-format off */
static const struct rule cyrillic_rules[26][RULES] = {
	{ { "ai", "ай", NULL }, { "ay", "ай", NULL }, { "a", "а", NULL } },
	{ { "b", "б", NULL } },
	{ { "ch", "ч", NULL },
	  { "ck", "к", NULL },
	  { "ce", "це", NULL },
	  { "ci", "ци", "ці" },
	  { "c", "к", NULL } },
	{ { "d", "д", NULL } },
	{ { "ee", "и", "і" }, { "ea", "и", "і" }, { "ey", "ей", NULL }, { "e", "е", NULL } },
	{ { "f", "ф", NULL } },
	{ { "g", "г", NULL } },
	{ { "h", "х", "г" } },
	{ { "ia", "ия", "ія" }, { "i", "и", "і" } },
	{ { "j", "дж", NULL } },
	{ { "kh", "х", NULL }, { "k", "к", NULL } },
	{ { "l", "л", NULL } },
	{ { "m", "м", NULL } },
	{ { "n", "н", NULL } },
	{ { "oo", "у", NULL }, { "ou", "у", NULL }, { "oy", "ой", NULL }, { "o", "о", NULL } },
	{ { "ph", "ф", NULL }, { "p", "п", NULL } },
	{ { "qu", "кв", NULL }, { "q", "к", NULL } },
	{ { "r", "р", NULL } },
	{ { "sch", "ш", NULL }, { "sh", "ш", NULL }, { "s", "с", NULL } },
	{ { "th", "т", NULL }, { "ts", "ц", NULL }, { "t", "т", NULL } },
	{ { "u", "у", NULL } },
	{ { "v", "в", NULL } },
	{ { "w", "в", NULL } },
	{ { "x", "кс", NULL } },
	{ { "ya", "я", NULL },
	  { "ye", "е", "є" },
	  { "yo", "йо", NULL },
	  { "yu", "ю", NULL },
	  { "y", "и", "і" } },
	{ { "zh", "ж", NULL }, { "z", "з", NULL } },
};

static const struct {
	const char *word, *brief;
} abbreviations[] = {
	{ "Apartments", "APTS" }, { "Aparthotel", "APH" }, { "Beach", "BCH" },   { "Garden", "GDN" },
	{ "Gardens", "GDNS" },    { "Grand", "GRD" },      { "Guest", "G." },    { "Holiday", "HOL" },
	{ "Hotel", "HTL" },       { "Island", "ISL" },     { "Otel", "OTL" },    { "Palace", "PAL" },
	{ "Premium", "PREM" },    { "Residence", "RES" },  { "Resort", "RST" },  { "Royal", "RYL" },
	{ "Santa", "S." },        { "Suites", "STES" },    { "Village", "VLG" }, { "Villas", "VLS" },
	{ "готель", "гот." },     { "отель", "от." },
};

static const char *const near_keys[26] = {
	"sqz", "vn", "xv", "sf", "wr", "dg", "fh", "gj", "uo", "hk", "jl", "k",  "n",
	"bm",  "ip", "o",  "wa", "et", "ad", "ry", "yi", "cb", "qe", "zc", "tu", "xs",
};
/* clang-format on */

/* ---- letters ---- */

static char spelling_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static bool is_latin(char c)
{
	return spelling_lower(c) >= 'a' && spelling_lower(c) <= 'z';
}

static bool begins_nocase(struct drg_str s, const char *latin, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (i >= s.n || spelling_lower(s.p[i]) != latin[i])
			return false;
	return true;
}

/** A letter as Latin letters that sound like it, where dropping its mark would not do. @return how many, or
 * 0. */
static size_t sound(uint32_t cp, char ret[static 2])
{
	static const struct {
		uint32_t small;
		char latin[3];
	} table[] = { { 0xe7, "ch" }, { 0x10d, "ch" }, { 0x15f, "sh" }, { 0x161, "sh" }, { 0x17e, "zh" } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(table); i++) {
		bool capital = cp == drg_letter_upper(table[i].small);
		if (!capital && cp != table[i].small)
			continue;
		ret[0] = (char)(table[i].latin[0] - (capital ? 'a' - 'A' : 0));
		ret[1] = table[i].latin[1];
		return 2;
	}
	return drg_letter_plain(cp, ret);
}

/** The rule for what @p s, which begins with a Latin letter, begins with. */
static const struct rule *find_rule(struct drg_str s)
{
	const struct rule *r = cyrillic_rules[spelling_lower(s.p[0]) - 'a'];
	while (!begins_nocase(s, r->latin, strlen(r->latin)))
		r++;
	return r;
}

/** Write the beginning of @p s, one or more Latin letters, in Cyrillic. @return the bytes that this takes. */
static size_t put_cyrillic(bool ukrainian, struct drg_str s, struct drg_buf *out)
{
	const struct rule *r = find_rule(s);
	struct drg_str to = drg_str_c(ukrainian && r->uk != NULL ? r->uk : r->ru);
	uint32_t cp;
	size_t first = drg_letter_next(to, &cp);
	drg_letter_put(out, s.p[0] < 'a' ? drg_letter_upper(cp) : cp);
	drg_buf_add(out, to.p + first, to.n - first);
	return strlen(r->latin);
}

/** A whole word of the table at the beginning of @p s. @return the bytes that this takes, or 0. */
static size_t put_loanword(bool ukrainian, struct drg_str s, struct drg_buf *out)
{
	size_t n = 0;
	while (n < s.n && is_latin(s.p[n]))
		n++;
	if (n == 0 || (n < s.n && (s.p[n] & 0x80) != 0)) /* a letter with a mark goes on with the word */
		return 0;
	struct drg_str found = drg_synth_loanword(drg_str(s.p, n), ukrainian);
	drg_buf_str(out, found);
	return found.n > 0 ? n : 0;
}

void drg_synth_cyrillic(bool ukrainian, struct drg_str text, struct drg_buf *out)
{
	for (bool begins = true; text.n > 0;) {
		size_t word = begins ? put_loanword(ukrainian, text, out) : 0;
		begins = word == 0 && !is_latin(text.p[0]) && (text.p[0] & 0x80) == 0;
		if (word > 0) {
			text = drg_str(text.p + word, text.n - word);
			continue;
		}
		char latin[2];
		uint32_t cp;
		size_t used = drg_letter_next(text, &cp), n = sound(cp, latin);
		if (n > 0 && is_latin(latin[0])) {
			for (size_t i = 0; i < n;)
				i += put_cyrillic(ukrainian, drg_str(latin + i, n - i), out);
		} else if (is_latin(text.p[0])) {
			used = put_cyrillic(ukrainian, text, out);
		} else {
			drg_buf_add(out, text.p, used);
		}
		text = drg_str(text.p + used, text.n - used);
	}
}

static void recase(const struct drg_synth_style *s, struct drg_str text, struct drg_buf *out)
{
	while (text.n > 0) {
		uint32_t cp;
		char plain[2];
		size_t used = drg_letter_next(text, &cp);
		text = drg_str(text.p + used, text.n - used);
		if (s->letters == DRG_CASE_UPPER)
			cp = drg_letter_upper(cp);
		size_t n = s->ascii ? drg_letter_plain(cp, plain) : 0;
		for (size_t i = 0; i < n; i++)
			drg_letter_put(out, s->letters == DRG_CASE_UPPER
			                            ? drg_letter_upper((uint32_t)plain[i])
			                            : (uint32_t)plain[i]);
		if (n == 0)
			drg_letter_put(out, cp);
	}
}

void drg_synth_spell_text(const struct drg_synth_style *s, struct drg_str text, struct drg_buf *out)
{
	if (s->letters == DRG_CASE_AS_IS && !s->ascii)
		drg_buf_str(out, text);
	else
		recase(s, text, out);
}

/* ---- typing errors ---- */

/** Replace @p n bytes at @p at by others. */
static void splice(struct drg_buf *b, size_t at, size_t n, const char *p, size_t n_new)
{
	if (!drg_buf_reserve(b, n_new))
		return;
	memmove(b->p + at + n_new, b->p + at + n, b->n - at - n);
	memcpy(b->p + at, p, n_new);
	b->n = b->n - n + n_new;
}

static void damage(struct drg_rng *r, struct drg_buf *b, size_t at, size_t n, size_t n_next)
{
	char both[8];
	const char *near;
	switch (drg_rng_below(r, 4)) {
	case 0: /* left out */ splice(b, at, n, "", 0); return;
	case 1: /* typed twice */
		memcpy(both, b->p + at, n);
		splice(b, at, 0, both, n);
		return;
	case 2: /* swapped with the next */
		memcpy(both, b->p + at + n, n_next);
		memcpy(both + n_next, b->p + at, n);
		splice(b, at, n + n_next, both, n + n_next);
		return;
	default: /* the key beside it */
		if (!is_latin(b->p[at]))
			return;
		near = near_keys[spelling_lower(b->p[at]) - 'a'];
		char key = near[drg_rng_below(r, (uint32_t)strlen(near))];
		b->p[at] = b->p[at] < 'a' ? (char)(key - ('a' - 'A')) : key;
	}
}

void drg_synth_typo(struct drg_rng *r, struct drg_buf *text, size_t from)
{
	enum { MAX = 48 };
	size_t at[MAX + 1];
	unsigned n = 0;
	for (size_t i = from; i < text->n && n < MAX;) {
		uint32_t cp;
		at[n++] = i;
		i += drg_letter_next(drg_str(text->p + i, text->n - i), &cp);
		at[n] = i;
	}
	if (n < 4)
		return;
	/* Neither the first nor the last: people see those. */
	unsigned i = 1 + drg_rng_below(r, n - 2);
	damage(r, text, at[i], at[i + 1] - at[i], at[i + 2] - at[i + 1]);
}

/* ---- names ---- */

static struct drg_str abbreviated(struct drg_str word)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(abbreviations); i++)
		if (drg_str_eq(word, drg_str_c(abbreviations[i].word)))
			return drg_str_c(abbreviations[i].brief);
	return word;
}

/** Append a text word by word, the first one after a space unless a name begins there, with the supplier's
 * abbreviations and its way to write "&". */
static void spelling_add_words(const struct drg_synth_style *s, bool brief, struct drg_str text,
                               struct drg_buf *out)
{
	struct drg_str word;
	while (drg_str_split(&text, ' ', &word)) {
		if (out->n > 0 && out->p[out->n - 1] != '"')
			drg_buf_char(out, ' ');
		if (word.n == 1 && word.p[0] == '&')
			word = drg_str_c(s->ampersand);
		drg_buf_str(out, brief ? abbreviated(word) : word);
	}
}

/** The words of a name in the supplier's order. */
struct order {
	struct drg_str w[DRG_SYNTH_WORDS], chain;
	unsigned n;
};

static void put_first(struct order *o, unsigned i)
{
	struct drg_str w = o->w[i];
	memmove(&o->w[1], &o->w[0], i * sizeof o->w[0]);
	o->w[0] = w;
}

/** A word as this style has it: the word for the house and the city may be in its language. */
static struct drg_str styled_word(const struct drg_synth_style *s, const struct drg_synth_name *name,
                                  const struct drg_synth_word *w, struct drg_str city)
{
	if (s->local_type && w->role == DRG_ROLE_TYPE)
		return drg_synth_type_word(name->type, s->lang);
	return s->local_type && w->role == DRG_ROLE_CITY && city.n > 0 ? city : w->text;
}

static void arrange(const struct drg_synth_style *s, struct drg_rng *r, const struct drg_synth_name *name,
                    struct drg_str city, struct order *o)
{
	bool drop = name->n > 2 && drg_rng_chance(r, s->drop_type);
	bool chain_last = drg_rng_chance(r, s->by_chain);
	unsigned type_at = DRG_SYNTH_WORDS;
	*o = (struct order){ .n = 0 };
	for (unsigned i = 0; i < name->n; i++) {
		const struct drg_synth_word *w = &name->w[i];
		if (w->role == DRG_ROLE_TYPE && drop)
			continue;
		if (w->role == DRG_ROLE_CHAIN && chain_last) {
			o->chain = w->text;
			continue;
		}
		if (w->role == DRG_ROLE_TYPE)
			type_at = o->n;
		o->w[o->n++] = styled_word(s, name, w, city);
	}
	if (type_at < o->n && drg_rng_chance(r, s->type_first))
		put_first(o, type_at);
	if (o->n > 2 && drg_rng_chance(r, s->swap_words))
		put_first(o, o->n - 2);
}

/** Add the extras behind the name. */
static void add_extras(const struct drg_synth_style *s, struct drg_rng *r, const struct drg_synth_name *name,
                       unsigned stars, struct drg_str city, struct drg_buf *out)
{
	if (drg_rng_chance(r, s->add_city)) {
		drg_buf_char(out, ' ');
		drg_buf_str(out, city);
	}
	if (drg_rng_chance(r, s->add_stars)) {
		char text[] = { ' ', (char)('0' + stars), '*' };
		drg_buf_add(out, text, sizeof text);
	}
	if (drg_rng_chance(r, s->add_was)) {
		drg_buf_lit(out, " (ex. ");
		drg_buf_str(out, drg_str_c(name->was[0]));
		drg_buf_char(out, ' ');
		drg_buf_str(out, drg_str_c(name->was[1]));
		drg_buf_char(out, ')');
	}
}

void drg_synth_spell_name(const struct drg_synth_style *s, struct drg_rng *r,
                          const struct drg_synth_name *name, unsigned stars, struct drg_str city,
                          struct drg_buf *scratch, struct drg_buf *out)
{
	struct order o;
	arrange(s, r, name, city, &o);
	bool brief = drg_rng_chance(r, s->abbreviate), quoted = drg_rng_chance(r, s->quotes);
	drg_buf_clear(scratch);
	if (quoted)
		drg_buf_char(scratch, '"');
	for (unsigned i = 0; i < o.n; i++)
		spelling_add_words(s, brief, o.w[i], scratch);
	if (quoted)
		drg_buf_char(scratch, '"');
	if (o.chain.n > 0) {
		drg_buf_lit(scratch, " by ");
		drg_buf_str(scratch, o.chain);
	}
	add_extras(s, r, name, stars, city, scratch);

	size_t from = out->n;
	if (s->cyrillic) {
		drg_synth_cyrillic(s->lang == DRG_LANG_UK, drg_buf_view(scratch), out);
	} else {
		drg_synth_spell_text(s, drg_buf_view(scratch), out);
	}
	if (drg_rng_chance(r, s->typos))
		drg_synth_typo(r, out, from);
}
