/* The parts of the server: how each is started and stopped, and their order. */
#include "cli/serve_priv.h"

#include <malloc.h>
#include <signal.h>
#include <string.h>

#include "access/demo_keys.h"
#include "api/file_out.h"
#include "api/freshness.h"
#include "api/metrics/figures.h"
#include "api/store_work.h"
#include "api/tables.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/testing.h"
#include "base/version.h"
#include "cli/cli.h"
#include "cli/data_dir.h"
#include "cli/serve_http.h"
#include "cli/serve_wait.h"
#include "cli/store_looks.h"
#include "matching/live/automatch.h"
#include "openapi/openapi.h"
#include "reconcile/names.h"
#include "server/announcements.h"
#include "server/disk.h"
#include "server/image/imager.h"
#include "server/long_reads.h"
#include "server/stopping.h"
#include "store/lend.h"
#include "workbench/agreed.h"
#include "workbench/deciding.h"
#include "workbench/presence.h"
#include "workbench/queue/cases.h"
#include "workbench/undoer.h"

enum {
	/* The share of --stop-timeout for what is stopped after the connections. */
	REST_SECONDS = 2,
	/* The least that may be waited for, however few the connections are. */
	LISTS_WAITING = 64,
};

/* --match, as its words stand in commands.c. */
enum { DRG_SERVE_MATCH_AUTO, DRG_SERVE_MATCH_SUGGEST, DRG_SERVE_MATCH_OFF };

static void data_changed(void *ctx)
{
	struct drg_server *s = ctx;
	atomic_store(&s->loaded, true);
	drg_lists_data_changed(s->app.lists);
	drg_writer_published(s->app.writer);
	drg_contents_published(s->app.contents);
	drg_changes_published(s->app.changes);
	drg_version_waits_published(s->app.version_waits);
}

static void record_changed(void *ctx, const struct drg_record *r)
{
	const struct drg_server *s = ctx;
	drg_contents_changed(s->app.contents, r);
}

static void stop_waits(void *ctx, const char *what)
{
	const struct drg_server *s = ctx;
	drg_stopping_waits(s->stopping, what);
}

/* The last writer to close moves the log into the file and removes it; before now others read it. A backup
 * can then be copied over the file: beside the log of what was there before, it would be taken for that. */
static void leave_one_file(struct drg_server *s)
{
	struct drg_store *store;
	struct drg_err err = { 0 };
	drg_store_close_idle(true);
	if (s->stopping == NULL || !drg_store_is_file(s->store_url))
		return; /* it has not served, or there is none */
	if (drg_store_open(s->store_url, DRG_STORE_WRITE, &store, &err) == DRG_OK)
		drg_store_close(store);
	else
		drg_log(DRG_LOG_WARN, "the log of the store stays beside it: %s", err.message);
}

static int start_follower(struct drg_server *s, struct drg_err *err)
{
	const struct drg_follower_options o = { .store_url = s->store_url,
		                                .image_path = s->image_path,
		                                .may_be_away = s->store_away,
		                                .known = s->known,
		                                .poll_ms = (unsigned)drg_opt_int(s->options, "poll-ms"),
		                                .published = data_changed,
		                                .changed = record_changed,
		                                .ctx = s };
	return drg_follower_open(&o, &s->app.follower, err);
}

static void close_follower(struct drg_server *s)
{
	drg_imager_end(s->imager, s->stop_until_ns);
	drg_follower_close(s->app.follower);
}

static int start_announcements(struct drg_server *s, struct drg_err *err)
{
	if (drg_store_is_file(s->store_url))
		return DRG_OK; /* nobody announces anything */
	return drg_announcements_start(s->store_url, s->app.follower, &s->announcements, err);
}

static int start_imager(struct drg_server *s, struct drg_err *err)
{
	const struct drg_imager_options o = { .path = s->image_path,
		                              .follower = s->app.follower,
		                              .interval_s = (unsigned)drg_opt_int(s->options,
		                                                                  "snapshot-interval") };
	return s->image_path != NULL ? drg_imager_start(&o, &s->imager, err) : DRG_OK;
}

