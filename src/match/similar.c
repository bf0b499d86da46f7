#include "match/similar.h"

#include <assert.h>

#include "match/normal.h"

/* ---- edit distance -------------------------------------------------------------------------------------- */

/* Edit distance by the bits of a machine word, a column of the table at a time (Myers; Hyyrö).
 * @param at  By letter: a bit for each place of the other text that has this letter.
 * @param n   Letters of the other text, 1..64. */
static unsigned distance_by_bits(const uint64_t *at, size_t n, struct drg_str b)
{
	uint64_t up = ~UINT64_C(0), down = 0, last = UINT64_C(1) << (n - 1);
	unsigned distance = (unsigned)n;
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

static unsigned distance_of_short(struct drg_str a, struct drg_str b)
{
	assert(a.n > 0 && a.n <= 64);
	uint64_t at[256];
	for (size_t i = 0; i < b.n; i++)
		at[(unsigned char)b.p[i]] = 0;
	for (size_t i = 0; i < a.n; i++)
		at[(unsigned char)a.p[i]] = 0;
	for (size_t i = 0; i < a.n; i++)
		at[(unsigned char)a.p[i]] |= UINT64_C(1) << i;
	return distance_by_bits(at, a.n, b);
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
	return a.n <= 64 ? distance_of_short(a, b) : distance_by_rows(a, b);
}

void drg_letters_of(struct drg_letters *ret, struct drg_str text)
{
	assert(text.n <= sizeof ret->text);
	memset(ret->at, 0, sizeof ret->at);
	ret->n = text.n;
	for (size_t i = 0; i < text.n; i++) {
		ret->text[i] = text.p[i];
		if (i < 64)
			ret->at[(unsigned char)text.p[i] & 0x7f] |= UINT64_C(1) << i;
	}
}

unsigned drg_letters_distance(const struct drg_letters *l, struct drg_str text)
{
	if (l->n == 0 || l->n > 64)
		return drg_edit_distance(drg_str(l->text, l->n), text);
	return distance_by_bits(l->at, l->n, text);
}

/* ---- Jaro and Winkler ----------------------------------------------------------------------------------- */

/* For each letter of @p a (the shorter text) store in @p order the number of its match. @return how many
 * matches */
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

#define ALIKE 0.88

/* Can two tokens not become similar because their lengths and letters differ too much? Most pairs end here. */
static bool hopeless(struct drg_str a, struct drg_str b)
{
	return a.p[0] != b.p[0] && a.n * 2 < b.n;
}

static bool one_letter_differs(struct drg_str a, struct drg_str b)
{
	unsigned n = 0;
	for (size_t i = 0; i < a.n; i++)
		n += a.p[i] != b.p[i];
	return n == 1;
}

/* The set of letters, a bit each; digits share bits with some letters. */
static uint64_t letters_in(struct drg_str s)
{
	uint64_t all = 0;
	for (size_t i = 0; i < s.n; i++)
		all |= UINT64_C(1) << (s.p[i] & 63);
	return all;
}

static size_t letters_among(struct drg_str s, uint64_t all)
{
	size_t n = 0;
	for (size_t i = 0; i < s.n; i++)
		n += all >> (s.p[i] & 63) & 1;
	return n;
}

/* An upper bound of Jaro-Winkler, by the letters that both have in any order: quick to count. */
static double most_alike(struct drg_str a, struct drg_str b)
{
	size_t na = letters_among(a, letters_in(b)), nb = letters_among(b, letters_in(a)), common = 0;
	double m = (double)(na < nb ? na : nb);
	while (common < a.n && a.p[common] == b.p[common])
		common++;
	double j = m > 0 ? (m / (double)a.n + m / (double)b.n + 1.0) / 3.0 : 0;
	return j + (1.0 - j) * (double)(common < 10 ? common : 10) * 0.1;
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
	if (a.n == b.n && a.n >= 4 && one_letter_differs(a, b)) {
		double one = 0.9 + 0.005 * (a.n < 10 ? (double)a.n : 10);
		return begins > one ? begins : one;
	}
	if (most_alike(a, b) < ALIKE - 0.001)
		return begins;
	double jw = drg_jaro_winkler(a, b);
	return jw >= ALIKE && jw > begins ? jw : begins;
}
