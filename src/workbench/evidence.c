#include "workbench/evidence.h"

#include <math.h>

/* Bits are stored in thousandths. */
#define EVIDENCE_ROUNDING 0.002

struct evidence_part {
	const char *what;
	int level; /* -1: it is not a comparison */
	double bits;
};

static void evidence_write_part(struct drg_jw *w, const struct evidence_part *p)
{
	drg_jw_object(w);
	drg_jw_member_str(w, "comparison", drg_str_c(p->what));
	drg_jw_member_i64_or_null(w, "level", p->level >= 0, p->level);
	drg_jw_member_real(w, "bits", round(p->bits * 1000) / 1000);
	drg_jw_object_end(w);
}

/* The weightiest first. @return how many */
static unsigned evidence_parts(const struct drg_scorecard *card, const struct drg_suggested *s, double lead,
                               struct evidence_part *ret)
{
	unsigned n = 0;
	for (unsigned c = 0; c < DRG_CMP_COUNT; c++) {
		const struct evidence_part p = { drg_comparison_name((enum drg_comparison)c), s->level[c],
			                         card->bits[c][s->level[c]] };
		unsigned at = n;
		if (card->levels[c] == 0)
			continue;
		for (; at > 0 && fabs(ret[at - 1].bits) < fabs(p.bits); at--)
			ret[at] = ret[at - 1];
		ret[at] = p;
		n++;
	}
	if (lead > EVIDENCE_ROUNDING)
		ret[n++] = (struct evidence_part){ "lead", -1, lead };
	ret[n++] = (struct evidence_part){ "start", -1, card->bias };
	return n;
}

/* The bits beyond the comparisons: the clear lead of the first. @return false: other weights are in use by
 * now */
static bool evidence_lead(const struct drg_scorecard *card, const struct drg_suggested *s, bool first,
                          double *ret)
{
	for (unsigned c = 0; c < DRG_CMP_COUNT; c++)
		if (card->levels[c] > 0 && s->level[c] >= card->levels[c])
			return false;
	*ret = s->bits - drg_scorecard_sum(card, s->level);
	return *ret > -EVIDENCE_ROUNDING && *ret < (first ? card->clear[1] : 0) + EVIDENCE_ROUNDING;
}

static void evidence_write_outcome(struct drg_jw *w, const struct drg_scorecard *card,
                                   const struct drg_suggested *s, int first)
{
	int outcome = first;
	if (first < 0 && card != NULL && s != NULL)
		outcome = s->bits >= card->ask ? DRG_MATCH_ASK : DRG_MATCH_NONE;
	drg_jw_key(w, "outcome");
	if (s != NULL && outcome >= 0)
		drg_jw_str(w, drg_str_c(drg_outcome_name((enum drg_match_outcome)outcome)));
	else
		drg_jw_null(w);
}

void drg_curate_evidence(struct drg_jw *w, const struct drg_scorecard *card, const struct drg_suggested *s,
                         int first)
{
	struct evidence_part parts[DRG_CMP_COUNT + 2];
	double lead;
	evidence_write_outcome(w, card, s, first);
	drg_jw_key(w, "evidence");
	if (card == NULL || s == NULL || !s->compared || !evidence_lead(card, s, first >= 0, &lead)) {
		drg_jw_null(w);
		return;
	}
	unsigned n = evidence_parts(card, s, lead, parts);
	drg_jw_array(w);
	for (unsigned i = 0; i < n; i++)
		evidence_write_part(w, &parts[i]);
	drg_jw_array_end(w);
}
