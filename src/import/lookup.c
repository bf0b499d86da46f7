#include "import/lookup.h"

#include <stdlib.h>

enum { MAX_LOOKUPS = 1 << 18 };

/* Searches a record for a reference with an ident, and looks up the supplier's hotel that it names. */
struct lookup_naming {
	struct drg_ident wanted;
	struct drg_store *store;
	int rc; /* DRG_ENOENT until the hotel was found in the store */
	struct drg_err *err;
};

static void lookup_find_hotel(void *ctx, int ref, int64_t id, struct drg_str text, const char *field)
{
	(void)field;
	struct lookup_naming *n = ctx;
	if (n->rc != DRG_ENOENT || !drg_ident_eq(drg_ident_of_ref(ref, id, text), n->wanted))
		return;
	struct drg_record key;
	drg_record_init(&key, &drg_types[DRG_TYPE_SOURCE]);
	drg_record_set_i(&key, DRG_F_ADAPTER_ID, id);
	drg_record_set_i(&key, DRG_F_KIND, DRG_KIND_HOTEL);
	drg_record_set_s(&key, DRG_F_SOURCE_ID, text);
	n->rc = drg_store_exists(n->store, &key, n->err);
}

static int lookup_find_named(void *ctx, const struct drg_spooled *r, struct drg_err *reterr)
{
	struct lookup_naming *n = ctx;
	n->err = reterr;
	if (drg_record_refs(&r->record, lookup_find_hotel, n) != DRG_OK)
		return drg_fail_memory(reterr);
	return n->rc;
}

static int on_removed_record(void *ctx, const struct drg_spooled *r, struct drg_err *reterr)
{
	return drg_holders_gone_record(ctx, &r->record, r->at, reterr);
}

static int lookup_look_up(struct drg_lookups *l, const struct drg_lookup *one, struct drg_err *reterr)
{
	struct lookup_naming n = { .wanted = one->ident, .store = l->store, .rc = DRG_ENOENT };
	if (one->removed)
		return drg_spool_get(l->spool, one->at, on_removed_record, l->holders, reterr);
	int rc = drg_spool_get(l->spool, one->at, lookup_find_named, &n, reterr);
	return rc == DRG_ENOENT ? l->missing(l->ctx, one->ident, reterr) : rc;
}

static int lookup_by_place(const void *pa, const void *pb)
{
	const struct drg_lookup *a = pa, *b = pb;
	return a->at < b->at ? -1 : a->at > b->at;
}

int drg_lookups_flush(struct drg_lookups *l, struct drg_err *reterr)
{
	struct drg_lookup *list = (struct drg_lookup *)(void *)l->list.p;
	size_t n = l->list.n / sizeof *list;
	int rc = DRG_OK;
	if (n > 0)
		qsort(list, n, sizeof *list, lookup_by_place);
	for (size_t i = 0; i < n && rc == DRG_OK; i++)
		rc = lookup_look_up(l, &list[i], reterr);
	drg_buf_clear(&l->list);
	return rc;
}

int drg_lookups_add(struct drg_lookups *l, const struct drg_lookup *one, struct drg_err *reterr)
{
	drg_buf_add(&l->list, one, sizeof *one);
	if (l->list.rc != DRG_OK)
		return drg_fail_memory(reterr);
	return l->list.n / sizeof *one < MAX_LOOKUPS ? DRG_OK : drg_lookups_flush(l, reterr);
}
