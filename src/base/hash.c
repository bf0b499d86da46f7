#include "base/hash.h"

#include <stdlib.h>
#include <sys/random.h>

uint64_t drg_hash_secret;

/* Before main(): a table may be made by any thread, and a secret that is drawn late would be another one for
 * keys that are in a table already. */
__attribute__((constructor)) static void hash_draw_secret(void)
{
	if (getrandom(&drg_hash_secret, sizeof drg_hash_secret, 0) != sizeof drg_hash_secret)
		abort();
}
