#include "access/first_link.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* The stored form of a link: "link ", the digest of its text, " " and the time until which it works, in
 * microseconds. */
static const char begins[] = "link ";
enum { BEGINS = sizeof begins - 1, RANDOM = 32, UNTIL = BEGINS + DRG_DIGEST_TEXT };
_Static_assert(UNTIL + DRG_I64_TEXT <= DRG_PASSWORD_HASH, "room for a link instead of a hash");

int drg_link_make(int64_t now_us, char text[static DRG_LINK_TEXT], char kept[static DRG_PASSWORD_HASH],
                  struct drg_err *reterr)
{
	unsigned char bytes[RANDOM];
	char hash[DRG_DIGEST_TEXT];
	if (sodium_init() < 0)
		return drg_fail(reterr, DRG_EINTERNAL, NULL, NULL, "no source of random bytes");
	randombytes_buf(bytes, sizeof bytes);
	sodium_bin2base64(text, DRG_LINK_TEXT, bytes, sizeof bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	drg_digest_hex(drg_str_c(text), hash);
	int n = snprintf(kept, DRG_PASSWORD_HASH, "%s%s %lld", begins, hash,
	                 (long long)(now_us + DRG_LINK_DAYS * 86400 * INT64_C(1000000)));
	assert(n > 0 && n < DRG_PASSWORD_HASH);
	return DRG_OK;
}

int64_t drg_link_until(struct drg_str kept)
{
	int64_t until = 0;
	bool is = kept.n > UNTIL && memcmp(kept.p, begins, BEGINS) == 0;
	return is && drg_str_to_i64(drg_str(kept.p + UNTIL, kept.n - UNTIL), &until) ? until : 0;
}

bool drg_link_is_valid(struct drg_str kept, struct drg_str text, int64_t now_us)
{
	char hash[DRG_DIGEST_TEXT];
	drg_digest_hex(text, hash);
	return drg_link_until(kept) > now_us && sodium_memcmp(kept.p + BEGINS, hash, sizeof hash - 1) == 0;
}
