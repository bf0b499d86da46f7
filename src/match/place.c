#include "match/place.h"

#include <stdlib.h>

#include "base/pages.h"
#include "match/keyed.h"
#include "match/sounds.h"
#include "match/words.h"

void drg_places_init(struct drg_places *l, struct drg_vocab *vocab)
{
	struct drg_buf *all[] = { &l->records, &l->forms, &l->tokens,     &l->houses,
		                  &l->zips,    &l->df,    &l->address_df, &l->states };
	l->vocab = vocab;
	for (size_t i = 0; i < DRG_ARRAY_LEN(all); i++)
		drg_buf_init(all[i], SIZE_MAX);
	drg_tally_init(&l->often);
}

void drg_places_done(struct drg_places *l)
{
	struct drg_buf *all[] = { &l->records, &l->forms, &l->tokens,     &l->houses,
		                  &l->zips,    &l->df,    &l->address_df, &l->states };
	for (size_t i = 0; i < DRG_ARRAY_LEN(all); i++)
		drg_buf_done(all[i]);
	drg_tally_done(&l->often);
}

int64_t drg_places_state(const struct drg_places *l, int64_t country)
{
	size_t n;
	const struct drg_keyed *v = drg_keyed_find(&l->states, (uint64_t)country, &n);
	return n > 0 ? v->value : DRG_PLACE_UNKNOWN;
}

void drg_places_gather(const struct drg_places *l)
{
	const struct drg_buf *all[] = { &l->records, &l->forms,         &l->tokens,
		                        &l->houses,  &l->vocab->tokens, &l->vocab->texts };
	for (size_t i = 0; i < DRG_ARRAY_LEN(all); i++)
		drg_pages_gather(all[i]->p, all[i]->n);
}

enum {
	FORMS_HEARD = 64, /* forms of a place whose words are matched by sound */
	HEARD_FORMS = 6 /* the most such forms made of each */
};

/* The state while a place is added. */
struct adding {
	struct drg_places *l;
	struct drg_normal *normal;
	struct drg_place_record r;
	struct drg_tokens tokens;
	uint32_t ids[DRG_NORMAL_TOKENS];
	uint32_t seen[1024]; /* tokens of its names, each once */
	unsigned n_seen;
	bool former; /* the present name is a former one */
	bool other; /* the present name is in other than Latin letters */
	bool is_other[FORMS_HEARD]; /* likewise, by form */
	int rc;
};

