#include "match/variants.h"

/* In small letters: they are compared with the text in small ASCII letters. A leading blank stands for the
 * beginning of a word. */
#define FORMER_BEGIN " "
static const char *const former[] = { " (ex.",       " (ex ",      " (ex-",     " ex. ",  " ex ",
	                              " (formerly ", " formerly ", " (former ", " (экс.", " (экс",
	                              " (бывш.",     " (бывш",     " (екс.",    " (екс",  " (колишн" };
#define GROUPS_BEGIN " ,"
static const char *const groups[] = { " by ", ", part of ", " part of ", ", member of ", " member of ",
	                              ", a ", ", an ",      " - a ",     " – a ",        " (by " };
/* Groups and alliances whose names stand behind names of hotels: collections, portfolios and "hotels of the
 * world" of the npm package name-suggestion-index (brands/tourism/hotel), and alliances of independent
 * hotels. */
#define ALLIANCES_BEGIN " "
static const char *const alliances[] = { " ascend hotel collection",
	                                 " ascend collection",
	                                 " autograph collection",
	                                 " bw premier collection",
	                                 " bw signature collection",
	                                 " sure hotel collection",
	                                 " surestay collection",
	                                 " curio collection",
	                                 " tapestry collection",
	                                 " the luxury collection",
	                                 " a luxury collection",
	                                 " luxury collection hotel",
	                                 " trademark collection",
	                                 " tribute portfolio",
	                                 " the unbound collection",
	                                 " unbound collection",
	                                 " registry collection",
	                                 " vignette collection",
	                                 " handwritten collection",
	                                 " emblems collection",
	                                 " the originals",
	                                 " mgallery",
	                                 " joie de vivre",
	                                 " jdv by hyatt",
	                                 " destination by hyatt",
	                                 " lxr hotels",
	                                 " design hotels",
	                                 " worldhotels",
	                                 " relais & ch",
	                                 " relais and ch",
	                                 " the leading hotels",
	                                 " leading hotels of the world",
	                                 " lhw",
	                                 " small luxury hotels",
	                                 " slh hotel",
	                                 " an slh hotel",
	                                 " preferred hotels",
	                                 " a preferred hotel",
	                                 " great hotels of the world",
	                                 " historic hotels of",
	                                 " radisson individuals",
	                                 " summit hotels",
	                                 " romantik hotel" };
#define REMARKS_BEGIN "aou"
static const char *const remarks[] = { "adults only", "adult only", "only adults", "ultra all inclusive",
	                               "all inclusive" };

/* Alliances that stand before a house's own name. They are cut off only before "hotel", because "Best Western
 * Cassis" has no other name. */
static const char *const leading[] = {
	"best western plus ",       "best western premier ", "best western ",  "logis ",
	"the originals boutique, ", "the originals city, ",  "contact hotel ", "the originals relais, "
};
static const char *const hotels[] = { "hotel ", "hôtel " };
/* Facilities that booking sites write behind the name. A part is cut off if it consists of such words, and
 * has at least one of the first list. */
static const char *const facilities[] = { "parking", "garage",  "piscine", "pool", "wifi",
	                                  "wi-fi",   "jacuzzi", "sauna",   "vue",  "view" };
static const char *const of_facilities[] = { "avec",        "with",     "et",       "and",    "&",
	                                     "inclus",      "included", "gratuit",  "free",   "privé",
	                                     "private",     "sécurisé", "chauffée", "heated", "bornes",
	                                     "électriques", "mer",      "sea",      "hotel",  "hôtel",
	                                     "incluse",     "gratuite" };

static char small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static bool variant_begins(struct drg_str s, size_t at, const char *word)
{
	for (; *word != '\0'; word++, at++)
		if (at >= s.n || small(s.p[at]) != *word)
			return false;
	return true;
}

static bool begins_one(char c, const char *begin)
{
	for (c = small(c); *begin != '\0'; begin++)
		if (c == *begin)
			return true;
	return false;
}

/* Find the first of @p words behind the first two letters. @param begin  The letters with which the words
 * begin. @return its place; s.n: none. */
static size_t find_first(struct drg_str s, const char *begin, const char *const *words, size_t n,
                         size_t *ret_len)
{
	for (size_t at = 2; at < s.n; at++) {
		if (!begins_one(s.p[at], begin))
			continue;
		for (size_t i = 0; i < n; i++)
			if (variant_begins(s, at, words[i])) {
				*ret_len = strlen(words[i]);
				return at;
			}
	}
	return s.n;
}

