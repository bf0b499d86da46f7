/* src/api/freshness.h
 * Of which data an answer is, and how new they have to be (decisions D1, D2). */
#pragma once
#include "api/app.h"

/** drg_http_app.admit: waits for the version in X-Min-Data-Version. */
int drg_api_admit(struct drg_exchange *x);
/** drg_http_app.version: that of the catalog of now, once it is loaded. */
void drg_api_version(struct drg_exchange *x);

/** The seq that a list must be of at least; 0: any. On an http thread. */
int64_t drg_api_min_seq(struct drg_exchange *x);

/** The answer is made from the store as of @p commit; with seq 0, from what it was made from as it is. */
void drg_api_set_version(struct drg_exchange *x, const struct drg_clock *commit);
