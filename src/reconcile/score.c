#include <assert.h>
#include <math.h>

#include "match/compare.h"
#include "match/similar.h"
#include "match/words.h"
#include "reconcile/score_priv.h"

/* Metres: the same place; near; too far for one house. */
enum { HERE = 300, NEAR = 1000, FAR = 5000 };
/* How like names are: it may be meant; it likely is the same; it surely is. Points that a certain match is
 * ahead. */
#define SOMEWHAT 0.4F
#define ALIKE 0.9F
#define NEARLY_SAME 0.97F
enum { AHEAD = 10 };

/* ---- the words of a query ------------------------------------------------------------------------------ */

static float asked_weight(const struct drg_recon_index *x, uint32_t number)
{
	assert(number == DRG_RECON_NO_WORD || number < x->n_words);
	return number != DRG_RECON_NO_WORD ? x->words[number].weight
	                                   : 1 + log2f((float)(x->names.n_records + 1));
}

void drg_recon_ask(struct drg_recon_asked *a, const struct drg_recon_index *x,
                   const struct drg_recon_query *q)
{
	struct drg_str rest = q->text, word;
	*a = (struct drg_recon_asked){ .x = x, .q = q };
	while (a->n < DRG_RECON_QUERY_WORDS && drg_str_split(&rest, ' ', &word)) {
		if (word.n == 0)
			continue;
		a->words[a->n] = word;
		a->numbers[a->n] = drg_recon_word_of(x, word);
		a->weights[a->n] = asked_weight(x, a->numbers[a->n]);
		a->n++;
	}
}

/* ---- names --------------------------------------------------------------------------------------------- */

/* Most pairs of words have nothing in common: seen at a glance, before the letters are counted. */
static bool score_may_be_like(struct drg_str a, struct drg_str b)
{
	size_t more = a.n > b.n ? a.n - b.n : b.n - a.n;
	return more <= 3 && a.n > 0 && b.n > 0 && (a.p[0] == b.p[0] || a.p[a.n - 1] == b.p[b.n - 1]);
}

/* How alike a word of the query and one of a name are that are not the same: 0, or 0.86 and more. */
static float score_word(const struct drg_recon_asked *a, unsigned i, const char *other)
{
	assert(i < a->n);
	struct drg_str word = drg_str_c(other);
	if (a->q->beginning && i + 1 == a->n && a->words[i].n <= word.n &&
	    memcmp(word.p, a->words[i].p, a->words[i].n) == 0)
		return 0.95F;
	return score_may_be_like(a->words[i], word) ? (float)drg_similar_tokens(a->words[i], word) : 0;
}

struct score_pairs {
	const uint32_t *words;
	unsigned n, used; /* used: a bit for each */
	float same, all; /* weights: of what is in both, of everything */
};

static void score_pair_equal(const struct drg_recon_asked *a, struct score_pairs *p, unsigned *open)
{
	assert(p->n <= 32); /* a bit for each */
	for (unsigned i = 0; i < a->n; i++)
		for (unsigned j = 0; j < p->n; j++)
			if ((p->used >> j & 1) == 0 && p->words[j] == a->numbers[i]) {
				p->used |= 1U << j;
				*open &= ~(1U << i);
				p->same += 2 * a->weights[i];
				p->all += 2 * a->weights[i];
				break;
			}
}

static void score_pair_like(const struct drg_recon_asked *a, struct score_pairs *p, unsigned i)
{
	float best = 0;
	unsigned at = 0;
	for (unsigned j = 0; j < p->n; j++) {
		float like = p->used >> j & 1 ? 0 : score_word(a, i, drg_recon_word_text(a->x, p->words[j]));
		at = like > best ? j : at;
		best = like > best ? like : best;
	}
	if (best == 0) {
		p->all += a->weights[i];
		return;
	}
	float weight = 2 * a->x->words[p->words[at]].weight; /* one that nobody knows is not a rare one */
	p->used |= 1U << at;
	p->same += best * best * weight;
	p->all += weight;
}

