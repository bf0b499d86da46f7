/* synth/hotels.h
 * The hotels of the reference, and those of a supplier. */
#pragma once
#include "synth/lists.h"

/** Told after each hotel; false ends the loop. */
typedef bool drg_synth_tick_fn(void *ctx);

/** Write the dict hotels 0..n-1. */
void drg_synth_hotels_write(const struct drg_synth_world *w, uint64_t n, struct drg_synth_out *o,
                            drg_synth_tick_fn *tick, void *ctx);

/** Write what a supplier has of the hotels 0..n-1, and those that only it has. */
void drg_synth_sources_write(const struct drg_synth_world *w, const struct drg_synth_supplier *s,
                             const struct drg_synth_lists *l, const struct drg_synth_options *opt,
                             struct drg_synth_out *o, drg_synth_tick_fn *tick, void *ctx);
