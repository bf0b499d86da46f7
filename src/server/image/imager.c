#include "server/image/imager.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/outage.h"
#include "base/worker.h"

enum {
	IMAGE_LOOK_MS = 1000, /* how often to check whether a snapshot is due */
	IMAGE_WAIT_MS = 20, /* how often to check whether the forked process has ended */
	FIRST_MS = 3000, /* no snapshot before this time after the start */
	/* with more rows than this between two looks the data change too fast: many pages would be copied */
	FAST_ROWS = 1000,
	SHARE = 20, /* at a stop a snapshot is written if one in so many records has changed, */
};
static const size_t QUICK_BYTES = (size_t)256 << 20; /* or if it has fewer bytes than this */

/* The result of the forked process, in shared memory. */
struct outcome {
	int rc;
	struct drg_err err;
};

struct drg_imager {
	struct drg_imager_options o;
	char *path;
	struct drg_worker worker;

	/* for the thread */
	struct outcome *outcome;
	struct drg_clock written; /* clock of the last snapshot; epoch "": none */
	uint64_t written_rows, seen_rows; /* drg_follower_rows() at the last snapshot; at the last look */
	int64_t next_ns; /* no snapshot before this time */
	pid_t child; /* 0: none */
	struct drg_newfile writing;
	struct drg_clock writing_clock;
	uint64_t writing_rows;
	int64_t began_ns;
	struct drg_outage outage;
};

static bool same_commit(const struct drg_clock *a, const struct drg_clock *b)
{
	return a->seq == b->seq && a->branch == b->branch && strcmp(a->epoch, b->epoch) == 0;
}

/* The clock of the last snapshot. The one that the server started from counts, so it is not written again. */
static const struct drg_clock *last_written(struct drg_imager *i)
{
	if (i->written.epoch[0] == '\0')
		drg_follower_started_from(i->o.follower, &i->written);
	return &i->written;
}

static void log_image_failure(struct drg_imager *i, int rc, const struct drg_err *err)
{
	drg_outage_begin(&i->outage, rc, DRG_LOG_WARN, "no snapshot is written: %s; trying on", err->message);
}

/* ---- the end of a snapshot ------------------------------------------------------------------------------- */

static void imager_finish(struct drg_imager *i, int rc, struct drg_err *err)
{
	int64_t now_ns = drg_clock_ns();
	off_t bytes = rc == DRG_OK ? lseek(i->writing.fd, 0, SEEK_END) : 0;
	int end = drg_newfile_end(&i->writing, rc == DRG_OK, rc == DRG_OK ? err : NULL);
	rc = rc == DRG_OK ? end : rc;
	i->next_ns = now_ns + i->o.interval_s * DRG_SECOND_NS;
	if (rc != DRG_OK) {
		log_image_failure(i, rc, err);
		return;
	}
	i->written = i->writing_clock;
	i->written_rows = i->writing_rows;
	drg_outage_end(&i->outage, "snapshots are written again");
	drg_log(DRG_LOG_INFO, "snapshot of version %lld written: %lld MiB in %.2f s",
	        (long long)i->written.seq, (long long)bytes >> 20, (double)(now_ns - i->began_ns) / 1e9);
}

