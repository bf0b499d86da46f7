/* src/query/keys.h
 * The key of a request (decision E6). The catalog has keys as digests (base/digest.h); admin/keys.h makes them. */
#pragma once
#include "catalog/catalog.h"

/**
 * The key that a request presents, if it is good for this API now.
 * @param cat     Inside a read section.
 * @param now_us  Wall clock.
 * @return NULL when the text is empty, unknown, revoked, expired or of the other API.
 */
const struct drg_key *drg_keys_find(const struct drg_catalog *cat, enum drg_api api, struct drg_str text,
                                    int64_t now_us);
/** Is this the secret of this key? In constant time. */
bool drg_keys_secret_ok(const struct drg_key *key, struct drg_str secret);