static int start_disk(struct drg_server *s, struct drg_err *err)
{
	const struct drg_disk_options o = { .path = s->app.store_path,
		                            .low_percent = (unsigned)drg_opt_int(s->options, "disk-low"),
		                            .full_percent = (unsigned)drg_opt_int(s->options, "disk-full") };
	return s->app.store_path != NULL ? drg_disk_start(&o, &s->app.disk, err) : DRG_OK;
}

static int start_retries(struct drg_server *s, struct drg_err *err)
{
	return drg_retries_new(&s->app.retries, err);
}

static int start_contents(struct drg_server *s, struct drg_err *err)
{
	const struct drg_readers_options readers = { .store_url = s->store_url, .follower = s->app.follower };
	int rc = drg_readers_start(&readers, &s->app.readers, err);
	const struct drg_contents_options o = { .readers = s->app.readers,
		                                .follower = s->app.follower,
		                                .max_bytes =
		                                        (size_t)drg_opt_int(s->options, "content-cache") };
	return rc == DRG_OK ? drg_contents_new(&o, &s->app.contents, err) : rc;
}

static void stop_contents(struct drg_server *s)
{
	drg_readers_stop(s->app.readers);
	drg_contents_free(s->app.contents);
}

static int start_exports(struct drg_server *s, struct drg_err *err)
{
	/* One handle of a database at least is left for short readings. */
	const unsigned at_once = drg_store_lendable(s->store_url) > 4 ? 2 : 1;
	int rc = drg_long_reads_new(s->store_url, s->app.writer, &s->long_reads, err);
	struct drg_readers_options o = { .store_url = s->store_url,
		                         .follower = s->app.follower,
		                         .turns = s->long_reads,
		                         .sort = &s->customers_reads,
		                         .odd_words = true };
	s->customers_reads.max = s->curators_reads.max = at_once;
	if (rc == DRG_OK)
		rc = drg_file_outs_start(&o, DRG_EXPORTS_MAX, "exports", &s->app.exports, err);
	o.sort = &s->curators_reads;
	if (rc == DRG_OK)
		rc = drg_file_outs_start(&o, DRG_FILE_OUTS_MAX, "files", &s->app.files, err);
	o.odd_words = false;
	return rc == DRG_OK ? drg_slow_reads_start(&o, &s->app.slow_reads, err) : rc;
}

static void stop_exports(struct drg_server *s)
{
	drg_file_outs_stop(s->app.exports);
	drg_file_outs_stop(s->app.files);
	drg_slow_reads_stop(s->app.slow_reads);
	drg_long_reads_free(s->long_reads);
}

static int start_changes(struct drg_server *s, struct drg_err *err)
{
	/* A waiting request holds a connection: half of them are for requests that do not wait. */
	const struct drg_changes_options o = { .store_url = s->store_url,
		                               .follower = s->app.follower,
		                               .max_waiting = s->http_options.max_connections / 2 };
	return drg_changes_start(&o, &s->app.changes, err);
}

static int start_version_waits(struct drg_server *s, struct drg_err *err)
{
	return drg_version_waits_start(s->app.follower, &s->app.version_waits, err);
}

static int start_writer(struct drg_server *s, struct drg_err *err)
{
	const struct drg_writer_options o = { .store_url = s->store_url,
		                              .follower = s->app.follower,
		                              .max_jobs = (size_t)drg_opt_int(s->options, "write-queue") };
	return drg_writer_start(&o, &s->app.writer, err);
}

