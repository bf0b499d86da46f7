/* Gathers what the records of an import refer to and define, before it is checked. */
#include "import/refs.h"

#include "import/holders.h"
#include "import/lookup.h"

void drg_gathered_init(struct drg_gathered *g)
{
	drg_buf_init(&g->entries, SIZE_MAX);
	drg_buf_init(&g->claims, SIZE_MAX);
	drg_buf_init(&g->redirects, SIZE_MAX);
}

void drg_gathered_done(struct drg_gathered *g)
{
	drg_buf_done(&g->entries);
	drg_buf_done(&g->claims);
	drg_buf_done(&g->redirects);
}

void drg_gathered_clear(struct drg_gathered *g)
{
	drg_buf_clear(&g->entries);
	drg_buf_clear(&g->claims);
	drg_buf_clear(&g->redirects);
}

static void gather_redirect(struct drg_gathered *g, const struct drg_record *r, uint64_t at)
{
	const struct drg_redirect d = { .kind = drg_record_kind(r),
		                        .removed = r->deleted,
		                        .id = r->v[DRG_F_ID].i,
		                        .to = drg_record_i(r, DRG_F_TO, 0),
		                        .at = at + 1 };
	drg_buf_add(&g->redirects, &d, sizeof d);
}

void drg_gathered_add(struct drg_gathered *g, struct drg_ident_cache *cache, const struct drg_record *r,
                      uint64_t at)
{
	drg_ident_entries(r, at, cache, &g->entries);
	drg_claims_of(r, at, &g->claims);
	if (r->type->id == DRG_TYPE_REDIRECT)
		gather_redirect(g, r, at);
}
