/* src/access/password.h
 * Passwords of people (decision E25): kept as argon2id, which takes 64 MiB and some 0.1 s of a core for each
 * try. */
#pragma once
#include "base/err.h"
#include "base/str.h"

/** Room for a hash, with its NUL. */
enum { DRG_PASSWORD_HASH = 128, DRG_PASSWORD_MIN = 10, DRG_PASSWORD_MAX = 1024 };

/** Is it fit for one: UTF-8, no control characters, DRG_PASSWORD_MIN characters, DRG_PASSWORD_MAX bytes?
 * @return DRG_OK or DRG_EINVAL. */
DRG_MUSTCHECK
int drg_password_check(struct drg_str password, struct drg_err *reterr);
/** @return DRG_OK; DRG_ENOMEM; DRG_EINTERNAL: no source of random bytes. */
DRG_MUSTCHECK
int drg_password_hash(struct drg_str password, char hash[static DRG_PASSWORD_HASH], struct drg_err *reterr);
/** Is it the one of this hash? Takes as long where @p hash is none, as that of a link, which no password is
 * good for. @return DRG_OK; DRG_EAUTH: it is not; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_password_compare(const char hash[static DRG_PASSWORD_HASH], struct drg_str password);
