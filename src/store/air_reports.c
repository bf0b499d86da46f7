#include "store/air_reports.h"

static const struct drg_air_report_ops *ops_of(const struct drg_store *s)
{
	return ((const struct drg_store_head *)s)->ops->air_reports;
}

static const struct drg_air_report_ops *txn_ops_of(const struct drg_txn *t)
{
	return ((const struct drg_store_head *)t)->ops->air_reports;
}

int drg_txn_air_report(struct drg_txn *t, const struct drg_air_report *r, struct drg_err *reterr)
{
	return txn_ops_of(t)->add(t, r, reterr);
}

int drg_txn_air_reports_trim(struct drg_txn *t, int64_t adapter, int64_t keep, struct drg_err *reterr)
{
	return txn_ops_of(t)->trim(t, adapter, keep, reterr);
}

int drg_txn_air_reports_forget(struct drg_txn *t, int64_t adapter, struct drg_str external_id, int64_t *ret_n,
                               struct drg_err *reterr)
{
	return txn_ops_of(t)->forget(t, adapter, external_id, ret_n, reterr);
}

int drg_store_air_reports(struct drg_store *s, int64_t adapter, drg_air_report_fn *fn, void *ctx,
                          struct drg_err *reterr)
{
	return ops_of(s)->each(s, adapter, fn, ctx, reterr);
}
