/* src/http/conns/loop.h
 * A thread that serves connections: one epoll set, their deadlines, and an inbox for other threads. Only the
 * loop's thread works on its connections and their exchanges, so these need no locks. */
#pragma once
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include "base/data_version.h"
#include "base/err.h"
#include "base/timers.h"

struct drg_conn;
struct drg_exchange;
struct drg_loop_counts;
struct drg_http;
struct drg_loop;

/** A task for the loop's thread; embedded in its object. All zero at first. */
struct drg_post {
	struct drg_post *prev, *next;
	bool posted;
	void (*run)(struct drg_loop *l, struct drg_post *p);
};

/** Counts of connections by their activity, for messages while the server stops. Connections whose handler
 * works are not counted. */
struct drg_census {
	unsigned reading, waiting, answering;
};

enum { DRG_LOOP_BYTES = 64 * 1024, DRG_DATE_BYTES = 40 };

struct drg_loop {
	struct drg_http *http;
	int epoll, wake; /**< wake: an eventfd in the set */
	pthread_t thread;
	bool running;
	atomic_bool ending;

	pthread_mutex_t lock; /**< protects the inbox and the census */
	struct drg_post *first, *last;
	struct drg_census census;

	struct drg_loop_counts *counts; /**< written by the loop's thread, read by any thread */

	/* used by the loop's thread */
	struct drg_post sweep;
	struct drg_conn *conns;
	/** connections that were interrupted so that others get their turn */
	struct drg_conn *again, **again_end;
	struct drg_conn *closed; /**< to be freed at the end of the turn */
	/** exchanges for reuse; the one used last comes first, since its memory is in the cache */
	struct drg_exchange *free;
	unsigned n_free;
	size_t free_bytes; /**< memory that these exchanges keep */
	struct drg_timers timers;
	/* parts of the previous response, which most responses repeat */
	int64_t date_s;
	char date[DRG_DATE_BYTES]; /**< "Date: Sun, 06 Nov 1994 08:49:37 GMT" CR LF */
	size_t date_n;
	int start_status; /**< the status in `start` */
	char start[48]; /**< "HTTP/1.1 200 OK" CR LF */
	size_t start_n;
	struct drg_data_version version;
	char version_text[DRG_DATA_VERSION_TEXT]; /**< this version; "": none yet */
	char bytes[DRG_LOOP_BYTES]; /**< buffer for receiving */
};

/** Start a loop and its thread. @param ret  Written in any case but DRG_ENOMEM: to be stopped and freed.
 * @return DRG_OK, DRG_EIO or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_loop_start(struct drg_http *h, struct drg_loop **ret, struct drg_err *reterr);
/** End the thread and close its connections. Tasks that are posted later do not run. */
void drg_loop_stop(struct drg_loop *l);
/** Free a loop, when no thread posts any more. */
void drg_loop_free(struct drg_loop *l);

/** Let the loop's thread run @p p; nothing happens if it is posted already. From any thread. */
void drg_loop_post(struct drg_loop *l, struct drg_post *p);
/** Withdraw @p p, if it is posted. On the loop's thread. */
void drg_loop_unpost(struct drg_loop *l, struct drg_post *p);
/** Have the loop look at every connection soon, see drg_conn_check(). From any thread. */
void drg_loop_sweep(struct drg_loop *l);
/** Has the last drg_loop_sweep() been completed? From any thread. */
bool drg_loop_swept(struct drg_loop *l);
/** Continue with @p c after other connections had their turn. */
void drg_loop_again(struct drg_loop *l, struct drg_conn *c);
/** The field Date with the present time and its line end. */
struct drg_str drg_loop_date(struct drg_loop *l);
