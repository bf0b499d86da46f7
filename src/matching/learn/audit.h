/* src/matching/learn/audit.h
 * How good is what the matcher does by itself? A sample is drawn at random, people judge it (decide/verb.h),
 * and the judgements tell (decision M39). */
#pragma once
#include "matching/automap.h"

/* ---- the sample ---------------------------------------------------------------------------------------- */

struct drg_audit_item {
	struct drg_record source, dict; /**< whole */
	struct drg_str explanation; /**< of the mapping */
};
/** Borrowed for the call. */
typedef int drg_audit_fn(void *ctx, const struct drg_audit_item *item);

struct drg_audit_draw {
	int64_t adapter; /**< 0: all */
	enum drg_kind kind; /**< DRG_KIND_NONE: all */
	size_t size; /**< how many are wanted; at least 1 */
	uint64_t seed; /**< another one draws others */
	uint64_t among; /**< result: mappings by the matcher which stand and nobody has judged */
};
/**
 * Each mapping that the matcher has made, that stands, and that nobody has judged is as likely as any other.
 * @return DRG_OK; DRG_ENOMEM; what @p fn returned; errors of the store.
 */
DRG_MUSTCHECK
int drg_audit_draw(struct drg_store *s, struct drg_audit_draw *d, drg_audit_fn *fn, void *ctx,
                   struct drg_err *reterr);

/* ---- what they tell ------------------------------------------------------------------------------------ */

enum { DRG_AUDIT_LEAST = 500 }; /**< judged hotels from which on a bound follows */

struct drg_precision {
	int64_t adapter; /**< 0: all */
	enum drg_kind kind; /**< DRG_KIND_NONE: all */
	int64_t since_us; /**< judged then or later; INT64_MIN: whenever */

	/* The result, by kind. */
	struct drg_judged {
		uint64_t judged, right;
	} kinds[DRG_KIND_SOURCE_COUNT];
};
/** Count the judgements; of a source the last. */
DRG_MUSTCHECK
int drg_audit_precision(struct drg_store *s, struct drg_precision *p, struct drg_err *reterr);

/** The interval in which a share lies with 95 %: Wilson's. @param n  0: from 0 to 1. */
void drg_wilson(uint64_t right, uint64_t n, double *ret_low, double *ret_high);

/** Which bound for automatic the judgements of hotels speak for. */
struct drg_bound {
	struct drg_scorecard card; /**< the one in use */
	double wanted; /**< precision */
	void (*progress)(void *ctx, const char *step, uint64_t done, uint64_t total); /**< may be NULL */
	void *ctx;

	/* The result. */
	/** judged ones that the scorecard in use would map likewise, if they have bits enough */
	uint64_t counted;
	/** the lowest bound, not below that in use, from which on the share wanted is right */
	double automatic;
	uint64_t above, right; /**< of those with as many bits: all, and those that are right */
};
/**
 * Below the bound in use nothing was drawn, so it never falls.
 * @return DRG_OK; DRG_EINVAL: fewer than DRG_AUDIT_LEAST count, or at no bound so many are right; DRG_ENOMEM;
 *         errors of the store.
 */
DRG_MUSTCHECK
int drg_audit_bound(struct drg_store *s, const struct drg_precision *which, struct drg_bound *b,
                    struct drg_err *reterr);
