/* src/server/writer_priv.h
 * The writer, for its files: queue, thread and overdue jobs (writer.c), transactions (writer_commit.c). */
#pragma once
#include "server/writer.h"
#include "server/follower.h"
#include "base/outage.h"
#include "base/worker.h"
#include "store/txn_run.h"

/* A queue, linked by drg_job.next. */
struct drg_jobs {
	struct drg_job *first, *last;
};

struct drg_writer {
	struct drg_writer_options o;
	char *url;

	struct drg_worker worker; /* its lock protects what follows, up to the store */
	struct drg_jobs queue;
	struct drg_jobs committed; /* committed and not shown by the catalog yet, by since_ns */
	size_t n_jobs, n_bytes; /* submitted and not done */
	size_t n_own; /* of these, jobs of the server itself */
	bool empty_log; /* somebody waits in drg_writer_empty_log() ... */
	pthread_cond_t log_tried; /* ... for this */

	/* for the thread */
	bool is_file;
	struct drg_store *store; /* NULL: not open */
	int64_t ask_ns; /* when a database is asked next */
	struct drg_outage outage; /* other threads read its cause ... */
	_Atomic int64_t failed_ns; /* ... and when it occurred last */
	drg_measure done, failed; /* for drg_writer_count() */
	struct drg_durations commits;
};

void drg_writer_close_store(struct drg_writer *w);
DRG_MUSTCHECK
int drg_writer_open_store(struct drg_writer *w, struct drg_err *err);
/** Log each outage once, again when its cause changes, and its end. A database that cannot be reached counts
 * as away, like a missing file. */
void drg_writer_note_outage(struct drg_writer *w, int rc, const struct drg_err *err);
/** Begin a transaction; if the store was replaced, open the new one at once, not at the next request. */
DRG_MUSTCHECK
int drg_writer_begin(struct drg_writer *w, struct drg_txn **ret, struct drg_err *err);
/** Fail the group and all queued jobs: no transaction can begin, and each would wait as long. */
void drg_writer_fail_all(struct drg_writer *w, struct drg_jobs *group, int rc, const struct drg_err *err);
/** Run all jobs of a group in one transaction; if one of them fails, each runs alone.
 * @return false: no transaction could begin. */
bool drg_writer_write_group(struct drg_writer *w, struct drg_jobs *group);
void drg_writer_push(struct drg_jobs *list, struct drg_job *j);
struct drg_job *drg_writer_pop(struct drg_jobs *list);
void drg_writer_finish_all(struct drg_writer *w, struct drg_jobs *list);
/** Fail jobs with a message for clients. The store's own words are in the log only (decision E3). */
void drg_writer_fail_jobs(struct drg_writer *w, struct drg_jobs *list, const struct drg_reason *reason,
                          const char *message);
void drg_writer_fail_unknown(struct drg_writer *w, struct drg_jobs *list);
