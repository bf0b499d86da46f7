/* tests/unit/main.c
 * test_FOLDER runs the tests of all files of a folder, test_FOLDER FILE those of one, and test_FOLDER FILE
 * PATTERN what matches a pattern with * and ?, in this process, for a debugger.
 *
 * Without a pattern a test that fails or hangs takes nothing down but itself: tests run in a child, and after
 * the first that fails, crashes or hangs another child goes on with those that follow. What it left behind
 * (threads, servers, locks) ends with its child. A fork for each test would do the same and cost each one the
 * set-up of its group. */
#include "unit.h"

#undef _cmocka_run_group_tests

#include <execinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SLOWER = 5 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { SLOWER = 5 };
#else
enum { SLOWER = 1 };
#endif
#else
enum { SLOWER = 1 };
#endif

enum { PATIENCE_S = 120 * SLOWER, FRAMES = 32, LOOK_MS = 100 };

/** What the child tells the process that watches it. Pointers are the same in both. */
struct told {
	_Atomic size_t test; /* number of the test that runs; that of all: it leaves */
	const char *_Atomic what, *_Atomic file; /* what is waited for, and where */
	_Atomic int line;
	_Atomic int n_frames;
	void *frames[FRAMES]; /* where the child's first thread is, when it is asked */
};

static struct group *groups;
static bool in_this_process;
static struct told told_here, *told = &told_here;

void group_add(struct group *g)
{
	struct group **at = &groups;
	while (*at != NULL && strcmp((*at)->name, g->name) < 0)
		at = &(*at)->next;
	g->next = *at;
	*at = g;
}

void waits_for(const char *what, const char *file, int line)
{
	atomic_store(&told->what, what);
	atomic_store(&told->file, file);
	atomic_store(&told->line, line);
}

/* ---- the child ---- */

static CMFixtureFunction group_set_up, group_tear_down;
static void *group_state;
static bool is_set_up;

static int set_up_once(void **state)
{
	if (group_set_up != NULL && group_set_up(state) != 0)
		return -1;
	group_state = *state;
	is_set_up = true;
	return 0;
}

static int tear_down_once(void **state)
{
	(void)state;
	return group_tear_down != NULL ? group_tear_down(&group_state) : 0;
}

static void tell_where(int unused)
{
	(void)unused;
	atomic_store(&told->n_frames, backtrace(told->frames, FRAMES));
	_exit(1);
}

/* Run tests from @p first on, as far as they pass. */
static void run_child(const char *name, const struct CMUnitTest *tests, size_t n, size_t first)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0); /* what the test starts ends with it */
	void *frame;
	backtrace(&frame, 1); /* loads what the handler must not */
	signal(SIGUSR2, tell_where);
	cmocka_set_message_output(CM_OUTPUT_SUBUNIT);
	for (size_t i = first; i < n; i++) {
		struct CMUnitTest test = tests[i];
		if (test.initial_state == NULL)
			test.initial_state = group_state;
		atomic_store(&told->test, i);
		int failed = _cmocka_run_group_tests(name, &test, 1, i == first ? set_up_once : NULL,
		                                     i == n - 1 ? tear_down_once : NULL);
		fflush(NULL);
		if (failed != 0 || !is_set_up)
			_exit(1); /* without a wait for its threads */
	}
	atomic_store(&told->test, n);
	exit(0);
}

/* ---- the process that watches ---- */

static int patience_s(void)
{
	const char *s = getenv("DRG_TEST_PATIENCE");
	return s != NULL ? atoi(s) : PATIENCE_S;
}

/* The functions and lines where the child's first thread was, as far as addr2line is there. */
static void print_frames(void)
{
	extern const char __executable_start;
	char command[64 + FRAMES * 20];
	int at = snprintf(command, sizeof command, "addr2line -psfe /proc/%d/exe", (int)getpid());
	for (int i = 0; i < atomic_load(&told->n_frames); i++)
		at += snprintf(command + at, sizeof command - (size_t)at, " %#tx",
		               (const char *)told->frames[i] - &__executable_start - 1);
	fflush(NULL);
	if (atomic_load(&told->n_frames) > 0 && system(command) != 0)
		fprintf(stderr, "(addr2line would say where)\n");
}

