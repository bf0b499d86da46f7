#include "http/access_log.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/outage.h"
#include "base/worker.h"
#include "text/json.h"
#include "text/utf8.h"

enum {
	WAKE_BYTES = 32 * 1024, /* the writer does not wait for its second when so much is there */
	CEILING_BYTES = 1024 * 1024, /* and when so much waits for a slow disk, lines are dropped */
	LONGEST_TEXT = 2048,
};

struct drg_access_log {
	char *path; /* NULL: standard output */
	int fd; /* the writer's */

	struct drg_worker writer; /* its lock is for what follows */
	struct drg_buf filling;
	int64_t second; /* the one that `day` is the text of */
	char day[DRG_WALL_TEXT];
	uint64_t dropped;
	bool reopen;

	struct drg_buf writing; /* the writer's */
	struct drg_outage outage;
};

static int access_log_open_file(const char *path)
{
	return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
}

/* ---- the writer's side ---- */

static void access_log_write_out(struct drg_access_log *l)
{
	for (size_t done = 0; done < l->writing.n;) {
		ssize_t n = write(l->fd, l->writing.p + done, l->writing.n - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			drg_outage_begin(&l->outage, DRG_EIO, DRG_LOG_ERROR,
			                 "cannot write the access log: %s", strerror(errno));
			break;
		}
		drg_outage_end(&l->outage, "the access log can be written again");
		done += (size_t)n;
	}
	drg_buf_clear(&l->writing);
}

static void open_again(struct drg_access_log *l)
{
	if (l->path == NULL)
		return;
	int fd = access_log_open_file(l->path);
	if (fd < 0) {
		drg_log(DRG_LOG_ERROR, "cannot open the access log %s again: %s", l->path, strerror(errno));
		return;
	}
	close(l->fd);
	l->fd = fd;
}

static void swap_buffers(struct drg_access_log *l)
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
	return drg_clock_ns() + INT64_C(1000000000);
}

/* A step: each second, when there is much to write, to open the file again, and at the end. */
static int64_t access_log_step(void *log)
{
	struct drg_access_log *l = log;
	bool reopen = l->reopen;
	l->reopen = false;
	swap_buffers(l);
	pthread_mutex_unlock(&l->writer.lock);
	access_log_write_out(l);
	if (reopen)
		open_again(l);
	pthread_mutex_lock(&l->writer.lock);
	return in_a_second();
}

/* ---- open and close ---- */

static void free_log(struct drg_access_log *l)
{
	drg_worker_done(&l->writer);
	if (l->path != NULL && l->fd >= 0)
		close(l->fd);
	free(l->path);
	drg_buf_done(&l->filling);
	drg_buf_done(&l->writing);
	free(l);
}

static void init_log(struct drg_access_log *l)
{
	drg_worker_init(&l->writer);
	drg_buf_init(&l->filling, CEILING_BYTES);
	drg_buf_init(&l->writing, CEILING_BYTES);
	l->second = -1;
	l->fd = STDOUT_FILENO;
}

int drg_access_log_open(const char *path, struct drg_access_log **ret, struct drg_err *reterr)
{
	struct drg_access_log *l = calloc(1, sizeof *l);
	if (l == NULL)
		return drg_fail_memory(reterr);
	init_log(l);
	int rc = DRG_OK;
	if (strcmp(path, "-") != 0) {
		l->path = strdup(path);
		l->fd = access_log_open_file(path);
		if (l->path == NULL)
			rc = drg_fail_memory(reterr);
		else if (l->fd < 0)
			rc = drg_fail(reterr, drg_rc_from_errno(errno), NULL, NULL,
			              "cannot open the access log %s: %s", path, strerror(errno));
	}
	if (rc == DRG_OK)
		rc = drg_worker_start(&l->writer, access_log_step, l, in_a_second(), reterr);
	if (rc != DRG_OK) {
		free_log(l);
		return rc;
	}
	*ret = l;
	return DRG_OK;
}

void drg_access_log_close(struct drg_access_log *l)
{
	if (l != NULL)
		free_log(l);
}

void drg_access_log_reopen(struct drg_access_log *l)
{
	pthread_mutex_lock(&l->writer.lock);
	l->reopen = true;
	drg_worker_wake(&l->writer);
	pthread_mutex_unlock(&l->writer.lock);
}

/* ---- a line ---- */

/** Text of a client as a JSON string; bytes that are not UTF-8 would make the line no JSON. */
static void add_text(struct drg_buf *b, struct drg_str s)
{
	if (s.n > LONGEST_TEXT)
		s.n = LONGEST_TEXT;
	size_t bad;
	drg_buf_char(b, '"');
	while (!drg_utf8_valid(s, &bad)) {
		drg_json_escape(b, drg_str(s.p, bad));
		drg_buf_char(b, '?');
		s = drg_str(s.p + bad + 1, s.n - bad - 1);
	}
	drg_json_escape(b, s);
	drg_buf_char(b, '"');
}

/** All of a line but its time. */
static void access_log_add_line(struct drg_buf *b, const struct drg_access_line *line)
{
	drg_buf_lit(b, "\",\"request_id\":");
	add_text(b, line->request_id);
	drg_buf_lit(b, ",\"remote\":\"");
	drg_buf_str(b, drg_str_c(line->remote));
	drg_buf_lit(b, "\",\"method\":");
	add_text(b, drg_str_c(line->method));
	drg_buf_lit(b, ",\"path\":");
	add_text(b, line->path);
	drg_buf_lit(b, ",\"route\":");
	if (line->route != NULL)
		add_text(b, drg_str_c(line->route));
	else
		drg_buf_lit(b, "null");
	drg_buf_lit(b, ",\"status\":");
	drg_buf_i64(b, line->status);
	drg_buf_lit(b, ",\"bytes\":");
	drg_buf_i64(b, (int64_t)line->bytes);
	drg_buf_lit(b, ",\"us\":");
	drg_buf_i64(b, line->us);
	if (line->key_id != 0) {
		drg_buf_lit(b, ",\"key\":");
		drg_buf_i64(b, line->key_id);
	}
	if (line->cut)
		drg_buf_lit(b, ",\"cut\":true");
	drg_buf_lit(b, "}\n");
}

/** Under the lock: the time, of which only the milliseconds are new in each line of a second. */
static void add_time(struct drg_access_log *l)
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
}

void drg_access_log_write(struct drg_access_log *l, const struct drg_access_line *line,
                          struct drg_buf *scratch)
{
	drg_buf_clear(scratch);
	access_log_add_line(scratch, line);
	pthread_mutex_lock(&l->writer.lock);
	size_t before = l->filling.n;
	add_time(l);
	drg_buf_str(&l->filling, drg_buf_view(scratch));
	if (l->filling.rc != DRG_OK || scratch->rc != DRG_OK) {
		l->filling.n = before;
		l->filling.rc = DRG_OK;
		l->dropped++;
	}
	if (l->filling.n >= WAKE_BYTES)
		drg_worker_wake(&l->writer);
	pthread_mutex_unlock(&l->writer.lock);
}
