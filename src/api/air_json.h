/* src/api/air_json.h
 * Air items as JSON (spec 2.2; decisions A3, A6). */
#pragma once
#include "catalog/air/air.h"
#include "text/json.h"

/** The members of an air item, without the braces, so that the caller can add more. */
void drg_air_members(struct drg_jw *w, const struct drg_catalog *cat, const struct drg_air_place *p,
                     const struct drg_lang_pref *pref);
/** A whole air item. */
void drg_air_item(struct drg_jw *w, const struct drg_catalog *cat, const struct drg_air_place *p,
                  const struct drg_lang_pref *pref);
