#include "admin/backup/backup.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "admin/backup/blocks.h"
#include "admin/backup/head.h"
#include "admin/backup/restore.h"
#include "admin/move.h"
#include "base/clock.h"
#include "base/newfile.h"

struct backup {
	const struct drg_backup_options *o;
	struct drg_store *s;
	struct drg_blocks_out out;
	struct drg_buf rows; /* rows of one sort that are not written yet */
	unsigned sort;
	bool copied; /* o->copy is there */
	struct drg_backed_up did;
	struct drg_err *err;
};

/* ---- rows ---------------------------------------------------------------------------------------------- */

static int backup_flush(struct backup *b)
{
	if (b->rows.rc != DRG_OK)
		return drg_fail_memory(b->err);
	if (b->rows.n == 0)
		return DRG_OK;
	int rc = drg_blocks_put(&b->out, b->sort, drg_buf_view(&b->rows), b->err);
	drg_buf_clear(&b->rows);
	return rc;
}

/* Prepare for a row of this sort: write the rows before it if they are of another sort, or fill a block. */
static int backup_turn_to(struct backup *b, unsigned sort)
{
	int rc = b->sort != sort || b->rows.n >= DRG_BLOCK_BYTES ? backup_flush(b) : DRG_OK;
	b->sort = sort;
	b->did.rows++;
	if (b->o->progress != NULL)
		b->o->progress(b->o->ctx, DRG_BACKUP_WRITING, b->did.rows);
	return rc;
}

static int backup_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct backup *b = ctx;
	int rc = backup_turn_to(b, drg_layout_of_type(r->type));
	drg_layout_pack_row(r, m, &b->rows);
	return rc;
}

static int backup_side(void *ctx, enum drg_side_id side, const void *row)
{
	struct backup *b = ctx;
	int rc = backup_turn_to(b, drg_layout_of_side(side));
	drg_layout_pack_side(side, row, &b->rows);
	return rc;
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static int backup_head(struct backup *b)
{
	struct drg_backup_head h = { .clock = b->did.clock };
	struct drg_matching matching;
	int rc = drg_store_matching(b->s, &matching, b->err);
	if (rc != DRG_OK)
		return rc;
	h.matched = matching.place;
	drg_wall_text(b->did.at_us, h.made);
	drg_backup_head_write(&h, &b->rows);
	b->sort = DRG_BLOCK_HEAD;
	return backup_flush(b);
}

/* A store of an older schema stays as it is: servers of the older version may be running, and the backup is for
 * the way back. What cannot be copied keeps the message of the opening. */
static int backup_open_copy(struct backup *b)
{
	struct drg_err why;
	char url[PATH_MAX + 8];
	snprintf(url, sizeof url, "sqlite:%s", b->o->copy);
	(void)unlink(b->o->copy); /* of a backup that was killed */
	int rc = drg_store_copy_older(b->o->store, b->o->copy, &why);
	if (rc == DRG_OK)
		rc = drg_store_open(url, DRG_STORE_READ, &b->s, &why);
	b->copied = true;
	if (rc == DRG_OK || rc == DRG_ELIMIT)
		return rc;
	return drg_fail(b->err, rc, NULL, NULL, "%s", why.message);
}

static void backup_remove_copy(const struct backup *b)
{
	static const char *const files[] = { "", "-wal", "-shm", ".lock" };
	char path[PATH_MAX];
	for (size_t i = 0; b->copied && i < DRG_ARRAY_LEN(files); i++) {
		snprintf(path, sizeof path, "%s%s", b->o->copy, files[i]);
		(void)unlink(path);
	}
}

/* Read the store. All rows come from one snapshot, so the backup is of one commit, whatever is written
 * meanwhile. */
static int backup_read_store(struct backup *b)
{
	int rc = drg_store_open(b->o->store, DRG_STORE_READ, &b->s, b->err);
	if (rc == DRG_ELIMIT)
		rc = backup_open_copy(b);
	if (rc != DRG_OK)
		return rc;
	drg_store_allow_unknown_enums(b->s);
	b->did.at_us = drg_wall_us();
	rc = drg_store_hold(b->s, &b->did.clock, b->err);
	if (rc != DRG_OK)
		return rc;
	rc = backup_head(b);
	if (rc == DRG_OK)
		rc = drg_move_records_of(b->s, backup_row, b, b->err);
	if (rc == DRG_OK)
		rc = drg_move_sides_of(b->s, backup_side, b, b->err);
	if (rc == DRG_OK)
		rc = backup_flush(b);
	drg_store_release(b->s);
	return rc;
}

static int backup_write(struct backup *b, int fd)
{
	int rc = drg_blocks_begin(fd, b->o->path, &b->out, b->err);
	if (rc == DRG_OK)
		rc = backup_read_store(b);
	drg_store_close(b->s);
	backup_remove_copy(b);
	if (rc == DRG_OK)
		rc = drg_blocks_end(&b->out, b->did.rows, b->err);
	b->did.bytes = b->out.bytes;
	drg_buf_done(&b->out.packed);
	return rc;
}

static void backup_show_check(void *ctx, uint64_t rows)
{
	const struct drg_backup_options *o = ctx;
	if (o->progress != NULL)
		o->progress(o->ctx, DRG_BACKUP_CHECKING, rows);
}

static int backup_read_back(struct backup *b, const char *path)
{
	struct drg_backup_info told;
	int rc = drg_backup_verify(path, backup_show_check, (void *)(uintptr_t)b->o, &told, b->err);
	if (rc == DRG_OK && (told.rows != b->did.rows || told.clock.seq != b->did.clock.seq))
		rc = drg_fail(b->err, DRG_ECORRUPT, NULL, NULL,
		              "the backup %s is not what was written when it is read back: try another disk",
		              path);
	return rc;
}

static int backup_to_file(struct backup *b)
{
	const char *path = b->o->path;
	struct drg_newfile file;
	char aside[DRG_NEWFILE_PATH];
	snprintf(aside, sizeof aside, "%s%s", b->o->aside != NULL ? b->o->aside : path,
	         b->o->aside != NULL ? "" : ".new");
	const char *const taken[] = { path, aside };
	for (unsigned i = 0; i < DRG_ARRAY_LEN(taken); i++)
		if (access(taken[i], F_OK) == 0 && !drg_blocks_are_at(taken[i], taken[i] == aside))
			return drg_fail(b->err, DRG_EEXIST, NULL, NULL,
			                "%s exists and is not a backup: name another file", taken[i]);
	int rc = drg_newfile_begin("the backup", path, aside, &file, b->err);
	if (rc != DRG_OK)
		return rc;
	rc = backup_write(b, file.fd);
	if (rc == DRG_OK)
		rc = drg_newfile_sync(&file, b->err);
	if (rc == DRG_OK)
		rc = backup_read_back(b, file.aside);
	int end = drg_newfile_end(&file, rc == DRG_OK, rc == DRG_OK ? b->err : NULL);
	return rc == DRG_OK ? end : rc;
}

int drg_backup(const struct drg_backup_options *o, struct drg_backed_up *ret, struct drg_err *reterr)
{
	struct backup b = { .o = o, .err = reterr };
	drg_buf_init(&b.rows, SIZE_MAX);
	int rc = strcmp(o->path, "-") == 0 ? backup_write(&b, STDOUT_FILENO) : backup_to_file(&b);
	drg_buf_done(&b.rows);
	if (rc == DRG_OK)
		*ret = b.did;
	return rc;
}
