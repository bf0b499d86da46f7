/* src/api/keys/request_key_priv.h
 * The key that a request brings, and the adapters that it may read. Sign-in and the read section use it. */
#pragma once
#include "api/app.h"

struct drg_key_memo;

/** The text of the key, and of its secret, under either header name; p NULL: not sent. */
struct drg_str drg_request_key_text(struct drg_exchange *x, enum drg_api api);
struct drg_str drg_request_secret(struct drg_exchange *x);

/** The key with this text, including one of the demo; NULL: there is none. Inside a read section.
 * @param memo  May be NULL. */
const struct drg_key *drg_request_find_key(struct drg_exchange *x, const struct drg_catalog *cat,
                                           enum drg_api api, struct drg_str text, struct drg_key_memo *memo);
/** The key of a request that was let in; NULL: it was revoked since. Inside a read section. */
const struct drg_key *drg_request_key(struct drg_exchange *x, const struct drg_catalog *cat);

/** Fail: the key may not do this with the adapter. @param what  "read". */
int drg_request_refuse_adapter(struct drg_exchange *x, const char *what, int64_t adapter);
