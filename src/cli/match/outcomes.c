#include "cli/match/outcomes.h"

#include <stdio.h>

void drg_outcomes_print(const char *kind, const uint64_t n[static DRG_MATCH_OUTCOMES], uint64_t mapped,
                        uint64_t decided)
{
	printf("%-14s %9" PRIu64 " automatic %9" PRIu64 " ask %9" PRIu64 " none %9" PRIu64 " mapped before",
	       kind, n[DRG_MATCH_AUTOMATIC], n[DRG_MATCH_ASK], n[DRG_MATCH_NONE], mapped);
	if (decided > 0)
		printf(", %" PRIu64 " left as people decided", decided);
}

void drg_outcomes_print_reasons(const uint64_t reasons[static DRG_WHY_COUNT])
{
	for (unsigned r = 1; r < DRG_WHY_COUNT; r++)
		if (reasons[r] > 0)
			printf("  %9" PRIu64 " %s: %s\n", reasons[r],
			       drg_reason_name((enum drg_match_reason)r),
			       drg_reason_words((enum drg_match_reason)r));
}

void drg_outcomes_print_end(uint64_t written, int64_t batch, bool dry_run)
{
	if (dry_run)
		puts("nothing was written");
	else if (written == 0)
		puts("nothing new");
	else
		printf("%" PRIu64 " mapped; undo with 'dragoman batch undo %" PRId64 "'\n", written, batch);
}
