#include "match/card/fit.h"

#include <stdlib.h>

enum { FIT_MAX = 1 + DRG_CMP_COUNT * DRG_SCORECARD_LEVELS, FIT_STEPS = 50 };
#define RIDGE 8.0 /* of the square of a change, in nats */
#define STEP_MAX (2 * M_LN2) /* two bits at once */
#define SETTLED 1e-6

/* The sum in nats is that of the scorecard and, of what may change, value times change. */
struct fit {
	const struct drg_scorecard *from;
	enum drg_fit_what what;
	unsigned n; /* of what may change */
	unsigned place[DRG_CMP_COUNT][DRG_SCORECARD_LEVELS]; /* of a level; 0: it stays */
	double change[FIT_MAX], slope[FIT_MAX], curve[FIT_MAX][FIT_MAX];
};

struct fit_term {
	unsigned i;
	double value;
};

/* ---- what may change -------------------------------------------------------------------------------------- */

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
	return n;
}

/* ---- a step ----------------------------------------------------------------------------------------------- */

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

/* By Cholesky, in place: the ridge makes it positive. @param x  In: the right side; out: the solution. */
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

/* ---- all of it -------------------------------------------------------------------------------------------- */

static double fit_round(double bits)
{
	return round(bits * 100) / 100 + 0.0;
}

static void fit_result(const struct fit *f, struct drg_scorecard *ret)
{
	*ret = *f->from;
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

double drg_fit_loss(const struct drg_scorecard *card, const struct drg_fit_pair *v, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++) {
		double bits = drg_scorecard_sum(card, v[i].level);
		sum += log1p(exp2(v[i].same ? -bits : bits)) / M_LN2;
	}
	return n > 0 ? sum / (double)n : 0;
}
