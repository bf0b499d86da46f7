#include "access/key_check.h"

#include <assert.h>
#include <sodium.h>

/* As sodium_memcmp(), but eight bytes at a time: each request with a key comes here. */
static bool keys_equal(const char *a, const char *b, size_t n)
{
	uint64_t differ = 0, x, y;
	for (; n >= sizeof x; n -= sizeof x, a += sizeof x, b += sizeof x) {
		memcpy(&x, a, sizeof x);
		memcpy(&y, b, sizeof y);
		differ |= x ^ y;
		__asm__("" : "+r"(differ)); /* the compiler must not leave early */
	}
	for (; n > 0; n--)
		differ |= (uint64_t)((unsigned char)*a++ ^ (unsigned char)*b++);
	return differ == 0;
}

/* Compare in constant time: the clients behind a proxy share its connections and must not learn each other's
 * keys. */
static bool is_kept(const struct drg_key_memo *memo, struct drg_str text)
{
	return memo->n == text.n && keys_equal(memo->text, text.p, text.n);
}

static void keys_keep(struct drg_key_memo *memo, struct drg_str text, const char *hash)
{
	memo->n = text.n <= sizeof memo->text ? text.n : 0;
	memcpy(memo->text, text.p, memo->n);
	memcpy(memo->hash, hash, sizeof memo->hash);
}

/* Get the digest of a key. @param buf  DRG_DIGEST_TEXT bytes; the result is in it, or in the memo. */
static struct drg_str digest(struct drg_str text, struct drg_key_memo *memo, char *buf)
{
	const char *hash = buf;
	if (memo != NULL && is_kept(memo, text)) {
		hash = memo->hash;
	} else {
		drg_digest_hex(text, buf);
		if (memo != NULL)
			keys_keep(memo, text, buf);
	}
	return drg_str(hash, DRG_DIGEST_TEXT - 1);
}

const struct drg_key *drg_keys_find(const struct drg_catalog *cat, enum drg_api api, struct drg_str text,
                                    struct drg_key_memo *memo, int64_t now_us)
{
	if (text.n == 0)
		return NULL;
	char hash[DRG_DIGEST_TEXT];
	const struct drg_str is = digest(text, memo, hash);
	assert(is.n == DRG_DIGEST_TEXT - 1);
	const struct drg_key *k = drg_catalog_key(cat, is);
	if (k == NULL || k->api != api || (k->expires_us != 0 && now_us >= k->expires_us))
		return NULL;
	return drg_str_eq(is, k->key_hash) || now_us < k->old_until_us ? k : NULL;
}

enum drg_key_role drg_keys_role(const struct drg_key *key)
{
	if (key->role != DRG_KEY_OLD)
		return (enum drg_key_role)key->role;
	return key->secret_hash.n > 0 ? DRG_KEY_REGISTRAR : DRG_KEY_READER;
}

static bool keys_is_hash(const char *hash, struct drg_str wanted)
{
	return wanted.n == DRG_DIGEST_TEXT - 1 && sodium_memcmp(hash, wanted.p, DRG_DIGEST_TEXT - 1) == 0;
}

bool drg_keys_secret_matches(const struct drg_key *key, struct drg_str secret, int64_t now_us)
{
	char hash[DRG_DIGEST_TEXT];
	if (secret.n == 0 || key->secret_hash.n == 0)
		return false;
	drg_digest_hex(secret, hash);
	bool is_new = keys_is_hash(hash, key->secret_hash), is_old = keys_is_hash(hash, key->old_secret_hash);
	return is_new || (is_old && now_us < key->old_until_us);
}
