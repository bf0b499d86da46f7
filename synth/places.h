/* synth/places.h
 * The small base inside the program: real countries, resorts, departure cities and lists, for `dragoman-synth`
 * without a base file. Names in English, Ukrainian and Russian. */
#pragma once
#include "base/buf.h"

/** Append its lines in the interchange format. Errors are the buffer's. */
void drg_synth_places(struct drg_buf *out);
