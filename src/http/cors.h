/* src/http/cors.h
 * Which pages of other sites may read an answer (CORS): what an endpoint's row and --cors-origin allow
 * (decision E20). */
#pragma once
#include "http/http_priv.h"
#include "http/ready.h"

/** What the answer says of it, as far as answers that are kept ready differ in it. */
enum drg_ready_cors drg_cors_of(const struct drg_exchange *x);
/** Does it depend on who asks, so that Vary names Origin? */
bool drg_cors_varies(const struct drg_exchange *x);
/** The headers of any answer, errors too. */
void drg_cors_headers(const struct drg_exchange *x, struct drg_buf *to);
/** The headers of an answer to OPTIONS, beside those. */
void drg_cors_preflight(struct drg_exchange *x);
