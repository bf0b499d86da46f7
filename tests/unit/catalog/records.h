/* tests/unit/catalog/records.h
 * Records by hand, and a catalog that takes them. */
#pragma once
#include "../unit.h"
#include <stdio.h>
#include "catalog/catalog.h"
#include "catalog/rcu.h"

static inline struct drg_catalog *new_catalog(size_t max_bytes)
{
	struct drg_catalog *c = NULL;
	struct drg_err err = { 0 };
	assert_int_equal(drg_catalog_new(&(struct drg_catalog_options){ .max_bytes = max_bytes }, &c, &err),
	                 DRG_OK);
	return c;
}

static inline void apply(struct drg_catalog *c, const struct drg_record *r)
{
	struct drg_err err = { 0 };
	int rc = drg_catalog_apply(c, r, &err);
	if (rc != DRG_OK)
		fail_msg("apply: %d %s", rc, err.message);
}

static inline void publish(struct drg_catalog *c, int64_t seq)
{
	struct drg_err err = { 0 };
	assert_int_equal(drg_catalog_publish(c, seq, "epoch", &err), DRG_OK);
}

static inline struct drg_record adapter(int64_t id, const char *code)
{
	struct drg_record r;
	drg_record_init(&r, &drg_types[DRG_TYPE_ADAPTER]);
	drg_record_set_i(&r, DRG_F_ID, id);
	drg_record_set_s(&r, DRG_F_CODE, drg_str_c(code));
	drg_record_set_s(&r, DRG_F_NAME, drg_str_c(code));
	drg_record_set_i(&r, DRG_F_DOMAIN, DRG_DOMAIN_TOUR);
	drg_record_set_i(&r, DRG_F_STAGE, DRG_STAGE_LIVE);
	return r;
}

/** @param names  As the model keeps them: {"en":"Turkey"}. */
static inline struct drg_record dict(enum drg_kind kind, int64_t id, const char *names)
{
	struct drg_record r;
	drg_record_init(&r, &drg_types[DRG_TYPE_DICT]);
	drg_record_set_i(&r, DRG_F_KIND, kind);
	drg_record_set_i(&r, DRG_F_ID, id);
	drg_record_set_s(&r, DRG_F_NAMES, drg_str_c(names));
	return r;
}

static inline struct drg_record dict_hotel(int64_t id, const char *names, int64_t country, int64_t city,
                                           int64_t category)
{
	struct drg_record r = dict(DRG_KIND_HOTEL, id, names);
	drg_record_set_i(&r, DRG_F_COUNTRY_ID, country);
	drg_record_set_i(&r, DRG_F_CITY_ID, city);
	drg_record_set_i(&r, DRG_F_HOTEL_CATEGORY_ID, category);
	return r;
}

static inline struct drg_record source(int64_t adapter_id, enum drg_kind kind, const char *id,
                                       const char *name)
{
	struct drg_record r;
	drg_record_init(&r, &drg_types[DRG_TYPE_SOURCE]);
	drg_record_set_i(&r, DRG_F_ADAPTER_ID, adapter_id);
	drg_record_set_i(&r, DRG_F_KIND, kind);
	drg_record_set_s(&r, DRG_F_SOURCE_ID, drg_str_c(id));
	drg_record_set_s(&r, DRG_F_NAME, drg_str_c(name));
	return r;
}

static inline struct drg_record mapped(int64_t adapter_id, enum drg_kind kind, const char *id,
                                       int64_t dict_id)
{
	struct drg_record r = source(adapter_id, kind, id, "NAME");
	drg_record_set_i(&r, DRG_F_DICT_ID, dict_id);
	return r;
}

static inline struct drg_record direction(int64_t adapter_id, int64_t dep_city, int64_t country)
{
	struct drg_record r;
	drg_record_init(&r, &drg_types[DRG_TYPE_DIRECTION]);
	drg_record_set_i(&r, DRG_F_ADAPTER_ID, adapter_id);
	drg_record_set_i(&r, DRG_F_DEP_CITY_ID, dep_city);
	drg_record_set_i(&r, DRG_F_COUNTRY_ID, country);
	return r;
}

static inline struct drg_record gone(struct drg_record r)
{
	r.deleted = true;
	return r;
}

#define assert_str(s, text) assert_true(drg_str_eq((s), drg_str_c(text)))

static inline void assert_text(struct drg_str s, const char *want)
{
	if (!drg_str_eq(s, drg_str_c(want)))
		fail_msg("got:    %.*s\nwanted: %s", DRG_STR_ARG(s), want);
}
