/* src/base/outage.h
 * An outage is logged once when it begins and once when it is over, however often what fails is tried
 * meanwhile. */
#pragma once
#include "base/log.h"

/** Zero at the start. From any thread. */
struct drg_outage {
	_Atomic int cause; /**< enum drg_rc; DRG_OK: there is none */
};

/** It failed: a line in the log, unless an outage of this cause lasts. @param cause  Not DRG_OK. */
void drg_outage_begin(struct drg_outage *o, int cause, enum drg_log_level level, const char *fmt, ...)
        DRG_PRINTF(4, 5);
/** It went well: if an outage lasted, @p text says in the log that it is over. */
void drg_outage_end(struct drg_outage *o, const char *text);
