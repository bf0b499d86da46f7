/* src/base/descriptors.h
 * How many files a process may have open. */
#pragma once
#include <stddef.h>
#include "base/err.h"

/**
 * See to it that @p need descriptors can be open at one time: the limit (RLIMIT_NOFILE) is raised where it is
 * lower.
 * @return DRG_OK; DRG_ELIMIT: the system does not grant them; the message says how many it grants.
 */
DRG_MUSTCHECK
int drg_descriptors_ensure(size_t need, struct drg_err *reterr);
