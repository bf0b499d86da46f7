#include "match/terms.h"

#include <stdio.h>

/* Does the text contain one of the phrases, separated by "|"? A phrase consists of whole words; "*" at its
 * end allows any ending of the last one. */
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
	while (drg_str_split(&rest, '|', &phrase))
		for (size_t at = 0; at < text.n; at++)
			if ((at == 0 || text.p[at - 1] == ' ') && phrase_at(text, at, phrase))
				return true;
	return false;
}

/* ---- meals ---------------------------------------------------------------------------------------------- */

/* Words as the normaliser transliterates them: "uzin" is Russian for dinner. "and" stands for "+" too. */
#define BREAKFAST                                                                                            \
	"breakfast*|bb|snidan*|zavtrak*|fruhstuck*|petit dejeuner|petits "                                   \
	"dejeuners|desayuno*|colazione|sniadani*|"                                                           \
	"kahvalti*|cafe da manha|zao can|snidane|mic dejun"
#define DINNER "dinner*|supper|uzin*|vecer*|abendessen|diner|cena*|kolacja|aksam*|jantar"
#define LUNCH "lunch*|obed*|obid*|mittagessen|dejeuner midi|almuerzo|pranzo|obiad|ogle*"
#define HALF                                                                                                 \
	"hb|hp|half board*|halfboard*|polupansion*|polu pansion|napivpansion*|halbpension*|demi "            \
	"pension|media pension|"                                                                             \
	"mezza pensione|yarim pansiyon*|obiadokolacja|dwa posilki|polpenze|meia pensao|mp|demipensiune"
#define FULL                                                                                                 \
	"fb|vp|full board*|fullboard*|polnyj pansion*|povnij pansion*|vollpension*|pension "                 \
	"complete|pension completa|"                                                                         \
	"pensione completa|tam pansiyon*|pelne wyzywienie|trzy posilki|plna penze|pensao completa|pc"
#define PLUS                                                                                                 \
	"and|plus|with drinks|drinks|napitk*|napo*|extended|rassir*|rozsir*|mit "                            \
	"getranken|boissons|bebidas|bevande|icecek*"
#define INCLUSIVE                                                                                            \
	"ai|all in|all incl*|allinc*|all inclusive|vse vkl*|use vkl*|alles ink*|tout compris|todo "          \
	"incl*|tutto incl*|"                                                                                 \
	"tudo incl*|her sey dahil*|wszystko w cenie|hsd|quan bao"
#define NO_ALCOHOL                                                                                           \
	"without alc*|no alc*|non alc*|nonalc*|alcohol free|alkohol free|bez alk*|bezalk*|ohne alk*|"        \
	"alkoholfrei*|sans alc*|sin alc*|senza alc*|analcolic*|sem alc*|alkolsuz*"

static const struct {
	/* also: NULL, or a second list of which the text must contain a phrase too */
	const char *term, *any, *also;
} meals[] = {
	{ DRG_TERM_ASK, "light|lite|legk*|program*|za program*|po program*|as per*|tba|on request|po zapros*",
	  NULL },
	{ DRG_TERM_ASK, BREAKFAST, DINNER },
	{ DRG_TERM_ASK, BREAKFAST, LUNCH },
	{ DRG_TERM_ASK, "without|sans|ohne|bez|no|sin|senza", "dinner*|uzin*|drinks|napitk*" },
	{ DRG_TERM_ASK, NO_ALCOHOL, "ultra*|uai|uall" },
	{ "SAI", NO_ALCOHOL, INCLUSIVE },
	{ "SAI", "sai|soft|magk*|mak*", INCLUSIVE "|sai" },
	{ "UAI", "uai|uall|ultra ai|ultra all*|ultra|u ai|u all", INCLUSIVE "|uai|uall|ultra all" },
	{ DRG_TERM_ASK, "premium|deluxe|imperial|maxi*|high class|select*", INCLUSIVE },
	{ DRG_TERM_ASK, "ai and|ai plus|all inclusive and|all inclusive plus|all incl plus", NULL },
	{ "AI", INCLUSIVE, NULL },
	{ "FB+", FULL, PLUS },
	{ "FB", FULL, NULL },
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
	  "sc|self cater*|selfcater*|selbstverpfl*|samost* prigot*|samostijn*|samostoat*|cuisine "
	  "equipee*|uso cucina|"
	  "wyzywienie wlasne|kendi yemegini*",
	  NULL },
	{ "RO",
	  "ro|oo|ep|room only|bed only|accommodation only|only bed|no meal*|without meal*|bez pit*|bez "
	  "harc*|bez wyz*|"
	  "nur ubernacht*|ohne verpfl*|chambre seule|sans repas|logement seul|solo alojamiento|solo "
	  "habitacion|"
	  "sin comidas|solo pernottamento|solo camera|yalnizca oda|sadece oda|tilki nomer|tolko nomer|tolko "
	  "proziv*",
	  NULL },
	{ "BB", BREAKFAST, NULL },
};

const char *drg_meal_term(struct drg_normal *n, struct drg_str name)
{
	struct drg_str text = drg_normal_fold(n, name);
	for (size_t i = 0; i < DRG_ARRAY_LEN(meals); i++)
		if (says(text, meals[i].any) && (meals[i].also == NULL || says(text, meals[i].also)))
			return meals[i].term;
	return "";
}

