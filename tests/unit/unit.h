/* tests/unit/unit.h
 * What every unit test includes: cmocka and the headers that it forgets to include itself. */
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/** Path of a file in tests/fixtures/, from the environment that meson sets. */
static inline const char *fixture(const char *name, char *buf, size_t n)
{
	const char *dir = getenv("DRG_FIXTURES");
	int len = __builtin_snprintf(buf, n, "%s/%s", dir != NULL ? dir : "tests/fixtures", name);
	return len > 0 && (size_t)len < n ? buf : "";
}
