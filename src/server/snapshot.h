/* src/server/snapshot.h
 * Renders records from one snapshot of the store as tour/sourceInfo would show them at that moment: with the
 * dict record, and with the names that it refers to. The server's catalog cannot be used, since it moves on.
 * So a small private catalog is filled with these records and what they refer to, and asked in the same way.
 * For one thread. */
#pragma once
#include "catalog/catalog.h"
#include "store/store.h"

struct drg_snapshot;

/**
 * @param s     The caller begins and ends the snapshot: by a call of drg_store_feed_from(), or
 *              drg_store_hold().
 * @param lang  Valid and lower case.
 */
DRG_MUSTCHECK
int drg_snapshot_new(struct drg_store *s, struct drg_str lang, struct drg_snapshot **ret,
                     struct drg_err *reterr);
void drg_snapshot_free(struct drg_snapshot *w);

/** A record to render; borrowed until the next call. */
struct drg_view {
	const struct drg_catalog *cat; /**< for drg_source_json(), drg_dict_json() */
	struct drg_lang_pref pref;
	bool has_source, has_dict;
	struct drg_source source;
	struct drg_dict dict; /**< of a source: the dict record that it is mapped to */
};

/** Does the code say that no catalog accepts the record (decision E14)? */
bool drg_snapshot_refuses(int rc);
/** Load a live source of the snapshot. @return DRG_OK; drg_snapshot_refuses(); errors of the store,
 * DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_snapshot_source(struct drg_snapshot *w, const struct drg_record *r, struct drg_view *ret,
                        struct drg_err *reterr);
/** Load a live dict record of the snapshot. @return likewise. */
DRG_MUSTCHECK
int drg_snapshot_dict(struct drg_snapshot *w, const struct drg_record *r, struct drg_view *ret,
                      struct drg_err *reterr);
