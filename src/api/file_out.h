/* src/api/file_out.h
 * An answer that is long to send: an export (decisions F9 to F11), a file for a curator (C10). It is written to
 * a nameless file of the data folder before its first byte is sent. So what goes wrong is an answer, and
 * nobody reads the store while a client takes its time: a reader keeps SQLite's log and PostgreSQL's dead rows
 * from being cleared, and clients may be many and slow.
 *
 * The pool has a thread for each answer that is made or sent, so there are as many answers at a time as it has
 * threads. */
#pragma once
#include "base/tempfile.h"
#include "http/exchange.h"
#include "server/readers.h"

enum { DRG_FILE_OUT_NAME = 64 };

struct drg_file_outs;

/** How many there are at once: exports of all keys (decision F11), files of all curators, of one key or person
 * either. */
enum { DRG_EXPORTS_MAX = 8, DRG_FILE_OUTS_MAX = 4, DRG_EXPORTS_EACH = 2 };

/** @param max  How many at once.
 * @param what  "exports": for messages to clients. */
DRG_MUSTCHECK
int drg_file_outs_start(const struct drg_readers_options *readers, unsigned max, const char *what,
                        struct drg_file_outs **ret, struct drg_err *reterr);
/** Wait for those that are sent; stop their connections first. NULL is fine. */
void drg_file_outs_stop(struct drg_file_outs *p);
/** The server stops: what is not made completely need not be finished. From any thread; NULL is fine. */
void drg_file_outs_drain(struct drg_file_outs *p);

/** The head of the answer. */
struct drg_file_head {
	char name[DRG_FILE_OUT_NAME]; /**< of the file, for who gets it */
	struct drg_data_version version; /**< what it was made from, if make() sets it */
};

/** A file to make; the caller allocates it. */
struct drg_file_out {
	/**
	 * On a thread of the pool: write the file. It may be called twice, with an empty file each time.
	 * @param file, path  The same file, to append to it or to write it by its path. If it is a stream of
	 *                    Zstandard, it is sent unpacked.
	 * @param job  For drg_file_out_over().
	 */
	int (*make)(struct drg_file_out *f, struct drg_store *s, struct drg_tempfile *file, const char *path,
	            void *job, struct drg_err *reterr);
	/** Set the headers, on the exchange's thread, when the file is complete. */
	int (*answer)(struct drg_exchange *x, const struct drg_file_head *h);
	void (*done)(struct drg_file_out *f); /**< free it */
	struct drg_file_head head;
};

/** Make it and send it; takes @p f in any case. @return DRG_HTTP_SUSPENDED; errors of the stream. */
DRG_MUSTCHECK
int drg_file_out_start(struct drg_exchange *x, struct drg_file_outs *p, struct drg_file_out *f);
/** The answer() of a file that a browser saves under its name. */
int drg_file_out_attach(struct drg_exchange *x, const struct drg_file_head *h);
/** Does nobody want it any more? Asked now and then while it is made. */
bool drg_file_out_over(void *job);

/** Check the parameter `format`. */
DRG_MUSTCHECK
int drg_file_out_check_format(struct drg_str value, const char *name, struct drg_err *reterr);
#define DRG_PARAM_FILE_FORMAT                                                                                \
	{                                                                                                    \
		.name = "format", .type = DRG_P_TEXT, .max = 8, .check = drg_file_out_check_format,          \
		.schema = "{\"enum\":[\"csv\",\"xlsx\"]}", .doc = "csv when absent"                          \
	}
