/* src/cli/serve_priv.h
 * The server that `serve` runs, for cmd_serve.c and serve_parts.c. */
#pragma once
#include <limits.h>
#include "api/app.h"
#include "access/demo_keys.h"
#include "cli/cli.h"
#include "cli/serve_http.h"
#include "cli/serve_pictures.h"
#include "server/announcements.h"
#include "server/image/imager.h"
#include "server/stopping.h"

struct drg_server {
	const struct drg_options *options;
	const char *store_url, *dir;
	const char *image_path; /* NULL: no snapshot */
	char image_beside[PATH_MAX];
	char names_path[PATH_MAX + sizeof "/names.index"];
	bool store_away; /* at the start */
	struct drg_clock known; /* the store's at the start */
	struct drg_imager *imager;
	struct drg_long_reads *long_reads;
	struct drg_long_pool customers_reads, curators_reads; /* for their turns */
	int64_t stop_until_ns;
	struct drg_http_options http_options;
	struct drg_app app;
	struct drg_announcements *announcements; /* NULL: the store announces nothing */
	struct drg_http *http, *admin; /* admin NULL: there is none */
	atomic_bool loaded;
	struct drg_stopping *stopping;
	unsigned stop_seconds;
	char address[DRG_LISTEN_ADDRESS_MAX], admin_address[DRG_LISTEN_ADDRESS_MAX];
	char public_url[300];
	char sunset[DRG_SUNSET_TEXT];
	struct drg_pictures pictures;
	struct drg_demo_keys demo_keys;
	struct drg_sign_in sign_in;
	struct drg_reload *reload;
	const char *headers_here[DRG_APP_HEADERS_MAX];
};

DRG_MUSTCHECK
int drg_serve_start(struct drg_server *s, struct drg_arena *arena, struct drg_err *err);
void drg_serve_stop(struct drg_server *s);
/** Create or migrate the store; the follower then only reads. With a snapshot there was a store: it is away,
 * and no empty one is made in its place. */
DRG_MUSTCHECK
int drg_serve_prepare_store(struct drg_server *s, struct drg_err *err);
/** The port is known only now: --listen may have asked for port 0, any free one. */
void drg_serve_set_public_url(struct drg_server *s, const char *given);
