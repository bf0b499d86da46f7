/* src/api/hotel_page.h
 * The answer of tour/hotelDescription, written from the rows of the store and the names of the catalog (spec
 * 4.2; decision M15). */
#pragma once
#include "base/arena.h"
#include "catalog/catalog.h"
#include "text/json.h"

/** Everything that one answer is written from. */
struct drg_hotel_page {
	struct drg_jw *w;
	struct drg_arena *arena; /**< for texts of the content while they are read */
	const struct drg_catalog *cat; /**< inside a read section */
	const struct drg_adapter *adapter;
	struct drg_lang_pref pref;
	bool mapped;
	struct drg_dict hotel; /**< when mapped */
	struct drg_record source, content, common; /**< their `has` is 0 where the store has no such row */
};

/** Write it. @return DRG_OK; DRG_ECORRUPT: the stored content is not what the model lets pass; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_hotel_page(const struct drg_hotel_page *p);
