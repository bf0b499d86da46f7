/* src/api/app.h
 * What the handlers share: the parts of a running node, wired by cli/cmd_serve.c. */
#pragma once
#include "http/server.h"
#include "node/changes.h"
#include "node/unmatched.h"
#include "node/content.h"
#include "node/follower.h"
#include "node/idempotency.h"
#include "node/lists.h"
#include "node/source_export.h"
#include "node/version_waits.h"
#include "node/writer.h"

struct drg_app {
	struct drg_follower *follower;
	struct drg_lists *lists;
	struct drg_writer *writer;
	struct drg_retries *retries;
	struct drg_readers *readers; /**< for all who read the store */
	struct drg_contents *contents;
	struct drg_unmatched *unmatched;
	struct drg_changes *changes;
	struct drg_source_exports *exports;
	struct drg_version_waits *version_waits;
	struct drg_str
	        public_url; /**< "http://127.0.0.1:8080", no slash at its end, plain URL characters (no escapes) */
	int64_t max_batch; /**< decision M5 */
};

/** The key policies of the endpoint table. */
enum drg_auth {
	DRG_AUTH_KEY_A = DRG_AUTH_PUBLIC + 1,
	DRG_AUTH_KEY_B,
	DRG_AUTH_SECRET_B /**< key of API B and its secret */
};

/** Every endpoint of the service, NULL-terminated. */
extern const struct drg_endpoint *const drg_api_tables[];

/** drg_http_app.headers. */
extern const char *const drg_api_headers[];

/** drg_http_app.authorize: decisions E4 to E6. */
int drg_api_authorize(struct drg_exchange *x, const struct drg_endpoint *e);

/** May the request's key of API B write this adapter (decision E6)? @return DRG_OK, DRG_EAUTH; DRG_EBUSY: loading. */
DRG_MUSTCHECK
int drg_api_may_write(struct drg_exchange *x, int64_t adapter);

/** Is this URL fit to be a public base URL: http or https, a host, no query, no fragment, nothing to escape? */
DRG_MUSTCHECK
int drg_api_check_public_url(const char *url, struct drg_err *reterr);

static inline const struct drg_app *drg_app_of(const struct drg_exchange *x)
{
	return drg_exchange_app(x);
}
