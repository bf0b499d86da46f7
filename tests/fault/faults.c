/* tests/fault/faults.c
 * Loaded before the libraries of a program (LD_PRELOAD): at the nth write, sync or send it is killed or
 * stopped, or those calls fail. The test says so in a page that it shares with the program (faults.py);
 * nothing depends on how fast anything is. The page also says how many bytes the program has allocated and
 * not freed, whatever the allocator keeps of what was freed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WRITE = 1, SYNC = 2, SEND = 4 };
enum { KILL = 1, STOP = 2, FAIL = 3 };

static struct page {
	_Atomic int64_t
	        left; /* KILL, STOP: it happens when none is left; FAIL: so many fail; 0: nothing happens */
	_Atomic int64_t calls, what, error;
	_Atomic int64_t pid; /* it and those it forks; 0: any that shares the page */
	_Atomic int64_t n_mark; /* not 0: it begins with the write that has these bytes */
	char mark[64];
	_Atomic int64_t held; /* bytes, by malloc() and mmap() */
} * page;

__attribute__((constructor)) static void share(void)
{
	const char *path = getenv("DRG_TEST_FAULTS");
	int fd = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *at = fd >= 0 ? mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
	if (fd >= 0)
		close(fd);
	page = at != MAP_FAILED ? at : NULL;
}

static int is_meant(int call)
{
	pid_t pid = page != NULL ? (pid_t)page->pid : 0;
	return page != NULL && (page->calls & call) != 0 && (pid == 0 || pid == getpid() || pid == getppid());
}

static void look_for_mark(const void *p, size_t n)
{
	size_t mark = page != NULL ? (size_t)page->n_mark : 0;
	if (mark != 0 && memmem(p, n, page->mark, mark) != NULL)
		page->n_mark = 0;
}

/* @return errno; 0: the call is made. */
static int before(int call)
{
	int64_t left = page != NULL && page->n_mark == 0 ? page->left : 0;
	if (left <= 0 || !is_meant(call))
		return 0;
	while (left > 0 && !atomic_compare_exchange_weak(&page->left, &left, left - 1))
		;
	if (left > 0 && page->what == FAIL)
		return (int)page->error;
	if (left == 1 && page->what == KILL) {
		if (page->pid != 0)
			kill((pid_t)page->pid, SIGKILL);
		raise(SIGKILL);
	}
	if (left == 1 && page->what == STOP)
		raise(SIGSTOP);
	return 0;
}

#define FAILS(call, value)                                                                                   \
	int e = before(call);                                                                                \
	if (e != 0) {                                                                                        \
		errno = e;                                                                                   \
		return value;                                                                                \
	}

#define NEXT(name)                                                                                           \
	static typeof(&name) next;                                                                           \
	if (next == NULL)                                                                                    \
	next = (typeof(&name))dlsym(RTLD_NEXT, #name)

ssize_t pwrite64(int fd, const void *p, size_t n, off64_t at)
{
	NEXT(pwrite64);
	look_for_mark(p, n);
	FAILS(WRITE, -1)
	return next(fd, p, n, at);
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
	return pwrite64(fd, p, n, at);
}

int fsync(int fd)
{
	NEXT(fsync);
	FAILS(SYNC, -1)
	return next(fd);
}

int fdatasync(int fd)
{
	NEXT(fdatasync);
	FAILS(SYNC, -1)
	return next(fd);
}

ssize_t send(int fd, const void *p, size_t n, int flags)
{
	NEXT(send);
	FAILS(SEND, -1)
	return next(fd, p, n, flags);
}

/* ---- what is held ---- */

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);
void __libc_free(void *p);

static void count(int64_t bytes)
{
	if (page != NULL)
		atomic_fetch_add_explicit(&page->held, bytes, memory_order_relaxed);
}

static void *counted(void *p)
{
	count((int64_t)malloc_usable_size(p));
	return p;
}

void *malloc(size_t n)
{
	return counted(__libc_malloc(n));
}

void *calloc(size_t n, size_t size)
{
	return counted(__libc_calloc(n, size));
}

void *realloc(void *p, size_t n)
{
	int64_t before = (int64_t)malloc_usable_size(p);
	void *new = __libc_realloc(p, n);
	if (new != NULL || n == 0)
		count((int64_t)malloc_usable_size(new) - before);
	return new;
}

void *memalign(size_t align, size_t n)
{
	return counted(__libc_memalign(align, n));
}

void *aligned_alloc(size_t align, size_t n)
{
	return memalign(align, n);
}

int posix_memalign(void **ret, size_t align, size_t n)
{
	void *p = memalign(align, n);
	if (p != NULL)
		*ret = p;
	return p != NULL ? 0 : ENOMEM;
}

void free(void *p)
{
	count(-(int64_t)malloc_usable_size(p));
	__libc_free(p);
}

void *mmap64(void *at, size_t n, int prot, int flags, int fd, off64_t from)
{
	NEXT(mmap64);
	void *p = next(at, n, prot, flags, fd, from);
	count(p != MAP_FAILED ? (int64_t)n : 0);
	return p;
}

void *mmap(void *at, size_t n, int prot, int flags, int fd, off_t from)
{
	return mmap64(at, n, prot, flags, fd, from);
}

int munmap(void *at, size_t n)
{
	NEXT(munmap);
	int rc = next(at, n);
	count(rc == 0 ? -(int64_t)n : 0);
	return rc;
}
