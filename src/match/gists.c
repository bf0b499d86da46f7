#include "match/gists.h"

#include <string.h>

#include "base/pages.h"

static size_t gist_units(const struct drg_places *l, const struct drg_place_record *r)
{
	size_t words = r->n_forms;
	for (unsigned f = 0; f < r->n_forms; f++)
		words += drg_place_form(l, r, f)->n;
	size_t bytes = offsetof(struct drg_gist, forms) + words * sizeof(uint32_t);
	return (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t);
}

static void gist_write(const struct drg_places *l, const struct drg_place_record *r, struct drg_gist *ret)
{
	uint32_t *to = ret->forms;
	ret->lat = r->lat;
	ret->lng = r->lng;
	ret->city = r->city;
	ret->n_forms = r->n_forms;
	for (unsigned f = 0; f < r->n_forms; f++) {
		const struct drg_form *form = drg_place_form(l, r, f);
		*to++ = form->n;
		memcpy(to, drg_place_tokens(l, form->tokens), form->n * sizeof *to);
		to += form->n;
	}
}

int drg_gists_make(const struct drg_places *places, struct drg_gists *ret)
{
	size_t n = drg_places_size(places), units = 0;
	for (uint32_t i = 0; i < n; i++)
		units += gist_units(places, drg_place(places, i));
	if (units > UINT32_MAX)
		return DRG_ELIMIT;
	*ret = (struct drg_gists){ .n_start = n + 1, .n_units = units + 1 };
	ret->start = drg_pages_new(ret->n_start * sizeof *ret->start, true);
	ret->units = drg_pages_new(ret->n_units * sizeof *ret->units, true);
	if (ret->start == NULL || ret->units == NULL) {
		drg_gists_done(ret);
		return DRG_ENOMEM;
	}
	units = 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct drg_place_record *r = drg_place(places, i);
		ret->start[i] = (uint32_t)units;
		gist_write(places, r, (struct drg_gist *)(void *)&ret->units[units]);
		units += gist_units(places, r);
	}
	return DRG_OK;
}

void drg_gists_done(struct drg_gists *g)
{
	drg_pages_free(g->start, g->n_start * sizeof *g->start);
	drg_pages_free(g->units, g->n_units * sizeof *g->units);
	*g = (struct drg_gists){ .start = NULL };
}
