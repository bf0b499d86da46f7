#include "console/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

enum { BAR_WIDTH = 30 };

void drg_progress_init(struct drg_progress *p)
{
	*p = (struct drg_progress){ .terminal = isatty(STDERR_FILENO) == 1 };
}

static void rate_text(double per_second, enum drg_progress_unit unit, char *buf, size_t n)
{
	if (unit == DRG_PROGRESS_BYTES)
		snprintf(buf, n, " %.1f MB/s", per_second / 1e6);
	else if (unit == DRG_PROGRESS_RECORDS)
		snprintf(buf, n, " %.0f records/s", per_second);
}

static void left_text(double seconds, char *buf, size_t n)
{
	uint64_t s = seconds < 1e9 ? (uint64_t)seconds : 0;
	if (s >= 3600)
		snprintf(buf, n, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64 " left", s / 3600, s / 60 % 60,
		         s % 60);
	else
		snprintf(buf, n, "%" PRIu64 ":%02" PRIu64 " left", s / 60, s % 60);
}

static void draw_bar(unsigned percent)
{
	unsigned full = percent * BAR_WIDTH / 100;
	fputs(" [", stderr);
	for (unsigned i = 0; i < BAR_WIDTH; i++)
		fputc(i < full ? '#' : '.', stderr);
	fputc(']', stderr);
}

void drg_progress_show(struct drg_progress *p, const char *step, uint64_t done, uint64_t total,
                       enum drg_progress_unit unit)
{
	int64_t now = drg_clock_ns();
	if (p->step == NULL || strcmp(p->step, step) != 0) {
		p->step = step;
		p->step_began = now;
		p->last = p->terminal ? 0 : now;
	}
	if (now - p->last < (p->terminal ? DRG_SECOND_NS / 10 : 5 * DRG_SECOND_NS))
		return;
	p->last = now;

	double passed = (double)(now - p->step_began) / (double)DRG_SECOND_NS;
	double rate = passed > 0 ? (double)done / passed : 0;
	char rate_buf[48] = "", left[48] = "";
	rate_text(rate, unit, rate_buf, sizeof rate_buf);
	fprintf(stderr, "%s%s", p->terminal ? "\r\033[K" : "dragoman: ", step);
	if (total > 0) {
		unsigned percent = done < total ? (unsigned)((double)done * 100 / (double)total) : 100;
		if (p->terminal)
			draw_bar(percent);
		if (rate > 0)
			left_text(done < total ? (double)(total - done) / rate : 0, left, sizeof left);
		fprintf(stderr, " %u %%%s, %s", percent, rate_buf, left);
	} else {
		fprintf(stderr, "%s", rate_buf);
	}
	if (!p->terminal)
		fputc('\n', stderr);
	fflush(stderr);
	p->drawn = p->terminal;
}

void drg_progress_records(void *progress, const char *step, uint64_t done, uint64_t total)
{
	drg_progress_show(progress, step, done, total, DRG_PROGRESS_RECORDS);
}

void drg_progress_clear(struct drg_progress *p)
{
	if (p->drawn) {
		fputs("\r\033[K", stderr);
		fflush(stderr);
	}
	p->drawn = false;
	if (p->terminal)
		p->last = 0;
}
