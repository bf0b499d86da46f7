/* src/admin/move.h
 * Filling an empty store with all that a source has, as it is there: another store (admin/migrate.h) or a
 * backup (admin/backup/restore.h). The target is read back and compared with what was sent before it is
 * called whole. */
#pragma once
#include "store/matching.h"
#include "store/side.h"

enum drg_move_step { DRG_MOVE_COPYING, DRG_MOVE_INDEXING, DRG_MOVE_COMPARING };

/** A row beside the records, borrowed for the call. A return other than DRG_OK ends the reading and is handed
 * through. */
typedef int drg_move_side_fn(void *ctx, enum drg_side_id side, const void *row);

struct drg_move {
	struct drg_store *to; /**< opened with DRG_STORE_TARGET */
	void *from;
	/** Every record, tombstones and internal ones included; then every row beside them. */
	int (*records)(void *from, drg_row_fn *fn, void *ctx, struct drg_err *reterr);
	int (*sides)(void *from, drg_move_side_fn *fn, void *ctx, struct drg_err *reterr);
	/** All was given and is there: is it still all that the source has? @param ret_clock  Of what was
	 * given. */
	int (*end)(void *from, struct drg_clock *ret_clock, struct drg_matching *ret, struct drg_err *reterr);
	uint64_t total; /**< rows, for the progress; 0: not known */
	/** May be NULL. @param total  0: not known. */
	void (*progress)(void *ctx, enum drg_move_step step, uint64_t done, uint64_t total);
	void *progress_ctx;
};

/**
 * Copy, read the copy back, compare it with what was sent, and only then call it whole.
 * @param ret_rows  Tombstones and what is no record included.
 * @return DRG_OK; DRG_EINVAL: the target is not empty, and nothing was changed; DRG_ECORRUPT: the copy
 *         differs; errors of the source and of the target, which is marked as incomplete then: it can be
 *         filled again.
 */
DRG_MUSTCHECK
int drg_move(const struct drg_move *o, uint64_t *ret_rows, struct drg_err *reterr);

/** What drg_move.records and drg_move.sides give, of a store. */
DRG_MUSTCHECK
int drg_move_records_of(struct drg_store *s, drg_row_fn *fn, void *ctx, struct drg_err *reterr);
DRG_MUSTCHECK
int drg_move_sides_of(struct drg_store *s, drg_move_side_fn *fn, void *ctx, struct drg_err *reterr);
