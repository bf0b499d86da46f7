/* src/access/throttle.h
 * How often somebody may try to sign in (decision E25): by address and by name, longer and longer. A name
 * that signed in from an address has an allowance of its own there, so that strangers cannot lock it out;
 * elsewhere those who try a name that has to wait are in a line, in which who comes too early goes to the
 * end. In memory that is fixed, of this server alone. From any thread. */
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

/** Who tries, and when. */
struct drg_try {
	struct drg_str address; /**< bytes that tell one client from another */
	struct drg_str network; /**< likewise, where somebody has many addresses: one of them all */
	struct drg_str name; /**< as it was sent; whether there is such a person does not matter */
	int64_t now_ns; /**< drg_clock_ns() */
	/** drg_throttle_try() found that the name signed in from the address before, and counted it there
	 * alone */
	bool known;
};
/**
 * May they? If so it counts as a try that failed, until drg_throttle_end(): tries side by side are as
 * many. Who may not has no counter, and no more than a place in line. Where memory is short, who has to wait
 * is forgotten last.
 * @return 0: they may; else in how many seconds.
 */
unsigned drg_throttle_try(struct drg_throttle *t, struct drg_try *who);
/** After drg_throttle_try() was 0. @param passed  The password was right, and the address is one from where the
 * name signed in. Where it was not before, the name begins anew; of the address one try is forgotten, since its
 * others may be guesses. false: it was not tried after all. */
void drg_throttle_end(struct drg_throttle *t, const struct drg_try *who, bool passed);
