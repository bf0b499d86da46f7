#include "decide/new_choice.h"

#include <math.h>
#include <stdlib.h>

int drg_new_choice_init(struct drg_new_choice *c, size_t n)
{
	*c = (struct drg_new_choice){ .n = n,
		                      .names = calloc(n, sizeof *c->names),
		                      .countries = calloc(n, sizeof *c->countries),
		                      .cities = calloc(n, sizeof *c->cities),
		                      .categories = calloc(n, sizeof *c->categories),
		                      .lats = calloc(n, sizeof *c->lats),
		                      .lngs = calloc(n, sizeof *c->lngs) };
	if (c->names != NULL && c->countries != NULL && c->cities != NULL && c->categories != NULL &&
	    c->lats != NULL && c->lngs != NULL)
		return DRG_OK;
	drg_new_choice_done(c);
	return DRG_ENOMEM;
}

void drg_new_choice_done(struct drg_new_choice *c)
{
	free(c->names);
	free(c->countries);
	free(c->cities);
	free(c->categories);
	free(c->lats);
	free(c->lngs);
}

static bool choice_in_capitals(struct drg_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((s.p[i] >= 'a' && s.p[i] <= 'z') || (unsigned char)s.p[i] >= 0x80)
			return false;
	return true;
}

struct drg_str drg_new_choose_text(const struct drg_str *v, size_t n)
{
	struct drg_str best = drg_str(NULL, 0);
	size_t most = 0;
	for (size_t i = 0; i < n; i++) {
		size_t same = 0;
		for (size_t k = 0; k < n && v[i].n > 0; k++)
			same += drg_str_eq_nocase(v[i], v[k]);
		if (same > most ||
		    (same > 0 && same == most && choice_in_capitals(best) && !choice_in_capitals(v[i]))) {
			most = same;
			best = v[i];
		}
	}
	return best;
}

int64_t drg_new_choose_id(const int64_t *v, size_t n)
{
	int64_t best = INT64_MIN;
	size_t most = 0;
	for (size_t i = 0; i < n; i++) {
		size_t same = 0;
		for (size_t k = 0; k < n && v[i] != INT64_MIN; k++)
			same += v[k] == v[i];
		if (same > most) {
			most = same;
			best = v[i];
		}
	}
	return best;
}

static int choice_by_number(const void *pa, const void *pb)
{
	const double *a = pa, *b = pb;
	return *a < *b ? -1 : *a > *b;
}

double drg_new_choose_degrees(const double *v, size_t n)
{
	double known[64];
	size_t m = 0;
	for (size_t i = 0; i < n && m < DRG_ARRAY_LEN(known); i++)
		if (!isnan(v[i]))
			known[m++] = v[i];
	if (m == 0)
		return NAN;
	qsort(known, m, sizeof *known, choice_by_number);
	return (known[(m - 1) / 2] + known[m / 2]) / 2;
}
