#include "reconcile/names.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "catalog/rcu.h"
#include "store/lend.h"

struct drg_recon {
	char *url;
	struct drg_keeper *keeper;

	struct drg_recon_index *_Atomic index;

	/* the thread's own */
	struct drg_store *s; /* NULL: not open */
	struct drg_clock seen; /* the last commit that was looked at */
	bool behind; /* names have changed since the index was made */
};

const struct drg_recon_index *drg_recon_index(const struct drg_recon *c)
{
	return atomic_load_explicit(&c->index, memory_order_acquire);
}

struct drg_keeper *drg_recon_keeper(const struct drg_recon *c)
{
	return c->keeper;
}

/* Show an index. The previous one is freed when the last reader has left it. */
static void names_show(struct drg_recon *c, struct drg_recon_index *x)
{
	struct drg_recon_index *before = atomic_exchange(&c->index, x);
	drg_read_synchronize();
	drg_recon_index_free(before);
}

static int names_met(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)ctx, (void)r, (void)m;
	return DRG_ESTOPPED;
}

/* Has a record with names changed since? Most commits are of suppliers. */
static int recon_names_compare(struct drg_recon *c, const struct drg_clock *clock, struct drg_err *err)
{
	struct drg_feed_place place = { .seq = c->seen.seq, .type = DRG_FEED_END };
	struct drg_clock now;
	bool other = strcmp(clock->epoch, c->seen.epoch) != 0 || clock->seq < c->seen.seq;
	c->behind |= other;
	if (c->behind || (clock->seq == c->seen.seq && clock->branch == c->seen.branch))
		return DRG_OK;
	int rc = drg_store_feed_from(c->s, 1U << DRG_TYPE_DICT | 1U << DRG_TYPE_AIR_PLACE, &place, names_met,
	                             NULL, &now, err);
	c->behind |= rc == DRG_ESTOPPED;
	if (rc == DRG_OK)
		c->seen = now;
	return rc == DRG_ESTOPPED ? DRG_OK : rc;
}

static int names_look(void *ctx, bool *ret_due, struct drg_err *err)
{
	struct drg_recon *c = ctx;
	struct drg_clock clock;
	int rc = drg_store_keep_open(c->url, &c->s, err);
	if (rc == DRG_OK)
		rc = drg_store_clock(c->s, &clock, err);
	if (rc == DRG_OK)
		rc = recon_names_compare(c, &clock, err);
	if (rc == DRG_OK)
		drg_store_return(&c->s);
	*ret_due = c->behind;
	return rc;
}

static int names_make(void *ctx, const atomic_bool *leave, struct drg_err *err)
{
	struct drg_recon *c = ctx;
	struct drg_recon_index *x;
	struct drg_clock made;
	int64_t began = drg_clock_ns();
	int rc = drg_store_keep_open(c->url, &c->s, err);
	if (rc == DRG_OK)
		rc = drg_recon_index_make(c->s, leave, &x, &made, err);
	if (rc != DRG_OK)
		return rc;
	drg_store_return(&c->s);
	c->seen = made;
	c->behind = false;
	drg_log(DRG_LOG_DEBUG, "the names for reconciliation: %zu records, %zu MiB, made in %lld ms",
	        x->names.n_records, x->bytes >> 20, (long long)((drg_clock_ns() - began) / 1000000));
	names_show(c, x);
	return DRG_OK;
}

static void names_close(void *ctx)
{
	struct drg_recon *c = ctx;
	drg_store_close(c->s);
	c->s = NULL;
}

static void names_give_back(void *ctx)
{
	struct drg_recon *c = ctx;
	if (drg_recon_index(c) != NULL)
		names_show(c, NULL);
}

int drg_recon_start(const char *store_url, struct drg_recon **ret, struct drg_err *reterr)
{
	struct drg_recon *c = calloc(1, sizeof *c);
	if (c == NULL)
		return drg_fail_memory(reterr);
	const struct drg_keeper_options o = { .look = names_look,
		                              .make = names_make,
		                              .close = names_close,
		                              .give_back = names_give_back,
		                              .ctx = c,
		                              .what = "the names for reconciliation" };
	c->url = strdup(store_url);
	int rc = c->url != NULL ? drg_keeper_start(&o, &c->keeper, reterr) : drg_fail_memory(reterr);
	if (rc == DRG_OK)
		*ret = c;
	else
		drg_recon_stop(c);
	return rc;
}

void drg_recon_drain(struct drg_recon *c)
{
	if (c != NULL)
		drg_keeper_drain(c->keeper);
}

void drg_recon_stop(struct drg_recon *c)
{
	if (c == NULL)
		return;
	drg_keeper_stop(c->keeper);
	drg_recon_index_free(atomic_load(&c->index));
	free(c->url);
	free(c);
}