/* Without their spaces. */
static bool score_joined(struct drg_str a, struct drg_str b)
{
	size_t i = 0, j = 0;
	for (;;) {
		while (i < a.n && a.p[i] == ' ')
			i++;
		while (j < b.n && b.p[j] == ' ')
			j++;
		if (i == a.n || j == b.n)
			return i == a.n && j == b.n;
		if (a.p[i++] != b.p[j++])
			return false;
	}
}

static float score_name(const struct drg_recon_asked *a, const struct drg_spelled *name)
{
	struct score_pairs p = { .words = a->x->name_words + name->words, .n = name->n_words };
	unsigned open = (1U << a->n) - 1;
	score_pair_equal(a, &p, &open);
	for (unsigned i = 0; i < a->n; i++)
		if (open >> i & 1)
			score_pair_like(a, &p, i);
	float asked = p.all;
	for (unsigned j = 0; j < p.n; j++)
		if ((p.used >> j & 1) == 0)
			p.all += a->x->words[p.words[j]].weight;
	float score = p.all > 0 ? p.same / p.all : 0;
	if (score < ALIKE && score_joined(a->q->text, drg_recon_name_text(a->x, name)))
		score = NEARLY_SAME;
	return a->q->beginning && asked > 0 ? 0.7F * p.same / asked + 0.3F * score : score;
}

static bool word_is_vital(const struct drg_recon_asked *a, unsigned i)
{
	if (a->numbers[i] != DRG_RECON_NO_WORD)
		return a->x->words[a->numbers[i]].vital;
	for (size_t k = 0; k < a->words[i].n; k++)
		if (a->words[i].p[k] >= '0' && a->words[i].p[k] <= '9')
			return true;
	return false;
}

static bool score_vital(const struct drg_recon_asked *a, const struct drg_spelled *name)
{
	const uint32_t *words = a->x->name_words + name->words;
	unsigned met = 0;
	for (unsigned i = 0; i < a->n; i++) {
		unsigned j = 0;
		while (j < name->n_words && (words[j] != a->numbers[i] || met >> j & 1))
			j++;
		met |= j < name->n_words ? 1U << j : 0;
		if (j == name->n_words && word_is_vital(a, i))
			return false;
	}
	for (unsigned j = 0; j < name->n_words; j++)
		if ((met >> j & 1) == 0 && a->x->words[words[j]].vital)
			return false;
	return true;
}

static void score_names(const struct drg_recon_asked *a, struct drg_recon_found *f)
{
	const struct drg_spelled *best = NULL;
	for (unsigned k = 0; k < f->record->n_spelled; k++) {
		const struct drg_spelled *name = drg_recon_spelled(a->x, f->record) + k;
		struct drg_str text = drg_recon_name_text(a->x, name);
		bool exact = drg_str_eq(a->q->text, text);
		float score = exact ? 1 : 0.99F * score_name(a, name);
		if (name->code && a->q->code.n > 0 && drg_str_eq(a->q->code, text))
			f->code = DRG_RECON_SAME;
		if (best != NULL && score <= f->name)
			continue;
		best = name;
		f->name = score;
		f->exact = exact;
	}
	f->vital = best != NULL && score_vital(a, best);
}

/* ---- places -------------------------------------------------------------------------------------------- */

static int8_t score_says(const struct drg_recon_ids *ids, int64_t id)
{
	if (ids->n == 0 || id == DRG_NAMED_UNKNOWN)
		return DRG_RECON_NOT_SAID;
	for (unsigned i = 0; i < ids->n; i++)
		if (ids->v[i] == id)
			return DRG_RECON_SAME;
	return DRG_RECON_OTHER;
}

static float score_metres(const struct drg_recon_query *q, const struct drg_named *r)
{
	struct drg_place_record a = { .lat = q->lat, .lng = q->lng },
	                        b = { .lat = (double)r->lat, .lng = (double)r->lng };
	return drg_place_located(&a) && drg_place_located(&b) ? (float)drg_metres(&a, &b) : NAN;
}

