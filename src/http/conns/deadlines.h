/* src/http/conns/deadlines.h
 * Connections, the time they have, and who has gone. libmicrohttpd's own timeout counts idle time only, so one byte per
 * second keeps a connection for ever: here each connection has a deadline for what it does now, and a thread shuts down
 * the sockets that are over it (libmicrohttpd then sees the end of the stream, and cleans up).
 *
 * What a connection does, and until when:
 *   waiting for its first request     header_seconds after it was accepted
 *   waiting for a further request     idle_seconds; once bytes of it have come, header_seconds more
 *   sending the rest of a head        header_seconds after the request line
 *   sending a body                    header_seconds, and 1 / min_rate for each byte that came
 *   being worked for, or parked       no deadline
 *   reading the answer                header_seconds, and 1 / min_rate for each byte of it; beyond DRG_SLOW_BYTES
 *                                     1 / DRG_SLOW_BYTES for each
 *
 * Where every place is taken, whoever has waited for half a second, and is no trusted proxy, makes room.
 *
 * A client that has gone loses its place within 250 ms, whatever its connection does (leavers.c). */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "http/address.h"
#include "http/server.h"

struct drg_deadlines;
struct drg_peer;

enum drg_conn_phase {
	DRG_CONN_FIRST,
	DRG_CONN_IDLE,
	DRG_CONN_READING, /**< a head or a body */
	DRG_CONN_BUSY /**< the server works, or sends */
};

/** One connection; the http thread that serves it calls the functions below. */
struct drg_conn {
	_Atomic(int64_t) deadline_ns; /**< of drg_clock_ns() */
	_Atomic(int64_t) since_ns; /**< FIRST, IDLE: it waits for a request since then */
	atomic_int phase; /**< enum drg_conn_phase */
	atomic_bool gone; /**< the client sends no more: it has gone, or reads the answer still */
	bool linger; /**< close it gently: what the client sends has not been read to its end */
	bool trusted; /**< the other side is a proxy that is believed */
	int fd;
	struct drg_address client;
	char remote[INET6_ADDRSTRLEN]; /**< the same as text */
	struct drg_deadlines *owner;
	max_align_t memory[DRG_CONN_MEMORY / sizeof(max_align_t)]; /**< the application's */

	/* under the owner's lock */
	struct drg_conn *prev, *next;
	struct drg_peer *peer; /**< NULL: not counted */
	bool started; /**< libmicrohttpd has it */
	bool reset; /**< nobody will read anything any more */
	bool asked; /**< whether somebody is there still (leavers.c) */
	bool http_1_0;
	int64_t gone_ns; /**< since when */
	void *parked; /**< its request, while libmicrohttpd leaves it alone; NULL: it does not */
	uint64_t acked; /**< bytes that the client had when it was last looked at */
	int64_t acked_ns;
};

/** What the thread calls back. */
struct drg_deadlines_calls {
	/** Several times each second, from the start on: before drg_deadlines_start() has returned, too.
	 * @param connections  How many there are. */
	void (*tick)(void *ctx, unsigned connections);
	/** The client of a parked request has gone. Called under a lock: drg_conn_park() and drg_conn_unpark() wait.
	 * @return whether libmicrohttpd is going to take the connection again, and close it. */
	bool (*abandon)(void *ctx, void *parked);
	void *ctx;
};

/**
 * Start the thread.
 * @param o  header_seconds, idle_seconds, min_rate, max_connections and max_per_address are used.
 */
DRG_MUSTCHECK
int drg_deadlines_start(const struct drg_http_options *o, const struct drg_deadlines_calls *calls,
                        struct drg_deadlines **ret, struct drg_err *reterr);
/** Stop the thread; every connection has been removed. NULL is fine. */
void drg_deadlines_stop(struct drg_deadlines *d);

/**
 * The accepting thread has a new connection: it counts from here on.
 * @param trusted  Of a proxy that is believed: the limit for each address does not hold.
 * @return DRG_OK; DRG_ELIMIT: this address has its share; DRG_ENOMEM. The caller closes @p fd then.
 */
DRG_MUSTCHECK
int drg_conn_admit(struct drg_deadlines *d, int fd, const struct drg_address *client, bool trusted);
/** libmicrohttpd did not take it; the caller has closed it. */
void drg_conn_withdraw(struct drg_deadlines *d, int fd);
/** libmicrohttpd begins to serve an admitted connection. */
struct drg_conn *drg_conn_started(struct drg_deadlines *d, int fd);
/** It is about to be closed: from here on its fd is not touched. NULL is fine. */
void drg_conn_remove(struct drg_conn *c);
/** Say @p text and close @p fd, in peace for the client if there is room for that; from any thread. */
void drg_deadlines_refuse(struct drg_deadlines *d, int fd, const char *text);
/** How many there are. */
unsigned drg_conn_count(const struct drg_deadlines *d);

/** An answer is done: it waits for the next request. */
void drg_conn_wait(struct drg_conn *c, int64_t now_ns);
/** The request line is here. @return false: the connection has been shut down, and nobody would get an answer. */
DRG_MUSTCHECK
bool drg_conn_head(struct drg_conn *c, int64_t now_ns);
/** A body began at @p start_ns and @p bytes of it are here. */
void drg_conn_body(struct drg_conn *c, int64_t start_ns, uint64_t bytes);
/** The server works. @return as drg_conn_head(). */
bool drg_conn_work(struct drg_conn *c);
/** An answer of @p bytes is on its way. */
void drg_conn_answer(struct drg_conn *c, int64_t now_ns, uint64_t bytes);
/** Nothing of the answer is sent, and libmicrohttpd leaves the connection alone, until drg_conn_unpark(). */
void drg_conn_park(struct drg_conn *c, void *request, bool http_1_0);
void drg_conn_unpark(struct drg_conn *c);

/** What connections do, for people who wait for them; those that are worked for are not among them. */
struct drg_conn_census {
	unsigned reading, waiting, answering;
};
void drg_deadlines_census(struct drg_deadlines *d, struct drg_conn_census *ret);

/** The server wants to stop: shut down those that wait for a request of which nothing has come; those whose request is
 * not here at @p request_until_ns; and those that read nothing of their answer for STALL_NS. */
void drg_deadlines_drain(struct drg_deadlines *d, int64_t request_until_ns);
/** Shut down all. */
void drg_deadlines_cut(struct drg_deadlines *d);
