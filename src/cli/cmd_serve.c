/* dragoman serve: wires store, follower, lists and HTTP together, and stops them in order. */
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/app.h"
#include "api/list_answer.h"
#include "base/log.h"
#include "cli/cli.h"
#include "cli/data_dir.h"
#include "cli/serve_http.h"
#include "cli/stopping.h"
#include "cli/version.h"

enum { MMAP_BYTES = 256 * 1024 };
/* Of --stop-timeout, for what is stopped after the connections. */
enum { REST_SECONDS = 2 };

/* How long a write waits for the store's lock when the server stops. */
enum { STOPPING_LOCK_MS = 1000 };

/* What runs, in the order in which it is started. */
struct server {
	struct drg_app app;
	struct drg_http *http;
	struct drg_stopping *stopping;
	const char *store_url;
	unsigned stop_seconds;
	char address[DRG_LISTEN_ADDRESS_MAX];
	char public_url[300];
};

static void data_changed(void *ctx)
{
	const struct server *s = ctx;
	drg_lists_data_changed(s->app.lists);
	drg_writer_published(s->app.writer);
	drg_changes_published(s->app.changes);
}

static void record_changed(void *ctx, const struct drg_record *r)
{
	const struct server *s = ctx;
	drg_contents_changed(s->app.contents, r);
}

/* Create or migrate the store; the follower then only reads. */
static int prepare_store(const char *url, struct drg_err *err)
{
	struct drg_store *store;
	int rc = drg_store_open(url, DRG_STORE_CREATE, &store, err);
	if (rc != DRG_OK)
		return rc;
	if (drg_store_remark(store)[0] != '\0')
		drg_log(DRG_LOG_WARN, "%s", drg_store_remark(store));
	drg_store_close(store);
	return DRG_OK;
}

/* The port is known only now: --listen may have asked for port 0, any free one. */
static void set_public_url(struct server *s, const char *given)
{
	bool v6 = strchr(s->address, ':') != NULL;
	char listens[80];
	snprintf(listens, sizeof listens, "%s%s%s:%u", v6 ? "[" : "", s->address, v6 ? "]" : "",
	         drg_http_port(s->http));
	snprintf(s->public_url, sizeof s->public_url, "%s%s", given == NULL ? "http://" : "",
	         given == NULL ? listens : given);
	s->app.public_url = drg_str_c(s->public_url);
	drg_log(DRG_LOG_INFO, "dragoman %s listens on %s, public URL %s", drg_version_text, listens,
	        s->public_url);
}

static void stop_waits(void *ctx, const char *what)
{
	const struct server *s = ctx;
	drg_stopping_waits(s->stopping, what);
}

static int start(struct server *s, const struct drg_options *o, struct drg_arena *arena,
                 const char *store_url, struct drg_err *err)
{
	struct drg_http_options http;
	const char *public_url = drg_opt_text(o, "public-url");
	int rc = drg_serve_http_options(o, arena, s->address, &http, err);
	http.waits = stop_waits;
	http.waits_ctx = s;
	if (rc == DRG_OK && public_url != NULL)
		rc = drg_api_check_public_url(public_url, err);
	if (rc == DRG_OK)
		rc = prepare_store(store_url, err);
	const struct drg_follower_options follower = { .store_url = store_url,
		                                       .poll_ms = (unsigned)drg_opt_int(o, "poll-ms"),
		                                       .published = data_changed,
		                                       .changed = record_changed,
		                                       .ctx = s };
	if (rc == DRG_OK)
		rc = drg_follower_open(&follower, &s->app.follower, err);
	const struct drg_lists_options lists = { .follower = s->app.follower,
		                                 .ctx = &s->app,
		                                 .attach = drg_list_content_new,
		                                 .detach = drg_list_content_free };
	if (rc == DRG_OK)
		rc = drg_lists_start(&lists, &s->app.lists, err);
	const struct drg_writer_options writer = { .store_url = store_url,
		                                   .follower = s->app.follower,
		                                   .max_jobs = (size_t)drg_opt_int(o, "write-queue") };
	if (rc == DRG_OK)
		rc = drg_retries_new(&s->app.retries, err);
	if (rc == DRG_OK)
		rc = drg_writer_start(&writer, &s->app.writer, err);
	const struct drg_unmatched_options unmatched = { .writer = s->app.writer };
	if (rc == DRG_OK)
		rc = drg_unmatched_start(&unmatched, &s->app.unmatched, err);
	const struct drg_readers_options readers = { .store_url = store_url };
	if (rc == DRG_OK)
		rc = drg_readers_start(&readers, &s->app.readers, err);
	const struct drg_contents_options contents = { .readers = s->app.readers,
		                                       .follower = s->app.follower,
		                                       .max_bytes = (size_t)drg_opt_int(o, "content-cache") };
	if (rc == DRG_OK)
		rc = drg_contents_new(&contents, &s->app.contents, err);
	const struct drg_changes_options changes = { .store_url = store_url, .follower = s->app.follower };
	if (rc == DRG_OK)
		rc = drg_changes_start(&changes, &s->app.changes, err);
	if (rc == DRG_OK)
		rc = drg_source_exports_start(store_url, &s->app.exports, err);
	s->app.max_batch = drg_opt_int(o, "max-batch");
	const struct drg_http_app app = { .tables = drg_api_tables,
		                          .authorize = drg_api_authorize,
		                          .ctx = &s->app,
		                          .headers = drg_api_headers };
	if (rc == DRG_OK)
		rc = drg_http_start(&http, &app, &s->http, err);
	if (rc != DRG_OK)
		return rc;
	/* Nothing is answered before the first load, so nothing can have used the URL yet. */
	set_public_url(s, public_url);
	return drg_follower_run(s->app.follower, err);
}

