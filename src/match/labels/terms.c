#include "match/labels/terms.h"

#include <stdio.h>

#include "text/fold.h"

/* Does the text contain one of the phrases, separated by "|"? A phrase consists of whole words; "*" at its
 * end allows any ending of the last one, and "=" before it wants it to be the whole text. */
static bool phrase_at(struct drg_str text, size_t at, struct drg_str phrase)
{
	bool open = phrase.n > 0 && phrase.p[phrase.n - 1] == '*';
	size_t n = phrase.n - open;
	if (text.n - at < n || memcmp(text.p + at, phrase.p, n) != 0)
		return false;
	return open || at + n == text.n || text.p[at + n] == ' ';
}

static bool says(struct drg_str text, const char *phrases)
{
	struct drg_str rest = drg_str_c(phrases), phrase;
	while (drg_str_split(&rest, '|', &phrase)) {
		bool whole = phrase.n > 0 && phrase.p[0] == '=';
		if (whole && drg_str_eq(text, drg_str(phrase.p + 1, phrase.n - 1)))
			return true;
		for (size_t at = 0; at < text.n && !whole; at++)
			if ((at == 0 || text.p[at - 1] == ' ') && phrase_at(text, at, phrase))
				return true;
	}
	return false;
}

/* Fold a name, of which capitals may part the words: "FourStar". */
static struct drg_str fold_words(struct drg_normal *n, struct drg_str name)
{
	char parted[2 * DRG_NORMAL_MAX];
	size_t len = name.n <= DRG_NORMAL_MAX ? drg_fold_part(name, parted) : 0;
	return drg_normal_fold(n, len > 0 ? drg_str(parted, len) : name);
}

/* ---- meals ---------------------------------------------------------------------------------------------- */

/* Words as the normaliser transliterates them: "uzin" is Russian for dinner. "and" stands for "+" too. */
#define BREAKFAST                                                                                            \
	"breakfast*|bb|b and b|=u f|=uf|=pdj|=ad|=ok|snidan*|zavtrak*|fruhstuck*|petit dejeuner|petits "     \
	"dejeuners|desayuno*|colazione|sniadani*|"                                                           \
	"kahvalti*|cafe da manha|zao can|snidane|mic dejun"
#define DINNER "dinner*|supper|uzin*|vecer*|abendessen|diner|cena*|kolacja|aksam*|jantar"
#define LUNCH "lunch*|obed*|obid*|mittagessen|dejeuner midi|almuerzo|pranzo|obiad|ogle*"
#define HALF                                                                                                 \
	"hb|hp|=dp|=yp|=hbp|=map|half board*|halfboard*|polupansion*|polu pansion|napivpansion*|"            \
	"halbpension*|demi pension|media pension|mezza pensione|yarim pansiyon*|obiadokolac*|dwa posilki|"   \
	"polpenze|meia pensao|mp|demipensiune|modified american plan|dvuhrazov*"
#define FULL                                                                                                 \
	"fb|vp|=tp|=fbp|full board*|fullboard*|full pension|polnyj pansion*|povnij pansion*|vollpension*|"   \
	"pension complete|pension completa|pensione completa|tam pansiyon*|pelne wyzywienie|trzy posilki|"   \
	"plna penze|pensao completa|pc|trehrazov*"
#define DRINKS "drinks|napitk*|napo*|boissons|bebidas|bevande|icecek*"
#define PLUS "and|plus|=hbp|=fbp|extended|rassir*|rozsir*|mit getranken|" DRINKS
/* Not, or not for the price of the board. */
#define EXCEPT                                                                                               \
	"without|w out|w o|sans|ohne|bez|no|not|non compris*|non incl*|sin|senza|excl*|esclus*|extra|za "    \
	"dopl*|za plat*|platn*|"                                                                             \
	"gegen|ucretli|haric"
#define INCLUSIVE                                                                                            \
	"ai|=all|=24h all|=ti|all in|all inc|all incl*|all ink*|allinc*|vse vkl*|use vkl*|alles ink*|"       \
	"tout compris|tout incl*|todo incl*|tutto incl*|tutto compres*|tudo incl*|her sey dahil*|"           \
	"hersey dahil*|wszystko w cenie|hsd|quan bao"
#define ULTRA "uai|uall|=ual|=uhd|=uhsd|ultra ai|ultraai|ultra all*|ultra|u ai|u all"
#define NO_ALCOHOL                                                                                           \
	"without alc*|no alc*|non alc*|nonalc*|alcohol free|alkohol free|bez alk*|bezalk*|ohne alk*|"        \
	"alkoholfrei*|sans alc*|sin alc*|senza alc*|analcolic*|sem alc*|alkolsuz*|w o alc*|w out alc*|"      \
	"excl alc*|excluding alc*|alcohol excl*"

