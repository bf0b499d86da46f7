#include "server/branch.h"

#include <sodium.h>
#include <stdio.h>

enum { EPOCH_BYTES = sizeof((struct drg_clock *)0)->epoch, BYTES = EPOCH_BYTES + 8 };

uint64_t drg_history_of(const char *epoch, int64_t branch)
{
	unsigned char hash[16], bytes[BYTES] = { 0 };
	uint64_t number = 0;
	snprintf((char *)bytes, EPOCH_BYTES, "%s", epoch);
	for (int i = 0; i < 8; i++)
		bytes[EPOCH_BYTES + i] = (unsigned char)((uint64_t)branch >> (56 - 8 * i));
	crypto_generichash(hash, sizeof hash, bytes, sizeof bytes, NULL, 0);
	for (int i = 0; i < 8; i++)
		number = number << 8 | hash[i];
	return number;
}

struct drg_data_version drg_version_of(const struct drg_clock *commit)
{
	return (struct drg_data_version){ .history = drg_history_of(commit->epoch, commit->branch),
		                          .seq = commit->seq };
}
