/* Authenticates a request once, when its head has arrived (decisions E4 to E7, E13): the key or the
 * session becomes a struct drg_caller, which all later checks read. */
#include <stdio.h>

#include "access/demo_keys.h"
#include "access/key_check.h"
#include "access/key_limits.h"
#include "api/app.h"
#include "api/reading.h"
#include "api/tables.h"
#include "base/bound.h"
#include "base/clock.h"
#include "catalog/rcu.h"
#include "http/endpoint.h"

/* The headers of keys and secrets (spec section 5, decision E5), and the other headers of the API. */
const char *const drg_api_headers[] = {
	[DRG_HEADER_MIN_VERSION] = "X-Min-Data-Version",
	[DRG_HEADER_KEY_A] = "X-Api-Key",
	[DRG_HEADER_KEY_B] = "X-Service-Api-Key",
	[DRG_HEADER_CLIENT_KEY_B] = "X-Service-Client-Key",
	[DRG_HEADER_SECRET_B] = "X-Service-Api-Secret",
	[DRG_HEADER_CLIENT_SECRET_B] = "X-Service-Client-Secret",
	[DRG_HEADER_IDEMPOTENCY] = "Idempotency-Key",
	[DRG_HEADER_COUNT] = NULL,
};

/* The prefixes of keys and secrets (decision E6). */
const char *const drg_api_secrets[] = { "drga_", "drgb_", "drgs_", NULL };

/* A proxy in front could take the other one of two that differ. */
static int check_aliases(struct drg_exchange *x)
{
	static const enum drg_api_header pairs[][2] = { { DRG_HEADER_KEY_B, DRG_HEADER_CLIENT_KEY_B },
		                                        { DRG_HEADER_SECRET_B, DRG_HEADER_CLIENT_SECRET_B } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(pairs); i++) {
		struct drg_str one = drg_exchange_header_at(x, pairs[i][0]);
		struct drg_str other = drg_exchange_header_at(x, pairs[i][1]);
		const char *name = drg_api_headers[pairs[i][0]], *alias = drg_api_headers[pairs[i][1]];
		if (one.p != NULL && other.p != NULL && !drg_str_eq(one, other))
			return drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(repeated_header), name,
			                "%s and %s differ; send one of them", name, alias);
	}
	return DRG_OK;
}

/* Each header has an alias. */
static struct drg_str either(const struct drg_exchange *x, enum drg_api_header name,
                             enum drg_api_header alias)
{
	struct drg_str value = drg_exchange_header_at(x, name);
	return value.n > 0 ? value : drg_exchange_header_at(x, alias);
}

static struct drg_str key_text(struct drg_exchange *x, enum drg_api api)
{
	return api == DRG_API_A ? drg_exchange_header_at(x, DRG_HEADER_KEY_A)
	                        : either(x, DRG_HEADER_KEY_B, DRG_HEADER_CLIENT_KEY_B);
}

static struct drg_str sent_secret(struct drg_exchange *x)
{
	return either(x, DRG_HEADER_SECRET_B, DRG_HEADER_CLIENT_SECRET_B);
}

/* Find a key by its text; demo keys count. Call inside a read section. @return NULL: there is none. */
static const struct drg_key *find_key(struct drg_exchange *x, const struct drg_catalog *cat, enum drg_api api,
                                      struct drg_str text, struct drg_key_memo *memo)
{
	const struct drg_key *key = drg_keys_find(cat, api, text, memo, drg_wall_us());
	return key != NULL ? key : drg_demo_keys_find(drg_app_of(x)->demo_keys, cat, api, text);
}

#define BOTH_HEADERS                                                                                         \
	"a valid key of API B and its secret are required together in the headers X-Service-Api-Key and "    \
	"X-Service-Api-Secret"
#define FOR_CURATORS                                                                                         \
	.required = BOTH_HEADERS ", or somebody who has signed in", .key = true, .api = DRG_API_B,           \
	.secret = true, .role = DRG_KEY_CURATOR, .too_low = "only keys of curators may do this",             \
	.person = true

