/* src/http/ready.h
 * Heads of answers that are made once: of a content in one of its codings, or of its 304, with the fields
 * that do not depend on the request. They are made when they are first asked for, and shared by all threads. */
#pragma once
#include <stdatomic.h>
#include "text/compress.h"

/** What CORS adds: nothing, the permission, or what a script may read too, where the request has an Origin. */
enum drg_ready_cors { DRG_READY_NO_CORS, DRG_READY_CORS, DRG_READY_CORS_ORIGIN, DRG_READY_CORS_COUNT };

/** The fields behind status and date, but for Connection. */
struct drg_ready_head {
	size_t n;
	char text[];
};

/** The heads of one content so far. All zero at first; they live as long as the content. */
struct drg_ready {
	_Atomic(struct drg_ready_head *) of[DRG_CODING_COUNT][2][DRG_READY_CORS_COUNT]; /**< [1]: the 304 */
};

/** Nobody sends any of them any more. From any thread. */
void drg_ready_done(struct drg_ready *r);
