/* src/matching/desk/filter.h
 * Which open cases: the filter that the queue has as a command, as a page and as a file. */
#pragma once
#include "matching/desk/order.h"

struct drg_queue_filter {
	int64_t adapter; /**< 0: all */
	enum drg_kind kind; /**< DRG_KIND_NONE: all */
	int64_t country, city; /**< dict ids; INT64_MIN: all */
	int reason; /**< enum drg_match_reason; -1: all */
	int64_t since_us; /**< came or changed then or later; INT64_MIN: all */
	float above; /**< the first suggestion is right with this probability or more; 0: all */
	int suggested; /**< 1: has a suggestion; 0: has none; -1: all */
	struct drg_str assigned; /**< who should look; empty: anyone */
	struct drg_str who; /**< asks */
	int later; /**< 1: the caller has put it off; 0: has not; -1: all */
	const struct drg_open_case *like; /**< adapter, kind, id: of its group; NULL: all */
};

/** All cases. */
#define DRG_QUEUE_FILTER_ALL                                                                                 \
	{                                                                                                    \
		.kind = DRG_KIND_NONE, .country = INT64_MIN, .city = INT64_MIN, .reason = -1,                \
		.since_us = INT64_MIN, .suggested = -1, .later = -1                                          \
	}

/** A filter as it looks at cases; of adapter, kind, country and reason a caller may keep an index. */
struct drg_queue_sieve {
	bool nothing; /**< no case can pass */
	bool looks; /**< it wants more than adapter, kind, country and reason */
	int64_t min_version, city;
	float above;
	int suggested;
	uint64_t group; /**< 0: all */
	uint32_t assigned; /**< 0: all */
	uint32_t who; /**< 0: puts nothing off */
	int later;
	int64_t now_us;
};

/** Read when commits were made, which a filter with since_us wants: one a second for a month. @return DRG_OK,
 * DRG_ENOMEM, errors of the store. */
DRG_MUSTCHECK
int drg_queue_moments_read(struct drg_store *s, struct drg_queue_order *q, struct drg_err *reterr);

/** @param group  that of `like`; 0: all. */
struct drg_queue_sieve drg_queue_sieve(const struct drg_queue_order *q, const struct drg_queue_filter *f,
                                       uint64_t group);
/** Does a case pass what the sieve looks at? */
bool drg_queue_passes(const struct drg_queue_order *q, const struct drg_queue_sieve *s,
                      const struct drg_open_case *c);
