/* src/base/keeper.h
 * A background thread that keeps an object in memory while callers ask for it. It makes the object at the
 * first question, looks each second whether it is out of date, and then makes it again, but spends at most a
 * twentieth of the time on that. A caller who asks before the object exists waits. The user of the keeper
 * decides what the object is and how readers see it (catalog/rcu.h); the keeper knows whether it exists. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"

struct drg_keeper;

enum { DRG_KEEPER_LOOK_MS = 1000, DRG_KEEPER_IDLE_MS = 600 * 1000 };

/** All functions are called on the keeper's thread, one at a time, with no lock held. */
struct drg_keeper_options {
	/** Is the object out of date? Called while it exists. */
	int (*look)(void *ctx, bool *ret_due, struct drg_err *err);
	/**
	 * Make the object, and publish it to readers in place of the old one.
	 * @param leave  Check it meanwhile: once it is true, nobody wants the object any more.
	 * @return DRG_OK; DRG_ESTOPPED: given up because of @p leave.
	 */
	int (*make)(void *ctx, const atomic_bool *leave, struct drg_err *err);
	/** Close what was opened for the object: after a failure, and while nobody asks. */
	void (*close)(void *ctx);
	/** Free the object: nobody has asked for a while. NULL: it stays, and the next question has it looked
	 * at again. */
	void (*give_back)(void *ctx);
	void *ctx;
	const char *what; /**< for the log: "the names for reconciliation"; static */
	unsigned look_ms; /**< 0: DRG_KEEPER_LOOK_MS */
	unsigned idle_ms; /**< nobody has asked for this long; 0: DRG_KEEPER_IDLE_MS */
};

/** A caller that waits until the object exists. The caller's memory, until done(). */
struct drg_keeper_wait {
	void (*done)(void *ctx); /**< called once, from any thread, with rc and err set */
	void *ctx;
	int rc; /**< DRG_OK; DRG_EBUSY: the object cannot be read, or the server stops */
	struct drg_err err;
	struct drg_keeper_wait *next; /**< used by the keeper */
};

/** @return DRG_OK or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_keeper_start(const struct drg_keeper_options *o, struct drg_keeper **ret, struct drg_err *reterr);
/** The server stops: abandon a making in progress, tell those who wait now or later, and make nothing any
 * more. An object that exists stays. NULL is fine. */
void drg_keeper_drain(struct drg_keeper *k);
/** Do the same, and end the thread. close() was called then; the object belongs to the keeper's user. Nobody
 * may ask any more. NULL is fine. */
void drg_keeper_stop(struct drg_keeper *k);

/** A caller asks for the object: keep it. From any thread. @return false: it does not exist yet, see
 * drg_keeper_await(). */
bool drg_keeper_request(struct drg_keeper *k);
/** Wait for the object: done() is called, perhaps before this returns. From any thread. */
void drg_keeper_await(struct drg_keeper *k, struct drg_keeper_wait *w);
