#include "http/server.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "http/error_body.h"
#include "http/http_priv.h"
#include "http/mhd_quirks.h"

/* Room in a connection's memory beside the longest head: libmicrohttpd's records of the header fields. It clears all
 * of that memory after each request, so that more costs time in every one of them. */
enum { HEAD_RECORDS = 4 * 1024, DRAIN_STEP_MS = 5 };

static const int64_t SECOND_NS = INT64_C(1000000000);

void drg_http_options_init(struct drg_http_options *o)
{
	*o = (struct drg_http_options){
		.address = "127.0.0.1",
		.port = 8080,
		.max_connections = 4096,
		.max_body = 4 * 1024 * 1024,
		.max_answers = 256 * 1024 * 1024,
		.max_url = 8 * 1024,
		.max_headers = 8 * 1024,
		.cache_control = "private, max-age=60, stale-while-revalidate=600, stale-if-error=86400",
		.compress_from = 1024,
		.header_seconds = 10,
		.idle_seconds = 60,
		.min_rate = 1024,
	};
}

/* ---- callbacks of the listener and of libmicrohttpd ---- */

static bool has_room(void *ctx)
{
	const struct drg_http *h = ctx;
	unsigned n = drg_conn_count(h->deadlines) + drg_greetings_count(h->greetings);
	return n < h->opt.max_connections && !atomic_load(&h->draining);
}

/** Counted here and not when an http thread takes it: the accepting thread would be far ahead of that. */
static void admit(void *ctx, int fd, const struct drg_address *client)
{
	static const struct sockaddr_in unused = { .sin_family = AF_INET }; /* the client is ours to know */
	struct drg_http *h = ctx;
	bool trusted = drg_networks_contain(h->opt.trusted, h->opt.n_trusted, client);
	int rc = drg_conn_admit(h->deadlines, fd, client, trusted);
	if (rc == DRG_ELIMIT)
		drg_deadlines_refuse(h->deadlines, fd, h->too_many);
	else if (rc != DRG_OK)
		close(fd);
	else if (MHD_add_connection(h->mhd, fd, (const struct sockaddr *)&unused, sizeof unused) != MHD_YES)
		drg_conn_withdraw(h->deadlines, fd);
}

static void accepted(void *ctx, int fd, const struct sockaddr *remote)
{
	struct drg_http *h = ctx;
	struct drg_address from = drg_address_of(remote);
	if (h->greetings != NULL && drg_networks_contain(h->opt.trusted, h->opt.n_trusted, &from))
		drg_greetings_add(h->greetings, fd, &from);
	else
		admit(h, fd, &from);
}

static void greet(void *ctx)
{
	struct drg_http *h = ctx;
	drg_greetings_go_on(h->greetings);
}

static void connection_event(void *ctx, struct MHD_Connection *mhd, void **conn,
                             enum MHD_ConnectionNotificationCode what)
{
	struct drg_http *h = ctx;
	if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
		drg_conn_remove(*conn);
		*conn = NULL;
		return;
	}
	int fd = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	*conn = drg_conn_started(h->deadlines, fd);
}

/** Paths and queries are decoded by us (target.c, params.c). */
static size_t leave_escaped(void *ctx, struct MHD_Connection *mhd, char *text)
{
	(void)ctx;
	(void)mhd;
	return strlen(text);
}

/* ---- start ---- */

