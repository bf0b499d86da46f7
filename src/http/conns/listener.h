/* src/http/conns/listener.h
 * The listening socket and the thread that accepts: it hands connections to the loops in turn, which an epoll
 * set that all of them share would not, and counts them before any of them is served. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include "base/err.h"

struct drg_listener;

/** What the accepting thread calls. */
struct drg_listener_calls {
	/** May another connection come in? While not, it waits in the kernel's queue. */
	bool (*room)(void *ctx);
	/** Takes over the socket. */
	void (*accepted)(void *ctx, int fd, const struct sockaddr *remote);
	void *ctx;
};

/**
 * Bind; nobody can connect yet.
 * @param address  A numeric IPv4 or IPv6 address; or the path of a local socket, which begins with a slash
 *                 (conns/local.h).
 * @param given    A socket that listens there already, which is taken over; 0: none. What waits in its queue
 *                 at the end is left for whoever has it too.
 * @return DRG_OK; DRG_EEXIST: the port is taken; DRG_EINVAL: not an address of this machine; DRG_EIO.
 */
DRG_MUSTCHECK
int drg_listener_open(const char *address, uint16_t port, int given, struct drg_listener **ret,
                      struct drg_err *reterr);
uint16_t drg_listener_port(const struct drg_listener *l);
/** Listen, and start the thread. @return DRG_OK; DRG_EEXIST: the port is taken; DRG_EIO. */
DRG_MUSTCHECK
int drg_listener_run(struct drg_listener *l, const struct drg_listener_calls *calls, struct drg_err *reterr);
/** Stop the thread and close the socket. NULL is fine. */
void drg_listener_close(struct drg_listener *l);
