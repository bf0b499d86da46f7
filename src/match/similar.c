#include "match/similar.h"

#include <assert.h>

#include "match/normal.h"

/* ---- edit distance -------------------------------------------------------------------------------------- */

/* By the bits of a machine word, a column of the table at a time (Myers; Hyyrö). @param a  1..64 letters */
static unsigned distance_by_bits(struct drg_str a, struct drg_str b)
{
	uint64_t at[256], up = ~UINT64_C(0), down = 0, last = UINT64_C(1) << (a.n - 1);
	unsigned distance = (unsigned)a.n;
	for (size_t i = 0; i < b.n; i++)
		at[(unsigned char)b.p[i]] = 0;
	for (size_t i = 0; i < a.n; i++)
		at[(unsigned char)a.p[i]] = 0;
	for (size_t i = 0; i < a.n; i++)
		at[(unsigned char)a.p[i]] |= UINT64_C(1) << i;
	for (size_t i = 0; i < b.n; i++) {
		uint64_t same = at[(unsigned char)b.p[i]];
		uint64_t diagonal = (((same & up) + up) ^ up) | same | down;
		uint64_t right = down | ~(diagonal | up), left = up & diagonal;
		distance += (right & last) != 0;
		distance -= (left & last) != 0;
		right = right << 1 | 1;
		up = left << 1 | ~(diagonal | right);
		down = right & diagonal;
	}
	return distance;
}

static unsigned distance_by_rows(struct drg_str a, struct drg_str b)
{
	uint16_t row[DRG_NORMAL_MAX + 1];
	for (size_t j = 0; j <= b.n; j++)
		row[j] = (uint16_t)j;
	for (size_t i = 1; i <= a.n; i++) {
		uint16_t diagonal = row[0];
		row[0] = (uint16_t)i;
		for (size_t j = 1; j <= b.n; j++) {
			uint16_t best = (uint16_t)(diagonal + (a.p[i - 1] != b.p[j - 1]));
			diagonal = row[j];
			if (row[j] + 1 < best)
				best = (uint16_t)(row[j] + 1);
			if (row[j - 1] + 1 < best)
				best = (uint16_t)(row[j - 1] + 1);
			row[j] = best;
		}
	}
	return row[b.n];
}

unsigned drg_edit_distance(struct drg_str a, struct drg_str b)
{
	assert(a.n <= DRG_NORMAL_MAX && b.n <= DRG_NORMAL_MAX);
	if (a.n > b.n) {
		struct drg_str other = a;
		a = b;
		b = other;
	}
	if (a.n == 0)
		return (unsigned)b.n;
	return a.n <= 64 ? distance_by_bits(a, b) : distance_by_rows(a, b);
}

/* ---- Jaro and Winkler ----------------------------------------------------------------------------------- */

/* Marks in @p order, for each letter of @p a (the shorter), the how-manieth match it is. @return how many matches */
static unsigned jaro_pair_up(struct drg_str a, struct drg_str b, uint16_t *order)
{
	size_t half = (a.n + 1) / 2, to = a.n + half < b.n ? a.n + half : b.n;
	unsigned matches = 0;
	memset(order, 0, a.n * sizeof *order);
	for (size_t i = 0; i < to; i++) {
		size_t end = i < half ? i + half + 1 : a.n;
		for (size_t j = i < half ? 0 : i - half; j < end && j < a.n; j++)
			if (a.p[j] == b.p[i] && order[j] == 0) {
				order[j] = (uint16_t)++matches;
				break;
			}
	}
	return matches;
}

static double jaro(struct drg_str a, struct drg_str b)
{
	uint16_t order[DRG_NORMAL_MAX];
	unsigned matches = jaro_pair_up(a, b, order), seen = 0, out_of_order = 0;
	if (matches == 0)
		return 0;
	for (size_t j = 0; j < a.n; j++)
		if (order[j] != 0)
			out_of_order += order[j] != ++seen;
	double m = matches;
	return (m / (double)a.n + m / (double)b.n + 1.0 - out_of_order / m / 2.0) / 3.0;
}

double drg_jaro_winkler(struct drg_str a, struct drg_str b)
{
	if (a.n > b.n) {
		struct drg_str other = a;
		a = b;
		b = other;
	}
	if (a.n == 0)
		return b.n == 0 ? 1 : 0;
	size_t common = 0;
	while (common < a.n && a.p[common] == b.p[common])
		common++;
	double j = jaro(a, b);
	j += (1.0 - j) * (double)common * 0.1;
	return j > 1 ? 1 : j;
}

/* ---- tokens --------------------------------------------------------------------------------------------- */

static bool is_number(struct drg_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.n > 0;
}

/* Nothing that two tokens have in common can bring them to 0.88 if their lengths and letters are too different: most pairs
 * end here. */
static bool hopeless(struct drg_str a, struct drg_str b)
{
	return a.p[0] != b.p[0] && a.n * 2 < b.n;
}

double drg_similar_tokens(struct drg_str a, struct drg_str b)
{
	if (a.n > b.n) {
		struct drg_str other = a;
		a = b;
		b = other;
	}
	if (a.n < 3 || is_number(a) || is_number(b) || hopeless(a, b))
		return 0;
	double begins = 0;
	if (a.n >= 4 && memcmp(a.p, b.p, a.n) == 0)
		begins = 0.86 + 0.1 * (double)a.n / (double)b.n;
	if (a.n == b.n && a.n >= 4 && drg_edit_distance(a, b) == 1) {
		double one = 0.9 + 0.005 * (a.n < 10 ? (double)a.n : 10);
		return begins > one ? begins : one;
	}
	double jw = drg_jaro_winkler(a, b);
	return jw >= 0.88 && jw > begins ? jw : begins;
}
