/* src/http/conns/conn.h
 * A connection as a state machine. The accepting thread creates it; from then on only its loop touches it
 * (loop.h).
 *
 *   accepted ──▶ GREETING ──▶ HEAD ──▶ BODY ──▶ WAITING ──▶ WRITING ──▶ HEAD (the next request) …
 *                   │          │ ▲ └───────────────▲────────▲   │
 *                   │          │ └ no body, no wait ┘       │   └──▶ LINGERING ──▶ closed
 *                   └──────────┴─── refused ────────────────┘
 *
 *   state      what it does                                until
 *   GREETING   reads the header of the PROXY protocol      header_seconds after it was accepted
 *   HEAD       waits for the first request, and reads it   header_seconds after it was accepted
 *              waits for a further request                 idle_seconds
 *              reads the head of that                      header_seconds after its first byte
 *   BODY       reads a body                                header_seconds, and 1 / min_rate for each byte
 *   WAITING    reads nothing, while its handler waits      no deadline
 *   WRITING    sends an answer                             header_seconds, and 1 / min_rate for each byte;
 *                                                          beyond DRG_SLOW_BYTES 1 / DRG_SLOW_BYTES each
 *   LINGERING  has sent its last answer, and discards      2 s or 64 MiB, whichever comes first
 *              bytes, since a reset could overtake it
 *
 * A client that has left loses its place at once. A client that only stops sending has not left (decision E15):
 * it may have closed its sending side and still read. To find out, the server sends something: a client that
 * has left answers with a reset. A connection in WAITING has nothing to send, so it sends "102 Processing",
 * which a client that waits ignores (RFC 9110, 15.2). HTTP/1.0 has no such status; there the wait ends after a
 * second.
 *
 * When every place is taken, a connection that has sent no request for half a second makes room, unless a
 * trusted proxy opened it. */
#pragma once
#include <sys/uio.h>
#include "base/buf.h"
#include "base/address.h"
#include "http/conns/loop.h"
#include "http/server.h"

struct drg_peer;
struct drg_exchange;

enum drg_conn_state {
	DRG_CONN_GREETING,
	DRG_CONN_HEAD,
	DRG_CONN_BODY,
	DRG_CONN_WAITING,
	DRG_CONN_WRITING,
	DRG_CONN_LINGERING
};

enum { DRG_CONN_OUT = 4 };

struct drg_conn {
	struct drg_loop *loop;
	struct drg_conn *prev, *next; /**< in the list of its loop */
	struct drg_conn *again;
	struct drg_timer timer; /**< due at deadline_ns or before */
	struct drg_post arrives;
	int64_t deadline_ns; /**< of drg_clock_ns(); DRG_NEVER: none */
	int64_t since_ns; /**< HEAD: since when the connection waits for a request */
	int fd; /**< -1: closed */
	enum drg_conn_state state;
	bool queued; /**< the connection is in the loop's list `again` */
	bool counted; /**< the connection has a place */
	bool refused; /**< its client has its share of places already */
	bool trusted; /**< the peer is a trusted proxy */
	bool fresh; /**< no complete head has come yet */
	bool begun; /**< HEAD: a part of a request is here */
	bool readable, writable; /**< as far as is known, since epoll reports changes only */
	bool ended; /**< the client sends no more: it has left, or only reads */
	bool asked; /**< WAITING and ended: a 102 was sent */
	bool closing; /**< the server reads no further request */
	bool linger; /**< the client's bytes were not read to their end */
	struct drg_peer *peer; /**< the count of its client; NULL: its client is not counted */
	struct drg_exchange *x; /**< the request, from its head on */
	struct drg_buf in; /**< received bytes that are not processed yet; has memory only if there are any */
	size_t in_at; /**< where they begin in `in` */
	size_t in_held; /**< share of `in` in drg_http.request_bytes */
	size_t scanned; /**< HEAD: bytes of complete lines before the end of the head */
	struct iovec out[DRG_CONN_OUT]; /**< parts that remain to be sent */
	size_t out_n; /**< bytes that remain */
	uint64_t dropped; /**< LINGERING: bytes that were discarded */
	uint64_t acked; /**< bytes that the client had received when the server looked last */
	int64_t acked_ns;
	struct drg_address client;
	char remote[INET6_ADDRSTRLEN]; /**< the client's address as text */
	max_align_t memory[DRG_CONN_MEMORY / sizeof(max_align_t)]; /**< for the application */
};

/* ---- by the accepting thread ---- */

/** Take over the socket @p fd. It is closed if there is no memory, and refused if its client has its share of
 * places. */
void drg_conn_accept(struct drg_http *h, int fd, const struct drg_address *from);

/* ---- by its loop ---- */

/** Handle epoll events of a connection. */
void drg_conn_event(struct drg_conn *c, uint32_t events);
/** Change the state. */
void drg_conn_set_state(struct drg_conn *c, enum drg_conn_state state);
/** Take as many steps as possible now. */
void drg_conn_run(struct drg_conn *c);
/** Handle the connection's timer. */
void drg_conn_due(struct drg_conn *c, int64_t now_ns);
/** Check whether the connection must make room because every place is taken (@p full), or end because the
 * server stops; and count its state. */
void drg_conn_check(struct drg_conn *c, int64_t now_ns, bool full, struct drg_census *all);
/** Close a connection at once; it is freed at the end of the turn. @param discard  Discard bytes that the
 * client has not received. */
void drg_conn_close(struct drg_conn *c, bool discard);
void drg_conn_free(struct drg_conn *c);

/* ---- by its exchange ---- */

/** The answer was sent and the exchange has ended: go on with the next request, or close. */
void drg_conn_next(struct drg_conn *c, int64_t now_ns);
void drg_conn_set_deadline(struct drg_conn *c, int64_t deadline_ns);
/** Set the deadline of a body that began at @p start_ns and has reached @p bytes. */
void drg_conn_set_body_deadline(struct drg_conn *c, int64_t start_ns, uint64_t bytes);
/** Set the deadline of an answer of @p bytes. */
void drg_conn_set_answer_deadline(struct drg_conn *c, int64_t now_ns, uint64_t bytes);
/** The deadline of an answer of @p bytes, without setting it. */
int64_t drg_conn_answer_deadline(const struct drg_http_options *o, int64_t now_ns, uint64_t bytes);
/** Wait for the handler. */
void drg_conn_wait(struct drg_conn *c);
/** Send parts from where they are; they stay valid until the exchange learns that they were sent or that the
 * connection ends. */
void drg_conn_send(struct drg_conn *c, const struct iovec *parts, size_t n);
/** Send an interim line such as "100 Continue", if the kernel has room for it, as it always has here. */
void drg_conn_send_line(struct drg_conn *c, const char *text);

/* ---- send.c ---- */

/** Take a step in WRITING. @return whether to take a further step. */
bool drg_conn_write(struct drg_conn *c);
