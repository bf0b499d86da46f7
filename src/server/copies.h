/* src/server/copies.h
 * Chooses the server to read from if the store has copies, such as standbys of a PostgreSQL (decision D4): a
 * copy that has every commit known so far, else the store itself. So no reader gets data older than what was
 * shown, or of a history that is over. */
#pragma once
#include "base/clock.h"
#include "store/store.h"

/**
 * Does the store have the commit of which @p known is the clock, in its branch?
 * @param clock  Of @p s, as read a moment ago.
 * @param known  With the epoch "" no commit is known, and the answer is yes.
 * @return DRG_OK; errors of the store.
 */
DRG_MUSTCHECK
int drg_store_has_commit(struct drg_store *s, const struct drg_clock *clock, const struct drg_clock *known,
                         bool *ret, struct drg_err *reterr);

/** The server that is read. */
enum drg_read_from {
	DRG_FROM_STORE, /**< the store, as the URL prefers */
	DRG_FROM_COPY,
	DRG_FROM_STORE_INSTEAD /**< the store, because the copy that the URL prefers was late */
};

/** After this time a copy is tried again. */
#define DRG_COPY_AGAIN_NS (30 * DRG_SECOND_NS)

/**
 * Open the server that the URL prefers, for reading.
 * @param lent  With a handle that is borrowed (drg_store_borrow()), in all three functions.
 * @return DRG_OK; DRG_EBUSY: it is a copy that does not have @p known; errors of drg_store_open(). DRG_ENOENT
 *         and DRG_ELIMIT may mean that a copy does not have the store yet.
 */
DRG_MUSTCHECK
int drg_store_open_preferred(const char *url, const struct drg_clock *known, bool lent,
                             struct drg_store **ret, enum drg_read_from *ret_from, struct drg_err *reterr);

/**
 * Open the server that the URL prefers, for reading, and wait up to @p wait_ms until a copy has @p known;
 * after that open the store itself.
 * @param known  As above; with the epoch "" any server will do.
 * @return DRG_OK; errors of drg_store_open().
 */
DRG_MUSTCHECK
int drg_store_open_reading(const char *url, const struct drg_clock *known, bool lent, unsigned wait_ms,
                           struct drg_store **ret, enum drg_read_from *ret_from, struct drg_err *reterr);
/** Open the store itself, never a copy, for reading. @return as drg_store_open(). */
DRG_MUSTCHECK
int drg_store_open_primary(const char *url, bool lent, struct drg_store **ret, enum drg_read_from *ret_from,
                           struct drg_err *reterr);