static int start_daemon(struct drg_http *h, struct drg_err *reterr)
{
	const struct drg_http_options *o = &h->opt;
	unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_ALLOW_SUSPEND_RESUME |
	                 MHD_USE_NO_LISTEN_SOCKET;
	size_t memory = o->max_url + o->max_headers + HEAD_RECORDS;
	unsigned limit = drg_mhd_limit(o->max_connections, o->threads);
	/* Its threads are born with them: what is asked for goes before what is worked on. */
	drg_thread_short_turns(true);
	h->mhd = MHD_start_daemon(flags, 0, NULL, NULL, drg_dispatch_request, h, MHD_OPTION_THREAD_POOL_SIZE,
	                          o->threads, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
	                          MHD_OPTION_CONNECTION_LIMIT, limit, MHD_OPTION_NOTIFY_CONNECTION,
	                          connection_event, h, MHD_OPTION_URI_LOG_CALLBACK, drg_dispatch_line, h,
	                          MHD_OPTION_NOTIFY_COMPLETED, drg_dispatch_completed, h,
	                          MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, h,
	                          MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
	drg_thread_short_turns(false);
	if (h->mhd == NULL)
		return drg_fail(reterr, DRG_EIO, NULL, NULL, "cannot start the http threads: %s",
		                strerror(errno));
	return DRG_OK;
}

static void keep_header_names(struct drg_http *h)
{
	const char *const *const lists[] = { h->app.headers, h->app.headers_here };
	for (size_t i = 0; i < DRG_ARRAY_LEN(lists); i++)
		for (const char *const *name = lists[i]; name != NULL && *name != NULL; name++) {
			assert(h->n_app_headers < DRG_APP_HEADERS_MAX);
			h->app_headers[h->n_app_headers++] = drg_str_c(*name);
		}
}

static int start_parts(struct drg_http *h, struct drg_err *reterr)
{
	const struct drg_http_options *o = &h->opt;
	struct drg_listener_calls calls = { .room = has_room, .accepted = accepted, .also = -1, .ctx = h };
	struct drg_greetings_options greetings = { .seconds = o->header_seconds, .greeted = admit, .ctx = h };
	struct drg_deadlines_calls waits = { .tick = drg_dispatch_tick,
		                             .abandon = drg_exchange_abandon,
		                             .ctx = h };
	/* Keys take turns, and one has all but one of the threads at most. */
	const struct drg_pool_options workers = { .threads = h->opt.threads,
		                                  .max_at_work = h->opt.threads > 1 ? h->opt.threads - 1 : 1,
		                                  .background = true,
		                                  .work = drg_dispatch_work };
	int rc = drg_router_new(h->app.tables, &h->router, reterr);
	if (rc == DRG_OK)
		rc = drg_listener_open(o->address, o->port, &h->listener, reterr);
	if (rc == DRG_OK && o->access_log != NULL)
		rc = drg_access_log_open(o->access_log, &h->log, reterr);
	if (rc == DRG_OK)
		rc = drg_deadlines_start(o, &waits, &h->deadlines, reterr);
	if (rc == DRG_OK)
		rc = drg_pool_start(&workers, &h->workers, reterr);
	if (rc == DRG_OK)
		rc = start_daemon(h, reterr);
	if (rc == DRG_OK && o->proxy_protocol)
		rc = drg_greetings_new(&greetings, &h->greetings, reterr);
	if (rc == DRG_OK && o->proxy_protocol) {
		calls.also = drg_greetings_fd(h->greetings);
		calls.also_ready = greet;
	}
	if (rc == DRG_OK)
		rc = drg_listener_run(h->listener, &calls, reterr);
	return rc;
}

static void free_http(struct drg_http *h)
{
	drg_listener_close(h->listener);
	drg_greetings_free(h->greetings);
	if (h->mhd != NULL)
		MHD_stop_daemon(h->mhd);
	drg_pool_stop(h->workers);
	drg_deadlines_stop(h->deadlines);
	drg_access_log_close(h->log);
	drg_exchange_free_all(h);
	drg_router_free(h->router);
	pthread_mutex_destroy(&h->lock);
	free(h);
}

/** Request ids begin with something that no other run of the server has. */
static int make_id_prefix(struct drg_http *h, struct drg_err *reterr)
{
	uint32_t random;
	if (getrandom(&random, sizeof random, 0) != sizeof random)
		return drg_fail(reterr, DRG_EIO, NULL, NULL, "no random numbers from the system");
	snprintf(h->id_prefix, sizeof h->id_prefix, "%08x-", random);
	return DRG_OK;
}

/** To a client that has its share of the connections already. Its request is not read, so a site that is one of a list is not known. */
static int write_too_many(struct drg_http *h, struct drg_err *reterr)
{
	struct drg_err err = { 0 };
	struct drg_buf body;
	drg_buf_init(&body, sizeof h->too_many);
	drg_fail(&err, DRG_EBUSY, DRG_R(too_many_connections), NULL,
	         "your address has too many connections already; close some, or try again later");
	drg_error_body(&body, MHD_HTTP_SERVICE_UNAVAILABLE, &err);
	int n = snprintf(
	        h->too_many, sizeof h->too_many,
	        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n%sRetry-After: "
	        "2\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%.*s",
	        h->opt.some_origins ? "" : "Access-Control-Allow-Origin: *\r\n", body.n,
	        DRG_STR_ARG(drg_buf_view(&body)));
	int rc = body.rc;
	drg_buf_done(&body);
	if (rc != DRG_OK)
		return drg_fail_memory(reterr);
	assert(n > 0 && (size_t)n < sizeof h->too_many);
	return DRG_OK;
}

static void list_allowed_headers(struct drg_http *h)
{
	size_t n = 0;
	for (const char *const *name = h->app.headers; name != NULL && *name != NULL; name++)
		n += (size_t)snprintf(h->allow_headers + n, sizeof h->allow_headers - n, "%s, ", *name);
	n += (size_t)snprintf(h->allow_headers + n, sizeof h->allow_headers - n,
	                      "Content-Type, If-None-Match, X-Request-Id");
	assert(n < sizeof h->allow_headers);
}

/** Signals are for the threads of the application: ours are born with them blocked, but for those that tell of a
 * fault in the thread itself. */
static void block_signals(sigset_t *before)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS };
	sigset_t set;
	sigfillset(&set);
	for (size_t i = 0; i < DRG_ARRAY_LEN(faults); i++)
		sigdelset(&set, faults[i]);
	pthread_sigmask(SIG_BLOCK, &set, before);
}

