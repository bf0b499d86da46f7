/* src/admin/backup/head.h
 * The head of a backup: what it is of, what has made it, and which rows it has; lines of text that begin with
 * a word. */
#pragma once
#include "admin/backup/layout.h"
#include "store/matching.h"

/** Raised when a file of this version says what an older program would get wrong. */
enum { DRG_BACKUP_FORMAT = 1 };

struct drg_backup_head {
	char program[96]; /**< "0.2.0 293c98e" */
	char made[32]; /**< RFC 3339 time */
	struct drg_clock clock;
	struct drg_feed_place matched; /**< struct drg_matching */
	struct drg_layout layout; /**< not to be set for writing */
};

/** @param out  Not cleared. */
void drg_backup_head_write(const struct drg_backup_head *h, struct drg_buf *out);

/**
 * @param name  Of the file, for messages.
 * @return DRG_OK; DRG_ELIMIT: a newer program has made it; DRG_ECORRUPT: it is no head.
 */
DRG_MUSTCHECK
int drg_backup_head_read(const char *name, struct drg_str text, struct drg_backup_head *ret,
                         struct drg_err *reterr);
