#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"

static _Atomic int max_level = DRG_LOG_INFO;

void drg_log_set_level(enum drg_log_level level)
{
	atomic_store(&max_level, (int)level);
}

void drg_log(enum drg_log_level level, const char *fmt, ...)
{
	static const char *const names[] = { "error", "warning", "info", "debug" };
	if ((int)level > atomic_load(&max_level))
		return;
	char line[1200], when[DRG_WALL_TEXT];
	drg_wall_text(drg_wall_us(), when);
	int head = snprintf(line, sizeof line, "%s %s: ", when, names[level]);
	size_t n = head > 0 ? (size_t)head : 0;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(line + n, sizeof line - n - 1, fmt, ap);
	va_end(ap);
	n += drg_str_tame(line + n, strlen(line + n));
	line[n++] = '\n';
	/* One write, so that lines of two threads or processes do not mix; nothing helps if it fails. */
	ssize_t done = write(STDERR_FILENO, line, n);
	(void)done;
}
