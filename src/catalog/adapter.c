#include "catalog/catalog_priv.h"

#include <assert.h>

#include "text/json.h"

_Static_assert(DRG_ADAPTERS_MAX <= UINT16_MAX, "a source keeps the number of its adapter in 16 bits");

static int adapter_compare(const void *a, const void *b)
{
	int64_t x = ((const struct drg_adapter *)a)->id, y = ((const struct drg_adapter *)b)->id;
	return x < y ? -1 : x > y;
}

void drg_adapters_init(struct drg_small *s)
{
	drg_small_init(s, sizeof(struct drg_adapter), adapter_compare);
}

bool drg_adapter_find(struct drg_catalog *c, int64_t id, uint32_t *ret)
{
	const uint32_t *ids;
	uint32_t n = (uint32_t)drg_vec_view(&c->adapter_ids, &ids), i = c->last_adapter;
	/* A load brings adapters in the order of their ids, so an id above the highest is new and needs no
	 * search. */
	if (id > c->highest_adapter)
		i = n;
	else if (i >= n || ids[i] != id)
		for (i = 0; i < n && ids[i] != id; i++)
			;
	*ret = i;
	if (i < n)
		c->last_adapter = i;
	return i < n;
}

int drg_adapter_index(struct drg_catalog *c, int64_t id, uint32_t *ret, struct drg_err *reterr)
{
	if (drg_adapter_find(c, id, ret))
		return DRG_OK;
	if (id < 1 || id > INT32_MAX)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(bad_value), "adapter_id",
		                "expected an adapter id from 1 to %d, found %lld", INT32_MAX, (long long)id);
	if (*ret == DRG_ADAPTERS_MAX)
		return drg_fail(reterr, DRG_ELIMIT, DRG_R(too_many_adapters), "adapter_id",
		                "no room for adapter %lld: at most %d adapters", (long long)id,
		                DRG_ADAPTERS_MAX);
	assert(*ret < DRG_ADAPTERS_MAX);
	int rc = drg_vec_reserve(&c->adapter_ids, &c->retire, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_vec_push(&c->adapter_ids, (uint32_t)id);
	if (id > c->highest_adapter)
		c->highest_adapter = id;
	c->last_adapter = *ret;
	return DRG_OK;
}

static int escaped(struct drg_catalog *c, struct drg_str s, struct drg_str *ret, struct drg_err *reterr)
{
	struct drg_buf b = drg_heap_top(&c->heap);
	drg_json_escape(&b, s);
	if (b.rc != DRG_OK)
		return drg_heap_full(&c->heap, reterr);
	*ret = drg_buf_view(&b);
	drg_heap_take(&c->heap, b.n);
	return DRG_OK;
}

static int adapter_read_texts(struct drg_catalog *c, const struct drg_record *r, struct drg_adapter *a,
                              struct drg_err *reterr)
{
	int rc = drg_heap_str(&c->heap, drg_record_s(r, DRG_F_CODE), &a->code, reterr);
	if (rc == DRG_OK)
		rc = drg_heap_str(&c->heap, drg_record_s(r, DRG_F_NAME), &a->name, reterr);
	if (rc == DRG_OK && drg_record_has(r, DRG_F_LOGO))
		rc = drg_heap_str(&c->heap, drg_record_s(r, DRG_F_LOGO), &a->logo, reterr);
	if (rc == DRG_OK)
		rc = escaped(c, a->code, &a->code_esc, reterr);
	if (rc == DRG_OK)
		rc = escaped(c, a->name, &a->name_esc, reterr);
	return rc;
}

static size_t text_bytes(const struct drg_adapter *a)
{
	return a->code.n + a->name.n + a->logo.n + a->code_esc.n + a->name_esc.n;
}

int drg_adapter_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr)
{
	assert(r->type->id == DRG_TYPE_ADAPTER);
	struct drg_adapter a = {
		.id = r->v[DRG_F_ID].i,
		.domain = (enum drg_domain)(r->deleted ? 0 : drg_record_i(r, DRG_F_DOMAIN, DRG_DOMAIN_TOUR)),
		.stage = (enum drg_stage)(r->deleted ? 0 : drg_record_i(r, DRG_F_STAGE, DRG_STAGE_LIVE)),
	};
	if (r->deleted && !drg_adapter_find(c, a.id, &a.index))
		return DRG_OK;
	int rc = drg_adapter_index(c, a.id, &a.index, reterr);
	if (rc == DRG_OK && !r->deleted)
		rc = adapter_read_texts(c, r, &a, reterr);
	if (rc == DRG_OK)
		rc = drg_small_change(&c->adapters, &a, r->deleted, reterr);
	if (rc != DRG_OK)
		return rc;
	const struct drg_adapter *old = drg_catalog_adapter(c, a.id);
	if (old != NULL)
		drg_heap_add_dead(&c->heap, text_bytes(old));
	c->list_changed = true;
	return DRG_OK;
}

void drg_adapter_record(const struct drg_adapter *a, struct drg_record *ret)
{
	drg_record_init(ret, &drg_types[DRG_TYPE_ADAPTER]);
	drg_record_set_i(ret, DRG_F_ID, a->id);
	drg_record_set_s(ret, DRG_F_CODE, a->code);
	drg_record_set_s(ret, DRG_F_NAME, a->name);
	if (a->logo.p != NULL)
		drg_record_set_s(ret, DRG_F_LOGO, a->logo);
	drg_record_set_i(ret, DRG_F_DOMAIN, a->domain);
	drg_record_set_i(ret, DRG_F_STAGE, a->stage);
}

size_t drg_catalog_adapters(const struct drg_catalog *c, const struct drg_adapter **ret)
{
	const void *rows;
	size_t n = drg_small_rows(&c->adapters, &rows);
	*ret = rows;
	return n;
}

const struct drg_adapter *drg_catalog_adapter(const struct drg_catalog *c, int64_t id)
{
	return drg_small_find(&c->adapters, &(struct drg_adapter){ .id = id });
}
