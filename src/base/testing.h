/* src/base/testing.h
 * What a test says to a program that runs: a number in a file, which the test may change at any time
 * (CONTRIBUTING.md). */
#pragma once
#include <stdint.h>
#include "base/err.h"

/** The number in the file whose path the environment variable @p name has, for as long as the process lives;
 * NULL: it is not set.
 * @return DRG_OK or DRG_EIO. */
DRG_MUSTCHECK
int drg_testing_number(const char *name, const _Atomic int64_t **ret, struct drg_err *reterr);
