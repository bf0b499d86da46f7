/* Figures that only the store knows: counted by a thread of its own, every half minute at most and while
 * somebody asks. */
#include "api/metrics/figures.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/keeper.h"
#include "catalog/rcu.h"
#include "store/air_reports.h"
#include "store/coverage.h"
#include "store/lend.h"

enum { LOOK_MS = 5000 };
#define DUE_US (30 * INT64_C(1000000))

struct drg_figures_keeper {
	char *url;
	struct drg_keeper *keeper;
	struct drg_figures *_Atomic now; /* NULL: not read */
	struct drg_store *s; /* the thread's own; NULL: not open */
};

static void figures_free(struct drg_figures *f)
{
	if (f == NULL)
		return;
	drg_buf_done(&f->suppliers);
	drg_buf_done(&f->air);
	free(f);
}

static int add_coverage(void *ctx, const struct drg_coverage *c)
{
	struct drg_figures *f = ctx;
	const struct drg_supplier_figures row = { c->adapter, c->kind, c->records, c->mapped, 0 };
	drg_buf_add(&f->suppliers, &row, sizeof row);
	return f->suppliers.rc;
}

static int add_open(void *ctx, const struct drg_open_count *c)
{
	struct drg_figures *f = ctx;
	struct drg_supplier_figures *v = (struct drg_supplier_figures *)(void *)f->suppliers.p;
	for (size_t i = 0; i < f->suppliers.n / sizeof *v; i++)
		if (v[i].adapter == c->adapter && v[i].kind == c->kind)
			v[i].open = c->n;
	return DRG_OK;
}

static int add_air(void *ctx, const struct drg_air_report *r)
{
	struct drg_figures *f = ctx;
	struct drg_open_count *v = (struct drg_open_count *)(void *)f->air.p;
	for (size_t i = 0; i < f->air.n / sizeof *v; i++)
		if (v[i].adapter == r->adapter) {
			v[i].n++;
			return DRG_OK;
		}
	const struct drg_open_count row = { r->adapter, DRG_KIND_NONE, 1 };
	drg_buf_add(&f->air, &row, sizeof row);
	return f->air.rc;
}

static int figures_look(void *ctx, bool *ret_due, struct drg_err *err)
{
	const struct drg_figures_keeper *k = ctx;
	(void)err;
	*ret_due = drg_clock_ns() / 1000 - atomic_load(&k->now)->read_us >= DUE_US;
	return DRG_OK;
}

static int figures_read(struct drg_figures_keeper *k, struct drg_figures *f, struct drg_err *err)
{
	int rc = drg_store_keep_open(k->url, &k->s, err);
	if (rc == DRG_OK)
		rc = drg_store_coverage(k->s, INT64_MAX, add_coverage, f, err);
	if (rc == DRG_OK)
		rc = drg_store_open_counts(k->s, add_open, f, err);
	if (rc == DRG_OK)
		rc = drg_store_air_reports(k->s, 0, add_air, f, err);
	return rc == DRG_OK ? drg_store_bytes(k->s, &f->store_bytes, err) : rc;
}

static int figures_make(void *ctx, const atomic_bool *leave, struct drg_err *err)
{
	struct drg_figures_keeper *k = ctx;
	struct drg_figures *f = calloc(1, sizeof *f);
	if (f == NULL)
		return drg_fail_memory(err);
	drg_buf_init(&f->suppliers, SIZE_MAX);
	drg_buf_init(&f->air, SIZE_MAX);
	f->read_us = drg_clock_ns() / 1000;
	int rc = figures_read(k, f, err);
	drg_store_return(&k->s);
	if (rc == DRG_OK && atomic_load(leave))
		rc = DRG_ESTOPPED;
	if (rc != DRG_OK) {
		figures_free(f);
		return rc;
	}
	struct drg_figures *before = atomic_exchange(&k->now, f);
	drg_read_synchronize();
	figures_free(before);
	return DRG_OK;
}

static void figures_close(void *ctx)
{
	struct drg_figures_keeper *k = ctx;
	drg_store_close(k->s);
	k->s = NULL;
}

bool drg_figures_request(struct drg_figures_keeper *k)
{
	return drg_keeper_request(k->keeper);
}

const struct drg_figures *drg_figures_now(const struct drg_figures_keeper *k)
{
	return atomic_load(&k->now);
}

int drg_figures_start(const char *store_url, struct drg_figures_keeper **ret, struct drg_err *reterr)
{
	struct drg_figures_keeper *k = calloc(1, sizeof *k);
	if (k == NULL)
		return drg_fail_memory(reterr);
	const struct drg_keeper_options keeper = { .look = figures_look,
		                                   .make = figures_make,
		                                   .close = figures_close,
		                                   .ctx = k,
		                                   .what = "the figures of the store for the metrics",
		                                   .look_ms = LOOK_MS };
	k->url = strdup(store_url);
	int rc = k->url != NULL ? drg_keeper_start(&keeper, &k->keeper, reterr) : drg_fail_memory(reterr);
	if (rc == DRG_OK)
		*ret = k;
	else
		drg_figures_stop(k);
	return rc;
}

void drg_figures_stop(struct drg_figures_keeper *k)
{
	if (k == NULL)
		return;
	drg_keeper_stop(k->keeper);
	figures_free(atomic_load(&k->now));
	free(k->url);
	free(k);
}
