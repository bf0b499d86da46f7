/* src/load/seen.h
 * Ids that came already: 16 bytes each, as their hashes. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/str.h"

struct drg_seen {
	uint64_t *slots; /**< 0: free */
	size_t n, cap;
};

/** Zero-initialise; free with this. */
void drg_seen_done(struct drg_seen *s);
enum drg_seen_result { DRG_SEEN_NEW, DRG_SEEN_BEFORE, DRG_SEEN_NO_MEMORY };
enum drg_seen_result drg_seen_add(struct drg_seen *s, unsigned kind, struct drg_str id);
bool drg_seen_has(const struct drg_seen *s, unsigned kind, struct drg_str id);