static int start_lists(struct drg_server *s, struct drg_err *err)
{
	/* A waiting request holds a connection: three of four are for requests that do not wait. */
	const size_t waiting = s->http_options.max_connections / 4;
	struct drg_lists_options o = { .follower = s->app.follower,
		                       .ctx = &s->app,
		                       .max_waiting = waiting > LISTS_WAITING ? waiting : LISTS_WAITING };
	int rc = drg_testing_number("DRG_TEST_LISTS", &o.gate, err);
	return rc == DRG_OK ? drg_lists_start(&o, &s->app.lists, err) : rc;
}

static int start_unmatched(struct drg_server *s, struct drg_err *err)
{
	const struct drg_unmatched_options o = { .writer = s->app.writer };
	return drg_unmatched_start(&o, &s->app.unmatched, err);
}

static int start_uses(struct drg_server *s, struct drg_err *err)
{
	const struct drg_uses_options o = { .writer = s->app.writer };
	return drg_uses_start(&o, &s->app.uses, err);
}

static int start_curating(struct drg_server *s, struct drg_err *err)
{
	static struct drg_deciding deciding;
	const struct drg_cases_options o = { .store_url = s->store_url };
	s->app.deciding = &deciding;
	int rc = drg_presence_new(&s->app.presence, err);
	if (rc == DRG_OK)
		rc = drg_agreed_new(&s->app.agreed, err);
	if (rc == DRG_OK)
		rc = drg_undoer_start(s->store_url, &s->app.undoer, err);
	if (rc == DRG_OK)
		rc = drg_cases_start(&o, &s->app.cases, err);
	return rc == DRG_OK ? drg_recon_start(s->store_url, &s->app.recon, err) : rc;
}

static void stop_curating(struct drg_server *s)
{
	drg_recon_stop(s->app.recon);
	drg_undoer_stop(s->app.undoer);
	drg_cases_stop(s->app.cases);
	drg_agreed_free(s->app.agreed);
	drg_presence_free(s->app.presence);
}

static int start_loads(struct drg_server *s, struct drg_err *err)
{
	const struct drg_loads_options o = { .store_url = s->store_url, .dir = s->dir };
	return drg_loads_start(&o, &s->app.loads, err);
}

static int start_sign_in(struct drg_server *s, struct drg_err *err)
{
	s->sign_in.header = drg_opt_text(s->options, "sign-in-header");
	s->app.sign_in = &s->sign_in;
	return drg_sign_in_start(&s->sign_in, s->app.writer, err);
}

static void stop_sign_in(struct drg_server *s)
{
	drg_sign_in_stop(&s->sign_in);
}

/* drg_api_headers_here, and the one of --sign-in-header. */
static const char *const *list_headers_here(struct drg_server *s)
{
	size_t n = 0;
	for (const char *const *name = drg_api_headers_here; *name != NULL; name++)
		s->headers_here[n++] = *name;
	s->headers_here[n] = s->sign_in.header;
	return s->headers_here;
}

/* Every endpoint of the service. */
#define LISTED(name) name,

static const struct drg_endpoint *const endpoint_tables[] = { DRG_API_TABLES(LISTED) drg_openapi_endpoints,
	                                                      NULL };

static int start_openapi(struct drg_server *s, struct drg_err *err)
{
	const struct drg_openapi_options o = { .tables = endpoint_tables,
		                               .version = drg_version_text,
		                               .max_body = s->http_options.max_body,
		                               .max_url = s->http_options.max_url,
		                               .max_headers = s->http_options.max_headers,
		                               .max_batch = s->app.max_batch };
	return drg_openapi_new(&o, &s->app.openapi, err);
}

static int start_automatch(struct drg_server *s, struct drg_err *err)
{
	int match = drg_opt_word(s->options, "match");
	const struct drg_automatch_options o = { .store_url = s->store_url,
		                                 .writer = s->app.writer,
		                                 .automatic = match == DRG_SERVE_MATCH_AUTO,
		                                 .known = s->known };
	return match == DRG_SERVE_MATCH_OFF ? DRG_OK : drg_automatch_start(&o, &s->app.automatch, err);
}

