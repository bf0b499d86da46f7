#include "import/import.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "import/apply.h"
#include "import/read.h"

/* All resources of an import. */
struct import {
	struct drg_importing im;
	struct drg_store *store; /* NULL: a dry run without a store */
	FILE *rejects;
};

/* Open the store, and take the right to import: only one import runs at a time. A dry run writes nothing, so
 * it does not take the right. */
static int open_for_import(struct import *x, struct drg_err *reterr)
{
	int rc = drg_store_open(x->im.o->store_url, DRG_STORE_CREATE, &x->store, reterr);
	return rc == DRG_OK ? drg_store_lock_imports(x->store, reterr) : rc;
}

static int import_open_store(struct import *x, struct drg_err *reterr)
{
	if (!x->im.o->dry_run)
		return open_for_import(x, reterr);
	if (x->im.o->store_url == NULL)
		return DRG_OK;
	int rc = drg_store_open(x->im.o->store_url, DRG_STORE_READ, &x->store, reterr);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

bool drg_import_reads(const char *const *files, size_t n, const char *path)
{
	struct stat written, read;
	if (stat(path, &written) != 0 || !S_ISREG(written.st_mode))
		return false;
	for (size_t i = 0; i < n; i++)
		if (stat(files[i], &read) == 0 && read.st_dev == written.st_dev &&
		    read.st_ino == written.st_ino)
			return true;
	return false;
}

static int open_rejects(struct import *x, struct drg_err *reterr)
{
	const char *path = x->im.o->rejects;
	if (path == NULL || x->im.o->dry_run)
		return DRG_OK;
	if (drg_import_reads(x->im.o->files, x->im.o->n_files, path))
		return drg_fail(reterr, DRG_EUSAGE, NULL, NULL,
		                "%s is read by this import: name another file for the rejects", path);
	x->rejects = fopen(path, "we");
	if (x->rejects == NULL)
		return drg_fail(reterr, drg_rc_from_errno(errno), NULL, NULL, "cannot write %s: %s", path,
		                strerror(errno));
	return DRG_OK;
}

static int close_rejects(struct import *x, struct drg_err *reterr)
{
	FILE *f = x->rejects;
	x->rejects = NULL;
	if (f != NULL && fclose(f) != 0)
		return drg_fail(reterr, drg_rc_from_errno(errno), NULL, NULL, "cannot write %s: %s",
		                x->im.o->rejects, strerror(errno));
	return DRG_OK;
}

static int import_init(struct import *x, struct drg_err *reterr)
{
	const struct drg_import_options *o = x->im.o;
	int rc = drg_import_rows_open(o->files, o->n_files, o->csv, &x->im.rows, reterr);
	if (rc == DRG_OK)
		rc = import_open_store(x, reterr);
	if (rc == DRG_OK)
		rc = drg_spool_open(o->dir, &x->im.spool, reterr);
	if (rc == DRG_OK)
		rc = drg_refs_new(o->dir, x->store, x->im.spool, &x->im.refs, reterr);
	if (rc == DRG_OK)
		rc = open_rejects(x, reterr);
	return rc;
}

static void import_done(struct import *x)
{
	if (x->rejects != NULL)
		fclose(x->rejects);
	drg_refs_free(x->im.refs);
	drg_spool_close(x->im.spool);
	drg_import_rows_close(x->im.rows);
	drg_store_close(x->store);
}

/* ---- comparing ----------------------------------------------------------------------------------------- */

static void show_comparing(void *ctx, uint64_t done, uint64_t total)
{
	const struct drg_importing *im = ctx;
	if (im->o->progress != NULL)
		im->o->progress(im->o->ctx, DRG_IMPORT_COMPARING, done, total);
}

static int reject_if_faulty(void *ctx, const struct drg_spooled *r, struct drg_err *reterr)
{
	struct drg_importing *im = ctx;
	struct drg_err fault;
	if (r->rejected || !drg_refs_fault(im->refs, r, &fault))
		return DRG_OK;
	drg_importing_bad_row(im, r->from.file, r->from.line, &fault);
	im->sums->by_type[r->record.type->id]--;
	return drg_spool_reject(im->spool, reterr);
}

/* Gathers from the spool again what the reading threads gathered the first time. */
struct regathering {
	struct drg_importing *im;
	struct drg_gathered gathered;
	struct drg_ident_cache cache;
	uint64_t done;
};

static int regather_record(void *ctx, const struct drg_spooled *r, struct drg_err *reterr)
{
	struct regathering *g = ctx;
	if (++g->done % 4096 == 0)
		show_comparing(g->im, g->done, g->im->sums->rows);
	if (r->rejected)
		return DRG_OK;
	drg_gathered_clear(&g->gathered);
	drg_gathered_add(&g->gathered, &g->cache, &r->record, 0);
	return drg_refs_add(g->im->refs, &g->gathered, r->at, reterr);
}

static int regather(struct drg_importing *im, struct drg_err *reterr)
{
	struct regathering g = { .im = im };
	int rc = drg_refs_clear(im->refs, reterr);
	drg_gathered_init(&g.gathered);
	drg_ident_cache_clear(&g.cache);
	if (rc == DRG_OK)
		rc = drg_spool_each(im->spool, regather_record, &g, reterr);
	drg_gathered_done(&g.gathered);
	return rc;
}

static int bad_rows(const struct drg_importing *im, struct drg_err *reterr)
{
	return drg_fail(
	        reterr, DRG_EINVAL, NULL, NULL,
	        "%llu of %llu records are bad, nothing was applied; --keep-going applies the good ones",
	        (unsigned long long)im->sums->bad, (unsigned long long)im->sums->rows);
}

/* Check until no record is at fault: a rejected record may be one that others refer to. */
static int import_compare(struct drg_importing *im, struct drg_err *reterr)
{
	for (;;) {
		bool ok;
		int rc = drg_refs_check(im->refs, show_comparing, im, &ok, reterr);
		if (rc != DRG_OK || ok)
			return rc;
		uint64_t before = im->sums->bad;
		rc = drg_spool_each(im->spool, reject_if_faulty, im, reterr);
		if (rc != DRG_OK)
			return rc;
		if (im->sums->bad == before)
			return drg_fail(reterr, DRG_EINTERNAL, NULL, NULL,
			                "faulty references that no record has");
		if (!im->o->keep_going)
			return bad_rows(im, reterr);
		rc = regather(im, reterr);
		if (rc != DRG_OK)
			return rc;
	}
}

/* Do everything that comes before the first write. */
static int import_prepare(struct import *x, struct drg_err *reterr)
{
	struct drg_importing *im = &x->im;
	int rc = import_init(x, reterr);
	if (rc == DRG_OK)
		rc = drg_import_read(im, reterr);
	if (rc == DRG_OK && im->sums->bad > 0 && !im->o->keep_going)
		rc = bad_rows(im, reterr);
	return rc == DRG_OK ? import_compare(im, reterr) : rc;
}

static int import_run(struct import *x, struct drg_err *reterr)
{
	struct drg_err e;
	int rc = import_prepare(x, &e);
	if (rc == DRG_EFULL || rc == DRG_EIO || rc == DRG_ECORRUPT)
		return drg_fail(reterr, rc, NULL, NULL, "%.600s; nothing was applied", e.message);
	if (rc != DRG_OK && reterr != NULL)
		*reterr = e;
	if (rc == DRG_OK && !x->im.o->dry_run)
		rc = drg_import_apply(&x->im, x->store, x->rejects, reterr);
	return rc == DRG_OK ? close_rejects(x, reterr) : rc;
}

int drg_import(const struct drg_import_options *o, struct drg_import_sums *ret, struct drg_err *reterr)
{
	int64_t began = drg_clock_ns();
	*ret = (struct drg_import_sums){ 0 };
	struct import x = { .im = { .o = o, .sums = ret } };
	int rc = import_run(&x, reterr);
	import_done(&x);
	ret->seconds = (double)(drg_clock_ns() - began) / 1e9;
	return rc;
}
