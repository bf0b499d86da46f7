/* Finds the place that a title means (decision A5). */
#include <assert.h>

#include "catalog/air/index_priv.h"
#include "catalog/air/words_priv.h"

/* The heaviest of several places is meant if it weighs this much more than the next. */
enum { MUCH = 12, MUCH_OF = 10 };
/* If only a title is given, the town must weigh this much more than others of its name: there is a Portland
 * in Australia too. */
enum { TOWN_MUCH = 15, TOWN_MUCH_OF = 10 };

struct wanted {
	const struct drg_air_index *ix;
	struct drg_str country;
	uint64_t city; /* the key of the city's name; 0: any city */
	bool airport; /* the title says that it is an airport */
	uint32_t first, next; /* the heaviest two places so far */
};

static bool has_key(const struct drg_air_rec *rec, uint64_t key)
{
	struct drg_str lines = drg_air_folded(rec), line;
	while (lines.n > 0 && drg_str_split(&lines, '\n', &line))
		if (line.n > 0 && drg_air_key(drg_str(line.p + 1, line.n - 1)) == key)
			return true;
	return false;
}

static bool has_name(const struct drg_air_rec *rec, struct drg_str folded)
{
	struct drg_str lines = drg_air_folded(rec), line;
	while (lines.n > 0 && drg_str_split(&lines, '\n', &line))
		if (line.n > 0 && drg_str_eq(drg_str(line.p + 1, line.n - 1), folded))
			return true;
	return false;
}

static bool in_city(const struct wanted *w, const struct drg_air_rec *rec)
{
	if (rec->place == DRG_PLACE_CITY)
		return has_key(rec, w->city);
	uint32_t city = drg_air_code_find(w->ix, drg_air_city_code(rec), DRG_PLACE_CITY);
	return city != DRG_AIR_NONE && has_key(w->ix->rec[city], w->city);
}

static void title_note_place(struct wanted *w, uint32_t place)
{
	const struct drg_air_rec *rec = w->ix->rec[place];
	if (place < w->ix->n_countries || place == w->first || place == w->next ||
	    (w->airport && rec->place != DRG_PLACE_APT) ||
	    (w->country.n > 0 && !drg_str_eq(drg_str(rec->country_code, 2), w->country)) ||
	    (w->city != 0 && !in_city(w, rec)))
		return;
	if (place < w->first) {
		w->next = w->first;
		w->first = place;
	} else if (place < w->next) {
		w->next = place;
	}
}

static bool is_clear(const struct wanted *w)
{
	if (w->first == DRG_AIR_NONE || w->next == DRG_AIR_NONE)
		return w->first != DRG_AIR_NONE;
	return (uint64_t)w->ix->rec[w->first]->weight * MUCH_OF >=
	               (uint64_t)w->ix->rec[w->next]->weight * MUCH &&
	       w->ix->rec[w->first]->weight > 0;
}

/* Are the places one town: an airport and its city, two airports of one city, or the same place? */
static bool same_town(const struct drg_air_rec *a, const struct drg_air_rec *b)
{
	struct drg_str x =
	        a->place == DRG_PLACE_CITY ? drg_str(a->code, sizeof a->code) : drg_air_city_code(a);
	struct drg_str y =
	        b->place == DRG_PLACE_CITY ? drg_str(b->code, sizeof b->code) : drg_air_city_code(b);
	return a == b || (x.n > 0 && drg_str_eq(x, y));
}

/* Are the places of other towns with this name much lighter? Places of every kind count. */
static bool is_of_one_town(const struct wanted *w, uint64_t key)
{
	const struct drg_air_index *ix = w->ix;
	const struct drg_air_rec *first = ix->rec[w->first];
	uint64_t own = first->weight, other = 0;
	uint32_t i = drg_air_numbered_find(ix->key, ix->n_keys, key);
	for (; i < ix->n_keys && ix->key[i].number == key; i++) {
		const struct drg_air_rec *rec = ix->rec[ix->key[i].place];
		uint64_t *most = same_town(first, rec) ? &own : &other;
		*most = rec->weight > *most ? rec->weight : *most;
	}
	return own * TOWN_MUCH_OF >= other * TOWN_MUCH;
}

static bool title_is_airport(struct drg_str folded)
{
	struct drg_str word;
	while (folded.n > 0 && drg_str_split(&folded, ' ', &word))
		if (drg_air_generic(word) >= DRG_AIR_WORD_AIRPORT)
			return true;
	return false;
}

/* Search for the whole title; if no place has it, for its own words in any order. */
static bool find_title(struct wanted *w, struct drg_str folded)
{
	const struct drg_air_index *ix = w->ix;
	uint64_t key = drg_air_key(folded);
	uint32_t i = drg_air_numbered_find(ix->key, ix->n_keys, key);
	for (; i < ix->n_keys && ix->key[i].number == key; i++)
		if (has_name(ix->rec[ix->key[i].place], folded))
			title_note_place(w, ix->key[i].place);
	i = w->first == DRG_AIR_NONE ? drg_air_numbered_find(ix->key, ix->n_keys, key) : ix->n_keys;
	for (; i < ix->n_keys && ix->key[i].number == key; i++)
		title_note_place(w, ix->key[i].place);
	bool narrowed = w->country.n > 0 || w->city != 0;
	return is_clear(w) && (narrowed || is_of_one_town(w, key));
}

/* Buffers for folded texts of one look-up. */
struct title_work {
	struct wanted w;
	struct drg_buf spread, folded;
};

