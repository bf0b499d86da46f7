/* tests/fuzz/fuzz.h
 * What the fuzz targets share. Each target is one file with LLVMFuzzerTestOneInput(): bytes from outside go
 * into the code that reads them first, and what must hold of any bytes is required. tests/fuzz/run builds and
 * runs them; replay.c runs each over its seeds and findings alone. */
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

/** As assert(), with the place in the message, and never compiled out. */
#define REQUIRE(what)                                                                                        \
	do {                                                                                                 \
		if (!(what)) {                                                                               \
			fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #what);            \
			abort();                                                                             \
		}                                                                                            \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/** The input as text; never NULL, also where it is empty. */
static inline struct drg_str input_text(const uint8_t *data, size_t n)
{
	return n > 0 ? drg_str((const char *)data, n) : drg_str("", 0);
}

/** Cut the input at its first NUL: the part before, and in @p rest what follows. */
static inline struct drg_str input_part(struct drg_str *rest)
{
	const char *nul = memchr(rest->p, '\0', rest->n);
	struct drg_str part = { rest->p, nul != NULL ? (size_t)(nul - rest->p) : rest->n };
	size_t used = nul != NULL ? part.n + 1 : part.n;
	*rest = drg_str(rest->p + used, rest->n - used);
	return part;
}

/** A code that bad bytes may lead to, with words for people. */
static inline void require_refusal(int rc, const struct drg_err *err)
{
	REQUIRE(rc == DRG_EINVAL || rc == DRG_ENOMEM || rc == DRG_ELIMIT || rc == DRG_ECORRUPT);
	REQUIRE(rc == DRG_ENOMEM || err->message[0] != '\0');
}
