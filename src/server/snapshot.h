/* src/server/snapshot.h
 * Records of a snapshot of the store as tour/sourceInfo would show them at that moment: with the dict record, and with the
 * names of what that refers to. The catalog of the server is no help here, since it moves on. So a small catalog of one's
 * own is filled with what is shown and what that needs, and asked in the same words. One thread. */
#pragma once
#include "catalog/catalog.h"
#include "store/store.h"

struct drg_snapshot;

/**
 * @param s     The snapshot is begun and ended by the caller: a call of drg_store_feed_from(), or drg_store_hold().
 * @param lang  Valid and lower case.
 */
DRG_MUSTCHECK
int drg_snapshot_new(struct drg_store *s, struct drg_str lang, struct drg_snapshot **ret,
                     struct drg_err *reterr);
void drg_snapshot_free(struct drg_snapshot *w);

/** Something to show; borrowed until the next call. */
struct drg_view {
	const struct drg_catalog *cat; /**< for drg_source_json(), drg_dict_json() */
	struct drg_lang_pref pref;
	bool has_source, has_dict;
	struct drg_source source;
	struct drg_dict dict; /**< of a source: what it is mapped to */
};

/** Is it a code that says of a record that no catalog takes it in (decision E14)? */
bool drg_snapshot_refuses(int rc);
/** A live source of the snapshot. @return DRG_OK; drg_snapshot_refuses(); errors of the store, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_snapshot_source(struct drg_snapshot *w, const struct drg_record *r, struct drg_view *ret,
                        struct drg_err *reterr);
/** A live dict record of the snapshot. @return likewise. */
DRG_MUSTCHECK
int drg_snapshot_dict(struct drg_snapshot *w, const struct drg_record *r, struct drg_view *ret,
                      struct drg_err *reterr);