static const struct auth_policy {
	/* One message for every reason (E4): it tells a guesser nothing. */
	const char *required;
	bool key; /* lets in keys */
	bool in_path; /* the key is a part of the address, which others may come to see: a reader's (O1) */
	enum drg_api api;
	bool secret; /* keys with their secret */
	enum drg_key_role role; /* of a key, or a higher one */
	const char *too_low; /* what a key with a lower role is told */
	bool person; /* lets in who has signed in */
	enum drg_person_role person_role; /* with that role, or a higher one */
} auth_policies[] = {
	[DRG_AUTH_KEY_A] = { .required = "a valid key of API A is required in the header X-Api-Key",
	                     .key = true,
	                     .api = DRG_API_A },
	[DRG_AUTH_KEY_B] = { .required = "a valid key of API B is required in the header X-Service-Api-Key",
	                     .key = true,
	                     .api = DRG_API_B },
	[DRG_AUTH_SECRET_B] = { .required = BOTH_HEADERS,
	                        .key = true,
	                        .api = DRG_API_B,
	                        .secret = true,
	                        .role = DRG_KEY_REGISTRAR,
	                        .too_low = "this key may read, and not register" },
	[DRG_AUTH_PATH_KEY_B] = { .required = "the address needs a valid key of API B: /v1/reconcile/KEY",
	                          .key = true,
	                          .in_path = true,
	                          .api = DRG_API_B },
	[DRG_AUTH_SIGN_IN] = { .required = "" },
	[DRG_AUTH_PERSON] = { .required = "sign in first (POST /v1/session)", .person = true },
	[DRG_AUTH_ANYBODY] = { .required = "sign in first (POST /v1/session)", .person = true },
	[DRG_AUTH_VIEWER] = { FOR_CURATORS },
	[DRG_AUTH_CURATOR] = { FOR_CURATORS, .person_role = DRG_PERSON_CURATOR },
	[DRG_AUTH_ADMIN] = { .required = "an administrator has to sign in first (POST /v1/session)",
	                     .person = true,
	                     .person_role = DRG_PERSON_ADMIN },
};

/* Name the key in histories where a user's name could stand: "key 7". */
static int set_caller(struct drg_exchange *x, const struct drg_key *key, bool named)
{
	char name[DRG_I64_TEXT + 4] = "";
	if (named) /* most requests only read, and need no name */
		snprintf(name, sizeof name, "key %lld", (long long)key->id);
	return drg_exchange_set_caller(x, &(const struct drg_caller){ .id = key->id,
	                                                              .name = drg_str_c(name),
	                                                              .reads = key->reads,
	                                                              .n_reads = key->n_reads,
	                                                              .writes = key->adapters,
	                                                              .n_writes = key->n_adapters,
	                                                              .adds_per_day = key->adds_per_day,
	                                                              .text_ids = key->text_ids });
}

/* An answer that can be a 304 is paid for when it is known not to be one. */
static int auth_pay(struct drg_exchange *x, const struct drg_key *key)
{
	if (!drg_columns_of(x)->tagged || drg_exchange_tags(x).p == NULL)
		return drg_key_limits_request(x, key, false);
	drg_exchange_owe(x);
	return DRG_OK;
}

static int check_key(struct drg_reading *r, void *ctx)
{
	const struct auth_policy *policy = ctx;
	_Static_assert(sizeof(struct drg_key_memo) <= DRG_CONN_MEMORY, "room in a connection");
	struct drg_str text =
	        policy->in_path ? drg_exchange_segment(r->x, "key") : key_text(r->x, policy->api);
	const struct drg_key *key = find_key(r->x, r->cat, policy->api, text, drg_exchange_conn_memory(r->x));
	if (key == NULL ||
	    (policy->secret && !drg_keys_secret_matches(key, sent_secret(r->x), drg_wall_us())))
		return drg_fail(drg_exchange_err(r->x), DRG_EAUTH, DRG_R(not_authorized), NULL, "%s",
		                policy->required);
	int rc = set_caller(r->x, key, policy->person);
	if (rc == DRG_OK && key->requests_per_second > 0)
		rc = auth_pay(r->x, key);
	if (rc != DRG_OK)
		return rc;
	const bool demo = drg_demo_keys_has(drg_app_of(r->x)->demo_keys, key);
	if (demo && drg_columns_of(r->x)->copies) /* what the store has is not always what the catalog has */
		return drg_fail(drg_exchange_err(r->x), DRG_EAUTH, DRG_R(not_authorized), NULL,
		                "the key of the demo does not copy; make one with 'dragoman key create'");
	if (!demo)
		drg_uses_key(drg_app_of(r->x)->uses, key->id);
	if (policy->in_path && drg_keys_role(key) > DRG_KEY_READER)
		return drg_fail(
		        drg_exchange_err(r->x), DRG_EAUTH, DRG_R(role_not_allowed), NULL,
		        "only the key of a reader may stand in an address; make one with 'dragoman key "
		        "create --api b --role reader'");
	if (drg_keys_role(key) < policy->role)
		return drg_fail(drg_exchange_err(r->x), DRG_EAUTH, DRG_R(role_not_allowed), NULL,
		                "%s: it has the role %s", policy->too_low,
		                drg_key_role_words[drg_keys_role(key)]);
	return DRG_OK;
}

/* On errors too: a developer who changes something looks at them. */
static void add_deprecated(struct drg_exchange *x, const struct drg_endpoint *e)
{
	const struct drg_app *app = drg_app_of(x);
	char link[400];
	snprintf(link, sizeof link, "<%.*s%s>; rel=\"successor-version\"", DRG_STR_ARG(app->public_url),
	         e->successor);
	drg_exchange_add_header(x, "Deprecation", e->deprecated);
	drg_exchange_add_header(x, "Link", link);
	if (app->sunset != NULL)
		drg_exchange_add_header(x, "Sunset", app->sunset);
}

