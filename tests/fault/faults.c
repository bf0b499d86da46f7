/* tests/fault/faults.c
 * Loaded before the libraries of a program (LD_PRELOAD): at the nth call of a sort it is killed or stopped, or
 * that call fails, or all of them from now on. The test says so in a page that it shares with the program
 * (faults.py); nothing depends on how fast anything is. The page also says how many bytes the program has
 * allocated and not freed, whatever the allocator keeps of what was freed.
 * With -DLEAKS -O2 allocations go to the library that comes next, which is LeakSanitizer, by jumps: it has to
 * see who allocates. What ld.so keeps of threads (here of ICU, which is loaded late) is no leak to it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	WRITE = 1, /* of files; PUT: of pipes and terminals too */
	SYNC = 2,
	SEND = 4,
	READ = 8,
	OPEN = 16,
	RENAME = 32,
	TRUNCATE = 64,
	MAP = 128,
	THREAD = 256,
	ALLOCATE = 512,
	PUT = 1024
};
enum { KILL = 1, STOP = 2, FAIL = 3, NTH = 4 };

static struct page {
	_Atomic int64_t
	        left; /* KILL, STOP, NTH: it happens when none is left; FAIL: so many fail; 0: nothing */
	_Atomic int64_t calls, what, error;
	_Atomic int64_t pid; /* it and those it forks; 0: any that shares the page */
	_Atomic int64_t n_mark; /* not 0: it begins with the write that has these bytes */
	char mark[64];
	_Atomic int64_t held; /* bytes, by malloc() and mmap() */
	_Atomic int64_t spared; /* 1: the nth call was one of a library that does not bear it, and was made */
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

static __thread int spared_here __attribute__((tls_model("initial-exec")));

/* These use memory that they did not get: ICU where it reads its tables first, and libxlsxwriter. */
static int is_spared(int call, void *caller)
{
	Dl_info library;
	return spared_here || (call == ALLOCATE && dladdr(caller, &library) != 0 &&
	                       (strstr(library.dli_fname, "/libicu") != NULL ||
	                        strstr(library.dli_fname, "/libxlsxwriter") != NULL));
}

/* The place for a breakpoint: what called it has the call that fails. */
__attribute__((noinline, noclone)) static int failing(void)
{
	__asm__ volatile("");
	return (int)page->error;
}

/* @return errno; 0: the call is made. */
static int before(int call, void *caller)
{
	int64_t left = page != NULL && page->n_mark == 0 ? page->left : 0;
	if (left <= 0 || !is_meant(call))
		return 0;
	while (left > 0 && !atomic_compare_exchange_weak(&page->left, &left, left - 1))
		;
	if (left == 1 && page->what == NTH && is_spared(call, caller))
		page->spared = 1;
	else if (left > 0 && (page->what == FAIL || (page->what == NTH && left == 1)))
		return failing();
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
	int e = before(call, __builtin_return_address(0));                                                   \
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

/* An eventfd or a timerfd is none: these calls of it do not fail. */
static int is_of_a_device(int fd)
{
	struct stat st;
	return fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) != 0;
}

ssize_t write(int fd, const void *p, size_t n)
{
	NEXT(write);
	FAILS(is_of_a_device(fd) ? PUT : 0, -1)
	return next(fd, p, n);
}

ssize_t read(int fd, void *p, size_t n)
{
	NEXT(read);
	FAILS(is_of_a_device(fd) ? READ : 0, -1)
	return next(fd, p, n);
}

ssize_t pread64(int fd, void *p, size_t n, off64_t at)
{
	NEXT(pread64);
	FAILS(READ, -1)
	return next(fd, p, n, at);
}

ssize_t pread(int fd, void *p, size_t n, off_t at)
{
	return pread64(fd, p, n, at);
}

int open64(const char *path, int flags, ...)
{
	NEXT(open64);
	va_list more;
	va_start(more, flags);
	mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
	va_end(more);
	FAILS(OPEN, -1)
	return next(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list more;
	va_start(more, flags);
	mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
	va_end(more);
	return open64(path, flags, mode);
}

int openat64(int dir, const char *path, int flags, ...)
{
	NEXT(openat64);
	va_list more;
	va_start(more, flags);
	mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
	va_end(more);
	FAILS(OPEN, -1)
	return next(dir, path, flags, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
	NEXT(fopen64);
	FAILS(OPEN, NULL)
	return next(path, mode);
}

int rename(const char *from, const char *to)
{
	NEXT(rename);
	FAILS(RENAME, -1)
	return next(from, to);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	NEXT(renameat);
	FAILS(RENAME, -1)
	return next(from_dir, from, to_dir, to);
}

int ftruncate64(int fd, off64_t n)
{
	NEXT(ftruncate64);
	FAILS(TRUNCATE, -1)
	return next(fd, n);
}

int ftruncate(int fd, off_t n)
{
	return ftruncate64(fd, n);
}

int pthread_create(pthread_t *ret, const pthread_attr_t *attr, void *(*run)(void *), void *ctx)
{
	NEXT(pthread_create);
	int e = before(THREAD, NULL);
	return e != 0 ? e : next(ret, attr, run, ctx);
}

/* LeakSanitizer asks where a new thread has its stack, and ends the program if it is not told. */
int pthread_getattr_np(pthread_t thread, pthread_attr_t *ret)
{
	NEXT(pthread_getattr_np);
	spared_here = 1;
	int e = next(thread, ret);
	spared_here = 0;
	return e;
}

/* ---- what is held ---- */

#ifdef LEAKS
/* What dlsym() itself asks for, before it has found them, is taken from here and not given back. */
static char early[4096];
static size_t early_used;

static void *early_memory(size_t n)
{
	void *p = early + early_used;
	early_used += (n + 15) / 16 * 16;
	return early_used <= sizeof early ? p : NULL;
}

#define LATER(type, name, args, call, unresolved)                                                            \
	static type __libc_##name args                                                                       \
	{                                                                                                    \
		static type(*next) args;                                                                     \
		static int busy;                                                                             \
		if (next == NULL && busy)                                                                    \
			return unresolved;                                                                   \
		busy = 1;                                                                                    \
		if (next == NULL)                                                                            \
			next = (type(*) args)dlsym(RTLD_NEXT, #name);                                        \
		return next call;                                                                            \
	}
LATER(void *, malloc, (size_t n), (n), early_memory(n))
LATER(void *, calloc, (size_t n, size_t size), (n, size), early_memory(n *size))
LATER(void *, realloc, (void *p, size_t n), (p, n), NULL)
LATER(void *, memalign, (size_t align, size_t n), (align, n), NULL)
LATER(void, free, (void *p), (p), (void)0)
#undef LATER
#define counted(p) (p)
#define count(bytes) ((void)(bytes))
#define malloc_usable_size(p) 0
#else
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
#endif

void *malloc(size_t n)
{
	FAILS(ALLOCATE, NULL)
	return counted(__libc_malloc(n));
}

void *calloc(size_t n, size_t size)
{
	FAILS(ALLOCATE, NULL)
	return counted(__libc_calloc(n, size));
}

void *realloc(void *p, size_t n)
{
	FAILS(ALLOCATE, NULL)
	int64_t was = (int64_t)malloc_usable_size(p);
	void *new = __libc_realloc(p, n);
	if (new != NULL || n == 0)
		count((int64_t)malloc_usable_size(new) - was);
	return new;
}

void *memalign(size_t align, size_t n)
{
	FAILS(ALLOCATE, NULL)
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
	FAILS(MAP, MAP_FAILED)
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
