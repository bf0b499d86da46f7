#include "match/likely.h"

#include <assert.h>
#include <math.h>

#include "base/compiler.h"

enum { BITS_MAX = 64 }; /* beyond this the odds of the others are zero */

/* Calibration of the bits of hotels by reason: bits become from + slope * bits. Fitted on made-up suppliers;
 * docs/matching.md has the measurements. Other reasons depend on how much of a supplier the reference has,
 * which made-up lists cannot show. */
static const struct {
	enum drg_match_reason reason;
	double from, slope;
} calibrated[] = {
	{ DRG_WHY_VETO_RESIDENCE, 0.16, 0.35 },
	{ DRG_WHY_VETO_FAR, -5.0, 1.0 },
};

static double likely_bits(enum drg_kind kind, enum drg_match_reason reason, double bits)
{
	for (unsigned i = 0; kind == DRG_KIND_HOTEL && i < DRG_ARRAY_LEN(calibrated); i++)
		if (calibrated[i].reason == reason)
			return calibrated[i].from + calibrated[i].slope * bits;
	return bits;
}

double drg_match_probability(enum drg_kind kind, enum drg_match_reason reason, const double *bits, unsigned n)
{
	double odds = 1;
	assert(n == 0 || bits != NULL);
	for (unsigned i = 1; i < n; i++)
		odds += exp2(fmin(bits[i], BITS_MAX));
	if (n == 0)
		return 0;
	return 1 / (1 + exp2(-likely_bits(kind, reason, fmin(bits[0], BITS_MAX) - log2(odds))));
}
