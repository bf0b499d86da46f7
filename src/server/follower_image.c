/* The start from a snapshot, and the follower's answers to the thread that writes snapshots. */
#include "server/follower_priv.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "server/image/file.h"

int drg_follower_image_of(struct drg_follower *f, struct drg_image_of *ret)
{
	pthread_mutex_lock(&f->worker.lock);
	unsigned n = f->branches.n;
	*ret = (struct drg_image_of){ .clock = f->followed.clock, .branches.n = n };
	ret->branches.v = malloc((n + 1) * sizeof *ret->branches.v);
	if (n > 0 && ret->branches.v != NULL)
		memcpy(ret->branches.v, f->branches.v, n * sizeof *ret->branches.v);
	pthread_mutex_unlock(&f->worker.lock);
	ret->current_us = atomic_load(&f->current_us);
	return ret->branches.v == NULL ? DRG_ENOMEM : ret->clock.epoch[0] == '\0' ? DRG_ENOENT : DRG_OK;
}

void drg_follower_started_from(struct drg_follower *f, struct drg_clock *ret)
{
	pthread_mutex_lock(&f->worker.lock);
	if (f->image_clock.epoch[0] != '\0')
		*ret = f->image_clock;
	pthread_mutex_unlock(&f->worker.lock);
}

/* Is the snapshot of the store's history? If the store does not answer, the snapshot is used. */
static bool image_fits_store(struct drg_follower *f)
{
	struct drg_clock clock;
	bool same = true;
	struct drg_err none;
	if (f->store == NULL || drg_store_clock(f->store, &clock, &none) != DRG_OK ||
	    drg_follower_find_history(f, &clock, &same, &none) != DRG_OK)
		return true;
	return same;
}

static int follower_load_image(struct drg_follower *f, struct drg_image_file *image, struct drg_err *err)
{
	const struct drg_image_of *of = drg_image_file_of(image);
	struct drg_branches branches = { .n = of->branches.n };
	branches.v = calloc(branches.n + 1, sizeof *branches.v);
	if (branches.v == NULL)
		return drg_fail_memory(err);
	memcpy(branches.v, of->branches.v, branches.n * sizeof *branches.v);
	drg_follower_note_commit(f, &of->clock, &branches);
	atomic_store(&f->current_us, of->current_us);
	if (!image_fits_store(f))
		return drg_fail(err, DRG_ECORRUPT, NULL, NULL,
		                "the snapshot %s is of another store, or of a history that is over",
		                f->image_path);
	int rc = drg_aside_init(&f->aside, err);
	return rc == DRG_OK ? drg_image_load(image, &f->o.catalog, &f->stopping, &f->from_image, err) : rc;
}

static void image_note_loaded(struct drg_follower *f, int64_t t0)
{
	struct drg_catalog_stats st;
	drg_catalog_stats(f->from_image, &st);
	pthread_mutex_lock(&f->worker.lock);
	f->image_clock = f->followed.clock;
	pthread_mutex_unlock(&f->worker.lock);
	drg_log(DRG_LOG_INFO,
	        "catalog of version %lld loaded from the snapshot %s: %llu source and %llu dict records in "
	        "%.2f s",
	        (long long)drg_catalog_seq(f->from_image), f->image_path, (unsigned long long)st.sources,
	        (unsigned long long)st.dicts, (double)(drg_clock_ns() - t0) / 1e9);
}

void drg_follower_start_from_image(struct drg_follower *f)
{
	struct drg_image_file *image;
	struct drg_err err = { 0 };
	int64_t t0 = drg_clock_ns();
	assert(!f->image_tried && f->from_image == NULL && atomic_load(&f->catalog) == NULL);
	f->image_tried = true;
	int rc = drg_image_open(f->image_path, &image, &err);
	if (rc == DRG_OK) {
		rc = follower_load_image(f, image, &err);
		drg_image_close(image);
	}
	if (rc == DRG_OK) {
		image_note_loaded(f, t0);
		return;
	}
	drg_follower_note_commit(f, &(struct drg_clock){ .seq = 0 }, &(struct drg_branches){ .n = 0 });
	drg_aside_done(&f->aside);
	if (rc != DRG_ENOENT && rc != DRG_ESTOPPED)
		drg_log(DRG_LOG_WARN, "%s; loading from the store", err.message);
}

void drg_follower_show_image(struct drg_follower *f)
{
	assert(atomic_load(&f->catalog) == NULL);
	atomic_store(&f->catalog, f->from_image);
	f->from_image = NULL;
	if (f->o.published != NULL)
		f->o.published(f->o.ctx);
}

void drg_follower_leave_image(struct drg_follower *f, bool same)
{
	assert(f->from_image != NULL);
	if (same) {
		drg_follower_show_image(f);
		return;
	}
	drg_log(DRG_LOG_WARN, "the snapshot %s is of a history that is over; loading from the store",
	        f->image_path);
	drg_catalog_free(f->from_image);
	f->from_image = NULL;
}
