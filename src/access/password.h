/* src/access/password.h
 * Passwords of people (decision E25): stored as argon2id hashes. Each try takes 64 MiB of memory and some 0.1
 * s of a core. */
#pragma once
#include "base/err.h"
#include "base/str.h"

/** Room for a hash, with its NUL. */
enum { DRG_PASSWORD_HASH = 128, DRG_PASSWORD_MIN = 10, DRG_PASSWORD_MAX = 1024 };

/** Can the text be a password: UTF-8, no control characters, at least DRG_PASSWORD_MIN characters, at most
 * DRG_PASSWORD_MAX bytes?
 * @return DRG_OK or DRG_EINVAL. */
DRG_MUSTCHECK
int drg_password_check(struct drg_str password, struct drg_err *reterr);
/** Make the hash of a password. @return DRG_OK; DRG_ENOMEM; DRG_EINTERNAL: no source of random bytes. */
DRG_MUSTCHECK
int drg_password_hash(struct drg_str password, char hash[static DRG_PASSWORD_HASH], struct drg_err *reterr);
/** Is it the password of this hash? If @p hash is not a password's hash (but a link's), every password is
 * wrong, and the comparison takes as long. @return DRG_OK; DRG_EAUTH: wrong password; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_password_compare(const char hash[static DRG_PASSWORD_HASH], struct drg_str password);
