/* Learns from what people have decided (decision M38). */
#include "matching/learn/learn.h"

#include "base/checksum.h"
#include "matching/automap_priv.h"
#include "matching/learn/taught.h"

#define FAR_OFF (-10.0) /* a wrong pair below these bits teaches nothing */

struct learning {
	struct drg_store *s;
	struct drg_learning *l;
	struct drg_teaching taught;
	struct drg_buf adapters; /* int64_t */
	struct drg_buf pairs; /* struct drg_fit_pair */
	struct drg_learnt_outcomes *outcomes; /* of this run */
	struct drg_err *err;
};

/* ---- the results of a run ------------------------------------------------------------------------------ */

static bool learn_wanted(void *ctx, int64_t adapter, enum drg_kind kind, struct drg_str id)
{
	const struct learning *x = ctx;
	size_t n;
	return kind == DRG_KIND_HOTEL && drg_teaching_of(&x->taught, adapter, id, &n) != NULL;
}

/* Is it known whether a source is that dict record? A source is at most one. */
static bool learn_known(const struct drg_taught *v, size_t n, int64_t dict_id, bool *ret_same)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].same || v[i].dict_id == dict_id) {
			*ret_same = v[i].same && v[i].dict_id == dict_id;
			return true;
		}
	return false;
}

static void learn_take_pair(void *ctx, int64_t adapter, struct drg_str id, int64_t dict_id,
                            const struct drg_hotel_pair *p)
{
	struct learning *x = ctx;
	struct drg_fit_pair pair;
	size_t n;
	const struct drg_taught *v = drg_teaching_of(&x->taught, adapter, id, &n);
	if (v == NULL || !learn_known(v, n, dict_id, &pair.same) || (!pair.same && (double)p->bits < FAR_OFF))
		return;
	memcpy(pair.level, p->level, sizeof pair.level);
	/* chooses the fold, which must be the same in each run */
	pair.record = drg_checksum(id.p, id.n, (uint64_t)adapter + 77);
	drg_buf_add(&x->pairs, &pair, sizeof pair);
	x->l->same += pair.same;
	x->l->pairs++;
}

static int learn_result(void *ctx, const struct drg_automap_result *r)
{
	struct learning *x = ctx;
	size_t n;
	const struct drg_taught *v = drg_teaching_of(&x->taught, r->adapter, r->id, &n);
	bool same;
	if (v == NULL)
		return DRG_OK;
	if (r->outcome == DRG_MATCH_ASK)
		x->outcomes->asked++;
	else if (r->outcome == DRG_MATCH_NONE)
		x->outcomes->none++;
	else if (learn_known(v, n, r->dict_id, &same)) {
		x->outcomes->right += same;
		x->outcomes->wrong += !same;
	}
	return DRG_OK;
}

static void learn_progress(void *ctx, const char *step, uint64_t done, uint64_t total)
{
	const struct learning *x = ctx;
	x->l->progress(x->l->ctx, step, done, total);
}

/* Match the sources that people have decided about. */
static int learn_run(struct learning *x, const struct drg_scorecard *card, bool gathers,
                     struct drg_learnt_outcomes *outcomes)
{
	struct drg_automap_totals totals;
	struct drg_automap_options o = { .adapters = (const int64_t *)(const void *)x->adapters.p,
		                         .n_adapters = x->adapters.n / sizeof(int64_t),
		                         .kinds = 1U << DRG_KIND_HOTEL,
		                         .card = *card,
		                         .dry_run = true,
		                         .wanted = learn_wanted,
		                         .pair = gathers ? learn_take_pair : NULL,
		                         .result = learn_result,
		                         .progress = x->l->progress != NULL ? learn_progress : NULL,
		                         .ctx = x };
	x->outcomes = outcomes;
	*outcomes = (struct drg_learnt_outcomes){ .right = 0 };
	return drg_automap_run(x->s, &o, &totals, x->err);
}

/* ---- learning ------------------------------------------------------------------------------------------ */

static int learn_fit(struct learning *x)
{
	struct drg_learning *l = x->l;
	const struct drg_fit_pair *v = (const void *)x->pairs.p;
	size_t n = x->pairs.n / sizeof *v;
	for (size_t i = 0; i < n; i++)
		for (unsigned c = 0; c < DRG_CMP_COUNT; c++)
			l->seen[c][v[i].level[c]]++;
	l->what = l->records < DRG_LEARN_LEVELS ? DRG_FIT_SCALE : DRG_FIT_LEVELS;
	if (drg_fit(&l->card, v, n, l->what, &l->learnt) != DRG_OK ||
	    drg_fit_judge(&l->card, v, n, l->what, &l->judgement) != DRG_OK)
		return drg_fail_memory(x->err);
	if (l->what == DRG_FIT_LEVELS) {
		l->learnt.ask += l->judgement.automatic - l->learnt.automatic;
		l->learnt.automatic = l->judgement.automatic;
	}
	return learn_run(x, &l->learnt, false, &l->after);
}

static bool learn_is_better(const struct drg_learnt_outcomes *before, const struct drg_learnt_outcomes *after)
{
	return after->wrong <= before->wrong &&
	       (after->right >= before->right || after->wrong < before->wrong);
}

static int learn_adapters(struct learning *x)
{
	const struct drg_taught *v = (const struct drg_taught *)(const void *)x->taught.all.p;
	for (size_t i = 0; i < x->taught.all.n / sizeof *v; i++)
		if (i == 0 || v[i].adapter != v[i - 1].adapter)
			drg_buf_add(&x->adapters, &v[i].adapter, sizeof v[i].adapter);
	return x->adapters.rc == DRG_OK ? DRG_OK : drg_fail_memory(x->err);
}

static int learn_all(struct learning *x)
{
	struct drg_learning *l = x->l;
	int rc = drg_teaching_read(x->s, l->imported, &x->taught, x->err);
	l->records = x->taught.n_same;
	l->apart = x->taught.n_apart;
	if (rc == DRG_OK && l->records + l->apart < DRG_LEARN_LEAST)
		return drg_fail(
		        x->err, DRG_EINVAL, NULL, NULL,
		        "people have said of %llu hotels of suppliers what they are, and of %llu what "
		        "they are not; it takes %d answers to learn from: answer more of 'dragoman "
		        "match queue', or judge a sample with 'dragoman match audit'",
		        (unsigned long long)l->records, (unsigned long long)l->apart, DRG_LEARN_LEAST);
	if (rc == DRG_OK)
		rc = learn_adapters(x);
	if (rc == DRG_OK)
		rc = learn_run(x, &l->card, true, &l->before);
	if (rc == DRG_OK && x->pairs.rc != DRG_OK)
		rc = drg_fail_memory(x->err);
	l->missed = l->records - l->same;
	if (rc == DRG_OK)
		rc = learn_fit(x);
	l->judged = l->after.right + l->after.wrong + l->after.asked + l->after.none;
	l->better = rc == DRG_OK && l->judgement.from > 0 && learn_is_better(&l->before, &l->after);
	return rc;
}

int drg_learn(struct drg_store *s, struct drg_learning *l, struct drg_err *reterr)
{
	struct learning x = { .l = l, .s = s, .err = reterr };
	l->pairs = l->same = 0;
	memset(l->seen, 0, sizeof l->seen);
	drg_teaching_init(&x.taught);
	drg_buf_init(&x.adapters, SIZE_MAX);
	drg_buf_init(&x.pairs, SIZE_MAX);
	int rc = learn_all(&x);
	drg_teaching_done(&x.taught);
	drg_buf_done(&x.adapters);
	drg_buf_done(&x.pairs);
	return rc;
}
