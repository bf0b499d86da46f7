/* src/base/outage.h
 * An outage is logged once when it begins and once when it ends, however often the failing work is tried
 * meanwhile. */
#pragma once
#include "base/log.h"

/** Zero at the start. From any thread. */
struct drg_outage {
	_Atomic int cause; /**< enum drg_rc; DRG_OK: there is none */
};

/** The work failed: log a line, unless an outage of this cause lasts already. @param cause  Not DRG_OK. */
void drg_outage_begin(struct drg_outage *o, int cause, enum drg_log_level level, const char *fmt, ...)
        DRG_PRINTF(4, 5);
/** The work succeeded: if an outage lasted, log @p text, which says that it is over. */
void drg_outage_end(struct drg_outage *o, const char *text);
