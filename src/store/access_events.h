/* src/store/access_events.h
 * The history of keys and people (decision E29): who made, changed, rotated or revoked them, who signed in or
 * failed to. Events are not records: they have no seq and are in no scan, feed, export or count. An event is
 * written in the transaction of the change that it is about. */
#pragma once
#include "store/store.h"

/** The numbers are stored: never change one. */
enum drg_access_sort { DRG_ACCESS_KEY, DRG_ACCESS_PERSON };

/** Texts are borrowed. */
struct drg_access_event {
	enum drg_access_sort sort;
	int64_t number; /**< number of the key or the person */
	int64_t at_us; /**< wall clock */
	/** "created", "changed", "rotated", "revoked", "disabled", "enabled", "signed_in", "failed" */
	struct drg_str what;
	struct drg_str who; /**< who did it; empty: unknown */
	struct drg_str detail; /**< details; may be empty */
};

/** The event is borrowed for the call. A return other than DRG_OK ends the reading and is passed on. */
typedef int drg_access_event_fn(void *ctx, const struct drg_access_event *e);

enum { DRG_SIGN_INS_KEPT = 1000 };
/** Add an event of now. Of sign-ins and failures a person keeps the last DRG_SIGN_INS_KEPT, since strangers
 * can cause them. Of equal events at one microsecond the first is kept. Texts may have p NULL. */
DRG_MUSTCHECK
int drg_txn_access_note(struct drg_txn *t, enum drg_access_sort sort, int64_t number, const char *what,
                        struct drg_str who, struct drg_str detail, struct drg_err *reterr);
/** Read the events of a key or person, ascending by time. @param number  0: of all, by number and time. */
DRG_MUSTCHECK
int drg_store_access_events(struct drg_store *s, enum drg_access_sort sort, int64_t number,
                            drg_access_event_fn *fn, void *ctx, struct drg_err *reterr);
/** Read the newest @p most events, newest first. */
DRG_MUSTCHECK
int drg_store_access_newest(struct drg_store *s, enum drg_access_sort sort, int64_t number, unsigned most,
                            drg_access_event_fn *fn, void *ctx, struct drg_err *reterr);