/* If an endpoint takes keys and sessions, a request with any part of a key is checked as a key. */
static int auth_check(struct drg_exchange *x, const struct drg_endpoint *e, const struct auth_policy *policy)
{
	bool by_key = policy->key &&
	              (!policy->person || key_text(x, DRG_API_B).p != NULL || sent_secret(x).p != NULL);
	if (e->auth == DRG_AUTH_SIGN_IN)
		return drg_sign_in_authorize(x);
	return by_key ? drg_reading_run(x, check_key, (void *)(uintptr_t)policy)
	              : drg_session_authorize(x, e, policy->person_role, policy->required);
}

int drg_api_authorize(struct drg_exchange *x, const struct drg_endpoint *e)
{
	const struct auth_policy *policy = &auth_policies[e->auth];
	int rc = check_aliases(x);
	if (rc != DRG_OK)
		return rc;
	rc = auth_check(x, e, policy);
	/* Not before the first load: the public URL is not known before. */
	if (e->deprecated != NULL && rc != DRG_EBUSY)
		add_deprecated(x, e);
	return rc;
}

/* The version of an answer stays what it is: drg_reading_run() would say another. */
int drg_api_charge(struct drg_exchange *x, bool unchanged)
{
	const enum drg_api api = auth_policies[drg_exchange_endpoint(x)->auth].api;
	drg_read_lock();
	const struct drg_catalog *cat = drg_follower_catalog(drg_app_of(x)->follower);
	const struct drg_key *key = cat != NULL ? find_key(x, cat, api, key_text(x, api), NULL) : NULL;
	int rc = key != NULL && key->requests_per_second > 0 ? drg_key_limits_request(x, key, unchanged)
	                                                     : DRG_OK;
	drg_read_unlock();
	return rc;
}

static int auth_check_still(struct drg_reading *r, void *ctx)
{
	const struct auth_policy *policy = ctx;
	const struct drg_key *key = find_key(r->x, r->cat, policy->api, key_text(r->x, policy->api), NULL);
	bool same = key != NULL && key->id == drg_exchange_caller(r->x)->id &&
	            (!policy->secret || drg_keys_secret_matches(key, sent_secret(r->x), drg_wall_us())) &&
	            drg_keys_role(key) >= policy->role;
	return same ? DRG_OK
	            : drg_fail(drg_exchange_err(r->x), DRG_EAUTH, DRG_R(not_authorized), NULL, "%s",
	                       policy->required);
}

int drg_api_reauthorize(struct drg_exchange *x)
{
	const struct auth_policy *policy = &auth_policies[drg_exchange_endpoint(x)->auth];
	return drg_api_is_person(x) ? drg_session_reauthorize(x, policy->person_role, policy->required)
	                            : drg_reading_run(x, auth_check_still, (void *)(uintptr_t)policy);
}

/* ---- permissions --------------------------------------------------------------------------------------- */

bool drg_api_is_person(const struct drg_exchange *x)
{
	return drg_exchange_caller(x)->id < 0;
}

bool drg_api_can_read(const struct drg_exchange *x, int64_t adapter)
{
	const struct drg_caller *c = drg_exchange_caller(x);
	return c->reads == NULL || drg_id_is_among(adapter, c->reads, c->n_reads);
}

bool drg_api_can_write(const struct drg_exchange *x, int64_t adapter)
{
	const struct drg_caller *c = drg_exchange_caller(x);
	return (c->writes == NULL || drg_id_is_among(adapter, c->writes, c->n_writes)) &&
	       drg_api_can_read(x, adapter);
}

static int refuse_adapter(struct drg_exchange *x, const char *what, int64_t adapter)
{
	return drg_fail(drg_exchange_err(x), DRG_EAUTH, DRG_R(adapter_not_allowed), "adapter_id",
	                "adapter_id: this key may not %s the adapter %lld", what, (long long)adapter);
}

int drg_api_check_read(struct drg_exchange *x, int64_t adapter)
{
	return drg_api_can_read(x, adapter) ? DRG_OK : refuse_adapter(x, "read", adapter);
}

int drg_api_check_write(struct drg_exchange *x, int64_t adapter)
{
	return drg_api_can_write(x, adapter) ? DRG_OK : refuse_adapter(x, "write", adapter);
}

int drg_api_check_public_url(const char *url, struct drg_err *reterr)
{
	static const char allowed[] =
	        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/[]%@";
	size_t scheme = strncmp(url, "http://", 7) == 0 ? 7 : strncmp(url, "https://", 8) == 0 ? 8 : 0;
	size_t n = strlen(url);
	if (scheme == 0 || n == scheme || url[n - 1] == '/' || strspn(url, allowed) != n)
		return drg_fail(reterr, DRG_EUSAGE, DRG_R(invalid_url), "public-url",
		                "--public-url: expected http:// or https:// and a host, without a slash at "
		                "the end, such as "
		                "https://travel.example.com, found \"%.200s\"",
		                url);
	return DRG_OK;
}
