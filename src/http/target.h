/* src/http/target.h
 * The target of a request line, cut into path segments and a query. Only a literal slash separates: "%2F" is
 * part of a segment; "//", "." and ".." give ordinary segments, which no endpoint has. */
#pragma once
#include "base/arena.h"
#include "base/err.h"

enum { DRG_TARGET_SEGMENTS = 16 };

struct drg_target {
	struct drg_str path; /**< as sent, without the query */
	struct drg_str decoded; /**< the path, decoded */
	struct drg_str query; /**< as sent, without the question mark */
	struct drg_str segments[DRG_TARGET_SEGMENTS]; /**< decoded; n_segments of them are set */
	/** Endpoints are found by these: a rule of a proxy for "/v1/access" must not be passed by with
	 * "/v1/%61ccess". */
	struct drg_str as_sent[DRG_TARGET_SEGMENTS];
	size_t n_segments; /**< DRG_TARGET_SEGMENTS + 1: more than any endpoint has */
};

/**
 * @param raw    The request target: "/path?query", "http://host/path?query" or "*", of visible characters
 *               (rules.h). Borrowed by @p ret.
 * @param ret    Unless DRG_OK, of no meaning, except n_segments as it was before.
 * @return DRG_OK; DRG_EINVAL: not such a target, or drg_percent_decode() refused a part of it; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_target_parse(struct drg_str raw, struct drg_arena *arena, struct drg_target *ret,
                     struct drg_err *reterr);
