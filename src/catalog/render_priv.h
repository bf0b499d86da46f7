/* src/catalog/render_priv.h
 * The JSON of many records, for the files of this folder. */
#pragma once
#include "catalog/dict_priv.h"

struct drg_source_rec;

/** The place in the output of the members about a country, city or category. */
struct drg_written {
	drg_handle of;
	uint32_t n;
	size_t at;
};

/** Writes the items of one answer. Initialise with {.c, .pref, .out}; other text may be appended to `out` in
 * between. */
struct drg_renderer {
	const struct drg_catalog *c;
	const struct drg_lang_pref *pref;
	struct drg_buf *out;
	struct drg_written written[64]; /**< indexed by the lower bits of the handle */
};

/**
 * Append a mapped item (spec 2.2).
 * @param source  Record of @p id; NULL: unknown.
 * @param dict    The dict record that it is mapped to; NULL: none.
 */
void drg_render_mapped(struct drg_renderer *r, struct drg_str id, const struct drg_source_rec *source,
                       const struct drg_dict_rec *dict);
