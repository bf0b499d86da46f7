/* src/http/conns/listener.h
 * The listening socket and the thread that accepts. The thread gives connections to the loops in turn (a
 * shared epoll set would not) and counts them before any is served. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include "base/err.h"

struct drg_listener;

/** Callbacks of the accepting thread. */
struct drg_listener_calls {
	/** Is there room for another connection? If not, the connection waits in the kernel's queue. */
	bool (*room)(void *ctx);
	/** Take over the socket. */
	void (*accepted)(void *ctx, int fd, const struct sockaddr *remote);
	void *ctx;
};

/**
 * Bind a socket; clients cannot connect yet.
 * @param address  A numeric IPv4 or IPv6 address; or the path of a local socket, which begins with a slash
 *                 (conns/local.h).
 * @param given    A socket that listens already, to be taken over; 0: none. At the end, connections in its
 *                 queue are left to the other process that has it.
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
