/* src/base/err.h
 * One error enum for the whole program. A code of SQLite, llhttp or errno is translated where the library is
 * called and goes no further. A function that can fail returns a code. What a person needs to know to correct
 * the fault goes into a struct drg_err that the caller provides. */
#pragma once
#include "base/compiler.h"
#include "base/reason.h"

enum drg_rc {
	DRG_OK = 0,
	DRG_EINVAL, /**< the input breaks a rule; the err names field, expectation and what was found */
	DRG_EUSAGE, /**< the command line is wrong (exit status 2) */
	DRG_ENOENT, /**< no such thing */
	DRG_EEXIST, /**< it exists already */
	DRG_EAUTH, /**< key or secret missing, unknown, revoked or not for this */
	DRG_ELIMIT, /**< a configured limit was reached */
	DRG_EBUSY, /**< in use, or the queue is full; trying again later helps */
	DRG_EFULL, /**< disk full */
	DRG_EIO, /**< reading or writing failed */
	DRG_ECORRUPT, /**< stored data is not what was written */
	DRG_ENOMEM,
	DRG_ESTOPPED, /**< the caller or the operator asked to stop */
	DRG_EINTERNAL /**< a bug of ours */
};

/** An error in words. Plain data, no ownership. A text that is too long is cut between characters. */
struct drg_err {
	int code; /**< enum drg_rc */
	char reason[32]; /**< stable machine-readable word, "missing_field" (decision E1); "" when none */
	char field[96]; /**< the field at fault; "" when none */
	char message[640]; /**< one sentence without a full stop at its end */
};

/**
 * Fill @p err and return @p code, so that a failing function ends with `return drg_fail(...)`.
 * @param err     May be NULL.
 * @param reason  DRG_R(word) or NULL.
 * @param field   Name of the field at fault or NULL.
 */
int drg_fail(struct drg_err *err, int code, const struct drg_reason *reason, const char *field,
             const char *fmt, ...) DRG_PRINTF(5, 6);

/** Fail because memory is exhausted: fill @p err (may be NULL) and return DRG_ENOMEM. */
int drg_fail_memory(struct drg_err *err);

/** A short text for a code ("disk full"), never NULL. */
const char *drg_rc_text(int code);

/** Translate an errno value: ENOSPC, EDQUOT and EFBIG to DRG_EFULL, ENOENT, EEXIST, ENOMEM to their own, else
 * DRG_EIO. */
int drg_rc_from_errno(int errnum);
