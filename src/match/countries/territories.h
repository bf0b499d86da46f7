/* src/match/countries/territories.h
 * Territories that some lists write as the state they belong to: Hong Kong as China, Puerto Rico as the
 * United States. */
#pragma once
#include "base/str.h"

/** @param alpha_2  ISO 3166-1, in capitals. @return the state of the territory; an empty text: it is none of
 * these territories. */
struct drg_str drg_territory_state(struct drg_str alpha_2);
/** The territories of a state, with spaces between them; an empty text: the state has none of these. */
struct drg_str drg_territories_of(struct drg_str alpha_2);
