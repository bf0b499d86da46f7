/* src/access/key_check.h
 * The key of a request (decision E6). The catalog has keys as digests (base/digest.h); access/keys.h makes
 * them. */
#pragma once
#include "base/digest.h"
#include "catalog/catalog.h"

/** The key that came last on a connection, and its digest: the same key needs no hashing when it comes again.
 * All zero at first. Whether the key is good is looked up each time. */
struct drg_key_memo {
	size_t n;
	char text[64]; /**< longer texts are not stored */
	char hash[DRG_DIGEST_TEXT];
};

/**
 * Find the key that a request presents, if it is good for this API now.
 * @param cat     Inside a read section.
 * @param memo    Of the connection; one thread at a time. NULL: none.
 * @param now_us  Wall clock.
 * @return NULL when the text is empty, unknown, revoked, expired or of the other API.
 */
const struct drg_key *drg_keys_find(const struct drg_catalog *cat, enum drg_api api, struct drg_str text,
                                    struct drg_key_memo *memo, int64_t now_us);
/** The role of a key (decision E19). A key that was made before roles existed may register if it has a
 * secret. */
enum drg_key_role drg_keys_role(const struct drg_key *key);

/** Is this the secret of the key, or the previous secret while that still works (E11)? In constant time. */
bool drg_keys_secret_matches(const struct drg_key *key, struct drg_str secret, int64_t now_us);
