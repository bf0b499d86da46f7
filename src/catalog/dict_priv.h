/* src/catalog/dict_priv.h
 * The record of a dict item in the heap. */
#pragma once
#include "catalog/catalog_priv.h"

/** Texts stand behind the entries: the id in decimal, the code, then names and descriptions with JSON's
 * escapes. An entry is a language (upper 8 bits) and where its text ends (lower 24); it begins where the
 * previous one ends. */
struct drg_dict_rec {
	int64_t id;
	drg_handle handle, country, city, category, hotel_type;
	uint8_t kind, is_resort;
	uint8_t id_n, code_n;
	uint8_t n_names, n_descriptions;
	uint16_t zero; /* instead of padding, so that records can be compared as bytes */
	uint32_t entry[];
};

static inline const char *drg_dict_text(const struct drg_dict_rec *d)
{
	return (const char *)&d->entry[d->n_names + d->n_descriptions];
}

/** The id in decimal. */
static inline struct drg_str drg_dict_id(const struct drg_dict_rec *d)
{
	return drg_str(drg_dict_text(d), d->id_n);
}

static inline struct drg_str drg_dict_code(const struct drg_dict_rec *d)
{
	return drg_str(drg_dict_text(d) + d->id_n, d->code_n);
}

static inline const struct drg_dict_rec *drg_dict_rec_at(const struct drg_catalog *c, drg_handle h)
{
	drg_ref ref = drg_handle_ref(&c->handles, h);
	return ref != DRG_NO_REF ? drg_heap_at(&c->heap, ref) : NULL;
}

/** Text of entry @p i. */
static inline struct drg_str drg_dict_entry(const struct drg_dict_rec *d, unsigned i)
{
	uint32_t from = i > 0 ? d->entry[i - 1] & 0xffffff : (uint32_t)d->id_n + d->code_n;
	return drg_str(drg_dict_text(d) + from, (d->entry[i] & 0xffffff) - from);
}

/** Like drg_dict_name_esc() and drg_dict_description_esc(). */
struct drg_str drg_dict_rec_name_in(const struct drg_dict_rec *d, const struct drg_lang_pref *pref);
static inline struct drg_str drg_dict_rec_name(const struct drg_dict_rec *d, const struct drg_lang_pref *pref)
{
	bool first = d->n_names > 0 && pref->n > 0 && d->entry[0] >> 24 == pref->lang[0];
	return first ? drg_dict_entry(d, 0) : drg_dict_rec_name_in(d, pref);
}
struct drg_str drg_dict_rec_description(const struct drg_dict_rec *d, const struct drg_lang_pref *pref);