static void end_hanging(pid_t pid, int pidfd, const char *name)
{
	struct pollfd ended = { .fd = pidfd, .events = POLLIN };
	syscall(SYS_tgkill, pid, pid, SIGUSR2);
	poll(&ended, 1, 10000); /* it may not come to that */
	kill(-pid, SIGKILL);
	fflush(NULL);
	fprintf(stderr, "%s: hung for %d s (DRG_TEST_PATIENCE)\n", name, patience_s());
	if (atomic_load(&told->what) != NULL)
		fprintf(stderr, "it waited last for: %s (%s:%d); its first thread was in:\n",
		        atomic_load(&told->what), atomic_load(&told->file), atomic_load(&told->line));
	print_frames();
}

/* @return how the child ended: 0 if all tests passed. */
static int watch(pid_t pid, const struct CMUnitTest *tests, size_t n)
{
	int status = -1, fd = pidfd_open(pid, 0), looks = 0;
	struct pollfd ended = { .fd = fd, .events = POLLIN };
	for (size_t test = atomic_load(&told->test); poll(&ended, 1, LOOK_MS) == 0;) {
		if (test == atomic_load(&told->test) && ++looks < patience_s() * 1000 / LOOK_MS)
			continue;
		if (test == atomic_load(&told->test))
			end_hanging(pid, fd, test < n ? tests[test].name : "the end");
		test = atomic_load(&told->test);
		looks = 0;
	}
	waitpid(pid, &status, 0);
	kill(-pid, SIGKILL); /* its own children */
	close(fd);
	return status;
}

int run_group(const char *name, const struct CMUnitTest *tests, size_t n, CMFixtureFunction set_up,
              CMFixtureFunction tear_down)
{
	if (in_this_process)
		return _cmocka_run_group_tests(name, tests, n, set_up, tear_down);
	int failed = 0;
	group_set_up = set_up;
	group_tear_down = tear_down;
	told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (told == MAP_FAILED)
		abort();
	printf("%s\n", name);
	for (size_t first = 0; first < n; first = atomic_load(&told->test) + 1) {
		memset(told, 0, sizeof *told);
		atomic_store(&told->test, first);
		fflush(NULL);
		pid_t pid = fork();
		if (pid == 0)
			run_child(name, tests, n, first);
		int status = pid > 0 ? watch(pid, tests, n) : -1;
		if (status == 0)
			break;
		size_t test = atomic_load(&told->test);
		failed++;
		fprintf(stderr, "%s: %s: failed%s%s\n", name, test < n ? tests[test].name : "at its end",
		        WIFSIGNALED(status) ? ", signal " : "",
		        WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "");
	}
	printf("%s: %zu tests, %d failed\n", name, n, failed);
	munmap(told, sizeof *told);
	told = &told_here;
	return failed;
}

/* Of several files each in a process: a group's function may leave settings behind. */
static int run_apart(const struct group *g)
{
	int status = -1;
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		exit(g->run() != 0);
	}
	if (pid > 0)
		waitpid(pid, &status, 0);
	return status != 0;
}

int main(int argc, char **argv)
{
	int n = 0, failed = 0;
	in_this_process = argc > 2;
	if (in_this_process)
		cmocka_set_test_filter(argv[2]);
	for (const struct group *g = groups; g != NULL; g = g->next) {
		if (argc > 1 && strcmp(argv[1], g->name) != 0)
			continue;
		failed += argc > 1 ? g->run() != 0 : run_apart(g);
		n++;
	}
	if (argc == 1)
		printf("%d files, %d failed\n", n, failed);
	if (n > 0)
		return failed != 0;
	fprintf(stderr, "%s FILE: one of", argv[0]);
	for (const struct group *g = groups; g != NULL; g = g->next)
		fprintf(stderr, " %s", g->name);
	fputc('\n', stderr);
	return 2;
}
