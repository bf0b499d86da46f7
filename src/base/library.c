#include "base/library.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

static _Atomic(void *) handles[DRG_LIBRARY_COUNT];

/* Two threads may load a library at the same time: the second gets the handle of the first. Nothing is
 * unloaded. */
int drg_library_load(enum drg_library library, struct drg_err *reterr)
{
	assert(library < DRG_LIBRARY_COUNT);
	if (atomic_load_explicit(&handles[library], memory_order_acquire) != NULL)
		return DRG_OK;
	void *handle = dlopen(drg_library_names[library].file, RTLD_LAZY | RTLD_LOCAL);
	const char *why = handle == NULL ? dlerror() : NULL;
	/* dlerror() has no code; these are the words that glibc has for a lack of memory. */
	static const char *const memory[] = { "failed to map", "cannot map", "annot allocate" };
	bool no_memory = false;
	for (size_t i = 0; why != NULL && i < sizeof memory / sizeof memory[0]; i++)
		no_memory |= strstr(why, memory[i]) != NULL;
	if (no_memory)
		return drg_fail(reterr, DRG_EINTERNAL, NULL, NULL,
		                "there is no memory for a library; look at ulimit -v and at MemoryMax= of "
		                "systemd (%s)",
		                why);
	if (why != NULL)
		return drg_fail(reterr, DRG_EINTERNAL, NULL, NULL,
		                "a library is missing or damaged; install the package %s (%s)",
		                drg_library_names[library].package, why);
	atomic_store_explicit(&handles[library], handle, memory_order_release);
	return DRG_OK;
}

void *drg_library_find(enum drg_library library, const char *function)
{
	struct drg_err err;
	void *address = NULL;
	if (drg_library_load(library, &err) == DRG_OK)
		address = dlsym(atomic_load_explicit(&handles[library], memory_order_acquire), function);
	else
		drg_log(DRG_LOG_ERROR, "%s", err.message);
	if (address != NULL)
		return address;
	drg_log(DRG_LOG_ERROR, "%s of %s is not to be had", function, drg_library_names[library].file);
	_Exit(EXIT_FAILURE);
}
