/* src/access/keys_priv.h
 * Shared by the files of API keys. */
#pragma once
#include "access/keys.h"
#include "base/digest.h"

enum { RANDOM_CHARS = 43, PREFIX_CHARS = 5 };

/** Let libsodium choose the generator of random bytes and the fastest hash; may be called again, from any
 * thread. */
DRG_MUSTCHECK
int drg_keys_start_sodium(struct drg_err *err);
/** Make a new key text, and a secret if wanted, in @p made. Put their hashes, which are stored in @p hashes,
 * into the record. */
void drg_keys_mint(struct drg_record *r, bool secret, char hashes[2][DRG_DIGEST_TEXT],
                   struct drg_key_made *made);
