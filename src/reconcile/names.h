/* src/reconcile/names.h
 * The index of a server (decision O2): made when somebody asks first, and again when names have changed, by a
 * thread of its own that reads the store; given back when nobody has asked for a while (base/keeper.h). */
#pragma once
#include "base/keeper.h"
#include "reconcile/index.h"

struct drg_recon;

DRG_MUSTCHECK
int drg_recon_start(const char *store_url, struct drg_recon **ret, struct drg_err *reterr);
/** The server stops: waiting requests are told so, and nothing is made any more. NULL is fine. */
void drg_recon_drain(struct drg_recon *c);
/** Likewise, and end the thread. Nobody asks any more. NULL is fine. */
void drg_recon_stop(struct drg_recon *c);

/** The keeper of the index; ask it before looking at the index. */
struct drg_keeper *drg_recon_keeper(const struct drg_recon *c);
/** Inside a read section (catalog/rcu.h), and valid as long. NULL: not there (any more). */
const struct drg_recon_index *drg_recon_index(const struct drg_recon *c);