/* Nothing is answered before the first load, so nothing can have used the URL before it is known. */
static int start_http(struct drg_server *s, struct drg_err *err)
{
	const struct drg_http_app app = { .tables = endpoint_tables,
		                          .authorize = drg_api_authorize,
		                          .charge = drg_api_charge,
		                          .admit = drg_api_admit,
		                          .version = drg_api_version,
		                          .ctx = &s->app,
		                          .headers = drg_api_headers,
		                          .headers_here = list_headers_here(s),
		                          .secrets = drg_api_secrets };
	const _Atomic int64_t *counts;
	int rc = drg_testing_number("DRG_TEST_COUNTS", &counts, err);
	s->http_options.uncounted = rc == DRG_OK && counts != NULL && *counts == 0;
	if (rc == DRG_OK)
		rc = drg_http_start(&s->http_options, &app, &s->http, err);
	if (rc != DRG_OK)
		return rc;
	drg_serve_set_public_url(s, drg_opt_text(s->options, "public-url"));
	s->app.http = s->http;
	return drg_follower_run(s->app.follower, err);
}

static void stop_http(struct drg_server *s)
{
	unsigned seconds = s->stop_seconds > REST_SECONDS ? s->stop_seconds - REST_SECONDS : 0;
	drg_lists_drain(s->app.lists);
	drg_changes_drain(s->app.changes);
	drg_undoer_drain(s->app.undoer);
	drg_cases_drain(s->app.cases);
	drg_recon_drain(s->app.recon);
	drg_loads_drain(s->app.loads);
	drg_file_outs_drain(s->app.exports);
	drg_file_outs_drain(s->app.files);
	drg_slow_reads_drain(s->app.slow_reads);
	drg_store_stop();
	if (drg_http_stop(s->http, s->stopping != NULL ? seconds : 0) != DRG_OK)
		drg_stopping_hangs(s->stopping);
}

/* The endpoints for operators, without a key, on an address of its own. */
static const struct drg_endpoint *const admin_tables[] = { drg_health, drg_admin_endpoints, NULL };

static int start_admin(struct drg_server *s, struct drg_err *err)
{
	const struct drg_http_app app = { .tables = admin_tables,
		                          .authorize = drg_api_authorize,
		                          .charge = drg_api_charge,
		                          .version = drg_api_version,
		                          .ctx = &s->app };
	struct drg_http_options o;
	if (drg_opt_text(s->options, "admin") == NULL)
		return DRG_OK;
	int rc = drg_serve_admin_options(s->options, s->admin_address, &o, err);
	if (rc == DRG_OK)
		rc = drg_figures_start(s->store_url, &s->app.figures, err);
	if (rc == DRG_OK)
		rc = drg_http_start(&o, &app, &s->admin, err);
	if (rc == DRG_OK && drg_http_port(s->admin) != 0)
		drg_log(DRG_LOG_INFO, "operators find /metrics and /readyz on %s:%u", o.address,
		        drg_http_port(s->admin));
	else if (rc == DRG_OK)
		drg_log(DRG_LOG_INFO, "operators find /metrics and /readyz on %s", o.address);
	return rc;
}

static void stop_admin(struct drg_server *s)
{
	if (drg_http_stop(s->admin, 0) != DRG_OK)
		drg_stopping_hangs(s->stopping);
	drg_figures_stop(s->app.figures);
}

/* Parts that one call stops. */
#define STOP(part, stop, member)                                                                             \
	static void stop_##part(struct drg_server *s)                                                        \
	{                                                                                                    \
		stop(s->member);                                                                             \
	}

STOP(announcements, drg_announcements_stop, announcements)
STOP(disk, drg_disk_stop, app.disk)
STOP(imager, drg_imager_stop, imager)
STOP(retries, drg_retries_free, app.retries)
STOP(changes, drg_changes_stop, app.changes)
STOP(version_waits, drg_version_waits_stop, app.version_waits)
STOP(writer, drg_writer_stop, app.writer)
STOP(lists, drg_lists_stop, app.lists)
STOP(following, drg_follower_stop, app.follower)
STOP(unmatched, drg_unmatched_stop, app.unmatched)
STOP(loads, drg_loads_stop, app.loads)
STOP(uses, drg_uses_stop, app.uses)
STOP(openapi, drg_openapi_free, app.openapi)
STOP(automatch, drg_automatch_stop, app.automatch)

