#include "base/outage.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/log.h"

void drg_outage_begin(struct drg_outage *o, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	if (o->lasts)
		return;
	o->lasts = true;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	drg_log(DRG_LOG_ERROR, "%s", text);
}

void drg_outage_end(struct drg_outage *o, const char *text)
{
	if (o->lasts)
		drg_log(DRG_LOG_INFO, "%s", text);
	o->lasts = false;
}
