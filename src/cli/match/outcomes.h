/* src/cli/match/outcomes.h
 * What a run of the matcher tells when it ends. */
#pragma once
#include <inttypes.h>
#include <stdbool.h>

#include "match/outcome.h"

/** The beginning of a kind's line: how many have each outcome. The caller ends the line. */
void drg_outcomes_print(const char *kind, const uint64_t n[static DRG_MATCH_OUTCOMES], uint64_t mapped,
                        uint64_t decided);
/** A line for each reason that stands, with what it means. */
void drg_outcomes_print_reasons(const uint64_t reasons[static DRG_WHY_COUNT]);
/** The last line: what was written, and how to undo it. */
void drg_outcomes_print_end(uint64_t written, int64_t batch, bool dry_run);
