#include "base/log_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/outage.h"
#include "base/worker.h"

enum {
	WAKE_BYTES = 256 * 1024, /* the writer is woken when this much is in the buffer */
	CEILING_BYTES = 1024 * 1024, /* lines are dropped when this much waits for a slow disk */
};

struct drg_log_file {
	const char *what; /* for messages */
	char *path; /* NULL: standard output */
	int fd; /* used by the writer's thread alone */

	struct drg_worker writer; /* its lock protects the members that follow */
	struct drg_buf filling;
	int64_t second; /* the second that `day` shows */
	char day[DRG_WALL_TEXT];
	uint64_t dropped;
	bool reopen;

	struct drg_buf writing; /* used by the writer's thread alone */
	struct drg_outage outage;
};

/* ---- the writer's side ---- */

static void log_file_write_out(struct drg_log_file *l)
{
	for (size_t done = 0; done < l->writing.n;) {
		ssize_t n = write(l->fd, l->writing.p + done, l->writing.n - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			drg_outage_begin(&l->outage, DRG_EIO, DRG_LOG_ERROR, "cannot write %s: %s", l->what,
			                 strerror(errno));
			break;
		}
		drg_outage_end(&l->outage, "the log file can be written again");
		done += (size_t)n;
	}
	drg_buf_clear(&l->writing);
}

static void open_again(struct drg_log_file *l)
{
	if (l->path == NULL)
		return;
	int fd = open(l->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
	if (fd < 0) {
		drg_log(DRG_LOG_ERROR, "cannot open %s %s again: %s", l->what, l->path, strerror(errno));
		return;
	}
	close(l->fd);
	l->fd = fd;
}

static void swap_buffers(struct drg_log_file *l)
{
	assert(l->writing.n == 0);
	struct drg_buf full = l->filling;
	l->filling = l->writing;
	l->writing = full;
	if (l->dropped > 0)
		drg_buf_printf(&l->filling, "{\"dropped_lines\":%llu}\n", (unsigned long long)l->dropped);
	l->dropped = 0;
}

static int64_t in_a_second(void)
{
	return drg_clock_ns() + DRG_SECOND_NS;
}

/* A step of the writer: each second, when there is much to write, to open the file again, and at the end. */
static int64_t log_file_step(void *log)
{
	struct drg_log_file *l = log;
	bool reopen = l->reopen;
	l->reopen = false;
	swap_buffers(l);
	pthread_mutex_unlock(&l->writer.lock);
	log_file_write_out(l);
	if (reopen)
		open_again(l);
	pthread_mutex_lock(&l->writer.lock);
	return in_a_second();
}

/* ---- open and close ---- */

static void free_log(struct drg_log_file *l)
{
	drg_worker_done(&l->writer);
	if (l->path != NULL && l->fd >= 0)
		close(l->fd);
	free(l->path);
	drg_buf_done(&l->filling);
	drg_buf_done(&l->writing);
	free(l);
}

static void init_log(struct drg_log_file *l, const char *what)
{
	l->what = what;
	drg_worker_init(&l->writer);
	drg_buf_init(&l->filling, CEILING_BYTES);
	drg_buf_init(&l->writing, CEILING_BYTES);
	l->second = -1;
	l->fd = STDOUT_FILENO;
}

int drg_log_file_open(const char *path, const char *what, struct drg_log_file **ret, struct drg_err *reterr)
{
	struct drg_log_file *l = calloc(1, sizeof *l);
	if (l == NULL)
		return drg_fail_memory(reterr);
	init_log(l, what);
	int rc = DRG_OK;
	if (strcmp(path, "-") != 0) {
		l->path = strdup(path);
		l->fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
		if (l->path == NULL)
			rc = drg_fail_memory(reterr);
		else if (l->fd < 0)
			rc = drg_fail(reterr, drg_rc_from_errno(errno), NULL, NULL, "cannot open %s %s: %s",
			              what, path, strerror(errno));
	}
	if (rc == DRG_OK)
		rc = drg_worker_start(&l->writer, log_file_step, l, in_a_second(), reterr);
	if (rc != DRG_OK) {
		free_log(l);
		return rc;
	}
	*ret = l;
	return DRG_OK;
}

void drg_log_file_close(struct drg_log_file *l)
{
	if (l != NULL)
		free_log(l);
}

void drg_log_file_reopen(struct drg_log_file *l)
{
	pthread_mutex_lock(&l->writer.lock);
	l->reopen = true;
	drg_worker_wake(&l->writer);
	pthread_mutex_unlock(&l->writer.lock);
}

/* ---- a line ---- */

/** Add the time. Only its milliseconds are new in each line of a second. Called under the lock. */
static void add_time(struct drg_log_file *l)
{
	enum { SECONDS_END = 20, MILLIS_END = 24 };
	int64_t us = drg_wall_us();
	if (us / 1000000 != l->second) {
		l->second = us / 1000000;
		drg_wall_text(us, l->day);
	}
	static_assert(MILLIS_END < sizeof l->day, "the milliseconds stand in the text of a time");
	int millis = (int)(us / 1000 % 1000);
	l->day[SECONDS_END] = (char)('0' + millis / 100);
	l->day[SECONDS_END + 1] = (char)('0' + millis / 10 % 10);
	l->day[SECONDS_END + 2] = (char)('0' + millis % 10);
	drg_buf_lit(&l->filling, "{\"time\":\"");
	drg_buf_add(&l->filling, l->day, MILLIS_END);
	drg_buf_lit(&l->filling, "\",");
}

void drg_log_file_add(struct drg_log_file *l, const struct drg_buf *members)
{
	pthread_mutex_lock(&l->writer.lock);
	size_t before = l->filling.n;
	assert(l->filling.rc == DRG_OK); /* a line that did not fit has left no error */
	add_time(l);
	drg_buf_str(&l->filling, drg_buf_view(members));
	drg_buf_lit(&l->filling, "}\n");
	if (l->filling.rc != DRG_OK || members->rc != DRG_OK) {
		l->filling.n = before;
		l->filling.rc = DRG_OK;
		l->dropped++;
	}
	if (l->filling.n >= WAKE_BYTES)
		drg_worker_wake(&l->writer);
	pthread_mutex_unlock(&l->writer.lock);
}
