/* src/base/outage.h
 * An outage is logged once when it begins and once when it is over, however often what fails is tried meanwhile. */
#pragma once
#include <stdbool.h>
#include "base/compiler.h"

/** Set to zero at the start. One thread's, or under a lock. */
struct drg_outage {
	bool lasts;
};

/** It failed: an error in the log, unless the outage is known. */
void drg_outage_begin(struct drg_outage *o, const char *fmt, ...) DRG_PRINTF(2, 3);
/** It went well: if an outage lasted, @p text says in the log that it is over. */
void drg_outage_end(struct drg_outage *o, const char *text);
