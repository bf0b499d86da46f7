#include "base/pages.h"

#include <assert.h>
#include <stdint.h>
#include <sys/mman.h>

/* A random look-up in gigabytes misses the TLB nearly every time with pages of 4 KiB. */
enum { HUGE_FROM = 4 << 20 };

void *drg_pages_new(size_t bytes, bool huge)
{
	assert(bytes > 0);
	void *p =
	        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	if (huge && bytes >= HUGE_FROM)
		(void)madvise(p, bytes, MADV_HUGEPAGE); /* only advice: a kernel without it works as well */
	return p;
}

#ifndef MADV_COLLAPSE /* Linux 6.1 */
#define MADV_COLLAPSE 25
#endif

void drg_pages_gather(const void *p, size_t bytes)
{
	enum { PAGE = 4096 };
	char *from = (char *)(((uintptr_t)p + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
	if (bytes < HUGE_FROM)
		return;
	bytes = (bytes - (size_t)(from - (const char *)p)) & ~(size_t)(PAGE - 1);
	/* MADV_HUGEPAGE is the second choice: on a part of a mapping it cuts the mapping in two, and then its
	 * memory cannot be moved any more but must be copied. */
	if (madvise(from, bytes, MADV_COLLAPSE) != 0)
		(void)madvise(from, bytes, MADV_HUGEPAGE);
}

void drg_pages_free(void *p, size_t bytes)
{
	if (p != NULL)
		munmap(p, bytes);
}
