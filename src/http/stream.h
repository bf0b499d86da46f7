/* src/http/stream.h
 * A body that is too large to be put together first: another thread writes it while it is being sent, and
 * waits where the client is slow. It is sent in chunks; one that does not come to its end is cut, so that the
 * client can tell. */
#pragma once
#include "http/exchange.h"

struct drg_stream;

/**
 * Let the body of this answer be a stream. In a handler, before it suspends the exchange: it, or the function
 * that runs after the resumption, then returns DRG_OK and the sending begins.
 * @param ret  For the writer, which calls drg_stream_end() in any case.
 * @return DRG_EINVAL: the client takes compressed answers alone (406, decision E23). DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_exchange_stream(struct drg_exchange *x, struct drg_stream **ret);

/**
 * Append to the body; waits while DRG_STREAM_BYTES have not been sent. One thread.
 * @return DRG_OK; DRG_ESTOPPED: nobody reads any more (the client has gone or is too slow, or the server
 *         stops).
 */
DRG_MUSTCHECK
int drg_stream_write(struct drg_stream *s, struct drg_str bytes);
/** @param complete  false: cut the answer. The writer's stream is gone after that. */
void drg_stream_end(struct drg_stream *s, bool complete);

enum { DRG_STREAM_BYTES = 256 * 1024 };