static const struct {
	/* also: NULL, or a second list of which the text must contain a phrase too */
	const char *term, *any, *also;
} meals[] = {
	{ DRG_TERM_ASK, "light|lite|legk*|program*|za program*|po program*|as per*|tba|on request|po zapros*",
	  NULL },
	{ DRG_TERM_ASK, BREAKFAST, DINNER },
	{ DRG_TERM_ASK, BREAKFAST, LUNCH },
	{ DRG_TERM_ASK, EXCEPT, "dinner*|uzin*|getrank*|" DRINKS },
	{ DRG_TERM_ASK, HALF, FULL "|" INCLUSIVE },
	{ DRG_TERM_ASK, FULL, INCLUSIVE },
	{ DRG_TERM_ASK, "ro|bb", "=ro bb|bb ro|" HALF "|" FULL "|" INCLUSIVE },
	{ DRG_TERM_ASK, "ai uai|uai ai|ai or uai|uai or ai|ai sai|sai ai|hb hb and|fb fb and", NULL },
	{ DRG_TERM_ASK, "no ai|not ai|no all inc*|not all inc*", NULL },
	{ DRG_TERM_ASK, NO_ALCOHOL, ULTRA },
	{ "SAI", NO_ALCOHOL, INCLUSIVE },
	{ "SAI", "sai|soft|magk*|mak*", INCLUSIVE "|sai|soft all" },
	{ DRG_TERM_ASK, "ai and|ai plus|uai and|uai plus|all inclusive and|all inclusive plus|all incl plus",
	  NULL },
	{ "UAI", ULTRA, INCLUSIVE "|=ultra|=uhd|=uhsd|=ual|uai|uall|u all|ultra all|ultraai" },
	{ DRG_TERM_ASK, "premium|deluxe|imperial|maxi*|high class|select*", INCLUSIVE },
	{ "AI", INCLUSIVE, NULL },
	{ "FB+", FULL, PLUS },
	{ "FB", FULL "|=american plan|=3 meals", NULL },
	{ "HB+", HALF, PLUS },
	{ "HB", HALF, NULL },
	{ "CB",
	  "cb|continental breakfast*|kontinental*|petit dejeuner continental|desayuno continental|colazione "
	  "continentale",
	  NULL },
	{ "AB",
	  "ab|american breakfast*|amerikan*|petit dejeuner americain|desayuno americano|buffet "
	  "americano|colazione americana",
	  NULL },
	{ "SC",
	  "sc|=sv|self cater*|selfcater*|selbstverpfl*|selbstversorg*|samost* prigot*|samostijn*|samostoat*|"
	  "cuisine equipee*|uso cucina|wyzywienie wlasne|wlasne wyzywienie|kendi yemegini*",
	  NULL },
	{ "RO",
	  "ro|oo|ep|ob|=nm|=ov|=sa|=room rate|=accommodation|room only|bed only|accommodation only|only bed|"
	  "nomeal*|no meal*|without meal*|european plan|bez pit*|bez harc*|bez wyz*|=nocleg|tylko nocleg|"
	  "=ubernachtung|nur ubernacht*|nur zimmer|ohne verpfl*|chambre seule|=nuitee|sans repas|logement "
	  "seul|=alojamiento|solo alojamiento|solo habitacion|sin comidas|sin pension|=pernottamento|solo "
	  "pernott*|solo camera|senza pasti|=oda|yalnizca oda|sadece oda|yemeksiz|ogunsuz|tilki nomer|tilki "
	  "proziv*|tolko nomer|tolko proziv*|tolko noc*",
	  NULL },
	{ "BB", BREAKFAST, NULL },
};

const char *drg_meal_term(struct drg_normal *n, struct drg_str name)
{
	struct drg_str text = fold_words(n, name);
	for (size_t i = 0; i < DRG_ARRAY_LEN(meals); i++)
		if (says(text, meals[i].any) && (meals[i].also == NULL || says(text, meals[i].also)))
			return meals[i].term;
	return "";
}

/* ---- categories ----------------------------------------------------------------------------------------- */

static const char *const digits[] = {
	"1|one|odna|odyn|ein|eine|une|una|un|jedna|bir|yi",
	"2|two|dve|dva|dvi|zwei|deux|dos|due|dwie|iki|er xing*|liang xing*",
	"3|three|tri|drei|trois|tres|tre|trzy|uc|san xing*",
	"4|four|cetyre|cotiri|vier|quatre|cuatro|quattro|cztery|dort|si xing*",
	"5|five|pat|funf|cinq|cinco|cinque|piec|bes|wu",
};
#define STARS                                                                                                \
	"star*|zvezd*|zv|zirk*|zirok|stern*|etoile*|est|estrella*|stella|stelle|gwiazd*|"                    \
	"yildiz*|hvezd*|xing*|st|str"
