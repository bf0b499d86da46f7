/* The search of decision A1. Each group of matches is a set of places; what is in it and not in the groups before comes
 * out in the order of the numbers, which are ranks by weight. */
#include <math.h>
#include <stdlib.h>

#include "catalog/air/set_priv.h"
#include "text/fold.h"
#include "text/layout.h"
#include "text/utf8.h"

/* By the errors in each: in more words they are not looked for, but in names as wholes they are. */
static const size_t words_max[] = { 0, 5, 3 };

/* What was typed, folded. */
struct typed {
	struct drg_str text;
	struct drg_str *word; /* each once */
	size_t n;
	bool codes; /* words may be codes */
};

struct search {
	struct drg_air_index *ix;
	const struct drg_air_query *q;
	struct drg_arena *arena;
	const struct drg_air_order *order;
	struct drg_air_set found, group, word;
	struct drg_air_place *out;
	size_t n, limit;
};

/* ---- giving out ----------------------------------------------------------------------------------------- */

static const double EARTH_KM = 6371.0088, KM_PER_DEGREE = 111.195;

static double radians(double degrees)
{
	return degrees * M_PI / 180;
}

static double distance_km(double lat, double lng, const struct drg_air_rec *rec)
{
	double u = sin(radians(rec->lat - lat) / 2), v = sin(radians(rec->lng - lng) / 2);
	double a = u * u + cos(radians(lat)) * cos(radians(rec->lat)) * v * v;
	return 2 * EARTH_KM * asin(sqrt(fmin(1, a)));
}

static bool wanted(const struct search *s, const struct drg_air_rec *rec)
{
	const struct drg_air_query *q = s->q;
	if (q->city != q->apt && (rec->place == DRG_PLACE_CITY) != q->city)
		return false;
	return q->country[0] == '\0' || memcmp(rec->country_code, q->country, sizeof q->country) == 0;
}

static void take(struct search *s, uint32_t place)
{
	const struct drg_air_rec *rec = s->ix->rec[place];
	if (s->n == s->limit || drg_air_set_has(&s->found, place) || !wanted(s, rec))
		return;
	drg_air_set_add(&s->found, place);
	drg_air_fill(rec, &s->out[s->n++]);
}

/* Heavier places first; places of one weight by title. */
static int give_by_weight(struct search *s, const struct drg_air_set *group)
{
	const struct drg_air_index *ix = s->ix;
	size_t at = 0;
	while (s->n < s->limit && (at = drg_air_set_next(group, &s->found, at)) < ix->n) {
		uint32_t end = ix->tie_end[at];
		if (s->order == NULL || end - ix->tie_first[at] == 1) {
			take(s, (uint32_t)at++);
			continue;
		}
		for (uint32_t i = ix->tie_first[at]; i < end; i++)
			if (drg_air_set_has(group, s->order->place[i]))
				take(s, s->order->place[i]);
		at = end;
	}
	return DRG_OK;
}

struct distant {
	double km;
	uint32_t place;
};

