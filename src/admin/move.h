/* src/admin/move.h
 * Fills an empty store with all rows of a source, unchanged. The source is another store (admin/migrate.h) or
 * a backup (admin/backup/restore.h). Before the target is marked as complete, it is read back and compared
 * with what was sent. */
#pragma once
#include "store/matching.h"
#include "store/side.h"

enum drg_move_step { DRG_MOVE_COPYING, DRG_MOVE_INDEXING, DRG_MOVE_COMPARING };

/** Called with a row of a side table, which is borrowed for the call. A result other than DRG_OK ends the
 * reading and is returned. */
typedef int drg_move_side_fn(void *ctx, enum drg_side_id side, const void *row);

struct drg_move {
	struct drg_store *to; /**< opened with DRG_STORE_TARGET */
	void *from;
	/** Pass every record, tombstones and internal ones included; then every row of the side tables. */
	int (*records)(void *from, drg_row_fn *fn, void *ctx, struct drg_err *reterr);
	int (*sides)(void *from, drg_move_side_fn *fn, void *ctx, struct drg_err *reterr);
	/** Called when all rows were passed and copied: is the source still complete and locked?
	 * @param ret_clock  Clock of the rows that were passed. */
	int (*end)(void *from, struct drg_clock *ret_clock, struct drg_matching *ret, struct drg_err *reterr);
	uint64_t total; /**< rows, for the progress; 0: not known */
	/** May be NULL. @param total  0: not known. */
	void (*progress)(void *ctx, enum drg_move_step step, uint64_t done, uint64_t total);
	void *progress_ctx;
};

/**
 * Copy the source, read the copy back, compare it with what was sent, and only then mark it as complete.
 * @param ret_rows  The number of rows, with tombstones and rows of side tables.
 * @return DRG_OK; DRG_EINVAL: the target is not empty, and nothing was changed; DRG_ECORRUPT: the copy
 * differs; errors of the source and of the target. The target is then marked as incomplete: it can be filled
 * again.
 */
DRG_MUSTCHECK
int drg_move(const struct drg_move *o, uint64_t *ret_rows, struct drg_err *reterr);

/** The functions drg_move.records and drg_move.sides for a store as the source. */
DRG_MUSTCHECK
int drg_move_records_of(struct drg_store *s, drg_row_fn *fn, void *ctx, struct drg_err *reterr);
DRG_MUSTCHECK
int drg_move_sides_of(struct drg_store *s, drg_move_side_fn *fn, void *ctx, struct drg_err *reterr);
