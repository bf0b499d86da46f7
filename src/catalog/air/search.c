/* The air search (A1): one result group after the other. */
#include "catalog/air/search_priv.h"
#include "catalog/air/words_priv.h"
#include "text/fold.h"
#include "text/layout.h"
#include "text/utf8.h"

static int search_layouts(struct drg_air_work *s, bool codes)
{
	struct drg_air_typed guess[DRG_LAYOUTS_MAX];
	struct drg_str other[DRG_LAYOUTS_MAX];
	unsigned n = drg_layout_guesses(s->q->text, s->arena, other), m = 0;
	int rc = DRG_OK;
	for (unsigned i = 0; i < n && rc == DRG_OK; i++) {
		rc = drg_air_typed_read(s, other[i], &guess[m]);
		/* Cyrillic letters typed with a Latin layout never mean a code. */
		guess[m].codes = codes;
		m += rc == DRG_OK && guess[m].n > 0;
	}
	return rc == DRG_OK && m > 0 ? drg_air_append_layouts(s, guess, m) : rc;
}

/* A Han character is a syllable and its pinyin has no typing errors, so places that have all the words come
 * first. */
static int search_by_ear(struct drg_air_work *s, const struct drg_air_typed *t)
{
	int rc = DRG_OK;
	if (t->scripts == DRG_AIR_HAN)
		rc = drg_air_append_most(s, t, 0);
	return rc == DRG_OK && s->n == 0 ? drg_air_append_by_ear(s, t) : rc;
}

/* Stop at the cheapest explanation: try two errors only if one found too little, and parts of the words only
 * if no place has all of them. A whole name with two errors still comes before a part of the words. */
static int search_otherwise(struct drg_air_work *s, struct drg_air_typed *t)
{
	if (s->n >= DRG_AIR_FEW)
		return DRG_OK;
	unsigned most = drg_air_edits(t->core.n);
	bool by_ear = s->n == 0 && (t->scripts & DRG_AIR_BY_EAR) != 0;
	int rc = by_ear ? search_by_ear(s, t) : DRG_OK;
	if (rc == DRG_OK && most > 0 && s->n < DRG_AIR_FEW)
		rc = drg_air_append_errors(s, t, 1);
	if (rc == DRG_OK && s->n == 0 && most > 0)
		rc = drg_air_append_whole(s, t);
	if (rc == DRG_OK && s->n == 0 && t->n == 1 && most > 1)
		rc = drg_air_append_errors(s, t, 2);
	if (rc == DRG_OK && s->n == 0 && t->scripts == DRG_AIR_CYRILLIC && t->own.n > 0)
		rc = drg_air_append_by_ear(s, t);
	if (rc == DRG_OK && s->n == 0)
		rc = drg_air_append_most(s, t, 0);
	if (rc == DRG_OK && s->n == 0 && t->n > 1 && most > 1)
		rc = drg_air_append_errors(s, t, 2);
	if (rc == DRG_OK && s->n == 0)
		rc = drg_air_append_most(s, t, 1);
	return rc;
}

/* A name with one error in the letters that were typed is likelier than parts of names. */
static int search_joined(struct drg_air_work *s, const struct drg_air_typed *t)
{
	drg_air_set_clear(&s->one);
	drg_air_add_near_own(s, t, 1, &s->one, NULL);
	bool near = drg_air_set_and(&s->one, drg_air_wanted(s));
	int rc = near ? DRG_OK : drg_air_append_joined(s, t);
	return rc == DRG_OK && s->n == 0 ? drg_air_append_within(s, t) : rc;
}

static int search_text(struct drg_air_work *s)
{
	struct drg_air_typed t;
	int rc = drg_air_typed_read(s, s->q->text, &t);
	if (rc == DRG_OK)
		rc = drg_air_typed_own(s, s->q->text, &t);
	if (rc == DRG_OK && t.n > 0)
		rc = drg_air_append_as_typed(s, &t);
	if (rc == DRG_OK && t.n > 0 && s->n == 0)
		rc = search_joined(s, &t);
	if (rc == DRG_OK)
		rc = search_layouts(s, !t.codes);
	if (rc == DRG_OK && t.n > 0)
		rc = search_otherwise(s, &t);
	return rc;
}

static int search_all(struct drg_air_work *s)
{
	memset(s->work.bits, 0xff, s->work.words * sizeof *s->work.bits);
	s->work.used = true;
	return drg_air_append(s, &s->work);
}

static bool new_sets(struct drg_air_work *s)
{
	struct drg_air_set *const all[] = { &s->found,     &s->code,      &s->work,      &s->one,
		                            &s->all,       &s->equal.own, &s->equal.any, &s->begin.own,
		                            &s->begin.any, &s->words.own, &s->words.any, &s->wanted,
		                            &s->airports,  &s->titled };
	for (size_t i = 0; i < DRG_ARRAY_LEN(all); i++)
		if (!drg_air_set_new(all[i], s->ix->n, s->arena))
			return false;
	return true;
}

int drg_air_search(const struct drg_catalog *c, const struct drg_air_query *q, struct drg_arena *arena,
                   const struct drg_air_place **ret, size_t *ret_n, size_t *ret_total)
{
	struct drg_air_index *ix = drg_air_index_of(c);
	*ret = NULL;
	*ret_n = *ret_total = 0;
	if (ix == NULL)
		return DRG_OK;
	struct drg_air_work s = {
		.ix = ix, .q = q, .arena = arena, .limit = q->limit > 0 ? q->limit : ix->n
	};
	s.order = drg_air_order(c, ix, q->lang);
	s.out = drg_arena_alloc(arena, (s.limit + 1) * sizeof *s.out);
	if (s.out == NULL || !new_sets(&s))
		return DRG_ENOMEM;
	drg_air_fill_wanted(&s);
	int rc = drg_utf8_is_blank(q->text) ? search_all(&s) : search_text(&s);
	*ret = s.out;
	*ret_n = s.n < s.limit ? s.n : s.limit;
	*ret_total = s.n;
	return rc;
}
