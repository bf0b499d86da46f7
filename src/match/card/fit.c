#include "match/card/fit.h"

#include <assert.h>
#include <stdlib.h>

enum { FIT_MAX = 1 + DRG_CMP_COUNT * DRG_SCORECARD_LEVELS, FIT_STEPS = 50 };
#define RIDGE 8.0 /* penalty for the square of a change, in nats */
#define STEP_MAX (2 * M_LN2) /* two bits at once */
#define SETTLED 1e-6

/* The fitted sum, in nats, is the sum of the scorecard and, for each parameter, its value times its change. */
struct fit {
	const struct drg_scorecard *from;
	enum drg_fit_what what;
	unsigned n; /* number of parameters */
	unsigned place[DRG_CMP_COUNT][DRG_SCORECARD_LEVELS]; /* parameter of a level; 0: it does not change */
	double change[FIT_MAX], slope[FIT_MAX], curve[FIT_MAX][FIT_MAX];
};

struct fit_term {
	unsigned i;
	double value;
};

/* ---- the parameters ------------------------------------------------------------------------------------ */

static bool level_may_change(unsigned comparison, unsigned level)
{
	return level > 0 || comparison == DRG_CMP_NAME || comparison == DRG_CMP_DISTANCE;
}

static void fit_lay_out(struct fit *f)
{
	f->n = 1; /* the bias */
	if (f->what == DRG_FIT_SCALE) {
		f->n = 2;
		return;
	}
	for (unsigned c = 0; c < DRG_CMP_COUNT; c++)
		for (unsigned l = 0; l < f->from->levels[c]; l++)
			if (level_may_change(c, l))
				f->place[c][l] = f->n++;
}

/* @return how many terms of @p ret */
static unsigned fit_terms(const struct fit *f, const struct drg_fit_pair *p, double sum, struct fit_term *ret)
{
	unsigned n = 0;
	ret[n++] = (struct fit_term){ 0, 1 };
	if (f->what == DRG_FIT_SCALE)
		ret[n++] = (struct fit_term){ 1, sum - f->from->bias * M_LN2 };
	else
		for (unsigned c = 0; c < DRG_CMP_COUNT; c++)
			if (f->place[c][p->level[c]] > 0)
				ret[n++] = (struct fit_term){ f->place[c][p->level[c]], 1 };
	assert(n <= 1 + DRG_CMP_COUNT);
	return n;
}

/* ---- one step ------------------------------------------------------------------------------------------ */

static void fit_add(struct fit *f, const struct drg_fit_pair *p)
{
	struct fit_term t[1 + DRG_CMP_COUNT];
	double sum = drg_scorecard_sum(f->from, p->level) * M_LN2, now = sum;
	unsigned n = fit_terms(f, p, sum, t);
	for (unsigned i = 0; i < n; i++)
		now += t[i].value * f->change[t[i].i];
	double odds = 1 / (1 + exp(-now)), wrong = odds - (p->same ? 1 : 0), doubt = odds * (1 - odds);
	for (unsigned i = 0; i < n; i++) {
		f->slope[t[i].i] += wrong * t[i].value;
		for (unsigned k = 0; k < n; k++)
			f->curve[t[i].i][t[k].i] += doubt * t[i].value * t[k].value;
	}
}

/* Solve by Cholesky, in place: the ridge makes the matrix positive. @param x  In: the right side; out: the
 * solution. */
static void fit_solve(struct fit *f, double *x)
{
	for (unsigned i = 0; i < f->n; i++)
		for (unsigned k = 0; k <= i; k++) {
			double v = f->curve[i][k];
			for (unsigned j = 0; j < k; j++)
				v -= f->curve[i][j] * f->curve[k][j];
			f->curve[i][k] = i == k ? sqrt(v) : v / f->curve[k][k];
		}
	for (unsigned i = 0; i < f->n; i++) {
		for (unsigned j = 0; j < i; j++)
			x[i] -= f->curve[i][j] * x[j];
		x[i] /= f->curve[i][i];
	}
	for (unsigned i = f->n; i-- > 0;) {
		for (unsigned j = i + 1; j < f->n; j++)
			x[i] -= f->curve[j][i] * x[j];
		x[i] /= f->curve[i][i];
	}
}

/* @return the largest change */
static double fit_step(struct fit *f, const struct drg_fit_pair *v, size_t n)
{
	double largest = 0;
	memset(f->curve, 0, sizeof f->curve);
	for (unsigned i = 0; i < f->n; i++) {
		f->slope[i] = RIDGE * f->change[i];
		f->curve[i][i] = RIDGE;
	}
	for (size_t i = 0; i < n; i++)
		fit_add(f, &v[i]);
	fit_solve(f, f->slope);
	for (unsigned i = 0; i < f->n; i++) {
		double step = fmax(-STEP_MAX, fmin(STEP_MAX, f->slope[i]));
		f->change[i] -= step;
		largest = fmax(largest, fabs(step));
	}
	return largest;
}

/* ---- the fit ------------------------------------------------------------------------------------------- */

static double fit_round(double bits)
{
	return round(bits * 100) / 100 + 0.0;
}

/* Scale the bounds like the bits. */
static void fit_bounds(const struct fit *f, struct drg_scorecard *ret)
{
	double factor = 1 + f->change[1], shift = f->change[0] / M_LN2 - f->from->bias * f->change[1];
	ret->automatic = fit_round(ret->automatic * factor + shift);
	ret->ask = fit_round(ret->ask * factor + shift);
	ret->lead = fit_round(ret->lead * factor);
	for (unsigned i = 0; i < 2; i++)
		ret->clear[i] = fit_round(ret->clear[i] * factor);
}

