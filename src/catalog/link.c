#include <assert.h>

#include "catalog/hash_priv.h"
#include "catalog/source_priv.h"

static struct drg_probe probe(const struct drg_catalog *c, uint32_t adapter, drg_handle dict)
{
	const uint32_t key[] = { adapter, dict };
	return drg_table_probe(&c->by_dict, drg_tag(c->seed, 0, key, sizeof key));
}

void drg_link_prefetch(const struct drg_catalog *c, uint32_t adapter, drg_handle dict)
{
	struct drg_probe at = probe(c, adapter, dict);
	drg_probe_prefetch(&at);
}

/* The first source of the chain, and its place in the table. */
static drg_ref first(const struct drg_catalog *c, uint32_t adapter, drg_handle dict, struct drg_probe *at)
{
	drg_ref ref;
	*at = probe(c, adapter, dict);
	while ((ref = drg_probe_next(at)) != DRG_NO_REF) {
		const struct drg_source_rec *rec = drg_source_rec_at(c, ref);
		if (rec->dict == dict && rec->adapter == adapter)
			break;
	}
	return ref;
}

static drg_ref next_of(const struct drg_source_rec *rec)
{
	return atomic_load_explicit(&rec->next, memory_order_acquire);
}

static void set_next(struct drg_source_rec *rec, drg_ref next)
{
	atomic_store_explicit(&rec->next, next, memory_order_release);
}

int drg_link_reserve(struct drg_catalog *c, struct drg_err *reterr)
{
	return drg_table_reserve(&c->by_dict, reterr);
}

bool drg_link_add(struct drg_catalog *c, struct drg_source_rec *rec)
{
	assert(rec->dict != DRG_NO_HANDLE);
	struct drg_probe at;
	drg_ref ref = drg_heap_ref(&c->heap, rec), head = first(c, rec->adapter, rec->dict, &at);
	rec->prev = DRG_NO_REF;
	set_next(rec, head);
	if (head == DRG_NO_REF) {
		drg_table_insert(&c->by_dict, at.tag, ref);
	} else {
		assert(drg_source_rec_own(c, head)->prev == DRG_NO_REF);
		drg_source_rec_own(c, head)->prev = ref;
		drg_table_replace(&c->by_dict, &at, ref);
	}
	return head == DRG_NO_REF;
}

/* Make the predecessor of @p rec (a record or the slot of the table) point to @p ref. */
static void redirect(struct drg_catalog *c, struct drg_source_rec *rec, drg_ref ref)
{
	struct drg_probe at;
	if (rec->prev != DRG_NO_REF) {
		set_next(drg_source_rec_own(c, rec->prev), ref);
	} else {
		drg_ref head = first(c, rec->adapter, rec->dict, &at);
		assert(head == drg_heap_ref(&c->heap, rec));
		(void)head;
		if (ref != DRG_NO_REF)
			drg_table_replace(&c->by_dict, &at, ref);
		else
			drg_table_remove(&c->by_dict, &at);
	}
}

bool drg_link_remove(struct drg_catalog *c, struct drg_source_rec *rec)
{
	drg_ref next = next_of(rec);
	redirect(c, rec, next);
	assert(next == DRG_NO_REF || drg_source_rec_own(c, next)->prev == drg_heap_ref(&c->heap, rec));
	if (next != DRG_NO_REF)
		drg_source_rec_own(c, next)->prev = rec->prev;
	return next == DRG_NO_REF && rec->prev == DRG_NO_REF;
}

void drg_link_replace(struct drg_catalog *c, struct drg_source_rec *from, struct drg_source_rec *to)
{
	assert(from->adapter == to->adapter && from->dict == to->dict);
	drg_ref ref = drg_heap_ref(&c->heap, to), next = next_of(from);
	to->prev = from->prev;
	set_next(to, next);
	redirect(c, from, ref);
	if (next != DRG_NO_REF)
		drg_source_rec_own(c, next)->prev = ref;
}

bool drg_catalog_first_source(const struct drg_catalog *c, const struct drg_adapter *a, enum drg_kind kind,
                              drg_handle dict, struct drg_source *ret)
{
	struct drg_probe at;
	const struct drg_source_rec *rec =
	        dict != DRG_NO_HANDLE ? drg_source_rec_at(c, first(c, a->index, dict, &at)) : NULL;
	if (rec == NULL || rec->kind != kind)
		return false;
	drg_source_fill(c, rec, ret);
	return true;
}

bool drg_catalog_next_source(const struct drg_catalog *c, const struct drg_source *s, struct drg_source *ret)
{
	const struct drg_source_rec *rec = drg_source_rec_at(c, next_of(s->rec));
	if (rec == NULL)
		return false;
	drg_source_fill(c, rec, ret);
	return true;
}

/* ---- many ----------------------------------------------------------------------------------------------- */

/* The cache misses that a core can have under way at once, and a few more. */
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
	drg_handle dict[GROUP];
	for (size_t i = 0; i < n; i++)
		drg_handle_prefetch(&c->handles, kind, ids[i]);
	for (size_t i = 0; i < n; i++)
		drg_handle_prefetch_slot(&c->handles, kind, ids[i]);
	for (size_t i = 0; i < n; i++) {
		dict[i] = live_handle(c, kind, ids[i]);
		drg_link_prefetch(c, a->index, dict[i]);
	}
	for (size_t i = 0; i < n; i++) {
		struct drg_probe at = probe(c, a->index, dict[i]);
		drg_heap_prefetch(&c->heap, drg_probe_next(&at));
	}
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
