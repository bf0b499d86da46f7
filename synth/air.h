/* synth/air.h
 * The two suppliers of flights: what they know of the air places of the base, each in its own shape. */
#pragma once
#include "synth/supplier.h"

enum { DRG_SYNTH_AIR_ADAPTERS = 2 };

/** Write adapters @p first_id and following, and their air_source lines. Nothing when the base has no air
 * places. */
DRG_MUSTCHECK
int drg_synth_air_write(const struct drg_synth_world *w, unsigned first_index, struct drg_arena *a,
                        struct drg_synth_out *o, struct drg_err *reterr);
