/* Counts a program's calls of malloc, calloc and realloc; LD_PRELOAD it. The count is written to the file that
 * COUNT_ALLOC names at the program's end. For glibc. */
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t n);

static _Atomic unsigned long calls;

#define EXPORT __attribute__((visibility("default")))

EXPORT void *malloc(size_t n)
{
	atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
	return __libc_malloc(n);
}

EXPORT void *calloc(size_t count, size_t size)
{
	atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
	return __libc_calloc(count, size);
}

EXPORT void *realloc(void *p, size_t n)
{
	atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
	return __libc_realloc(p, n);
}

static __attribute__((destructor)) void report(void)
{
	unsigned long n = atomic_load(&calls);
	const char *path = getenv("COUNT_ALLOC");
	FILE *f = path != NULL ? fopen(path, "w") : NULL;
	if (f == NULL)
		return;
	fprintf(f, "%lu\n", n);
	fclose(f);
}
