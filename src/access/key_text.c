/* Makes the text of a key or secret at random, and its digest. */
#include "access/keys_priv.h"

#include <sodium.h>

#include "access/keys.h"
#include "base/digest.h"
#include "model/key.h"
#include "store/access_events.h"
#include "store/fetch.h"
#include "text/stamp.h"

int drg_keys_start_sodium(struct drg_err *err)
{
	return sodium_init() >= 0 ? DRG_OK
	                          : drg_fail(err, DRG_EINTERNAL, NULL, NULL, "no source of random bytes");
}

static void make_text(const char *prefix, char *buf)
{
	static const char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
	memcpy(buf, prefix, PREFIX_CHARS);
	for (size_t i = 0; i < RANDOM_CHARS; i++)
		buf[PREFIX_CHARS + i] = alphabet[randombytes_uniform(sizeof alphabet - 1)];
	buf[PREFIX_CHARS + RANDOM_CHARS] = '\0';
}

static const char *key_prefix(int64_t api)
{
	return api == DRG_API_A ? "drga_" : "drgb_";
}

int drg_keys_generate(enum drg_api api, char text[static DRG_KEY_TEXT], struct drg_err *reterr)
{
	int rc = drg_keys_start_sodium(reterr);
	if (rc == DRG_OK)
		make_text(key_prefix(api), text);
	return rc;
}

void drg_keys_mint(struct drg_record *r, bool secret, char hashes[2][DRG_DIGEST_TEXT],
                   struct drg_key_made *made)
{
	make_text(key_prefix(drg_record_i(r, DRG_F_API, 0)), made->key);
	drg_digest_hex(drg_str_c(made->key), hashes[0]);
	drg_record_set_s(r, DRG_F_KEY_HASH, drg_str_c(hashes[0]));
	made->secret[0] = '\0';
	if (secret) {
		make_text("drgs_", made->secret);
		drg_digest_hex(drg_str_c(made->secret), hashes[1]);
		drg_record_set_s(r, DRG_F_SECRET_HASH, drg_str_c(hashes[1]));
	}
	made->id = r->v[DRG_F_ID].i;
}
