/* src/http/ready.h
 * Answers that are made once: a content in one of its codings, or its 304, with the headers that do not depend on the
 * request. They are made when they are first asked for, and shared by all threads; libmicrohttpd counts who uses them. */
#pragma once
#include <stdatomic.h>
#include "text/compress.h"

struct MHD_Response;

/** What CORS adds: nothing, the permission, or what a script may read too, where the request has an Origin. */
enum drg_ready_cors { DRG_READY_NO_CORS, DRG_READY_CORS, DRG_READY_CORS_ORIGIN, DRG_READY_CORS_COUNT };

/** The answers of one content so far. All zero at first; its content must outlive it. */
struct drg_ready {
	_Atomic(struct MHD_Response *) of[DRG_CODING_COUNT][2][DRG_READY_CORS_COUNT]; /**< [1]: the 304 */
};

/** Nobody will ask for them any more. Answers that are on their way end all the same. From any thread. */
void drg_ready_done(struct drg_ready *r);