static int by_distance(const void *a, const void *b)
{
	const struct distant *x = a, *y = b;
	if (x->km != y->km)
		return x->km < y->km ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

static int give_by_distance(struct search *s, const struct drg_air_set *group)
{
	const struct drg_air_query *q = s->q;
	struct distant *d = drg_arena_alloc(s->arena, (s->ix->n + 1) * sizeof *d);
	size_t n = 0, at = 0;
	if (d == NULL)
		return DRG_ENOMEM;
	for (; (at = drg_air_set_next(group, &s->found, at)) < s->ix->n; at++) {
		const struct drg_air_rec *rec = s->ix->rec[at];
		if (!rec->located || fabs(rec->lat - q->lat) * KM_PER_DEGREE > q->radius_km + 1)
			continue;
		d[n] = (struct distant){ distance_km(q->lat, q->lng, rec), (uint32_t)at };
		n += d[n].km <= q->radius_km;
	}
	qsort(d, n, sizeof *d, by_distance);
	for (size_t i = 0; i < n; i++)
		take(s, d[i].place);
	return DRG_OK;
}

static int give(struct search *s, const struct drg_air_set *group)
{
	if (s->n == s->limit)
		return DRG_OK;
	return s->q->near ? give_by_distance(s, group) : give_by_weight(s, group);
}

/* ---- what was typed ------------------------------------------------------------------------------------- */

static void add_word(struct typed *t, struct drg_str word)
{
	for (size_t i = 0; i < t->n; i++)
		if (drg_str_eq(t->word[i], word))
			return;
	t->word[t->n++] = word;
}

static bool is_ascii(struct drg_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((uint8_t)s.p[i] >= 0x80)
			return false;
	return true;
}

static int fold(struct search *s, struct drg_str text, bool codes, struct typed *ret)
{
	enum { BYTES_MAX = 7 }; /* for each byte: text/fold.h */
	size_t room = text.n * BYTES_MAX + 1;
	char *p = drg_arena_alloc(s->arena, room);
	struct drg_buf b = { .p = p, .cap = room, .max = room };
	if (p == NULL)
		return DRG_ENOMEM;
	drg_fold(text, DRG_FOLD_PLAIN, &b);
	ret->text = drg_buf_view(&b);
	ret->n = 0;
	ret->codes = codes;
	ret->word = drg_arena_alloc(s->arena, (b.n / 2 + 1) * sizeof *ret->word);
	if (ret->word == NULL)
		return DRG_ENOMEM;
	struct drg_str rest = ret->text, word;
	while (rest.n > 0 && drg_str_split(&rest, ' ', &word))
		add_word(ret, word);
	return DRG_OK;
}

/* ---- the groups ----------------------------------------------------------------------------------------- */

static void add_code(struct search *s, const struct typed *t, struct drg_str code, struct drg_air_set *to)
{
	uint32_t number = t->codes ? drg_air_code_number(code) : DRG_AIR_NONE;
	uint32_t i = number != DRG_AIR_NONE ? s->ix->of_code[number] : DRG_AIR_NONE;
	for (; i != DRG_AIR_NONE; i = s->ix->next_of_code[i])
		drg_air_set_add(to, i);
}

/* Adds the places that have each word: the beginning of a word of theirs, or their code. */
static void add_words(struct search *s, const struct typed *t, struct drg_air_set *all,
                      struct drg_air_set *to)
{
	struct drg_air_range equal;
	for (size_t i = 0; i < t->n; i++) {
		struct drg_air_set *set = t->n == 1 ? to : i == 0 ? all : &s->word;
		if (t->n > 1)
			drg_air_set_clear(set);
		drg_air_set_add_texts(set, &s->ix->words,
		                      drg_air_terms_find(&s->ix->words, t->word[i], &equal));
		add_code(s, t, t->word[i], set);
		if (i > 0 && !drg_air_set_and(all, set))
			return;
	}
	if (t->n > 1)
		drg_air_set_or(to, all);
}

/* Groups 1 to 3. */
static int give_as_typed(struct search *s, const struct typed *t, struct drg_air_set *all)
{
	struct drg_air_range equal, begin = drg_air_terms_find(&s->ix->names, t->text, &equal);
	struct drg_air_set *set = &s->group;
	drg_air_set_add_texts(set, &s->ix->names, equal);
	drg_air_set_clear(&s->word);
	add_code(s, t, t->text, &s->word);
	drg_air_set_and(set, &s->word);
	int rc = give(s, set);
	if (rc == DRG_OK)
		rc = give(s, &s->word);

	drg_air_set_clear(set);
	drg_air_set_add_texts(set, &s->ix->names, equal);
	if (rc == DRG_OK)
		rc = give(s, set);
	drg_air_set_add_texts(set, &s->ix->names, begin);
	if (rc == DRG_OK)
		rc = give(s, set);

	if (s->n == s->limit)
		return rc;
	drg_air_set_clear(set);
	add_words(s, t, all, set);
	return rc == DRG_OK ? give(s, set) : rc;
}

/* Group 4. */
static int give_other_layouts(struct search *s, const struct typed *guess, size_t n, struct drg_air_set *all)
{
	struct drg_air_set *set = &s->group;
	struct drg_air_range equal;
	drg_air_set_clear(set);
	for (size_t i = 0; i < n; i++) {
		drg_air_terms_find(&s->ix->names, guess[i].text, &equal);
		drg_air_set_add_texts(set, &s->ix->names, equal);
		add_code(s, &guess[i], guess[i].text, set);
	}
	int rc = give(s, set);
	for (size_t i = 0; i < n; i++) {
		struct drg_air_range r = drg_air_terms_find(&s->ix->names, guess[i].text, &equal);
		drg_air_set_add_texts(set, &s->ix->names, r);
		add_words(s, &guess[i], all, set);
	}
	return rc == DRG_OK ? give(s, set) : rc;
}

/* Where the texts near a typed one go. */
struct near {
	const struct drg_air_terms *terms;
	struct drg_air_set *whole, *begin; /* whole may be NULL */
};

static void add_near(void *ctx, struct drg_air_range texts, bool whole)
{
	struct near *n = ctx;
	struct drg_air_set *to = whole ? n->whole : n->begin;
	if (to != NULL)
		drg_air_set_add_texts(to, n->terms, texts);
}

static unsigned edits_in(struct drg_str text, unsigned most)
{
	unsigned edits = drg_air_edits(text.n);
	return edits < most ? edits : most;
}

/* Group 5: names that are the text but for errors, then what begins so, or has each word but for errors. */
static int give_despite_errors(struct search *s, const struct typed *t, unsigned edits,
                               struct drg_air_set *all)
{
	const struct drg_air_index *ix = s->ix;
	struct drg_air_set *set = &s->group;
	drg_air_set_clear(set);
	drg_air_set_clear(&s->word);
	struct near names = { &ix->names, &s->word, set };
	drg_air_tree_near(&ix->name_tree, &ix->names, t->text, edits_in(t->text, edits), add_near, &names);
	int rc = give(s, &s->word);
	bool any = rc == DRG_OK && s->n < s->limit && t->n <= words_max[edits];
	for (size_t i = 0; i < t->n && any; i++) {
		struct drg_air_set *to = i == 0 ? all : &s->word;
		struct near words = { &ix->words, NULL, to };
		drg_air_set_clear(to);
		drg_air_tree_near(&ix->word_tree, &ix->words, t->word[i], edits_in(t->word[i], edits),
		                  add_near, &words);
		add_code(s, t, t->word[i], to);
		any = i == 0 || drg_air_set_and(all, to);
	}
	if (any)
		drg_air_set_or(set, all);
	return rc == DRG_OK ? give(s, set) : rc;
}

static int search_text(struct search *s)
{
	struct typed t = { 0 }, guess[DRG_LAYOUTS_MAX] = { 0 };
	struct drg_str other[DRG_LAYOUTS_MAX], text = s->q->text;
	struct drg_air_set all;
	if (!drg_air_set_new(&all, s->ix->n, s->arena))
		return DRG_ENOMEM;
	int rc = fold(s, text, true, &t);
	if (rc == DRG_OK && t.n > 0)
		rc = give_as_typed(s, &t, &all);
	unsigned n = s->n < s->limit ? drg_layout_guesses(text, s->arena, other) : 0, m = 0;
	for (unsigned i = 0; i < n && rc == DRG_OK; i++) {
		/* Nobody means a code by Cyrillic letters on Latin keys. */
		rc = fold(s, other[i], !is_ascii(text), &guess[m]);
		m += rc == DRG_OK && guess[m].n > 0;
	}
	if (rc == DRG_OK && m > 0)
		rc = give_other_layouts(s, guess, m, &all);
	/* What one error explains needs no second one. */
	for (unsigned edits = 1; edits <= drg_air_edits(t.text.n) && s->n == 0 && rc == DRG_OK; edits++)
		rc = give_despite_errors(s, &t, edits, &all);
	return rc;
}

static int search_all(struct search *s)
{
	memset(s->group.bits, 0xff, s->group.words * sizeof *s->group.bits);
	return give(s, &s->group);
}

int drg_air_search(const struct drg_catalog *c, const struct drg_air_query *q, struct drg_arena *arena,
                   const struct drg_air_place **ret, size_t *ret_n)
{
	struct drg_air_index *ix = drg_air_index_of(c);
	*ret = NULL;
	*ret_n = 0;
	if (ix == NULL)
		return DRG_OK;
	struct search s = { .ix = ix, .q = q, .arena = arena, .limit = q->limit > 0 ? q->limit : ix->n };
	s.order = drg_air_order(c, ix, q->lang);
	s.out = drg_arena_alloc(arena, (s.limit + 1) * sizeof *s.out);
	if (s.out == NULL || !drg_air_set_new(&s.found, ix->n, arena) ||
	    !drg_air_set_new(&s.group, ix->n, arena) || !drg_air_set_new(&s.word, ix->n, arena))
		return DRG_ENOMEM;
	int rc = drg_utf8_is_blank(q->text) ? search_all(&s) : search_text(&s);
	*ret = s.out;
	*ret_n = s.n;
	return rc;
}
