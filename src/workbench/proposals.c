/* POST curate/proposals: what several suppliers have and the reference has not (decision M40). */
#include <assert.h>

#include "api/curate_words.h"
#include "api/tables.h"
#include "matching/learn/weights.h"
#include "matching/propose/propose.h"
#include "workbench/long_work.h"

enum { PROPOSALS = 100, PROPOSALS_MAX = 500 };

struct proposals_work {
	struct drg_long_work work;
	struct drg_proposing p;
	struct drg_arena *arena;
	struct drg_proposal *v; /* the first ones */
	size_t n, limit;
};

static bool proposal_copy_member(struct drg_arena *a, const struct drg_proposal_member *m,
                                 struct drg_proposal_member *ret)
{
	*ret = (struct drg_proposal_member){ .adapter = m->adapter,
		                             .id = drg_arena_str(a, m->id),
		                             .name = drg_arena_str(a, m->name),
		                             .city = drg_arena_str(a, m->city) };
	return ret->id.p != NULL;
}

static int proposals_take(void *ctx, const struct drg_proposal *p)
{
	struct proposals_work *k = ctx;
	assert(k->n <= k->limit && p->n >= 2);
	if (k->n == k->limit)
		return DRG_OK;
	struct drg_proposal_member *members = drg_arena_alloc(k->arena, p->n * sizeof *members);
	bool copied = members != NULL;
	for (size_t i = 0; i < p->n && copied; i++)
		copied = proposal_copy_member(k->arena, &p->members[i], &members[i]);
	if (!copied)
		return DRG_ENOMEM;
	k->v[k->n] = *p;
	k->v[k->n].members = members;
	k->v[k->n++].name = drg_arena_str(k->arena, p->name);
	return DRG_OK;
}

static int proposals_run(struct drg_long_work *w, struct drg_store *s, const char *path,
                         struct drg_err *reterr)
{
	struct proposals_work *k = DRG_CONTAINER_OF(w, struct proposals_work, work);
	(void)path;
	int rc = drg_weights_card(s, &k->p.card, reterr);
	return rc == DRG_OK ? drg_propose(s, &k->p, proposals_take, k, reterr) : rc;
}

/* ---- the answer ------------------------------------------------------------------------------------------ */

static void proposal_write_member(struct drg_reading *r, const struct drg_proposal_member *m)
{
	const struct drg_adapter *a = drg_catalog_adapter(r->cat, m->adapter);
	drg_jw_object(&r->w);
	drg_jw_member_i64(&r->w, "adapter_id", m->adapter);
	drg_escaped_or_null(&r->w, "adapter", a != NULL ? a->name_esc : drg_str(NULL, 0));
	drg_text_or_null(&r->w, "id", m->id);
	drg_text_or_null(&r->w, "name", m->name);
	drg_text_or_null(&r->w, "city", m->city);
	drg_jw_object_end(&r->w);
}

static void proposal_write(struct drg_reading *r, const struct drg_proposal *p)
{
	const struct drg_lang_pref pref = drg_reading_langs(r);
	const char *lacks = p->country == INT64_MIN    ? "country"
	                    : p->city == INT64_MIN     ? "city"
	                    : p->category == INT64_MIN ? "category"
	                                               : NULL;
	drg_jw_object(&r->w);
	drg_text_or_null(&r->w, "name", p->name);
	drg_curate_dict_or_null(r, "country", DRG_KIND_COUNTRY, p->country, &pref);
	drg_curate_dict_or_null(r, "city", DRG_KIND_CITY, p->city, &pref);
	drg_curate_dict_or_null(r, "category", DRG_KIND_HOTEL_CATEGORY, p->category, &pref);
	drg_jw_member_real(&r->w, "lat", p->lat);
	drg_jw_member_real(&r->w, "lng", p->lng);
	drg_jw_member_real(&r->w, "bits", p->bits);
	drg_text_or_null(&r->w, "lacks", lacks != NULL ? drg_str_c(lacks) : drg_str(NULL, 0));
	drg_jw_member_array(&r->w, "members");
	for (size_t i = 0; i < p->n; i++)
		proposal_write_member(r, &p->members[i]);
	drg_jw_array_end(&r->w);
	drg_jw_object_end(&r->w);
}

static int proposals_write(struct drg_reading *r, void *work)
{
	const struct proposals_work *k = work;
	const struct {
		const char *name;
		uint64_t n;
	} sums[] = { { "total", k->p.proposals }, { "members", k->p.members }, { "records", k->p.records } };
	drg_items_begin(&r->w);
	for (size_t i = 0; i < k->n; i++)
		proposal_write(r, &k->v[i]);
	drg_jw_array_end(&r->w);
	for (size_t i = 0; i < DRG_ARRAY_LEN(sums); i++)
		drg_jw_member_i64(&r->w, sums[i].name, (int64_t)sums[i].n);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

static int curate_proposals(struct drg_exchange *x)
{
	struct proposals_work *k = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *k);
	if (k == NULL)
		return DRG_ENOMEM;
	k->arena = drg_exchange_arena(x);
	k->limit = (size_t)drg_exchange_int(x, "limit", PROPOSALS);
	k->v = drg_arena_alloc(k->arena, k->limit * sizeof *k->v);
	k->p.threads = 1;
	k->work =
	        (struct drg_long_work){ .run = proposals_run, .write = proposals_write, .name = "proposals" };
	return k->v != NULL ? drg_long_work(x, &k->work) : DRG_ENOMEM;
}

static const struct drg_param proposals_params[] = {
	{ .name = "limit",
	  .type = DRG_P_INT,
	  .min = 1,
	  .max = PROPOSALS_MAX,
	  .doc = "items at most; 100 when absent" },
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_curate_proposals[] = {
	{ .method = DRG_POST,
	  .path = "/v1/curate/proposals",
	  .name = "curateProposals",
	  .handler = curate_proposals,
	  .auth = DRG_AUTH_CURATOR,
	  .params = proposals_params,
	  .summary = "New records of the reference that several suppliers speak for" },
	{ 0 },
};