static struct drg_str fold_title(struct title_work *t, struct drg_str text)
{
	drg_buf_clear(&t->spread);
	drg_buf_clear(&t->folded);
	drg_air_spread(text, &t->spread);
	drg_fold(drg_buf_view(&t->spread), DRG_FOLD_PLAIN, &t->folded);
	return t->spread.rc == DRG_OK && t->folded.rc == DRG_OK ? drg_buf_view(&t->folded) : drg_str("", 0);
}

static bool find_text(struct title_work *t, struct drg_str title)
{
	struct drg_str folded = fold_title(t, title);
	t->w.first = t->w.next = DRG_AIR_NONE;
	t->w.airport = title_is_airport(folded);
	return folded.n > 0 && find_title(&t->w, folded);
}

/* ---- a title and what narrows it ----------------------------------------------------------------------- */

static bool is_capitals(struct drg_str s, size_t n)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < 'A' || s.p[i] > 'Z')
			return false;
	return s.n == n;
}

/* "Paris" beside "CDG": find the place with the code, if the other part is its name or its city's. */
static bool find_code(struct title_work *t, struct drg_str title, struct drg_str code)
{
	const struct drg_air_index *ix = t->w.ix;
	if (!is_capitals(code, 3))
		return false;
	uint32_t place = drg_air_code_find(ix, code, DRG_PLACE_APT);
	if (place == DRG_AIR_NONE)
		place = drg_air_code_find(ix, code, DRG_PLACE_CITY);
	uint64_t key = drg_air_key(fold_title(t, title));
	if (place == DRG_AIR_NONE || key == 0)
		return false;
	assert(place < ix->n);
	struct wanted named = { .ix = ix, .city = key };
	const struct drg_air_rec *rec = ix->rec[place];
	if ((!has_key(rec, key) && !in_city(&named, rec)) ||
	    (t->w.country.n > 0 && !drg_str_eq(drg_str(rec->country_code, 2), t->w.country)) ||
	    (t->w.city != 0 && !in_city(&t->w, rec)))
		return false;
	t->w.first = place;
	return true;
}

/* The country that a text names, or whose ISO code it is in capitals. */
static struct drg_str country_of(struct title_work *t, struct drg_str text)
{
	const struct drg_air_index *ix = t->w.ix;
	struct drg_str folded = fold_title(t, text);
	if (text.n < 2 || (text.n == 2 && !is_capitals(text, 2)))
		return drg_str("", 0);
	for (uint32_t i = 0; i < ix->n_countries && folded.n > 0; i++)
		if (has_name(ix->rec[i], folded))
			return drg_str(ix->rec[i]->country_code, 2);
	return drg_str("", 0);
}

/* "London" beside "GB": find a place of that country. */
static bool find_in_country(struct title_work *t, struct drg_str title, struct drg_str part)
{
	struct drg_str country = t->w.country.n == 0 ? country_of(t, part) : drg_str("", 0);
	if (country.n == 0)
		return false;
	t->w.country = country;
	bool found = find_text(t, title);
	t->w.country = drg_str("", 0);
	return found;
}

/* "Gatwick" beside "London": find an airport of that city. */
static bool find_in_city(struct title_work *t, struct drg_str title, struct drg_str part)
{
	uint64_t city = t->w.city == 0 ? drg_air_key(fold_title(t, part)) : 0;
	if (city == 0)
		return false;
	t->w.city = city;
	bool found = find_text(t, title) && t->w.ix->rec[t->w.first]->place == DRG_PLACE_APT;
	t->w.city = 0;
	return found;
}

static bool is_break(char c)
{
	return c != '\0' && strchr(" ,()[]-/|", c) != NULL;
}

static struct drg_str trim(struct drg_str s)
{
	while (s.n > 0 && is_break(s.p[0]))
		s = drg_str(s.p + 1, s.n - 1);
	while (s.n > 0 && is_break(s.p[s.n - 1]))
		s.n--;
	return s;
}

/* Try all ways to cut a title into a name and a part that narrows it. */
static bool find_parts(struct title_work *t, struct drg_str title)
{
	static bool (*const ways[])(struct title_work *, struct drg_str,
	                            struct drg_str) = { find_code, find_in_country, find_in_city };
	enum { PARTS_MAX = 12 };
	size_t tried = 0;
	for (size_t i = 1; i + 1 < title.n && tried < PARTS_MAX; i++) {
		if (!is_break(title.p[i]) || is_break(title.p[i - 1]))
			continue;
		struct drg_str left = trim(drg_str(title.p, i)),
		               right = trim(drg_str(title.p + i, title.n - i));
		tried++;
		for (size_t k = 0; k < DRG_ARRAY_LEN(ways) && left.n > 0 && right.n > 0; k++)
			if (ways[k](t, left, right) || ways[k](t, right, left))
				return true;
	}
	return false;
}

bool drg_air_by_title(const struct drg_catalog *c, const struct drg_air_title *title,
                      struct drg_air_place *ret)
{
	struct title_work t = { .w = { .ix = drg_air_index_of(c),
		                       .country = title->country_code,
		                       .first = DRG_AIR_NONE,
		                       .next = DRG_AIR_NONE } };
	if (t.w.ix == NULL)
		return false;
	drg_buf_init(&t.spread, SIZE_MAX / 2);
	drg_buf_init(&t.folded, SIZE_MAX / 2);
	t.w.city = drg_air_key(fold_title(&t, title->city_name));
	bool found = find_text(&t, title->title) || find_parts(&t, title->title);
	drg_buf_done(&t.folded);
	drg_buf_done(&t.spread);
	if (found)
		drg_air_fill(t.w.ix->rec[t.w.first], ret);
	return found;
}