/* The length of stars at @p at: "5*", "5 *", "****"; 0: none. */
static size_t stars_at(struct drg_str s, size_t at)
{
	size_t i = at;
	bool begins = at == 0 || s.p[at - 1] == ' ' || s.p[at - 1] == '(';
	if (begins && s.p[i] >= '1' && s.p[i] <= '7') {
		i++;
		if (i < s.n && s.p[i] == ' ')
			i++;
	}
	size_t first = i;
	while (i < s.n && (s.p[i] == '*' || variant_begins(s, i, "★")))
		i += s.p[i] == '*' ? 1 : strlen("★");
	return i > first ? i - at : 0;
}

static struct drg_str without_stars(struct drg_str s, struct drg_buf *room)
{
	size_t from = room->n;
	for (size_t i = 0; i < s.n;) {
		size_t stars = stars_at(s, i);
		if (stars == 0)
			drg_buf_char(room, s.p[i]);
		i += stars > 0 ? stars : 1;
	}
	return drg_str_trim(drg_str(room->p + from, room->n - from));
}

/* The text between "ex." and the closing bracket. */
static struct drg_str former_name(struct drg_str s, size_t at)
{
	struct drg_str rest = drg_str(s.p + at, s.n - at);
	const char *end = memchr(rest.p, ')', rest.n);
	if (end != NULL)
		rest.n = (size_t)(end - rest.p);
	return drg_str_trim(rest);
}

/* Cut off the name of a group, and remarks. */
static struct drg_str without_suffixes(struct drg_str s)
{
	size_t len, at = find_first(s, GROUPS_BEGIN, groups, DRG_ARRAY_LEN(groups), &len);
	s.n = at;
	at = find_first(s, ALLIANCES_BEGIN, alliances, DRG_ARRAY_LEN(alliances), &len);
	s.n = at;
	at = find_first(s, REMARKS_BEGIN, remarks, DRG_ARRAY_LEN(remarks), &len);
	s.n = at;
	while (s.n > 0 && strchr(" -(,;:/|", s.p[s.n - 1]) != NULL)
		s.n--;
	return s;
}

static bool is_word_of(struct drg_str word, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (word.n == strlen(words[i]) && variant_begins(word, 0, words[i]))
			return true;
	return false;
}

static bool tells_facilities(struct drg_str part)
{
	bool one = false;
	while ((part = drg_str_trim(part)).n > 0) {
		const char *end = memchr(part.p, ' ', part.n);
		struct drg_str word = drg_str(part.p, end != NULL ? (size_t)(end - part.p) : part.n);
		bool facility = is_word_of(word, facilities, DRG_ARRAY_LEN(facilities));
		if (!facility && !is_word_of(word, of_facilities, DRG_ARRAY_LEN(of_facilities)))
			return false;
		one = one || facility;
		part = drg_str(part.p + word.n, part.n - word.n);
	}
	return one;
}

/* Cut off the last parts that name facilities: "- Parking inclus". */
static struct drg_str without_facilities(struct drg_str s)
{
	for (size_t at = s.n; at > 2; at--) {
		if (strchr("-,|", s.p[at - 1]) == NULL || at == s.n || s.p[at] != ' ')
			continue;
		if (!tells_facilities(drg_str(s.p + at, s.n - at)))
			break;
		s = drg_str_trim(drg_str(s.p, at - 1));
		at = s.n + 1;
	}
	return s;
}

/* The name behind an alliance at the beginning of @p s; its n is 0: there is none. */
static struct drg_str behind_alliance(struct drg_str s)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(leading); i++) {
		size_t n = strlen(leading[i]);
		if (!variant_begins(s, 0, leading[i]))
			continue;
		for (size_t k = 0; k < DRG_ARRAY_LEN(hotels); k++)
			if (variant_begins(s, n, hotels[k]))
				return drg_str(s.p + n, s.n - n);
	}
	return drg_str(s.p, 0);
}

unsigned drg_name_variants(struct drg_str name, struct drg_buf *room,
                           struct drg_str ret[static DRG_VARIANTS_MAX], struct drg_name_found *ret_found)
{
	unsigned n = 0;
	size_t len = 0;
	*ret_found = (struct drg_name_found){ .noise = false };
	drg_buf_clear(room);
	if (!drg_buf_reserve(room, name.n + 1))
		return 0;
	size_t at = find_first(name, FORMER_BEGIN, former, DRG_ARRAY_LEN(former), &len);
	struct drg_str plain = without_stars(drg_str(name.p, at), room),
	               cut = without_facilities(without_suffixes(plain));
	struct drg_str own = behind_alliance(cut);
	ret_found->noise = plain.n > 2 && !drg_str_eq(plain, name);
	if (plain.n > 0 && !drg_str_eq(plain, name))
		ret[n++] = plain;
	if (cut.n > 2 && !drg_str_eq(cut, plain))
		ret[n++] = cut;
	if (own.n > 0)
		ret[n++] = own;
	ret_found->former = at < name.n && former_name(name, at + len).n > 2;
	if (ret_found->former)
		ret[n++] = former_name(name, at + len);
	return n;
}
