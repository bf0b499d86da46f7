/* src/http/conns/loop.h
 * A thread that carries connections: one epoll set, their deadlines, and an inbox by which other threads
 * reach it. Whatever a connection or its exchange does on http's side is done by its loop's thread, so that
 * needs no locks. */
#pragma once
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/timers.h"

struct drg_conn;
struct drg_exchange;
struct drg_loop_counts;
struct drg_http;
struct drg_loop;

/** Something for the loop's thread to do; embedded in what it is about. All zero at first. */
struct drg_post {
	struct drg_post *prev, *next;
	bool posted;
	void (*run)(struct drg_loop *l, struct drg_post *p);
};

/** What connections do, for people who wait for them; those that are worked for are not among them. */
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

	pthread_mutex_t lock; /**< for the inbox and the census */
	struct drg_post *first, *last;
	struct drg_census census;

	struct drg_loop_counts *counts; /**< its thread writes them, any reads */

	/* the thread's own */
	struct drg_post sweep;
	struct drg_conn *conns;
	struct drg_conn *again, **again_end; /**< those that gave way to others in the middle of something */
	struct drg_conn *closed; /**< to be freed when the turn is over */
	struct drg_exchange *free; /**< exchanges to be used again, last used first: its memory is warm */
	unsigned n_free;
	size_t free_bytes; /**< that they keep */
	struct drg_timers timers;
	int64_t date_s;
	char date[DRG_DATE_BYTES]; /**< "Date: Sun, 06 Nov 1994 08:49:37 GMT" CR LF */
	char bytes[DRG_LOOP_BYTES]; /**< what is being received */
};

/** Start the thread. @param ret  Written in any case but DRG_ENOMEM: to be stopped and freed. @return DRG_OK,
 * DRG_EIO or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_loop_start(struct drg_http *h, struct drg_loop **ret, struct drg_err *reterr);
/** End the thread, close what connections it has. What is posted then does not run. */
void drg_loop_stop(struct drg_loop *l);
/** When nobody posts anything any more. */
void drg_loop_free(struct drg_loop *l);

/** From any thread: have the loop's thread run @p p, which does nothing where it waits for that already. */
void drg_loop_post(struct drg_loop *l, struct drg_post *p);
/** On the loop's thread: @p p shall not run. Fine where it does not wait for that. */
void drg_loop_unpost(struct drg_loop *l, struct drg_post *p);
/** From any thread: look at every connection soon, see drg_conn_look(). */
void drg_loop_sweep(struct drg_loop *l);
/** From any thread: has what drg_loop_sweep() asked for last been done? */
bool drg_loop_swept(struct drg_loop *l);
/** Go on with @p c when others have had their turn. */
void drg_loop_again(struct drg_loop *l, struct drg_conn *c);
/** The field Date of now, with its line end. */
const char *drg_loop_date(struct drg_loop *l);
