/* synth/content.h
 * What a supplier tells of a hotel: times, rooms, descriptions, facilities, photos. */
#pragma once
#include "synth/supplier.h"

/** Write the hotel_content of supplier hotel @p id. */
void drg_synth_content_write(const struct drg_synth_world *w, const struct drg_synth_supplier *s,
                             const struct drg_synth_hotel *h, struct drg_str id, struct drg_rng *r,
                             struct drg_synth_out *o);
