/* src/http/deadlines.h
 * Connections and the time they have. libmicrohttpd's own timeout counts idle time only, so one byte per second
 * keeps a connection for ever: here each connection has a deadline for what it does now, and a thread shuts down
 * the sockets that are over it (libmicrohttpd then sees the end of the stream, and cleans up).
 *
 * What a connection does, and until when:
 *   waiting for its first request     header_seconds after it was accepted
 *   waiting for a further request     idle_seconds; once bytes of it have come, header_seconds more
 *   sending the rest of a head        header_seconds after the request line
 *   sending a body                    header_seconds, and 1 / min_rate for each byte that came
 *   being worked for                  no deadline
 *   reading the answer                header_seconds, and 1 / min_rate for each byte of it; beyond DRG_SLOW_BYTES
 *                                     1 / DRG_SLOW_BYTES for each
 */
#pragma once
#include <arpa/inet.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "http/server.h"

struct drg_deadlines;

enum drg_conn_phase { DRG_CONN_FIRST, DRG_CONN_IDLE, DRG_CONN_BUSY };

/** One connection; the http thread that serves it calls the functions below. */
struct drg_conn {
	_Atomic(int64_t) deadline_ns; /**< of drg_clock_ns() */
	_Atomic(int64_t) since_ns; /**< FIRST, IDLE: it waits for a request since then */
	atomic_int phase; /**< enum drg_conn_phase */
	bool linger; /**< close it gently: what the client sends has not been read to its end */
	int fd;
	char remote[INET6_ADDRSTRLEN];
	struct drg_deadlines *owner;
	struct drg_conn *prev, *next; /**< the owner's, under its lock */
};

/**
 * Start the thread.
 * @param o     header_seconds, idle_seconds, min_rate are used.
 * @param tick  Called by the thread several times each second.
 */
DRG_MUSTCHECK
int drg_deadlines_start(const struct drg_http_options *o, void (*tick)(void *ctx), void *ctx,
                        struct drg_deadlines **ret, struct drg_err *reterr);
/** Stop the thread; every connection has been removed. NULL is fine. */
void drg_deadlines_stop(struct drg_deadlines *d);

/** A connection was accepted. @return NULL: out of memory. */
struct drg_conn *drg_conn_add(struct drg_deadlines *d, int fd, const struct sockaddr *remote);
/** It is about to be closed: from here on its fd is not touched. NULL is fine. */
void drg_conn_remove(struct drg_conn *c);
/** How many there are. */
unsigned drg_conn_count(const struct drg_deadlines *d);

/** An answer is done: it waits for the next request. */
void drg_conn_wait(struct drg_conn *c, int64_t now_ns);
/** The request line is here. */
void drg_conn_head(struct drg_conn *c, int64_t now_ns);
/** A body began at @p start_ns and @p bytes of it are here. */
void drg_conn_body(struct drg_conn *c, int64_t start_ns, uint64_t bytes);
/** The server works. */
void drg_conn_work(struct drg_conn *c);
/** An answer of @p bytes is on its way. */
void drg_conn_answer(struct drg_conn *c, int64_t now_ns, uint64_t bytes);

/** Shut down those that wait for a request of which nothing has come: the server wants to stop. */
void drg_deadlines_close_waiting(struct drg_deadlines *d);
