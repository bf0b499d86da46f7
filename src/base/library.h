/* src/base/library.h
 * Libraries that are loaded when one of their functions is first called. Most commands call none of them, and
 * loading all of them takes longer than such a command. Each has one header, which includes the library's own
 * and makes its functions late ones: store/postgres/pq.h, text/icu.h, sheet/libzip.h, sheet/libxlsxwriter.h. A
 * function that is missing there does not link. */
#pragma once
#include <stdatomic.h>
#include "base/err.h"

enum drg_library {
	DRG_LIBRARY_PQ,
	DRG_LIBRARY_ICU,
	DRG_LIBRARY_ZIP,
	DRG_LIBRARY_XLSXWRITER,
	DRG_LIBRARY_COUNT
};

/** The so-name and the package of a library, "libpq.so.5" and "libpq5", from tools/find_libraries.py. */
extern const struct drg_library_name {
	const char *file, *package;
} drg_library_names[DRG_LIBRARY_COUNT];

/**
 * Load a library if it is not loaded yet. From any thread. Call it where a failure can be reported, before
 * any function of the library.
 * @return DRG_OK; DRG_EINTERNAL: the library is not installed, and the message names its package; or there is
 * no memory for it.
 */
DRG_MUSTCHECK
int drg_library_load(enum drg_library library, struct drg_err *reterr);

/** Find the address of a function; the library is loaded for it. If there is none, the program reports that
 * and ends. From any thread. */
void *drg_library_find(enum drg_library library, const char *function);

/** The function @p f of a library, which has the name @p symbol there; for a macro of the function's name:
 * `#define PQexec DRG_LATE(PQ, PQexec)`. Its address is looked up once at each place that calls it. Not for
 * initialisers of static data. */
#define DRG_LATE_AS(library, f, symbol)                                                                      \
	(*__extension__({                                                                                    \
		static _Atomic(__typeof__(&(f))) late_;                                                      \
		__typeof__(&(f)) now_ = atomic_load_explicit(&late_, memory_order_relaxed);                  \
		if (DRG_UNLIKELY(now_ == NULL)) {                                                            \
			now_ = (__typeof__(&(f)))drg_library_find(DRG_LIBRARY_##library, symbol);            \
			atomic_store_explicit(&late_, now_, memory_order_relaxed);                           \
		}                                                                                            \
		now_;                                                                                        \
	}))
#define DRG_LATE(library, f) DRG_LATE_AS(library, f, #f)
