#include "http/ready.h"

#include "http/http_priv.h"

void drg_ready_done(struct drg_ready *r)
{
	for (int c = 0; c < DRG_CODING_COUNT; c++)
		for (int same = 0; same < 2; same++)
			for (int cors = 0; cors < DRG_READY_CORS_COUNT; cors++) {
				struct MHD_Response *made = atomic_exchange(&r->of[c][same][cors], NULL);
				if (made != NULL)
					MHD_destroy_response(made);
			}
}