/* Wait for the forked process. @return true: it has ended. */
static bool reap(struct drg_imager *i, bool wait)
{
	int status = 0;
	pid_t got = waitpid(i->child, &status, wait ? 0 : WNOHANG);
	if (got == 0 || (got < 0 && errno == EINTR))
		return false;
	struct outcome o = *i->outcome;
	if (got < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
		o.rc = drg_fail(&o.err, DRG_EIO, NULL, NULL,
		                "the copy of the process that writes it was ended");
	i->child = 0;
	imager_finish(i, o.rc, &o.err);
	return true;
}

/* ---- the start of a snapshot ----------------------------------------------------------------------------- */

/* Runs in the forked process. It has one thread and takes no lock that another thread may have held; glibc
 * makes malloc() usable. */
_Noreturn static void write_in_copy(const struct drg_imager *i, const struct drg_catalog *c,
                                    const struct drg_image_of *of, pid_t parent)
{
	unsigned fd = (unsigned)i->writing.fd;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	setpriority(PRIO_PROCESS, 0, 19);
	if (fd > 3)
		close_range(3, fd - 1, 0);
	close_range(fd + 1, ~0U, 0);
	i->outcome->rc = drg_image_write(&i->writing, c, of, INT64_MAX, &i->outcome->err);
	_exit(0);
}

/* Fork the process. The follower is held for as long as the kernel copies the page tables. */
static int copy_process(struct drg_imager *i, struct drg_image_of *of, struct drg_err *err)
{
	pid_t parent = getpid(), child = 0;
	drg_follower_hold(i->o.follower);
	drg_read_lock();
	const struct drg_catalog *cat = drg_follower_catalog(i->o.follower);
	bool whole = drg_follower_image_of(i->o.follower, of) == DRG_OK && cat != NULL &&
	             drg_catalog_seq(cat) == of->clock.seq;
	if (whole)
		child = fork();
	if (whole && child == 0)
		write_in_copy(i, cat, of, parent);
	drg_read_unlock();
	drg_follower_release(i->o.follower);
	if (!whole)
		return drg_fail(err, DRG_EBUSY, NULL, NULL, "the data are being loaded");
	if (child < 0)
		return drg_fail(err, DRG_ENOMEM, NULL, NULL, "the process cannot be copied: %s",
		                strerror(errno));
	i->child = child;
	return DRG_OK;
}

/* The approximate size of the image. */
static size_t image_bytes(const struct drg_imager *i)
{
	struct drg_catalog_stats st = { .sources = 0 };
	drg_read_lock();
	const struct drg_catalog *c = drg_follower_catalog(i->o.follower);
	if (c != NULL)
		drg_catalog_stats(c, &st);
	drg_read_unlock();
	return st.heap_used + st.table_bytes;
}

/* The data are still being loaded. Nothing is wrong: the next look tries again. */
static void imager_put_off(struct drg_imager *i)
{
	i->next_ns = drg_clock_ns();
	drg_newfile_drop(&i->writing);
}

static void imager_begin(struct drg_imager *i)
{
	struct drg_image_of of = { .branches.v = NULL };
	struct drg_err err = { 0 };
	i->began_ns = drg_clock_ns();
	i->next_ns = i->began_ns + i->o.interval_s * DRG_SECOND_NS;
	int rc = drg_image_begin(i->path, image_bytes(i), &i->writing, &err);
	if (rc == DRG_EBUSY)
		return; /* another server of this store writes it */
	if (rc != DRG_OK) {
		log_image_failure(i, rc, &err);
		return;
	}
	memset(i->outcome, 0, sizeof *i->outcome);
	i->writing_rows = drg_follower_rows(i->o.follower);
	rc = copy_process(i, &of, &err);
	i->writing_clock = of.clock;
	free(of.branches.v);
	if (rc == DRG_EBUSY)
		imager_put_off(i);
	else if (rc != DRG_OK)
		imager_finish(i, rc, &err);
}

static bool is_due(struct drg_imager *i)
{
	struct drg_follower_position now;
	uint64_t rows = drg_follower_rows(i->o.follower);
	bool slow = rows - i->seen_rows < FAST_ROWS;
	i->seen_rows = rows;
	drg_follower_read_position(i->o.follower, &now);
	if (drg_follower_aside(i->o.follower) > 0)
		return false; /* a snapshot does not have the quarantined records */
	return slow && now.clock.epoch[0] != '\0' && drg_clock_ns() >= i->next_ns &&
	       !same_commit(&now.clock, last_written(i));
}

/* A step of the thread, every second until it is stopped. */
static int64_t imager_step(void *imager)
{
	struct drg_imager *i = imager;
	if (i->worker.stopping)
		return DRG_WHEN_WOKEN;
	pthread_mutex_unlock(&i->worker.lock);
	if (i->child != 0)
		reap(i, false);
	else if (is_due(i))
		imager_begin(i);
	int64_t pause_ms = i->child != 0 ? IMAGE_WAIT_MS : IMAGE_LOOK_MS;
	pthread_mutex_lock(&i->worker.lock);
	return drg_clock_ns() + pause_ms * 1000000;
}

/* ---- the last snapshot, at a stop ------------------------------------------------------------------------ */

static bool is_worth_it(struct drg_imager *i, const struct drg_catalog *c, const struct drg_clock *now)
{
	struct drg_catalog_stats st;
	drg_catalog_stats(c, &st);
	uint64_t changed = drg_follower_rows(i->o.follower) - i->written_rows;
	if (same_commit(now, last_written(i)) || drg_follower_aside(i->o.follower) > 0)
		return false;
	return i->written.epoch[0] == '\0' || st.heap_used < QUICK_BYTES ||
	       changed > (st.sources + st.dicts) / SHARE;
}

static void write_last(struct drg_imager *i, int64_t until_ns)
{
	const struct drg_catalog *c = drg_follower_catalog(i->o.follower);
	struct drg_image_of of = { .branches.v = NULL };
	struct drg_err err = { 0 };
	i->began_ns = drg_clock_ns();
	if (c == NULL || drg_follower_image_of(i->o.follower, &of) != DRG_OK)
		return;
	if (drg_catalog_seq(c) == of.clock.seq && is_worth_it(i, c, &of.clock) &&
	    drg_image_begin(i->path, image_bytes(i), &i->writing, &err) == DRG_OK) {
		i->writing_clock = of.clock;
		int rc = drg_image_write(&i->writing, c, &of, until_ns, &err);
		imager_finish(i, rc, &err);
	}
	free(of.branches.v);
}

/* ---- start and stop -------------------------------------------------------------------------------------- */

static void imager_free(struct drg_imager *i)
{
	drg_worker_done(&i->worker);
	if (i->outcome != NULL)
		munmap(i->outcome, sizeof *i->outcome);
	free(i->path);
	free(i);
}

int drg_imager_start(const struct drg_imager_options *o, struct drg_imager **ret, struct drg_err *reterr)
{
	struct drg_imager *i = calloc(1, sizeof *i);
	if (i == NULL)
		return drg_fail_memory(reterr);
	i->o = *o;
	i->path = strdup(o->path);
	i->writing.fd = -1;
	i->next_ns = drg_clock_ns() + FIRST_MS * INT64_C(1000000);
	void *shared =
	        mmap(NULL, sizeof *i->outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	i->outcome = shared != MAP_FAILED ? shared : NULL;
	drg_worker_init(&i->worker);
	i->worker.background = true;
	int rc = i->path != NULL && i->outcome != NULL ? DRG_OK : drg_fail_memory(reterr);
	if (rc == DRG_OK)
		rc = drg_worker_start(&i->worker, imager_step, i, DRG_AT_ONCE, reterr);
	if (rc == DRG_OK)
		*ret = i;
	else
		imager_free(i);
	return rc;
}

void drg_imager_stop(struct drg_imager *i)
{
	if (i == NULL)
		return;
	drg_worker_stop(&i->worker);
	if (i->child == 0)
		return;
	kill(i->child, SIGKILL);
	while (waitpid(i->child, NULL, 0) < 0 && errno == EINTR)
		;
	i->child = 0;
	drg_newfile_drop(&i->writing);
}

void drg_imager_end(struct drg_imager *i, int64_t until_ns)
{
	if (i == NULL)
		return;
	write_last(i, until_ns);
	imager_free(i);
}
