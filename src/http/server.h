/* src/http/server.h
 * The HTTP server: llhttp parses, and a loop for each core carries connections by epoll (conns/loop.h), with
 * deadlines for the whole head and the whole body, a least rate, strict framing, and a stop that drains. */
#pragma once
#include "http/endpoint.h"

struct drg_http;
struct drg_network;

enum { DRG_APP_HEADERS_MAX = 16 };

/** What the server serves. */
struct drg_http_app {
	const struct drg_endpoint *const
	        *tables; /**< NULL-terminated; the tables are borrowed until the stop */
	/** Check the key policy of an endpoint whose `auth` is not 0: DRG_OK, or DRG_EAUTH and the exchange's
	 * err. It runs after path and method and before everything else (decision E7). Sets the key id for
	 * the log by drg_exchange_set_key_id(). */
	int (*authorize)(struct drg_exchange *x, const struct drg_endpoint *e);
	/** Runs before the handler of each request, as a handler does, and goes on with drg_exchange_handle():
	 * a place to wait. NULL: none. */
	drg_handler_fn *admit;
	/** Of an answer that nobody has called drg_exchange_set_version() for: do so, where there is one.
	 * NULL: none. */
	void (*version)(struct drg_exchange *x);
	void *ctx; /**< drg_exchange_app() */
	/** The request headers that are read by drg_exchange_header(): NULL-terminated, DRG_APP_HEADERS_MAX at
	 * most. Sent twice to an endpoint with a key policy, one is a 400: two readers could take different
	 * ones. Scripts of other sites may send them (CORS). NULL: none. */
	const char *const *headers;
	/** Likewise, but scripts of other sites may not send them; those of `headers` and these are
	 * DRG_APP_HEADERS_MAX at most. */
	const char *const *headers_here;
	/** Beginnings of texts that are for nobody to see: an address that has one is not in the access log,
	 * which has the endpoint's path in its place. NULL-terminated; NULL: none. */
	const char *const *secrets;
};

struct drg_http_options {
	const char *address; /**< "127.0.0.1", "::1", "0.0.0.0"; "/run/x.sock": a local socket */
	uint16_t port; /**< 0: the system chooses, see drg_http_port() */
	int socket; /**< one that listens already, to be used instead and taken over; 0: none */
	/** nobody can connect until drg_http_accept(), or waits in the queue of `socket` until then */
	bool held;
	unsigned threads; /**< 0: number of cores */
	unsigned max_connections; /**< 0: 4096 */
	/** connections of one client, an IPv4 address or an IPv6 /64; 0: a quarter of all */
	unsigned max_per_address;
	/** Proxies that are believed: max_per_address does not hold for them, and what they say names the
	 * client, in the access log too: the last address of X-Forwarded-For that is none of them. Borrowed
	 * until the stop. */
	const struct drg_network *trusted;
	size_t n_trusted;
	bool proxy_protocol; /**< connections of those proxies begin with a header of the PROXY protocol */
	size_t max_body; /**< bytes; 413 beyond (E9) */
	/** What a content without a word of its own says in Cache-Control (decision E22). */
	const char *cache_control;
	/** Sites whose pages may call (CORS): where `some_origins`, those of the list and no other, else any.
	 * Borrowed until the stop. */
	const char *const *origins;
	size_t n_origins;
	bool some_origins;
	/** bytes: answers of one request are compressed from there on; 0: never (decision E23) */
	size_t compress_from;
	/** bytes of large answers that wait to be read; a further one is a 503 (decision E12) */
	size_t max_answers;
	/** bytes of heads and bodies above 64 KiB that are being read or worked on; a further one is a 503
	 * (E12); 0: any */
	size_t max_requests;
	size_t max_url; /**< bytes of path and query; 414 beyond */
	size_t max_headers; /**< bytes; 431 beyond */
	unsigned header_seconds; /**< the whole request head must be here within this */
	unsigned idle_seconds; /**< a kept-alive connection may wait this long */
	/** Bytes per second; a slower body or reader is cut, after header_seconds. What an answer has beyond
	 * DRG_SLOW_BYTES must be read at DRG_SLOW_BYTES per second. */
	unsigned min_rate;
	/** While it stops: what is being waited for, once a second. NULL: nobody wants to know. */
	void (*waits)(void *ctx, const char *what);
	void *waits_ctx;
	bool uncounted; /**< of benches: requests are not counted for metrics */
	const char *access_log; /**< file, "-" for standard output, NULL for none */
};

enum { DRG_SLOW_BYTES = 64 * 1024 };

/** All options at their defaults. */
void drg_http_options_init(struct drg_http_options *o);

/** Listen and serve. @return DRG_EEXIST: the port is taken; DRG_EINVAL: bad address; DRG_EIO. */
DRG_MUSTCHECK
int drg_http_start(const struct drg_http_options *o, const struct drg_http_app *app, struct drg_http **ret,
                   struct drg_err *reterr);
/** Of one that is held: let them in. @return as drg_http_start(). */
DRG_MUSTCHECK
int drg_http_accept(struct drg_http *h, struct drg_err *reterr);
/** The port it listens on. */
uint16_t drg_http_port(const struct drg_http *h);
/**
 * Stop accepting, finish what is under way, close. What is not a whole request after a second, and who reads
 * nothing of an answer for a while, is not waited for.
 * @param seconds  Then what is left is cut. Handlers that run or are suspended have one second more.
 * @return DRG_OK; DRG_EBUSY: handlers hang; nothing is freed, and the process should end. NULL is fine.
 */
int drg_http_stop(struct drg_http *h, unsigned seconds);
/** Has every loop of connections had a turn since the last call? To be asked now and then; the first time they
 * have. */
bool drg_http_is_alive(struct drg_http *h);
/** Close and open the access log again (after rotation). */
void drg_http_reopen_log(struct drg_http *h);

/** For authorize(): the segment that stands where the endpoint's path has ":NAME", decoded; empty where it has
 * none. */
struct drg_str drg_exchange_segment(const struct drg_exchange *x, const char *name);

enum { DRG_CONN_MEMORY = 160 };
/** For authorize(): DRG_CONN_MEMORY bytes that live as long as the connection, zero at first and overwritten
 * at its end. */
void *drg_exchange_conn_memory(struct drg_exchange *x);
/** For authorize(): number of the key that was used, for the access log. */
void drg_exchange_set_key_id(struct drg_exchange *x, int64_t id);
/** Is not everything for this key? For the application: see drg_exchange_key_narrow(). */
void drg_exchange_set_key_narrow(struct drg_exchange *x, bool narrow);
/** Who asks, in a word for people: see drg_exchange_who(). Copied. @return DRG_OK or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_exchange_set_who(struct drg_exchange *x, struct drg_str who);
