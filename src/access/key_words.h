/* src/access/key_words.h
 * Words about keys: the state of a key, and for how long a replaced key goes on working. */
#pragma once
#include "base/err.h"
#include "model/record.h"

/** "good", "revoked" or "expired". */
const char *drg_keys_state(const struct drg_record *key);

/** Until when the pair before the last rotation works; empty: it does not. */
struct drg_str drg_keys_older_until(const struct drg_record *key);

/** Read the time for which a replaced key goes on working: "90s", "30m", "24h", "7d", 90 days at most.
 * @return DRG_OK; DRG_EINVAL, invalid_option. */
DRG_MUSTCHECK
int drg_keys_parse_overlap(struct drg_str text, int64_t *ret_us, struct drg_err *reterr);
