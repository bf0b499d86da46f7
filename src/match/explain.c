#include "match/hotels.h"

#include <stdlib.h>

enum { WORDS_SHOWN = 6 };

int drg_hotel_explainer_init(struct drg_hotel_explainer *e, const struct drg_hotel_matching *m)
{
	e->m = m;
	e->rarity = calloc((size_t)drg_vocab_size(m->src->vocab) + 1, sizeof *e->rarity);
	int rc = drg_comparing_init(&e->comparing, m->src, m->index->ref, e->rarity, e->rarity);
	if (rc == DRG_OK && e->rarity != NULL)
		return DRG_OK;
	drg_hotel_explainer_done(e);
	return DRG_ENOMEM;
}

void drg_hotel_explainer_done(struct drg_hotel_explainer *e)
{
	drg_comparing_done(&e->comparing);
	free(e->rarity);
	e->rarity = NULL;
}

/* ---- the name ------------------------------------------------------------------------------------------- */

static void explain_tokens(const struct drg_vocab *v, const char *before, const uint32_t *t, unsigned n,
                           struct drg_buf *out)
{
	for (unsigned i = 0; i < n && i < WORDS_SHOWN; i++) {
		drg_buf_str(out, drg_str_c(i == 0 ? before : ", "));
		drg_buf_str(out, drg_token_text(v, t[i]));
	}
	if (n > WORDS_SHOWN)
		drg_buf_lit(out, ", ...");
}

/* Write "(orkide, resort; left over: spa)". */
static void explain_words(struct drg_hotel_explainer *e, const struct drg_place_record *r,
                          const struct drg_hotel_pair *p, struct drg_buf *out)
{
	const struct drg_places *src = e->m->src, *ref = e->m->index->ref;
	struct drg_alignment *al = &e->alignment;
	drg_align_forms(&e->comparing, drg_place_form(src, r, p->form_a),
	                drg_place_form(ref, drg_place(ref, p->i), p->form_b), al);
	drg_buf_lit(out, " (");
	explain_tokens(src->vocab, "", al->pair_a, al->n_pairs, out);
	explain_tokens(src->vocab, "; left over: ", al->left_a, al->n_left_a, out);
	explain_tokens(src->vocab, "; missing: ", al->left_b, al->n_left_b, out);
	drg_buf_char(out, ')');
}

/* ---- the other comparisons ------------------------------------------------------------------------------ */

static void explain_distance(const struct drg_hotel_pair *p, struct drg_buf *out)
{
	if (isnan(p->metres))
		drg_buf_lit(out, "no coordinates");
	else if (p->metres < 1000)
		drg_buf_printf(out, "%.0f m", (double)p->metres);
	else
		drg_buf_printf(out, "%.1f km", (double)p->metres / 1000);
}

static void explain_comparison(struct drg_hotel_explainer *e, const struct drg_place_record *r,
                               const struct drg_hotel_pair *p, enum drg_comparison c, struct drg_buf *out)
{
	if (c == DRG_CMP_DISTANCE)
		explain_distance(p, out);
	else
		drg_buf_str(out, drg_str_c(c == DRG_CMP_NAME        ? "name"
		                           : c == DRG_CMP_RESIDENCE ? "words such as residence"
		                                                    : drg_comparison_name(c)));
	drg_buf_printf(out, " %+.1f", e->m->card->bits[c][p->level[c]]);
	if (c == DRG_CMP_NAME)
		explain_words(e, r, p, out);
}

/* The comparisons with bits, the weightiest first. @return how many */
static unsigned weightiest(const struct drg_scorecard *card, const uint8_t *level, enum drg_comparison *ret)
{
	unsigned n = 0;
	for (unsigned c = 0; c < DRG_CMP_COUNT; c++) {
		double bits = card->levels[c] > 0 ? card->bits[c][level[c]] : 0;
		unsigned at = n;
		if (bits == 0)
			continue;
		while (at > 0 && fabs(card->bits[ret[at - 1]][level[ret[at - 1]]]) < fabs(bits))
			at--;
		memmove(&ret[at + 1], &ret[at], (n - at) * sizeof *ret);
		ret[at] = (enum drg_comparison)c;
		n++;
	}
	return n;
}

static void explain_rival(const struct drg_hotel_match *x, struct drg_buf *out)
{
	if (x->n_best > 1)
		drg_buf_printf(out, ", next best %.1f bits behind",
		               (double)(x->best[0].bits - x->best[1].bits));
	else
		drg_buf_lit(out, ", no other");
}

void drg_hotel_explain(struct drg_hotel_explainer *e, uint32_t i, const struct drg_hotel_match *x,
                       struct drg_buf *out)
{
	const struct drg_hotel_pair *p = &x->best[0];
	const struct drg_place_record *r = drg_place(e->m->src, i);
	enum drg_comparison order[DRG_CMP_COUNT];
	drg_buf_str(out, drg_str_c(drg_outcome_name((enum drg_match_outcome)x->outcome)));
	if (x->outcome != DRG_MATCH_AUTOMATIC)
		drg_buf_printf(out, ", %s", drg_reason_words((enum drg_match_reason)x->reason));
	if (x->n_best == 0)
		return;
	drg_buf_printf(out, ", %.1f bits (p %.3f): ", (double)p->bits, drg_bits_probability((double)p->bits));
	unsigned n = weightiest(e->m->card, p->level, order);
	for (unsigned k = 0; k < n; k++) {
		explain_comparison(e, r, p, order[k], out);
		drg_buf_lit(out, ", ");
	}
	if ((double)x->clear >= 0.05)
		drg_buf_printf(out, "nothing else comes near %+.1f, ", (double)x->clear);
	drg_buf_printf(out, "base %+.1f", e->m->card->bias);
	explain_rival(x, out);
}