static void fit_result(const struct fit *f, struct drg_scorecard *ret)
{
	*ret = *f->from;
	if (f->what == DRG_FIT_SCALE)
		fit_bounds(f, ret);
	ret->bias = fit_round(ret->bias + f->change[0] / M_LN2);
	for (unsigned c = 0; c < DRG_CMP_COUNT; c++)
		for (unsigned l = 0; l < ret->levels[c]; l++) {
			double *bits = &ret->bits[c][l];
			if (f->what == DRG_FIT_SCALE)
				*bits = fit_round(*bits * (1 + f->change[1]));
			else if (f->place[c][l] > 0)
				*bits = fit_round(*bits + f->change[f->place[c][l]] / M_LN2);
		}
}

int drg_fit(const struct drg_scorecard *from, const struct drg_fit_pair *v, size_t n, enum drg_fit_what what,
            struct drg_scorecard *ret)
{
	struct fit *f = calloc(1, sizeof *f);
	if (f == NULL)
		return DRG_ENOMEM;
	f->from = from;
	f->what = what;
	fit_lay_out(f);
	for (unsigned i = 0; i < FIT_STEPS && fit_step(f, v, n) > SETTLED; i++)
		continue;
	fit_result(f, ret);
	free(f);
	return DRG_OK;
}

/* ---- cross-validation ---------------------------------------------------------------------------------- */

enum { FOLDS = 5 };

/* A pair and its predictions. */
struct fit_prediction {
	double before, after; /* bits */
	uint64_t record;
	bool same;
};

static unsigned fold_of(uint64_t record)
{
	return (unsigned)((record * UINT64_C(0x9e3779b97f4a7c15) >> 32) % FOLDS);
}

/* Predict the pairs of a fold with weights learnt from the others. @param rest  Room for all pairs. */
static int fit_fold(const struct drg_scorecard *from, const struct drg_fit_pair *v, size_t n,
                    enum drg_fit_what what, unsigned fold, struct drg_fit_pair *rest,
                    struct fit_prediction *ret)
{
	struct drg_scorecard card;
	size_t n_rest = 0;
	for (size_t i = 0; i < n; i++)
		if (fold_of(v[i].record) != fold)
			rest[n_rest++] = v[i];
	int rc = drg_fit(from, rest, n_rest, what, &card);
	for (size_t i = 0; i < n && rc == DRG_OK; i++)
		if (fold_of(v[i].record) == fold)
			ret[i] = (struct fit_prediction){ drg_scorecard_sum(from, v[i].level),
				                          drg_scorecard_sum(&card, v[i].level), v[i].record,
				                          v[i].same };
	return rc;
}

static int prediction_by_record(const void *pa, const void *pb)
{
	const struct fit_prediction *a = pa, *b = pb;
	return a->record < b->record ? -1 : a->record > b->record;
}

static int prediction_by_bits(const void *pa, const void *pb)
{
	const struct fit_prediction *a = pa, *b = pb;
	return a->after > b->after ? -1 : a->after < b->after;
}

static double surprise(double bits, bool same)
{
	return log1p(exp2(same ? -bits : bits)) / M_LN2;
}

/* Judge the gain by record, since the pairs of one record are not independent. @param t  Sorted by record. */
static void judge_gain(const struct fit_prediction *t, size_t n, struct drg_fit_judgement *ret)
{
	double sum = 0, squares = 0, records = 0;
	for (size_t from = 0, to; from < n; from = to, records++) {
		double gain = 0;
		for (to = from; to < n && t[to].record == t[from].record; to++) {
			double before = surprise(t[to].before, t[to].same),
			       after = surprise(t[to].after, t[to].same);
			ret->before += before;
			ret->after += after;
			gain += before - after;
		}
		sum += gain;
		squares += gain * gain;
	}
	double mean = sum / records, spread = fmax(0, squares / records - mean * mean);
	double reach = records > 1 ? 1.96 * sqrt(spread / (records - 1)) : INFINITY;
	ret->before /= records;
	ret->after /= records;
	ret->gain = mean;
	ret->from = mean - reach;
	ret->to = mean + reach;
}

/* @param t  Sorted by bits, the highest first. */
static double judge_bound(double bound, const struct fit_prediction *t, size_t n)
{
	size_t above = 0, wrong = 0, k = 0;
	for (size_t i = 0; i < n; i++)
		if (t[i].before >= bound) {
			above++;
			wrong += !t[i].same;
		}
	while (k < above && (t[k].same || wrong > 0))
		wrong -= !t[k++].same;
	if (k == 0 || k == n)
		return fmax(bound, n > 0 && k == 0 ? t[0].after + 0.01 : bound);
	return (t[k - 1].after + t[k].after) / 2;
}

int drg_fit_judge(const struct drg_scorecard *from, const struct drg_fit_pair *v, size_t n,
                  enum drg_fit_what what, struct drg_fit_judgement *ret)
{
	struct drg_fit_pair *rest = calloc(n + 1, sizeof *rest);
	struct fit_prediction *told = calloc(n + 1, sizeof *told);
	int rc = rest != NULL && told != NULL ? DRG_OK : DRG_ENOMEM;
	*ret = (struct drg_fit_judgement){ .automatic = from->automatic };
	for (unsigned fold = 0; fold < FOLDS && rc == DRG_OK; fold++)
		rc = fit_fold(from, v, n, what, fold, rest, told);
	if (rc == DRG_OK && n > 0) {
		qsort(told, n, sizeof *told, prediction_by_record);
		judge_gain(told, n, ret);
		qsort(told, n, sizeof *told, prediction_by_bits);
		ret->automatic = fit_round(judge_bound(from->automatic, told, n));
	}
	free(rest);
	free(told);
	return rc;
}
