/* src/server/copies.h
 * Where reads go if the store has copies, as the standbys of a PostgreSQL are (decision D4): to a copy that has what is known of
 * the store already, else to the store itself. So nobody reads what is older than what was shown, or of a history that is over. */
#pragma once
#include "store/store.h"

/**
 * Does the store have the commit of which @p known is the clock, in its branch?
 * @param clock  Of @p s, as read a moment ago.
 * @param known  With the epoch "" nothing is known, and every store has that.
 * @return DRG_OK; errors of the store.
 */
DRG_MUSTCHECK
int drg_store_has(struct drg_store *s, const struct drg_clock *clock, const struct drg_clock *known,
                  bool *ret, struct drg_err *reterr);

/** What is read. */
enum drg_read_from {
	DRG_FROM_STORE, /**< the store, as the URL prefers */
	DRG_FROM_COPY,
	DRG_FROM_STORE_INSTEAD /**< the store, since the copy that the URL prefers would not do */
};

/** After so long it is seen whether a copy will do again. */
#define DRG_COPY_AGAIN_NS (30 * INT64_C(1000000000))

/**
 * Open for reading what the URL prefers.
 * @param lent  With a handle that is borrowed (drg_store_borrow()), in all three.
 * @return DRG_OK; DRG_EBUSY: it is a copy without @p known; errors of drg_store_open(), of which DRG_ENOENT and DRG_ELIMIT may
 *         be a copy's that has not come so far that there is a store.
 */
DRG_MUSTCHECK
int drg_open_preferred(const char *url, const struct drg_clock *known, bool lent, struct drg_store **ret,
                       enum drg_read_from *ret_from, struct drg_err *reterr);

/**
 * Likewise, but wait up to @p wait_ms until the copy has come to @p known, and then open the store itself.
 * @param known  As above; with the epoch "" whatever can be opened first will do.
 * @return DRG_OK; errors of drg_store_open().
 */
DRG_MUSTCHECK
int drg_open_reading(const char *url, const struct drg_clock *known, bool lent, unsigned wait_ms,
                     struct drg_store **ret, enum drg_read_from *ret_from, struct drg_err *reterr);
/** Open the store itself, never a copy, for somebody who only reads. @return as drg_store_open(). */
DRG_MUSTCHECK
int drg_open_itself(const char *url, bool lent, struct drg_store **ret, enum drg_read_from *ret_from,
                    struct drg_err *reterr);
