/* The place that a title means: decision A5. */
#include "catalog/air/index_priv.h"
#include "catalog/air/words_priv.h"

/* The heaviest of several is meant where it weighs this much more than the next. */
enum { MUCH = 12, MUCH_OF = 10 };
/* With nothing but a title, other towns of the name are further away: there is a Portland in Australia too. */
enum { TOWN_MUCH = 15, TOWN_MUCH_OF = 10 };

struct wanted {
	const struct drg_air_index *ix;
	struct drg_str country;
	uint64_t city; /* the key of its name; 0: any */
	bool airport; /* the title says that it is one */
	uint32_t first, next; /* the heaviest two that were seen */
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

static void title_look_at(struct wanted *w, uint32_t place)
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

/* Is this the airport of that city, or of the same one, or it itself? */
static bool same_town(const struct drg_air_rec *a, const struct drg_air_rec *b)
{
	struct drg_str x =
	        a->place == DRG_PLACE_CITY ? drg_str(a->code, sizeof a->code) : drg_air_city_code(a);
	struct drg_str y =
	        b->place == DRG_PLACE_CITY ? drg_str(b->code, sizeof b->code) : drg_air_city_code(b);
	return a == b || (x.n > 0 && drg_str_eq(x, y));
}

/* Do the words of the title say which town? Whatever the title calls itself, all that is named so counts. */
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

static bool title_says_airport(struct drg_str folded)
{
	struct drg_str word;
	while (folded.n > 0 && drg_str_split(&folded, ' ', &word))
		if (drg_air_generic(word) >= DRG_AIR_WORD_AIRPORT)
			return true;
	return false;
}

/* The title as it is, and where nobody has that its own words in any order. */
static bool find_title(struct wanted *w, struct drg_str folded)
{
	const struct drg_air_index *ix = w->ix;
	uint64_t key = drg_air_key(folded);
	uint32_t i = drg_air_numbered_find(ix->key, ix->n_keys, key);
	for (; i < ix->n_keys && ix->key[i].number == key; i++)
		if (has_name(ix->rec[ix->key[i].place], folded))
			title_look_at(w, ix->key[i].place);
	i = w->first == DRG_AIR_NONE ? drg_air_numbered_find(ix->key, ix->n_keys, key) : ix->n_keys;
	for (; i < ix->n_keys && ix->key[i].number == key; i++)
		title_look_at(w, ix->key[i].place);
	bool narrowed = w->country.n > 0 || w->city != 0;
	return is_clear(w) && (narrowed || is_of_one_town(w, key));
}

static void fold(struct drg_str text, struct drg_buf *spread, struct drg_buf *ret)
{
	drg_buf_clear(spread);
	drg_buf_clear(ret);
	drg_air_spread(text, spread);
	drg_fold(drg_buf_view(spread), DRG_FOLD_PLAIN, ret);
}

bool drg_air_by_title(const struct drg_catalog *c, const struct drg_air_title *t, struct drg_air_place *ret)
{
	struct wanted w = { .ix = drg_air_index_of(c),
		            .country = t->country_code,
		            .first = DRG_AIR_NONE,
		            .next = DRG_AIR_NONE };
	struct drg_buf spread, folded;
	if (w.ix == NULL)
		return false;
	drg_buf_init(&spread, SIZE_MAX / 2);
	drg_buf_init(&folded, SIZE_MAX / 2);
	fold(t->city_name, &spread, &folded);
	w.city = drg_air_key(drg_buf_view(&folded));
	fold(t->title, &spread, &folded);
	w.airport = title_says_airport(drg_buf_view(&folded));
	bool found = spread.rc == DRG_OK && folded.rc == DRG_OK && folded.n > 0 &&
	             find_title(&w, drg_buf_view(&folded));
	drg_buf_done(&folded);
	drg_buf_done(&spread);
	if (found)
		drg_air_fill(w.ix->rec[w.first], ret);
	return found;
}