int drg_recon_fits(const struct drg_recon_query *q, const struct drg_named *r)
{
	int fits = 2 * score_says(&q->city, r->city) + score_says(&q->country, r->country);
	/* About 1.5 and 10 km at most, without the trigonometry: many are asked. */
	double off = fmax(fabs(q->lat - (double)r->lat), fabs(q->lng - (double)r->lng) / 2);
	return isnan(q->lat) || isnan(r->lat) ? fits : fits + (off < 0.0135) - (off > 0.09);
}

/* Nearer to 100 by a part of what is missing. */
static float score_raise(float score, float part)
{
	return score + (100 - score) * part;
}

static float score_of(const struct drg_recon_found *f)
{
	if (f->id)
		return 100;
	bool near = f->metres <= NEAR;
	float score = 100 * f->name;
	if (f->country == DRG_RECON_OTHER)
		score *= 0.5F;
	if (f->city == DRG_RECON_OTHER && !near)
		score *= 0.8F;
	if (f->category == DRG_RECON_OTHER)
		score *= 0.95F;
	if (f->code == DRG_RECON_OTHER)
		score *= 0.5F;
	if (f->metres > NEAR)
		score *= f->metres > FAR ? 0.6F : 0.9F;
	if (f->code == DRG_RECON_SAME)
		score = score_raise(score, 0.8F);
	if (f->name < SOMEWHAT)
		return score;
	if (near)
		score = score_raise(score, f->metres <= HERE ? 0.4F : 0.2F);
	return f->city == DRG_RECON_SAME ? score_raise(score, 0.2F) : score;
}

void drg_recon_score(const struct drg_recon_asked *a, const struct drg_named *r, struct drg_recon_found *ret)
{
	*ret = (struct drg_recon_found){ .record = r };
	ret->id = a->q->by_id && a->q->id_type == r->kind && a->q->id == r->id;
	ret->code = a->q->code.n > 0 ? DRG_RECON_OTHER : DRG_RECON_NOT_SAID;
	score_names(a, ret);
	ret->country = score_says(&a->q->country, r->country);
	ret->city = score_says(&a->q->city, r->city);
	ret->category = score_says(&a->q->category, r->category);
	ret->metres = score_metres(a->q, r);
	ret->score = score_of(ret);
}

/* ---- is it sure? --------------------------------------------------------------------------------------- */

/* The name of a hotel says too little: others are called so, and need not be in the reference. */
static bool sure_of_place(const struct drg_recon_found *f)
{
	return drg_kind_compared(f->record->kind) != DRG_COMPARED_HOTELS || f->city == DRG_RECON_SAME ||
	       f->metres <= HERE;
}

static bool sure_of_name(const struct drg_recon_found *f)
{
	bool hotel = drg_kind_compared(f->record->kind) == DRG_COMPARED_HOTELS;
	return f->exact || (f->code == DRG_RECON_SAME && f->name >= SOMEWHAT) ||
	       (hotel && f->vital && f->name >= ALIKE) || (f->vital && f->name >= NEARLY_SAME);
}

bool drg_recon_is_sure(const struct drg_recon_query *q, const struct drg_recon_found *best, unsigned n)
{
	if (n == 0 || q->beginning || !(best->id || (sure_of_name(best) && sure_of_place(best))))
		return false;
	if (best->country == DRG_RECON_OTHER || best->code == DRG_RECON_OTHER ||
	    best->category == DRG_RECON_OTHER || best->metres > NEAR ||
	    (best->city == DRG_RECON_OTHER && !(best->metres <= HERE)))
		return false;
	if ((q->country.given && q->country.n == 0 && best->record->country != DRG_NAMED_UNKNOWN))
		return false;
	return n == 1 || best[0].score - best[1].score >= AHEAD;
}
