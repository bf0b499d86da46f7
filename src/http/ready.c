#include "http/ready.h"

#include <stdlib.h>

void drg_ready_done(struct drg_ready *r)
{
	for (int c = 0; c < DRG_CODING_COUNT; c++)
		for (int same = 0; same < 2; same++)
			for (int cors = 0; cors < DRG_READY_CORS_COUNT; cors++)
				free(atomic_exchange(&r->of[c][same][cors], NULL));
}
