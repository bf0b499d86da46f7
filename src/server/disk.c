#include "server/disk.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/statvfs.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/worker.h"

enum {
	DISK_LOOK_MS = 5000,
	/* the state ends when free space is above the bound by this much, so that not every file that comes
	 * and goes is logged */
	CALM_PERCENT = 1
};

struct drg_disk {
	struct drg_disk_options o;
	struct drg_worker worker;
	_Atomic int state; /* enum drg_disk_state; -1: not known */
	_Atomic int64_t looked_ns; /* when the look began that found it */
};

static const char *const words[] = { "ok", "low", "nearly_full" };

/* @param before  A bad state ends a little above its bound. */
static enum drg_disk_state state_of(const struct drg_disk_options *o, double free_percent, int before)
{
	const double calm = before > DRG_DISK_OK ? CALM_PERCENT : 0;
	if (o->full_percent > 0 &&
	    free_percent < o->full_percent + (before == DRG_DISK_NEARLY_FULL ? calm : 0))
		return DRG_DISK_NEARLY_FULL;
	return o->low_percent > 0 && free_percent < o->low_percent + calm ? DRG_DISK_LOW : DRG_DISK_OK;
}

static void tell(enum drg_disk_state is, int was, double percent, double free_bytes)
{
	if (is == DRG_DISK_NEARLY_FULL)
		drg_log(DRG_LOG_WARN,
		        "the disk of the store is nearly full: %.1f %%, %.0f MB are free; make room, or no "
		        "write will be "
		        "stored soon",
		        percent, free_bytes / 1e6);
	else if (is == DRG_DISK_LOW)
		drg_log(DRG_LOG_WARN, "the disk of the store fills up: %.1f %%, %.0f MB are free; make room",
		        percent, free_bytes / 1e6);
	else if (was > DRG_DISK_OK)
		drg_log(DRG_LOG_INFO, "the disk of the store has room again: %.1f %% are free", percent);
}

/* While the store is away the state is unknown; other messages tell of that. */
static void disk_check(struct drg_disk *d)
{
	struct statvfs v;
	int was = atomic_load(&d->state);
	const int64_t began_ns = drg_clock_ns();
	if (statvfs(d->o.path, &v) != 0 || v.f_blocks == 0)
		return;
	double percent = 100.0 * (double)v.f_bavail / (double)v.f_blocks;
	enum drg_disk_state is = state_of(&d->o, percent, was);
	atomic_store(&d->state, (int)is);
	atomic_store(&d->looked_ns, began_ns);
	if ((int)is == was)
		return;
	tell(is, was, percent, (double)v.f_bavail * (double)v.f_frsize);
}

static int64_t disk_step(void *disk)
{
	struct drg_disk *d = disk;
	if (d->worker.stopping)
		return DRG_WHEN_WOKEN;
	pthread_mutex_unlock(&d->worker.lock);
	disk_check(d);
	pthread_mutex_lock(&d->worker.lock);
	return drg_clock_ns() + DISK_LOOK_MS * INT64_C(1000000);
}

const char *drg_disk_word(const struct drg_disk *d, int64_t full_ns)
{
	const bool stale = d != NULL && full_ns > atomic_load(&d->looked_ns);
	int state = d != NULL ? atomic_load(&d->state) : -1;
	return state < 0 ? NULL : words[stale ? DRG_DISK_NEARLY_FULL : state];
}

int drg_disk_start(const struct drg_disk_options *o, struct drg_disk **ret, struct drg_err *reterr)
{
	assert(o->path != NULL);
	struct drg_disk *d = calloc(1, sizeof *d);
	if (d == NULL)
		return drg_fail_memory(reterr);
	d->o = *o;
	atomic_init(&d->state, -1);
	atomic_init(&d->looked_ns, 0);
	disk_check(d);
	drg_worker_init(&d->worker);
	d->worker.background = true;
	int rc = drg_worker_start(&d->worker, disk_step, d, drg_clock_ns() + DISK_LOOK_MS * INT64_C(1000000),
	                          reterr);
	if (rc == DRG_OK)
		*ret = d;
	else
		drg_disk_stop(d);
	return rc;
}

void drg_disk_stop(struct drg_disk *d)
{
	if (d == NULL)
		return;
	drg_worker_done(&d->worker);
	free(d);
}
