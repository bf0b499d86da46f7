/* The matcher in a server: new records of the store, and the place in its feed up to which they are matched. */
#include "matching/live/automatch_priv.h"

#include <string.h>

#include "matching/live/automatch.h"
#include "matching/live/turn.h"
#include "base/worker.h"
#include "matching/automap.h"
#include "matching/learn/weights.h"
#include "server/own_job.h"
#include "store/suggestions.h"

static int automatch_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct drg_automatch *a = ctx;
	if (drg_record_find_unknown_enum(r) != NULL)
		return DRG_OK; /* E14: its words are unknown */
	a->stale = a->stale || r->type->id == DRG_TYPE_REDIRECT;
	if (r->type->id == DRG_TYPE_DICT)
		return drg_automatch_note_dict(a, r, m);
	a->apart_stale = a->apart_stale || r->type->id == DRG_TYPE_NOT_SAME;
	a->card_known = a->card_known && r->type->id != DRG_TYPE_SCORECARD;
	if (r->type->id != DRG_TYPE_SOURCE || r->deleted || drg_record_has(r, DRG_F_DICT_ID))
		return DRG_OK;
	if (a->sources.n == DRG_AUTOMATCH_AT_A_TIME * sizeof(struct drg_automap_source)) {
		a->full = true;
		return DRG_ELIMIT;
	}
	const struct drg_automap_source v = { r->v[DRG_F_ADAPTER_ID].i, drg_record_kind(r),
		                              drg_arena_str(&a->texts, r->v[DRG_F_SOURCE_ID].s) };
	drg_buf_add(&a->sources, &v, sizeof v);
	return v.id.p != NULL ? a->sources.rc : DRG_ENOMEM;
}

/* Is the store of another history: replaced or set back? Then the data in memory are of records that mean
 * something else. */
static int is_other_history(struct drg_automatch *a, const struct drg_clock *clock, bool *ret,
                            struct drg_err *err)
{
	int64_t branch = clock->branch;
	int rc = DRG_OK;
	*ret = strcmp(clock->epoch, a->seen.epoch) != 0 || clock->seq < a->seen.seq;
	if (!*ret && branch != a->seen.branch)
		rc = drg_store_branch_at(a->s, a->seen.seq, &branch, err);
	*ret = *ret || branch != a->seen.branch;
	return rc;
}

int drg_automatch_write_moving(void *moving, struct drg_txn *t, struct drg_err *reterr)
{
	const struct drg_automatch_moving *m = moving;
	int rc = drg_txn_move_matching(t, drg_turn_holder(m->a->turn), m->from, m->to, reterr);
	return rc == DRG_OK && m->outcome != NULL ? drg_automap_outcome_write(m->outcome, t, reterr) : rc;
}

/* Find the place that the store's servers have reached. In a store that no server has looked at, existing
 * records are left to `dragoman match`. */
static int automatch_find_place(struct drg_automatch *a, const struct drg_clock *clock, struct drg_err *err)
{
	struct drg_matching m;
	const struct drg_clock *known = &a->o.known;
	bool other = true;
	int rc = drg_store_matching(a->s, &m, err);
	if (rc == DRG_OK && !m.placed) {
		a->seen = *known;
		rc = is_other_history(a, clock, &other, err);
		m.place = (struct drg_feed_place){ .seq = other ? clock->seq : known->seq,
			                           .type = DRG_FEED_END };
		struct drg_automatch_moving first = { a, NULL, &m.place, NULL };
		if (rc == DRG_OK)
			rc = drg_own_job_run(a->o.writer, drg_automatch_write_moving, &first, 1, err);
		if (rc == DRG_ESTOPPED) /* another server was faster */
			rc = drg_store_matching(a->s, &m, err);
	}
	if (rc == DRG_OK)
		a->place = m.place;
	a->placed = rc == DRG_OK;
	a->seen = *clock;
	return rc;
}

void drg_automatch_begin_anew(struct drg_automatch *a)
{
	drg_automap_kept_free(a->kept);
	a->kept = NULL;
	a->stale = true;
	a->n_added = 0;
	a->card_known = false;
}

int drg_automatch_gather(struct drg_automatch *a, struct drg_feed_place *ret_from, struct drg_err *err)
{
	const unsigned types = 1U << DRG_TYPE_SOURCE | 1U << DRG_TYPE_DICT | 1U << DRG_TYPE_NOT_SAME |
	                       1U << DRG_TYPE_REDIRECT | 1U << DRG_TYPE_SCORECARD;
	struct drg_clock clock;
	bool other = true;
	drg_arena_reset(&a->texts);
	drg_buf_clear(&a->sources);
	drg_buf_clear(&a->fresh);
	a->full = a->flooded = false;
	int rc = drg_store_clock(a->s, &clock, err);
	if (rc == DRG_OK && a->placed)
		rc = is_other_history(a, &clock, &other, err);
	if (rc == DRG_OK && other) {
		drg_automatch_begin_anew(a);
		rc = automatch_find_place(a, &clock, err);
	}
	*ret_from = a->place;
	if (rc != DRG_OK || (clock.seq == a->place.seq && a->place.type == DRG_FEED_END))
		return rc;
	rc = drg_store_feed_from(a->s, types, &a->place, automatch_row, a, &clock, err);
	if (strcmp(clock.epoch, a->seen.epoch) == 0)
		a->seen = clock;
	if (rc == DRG_OK)
		a->place = (struct drg_feed_place){ .seq = clock.seq, .type = DRG_FEED_END };
	return a->full ? DRG_OK : rc;
}