/* Started in this order, stopped from the last to the first. A part's threads call only what stands above it,
 * with one exception: the follower, opened first, runs last, and calls lists, writer and changes; so it ends
 * before them. It ends after what still waits for the catalog: connections that registered, the last reports
 * that are written. */
static const struct part {
	const char *what; /* for people who wait for its end */
	int (*start)(struct drg_server *s, struct drg_err *err); /* NULL: another part starts it */
	void (*stop)(struct drg_server *s); /* what never started is fine */
} parts[] = {
	{ "the log of the store", drg_serve_prepare_store, leave_one_file },
	{ "the follower's catalog", start_follower, close_follower },
	{ "the announcements of the store", start_announcements, stop_announcements },
	{ "the snapshots", start_imager, stop_imager },
	{ "the look at the disk", start_disk, stop_disk },
	{ "the retries", start_retries, stop_retries },
	{ "the readers of the store", start_contents, stop_contents },
	{ "the change feed", start_changes, stop_changes },
	{ "the waits for versions", start_version_waits, stop_version_waits },
	{ "the writer of the store", start_writer, stop_writer },
	{ "the exports", start_exports, stop_exports },
	{ "the builder of lists", start_lists, stop_lists },
	{ "the follower of the store", NULL, stop_following },
	{ "the reports of what did not match", start_unmatched, stop_unmatched },
	{ "the counts of what is used", start_uses, stop_uses },
	{ "the queue of what people should look at", start_curating, stop_curating },
	{ "the lists of suppliers", start_loads, stop_loads },
	{ "the people who sign in", start_sign_in, stop_sign_in },
	{ "the description of the APIs", start_openapi, stop_openapi },
	{ "the matching of new records", start_automatch, stop_automatch },
	{ "the connections", start_http, stop_http },
	{ "the listener for operators", start_admin, stop_admin },
};

int drg_serve_start(struct drg_server *s, struct drg_arena *arena, struct drg_err *err)
{
	int rc = drg_serve_check(s->options, arena, err);
	if (rc == DRG_OK)
		rc = drg_serve_http_options(s->options, arena, s->address, &s->http_options, err);
	s->http_options.waits = stop_waits;
	s->http_options.waits_ctx = s;
	s->app.max_batch = drg_opt_int(s->options, "max-batch");
	s->app.started_us = drg_wall_us();
	s->app.store_path = strncmp(s->store_url, "sqlite:", 7) == 0 ? s->store_url + 7 : NULL;
	s->app.image_path = s->image_path;
	s->app.dir = s->dir;
	if (rc == DRG_OK && drg_opt_flag(s->options, "demo")) {
		rc = drg_demo_keys_make(&s->demo_keys, err);
		s->app.demo_keys = &s->demo_keys;
	}
	if (rc == DRG_OK)
		rc = drg_serve_pictures(s->options, &s->pictures, err);
	s->app.pictures = &s->pictures;
	if (rc == DRG_OK)
		rc = drg_serve_sunset(s->options, s->sunset, err);
	s->app.sunset = s->sunset[0] != '\0' ? s->sunset : NULL;
	for (size_t i = 0; i < DRG_ARRAY_LEN(parts) && rc == DRG_OK; i++)
		if (parts[i].start != NULL)
			rc = parts[i].start(s, err);
	return rc;
}

void drg_serve_stop(struct drg_server *s)
{
	for (size_t i = DRG_ARRAY_LEN(parts); i-- > 0;) {
		drg_stopping_part(s->stopping, parts[i].what);
		parts[i].stop(s);
	}
}
