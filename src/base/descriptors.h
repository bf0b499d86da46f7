/* src/base/descriptors.h
 * The number of files that a process may have open. */
#pragma once
#include <stddef.h>
#include "base/err.h"

/**
 * Make sure that @p need descriptors can be open at the same time: raise the limit (RLIMIT_NOFILE) if it is
 * lower.
 * @return DRG_OK; DRG_ELIMIT: the system does not grant them; the message says how many it grants.
 */
DRG_MUSTCHECK
int drg_descriptors_ensure(size_t need, struct drg_err *reterr);