/* In the class of a holiday village these do not mean stars. */
#define CLASS "kategor*|categor*|cat|kat"
#define VILLAGE                                                                                              \
	"hv|tatil koy*|holiday village*|klubnyj otel*|klub vidpoc*|feriendorf|village de "                   \
	"vacances|villaggio "                                                                                \
	"turistic*|pueblo de vacaciones|wioska wakacyjna"

static const char *const classes[] = {
	"1|1st|i|first|birinci|erste*|premiere|prima|primera|perv*|persoi|pierwsz*",
	"2|2nd|ii|second|ikinci|zweite*|deuxieme|seconda|segunda|vtor*|drugoi|drugiej",
};

static const struct {
	const char *term, *any;
} categories[] = {
	{ "unrated",
	  "unrated|no rating|not rated|not classif*|unclassif*|no categor*|without categor*|bez kategor*|bez "
	  "zvezd|bez zir*|ne ukazan*|=net|ohne kategorie|nicht klass*|sans categorie|non class*|sin "
	  "categoria|senza categoria|bez gwiazdek|sinifsiz|kategorisiz|yildizsiz|belgesiz|n a|=na|=nr|none|"
	  "zero star*" },
	{ "apart", "apart*|appart*|apt|apts|ferienwohnung*|=daire" },
	{ "villa", "villa|villas|villa s|villen|vill|villy|ville|villi" },
	{ "hostel", "hostel*|hostal" },
	{ "boutique", "boutique*|butik*|=btq" },
};

/* Stars written as signs: "5*", "4 *", "***", "*5". */
struct signs {
	unsigned run; /* the longest row of stars, of "* * *" too */
	unsigned number; /* before the first star, or behind it where it stands alone; 0: none */
};

static bool begins(struct drg_str s, size_t at, const char *with)
{
	size_t n = strlen(with);
	return s.n - at >= n && memcmp(s.p + at, with, n) == 0;
}

