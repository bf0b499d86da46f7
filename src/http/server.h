/* src/http/server.h
 * The HTTP server: llhttp parses; one loop for each core serves connections by epoll (conns/loop.h), with
 * deadlines for head and body, a least rate, strict framing, and a stop that drains. */
#pragma once
#include "http/endpoint.h"

struct drg_http;
struct drg_network;

enum { DRG_APP_HEADERS_MAX = 16 };

/** The application that the server serves. */
struct drg_http_app {
	const struct drg_endpoint *const
	        *tables; /**< NULL-terminated; the tables are borrowed until the stop */
	/** Checks the key policy of an endpoint whose `auth` is not 0: DRG_OK, or DRG_EAUTH and the exchange's
	 * err. It runs after the checks of path and method and before everything else (decision E7). It sets
	 * the key id for the log by drg_exchange_set_caller(). */
	int (*authorize)(struct drg_exchange *x, const struct drg_endpoint *e);
	/** Runs when the answer is known, for a request for which authorize() has called drg_exchange_owe().
	 * @p unchanged: the answer is a 304. @return DRG_OK; else a code for another answer, with the
	 * exchange's err. NULL: no request owes. */
	int (*charge)(struct drg_exchange *x, bool unchanged);
	/** Runs before the handler of each request, like a handler, and continues with drg_exchange_handle():
	 * a place to wait. NULL: none. */
	drg_handler_fn *admit;
	/** Sets the version of an answer (drg_exchange_set_version()) if no handler did. NULL: none. */
	void (*version)(struct drg_exchange *x);
	void *ctx; /**< drg_exchange_app() */
	/** The request headers that drg_exchange_header() may read: NULL-terminated, at most
	 * DRG_APP_HEADERS_MAX. A header that is sent twice to an endpoint with a key policy is a 400: two
	 * servers could use different ones. Scripts of other sites may send them (CORS). NULL: none. */
	const char *const *headers;
	/** The same, but scripts of other sites may not send them. `headers` and these have at most
	 * DRG_APP_HEADERS_MAX together. */
	const char *const *headers_here;
	/** Beginnings of secret texts: an address that has one is replaced in the access log by the
	 * endpoint's path. NULL-terminated; NULL: none. */
	const char *const *secrets;
};

struct drg_http_options {
	const char *address; /**< "127.0.0.1", "::1", "0.0.0.0"; "/run/x.sock": a local socket */
	uint16_t port; /**< 0: the system chooses, see drg_http_port() */
	int socket; /**< a socket that listens already, to be taken over; 0: none */
	/** clients cannot connect until drg_http_accept(), or wait until then in the queue of `socket` */
	bool held;
	unsigned threads; /**< 0: number of cores */
	unsigned max_connections; /**< 0: 4096 */
	/** connections of one client, an IPv4 address or an IPv6 /64; 0: a quarter of all */
	unsigned max_per_address;
	/** Trusted proxies. max_per_address does not apply to them. Their X-Forwarded-For is used, in the
	 * access log too: the client is its last address that is none of them. Borrowed until the stop. */
	const struct drg_network *trusted;
	size_t n_trusted;
	/** Host has to be an address, "localhost" or one of `hosts`: a page whose own name is made to mean this
	 * server (DNS rebinding) reads nothing. Borrowed until the stop. */
	bool some_hosts;
	const char *const *hosts; /**< without a port */
	size_t n_hosts;
	bool proxy_protocol; /**< connections of those proxies begin with a header of the PROXY protocol */
	size_t max_body; /**< bytes; 413 beyond (E9) */
	/** Cache-Control of a content that has none of its own (decision E22). */
	const char *cache_control;
	/** Sites whose pages may call (CORS): if `some_origins`, only those of the list, else any. Borrowed
	 * until the stop. */
	const char *const *origins;
	size_t n_origins;
	bool some_origins;
	/** bytes: answers made for one request are compressed from this size on; 0: never (decision E23) */
	size_t compress_from;
	/** bytes of large answers that wait to be read; beyond that 503 (decision E12) */
	size_t max_answers;
	/** bytes of heads and bodies above 64 KiB that are being read or processed; beyond that 503 (E12); 0:
	 * any */
	size_t max_requests;
	size_t max_url; /**< bytes of path and query; 414 beyond */
	size_t max_headers; /**< bytes; 431 beyond */
	unsigned header_seconds; /**< the whole request head must arrive within this time */
	unsigned idle_seconds; /**< a kept-alive connection may wait this long */
	/** Bytes per second; a slower body or reader is cut, after header_seconds. The part of an answer
	 * beyond DRG_SLOW_BYTES must be read at DRG_SLOW_BYTES per second. */
	unsigned min_rate;
	/** Called once a second while the server stops, and when it gives up, with what it waits for. NULL:
	 * none. */
	void (*waits)(void *ctx, const char *what);
	void *waits_ctx;
	bool uncounted; /**< for benches: requests are not counted for metrics */
	const char *access_log; /**< file, "-" for standard output, NULL for none */
};

enum { DRG_SLOW_BYTES = 64 * 1024 };

/** All options at their defaults. */
void drg_http_options_init(struct drg_http_options *o);

/** Listen and serve. @return DRG_EEXIST: the port is taken; DRG_EINVAL: bad address; DRG_EIO. */
DRG_MUSTCHECK
int drg_http_start(const struct drg_http_options *o, const struct drg_http_app *app, struct drg_http **ret,
                   struct drg_err *reterr);
/** Let clients connect to a held server. @return as drg_http_start(). */
DRG_MUSTCHECK
int drg_http_accept(struct drg_http *h, struct drg_err *reterr);
/** The port on which the server listens. */
uint16_t drg_http_port(const struct drg_http *h);
/**
 * Stop accepting, finish requests in progress, close. The server does not wait for a request that is not
 * complete after a second, nor for a client that reads nothing of its answer for a while.
 * @param seconds  After this time the rest is cut. Handlers that run or are suspended have one second more.
 * @return DRG_OK; DRG_EBUSY: handlers hang; nothing is freed, and the process should end. NULL is fine.
 */
int drg_http_stop(struct drg_http *h, unsigned seconds);
/** Has every loop had a turn since the last call? Call it regularly; the first call returns true. */
bool drg_http_is_alive(struct drg_http *h);
/** Close and open the access log again (after rotation). */
void drg_http_reopen_log(struct drg_http *h);

/** For authorize(): the segment at the place where the endpoint's path has ":NAME", decoded; empty: none. */
struct drg_str drg_exchange_segment(const struct drg_exchange *x, const char *name);

enum { DRG_CONN_MEMORY = 160 };
/** For authorize(): DRG_CONN_MEMORY bytes that live as long as the connection, zero at first and overwritten
 * at its end. */
void *drg_exchange_conn_memory(struct drg_exchange *x);
/** For authorize(): set the caller. Everything that @p c points to is copied; the access log shows its id.
 * @return DRG_OK or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_exchange_set_caller(struct drg_exchange *x, const struct drg_caller *c);
/** For authorize(): note that the cost of the request depends on its answer, so that drg_http_app.charge is
 * called. */
void drg_exchange_owe(struct drg_exchange *x);