/* ---- categories ----------------------------------------------------------------------------------------- */

static const char *const digits[] = {
	"1|one|odna|odyn|ein|eine|une|una|un|jedna|bir|yi",
	"2|two|dve|dva|dvi|zwei|deux|dos|due|dwie|iki",
	"3|three|tri|drei|trois|tres|tre|trzy|uc",
	"4|four|cetyre|cotiri|vier|quatre|cuatro|quattro|cztery|dort",
	"5|five|pat|funf|cinq|cinco|cinque|piec|bes|wu",
};
#define STARS                                                                                                \
	"star*|zvezd*|zirk*|zirok|stern*|etoile*|estrella*|stella|stelle|gwiazd*|yildiz*|hvezd*|xing*|"      \
	"kategor*|categor*"

static const struct {
	const char *term, *any;
} categories[] = {
	{ "unrated",
	  "unrated|no rating|not rated|no categor*|without categor*|bez kategor*|bez zvezd|bez zir*|ne "
	  "ukazan*|"
	  "ohne kategorie|sans categorie|sin categoria|senza categoria|bez gwiazdek|sinifsiz|n a|none" },
	{ "apart", "apart*|appart*|apt|apts" },
	{ "villa", "villa*|vill|villy|ville" },
	{ "hostel", "hostel*|hostal" },
	{ "boutique", "boutique*|butik*" },
};

/* Stars written as signs: "5*", "4 *", "***". */
struct signs {
	unsigned run; /* the longest row of stars */
	char digit; /* the digit before the first star; 0: none */
};

static size_t star_bytes(struct drg_str s, size_t at)
{
	static const char black[] = "★";
	if (s.p[at] == '*')
		return 1;
	return s.n - at >= sizeof black - 1 && memcmp(s.p + at, black, sizeof black - 1) == 0
	               ? sizeof black - 1
	               : 0;
}

static struct signs read_signs(struct drg_str s)
{
	struct signs x = { 0 };
	unsigned run = 0;
	char last = 0;
	for (size_t i = 0; i < s.n;) {
		size_t n = star_bytes(s, i);
		run = n > 0 ? run + 1 : 0;
		if (n > 0 && x.run == 0 && last >= '0' && last <= '9')
			x.digit = last;
		x.run = run > x.run ? run : x.run;
		if (n == 0 && s.p[i] != ' ')
			last = s.p[i];
		i += n > 0 ? n : 1;
	}
	return x;
}

/* Does it have half a star: "4.5"? */
static bool has_half(struct drg_str s)
{
	for (size_t i = 0; i + 2 < s.n; i++)
		if (s.p[i] >= '1' && s.p[i] <= '7' && (s.p[i + 1] == '.' || s.p[i + 1] == ',') &&
		    s.p[i + 2] == '5')
			return true;
	return false;
}

static unsigned stars_in_words(struct drg_str text)
{
	bool stars = says(text, STARS);
	for (unsigned i = 0; i < DRG_ARRAY_LEN(digits); i++) {
		bool alone = text.n == 1 && text.p[0] == (char)('1' + i);
		if (alone || (stars && says(text, digits[i])))
			return i + 1;
	}
	return 0;
}

/* Count stars. @param text  The folded @p name. */
static unsigned stars_of(struct drg_str name, struct drg_str text, bool *ret_half)
{
	struct signs x = read_signs(name);
	*ret_half = has_half(name) || says(text, "superior|sup|s|half|luxe|halb") ||
	            (x.run > 0 && says(text, "and|plus"));
	return x.digit != 0 ? (unsigned)(x.digit - '0') : x.run > 0 ? x.run : stars_in_words(text);
}

void drg_category_stars(struct drg_normal *n, struct drg_str name, char *ret)
{
	bool half;
	unsigned stars = stars_of(name, drg_normal_fold(n, name), &half);
	ret[0] = '\0';
	if (!half && stars > 0 && stars <= 7)
		snprintf(ret, DRG_TERM_MAX, "%u*", stars);
}

void drg_category_term(struct drg_normal *n, struct drg_str name, char *ret)
{
	struct drg_str text = drg_normal_fold(n, name);
	bool half;
	unsigned stars = stars_of(name, text, &half);
	ret[0] = '\0';
	for (size_t i = 0; i < DRG_ARRAY_LEN(categories); i++)
		if (says(text, categories[i].any)) {
			snprintf(ret, DRG_TERM_MAX, "%s", stars > 0 ? DRG_TERM_ASK : categories[i].term);
			if (i == 0)
				snprintf(ret, DRG_TERM_MAX, "%s", categories[i].term);
			return;
		}
	if (half)
		snprintf(ret, DRG_TERM_MAX, DRG_TERM_ASK);
	else if (stars > 0 && stars <= 7)
		snprintf(ret, DRG_TERM_MAX, "%u*", stars);
	else if (says(text, "hv 1|hv1") || says(text, "hv 2|hv2"))
		snprintf(ret, DRG_TERM_MAX, says(text, "hv 1|hv1") ? "HV-1" : "HV-2");
}
