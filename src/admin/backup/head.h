/* src/admin/backup/head.h
 * The head of a backup: the commit and store that it is of, the program that made it, and the sorts of rows
 * that it has. It consists of lines of text; each begins with a word. */
#pragma once
#include "admin/backup/layout.h"
#include "store/matching.h"

/** Increased when a file has something that an older program would misunderstand. */
enum { DRG_BACKUP_FORMAT = 1 };

struct drg_backup_head {
	char program[96]; /**< "0.2.0 293c98e" */
	char made[32]; /**< RFC 3339 time */
	struct drg_clock clock;
	struct drg_feed_place matched; /**< struct drg_matching */
	struct drg_layout layout; /**< result of reading; not used for writing */
};

/** @param out  The head is appended to it. */
void drg_backup_head_write(const struct drg_backup_head *h, struct drg_buf *out);

/**
 * @param name  Name of the file, for messages.
 * @return DRG_OK; DRG_ELIMIT: a newer program has made the backup; DRG_ECORRUPT: the text is not a head.
 */
DRG_MUSTCHECK
int drg_backup_head_read(const char *name, struct drg_str text, struct drg_backup_head *ret,
                         struct drg_err *reterr);
