/* src/http/conns/linger.h
 * Closing without losing the last answer. A socket that is closed while bytes of the client are still unread, or
 * arrive afterwards, is reset, and the reset can overtake the answer (a 413 to somebody who keeps sending). So such a
 * socket is kept for a moment, and what arrives is thrown away. */
#pragma once
#include <stdint.h>

enum { DRG_LINGER_MAX = 64 };

/** The sockets that linger; one thread uses it. */
struct drg_linger {
	struct {
		int fd;
		int64_t until_ns;
		int64_t bytes_left;
	} sockets[DRG_LINGER_MAX];
	unsigned n;
};

/** Take over @p fd, whose sending side is shut down; when too many linger, the oldest is closed. */
void drg_linger_add(struct drg_linger *l, int fd, int64_t now_ns);
/** Throw away what has arrived; close what is at its end, too old or too talkative. */
void drg_linger_tick(struct drg_linger *l, int64_t now_ns);
/** Close all. */
void drg_linger_done(struct drg_linger *l);
