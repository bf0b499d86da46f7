/* src/http/stream.h
 * A body that is too large to be made before it is sent: another thread writes it meanwhile, and waits if the
 * client is slow. The body is sent in chunks; a body without its end is cut, so that the client notices. */
#pragma once
#include "http/exchange.h"

struct drg_stream;

/**
 * Make the body of this answer a stream. Call this in a handler before it suspends the exchange. When the
 * handler, or the function that runs after the resumption, then returns DRG_OK, sending begins.
 * @param ret  For the writer, which calls drg_stream_end() in any case.
 * @return DRG_EINVAL: the client takes only compressed answers (406, decision E23). DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_exchange_stream(struct drg_exchange *x, struct drg_stream **ret);

/**
 * Append to the body; waits while DRG_STREAM_BYTES are not sent yet. For one thread.
 * @return DRG_OK; DRG_ESTOPPED: the client reads no more (it has left or is too slow, or the server stops).
 */
DRG_MUSTCHECK
int drg_stream_write(struct drg_stream *s, struct drg_str bytes);
/** End the stream; the writer must not use it afterwards. @param complete  False: the body has no end, and
 * the answer is cut. */
void drg_stream_end(struct drg_stream *s, bool complete);

enum { DRG_STREAM_BYTES = 256 * 1024 };
