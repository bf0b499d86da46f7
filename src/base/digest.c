#include "base/digest.h"

#include <sodium.h>

void drg_digest_hex(struct drg_str text, char *buf)
{
	unsigned char hash[(DRG_DIGEST_TEXT - 1) / 2];
	crypto_generichash(hash, sizeof hash, (const unsigned char *)text.p, text.n, NULL, 0);
	sodium_bin2hex(buf, DRG_DIGEST_TEXT, hash, sizeof hash);
}
