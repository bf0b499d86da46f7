/* src/http/pack.h
 * Compresses answers that are made for one request, fast, if the client accepts that (decision E23). */
#pragma once
#include "http/http_priv.h"

/** Get the client's weight of each coding (negotiate.h); the header is read once. */
const int *drg_pack_weights(struct drg_exchange *x);
/** Does Accept-Encoding refuse every coding, the identity too? */
bool drg_pack_refused(struct drg_exchange *x);
/** Larger bodies are compressed by a worker or not at all: the http threads are needed for other requests. */
enum { DRG_PACK_HTTP_BYTES = 512 * 1024 };
/** Compress drg_exchange_out() once, if that pays. @param most  Larger answers stay uncompressed. */
void drg_pack_answer(struct drg_exchange *x, size_t most);
