/* src/api/list_rows.h
 * Rows of a reference list in the order of decision L5: by name in the language's collation, then by id. */
#pragma once
#include "catalog/air/air.h"
#include "text/collate.h"

struct drg_list_row {
	int64_t id;
	struct drg_str name; /**< with JSON's escapes */
	struct drg_dict dict; /**< rows of dict records */
	const struct drg_adapter *adapter; /**< rows of adapters, else NULL */
	size_t key_at, key_n; /**< sort key */
};

struct drg_list_rows {
	const struct drg_catalog *cat;
	struct drg_lang_pref pref;
	struct drg_collator *collator;
	struct drg_list_row *row;
	size_t n, cap;
	struct drg_buf keys;
	/** what is written of meals and hotel categories: with their descriptions (decision L12)? */
	bool describe;
	int rc; /**< sticky: DRG_ENOMEM */
};

/** @param lang  The language of names and of their order. */
DRG_MUSTCHECK
int drg_list_rows_init(struct drg_list_rows *r, const struct drg_catalog *cat, struct drg_str lang,
                       struct drg_err *reterr);
void drg_list_rows_done(struct drg_list_rows *r);

/* Each of these replaces the rows by others and puts them in order. Records that are gone are left out. */
void drg_list_rows_set(struct drg_list_rows *r, const drg_handle *handles, size_t n);
void drg_list_rows_set_kind(struct drg_list_rows *r, enum drg_kind kind);
/** @param code  Of a country, "" for all. @param place  DRG_PLACE_CITY, DRG_PLACE_APT, or -1 for both. */
void drg_list_rows_set_places(struct drg_list_rows *r, const char *code, int place);
void drg_list_rows_set_adapters(struct drg_list_rows *r, const struct drg_adapter *const *adapters, size_t n);

/** A record's name in the rows' language, escaped; false when the record is gone. */
bool drg_list_rows_name(const struct drg_list_rows *r, drg_handle h, int64_t *ret_id,
                        struct drg_str *ret_name);