static unsigned core_count(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (unsigned)n : 1;
}

int drg_http_start(const struct drg_http_options *o, const struct drg_http_app *app, struct drg_http **ret,
                   struct drg_err *reterr)
{
	int rc = drg_library_load(DRG_LIBRARY_MHD, reterr);
	struct drg_http *h = rc == DRG_OK ? calloc(1, sizeof *h) : NULL;
	if (h == NULL)
		return rc != DRG_OK ? rc : drg_fail_memory(reterr);
	h->opt = *o;
	h->app = *app;
	keep_header_names(h);
	h->opt.threads = o->threads > 0 ? o->threads : core_count();
	h->opt.max_connections = o->max_connections > 0 ? o->max_connections : 4096;
	unsigned quarter = (h->opt.max_connections + 3) / 4;
	h->opt.max_per_address = o->max_per_address > 0 ? o->max_per_address : quarter;
	h->opt.min_rate = o->min_rate > 0 ? o->min_rate : 1;
	pthread_mutex_init(&h->lock, NULL);
	list_allowed_headers(h);

	drg_mhd_warn();
	sigset_t before;
	block_signals(&before);
	rc = make_id_prefix(h, reterr);
	if (rc == DRG_OK)
		rc = write_too_many(h, reterr);
	if (rc == DRG_OK)
		rc = start_parts(h, reterr);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc != DRG_OK) {
		free_http(h);
		return rc;
	}
	*ret = h;
	return DRG_OK;
}

uint16_t drg_http_port(const struct drg_http *h)
{
	return drg_listener_port(h->listener);
}

/* ---- stop ---- */

static void sleep_a_step(void)
{
	struct timespec step = { .tv_nsec = DRAIN_STEP_MS * 1000000L };
	nanosleep(&step, NULL);
}

/** Tell the caller what is waited for, once a second. */
static void server_tell(const struct drg_http *h, int64_t *next_ns)
{
	if (h->opt.waits == NULL || drg_clock_ns() < *next_ns)
		return;
	*next_ns = drg_clock_ns() + SECOND_NS;
	struct drg_conn_census all;
	char text[160];
	drg_deadlines_census(h->deadlines, &all);
	snprintf(text, sizeof text,
	         "%u requests that are worked for, %u clients that read their answers, %u that send their "
	         "requests",
	         atomic_load(&h->busy), all.answering, all.reading + all.waiting);
	h->opt.waits(h->opt.waits_ctx, text);
}

/** Let what is under way end. */
static void server_drain(struct drg_http *h, int64_t until_ns)
{
	int64_t now_ns = drg_clock_ns(), next_ns = now_ns + SECOND_NS, request_until_ns = now_ns + SECOND_NS;
	do {
		drg_deadlines_drain(h->deadlines, request_until_ns);
		sleep_a_step();
		server_tell(h, &next_ns);
	} while (drg_conn_count(h->deadlines) > 0 && drg_clock_ns() < until_ns);
}

/** Wait for the handlers that run or are suspended: libmicrohttpd must not be stopped with suspended connections, nor while
 * it is being told of a resumption. */
static bool handlers_end(struct drg_http *h, int64_t until_ns)
{
	int64_t next_ns = drg_clock_ns() + SECOND_NS;
	while (atomic_load(&h->busy) > 0 || atomic_load(&h->resuming) > 0) {
		if (drg_clock_ns() > until_ns)
			return false;
		sleep_a_step();
		server_tell(h, &next_ns);
	}
	return true;
}

/**
 * In this order: no new connections; let what is under way end, while connections without a request are closed; cut what is
 * left; start no more handlers; wait for those that run.
 */
int drg_http_stop(struct drg_http *h, unsigned seconds)
{
	if (h == NULL)
		return DRG_OK;
	atomic_store(&h->draining, true);
	drg_listener_close(h->listener);
	h->listener = NULL;
	int64_t until_ns = drg_clock_ns() + (int64_t)seconds * SECOND_NS;
	server_drain(h, until_ns);
	atomic_store(&h->stopping, true);
	drg_deadlines_cut(h->deadlines);
	if (!handlers_end(h, until_ns + SECOND_NS))
		return DRG_EBUSY;
	free_http(h);
	return DRG_OK;
}

void drg_http_reopen_log(struct drg_http *h)
{
	if (h->log != NULL)
		drg_access_log_reopen(h->log);
}
