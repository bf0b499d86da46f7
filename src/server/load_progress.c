#include "server/load_progress.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/log.h"
#include "store/coverage.h"

enum { EACH_ROWS = 4096 };
static const int64_t EACH_NS = 5 * DRG_SECOND_NS;

static int progress_add(void *ctx, const struct drg_coverage *c)
{
	struct drg_load_progress *p = ctx;
	p->total += c->records > 0 ? (uint64_t)c->records : 0;
	return DRG_OK;
}

void drg_load_progress_begin(struct drg_load_progress *p, struct drg_store *s)
{
	p->began_ns = drg_clock_ns();
	p->next_ns = p->began_ns + EACH_NS;
	p->total = 0;
	if (drg_store_coverage(s, INT64_MAX, progress_add, p, NULL) != DRG_OK)
		p->total = 0; /* the progress is then logged without a total */
}

void drg_load_progress_row(struct drg_load_progress *p, uint64_t rows)
{
	if (rows % EACH_ROWS != 0)
		return;
	const int64_t now_ns = drg_clock_ns(), seconds = (now_ns - p->began_ns) / DRG_SECOND_NS;
	if (now_ns < p->next_ns)
		return;
	p->next_ns = now_ns + EACH_NS;
	if (p->total > rows)
		drg_log(DRG_LOG_INFO,
		        "loading the data: %" PRIu64 " of about %" PRIu64 " records, %" PRIu64
		        " %%, after %" PRId64 " s",
		        rows, p->total, rows * 100 / p->total, seconds);
	else
		drg_log(DRG_LOG_INFO, "loading the data: %" PRIu64 " records, after %" PRId64 " s", rows,
		        seconds);
}
