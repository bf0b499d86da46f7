/* src/console/nearest.h
 * "Did you mean ...?": the known name that is nearest to a misspelt one. */
#pragma once

struct drg_nearest {
	const char *wanted; /**< what was typed */
	const char *best; /**< NULL while nothing is near enough */
	unsigned distance; /**< of best */
};

/** Offer one known name; the first of several equally near ones stays. Near is: at most a third of its letters
 * (and at least one) inserted, left out, replaced or swapped with a neighbour, or it begins with what was
 * typed. */
void drg_nearest_offer(struct drg_nearest *n, const char *name);
