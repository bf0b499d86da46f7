/* src/workbench/decisions.h
 * The body of curate/decide. */
#pragma once
#include "api/reading.h"
#include "decide/decision.h"

enum { DRG_DECISIONS_MAX = 1000 };

/**
 * Read it: what is wrong with one decision is wrong with the request, and nothing is decided. Texts are
 * borrowed from the exchange. Unknown members are ignored, and reported.
 * @param ret  Its v, n, by and why.
 * @return DRG_OK; DRG_EINVAL: the err names the member; DRG_EAUTH: the key may not write one of the
 *         suppliers; DRG_ENOMEM; DRG_EBUSY.
 */
DRG_MUSTCHECK
int drg_decisions_read(struct drg_exchange *x, struct drg_decisions *ret);
