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

enum { DRAIN_STEP_MS = 5 };

void drg_http_options_init(struct drg_http_options *o)
{
	*o = (struct drg_http_options){
		.address = "127.0.0.1",
		.port = 8080,
		.max_connections = 4096,
		.max_body = 4 * 1024 * 1024,
		.max_answers = 256 * 1024 * 1024,
		.max_requests = 256 * 1024 * 1024,
		.max_url = 64 * 1024,
		.max_headers = 64 * 1024,
		.cache_control = "private, max-age=60, stale-while-revalidate=600, stale-if-error=86400",
		.compress_from = 1024,
		.header_seconds = 10,
		.idle_seconds = 60,
		.min_rate = 1024,
	};
}

/* ---- callbacks of the listener ---- */

static void sweep(struct drg_http *h)
{
	for (unsigned i = 0; i < h->n_loops; i++)
		drg_loop_sweep(h->loops[i]);
}

static bool has_room(void *ctx)
{
	struct drg_http *h = ctx;
	bool room = atomic_load(&h->n_conns) < h->opt.max_connections;
	if (!room)
		sweep(h); /* a connection that only waits makes room */
	return room;
}

static void accepted(void *ctx, int fd, const struct sockaddr *remote)
{
	struct drg_address from = drg_address_of(remote);
	drg_conn_accept(ctx, fd, &from);
}

/* ---- start ---- */

static int start_loops(struct drg_http *h, struct drg_err *reterr)
{
	int rc = DRG_OK;
	h->loops = calloc(h->opt.threads, sizeof(struct drg_loop *));
	if (h->loops == NULL)
		return drg_fail_memory(reterr);
	/* Threads inherit this: an http thread gets the core before a worker. */
	drg_thread_set_short_slices(true);
	while (rc == DRG_OK && h->n_loops < h->opt.threads) {
		rc = drg_loop_start(h, &h->loops[h->n_loops], reterr);
		h->n_loops += h->loops[h->n_loops] != NULL;
	}
	drg_thread_set_short_slices(false);
	return rc;
}

static void keep_header_names(struct drg_http *h)
{
	const char *const *const lists[] = { h->app.headers, h->app.headers_here };
	_Static_assert(DRG_FIELD_OURS + DRG_APP_HEADERS_MAX <= DRG_FIELDS_MAX, "room for all fields");
	drg_fields_init(&h->fields);
	for (size_t i = 0; i < DRG_ARRAY_LEN(lists); i++)
		for (const char *const *name = lists[i]; name != NULL && *name != NULL; name++) {
			assert(h->fields.n < DRG_FIELD_OURS + DRG_APP_HEADERS_MAX);
			drg_fields_add(&h->fields, drg_str_c(*name));
		}
}

/** Block signals, which are for the threads of the application. Our threads inherit the mask; it leaves out
 * signals that report a fault in the thread itself. */
static void block_signals(sigset_t *before)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS };
	sigset_t set;
	sigfillset(&set);
	for (size_t i = 0; i < DRG_ARRAY_LEN(faults); i++)
		sigdelset(&set, faults[i]);
	pthread_sigmask(SIG_BLOCK, &set, before);
}

static int start_parts(struct drg_http *h, struct drg_err *reterr)
{
	const struct drg_http_options *o = &h->opt;
	/* Keys take turns, and one key has at most all threads but one. */
	const struct drg_pool_options workers = { .threads = h->opt.threads,
		                                  .max_at_work = h->opt.threads > 1 ? h->opt.threads - 1 : 1,
		                                  .background = true,
		                                  .work = drg_dispatch_work,
		                                  .ctx = h };
	int rc = drg_router_new(h->app.tables, &h->router, reterr);
	if (rc == DRG_OK)
		rc = drg_listener_open(o->address, o->port, o->socket, &h->listener, reterr);
	if (rc == DRG_OK && o->access_log != NULL)
		rc = drg_log_file_open(o->access_log, "the access log", &h->log, reterr);
	if (rc == DRG_OK)
		rc = drg_peers_new(o->max_connections, &h->peers, reterr);
	if (rc == DRG_OK)
		rc = drg_pool_start(&workers, &h->workers, reterr);
	if (rc == DRG_OK)
		rc = start_loops(h, reterr);
	return rc == DRG_OK && !o->held ? drg_http_accept(h, reterr) : rc;
}

int drg_http_accept(struct drg_http *h, struct drg_err *reterr)
{
	const struct drg_listener_calls calls = { .room = has_room, .accepted = accepted, .ctx = h };
	sigset_t before;
	block_signals(&before);
	int rc = drg_listener_run(h->listener, &calls, reterr);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}

static void free_http(struct drg_http *h)
{
	drg_listener_close(h->listener);
	for (unsigned i = 0; i < h->n_loops; i++)
		drg_loop_stop(h->loops[i]);
	drg_pool_stop(h->workers);
	for (unsigned i = 0; i < h->n_loops; i++)
		drg_loop_free(h->loops[i]);
	free(h->loops);
	drg_peers_free(h->peers);
	drg_log_file_close(h->log);
	drg_router_free(h->router);
	pthread_mutex_destroy(&h->peers_lock);
	free(h);
}

/** Make the prefix of request ids: no other run of the server has it. */
static int make_id_prefix(struct drg_http *h, struct drg_err *reterr)
{
	uint32_t random;
	if (getrandom(&random, sizeof random, 0) != sizeof random)
		return drg_fail(reterr, DRG_EIO, NULL, NULL, "no random numbers from the system");
	snprintf(h->id_prefix, sizeof h->id_prefix, "%08x-", random);
	return DRG_OK;
}

