/* src/load/seen.h
 * The ids that came before: 32 bytes each, as hashes, with a word beside each for the caller's notes. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/str.h"

struct drg_seen {
	struct drg_seen_slot {
		uint64_t hash, /**< 0: free */
		        note;
	} * slots;
	size_t n, cap;
};

/** A zero-initialised struct is empty; free it with this. */
void drg_seen_done(struct drg_seen *s);
enum drg_seen_result { DRG_SEEN_NEW, DRG_SEEN_BEFORE, DRG_SEEN_NO_MEMORY };
enum drg_seen_result drg_seen_add(struct drg_seen *s, unsigned kind, struct drg_str id);
/** The word beside an id that was added, 0 at first. Valid until the next id is added. */
uint64_t *drg_seen_note(const struct drg_seen *s, unsigned kind, struct drg_str id);
bool drg_seen_has(const struct drg_seen *s, unsigned kind, struct drg_str id);
