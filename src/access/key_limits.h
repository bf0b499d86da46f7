/* src/access/key_limits.h
 * Tells the client of a key with limits what is left (decision E30): RateLimit-Policy and RateLimit in the form
 * of draft-ietf-httpapi-ratelimit-headers-08 and later, and a 429 with Retry-After. */
#pragma once
#include "catalog/catalog.h"
#include "http/exchange.h"

/** Take a request out of what the key may ask in a second. The key has that limit. Inside a read section.
 * @param free  It costs nothing. @return DRG_OK; DRG_EINVAL: the 429 stands in the exchange. */
DRG_MUSTCHECK
int drg_key_limits_request(struct drg_exchange *x, const struct drg_key *key, bool free);
/** Tell what the key may still add today. @param refused  It was too much: say until when. */
void drg_key_limits_adds(struct drg_exchange *x, int64_t per_day, int64_t left, bool refused);
