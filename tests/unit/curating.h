/* tests/unit/curating.h
 * A store with the small fixture in it, and a handle of it for decisions: set_up() and tear_down() of the
 * group. */
#pragma once
#include "importing.h"
#include "decide/decision.h"

static struct importing data;
static struct drg_store *s;

static inline int set_up(void **state)
{
	(void)state;
	importing_mini(&data);
	return drg_store_open(data.store_url, DRG_STORE_WRITE, &s, NULL) == DRG_OK ? 0 : -1;
}

static inline int tear_down(void **state)
{
	(void)state;
	drg_store_close(s);
	importing_end(&data);
	return 0;
}

static inline int64_t clock_now(void)
{
	struct drg_clock c;
	assert_int_equal(drg_store_clock(s, &c, NULL), DRG_OK);
	return c.seq;
}

/** As a command does it. @return why it was refused, or DRG_OK. */
static inline int decide(struct drg_decision *d, struct drg_err *reterr)
{
	struct drg_decisions all = { .v = d, .n = 1 };
	int rc = drg_txn_run(s, drg_decisions_run_batch, &all, reterr);
	if (rc == DRG_OK && d->is.rc != DRG_OK && reterr != NULL)
		*reterr = d->is.err;
	return rc == DRG_OK ? d->is.rc : rc;
}
