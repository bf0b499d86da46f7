#include "server/unmatched.h"

#include <stdlib.h>

#include "base/clock.h"
#include "server/counters.h"

struct drg_unmatched {
	int64_t keep;
	struct drg_counters *counters;
};

void drg_unmatched_report(struct drg_unmatched *d, const struct drg_air_report *r)
{
	const int64_t now = drg_wall_us();
	const struct drg_counted once = { .number = r->adapter,
		                          .text = { r->external_id, r->iata_code, r->title, r->lang },
		                          .count = 1,
		                          .first_us = now,
		                          .last_us = now };
	drg_counters_add(d->counters, &once);
}

/* Store reports; they are sorted by adapter, so each adapter is trimmed once. */
static int unmatched_store(void *unmatched, struct drg_txn *t, const struct drg_counted *const *things,
                           size_t n, struct drg_err *reterr)
{
	const struct drg_unmatched *d = unmatched;
	int rc = DRG_OK;
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		const struct drg_counted *c = things[i];
		const struct drg_air_report r = { c->number,  c->text[0], c->text[1],  c->text[2],
			                          c->text[3], c->count,   c->first_us, c->last_us };
		rc = drg_txn_air_report(t, &r, reterr);
		if (rc == DRG_OK && (i + 1 == n || things[i + 1]->number != c->number))
			rc = drg_txn_air_reports_trim(t, c->number, d->keep, reterr);
	}
	return rc;
}

int drg_unmatched_start(const struct drg_unmatched_options *o, struct drg_unmatched **ret,
                        struct drg_err *reterr)
{
	struct drg_unmatched *d = calloc(1, sizeof *d);
	if (d == NULL)
		return drg_fail_memory(reterr);
	d->keep = o->keep > 0 ? o->keep : 100000;
	struct drg_counters_options c = {
		.writer = o->writer,
		.flush_ms = o->flush_ms > 0 ? o->flush_ms : 1000,
		.stripes = 1,
		.max_pending = o->max_pending > 0 ? o->max_pending : 16384,
		.max_bytes = o->max_bytes > 0 ? o->max_bytes : (size_t)16 << 20,
		.what = "reports of avia/compared",
		.ctx = d,
		.store = unmatched_store,
	};
	c.wake_at = c.max_pending / 2;
	int rc = drg_counters_start(&c, &d->counters, reterr);
	if (rc == DRG_OK)
		*ret = d;
	else
		free(d);
	return rc;
}

void drg_unmatched_stop(struct drg_unmatched *d)
{
	if (d == NULL)
		return;
	drg_counters_stop(d->counters);
	free(d);
}
