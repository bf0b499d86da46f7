#include "access/password.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "text/utf8.h"

_Static_assert(DRG_PASSWORD_HASH == crypto_pwhash_STRBYTES, "room for a hash");

/* RFC 9106 (4) and OWASP ask for at least 19 MiB with two passes. */
static const unsigned long long passes = crypto_pwhash_OPSLIMIT_INTERACTIVE; /* 2 */
static const size_t memory = crypto_pwhash_MEMLIMIT_INTERACTIVE; /* 64 MiB */

/* The beginning of a hash: memory and passes. */
#define COST "$argon2id$v=19$m=65536,t=2,p=1$"

/* The hash of a password that nobody knows, made with the same memory and passes. */
static const char nobodys[DRG_PASSWORD_HASH] =
        COST "xyuvx1dH9YcPOE5xPBhUPg$J+/Ypx3hHYtj/kG7I0xyBECOVDCivit0Lbgf4ztNGqk";

int drg_password_check(struct drg_str password, struct drg_err *reterr)
{
	size_t characters = 0;
	if (drg_utf8_valid(password, NULL))
		for (size_t i = 0; i < password.n; i++)
			characters += ((unsigned char)password.p[i] & 0xc0) != 0x80;
	if (characters < DRG_PASSWORD_MIN || password.n > DRG_PASSWORD_MAX || drg_utf8_has_control(password))
		return drg_fail(
		        reterr, DRG_EINVAL, DRG_R(invalid_password), "password",
		        "password: expected %d characters or more, at most %d bytes, in UTF-8 without "
		        "control characters",
		        DRG_PASSWORD_MIN, DRG_PASSWORD_MAX);
	return DRG_OK;
}

int drg_password_hash(struct drg_str password, char hash[static DRG_PASSWORD_HASH], struct drg_err *reterr)
{
	if (sodium_init() < 0)
		return drg_fail(reterr, DRG_EINTERNAL, NULL, NULL, "no source of random bytes");
	memset(hash, 0, DRG_PASSWORD_HASH);
	if (crypto_pwhash_str_alg(hash, password.p, password.n, passes, memory,
	                          crypto_pwhash_ALG_ARGON2ID13) != 0)
		return drg_fail_memory(reterr);
	assert(strncmp(hash, COST, strlen(COST)) ==
	       0); /* else the time of a comparison would tell whether a person exists */
	return DRG_OK;
}

/* Does not use crypto_pwhash_str_verify(): that says "wrong password" also if its 64 MiB were not
 * available. */
int drg_password_compare(const char hash[static DRG_PASSWORD_HASH], struct drg_str password)
{
	bool known = hash[0] == '$';
	enum {
		SALT = crypto_pwhash_SALTBYTES,
		HASH = 32,
		OPTION = sodium_base64_VARIANT_ORIGINAL_NO_PADDING
	};
	unsigned kib, times;
	char salt_text[32], hash_text[64];
	unsigned char salt[SALT], kept[HASH], made[HASH];
	size_t n_salt = 0, n_kept = 0;
	int found = sscanf(known ? hash : nobodys, "$argon2id$v=19$m=%u,t=%u,p=1$%31[^$]$%63s", &kib, &times,
	                   salt_text, hash_text);
	if (found != 4 ||
	    sodium_base642bin(salt, SALT, salt_text, strlen(salt_text), NULL, &n_salt, NULL, OPTION) != 0 ||
	    sodium_base642bin(kept, HASH, hash_text, strlen(hash_text), NULL, &n_kept, NULL, OPTION) != 0 ||
	    n_salt != SALT || n_kept != HASH)
		return DRG_EAUTH;
	if (crypto_pwhash(made, HASH, password.p, password.n, salt, times, (size_t)kib << 10,
	                  crypto_pwhash_ALG_ARGON2ID13) != 0)
		return DRG_ENOMEM;
	return known && sodium_memcmp(made, kept, HASH) == 0 ? DRG_OK : DRG_EAUTH;
}
