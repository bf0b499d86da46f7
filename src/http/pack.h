/* src/http/pack.h
 * Answers that are made for one request, compressed fast where the client takes that (decision E23). */
#pragma once
#include "http/http_priv.h"

/** What the client gives each coding (negotiate.h), read once. */
const int *drg_pack_weights(struct drg_exchange *x);
/** Does Accept-Encoding refuse whatever there could be, the identity too? */
bool drg_pack_refused(struct drg_exchange *x);
/** Bytes beyond which a body is compressed by a worker or not at all: others wait for an http thread. */
enum { DRG_PACK_HTTP_BYTES = 512 * 1024 };
/** Compress drg_exchange_out() where that pays, once. @param most  Larger ones are left as they are. */
void drg_pack_answer(struct drg_exchange *x, size_t most);
