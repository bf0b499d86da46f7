/* src/access/key_limits.h
 * Tells the client of a key with limits how much is left (decision E30): headers RateLimit-Policy and
 * RateLimit in the form of draft-ietf-httpapi-ratelimit-headers-08 and later, and status 429 with
 * Retry-After. */
#pragma once
#include "catalog/catalog.h"
#include "http/exchange.h"

/** Count a request against the key's limit for a second, and write the headers. The key must have that limit.
 * Inside a read section.
 * @param free  The request does not count. @return DRG_OK; DRG_EINVAL: the answer 429 is in the exchange. */
DRG_MUSTCHECK
int drg_key_limits_request(struct drg_exchange *x, const struct drg_key *key, bool free);
/** Write Retry-After: daily counts start again at midnight UTC. */
void drg_key_limits_tomorrow(struct drg_exchange *x);
/** Write how many elements the key may still add today. @param refused  The request was refused because of
 * this: write Retry-After too. */
void drg_key_limits_adds(struct drg_exchange *x, int64_t per_day, int64_t left, bool refused);
