/* src/http/cors.h
 * Which pages of other sites may read an answer (CORS): what an endpoint's row and --cors-origin allow
 * (decision E20). */
#pragma once
#include "http/http_priv.h"
#include "http/content.h"

/** The CORS fields of the answer, as far as stored heads differ in them. */
enum drg_head_cors drg_cors_of(const struct drg_exchange *x);
/** Do the CORS fields depend on the origin, so that Vary must name Origin? */
bool drg_cors_varies(const struct drg_exchange *x);
/** Add the CORS headers of any answer, errors too. */
void drg_cors_headers(const struct drg_exchange *x, struct drg_buf *to);
/** Add the further headers of an answer to OPTIONS. */
void drg_cors_preflight(struct drg_exchange *x);
