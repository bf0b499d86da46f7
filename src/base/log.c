#include "base/log.h"

#include <assert.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"

enum { TEXT_MAX = 1200 };

static _Atomic int max_level = DRG_LOG_INFO, line_format = DRG_LOG_TEXT;

void drg_log_set_level(enum drg_log_level level)
{
	atomic_store(&max_level, (int)level);
}

/* Is standard error the journal's socket (systemd.exec(5))? */
static bool goes_to_journal(void)
{
	unsigned long long device, inode;
	struct stat st;
	const char *stream = getenv("JOURNAL_STREAM");
	return stream != NULL && sscanf(stream, "%llu:%llu", &device, &inode) == 2 &&
	       fstat(STDERR_FILENO, &st) == 0 && st.st_dev == device && st.st_ino == inode;
}

void drg_log_set_format(enum drg_log_format format)
{
	if (format == DRG_LOG_AUTO)
		format = goes_to_journal()       ? DRG_LOG_JOURNAL
		         : isatty(STDERR_FILENO) ? DRG_LOG_TEXT
		                                 : DRG_LOG_JSON;
	atomic_store(&line_format, (int)format);
}

void drg_log_start(void)
{
	if (goes_to_journal())
		atomic_store(&line_format, DRG_LOG_JOURNAL);
}

bool drg_log_is_text(void)
{
	return atomic_load(&line_format) == DRG_LOG_TEXT;
}

/* Escape a text for a JSON string; its control characters are replaced already. */
static size_t escape_json(char *to, const char *text, size_t n)
{
	size_t at = 0;
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '"' || text[i] == '\\')
			to[at++] = '\\';
		to[at++] = text[i];
	}
	return at;
}

static size_t write_line(char *line, size_t room, enum drg_log_level level, const char *text, size_t n)
{
	static const char *const names[] = { "error", "warning", "info", "debug" };
	static const int priorities[] = { 3, 4, 6, 7 }; /* priorities of syslog(3) */
	char when[DRG_WALL_TEXT];
	size_t at;
	drg_wall_text(drg_wall_us(), when);
	switch (atomic_load(&line_format)) {
	case DRG_LOG_JSON:
		assert(room > 2 * n + DRG_WALL_TEXT + 64); /* each character may need an escape */
		at = (size_t)snprintf(line, room, "{\"time\":\"%s\",\"level\":\"%s\",\"message\":\"", when,
		                      names[level]);
		at += escape_json(line + at, text, n);
		memcpy(line + at, "\"}", 2);
		return at + 2;
	case DRG_LOG_JOURNAL: at = (size_t)snprintf(line, room, "<%d>", priorities[level]); break;
	default: at = (size_t)snprintf(line, room, "%s %s: ", when, names[level]); break;
	}
	memcpy(line + at, text, n);
	return at + n;
}

void drg_log(enum drg_log_level level, const char *fmt, ...)
{
	assert((int)level >= DRG_LOG_ERROR && (int)level <= DRG_LOG_DEBUG);
	char text[TEXT_MAX], line[2 * TEXT_MAX + 128];
	va_list ap;
	if ((int)level > atomic_load(&max_level))
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	size_t n = write_line(line, sizeof line, level, text, drg_str_sanitize(text, strlen(text)));
	assert(n < sizeof line);
	line[n++] = '\n';
	/* Write the line at once, so that lines of two threads or processes do not mix. A failure is ignored:
	 * there is no other place to report it. */
	ssize_t done = write(STDERR_FILENO, line, n);
	(void)done;
}
