/* src/base/testing.h
 * A number that a test passes to a running program: it is in a file, and the test may change it at any time
 * (CONTRIBUTING.md). */
#pragma once
#include <stdint.h>
#include "base/err.h"

/** Get the number in the file whose path is in the environment variable @p name; valid for as long as the
 * process lives. NULL: the variable is not set.
 * @return DRG_OK or DRG_EIO. */
DRG_MUSTCHECK
int drg_testing_number(const char *name, const _Atomic int64_t **ret, struct drg_err *reterr);
