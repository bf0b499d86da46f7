/* src/access/verifier.h
 * Compares passwords, and makes the hashes of new ones, one after the other on a thread of its own. So
 * guessing passwords takes one core at most, and the memory of one try. A few tries may wait, fewer of one
 * client. */
#pragma once
#include "base/lanes.h"
#include "access/password.h"

struct drg_verifier;

/** A password to compare or to hash. Embedded in the caller's own struct, which lives until done(). */
struct drg_verification {
	/** the hash to compare with, or the result; "": the name belongs to nobody */
	char hash[DRG_PASSWORD_HASH];
	struct drg_str password; /**< lives until done() */
	bool known; /**< the name signed in from there before: strangers cannot take its place in the queue */
	bool choose; /**< the password is new: make its hash */
	int rc; /**< result of drg_password_compare() or drg_password_hash() */
	/** called once, on the verifier's thread, when the verifier has forgotten @p v */
	void (*done)(struct drg_verification *v);
	struct drg_lane_item item; /**< owner: a number for the client, not 0 */
};

DRG_MUSTCHECK
int drg_verifier_start(struct drg_verifier **ret, struct drg_err *reterr);
/** Do what waits, then end the thread. NULL is fine. */
void drg_verifier_stop(struct drg_verifier *v);
/** Queue a password. From any thread. @return DRG_OK; DRG_EBUSY: the queue is full; DRG_ELIMIT: this client
 * has as many in it as it may; done() will not be called. */
DRG_MUSTCHECK
int drg_verifier_put(struct drg_verifier *v, struct drg_verification *one);