/** Prepare the answer to a client that has its share of connections already. Its request is not read; so if
 * only some sites may call, the client's site is unknown. */
static int write_too_many(struct drg_http *h, struct drg_err *reterr)
{
	struct drg_err err = { 0 };
	struct drg_buf body;
	drg_buf_init(&body, sizeof h->too_many);
	drg_fail(&err, DRG_EBUSY, DRG_R(too_many_connections), NULL,
	         "your address has too many connections already; close some, or try again later");
	drg_error_body(&body, 503, &err);
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

/* Frameworks and tracing add headers to what pages send. The asterisk allows all others; browsers older than
 * 2022 need the names. It opens nothing: cross-site requests carry no cookies here. */
static void list_allowed_headers(struct drg_http *h)
{
	size_t n = 0;
	for (const char *const *name = h->app.headers; name != NULL && *name != NULL; name++)
		n += (size_t)snprintf(h->allow_headers + n, sizeof h->allow_headers - n, "%s, ", *name);
	n += (size_t)snprintf(h->allow_headers + n, sizeof h->allow_headers - n,
	                      "Content-Type, If-None-Match, If-Modified-Since, X-Request-Id, "
	                      "X-Correlation-Id, X-Requested-With, Cache-Control, Pragma, Expires, "
	                      "traceparent, tracestate, baggage, sentry-trace, b3, *");
	assert(n < sizeof h->allow_headers);
}

static unsigned core_count(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (unsigned)n : 1;
}

int drg_http_start(const struct drg_http_options *o, const struct drg_http_app *app, struct drg_http **ret,
                   struct drg_err *reterr)
{
	struct drg_http *h = calloc(1, sizeof *h);
	if (h == NULL)
		return drg_fail_memory(reterr);
	h->opt = *o;
	h->app = *app;
	keep_header_names(h);
	h->opt.threads = o->threads > 0 ? o->threads : core_count();
	h->opt.max_connections = o->max_connections > 0 ? o->max_connections : 4096;
	unsigned quarter = (h->opt.max_connections + 3) / 4;
	h->opt.max_per_address = o->max_per_address > 0 ? o->max_per_address : quarter;
	h->opt.min_rate = o->min_rate > 0 ? o->min_rate : 1;
	h->opt.max_requests = o->max_requests > 0 ? o->max_requests : SIZE_MAX;
	pthread_mutex_init(&h->peers_lock, NULL);
	list_allowed_headers(h);

	sigset_t before;
	block_signals(&before);
	int rc = make_id_prefix(h, reterr);
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

/** Tell the caller what the stop waits for, once a second. */
static void report_wait(const struct drg_http *h, int64_t *next_ns)
{
	if (h->opt.waits == NULL || drg_clock_ns() < *next_ns)
		return;
	*next_ns = drg_clock_ns() + DRG_SECOND_NS;
	struct drg_census all = { 0 };
	char text[160];
	for (unsigned i = 0; i < h->n_loops; i++) {
		struct drg_loop *l = h->loops[i];
		pthread_mutex_lock(&l->lock);
		all.reading += l->census.reading;
		all.waiting += l->census.waiting;
		all.answering += l->census.answering;
		pthread_mutex_unlock(&l->lock);
	}
	snprintf(text, sizeof text,
	         "%u requests that are worked for, %u clients that read their answers, %u that send their "
	         "requests",
	         atomic_load(&h->busy), all.answering, all.reading + all.waiting);
	h->opt.waits(h->opt.waits_ctx, text);
}

/** Let requests in progress end. */
static void server_drain(struct drg_http *h, int64_t until_ns)
{
	int64_t next_ns = drg_clock_ns() + DRG_SECOND_NS;
	do {
		sweep(h);
		sleep_a_step();
		report_wait(h, &next_ns);
	} while (atomic_load(&h->n_conns) > 0 && drg_clock_ns() < until_ns);
}

/** Wait for handlers that run or are suspended, and for calls of drg_exchange_resume(). */
static bool handlers_end(struct drg_http *h, int64_t until_ns)
{
	int64_t next_ns = drg_clock_ns() + DRG_SECOND_NS;
	while (atomic_load(&h->busy) > 0 || atomic_load(&h->resuming) > 0) {
		const bool over = drg_clock_ns() > until_ns;
		if (over)
			next_ns = 0; /* the last second is not over by then, but what hangs must be said */
		report_wait(h, &next_ns);
		if (over)
			return false;
		sleep_a_step();
	}
	return true;
}

/** Stop the server in this order: accept no connections; let requests end, and close connections without one;
 * cut the rest; start no more handlers; wait for handlers that run. */
int drg_http_stop(struct drg_http *h, unsigned seconds)
{
	if (h == NULL)
		return DRG_OK;
	atomic_store(&h->requests_until_ns, drg_clock_ns() + DRG_SECOND_NS);
	drg_listener_close(h->listener);
	h->listener = NULL;
	atomic_store(&h->draining, true);
	int64_t until_ns = drg_clock_ns() + (int64_t)seconds * DRG_SECOND_NS;
	server_drain(h, until_ns);
	atomic_store(&h->stopping, true);
	sweep(h);
	if (!handlers_end(h, until_ns + DRG_SECOND_NS))
		return DRG_EBUSY;
	free_http(h);
	return DRG_OK;
}

bool drg_http_is_alive(struct drg_http *h)
{
	bool alive = true;
	for (unsigned i = 0; i < h->n_loops; i++)
		alive &= drg_loop_swept(h->loops[i]);
	sweep(h);
	return alive;
}

void drg_http_reopen_log(struct drg_http *h)
{
	if (h->log != NULL)
		drg_log_file_reopen(h->log);
}
