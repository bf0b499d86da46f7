/* src/access/throttle.h
 * Limits how often somebody may try to sign in (decision E25): by address and by name, with waits that get
 * longer and longer. A name that signed in from an address has counts of its own there, so that strangers
 * cannot lock it out. Everywhere else the clients that try a name that must wait stand in a line; a client
 * that tries too early goes to the end. The memory is of fixed size, and each server has its own counts. From
 * any thread. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/str.h"

struct drg_throttle;

/** @return DRG_OK; DRG_ENOMEM; DRG_EINTERNAL: no source of random bytes. */
DRG_MUSTCHECK
int drg_throttle_new(struct drg_throttle **ret, struct drg_err *reterr);
void drg_throttle_free(struct drg_throttle *t);

/** A try to sign in. */
struct drg_try {
	struct drg_str address; /**< bytes that tell one client from another */
	/** the same for clients that have many addresses: one value for all of them */
	struct drg_str network;
	struct drg_str name; /**< as it was sent; it need not be the name of a person */
	int64_t now_ns; /**< drg_clock_ns() */
	/** set by drg_throttle_try(): the name signed in from the address before, and the try is counted for
	 * this pair alone */
	bool known;
};
/**
 * May this try be made? If so it counts as failed until drg_throttle_end(), so that many tries at once are
 * not more than one after the other. A try that must wait is not counted, and gets at most a place in line.
 * If memory is short, those who must wait are forgotten last.
 * @return 0: yes; else the number of seconds to wait.
 */
unsigned drg_throttle_try(struct drg_throttle *t, struct drg_try *who);
/** End a try for which drg_throttle_try() returned 0. @param passed  true: the password was right, and the
 * name has now signed in from the address; if it had not before, the counts of the name are reset, but only
 * one try of the address is uncounted, since its other tries may be guesses. false: the try did not take
 * place after all. After a wrong password this is not called: the try stays counted. */
void drg_throttle_end(struct drg_throttle *t, const struct drg_try *who, bool passed);
