#include "base/outage.h"

#include <assert.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/err.h"

void drg_outage_begin(struct drg_outage *o, int cause, enum drg_log_level level, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	assert(cause != DRG_OK);
	if (atomic_exchange(&o->cause, cause) == cause)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	drg_log(level, "%s", text);
}

void drg_outage_end(struct drg_outage *o, const char *text)
{
	if (atomic_exchange(&o->cause, DRG_OK) != DRG_OK)
		drg_log(DRG_LOG_INFO, "%s", text);
}
