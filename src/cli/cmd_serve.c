/* dragoman serve: wires store, follower, lists and HTTP together, and stops them in order. */
#include "cli/serve_priv.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "access/demo_keys.h"
#include "api/list_answer.h"
#include "api/metrics/figures.h"
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
#include "server/stopping.h"
#include "store/lend.h"
#include "workbench/deciding.h"

enum { MMAP_BYTES = 256 * 1024 };

/* ---- the store, or what there is of it ------------------------------------------------------------------- */

/* Beside a store in a file; a snapshot of any other goes where it is told. */
static const char *find_image_path(struct drg_server *s)
{
	const char *given = drg_opt_text(s->options, "snapshot");
	if (given != NULL)
		return strcmp(given, "none") == 0 ? NULL : given;
	if (strncmp(s->store_url, "sqlite:", 7) != 0)
		return NULL;
	snprintf(s->image_beside, sizeof s->image_beside, "%s.snapshot", s->store_url + 7);
	return s->image_beside;
}

static bool has_image(const struct drg_server *s)
{
	struct drg_image_file *image;
	if (s->image_path == NULL || drg_image_open(s->image_path, &image, NULL) != DRG_OK)
		return false;
	drg_image_close(image);
	return true;
}

static bool means_away(int rc)
{
	return rc == DRG_ENOENT || rc == DRG_EIO || rc == DRG_EFULL;
}

static void serve_warn(const char *text)
{
	drg_log(DRG_LOG_WARN, "%s", text);
}

int drg_serve_prepare_store(struct drg_server *s, struct drg_err *err)
{
	struct drg_store *store;
	bool image = has_image(s);
	int rc = drg_store_open(s->store_url, image ? DRG_STORE_WRITE : DRG_STORE_CREATE, &store, err);
	if (rc == DRG_ELIMIT && image)
		rc = drg_store_open(s->store_url, DRG_STORE_CREATE, &store, err);
	if (image && means_away(rc)) {
		drg_log(DRG_LOG_WARN,
		        "%s; starting from the snapshot %s, and nothing can be written until the store is "
		        "back; without "
		        "that file an empty store is begun",
		        err->message, s->image_path);
		s->store_away = true;
		return DRG_OK;
	}
	if (rc != DRG_OK)
		return rc;
	if (drg_store_remark(store)[0] != '\0')
		drg_log(DRG_LOG_WARN, "%s", drg_store_remark(store));
	rc = drg_store_repair(store, s->store_url, err);
	if (rc == DRG_OK)
		rc = drg_store_clock(store, &s->known, err);
	if (rc == DRG_OK)
		drg_store_warn(s->store_url, s->image_path, &s->known, serve_warn);
	drg_store_close(store);
	return rc;
}

void drg_serve_set_public_url(struct drg_server *s, const char *given)
{
	bool v6 = strchr(s->address, ':') != NULL;
	char listens[80];
	snprintf(listens, sizeof listens, "%s%s%s:%u", v6 ? "[" : "", s->address, v6 ? "]" : "",
	         drg_http_port(s->http));
	snprintf(s->public_url, sizeof s->public_url, "%s%s", given == NULL ? "http://" : "",
	         given == NULL ? listens : given);
	s->app.public_url = drg_str_c(s->public_url);
	drg_log(DRG_LOG_INFO, "dragoman %s (%s) listens on %s, public URL %s", drg_version_text,
	        drg_commit_text, listens, s->public_url);
}

/* ---- the parts ------------------------------------------------------------------------------------------ */

int drg_cmd_serve(struct drg_cli *cli)
{
	drg_log_set_format((enum drg_log_format)drg_opt_word(cli->options, "log-format"));
	/* Fixed, or glibc raises it to the largest block ever freed, and what large answers took is never
	 * given back. */
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

	struct drg_server s = { .options = cli->options,
		                .store_url = dir.store_url,
		                .dir = dir.path,
		                .stop_seconds = (unsigned)drg_opt_int(cli->options, "stop-timeout") };
	snprintf(s.names_path, sizeof s.names_path, "%s/names.index", dir.path);
	s.app.names_path = s.names_path;
	s.image_path = find_image_path(&s);
	drg_reload_apply(cli->options, &s.sign_in.limits);
	drg_store_set_connections((unsigned)drg_opt_int(cli->options, "store-connections"));
	rc = drg_reload_new(cli, &s.sign_in.limits, &s.reload);
	if (rc == DRG_OK)
		rc = drg_serve_start(&s, cli->arena, &cli->err);
	if (rc == DRG_OK) {
		const struct drg_serve_wait wait = { s.http, &s.http_options, s.reload, &s.loaded, &signals };
		rc = drg_serve_wait(&wait, &cli->err);
		s.stopping = drg_stopping_begin(s.stop_seconds);
		/* The rest of the time behind the connections' share, without a second. */
		s.stop_until_ns = drg_clock_ns() + (int64_t)(s.stop_seconds - 1) * 1000000000;
	}
	drg_serve_stop(&s);
	drg_reload_free(s.reload);
	if (rc == DRG_OK)
		drg_stopping_end(s.stopping);
	return rc;
}
