/* src/base/library.h
 * Libraries that are loaded when a function of theirs is first called. Most commands call none of them, and
 * to load them all takes longer than such a command. Each has one header that includes the library's own and
 * makes its functions late ones: store/postgres/pq.h, text/icu.h, sheet/libzip.h, sheet/libxlsxwriter.h,
 * cli/libinih.h. A function that is missing there does not link. */
#pragma once
#include <stdatomic.h>
#include "base/err.h"

enum drg_library {
	DRG_LIBRARY_PQ,
	DRG_LIBRARY_ICU,
	DRG_LIBRARY_ZIP,
	DRG_LIBRARY_XLSXWRITER,
	DRG_LIBRARY_INIH,
	DRG_LIBRARY_COUNT
};

/** Its so-name and its package, "libpq.so.5" and "libpq5", by tools/find_libraries.py. */
extern const struct drg_library_name {
	const char *file, *package;
} drg_library_names[DRG_LIBRARY_COUNT];

/**
 * Load a library, unless it is loaded. Any thread. To be called where a failure can be told, before its
 * functions are.
 * @return DRG_OK; DRG_EINTERNAL: it is not installed, the words name its package.
 */
DRG_MUSTCHECK
int drg_library_load(enum drg_library library, struct drg_err *reterr);

/** The address of a function; the library is loaded for it. Where there is none, the program says so and ends.
 * Any thread. */
void *drg_library_find(enum drg_library library, const char *function);

/**
 * The function @p f of a library, under its name @p symbol there, for a macro of its own name: `#define
 * PQexec DRG_LATE(PQ, PQexec)`. Its address is looked up once for each place that calls it. Not for
 * initialisers of static data.
 */
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
