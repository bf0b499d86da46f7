#include "api/reading.h"
#include "base/clock.h"
#include "http/endpoint.h"
#include "query/keys.h"

/* What a key or secret may come under (spec section 5, decision E5), and what else a request may bring. */
const char *const drg_api_headers[] = {
	"X-Min-Data-Version", /* first: each request is asked for it */
	"X-Api-Key",
	"X-Service-Api-Key",
	"X-Service-Client-Key",
	"X-Service-Api-Secret",
	"X-Service-Client-Secret",
	"Idempotency-Key",
	NULL,
};

static struct drg_str either(struct drg_exchange *x, const char *name, const char *alias)
{
	struct drg_str value = drg_exchange_header(x, name);
	return value.n > 0 ? value : drg_exchange_header(x, alias);
}

static struct drg_str key_text(struct drg_exchange *x, enum drg_api api)
{
	return api == DRG_API_A ? drg_exchange_header(x, "X-Api-Key")
	                        : either(x, "X-Service-Api-Key", "X-Service-Client-Key");
}

static struct drg_str secret_text(struct drg_exchange *x)
{
	return either(x, "X-Service-Api-Secret", "X-Service-Client-Secret");
}

/* A proxy in front could take the other one of two that differ. */
static int check_aliases(struct drg_exchange *x)
{
	static const char *const pairs[][2] = { { "X-Service-Api-Key", "X-Service-Client-Key" },
		                                { "X-Service-Api-Secret", "X-Service-Client-Secret" } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(pairs); i++) {
		struct drg_str one = drg_exchange_header(x, pairs[i][0]);
		struct drg_str other = drg_exchange_header(x, pairs[i][1]);
		if (one.p != NULL && other.p != NULL && !drg_str_eq(one, other))
			return drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(repeated_header), pairs[i][0],
			                "%s and %s differ; send one of them", pairs[i][0], pairs[i][1]);
	}
	return DRG_OK;
}

/* Inside a read section. */
static const struct drg_key *find_key(struct drg_exchange *x, const struct drg_catalog *cat, enum drg_api api,
                                      struct drg_key_memo *memo)
{
	return drg_keys_find(cat, api, key_text(x, api), memo, drg_wall_us());
}

/* One message for every reason (E4): it tells a guesser nothing. */
static const char *const required[] = {
	[DRG_AUTH_KEY_A] = "a valid key of API A is required in the header X-Api-Key",
	[DRG_AUTH_KEY_B] = "a valid key of API B is required in the header X-Service-Api-Key",
	[DRG_AUTH_SECRET_B] = "a valid key of API B and its secret are required together in the headers "
	                      "X-Service-Api-Key and X-Service-Api-Secret",
};

static int check_key(struct drg_reading *r, void *policy)
{
	enum drg_auth auth = *(const enum drg_auth *)policy;
	bool a = auth == DRG_AUTH_KEY_A, secret = auth == DRG_AUTH_SECRET_B;
	_Static_assert(sizeof(struct drg_key_memo) <= DRG_CONN_MEMORY, "room in a connection");
	const struct drg_key *key =
	        find_key(r->x, r->cat, a ? DRG_API_A : DRG_API_B, drg_exchange_conn_memory(r->x));
	if (key != NULL && (!secret || drg_keys_secret_ok(key, secret_text(r->x)))) {
		drg_exchange_set_key_id(r->x, key->id);
		return DRG_OK;
	}
	return drg_fail(drg_exchange_err(r->x), DRG_EAUTH, DRG_R(not_authorized), NULL, "%s", required[auth]);
}

int drg_api_authorize(struct drg_exchange *x, const struct drg_endpoint *e)
{
	enum drg_auth policy = (enum drg_auth)e->auth;
	int rc = check_aliases(x);
	return rc == DRG_OK ? drg_read(x, check_key, &policy) : rc;
}

static int auth_check_adapter(struct drg_reading *r, void *ctx)
{
	int64_t adapter = *(const int64_t *)ctx;
	const struct drg_key *key = find_key(r->x, r->cat, DRG_API_B, NULL);
	bool may = key != NULL && key->adapters == NULL;
	for (size_t i = 0; key != NULL && i < key->n_adapters && !may; i++)
		may = key->adapters[i] == adapter;
	return may ? DRG_OK
	           : drg_fail(drg_exchange_err(r->x), DRG_EAUTH, DRG_R(adapter_not_allowed), "adapter_id",
	                      "adapter_id: this key may not write the adapter %lld", (long long)adapter);
}

int drg_api_may_write(struct drg_exchange *x, int64_t adapter)
{
	return drg_read(x, auth_check_adapter, &adapter);
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
