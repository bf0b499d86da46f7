/* src/base/keeper.h
 * A thread in the background that keeps something in memory while somebody asks for it: made at the first
 * question, looked at each second, and made again when it is out of date, but for a twentieth of the time at
 * most. Who asks before it is there waits. What it is and how readers look at it (catalog/rcu.h) is its
 * user's; that it is there at all is known here. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"

struct drg_keeper;

enum { DRG_KEEPER_LOOK_MS = 1000, DRG_KEEPER_IDLE_MS = 600 * 1000 };

/** All functions are called on the keeper's thread, one at a time, with nothing locked. */
struct drg_keeper_options {
	/** Is what is there out of date? Called while it is there. */
	int (*look)(void *ctx, bool *ret_due, struct drg_err *err);
	/**
	 * Make it, and show it to readers in place of what was there.
	 * @param leave  To be looked at meanwhile: once it is true, nobody wants it any more.
	 * @return DRG_OK; DRG_ESTOPPED: left.
	 */
	int (*make)(void *ctx, const atomic_bool *leave, struct drg_err *err);
	/** Close what was opened for it: after a failure, and while nobody asks. */
	void (*close)(void *ctx);
	/** Nobody has asked for a while: give it back. NULL: it stays as it is, and is looked at again with
	 * the next question. */
	void (*give_back)(void *ctx);
	void *ctx;
	const char *what; /**< for the log: "the names for reconciliation"; static */
	unsigned look_ms; /**< 0: DRG_KEEPER_LOOK_MS */
	unsigned idle_ms; /**< nobody has asked for so long; 0: DRG_KEEPER_IDLE_MS */
};

/** One who waits until it is there. The waiter's memory, until done(). */
struct drg_keeper_wait {
	void (*done)(void *ctx); /**< called once, from any thread, with rc and err set */
	void *ctx;
	int rc; /**< DRG_OK; DRG_EBUSY: it cannot be read, or the server stops */
	struct drg_err err;
	struct drg_keeper_wait *next; /**< the keeper's */
};

/** @return DRG_OK or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_keeper_start(const struct drg_keeper_options *o, struct drg_keeper **ret, struct drg_err *reterr);
/** The server stops: what is being made is left, who waits or comes is told so, and nothing is made any more.
 * What is there stays. NULL is fine. */
void drg_keeper_leave(struct drg_keeper *k);
/** Likewise, and end the thread; close() was called then, what is there is its user's. Nobody asks any more.
 * NULL is fine. */
void drg_keeper_stop(struct drg_keeper *k);

/** Somebody asks: keep it. From any thread. @return false: it is not there, see drg_keeper_await(). */
bool drg_keeper_asked(struct drg_keeper *k);
/** done() will be called, perhaps before this returns. From any thread. */
void drg_keeper_await(struct drg_keeper *k, struct drg_keeper_wait *w);
