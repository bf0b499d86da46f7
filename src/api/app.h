/* src/api/app.h
 * What the handlers share: the parts of a running node, wired by cli/cmd_serve.c. */
#pragma once
#include "api/people/sign_in.h"
#include "http/server.h"
#include "load/jobs.h"
#include "server/changes/changes.h"
#include "server/unmatched.h"
#include "server/content.h"
#include "server/disk.h"
#include "server/follower.h"
#include "server/idempotency.h"
#include "server/lists/lists.h"
#include "server/uses.h"
#include "server/version_waits.h"
#include "server/writer.h"

struct drg_agreed;
struct drg_cases;
struct drg_figures_keeper;
struct drg_file_outs;
struct drg_http;
struct drg_presence;
struct drg_recon;
struct drg_slow_reads;
struct drg_undoer;

struct drg_app {
	struct drg_follower *follower;
	struct drg_lists *lists;
	struct drg_writer *writer;
	struct drg_retries *retries;
	struct drg_disk *
	        disk; /**< whether the disk of the store fills up; NULL: that is not known, as of a database */
	struct drg_readers *readers; /**< for all who read the store */
	struct drg_slow_reads *slow_reads; /**< for handlers that read much of the store (api/store_work.h) */
	struct drg_contents *contents;
	struct drg_unmatched *unmatched;
	struct drg_uses *uses;
	struct drg_changes *changes;
	struct drg_file_outs *exports, *files; /**< long answers for customers, for curators */
	struct drg_version_waits *version_waits;
	struct drg_loads *loads; /**< lists of suppliers that are sent (load/jobs.h) */
	struct drg_cases *cases; /**< the queue of what people should look at */
	struct drg_agreed *agreed; /**< what the matcher and people did, day by day */
	struct drg_automatch *automatch; /**< the matching of new records; NULL: it is off */
	struct drg_presence *presence; /**< the people who have a case open */
	struct drg_deciding *deciding; /**< the last numbers that decisions gave */
	struct drg_undoer *undoer; /**< undoes batches */
	struct drg_figures_keeper
	        *figures; /**< what metrics tell of the store; NULL: there is no listener for operators */
	const struct drg_http *http; /**< the public server, for its metrics */
	const char *store_path; /**< the file of the store; NULL: it is a database */
	const char *image_path; /**< the snapshot; NULL: none is written */
	int64_t started_us; /**< wall clock */
	const char *dir; /**< the data folder, for temporary files */
	const char *names_path; /**< of the index of names (names/index.h) */
	struct drg_recon *recon; /**< the names that reconciliation looks in (reconcile/names.h) */
	struct drg_openapi *openapi; /**< the documents (openapi/openapi.h) */
	/** "http://127.0.0.1:8080", no slash at its end, plain URL characters (no escapes) */
	struct drg_str public_url;
	const char *sunset; /**< when deprecated endpoints end, an HTTP date (RFC 8594); NULL: not said */
	int64_t max_batch; /**< decision M5 */
	struct drg_sign_in *sign_in; /**< people and their sessions */
	const struct drg_pictures *pictures; /**< what the workbench shows from other hosts */
	const struct drg_demo_keys *demo_keys; /**< NULL: none are given (decision W3) */
};

/** The key policies of the endpoint table. */
enum drg_auth {
	DRG_AUTH_KEY_A = DRG_AUTH_PUBLIC + 1,
	DRG_AUTH_KEY_B,
	DRG_AUTH_SECRET_B, /**< key of API B and its secret */
	DRG_AUTH_PATH_KEY_B, /**< key of API B, of the role reader, in the path as ":key" (decision O1) */
	DRG_AUTH_SIGN_IN, /**< anybody, but not from a page of another site */
	DRG_AUTH_PERSON, /**< a signed-in user of any role */
	DRG_AUTH_ANYBODY, /**< the same, or nobody: drg_api_is_person() tells */
	/** A key of the role curator with its secret, or a person who has signed in with that role or a higher
	 * one (decision E24). */
	DRG_AUTH_VIEWER,
	DRG_AUTH_CURATOR,
	DRG_AUTH_ADMIN, /**< a person only */
};

/** drg_http_app.headers. */
extern const char *const drg_api_headers[];
/** Positions in that list, for drg_exchange_header_at(). */
enum drg_api_header {
	DRG_HEADER_MIN_VERSION,
	DRG_HEADER_KEY_A,
	DRG_HEADER_KEY_B,
	DRG_HEADER_CLIENT_KEY_B,
	DRG_HEADER_SECRET_B,
	DRG_HEADER_CLIENT_SECRET_B,
	DRG_HEADER_IDEMPOTENCY,
	DRG_HEADER_COUNT
};

/** drg_http_app.headers_here, except the header of --sign-in-header. */
extern const char *const drg_api_headers_here[];

/** drg_http_app.secrets. */
extern const char *const drg_api_secrets[];

/** drg_http_app.authorize: decisions E4 to E6 and O1. */
int drg_api_authorize(struct drg_exchange *x, const struct drg_endpoint *e);

/** drg_http_app.charge: a 304 takes nothing of what the key may ask in a second, any other answer what was not
 * taken before (E30). */
int drg_api_charge(struct drg_exchange *x, bool unchanged);

/** Is the key or the person of a request that waits still let in? From any thread while it waits, and when it
 * has. @return DRG_OK, DRG_EAUTH; DRG_EBUSY: loading. */
DRG_MUSTCHECK
int drg_api_reauthorize(struct drg_exchange *x);

/** True if a user has signed in; false if the caller has a key. For an endpoint with a key policy. */
bool drg_api_is_person(const struct drg_exchange *x);
/** True if the caller may read this adapter's data (decision E19). */
bool drg_api_can_read(const struct drg_exchange *x, int64_t adapter);
/** True if the caller may write this adapter's data (decision E6). */
bool drg_api_can_write(const struct drg_exchange *x, int64_t adapter);
/** As drg_may_write(), and set the error. @return DRG_OK or DRG_EAUTH. */
DRG_MUSTCHECK
int drg_api_check_read(struct drg_exchange *x, int64_t adapter);
DRG_MUSTCHECK
int drg_api_check_write(struct drg_exchange *x, int64_t adapter);
/** Check that the adapter exists for this endpoint and that the caller may read it. @return DRG_OK,
 * DRG_EINVAL or DRG_EAUTH; DRG_EBUSY: loading. */
DRG_MUSTCHECK
int drg_api_check_adapter(struct drg_exchange *x, int64_t adapter);

/** Is this URL fit to be a public base URL: http or https, a host, no query, no fragment, nothing to escape? */
DRG_MUSTCHECK
int drg_api_check_public_url(const char *url, struct drg_err *reterr);

static inline const struct drg_app *drg_app_of(const struct drg_exchange *x)
{
	return drg_exchange_app(x);
}
