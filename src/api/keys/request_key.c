#include "api/keys/request_key_priv.h"

#include "access/demo_keys.h"
#include "access/key_check.h"
#include "base/clock.h"

static struct drg_str either(struct drg_exchange *x, const char *name, const char *alias)
{
	struct drg_str value = drg_exchange_header(x, name);
	return value.n > 0 ? value : drg_exchange_header(x, alias);
}

struct drg_str drg_request_key_text(struct drg_exchange *x, enum drg_api api)
{
	return api == DRG_API_A ? drg_exchange_header(x, "X-Api-Key")
	                        : either(x, "X-Service-Api-Key", "X-Service-Client-Key");
}

struct drg_str drg_request_secret(struct drg_exchange *x)
{
	return either(x, "X-Service-Api-Secret", "X-Service-Client-Secret");
}

const struct drg_key *drg_request_find_key(struct drg_exchange *x, const struct drg_catalog *cat,
                                           enum drg_api api, struct drg_str text, struct drg_key_memo *memo)
{
	const struct drg_key *key = drg_keys_find(cat, api, text, memo, drg_wall_us());
	return key != NULL ? key : drg_demo_keys_find(drg_app_of(x)->demo_keys, cat, api, text);
}

const struct drg_key *drg_request_key(struct drg_exchange *x, const struct drg_catalog *cat)
{
	return drg_request_find_key(x, cat, DRG_API_B, drg_request_key_text(x, DRG_API_B), NULL);
}

bool drg_api_is_person(const struct drg_exchange *x)
{
	return drg_exchange_key_id(x) < 0;
}

int drg_request_refuse_adapter(struct drg_exchange *x, const char *what, int64_t adapter)
{
	return drg_fail(drg_exchange_err(x), DRG_EAUTH, DRG_R(adapter_not_allowed), "adapter_id",
	                "adapter_id: this key may not %s the adapter %lld", what, (long long)adapter);
}

bool drg_api_can_read(struct drg_exchange *x, const struct drg_catalog *cat, int64_t adapter)
{
	if (!drg_exchange_key_narrow(x))
		return true;
	const struct drg_key *key = drg_request_key(x, cat);
	return key != NULL && drg_keys_may_read(key, adapter);
}

int drg_api_check_read(struct drg_exchange *x, const struct drg_catalog *cat, int64_t adapter)
{
	return drg_api_can_read(x, cat, adapter) ? DRG_OK : drg_request_refuse_adapter(x, "read", adapter);
}
