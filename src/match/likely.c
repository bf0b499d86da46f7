#include "match/likely.h"

#include <assert.h>
#include <math.h>

#include "base/compiler.h"

enum { BITS_MAX = 64 }; /* beyond this the odds of the others are zero */

/* Calibration of the bits of hotels by reason: bits become from + slope * bits, and those of the prior where
 * it counts. Fitted on made-up suppliers, of whose houses the reference has all or half, and on real lists;
 * docs/matching.md has the measurements. Where two are alike made-up lists cannot tell, since real references
 * have houses twice; sister words and claims are as often wrong in a list that the reference has whole. */
static const struct calibration {
	enum drg_match_reason reason;
	double from, slope;
	bool prior; /* it counts */
} calibrated[] = {
	{ DRG_WHY_BELOW_THRESHOLD, 0.7, 1.0, true },   { DRG_WHY_LACKS_PLACE, 0.3, 1.0, true },
	{ DRG_WHY_CITY_UNMAPPED, 0.7, 1.0, true },     { DRG_WHY_COUNTRY_UNMAPPED, 0.0, 1.0, true },
	{ DRG_WHY_VETO_RESIDENCE, 0.16, 0.35, false }, { DRG_WHY_VETO_FAR, -5.0, 1.0, false },
	{ DRG_WHY_VETO_CITY, -5.0, 1.0, false },
};

static const struct calibration *likely_of(enum drg_kind kind, enum drg_match_reason reason)
{
	static const struct calibration other = { DRG_WHY_COUNT, 0.0, 1.0, false };
	for (unsigned i = 0; drg_kind_compared(kind) == DRG_COMPARED_HOTELS && i < DRG_ARRAY_LEN(calibrated);
	     i++)
		if (calibrated[i].reason == reason)
			return &calibrated[i];
	return &other;
}

double drg_match_odds(enum drg_kind kind, enum drg_match_reason reason, const double *bits, unsigned n)
{
	const struct calibration *c = likely_of(kind, reason);
	double others = 1;
	assert(n > 0);
	for (unsigned i = 1; i < n; i++)
		others += exp2(fmin(bits[i], BITS_MAX));
	return c->from + c->slope * (fmin(bits[0], BITS_MAX) - log2(others));
}

double drg_match_prior(int64_t sure, int64_t records)
{
	/* A short list says little: as if of 20 records more half were in the reference. Where few are mapped,
	 * the others are mostly houses that the reference lacks, and their bits say so. */
	const double more = 10, most = 4; /* the measured lists had no more */
	assert(sure >= 0);
	const double others = records > sure ? (double)(records - sure) : 0;
	return fmax(0, fmin(log2(((double)sure + more) / (others + more)), most));
}

double drg_match_probability(enum drg_kind kind, enum drg_match_reason reason, double odds, double prior)
{
	if (drg_kind_compared(kind) != DRG_COMPARED_HOTELS)
		return 0; /* names and codes are found or not: nothing was ever weighed in bits */
	return 1 / (1 + exp2(-odds - (likely_of(kind, reason)->prior ? prior : 0)));
}
