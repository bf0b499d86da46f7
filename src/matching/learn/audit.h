/* src/matching/learn/audit.h
 * Measures how good the automatic mappings are: a random sample is drawn, people judge it (decide/verb.h),
 * and the judgements give the precision (decision M39). */
#pragma once
#include "matching/automap.h"
#include "store/reports.h"

/* ---- the sample ---------------------------------------------------------------------------------------- */

struct drg_audit_item {
	struct drg_record source, dict; /**< whole records */
	struct drg_str explanation; /**< of the mapping */
};
/** Borrowed for the call. */
typedef int drg_audit_fn(void *ctx, const struct drg_audit_item *item);

struct drg_audit_draw {
	int64_t adapter; /**< 0: all */
	enum drg_kind kind; /**< DRG_KIND_NONE: all */
	size_t size; /**< how many to draw; at least 1 */
	uint64_t seed; /**< another seed draws other mappings */
	uint64_t among; /**< result: mappings by the matcher that still exist and nobody has judged */
};
/**
 * Draw a sample. Every mapping that the matcher has made, that still exists, and that nobody has judged has
 * the same chance.
 * @return DRG_OK; DRG_ENOMEM; what @p fn returned; errors of the store.
 */
DRG_MUSTCHECK
int drg_audit_draw(struct drg_store *s, struct drg_audit_draw *d, drg_audit_fn *fn, void *ctx,
                   struct drg_err *reterr);

/* ---- what the judgements tell -------------------------------------------------------------------------- */

enum { DRG_AUDIT_LEAST = 500 }; /**< a bound is computed only from this many judged hotels on */

struct drg_precision {
	int64_t adapter; /**< 0: all */
	enum drg_kind kind; /**< DRG_KIND_NONE: all */
	int64_t since_us; /**< only judgements since then; INT64_MIN: all */

	/* The result, by kind. */
	struct drg_judged {
		uint64_t judged, right;
	} kinds[DRG_KIND_COUNT];
};
/** A row for each kind with judgements, and one for all. Of the judgements of a source the last counts. */
extern const struct drg_report drg_precision_report;
/** @p asked: struct drg_precision, which then has the result. */
drg_report_query drg_precision_query;

/** The interval in which a share lies with 95 %: Wilson's. @param n  0: from 0 to 1. */
void drg_wilson(uint64_t right, uint64_t n, double *ret_low, double *ret_high);

/** The bound for automatic that follows from the judgements of hotels. */
struct drg_bound {
	struct drg_scorecard card; /**< the one in use */
	double wanted; /**< precision */
	void (*progress)(void *ctx, const char *step, uint64_t done, uint64_t total); /**< may be NULL */
	void *ctx;

	/* The result. */
	/** judged hotels that the scorecard in use would map in the same way, if they have enough bits */
	uint64_t counted;
	/** the lowest bound, not below the one in use, at which the wanted share is right */
	double automatic;
	uint64_t above, right; /**< hotels with at least these bits: all, and the right ones */
};
/**
 * Compute the bound. It never gets lower, since no mapping below the bound in use was drawn.
 * @return DRG_OK; DRG_EINVAL: fewer than DRG_AUDIT_LEAST count, or no bound reaches the wanted share;
 *         DRG_ENOMEM; errors of the store.
 */
DRG_MUSTCHECK
int drg_audit_bound(struct drg_store *s, const struct drg_precision *which, struct drg_bound *b,
                    struct drg_err *reterr);
