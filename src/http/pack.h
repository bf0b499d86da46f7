/* src/http/pack.h
 * Answers that are made for one request, compressed fast where the client takes that (decision E23). */
#pragma once
#include "http/http_priv.h"

/** The client's weight of each coding (negotiate.h), read once. */
const int *drg_pack_weights(struct drg_exchange *x);
/** Does Accept-Encoding refuse every coding, the identity too? */
bool drg_pack_refused(struct drg_exchange *x);
/** Larger bodies are compressed by a worker or not at all: other requests need the http threads. */
enum { DRG_PACK_HTTP_BYTES = 512 * 1024 };
/** Compress drg_exchange_out() if that pays, once. @param most  Larger answers stay uncompressed. */
void drg_pack_answer(struct drg_exchange *x, size_t most);
