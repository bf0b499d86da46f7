/* src/console/progress.h
 * How far a long command is, on standard error: on a terminal a bar with rate and time left, redrawn at most
 * ten times a second; otherwise a plain line every five seconds. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum drg_progress_unit {
	DRG_PROGRESS_RECORDS,
	DRG_PROGRESS_BYTES,
	DRG_PROGRESS_STEPS /**< parts of the work; shown without a rate */
};

struct drg_progress {
	bool terminal;
	bool drawn; /**< a bar stands in the current line */
	const char *step; /**< what the figures are of; another step resets the rate */
	int64_t step_began; /**< drg_clock_ns() */
	int64_t last; /**< when something was shown last */
};

void drg_progress_init(struct drg_progress *p);

/**
 * Cheap enough to be called often.
 * @param step   What is being done ("checking"); the text outlives @p p.
 * @param total  0: not known; then there is a rate and no bar.
 */
void drg_progress_show(struct drg_progress *p, const char *step, uint64_t done, uint64_t total,
                       enum drg_progress_unit unit);

/** Show the progress of records, as a callback. @param progress  struct drg_progress */
void drg_progress_records(void *progress, const char *step, uint64_t done, uint64_t total);

/** Wipe the bar, so that other lines can be written; the next drg_progress_show() draws it again. */
void drg_progress_clear(struct drg_progress *p);
