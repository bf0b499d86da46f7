/* Who matches new records, and how far: by the database's clock, which goes ahead with that of a test. */
#include "store/matching.h"

#include "base/clock.h"
#include "store/postgres/postgres_priv.h"

static int pg_matching_read(struct drg_store *s, struct drg_matching *ret, int64_t *ret_left_us,
                            struct drg_err *reterr)
{
	struct pg_params p = { 0 };
	PGresult *res;
	drg_pg_param_i(&p, drg_clock_ahead_us());
	int rc = drg_pg_run(s, PG_MATCHING, &p, &res, reterr);
	if (rc != DRG_OK)
		return rc;
	if (PQntuples(res) == 1) {
		*ret_left_us = drg_pg_i(res, 0, 1);
		*ret = (struct drg_matching){ .holder = drg_pg_i(res, 0, 0),
			                      .place = { .seq = drg_pg_i(res, 0, 2),
			                                 .type = (unsigned)drg_pg_i(res, 0, 3),
			                                 .row = drg_pg_i(res, 0, 4) } };
	} else {
		rc = drg_fail(reterr, DRG_ECORRUPT, NULL, NULL,
		              "the store %s has lost its row of dragoman.matching", s->place);
	}
	PQclear(res);
	return rc;
}

static int pg_matching_write(struct drg_txn *t, const struct drg_matching *m, int64_t lease_us,
                             struct drg_err *reterr)
{
	struct drg_store *s = t->head.store;
	struct pg_params p = { 0 };
	drg_pg_param_i(&p, m->holder);
	drg_pg_param_i(&p, drg_clock_ahead_us() + lease_us);
	drg_pg_param_i(&p, m->place.seq);
	drg_pg_param_i(&p, m->place.type);
	drg_pg_param_i(&p, m->place.row);
	return drg_pg_queue(s, drg_pg_once(s, PG_MATCHING_SET), &p, reterr);
}

const struct drg_matching_ops drg_pg_matching_ops = { pg_matching_read, pg_matching_write };