/* The last writer to close moves the log into the file and removes it; before now others read it. A backup can then be copied
 * over the file: beside the log of what was there before, it would be taken for that. */
static void leave_one_file(const struct server *s)
{
	struct drg_store *store;
	struct drg_err err = { 0 };
	if (drg_store_open(s->store_url, DRG_STORE_WRITE, &store, &err) == DRG_OK)
		drg_store_close(store);
	else
		drg_log(DRG_LOG_WARN, "the log of the store stays beside it: %s", err.message);
}

/* For each part a word to people who wait for it. */
static void stop_parts(struct server *s)
{
	drg_stopping_part(s->stopping, "the reports of what did not match");
	/* Its last reports are written while the catalog still follows, which ends a write. */
	drg_unmatched_stop(s->app.unmatched);
	/* Its thread calls the lists and the writer, and their threads look at its catalog. */
	drg_stopping_part(s->stopping, "the follower of the store");
	drg_follower_stop(s->app.follower);
	drg_stopping_part(s->stopping, "the builder of lists");
	drg_lists_stop(s->app.lists);
	drg_stopping_part(s->stopping, "the writer of the store");
	drg_writer_stop(s->app.writer);
	drg_stopping_part(s->stopping, "the readers of the store");
	drg_changes_stop(s->app.changes);
	drg_source_exports_stop(s->app.exports);
	drg_readers_stop(s->app.readers);
	drg_contents_free(s->app.contents);
	drg_retries_free(s->app.retries);
	drg_follower_close(s->app.follower);
}

static void stop(struct server *s)
{
	unsigned seconds = s->stop_seconds > REST_SECONDS ? s->stop_seconds - REST_SECONDS : 0;
	s->stopping = drg_stopping_begin(s->stop_seconds);
	drg_stopping_part(s->stopping, "the connections");
	drg_changes_drain(s->app.changes);
	/* Who holds the store's lock for longer does not hold up the stop. */
	drg_store_set_lock_timeout(STOPPING_LOCK_MS);
	if (drg_http_stop(s->http, seconds) != DRG_OK)
		drg_stopping_hangs(s->stopping);
	stop_parts(s);
	drg_stopping_part(s->stopping, "the log of the store");
	leave_one_file(s);
	drg_stopping_end(s->stopping);
}

/* Until SIGTERM or SIGINT; SIGHUP opens the access log again. */
static void wait_for_signals(struct server *s, const sigset_t *signals)
{
	for (;;) {
		int number;
		if (sigwait(signals, &number) != 0)
			continue;
		if (number != SIGHUP) {
			drg_log(DRG_LOG_INFO, "stopping: finishing what is under way");
			return;
		}
		drg_http_reopen_log(s->http);
	}
}

int drg_cmd_serve(struct drg_cli *cli)
{
	static const enum drg_log_level levels[] = { DRG_LOG_ERROR, DRG_LOG_WARN, DRG_LOG_INFO,
		                                     DRG_LOG_DEBUG };
	drg_log_set_level(levels[drg_opt_word(cli->options, "log-level")]);
	/* Fixed, or glibc raises it to the largest block ever freed, and what large answers took is never given back. */
	mallopt(M_MMAP_THRESHOLD, MMAP_BYTES);
	struct drg_data_dir dir;
	int rc = drg_data_dir_open(cli, false, &dir, &cli->err);
	if (rc != DRG_OK)
		return rc;

	/* Blocked before any thread starts, so that only sigwait() sees them. */
	sigset_t signals;
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);

	struct server s = { .stop_seconds = (unsigned)drg_opt_int(cli->options, "stop-timeout"),
		            .store_url = dir.store_url };
	rc = start(&s, cli->options, cli->arena, dir.store_url, &cli->err);
	if (rc == DRG_OK) {
		wait_for_signals(&s, &signals);
		stop(&s);
	} else if (drg_http_stop(s.http, 0) == DRG_OK) {
		stop_parts(&s);
	}
	return rc;
}
