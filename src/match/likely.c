#include "match/likely.h"

#include <math.h>

enum { BITS_MAX = 64 }; /* beyond it the odds of the others are nothing */

/* What is known by bits alone; a calibration by kind and reason goes here. */
double drg_likely_first(enum drg_kind kind, enum drg_match_reason reason, const double *bits, unsigned n)
{
	(void)kind;
	(void)reason;
	double odds = 1;
	for (unsigned i = 0; i < n; i++)
		odds += exp2(fmin(bits[i], BITS_MAX));
	return n > 0 ? exp2(fmin(bits[0], BITS_MAX)) / odds : 0;
}
