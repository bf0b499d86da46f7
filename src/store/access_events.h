/* src/store/access_events.h
 * What became of keys and people (decision E29): who made, changed, rotated or revoked them, who signed in or
 * failed to. Events are no records: they have no seq and are in no scan, feed, export or count; they are
 * written with what they tell of, in its transaction. */
#pragma once
#include "store/store.h"

/** The numbers are stored: never change one. */
enum drg_access_sort { DRG_ACCESS_KEY, DRG_ACCESS_PERSON };

/** Texts are borrowed. */
struct drg_access_event {
	enum drg_access_sort sort;
	int64_t number; /**< of the key or the person */
	int64_t at_us; /**< wall clock */
	/** "created", "changed", "rotated", "revoked", "disabled", "enabled", "signed_in", "failed" */
	struct drg_str what;
	struct drg_str who; /**< who did it; empty: not said */
	struct drg_str detail; /**< more of it; may be empty */
};

/** The event is borrowed for the call. A return other than DRG_OK ends the reading and is handed through. */
typedef int drg_access_event_fn(void *ctx, const struct drg_access_event *e);

enum { DRG_SIGN_INS_KEPT = 1000 };
/** Add one, of now. Of sign-ins and failures the last DRG_SIGN_INS_KEPT of a person stay: strangers can make
 * those. Of the same at the same microsecond the first stays. Texts may be without bytes (p NULL). */
DRG_MUSTCHECK
int drg_txn_access_note(struct drg_txn *t, enum drg_access_sort sort, int64_t number, const char *what,
                        struct drg_str who, struct drg_str detail, struct drg_err *reterr);
/** Those of a key or person, ascending by time. @param number  0: of all, by number and time. */
DRG_MUSTCHECK
int drg_store_access_events(struct drg_store *s, enum drg_access_sort sort, int64_t number,
                            drg_access_event_fn *fn, void *ctx, struct drg_err *reterr);