static size_t star_bytes(struct drg_str s, size_t at)
{
	static const char *const stars[] = { "*", "★", "⭐" };
	for (size_t i = 0; i < DRG_ARRAY_LEN(stars); i++)
		if (begins(s, at, stars[i]))
			return strlen(stars[i]);
	return 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Read "4", "4.0" or "04" at a place. Of "4.5" it is 4: see has_half(). @return bytes */
static size_t read_number(struct drg_str s, size_t at, unsigned *ret)
{
	size_t n = 0;
	*ret = 0;
	for (; at + n < s.n && is_digit(s.p[at + n]); n++)
		*ret = *ret < 100 ? *ret * 10 + (unsigned)(s.p[at + n] - '0') : *ret;
	if (at + n < s.n && (s.p[at + n] == '.' || s.p[at + n] == ','))
		for (n++; at + n < s.n && is_digit(s.p[at + n]); n++)
			;
	return n;
}

static struct signs read_signs(struct drg_str s)
{
	struct signs x = { 0 };
	unsigned run = 0, last = 0;
	for (size_t i = 0, n; i<s.n; i += n> 0 ? n : 1) {
		n = star_bytes(s, i);
		run = n > 0 ? run + 1 : s.p[i] != ' ' ? 0 : run;
		if (n > 0 && x.run == 0)
			x.number = last;
		x.run = run > x.run ? run : x.run;
		if (n == 0 && s.p[i] != ' ')
			last = 0;
		if (n == 0 && is_digit(s.p[i])) {
			n = read_number(s, i, &last);
			x.number = x.run == 1 && x.number == 0 ? last : x.number;
		}
	}
	return x;
}

/* Does it have half a star, as "4.5" and "4 1/2" have, or two numbers: "3-4", "3* / 4*"? */
static bool has_half(struct drg_str s)
{
	unsigned first, second;
	for (size_t i = 0; i + 2 < s.n; i++)
		if (s.p[i] >= '1' && s.p[i] <= '7' && (s.p[i + 1] == '.' || s.p[i + 1] == ',') &&
		    s.p[i + 2] == '5')
			return true;
	size_t at = read_number(s, 0, &first);
	while (at > 0 && at < s.n && strchr(" *-/", s.p[at]) != NULL)
		at++;
	return (s.n > 0 && (memmem(s.p, s.n, "½", 2) != NULL || memmem(s.p, s.n, "1/2", 3) != NULL)) ||
	       (at > 0 && at < s.n && read_number(s, at, &second) > 0 && second != first);
}

/* Words that make a category more than its stars: Spain's GL is five and more. */
#define MORE "superior|sup|s|half|luxe|halb|gl|gran lujo"

/* Is the text but a digit, as of "5", "05", "5.0", "5+" and "5 Sup"? */
static bool is_alone(struct drg_str text, char digit)
{
	if (text.n == 2 && text.p[0] == '0')
		return text.p[1] == digit;
	if (text.n == 0 || text.p[0] != digit)
		return false;
	struct drg_str rest = drg_str(text.p + 1, text.n - 1), word;
	bool alone = true;
	while (rest.n > 0 && alone && drg_str_split(&rest, ' ', &word))
		alone = word.n == 0 || drg_str_eq(word, DRG_STR("0")) || drg_str_eq(word, DRG_STR("00")) ||
		        says(word, MORE "|and|plus");
	return alone;
}

/* Is it "0", "0.0" or "0 stars"? */
static bool is_zero(struct drg_str text)
{
	struct drg_str rest = text, word;
	bool zero = text.n > 0 && text.p[0] == '0';
	while (rest.n > 0 && zero && drg_str_split(&rest, ' ', &word))
		zero = drg_str_eq(word, DRG_STR("0")) || drg_str_eq(word, DRG_STR("00")) || says(word, STARS);
	return zero;
}

/* The class of a holiday village; 0: it is not a holiday village. */
static unsigned village_class(struct drg_str text)
{
	for (unsigned i = 0; i < DRG_ARRAY_LEN(classes) && says(text, VILLAGE); i++)
		if (says(text, classes[i]))
			return i + 1;
	return 0;
}

static unsigned stars_in_words(struct drg_str text)
{
	unsigned village = village_class(text);
	bool stars = says(text, STARS) || (says(text, CLASS) && village == 0);
	for (unsigned i = 0; i < DRG_ARRAY_LEN(digits); i++)
		if (is_alone(text, (char)('1' + i)) || (stars && i + 1 != village && says(text, digits[i])))
			return i + 1;
	return says(text, "=gl|gran lujo|grand luxe") ? 5 : 0;
}

/* Count stars. @param text  The folded @p name. */
static unsigned stars_of(struct drg_str name, struct drg_str text, bool *ret_half)
{
	struct signs x = read_signs(name);
	unsigned stars = x.number > 0 ? x.number : x.run > 0 ? x.run : stars_in_words(text);
	*ret_half = has_half(name) || says(text, MORE) || (stars > 0 && says(text, "and|plus"));
	return stars;
}

/* Fold a category, with a space between a digit and a letter: "5star" is "5 star", but "1st" a word. */
static struct drg_str category_text(struct drg_normal *n, struct drg_str name, char *room)
{
	struct drg_str text = fold_words(n, name);
	size_t out = 0;
	for (size_t i = 0; i < text.n; i++) {
		bool before = i > 0 && is_digit(text.p[i - 1]), now = is_digit(text.p[i]);
		bool ordinal = before && (begins(text, i - 1, "1st") || begins(text, i - 1, "2nd"));
		if (i > 0 && before != now && text.p[i] != ' ' && text.p[i - 1] != ' ' && !ordinal)
			room[out++] = ' ';
		room[out++] = text.p[i];
	}
	return drg_str(room, out);
}

bool drg_category_stars(struct drg_normal *n, struct drg_str name, char *ret)
{
	char room[2 * DRG_NORMAL_MAX];
	bool half;
	unsigned stars = stars_of(name, category_text(n, name, room), &half);
	ret[0] = '\0';
	if (stars > 0 && stars <= 7)
		snprintf(ret, DRG_TERM_MAX, "%u*", stars);
	return !half;
}

void drg_category_term(struct drg_normal *n, struct drg_str name, char *ret)
{
	char room[2 * DRG_NORMAL_MAX];
	struct drg_str text = category_text(n, name, room);
	bool half;
	unsigned stars = stars_of(name, text, &half), village = village_class(text);
	ret[0] = '\0';
	for (size_t i = 0; i < DRG_ARRAY_LEN(categories); i++)
		if (says(text, categories[i].any) || (i == 0 && is_zero(text))) {
			snprintf(ret, DRG_TERM_MAX, "%s", stars > 0 ? DRG_TERM_ASK : categories[i].term);
			if (i == 0)
				snprintf(ret, DRG_TERM_MAX, "%s", categories[i].term);
			return;
		}
	if (half)
		snprintf(ret, DRG_TERM_MAX, DRG_TERM_ASK);
	else if (stars > 0 && stars <= 7)
		snprintf(ret, DRG_TERM_MAX, "%u*", stars);
	else if (village > 0)
		snprintf(ret, DRG_TERM_MAX, village == 1 ? "HV-1" : "HV-2");
}
