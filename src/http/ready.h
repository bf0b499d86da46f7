/* src/http/ready.h
 * Stored heads of answers: of a content in one of its codings, or of its 304, with the fields that do not
 * depend on the request. A head is made at its first use; all threads share it. */
#pragma once
#include <stdatomic.h>
#include "text/compress.h"

/** What CORS adds: nothing; the permission; or, if the request has an Origin, also the fields that a script
 * may read. */
enum drg_ready_cors { DRG_READY_NO_CORS, DRG_READY_CORS, DRG_READY_CORS_ORIGIN, DRG_READY_CORS_COUNT };

/** The fields after status and date, except Connection. */
struct drg_ready_head {
	size_t n;
	char text[];
};

/** The heads of one content so far. All zero at first; they live as long as the content. */
struct drg_ready {
	_Atomic(struct drg_ready_head *) of[DRG_CODING_COUNT][2][DRG_READY_CORS_COUNT]; /**< [1]: the 304 */
};

/** Free the heads when no answer uses them any more. From any thread. */
void drg_ready_done(struct drg_ready *r);
