/* src/access/verifier.h
 * Compares passwords, and makes the hashes of new ones, one after the other on a thread of its own, so that
 * who guesses takes one core and the memory of one try at most; a few may wait, and of one client fewer. */
#pragma once
#include "base/lanes.h"
#include "access/password.h"

struct drg_verifier;

/** One try. Embedded in the caller's own struct, which lives until done(). */
struct drg_verification {
	char hash[DRG_PASSWORD_HASH]; /**< "": nobody's */
	struct drg_str password; /**< lives as long */
	bool known; /**< somebody who signed in from there before: strangers do not take this one's place */
	bool choose; /**< the password is new: make its hash */
	int rc; /**< as of drg_password_compare(), or of drg_password_hash() */
	void (*done)(struct drg_verification
	                     *v); /**< called once, on the thread; the verifier has forgotten it then */
	struct drg_lane_item item; /**< owner: a number for the client, not 0 */
};

DRG_MUSTCHECK
int drg_verifier_start(struct drg_verifier **ret, struct drg_err *reterr);
/** Does what waits, ends the thread. NULL is fine. */
void drg_verifier_stop(struct drg_verifier *v);
/** From any thread. @return DRG_OK; DRG_EBUSY, DRG_ELIMIT: as many wait as may, of all, of this client; done()
 * will not be called. */
DRG_MUSTCHECK
int drg_verifier_put(struct drg_verifier *v, struct drg_verification *one);
