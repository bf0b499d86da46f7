#include "console/nearest.h"

#include <string.h>

enum { LONGEST = 40 };

static unsigned min2(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Damerau-Levenshtein distance of two short names (optimal string alignment). */
static unsigned distance(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned d[LONGEST + 1][LONGEST + 1];
	for (unsigned i = 0; i <= na; i++)
		d[i][0] = i;
	for (unsigned j = 0; j <= nb; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= na; i++)
		for (size_t j = 1; j <= nb; j++) {
			unsigned change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			d[i][j] = min2(change, min2(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = min2(d[i][j], d[i - 2][j - 2] + 1);
		}
	return d[na][nb];
}

void drg_nearest_offer(struct drg_nearest *n, const char *name)
{
	size_t typed = strlen(n->wanted), known = strlen(name);
	if (typed == 0 || typed > LONGEST || known > LONGEST)
		return;
	unsigned allowed = known < 6 ? 1 : (unsigned)known / 3;
	unsigned d = distance(n->wanted, typed, name, known);
	if (typed >= 2 && strncmp(name, n->wanted, typed) == 0)
		d = min2(d, allowed);
	if (d <= allowed && (n->best == NULL || d < n->distance)) {
		n->best = name;
		n->distance = d;
	}
}
