/* src/store/air_reports.h
 * Names and codes that avia/compared could not match, for people who map (decisions A5, A8). Reports are not
 * records: they have no seq and are in no scan, feed, export or count.
 *
 * A report whose external id is mapped to a place (air_map) is settled: it is neither stored nor listed any
 * more. */
#pragma once
#include "store/store.h"

struct drg_air_report {
	/* The identity. Texts are as they were sent; empty: not sent. */
	int64_t adapter;
	struct drg_str external_id, iata_code, title, lang;

	int64_t count; /**< how often */
	int64_t first_us, last_us; /**< wall clock */
};

/** The report is borrowed for the call. A return other than DRG_OK ends the reading and is passed on. */
typedef int drg_air_report_fn(void *ctx, const struct drg_air_report *r);

/** Store a report, or add its count and times to the stored one. */
DRG_MUSTCHECK
int drg_txn_air_report(struct drg_txn *t, const struct drg_air_report *r, struct drg_err *reterr);
/** Keep the @p keep reports of an adapter that were seen last, and forget the others. */
DRG_MUSTCHECK
int drg_txn_air_reports_trim(struct drg_txn *t, int64_t adapter, int64_t keep, struct drg_err *reterr);
/** Forget the reports of an external id. @param ret_n  How many were forgotten. */
DRG_MUSTCHECK
int drg_txn_air_reports_forget(struct drg_txn *t, int64_t adapter, struct drg_str external_id, int64_t *ret_n,
                               struct drg_err *reterr);

/** Read the reports of one adapter, or of all (0): the most frequent first, of these the one seen last. */
DRG_MUSTCHECK
int drg_store_air_reports(struct drg_store *s, int64_t adapter, drg_air_report_fn *fn, void *ctx,
                          struct drg_err *reterr);