static int place_by_number(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

/* Store the tokens of a folded text as numbers in x->ids. @return how many */
static unsigned adding_tokens(struct adding *x, struct drg_str folded)
{
	drg_normal_tokens(folded, &x->tokens);
	for (unsigned i = 0; i < x->tokens.n && x->rc == DRG_OK; i++)
		x->rc = drg_vocab_add(x->l->vocab, x->tokens.t[i], &x->ids[i]);
	return x->rc == DRG_OK ? x->tokens.n : 0;
}

static uint64_t joined_hash(const struct adding *x, unsigned n_tokens)
{
	char text[2 * DRG_NORMAL_MAX];
	size_t n = 0;
	for (unsigned i = 0; i < n_tokens; i++) {
		struct drg_str t = drg_token_text(x->l->vocab, x->ids[i]);
		for (size_t k = 0; k < t.n && n < sizeof text; k++)
			text[n++] = t.p[k];
	}
	return drg_match_hash(drg_str(text, n), 0);
}

/* Compute the hash of the core. It is a sum over a set, so the order of tokens does not matter. */
static void fill_core(const struct adding *x, unsigned n, struct drg_form *f)
{
	uint32_t sorted[DRG_NORMAL_TOKENS];
	memcpy(sorted, x->ids, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, place_by_number);
	for (unsigned i = 0; i < n; i++) {
		if ((i > 0 && sorted[i] == sorted[i - 1]) ||
		    (drg_token(x->l->vocab, sorted[i])->classes & DRG_WORD_TYPE) != 0)
			continue;
		f->core += drg_match_hash(drg_token_text(x->l->vocab, sorted[i]), 1);
		f->n_core++;
	}
}

static void fill_flags(const struct adding *x, unsigned n, struct drg_form *f)
{
	for (unsigned i = 0; i < n; i++) {
		const struct drg_token *t = drg_token(x->l->vocab, x->ids[i]);
		f->has_number = f->has_number || t->digits != 0;
		f->has_residence = f->has_residence || (t->classes & DRG_WORD_RESIDENCE) != 0;
	}
}

static void add_seen_tokens(struct adding *x, unsigned n)
{
	for (unsigned i = 0; i < n && x->n_seen < DRG_ARRAY_LEN(x->seen); i++) {
		unsigned k = 0;
		while (k < x->n_seen && x->seen[k] != x->ids[i])
			k++;
		if (k == x->n_seen)
			x->seen[x->n_seen++] = x->ids[i];
	}
}

static bool form_is_new(const struct adding *x, const struct drg_form *f)
{
	for (unsigned i = 0; i < x->r.n_forms; i++)
		if (drg_place_form(x->l, &x->r, i)->joined == f->joined &&
		    drg_place_form(x->l, &x->r, i)->core == f->core)
			return false;
	return true;
}

/* Add a form with the tokens in x->ids. */
static void adding_form(struct adding *x, unsigned n, bool local)
{
	struct drg_places *l = x->l;
	struct drg_form f = {
		.joined = joined_hash(x, n), .n = (uint16_t)n, .local = local, .former = x->former
	};
	fill_core(x, n, &f);
	if (x->rc != DRG_OK || !form_is_new(x, &f) || (local && f.n_core == 0))
		return;
	fill_flags(x, n, &f);
	f.tokens = (uint32_t)(l->tokens.n / sizeof(uint32_t));
	drg_buf_add(&l->tokens, x->ids, n * sizeof *x->ids);
	drg_buf_add(&l->forms, &f, sizeof f);
	if (x->r.n_forms < FORMS_HEARD)
		x->is_other[x->r.n_forms] = x->other;
	x->r.n_forms++;
	add_seen_tokens(x, n);
	x->rc = l->forms.rc != DRG_OK ? l->forms.rc : l->tokens.rc;
}

/* Mark the words of a name in Latin letters: words in other letters are matched to them by sound
 * (match/sounds.h). */
static void mark_latin(const struct adding *x, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		drg_vocab_mark(x->l->vocab, x->ids[i], DRG_WORD_LATIN);
}

static void adding_name(struct adding *x, struct drg_str name)
{
	unsigned n = adding_tokens(x, drg_normal_fold(x->normal, name));
	x->other = drg_normal_has_other_script(name);
	if (x->rc == DRG_OK && !x->other)
		mark_latin(x, n);
	if (x->rc == DRG_OK)
		adding_form(x, n, false);
}

/* The words that each word of a form may mean, and the present choice. */
struct hearing {
	uint32_t word[DRG_NORMAL_TOKENS][DRG_SOUNDS_ALIKE];
	unsigned n_words[DRG_NORMAL_TOKENS], at[DRG_NORMAL_TOKENS];
};

/* Go to the next choice, the last words first. @return false: there is none */
static bool hearing_next(struct hearing *h, unsigned n)
{
	while (n-- > 0) {
		if (++h->at[n] < h->n_words[n])
			return true;
		h->at[n] = 0;
	}
	return false;
}

/* Add forms for a form in other letters, in the words of the reference that sound like it. */
static void adding_heard(struct adding *x, unsigned form)
{
	const struct drg_form f = *drg_place_form(x->l, &x->r, form);
	const uint32_t *t = drg_place_tokens(x->l, f.tokens);
	struct hearing h = { .n_words = { 0 } };
	unsigned forms = 0;
	for (unsigned i = 0; i < f.n; i++)
		h.n_words[i] = drg_sounds_like(x->l->vocab->sounds, t[i], h.word[i]);
	do {
		for (unsigned i = 0; i < f.n; i++)
			x->ids[i] = h.word[i][h.at[i]];
		x->former = f.former;
		adding_form(x, f.n, f.local);
	} while (x->rc == DRG_OK && ++forms < HEARD_FORMS && hearing_next(&h, f.n));
}

static void adding_all_heard(struct adding *x)
{
	unsigned n = x->r.n_forms < FORMS_HEARD ? x->r.n_forms : FORMS_HEARD;
	for (unsigned i = 0; i < n && x->rc == DRG_OK; i++)
		if (x->is_other[i])
			adding_heard(x, i);
}

/* The place of the tokens of a city in those of a form; n: none. */
static unsigned place_find_city(const uint32_t *t, unsigned n, const uint32_t *city, unsigned n_city)
{
	for (unsigned i = 0; n_city > 0 && i + n_city <= n; i++)
		if (memcmp(t + i, city, n_city * sizeof *t) == 0)
			return i;
	return n;
}

/* For each form that contains the name of its city, add one without it. */
static void adding_city(struct adding *x, const uint32_t *city, unsigned n_city)
{
	unsigned n_forms = x->r.n_forms;
	for (unsigned i = 0; i < n_forms && x->rc == DRG_OK; i++) {
		const struct drg_form *f = drg_place_form(x->l, &x->r, i);
		const uint32_t *t = drg_place_tokens(x->l, f->tokens);
		unsigned n = f->n, at = place_find_city(t, n, city, n_city);
		if (at == n || n == n_city)
			continue;
		if (n_city > f->n_city) {
			struct drg_form *own = (struct drg_form *)(void *)x->l->forms.p + x->r.forms + i;
			own->city_at = (uint8_t)at;
			own->n_city = (uint8_t)n_city;
		}
		memcpy(x->ids, t, at * sizeof *t);
		memcpy(x->ids + at, t + at + n_city, (n - at - n_city) * sizeof *t);
		x->other = i < FORMS_HEARD && x->is_other[i];
		x->former = f->former;
		adding_form(x, n - n_city, true);
	}
}

static void adding_city_name(struct adding *x, struct drg_str name)
{
	uint32_t city[DRG_NORMAL_TOKENS];
	unsigned n = adding_tokens(x, drg_normal_fold(x->normal, name));
	memcpy(city, x->ids, n * sizeof *city);
	adding_city(x, city, n);
}

/* The tokens of a city's name; normalised at first use. @return how many */
static unsigned adding_known(struct adding *x, struct drg_place_city *c, const uint32_t **ret)
{
	struct drg_buf *phrases = &x->l->vocab->phrases;
	if (!c->known) {
		c->n_tokens = (uint16_t)adding_tokens(x, drg_normal_fold(x->normal, c->name));
		c->tokens = (uint32_t)(phrases->n / sizeof *x->ids);
		drg_buf_add(phrases, x->ids, c->n_tokens * sizeof *x->ids);
		x->rc = x->rc == DRG_OK ? phrases->rc : x->rc;
		c->known = x->rc == DRG_OK;
	}
	*ret = (const uint32_t *)(const void *)phrases->p + (c->known ? c->tokens : 0);
	return c->known ? c->n_tokens : 0;
}

/* For each form that ends with the name of its country, add one without it. */
static void adding_country(struct adding *x, struct drg_place_city *country)
{
	const uint32_t *name;
	unsigned n_forms = x->r.n_forms, n_name = adding_known(x, country, &name);
	for (unsigned i = 0; i < n_forms && n_name > 0 && x->rc == DRG_OK; i++) {
		const struct drg_form *f = drg_place_form(x->l, &x->r, i);
		unsigned n = f->n > n_name ? f->n - n_name : 0;
		const uint32_t *t = drg_place_tokens(x->l, f->tokens);
		if (n < 2 || memcmp(t + n, name, n_name * sizeof *t) != 0)
			continue;
		memcpy(x->ids, t, n * sizeof *t);
		x->other = i < FORMS_HEARD && x->is_other[i];
		x->former = f->former;
		adding_form(x, n, f->local);
	}
}

static void adding_known_city(struct adding *x, struct drg_place_city *c)
{
	const uint32_t *name;
	unsigned n = adding_known(x, c, &name);
	if (n > 0)
		adding_city(x, name, n);
}

static void adding_cities(struct adding *x, const struct drg_place_input *in)
{
	unsigned n = in->city_name.n > 0;
	for (unsigned i = 0; i < in->n_countries && i < DRG_PLACE_CITIES && x->rc == DRG_OK; i++)
		adding_country(x, &in->countries[i]);
	if (n > 0)
		adding_city_name(x, in->city_name);
	for (unsigned i = 0; i < in->n_cities && n < DRG_PLACE_CITIES && x->rc == DRG_OK; i++, n++)
		adding_known_city(x, &in->cities[i]);
}

static void count_key(struct adding *x, uint64_t key)
{
	if (x->rc == DRG_OK)
		x->rc = drg_tally_add(&x->l->often, key);
}

/* Count a name or core, in the whole list and in its country and city. */
static void count_everywhere(struct adding *x, uint64_t key)
{
	count_key(x, key);
	if (x->r.country != DRG_PLACE_UNKNOWN)
		count_key(x, drg_area_key(key, DRG_AREA_COUNTRY, x->r.country));
}

/* Count the names and cores of its forms, each once. */
static void count_forms(struct adding *x)
{
	for (unsigned i = 0; i < x->r.n_forms; i++) {
		const struct drg_form *f = drg_place_form(x->l, &x->r, i);
		bool name = true, core = true;
		for (unsigned k = 0; k < i; k++) {
			name = name && drg_place_form(x->l, &x->r, k)->joined != f->joined;
			core = core && drg_place_form(x->l, &x->r, k)->core != f->core;
		}
		if (name)
			count_everywhere(x, f->joined);
		if (core)
			count_everywhere(x, drg_core_key(f->core));
		if (core && x->r.city != DRG_PLACE_UNKNOWN)
			count_key(x, drg_area_key(drg_core_key(f->core), DRG_AREA_CITY, x->r.city));
	}
}

static void place_count_token(struct adding *x, struct drg_buf *df, uint32_t t)
{
	size_t wanted = ((size_t)t + 1) * sizeof(uint32_t), had = df->n;
	if (wanted > had) {
		if (!drg_buf_reserve(df, wanted - had)) {
			x->rc = DRG_ENOMEM;
			return;
		}
		memset(df->p + had, 0, wanted - had);
		df->n = wanted;
	}
	((uint32_t *)(void *)df->p)[t]++;
}

static bool is_house(struct drg_str word, struct drg_str *ret)
{
	size_t n = 0;
	while (n < word.n && word.p[n] >= '0' && word.p[n] <= '9')
		n++;
	*ret = drg_str(word.p, n);
	return n > 0 && (n == word.n || (n + 1 == word.n));
}

static void adding_houses(struct adding *x, struct drg_str folded)
{
	struct drg_str rest = folded, word, number;
	while (folded.n > 0 && drg_str_split(&rest, ' ', &word))
		if (is_house(word, &number)) {
			uint64_t h = drg_match_hash(number, 0);
			drg_buf_add(&x->l->houses, &h, sizeof h);
			x->r.n_houses++;
		}
}

static void adding_address(struct adding *x, struct drg_str address)
{
	struct drg_str folded = drg_normal_fold(x->normal, address);
	x->r.address = (uint32_t)(x->l->tokens.n / sizeof(uint32_t));
	x->r.has_address = true;
	x->r.houses = (uint32_t)(x->l->houses.n / sizeof(uint64_t));
	adding_houses(x, folded);
	unsigned n = adding_tokens(x, folded);
	drg_buf_add(&x->l->tokens, x->ids, n * sizeof *x->ids);
	x->r.n_address = (uint16_t)n;
	for (unsigned i = 0; i < n && x->rc == DRG_OK; i++) {
		unsigned k = 0;
		while (k < i && x->ids[k] != x->ids[i])
			k++;
		if (k == i)
			place_count_token(x, &x->l->address_df, x->ids[i]);
	}
}

static void adding_zip(struct adding *x, struct drg_str zip)
{
	struct drg_str folded = drg_normal_fold(x->normal, zip);
	x->r.zip = (uint32_t)x->l->zips.n;
	for (size_t i = 0; i < folded.n; i++)
		if (folded.p[i] != ' ')
			drg_buf_char(&x->l->zips, folded.p[i]);
	x->r.n_zip = (uint16_t)(x->l->zips.n - x->r.zip);
}

int drg_places_add(struct drg_places *l, struct drg_normal *n, const struct drg_place_input *in)
{
	struct adding x = { .l = l, .normal = n, .rc = DRG_OK };
	x.r = (struct drg_place_record){ .lat = in->lat,
		                         .lng = in->lng,
		                         .id = in->id,
		                         .country = in->country,
		                         .city = in->city,
		                         .category = in->category };
	x.r.forms = (uint32_t)(l->forms.n / sizeof(struct drg_form));
	for (unsigned i = 0; i < in->n_names && x.rc == DRG_OK; i++) {
		x.former = (in->former >> i & 1) != 0;
		adding_name(&x, in->names[i]);
	}
	if (x.rc == DRG_OK)
		adding_cities(&x, in);
	if (l->vocab->sounds != NULL)
		adding_all_heard(&x);
	count_forms(&x);
	for (unsigned i = 0; i < x.n_seen && x.rc == DRG_OK; i++)
		place_count_token(&x, &l->df, x.seen[i]);
	if (x.rc == DRG_OK && in->address.n > 0)
		adding_address(&x, in->address);
	if (x.rc == DRG_OK && in->zip.n > 0)
		adding_zip(&x, in->zip);
	drg_buf_add(&l->records, &x.r, sizeof x.r);
	int failed = l->records.rc | l->houses.rc | l->zips.rc | l->tokens.rc;
	return x.rc == DRG_OK && failed == DRG_OK ? DRG_OK : DRG_ENOMEM;
}
