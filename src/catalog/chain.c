/* The sources that are mapped to a dict record, as readers see them. */
#include <assert.h>

#include "catalog/source_priv.h"

bool drg_catalog_first_source(const struct drg_catalog *c, const struct drg_adapter *a, enum drg_kind kind,
                              drg_handle dict, struct drg_source *ret)
{
	struct drg_probe at;
	const struct drg_source_rec *rec =
	        dict != DRG_NO_HANDLE ? drg_source_rec_at(c, drg_link_first(c, a->index, dict, &at)) : NULL;
	if (rec == NULL || rec->kind != kind)
		return false;
	drg_source_fill(c, rec, ret);
	return true;
}

bool drg_catalog_next_source(const struct drg_catalog *c, const struct drg_source *s, struct drg_source *ret)
{
	const struct drg_source_rec *rec = drg_source_rec_at(c, drg_source_next(s->rec));
	if (rec == NULL)
		return false;
	drg_source_fill(c, rec, ret);
	return true;
}

/* ---- many ----------------------------------------------------------------------------------------------- */

/* Ids in a group: as many as the simultaneous cache misses of a core, and a few more. */
enum { GROUP = 32 };

static drg_handle live_handle(const struct drg_catalog *c, enum drg_kind kind, int64_t id)
{
	drg_handle h = drg_handle_find(&c->handles, kind, id);
	if (drg_handle_ref(&c->handles, h) == DRG_NO_REF)
		h = drg_handle_find(&c->handles, kind, drg_catalog_resolve(c, kind, id));
	return drg_handle_ref(&c->handles, h) != DRG_NO_REF ? h : DRG_NO_HANDLE;
}

static void first_of_group(const struct drg_catalog *c, const struct drg_adapter *a, enum drg_kind kind,
                           const int64_t *ids, size_t n, struct drg_source *ret)
{
	assert(n <= GROUP);
	drg_handle dict[GROUP];
	for (size_t i = 0; i < n; i++)
		drg_handle_prefetch(&c->handles, kind, ids[i]);
	for (size_t i = 0; i < n; i++)
		drg_handle_prefetch_slot(&c->handles, kind, ids[i]);
	for (size_t i = 0; i < n; i++) {
		dict[i] = live_handle(c, kind, ids[i]);
		drg_link_prefetch(c, a->index, dict[i]);
	}
	for (size_t i = 0; i < n; i++)
		drg_link_prefetch_first(c, a->index, dict[i]);
	for (size_t i = 0; i < n; i++)
		if (!drg_catalog_first_source(c, a, kind, dict[i], &ret[i]))
			ret[i] = (struct drg_source){ .rec = NULL };
}

void drg_catalog_first_sources(const struct drg_catalog *c, const struct drg_adapter *a, enum drg_kind kind,
                               const int64_t *ids, size_t n, struct drg_source *ret)
{
	for (size_t i = 0; i < n; i += GROUP)
		first_of_group(c, a, kind, ids + i, n - i < GROUP ? n - i : GROUP, ret + i);
}
