/* src/workbench/evidence.h
 * What speaks for a candidate and against it, comparison by comparison (docs/matching.md). */
#pragma once
#include "text/json.h"
#include "decide/suggest.h"

/**
 * Members `outcome` and `evidence` of a candidate.
 * @param card   The scorecard in use; NULL: none that this program can read.
 * @param s      What the matcher said of it; NULL: nothing.
 * @param first  What it said of the whole record, if this is the best candidate: an enum
 *               drg_match_outcome; else -1.
 */
void drg_curate_evidence(struct drg_jw *w, const struct drg_scorecard *card, const struct drg_suggested *s,
                         int first);
