#include "query/keys.h"

#include <sodium.h>

#include "base/digest.h"

const struct drg_key *drg_keys_find(const struct drg_catalog *cat, enum drg_api api, struct drg_str text,
                                    int64_t now_us)
{
	if (text.n == 0)
		return NULL;
	char hash[DRG_DIGEST_TEXT];
	drg_digest_hex(text, hash);
	const struct drg_key *k = drg_catalog_key(cat, drg_str(hash, DRG_DIGEST_TEXT - 1));
	if (k == NULL || k->api != api || (k->expires_us != 0 && now_us > k->expires_us))
		return NULL;
	return k;
}

bool drg_keys_secret_ok(const struct drg_key *key, struct drg_str secret)
{
	if (secret.n == 0 || key->secret_hash.n != DRG_DIGEST_TEXT - 1)
		return false;
	char hash[DRG_DIGEST_TEXT];
	drg_digest_hex(secret, hash);
	return sodium_memcmp(hash, key->secret_hash.p, DRG_DIGEST_TEXT - 1) == 0;
}
