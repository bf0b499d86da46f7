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

void drg_link_prefetch_first(const struct drg_catalog *c, uint32_t adapter, drg_handle dict)
{
	struct drg_probe at = probe(c, adapter, dict);
	drg_heap_prefetch(&c->heap, drg_probe_next(&at));
}

drg_ref drg_link_first(const struct drg_catalog *c, uint32_t adapter, drg_handle dict, struct drg_probe *at)
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

bool drg_link_add(struct drg_catalog *c, struct drg_source_rec *rec)
{
	assert(rec->dict != DRG_NO_HANDLE);
	struct drg_probe at;
	drg_ref ref = drg_heap_ref(&c->heap, rec), head = drg_link_first(c, rec->adapter, rec->dict, &at);
	rec->prev = DRG_NO_REF;
	assert(head != ref);
	atomic_store_explicit(&rec->next, head, memory_order_release);
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
		atomic_store_explicit(&drg_source_rec_own(c, rec->prev)->next, ref, memory_order_release);
	} else {
		drg_ref head = drg_link_first(c, rec->adapter, rec->dict, &at);
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
	drg_ref next = drg_source_next(rec);
	redirect(c, rec, next);
	assert(next == DRG_NO_REF || drg_source_rec_own(c, next)->prev == drg_heap_ref(&c->heap, rec));
	if (next != DRG_NO_REF)
		drg_source_rec_own(c, next)->prev = rec->prev;
	return next == DRG_NO_REF && rec->prev == DRG_NO_REF;
}

void drg_link_replace(struct drg_catalog *c, struct drg_source_rec *from, struct drg_source_rec *to)
{
	assert(from->adapter == to->adapter && from->dict == to->dict);
	drg_ref ref = drg_heap_ref(&c->heap, to), next = drg_source_next(from);
	assert(next == DRG_NO_REF || drg_source_rec_own(c, next)->prev == drg_heap_ref(&c->heap, from));
	to->prev = from->prev;
	atomic_store_explicit(&to->next, next, memory_order_release);
	redirect(c, from, ref);
	if (next != DRG_NO_REF)
		drg_source_rec_own(c, next)->prev = ref;
}
