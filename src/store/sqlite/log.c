/* Makes sure that the contents of the write-ahead log are on the disk.
 *
 * A commit whose fsync fails stands in the log as if it were whole. The process that made it puts another in
 * its place (drg_sqlite_resolve_commit()). If all processes that have the store open end before that, the
 * next one to open it finds the commit in the system's memory, and SQLite writes behind it. But a later fsync
 * does not write it: the system takes what it failed to write once for written. A loss of power would cut the
 * log there, and take all commits behind it, which were acknowledged.
 *
 * So before a handle writes for the first time, it writes the frames of the log once more, and syncs them.
 * Later it need not: as long as it is open, nobody recovers the log. */
#include <stdlib.h>
#include <string.h>

#include "store/sqlite/sqlite_priv.h"

/* https://www.sqlite.org/fileformat2.html#walformat */
enum { LOG_HEADER = 32, LOG_PAGE_SIZE_AT = 8, LOG_SALT_AT = 16 };
enum { FRAME_HEADER = 24, FRAME_SALT_AT = 8, SALT = 8, PAGE_MIN = 512, PAGE_MAX = 65536 };

/* The file of the log as SQLite has it open; NULL: there is none. */
static sqlite3_file *log_file(const struct drg_store *s)
{
	sqlite3_file *f = NULL;
	if (sqlite3_file_control(s->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &f) != SQLITE_OK)
		return NULL;
	return f != NULL && f->pMethods != NULL ? f : NULL;
}

static uint32_t big_endian(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Frames of this log have its salts; behind them may stand some of a log before. */
static int rewrite_frames(sqlite3_file *f, const unsigned char header[LOG_HEADER], sqlite3_int64 size)
{
	uint32_t page = big_endian(header + LOG_PAGE_SIZE_AT);
	if (page < PAGE_MIN || page > PAGE_MAX)
		return SQLITE_OK; /* no log of SQLite: it will not read it either */
	int n = (int)page + FRAME_HEADER, rc = SQLITE_OK;
	unsigned char *frame = malloc((size_t)n);
	if (frame == NULL)
		return SQLITE_NOMEM;
	for (sqlite3_int64 at = LOG_HEADER; at + n <= size; at += n) {
		rc = f->pMethods->xRead(f, frame, n, at);
		if (rc != SQLITE_OK || memcmp(frame + FRAME_SALT_AT, header + LOG_SALT_AT, SALT) != 0)
			break;
		rc = f->pMethods->xWrite(f, frame, n, at);
		if (rc != SQLITE_OK)
			break;
	}
	free(frame);
	return rc;
}

int drg_sqlite_log_harden(struct drg_store *s, struct drg_err *reterr)
{
	unsigned char header[LOG_HEADER];
	sqlite3_int64 size = 0;
	sqlite3_file *f = s->log_hardened ? NULL : log_file(s);
	int rc = f != NULL ? f->pMethods->xFileSize(f, &size) : SQLITE_OK;
	if (rc == SQLITE_OK && size > LOG_HEADER) {
		rc = f->pMethods->xRead(f, header, LOG_HEADER, 0);
		if (rc == SQLITE_OK)
			rc = f->pMethods->xWrite(f, header, LOG_HEADER, 0);
		if (rc == SQLITE_OK)
			rc = rewrite_frames(f, header, size);
		if (rc == SQLITE_OK)
			rc = f->pMethods->xSync(f, SQLITE_SYNC_NORMAL);
	}
	if (rc != SQLITE_OK) {
		struct drg_err err = { 0 };
		rc = drg_sqlite_fail(s, rc, &err);
		return drg_fail(reterr, rc, DRG_R(not_stored), NULL, "%.500s", err.message);
	}
	s->log_hardened = true;
	return DRG_OK;
}
