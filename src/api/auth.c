#include "api/app.h"

#include "base/clock.h"
#include "query/keys.h"

/* The names a key or secret may come under (spec section 5, decision E5). */
static const char *const key_a_names[] = { "X-Api-Key", NULL };
static const char *const key_b_names[] = { "X-Service-Api-Key", "X-Service-Client-Key", NULL };
static const char *const secret_names[] = { "X-Service-Api-Secret", "X-Service-Client-Secret", NULL };

const char *const drg_api_headers[] = {
	"X-Api-Key",
	"X-Service-Api-Key",
	"X-Service-Client-Key",
	"X-Service-Api-Secret",
	"X-Service-Client-Secret",
	"Idempotency-Key",
	NULL,
};

static struct drg_str first_header(const struct drg_exchange *x, const char *const *names)
{
	struct drg_str v = { NULL, 0 };
	for (; *names != NULL && v.n == 0; names++)
		v = drg_exchange_header(x, *names);
	return drg_str_trim(v);
}

/* Inside a read section. */
static const struct drg_key *find_key(const struct drg_exchange *x, const struct drg_catalog *cat,
                                      enum drg_api api)
{
	struct drg_str text = first_header(x, api == DRG_API_A ? key_a_names : key_b_names);
	return drg_keys_find(cat, api, text, drg_wall_us());
}

/* One message for every reason (E4): it tells a guesser nothing. */
static const char *const required[] = {
	[DRG_AUTH_KEY_A] = "a valid key of API A is required in the header X-Api-Key",
	[DRG_AUTH_KEY_B] = "a valid key of API B is required in the header X-Service-Api-Key",
	[DRG_AUTH_SECRET_B] = "a valid key of API B and its secret are required together in the headers "
	                      "X-Service-Api-Key and X-Service-Api-Secret",
};

/* Inside a read section. */
static int check(struct drg_exchange *x, const struct drg_catalog *cat, enum drg_auth policy)
{
	bool a = policy == DRG_AUTH_KEY_A, secret = policy == DRG_AUTH_SECRET_B;
	const struct drg_key *key = find_key(x, cat, a ? DRG_API_A : DRG_API_B);
	if (key != NULL && (!secret || drg_keys_secret_ok(key, first_header(x, secret_names)))) {
		drg_exchange_set_key_id(x, key->id);
		return DRG_OK;
	}
	return drg_fail(drg_exchange_err(x), DRG_EAUTH, "not_authorized", NULL, "%s", required[policy]);
}

int drg_api_authorize(struct drg_exchange *x, const struct drg_endpoint *e)
{
	drg_read_lock();
	const struct drg_catalog *cat;
	int rc = drg_app_catalog(x, &cat);
	if (rc == DRG_OK)
		rc = check(x, cat, (enum drg_auth)e->auth);
	drg_read_unlock();
	return rc;
}

int drg_api_may_write(struct drg_exchange *x, const struct drg_catalog *cat, int64_t adapter,
                      int64_t *ret_key_id)
{
	const struct drg_key *key = find_key(x, cat, DRG_API_B);
	bool may = key != NULL && key->adapters == NULL;
	for (size_t i = 0; key != NULL && i < key->n_adapters && !may; i++)
		may = key->adapters[i] == adapter;
	if (!may)
		return drg_fail(drg_exchange_err(x), DRG_EAUTH, "adapter_not_allowed", "adapter_id",
		                "adapter_id: this key may not write the adapter %lld", (long long)adapter);
	*ret_key_id = key->id;
	return DRG_OK;
}

int drg_api_check_public_url(const char *url, struct drg_err *reterr)
{
	static const char allowed[] =
	        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/[]%@";
	size_t scheme = strncmp(url, "http://", 7) == 0 ? 7 : strncmp(url, "https://", 8) == 0 ? 8 : 0;
	size_t n = strlen(url);
	if (scheme == 0 || n == scheme || url[n - 1] == '/' || strspn(url, allowed) != n)
		return drg_fail(reterr, DRG_EUSAGE, "invalid_url", "public-url",
		                "--public-url: expected http:// or https:// and a host, without a slash at "
		                "the end, such as "
		                "https://travel.example.com, found \"%.200s\"",
		                url);
	return DRG_OK;
}
