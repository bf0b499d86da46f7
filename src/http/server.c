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
#include "http/http_priv.h"

/* Room in a connection's memory beside the longest head: libmicrohttpd's records of the header fields. It clears all
 * of that memory after each request, so that more costs time in every one of them. */
enum { HEAD_RECORDS = 8 * 1024, DRAIN_STEP_MS = 5 };

void drg_http_options_init(struct drg_http_options *o)
{
	*o = (struct drg_http_options){
		.address = "127.0.0.1",
		.port = 8080,
		.max_connections = 4096,
		.max_body = 4 * 1024 * 1024,
		.max_answers = 256 * 1024 * 1024,
		.max_url = 16 * 1024,
		.max_headers = 32 * 1024,
		.header_seconds = 10,
		.idle_seconds = 60,
		.min_rate = 1024,
	};
}

/* ---- callbacks of the listener and of libmicrohttpd ---- */

static bool has_room(void *ctx)
{
	const struct drg_http *h = ctx;
	return drg_conn_count(h->deadlines) < h->opt.max_connections && !atomic_load(&h->draining);
}

static void accepted(void *ctx, int fd, const struct sockaddr *remote, socklen_t n)
{
	struct drg_http *h = ctx;
	MHD_add_connection(h->mhd, fd, remote, n); /* closes fd where it fails */
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
	const struct sockaddr *remote =
	        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
	*conn = drg_conn_add(h->deadlines, fd, remote);
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
	/* Our own limit is has_room(); libmicrohttpd's only bounds what it has not told us about yet. */
	unsigned limit = o->max_connections + 64 * o->threads;
	h->mhd = MHD_start_daemon(flags, 0, NULL, NULL, drg_dispatch_request, h, MHD_OPTION_THREAD_POOL_SIZE,
	                          o->threads, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
	                          MHD_OPTION_CONNECTION_LIMIT, limit, MHD_OPTION_NOTIFY_CONNECTION,
	                          connection_event, h, MHD_OPTION_URI_LOG_CALLBACK, drg_dispatch_line, h,
	                          MHD_OPTION_NOTIFY_COMPLETED, drg_dispatch_completed, h,
	                          MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, h,
	                          MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
	if (h->mhd == NULL)
		return drg_fail(reterr, DRG_EIO, NULL, NULL, "cannot start the http threads: %s",
		                strerror(errno));
	return DRG_OK;
}

static void keep_header_names(struct drg_http *h)
{
	const char *const *name = h->app.headers;
	for (; name != NULL && *name != NULL; name++) {
		assert(h->n_app_headers < DRG_APP_HEADERS_MAX);
		h->app_headers[h->n_app_headers++] = drg_str_c(*name);
	}
}

static int start_parts(struct drg_http *h, struct drg_err *reterr)
{
	const struct drg_http_options *o = &h->opt;
	struct drg_listener_calls calls = { .room = has_room, .accepted = accepted, .ctx = h };
	int rc = drg_router_new(h->app.tables, &h->router, reterr);
	if (rc == DRG_OK)
		rc = drg_listener_open(o->address, o->port, &h->listener, reterr);
	if (rc == DRG_OK && o->access_log != NULL)
		rc = drg_access_log_open(o->access_log, &h->log, reterr);
	if (rc == DRG_OK)
		rc = drg_deadlines_start(o, drg_dispatch_tick, h, &h->deadlines, reterr);
	if (rc == DRG_OK)
		rc = drg_workers_start(h->opt.threads, drg_dispatch_work, &h->workers, reterr);
	if (rc == DRG_OK)
		rc = start_daemon(h, reterr);
	if (rc == DRG_OK)
		rc = drg_listener_run(h->listener, &calls, reterr);
	return rc;
}

static void free_http(struct drg_http *h)
{
	drg_listener_close(h->listener);
	if (h->mhd != NULL)
		MHD_stop_daemon(h->mhd);
	drg_workers_stop(h->workers);
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
	struct drg_http *h = calloc(1, sizeof *h);
	if (h == NULL)
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "out of memory");
	h->opt = *o;
	h->app = *app;
	keep_header_names(h);
	h->opt.threads = o->threads > 0 ? o->threads : core_count();
	h->opt.max_connections = o->max_connections > 0 ? o->max_connections : 4096;
	h->opt.min_rate = o->min_rate > 0 ? o->min_rate : 1;
	pthread_mutex_init(&h->lock, NULL);

	sigset_t before;
	block_signals(&before);
	int rc = make_id_prefix(h, reterr);
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

/**
 * In this order: no new connections; let what is under way end, for as long as the caller grants, while connections
 * without a request are closed; start no more handlers; wait for those that run or are suspended, since
 * libmicrohttpd must not be stopped with suspended connections, nor while it is being told of a resumption.
 */
void drg_http_stop(struct drg_http *h, unsigned seconds)
{
	if (h == NULL)
		return;
	atomic_store(&h->draining, true);
	drg_listener_close(h->listener);
	h->listener = NULL;
	int64_t until_ns = drg_clock_ns() + (int64_t)seconds * 1000000000;
	do {
		drg_deadlines_close_waiting(h->deadlines);
		sleep_a_step();
	} while (drg_conn_count(h->deadlines) > 0 && drg_clock_ns() < until_ns);
	atomic_store(&h->stopping, true);
	while (atomic_load(&h->busy) > 0 || atomic_load(&h->resuming) > 0)
		sleep_a_step();
	free_http(h);
}

void drg_http_reopen_log(struct drg_http *h)
{
	if (h->log != NULL)
		drg_access_log_reopen(h->log);
}
