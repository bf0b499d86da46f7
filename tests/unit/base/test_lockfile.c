#include "../clock.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/lockfile.h"

struct place {
	char dir[64];
	char path[80];
	struct drg_err err;
};

static int set_up(void **state)
{
	struct place *p = calloc(1, sizeof *p);
	if (mkdtemp(temp_path("dragoman-test-XXXXXX", p->dir, sizeof p->dir)) == NULL)
		return -1;
	snprintf(p->path, sizeof p->path, "%s/lock", p->dir);
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	struct place *p = *state;
	unlink(p->path);
	rmdir(p->dir);
	free(p);
	return 0;
}

static struct drg_lockfile *open_lock(struct place *p)
{
	struct drg_lockfile *l = NULL;
	assert_int_equal(drg_lockfile_open(p->path, &l, &p->err), DRG_OK);
	return l;
}

static void the_file_is_for_its_owner_and_stays(void **state)
{
	struct place *p = *state;
	struct stat st;
	drg_lockfile_close(open_lock(p));
	assert_int_equal(stat(p->path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	drg_lockfile_close(NULL);
}

static void a_place_that_does_not_exist_is_named(void **state)
{
	struct place *p = *state;
	struct drg_lockfile *l = NULL;
	char path[128];
	snprintf(path, sizeof path, "%s/no/lock", p->dir);
	assert_int_equal(drg_lockfile_open(path, &l, &p->err), DRG_ENOENT);
	assert_null(l);
	assert_non_null(strstr(p->err.message, path));
}

static void two_handles_of_one_process_exclude_each_other(void **state)
{
	struct place *p = *state;
	struct drg_lockfile *a = open_lock(p), *b = open_lock(p);
	assert_int_equal(drg_lockfile_lock(a, &p->err), DRG_OK);
	assert_int_equal(drg_lockfile_trylock(b, &p->err), DRG_EBUSY);
	drg_lockfile_unlock(a);
	assert_int_equal(drg_lockfile_trylock(b, &p->err), DRG_OK);
	assert_int_equal(drg_lockfile_trylock(a, &p->err), DRG_EBUSY);
	drg_lockfile_close(b);
	assert_int_equal(drg_lockfile_lock(a, &p->err), DRG_OK);
	drg_lockfile_close(a);
}

static void *take_and_give_back(void *lock)
{
	assert_int_equal(drg_lockfile_lock(lock, NULL), DRG_OK);
	drg_lockfile_unlock(lock);
	return NULL;
}

static void who_holds_it_can_see_whether_somebody_waits(void **state)
{
	struct place *p = *state;
	struct drg_lockfile *a = open_lock(p), *b = open_lock(p);
	pthread_t waiter;
	assert_int_equal(drg_lockfile_lock(a, &p->err), DRG_OK);
	assert_false(drg_lockfile_has_waiters(a));
	assert_int_equal(pthread_create(&waiter, NULL, take_and_give_back, b), 0);
	wait_until(drg_lockfile_has_waiters(a));
	drg_lockfile_unlock(a);
	pthread_join(waiter, NULL);
	assert_int_equal(drg_lockfile_lock(a, &p->err), DRG_OK);
	assert_false(drg_lockfile_has_waiters(a));
	drg_lockfile_close(a);
	drg_lockfile_close(b);
}

/* Counters that two processes share. */
struct shared {
	volatile int64_t turns;
	volatile bool stop;
};

static struct shared *share(void)
{
	struct shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(s != MAP_FAILED);
	return s;
}

/* Has the lock, as an import does; lets go of it when somebody waits, and takes it again at once. */
static pid_t start_greedy(struct place *p, struct shared *s)
{
	pid_t pid = fork();
	if (pid != 0)
		return pid;
	struct drg_lockfile *l = NULL;
	if (drg_lockfile_open(p->path, &l, NULL) != DRG_OK)
		_exit(2);
	while (!s->stop) {
		if (drg_lockfile_lock(l, NULL) != DRG_OK)
			_exit(3);
		s->turns++;
		while (!s->stop && !drg_lockfile_has_waiters(l))
			a_moment();
		drg_lockfile_unlock(l);
	}
	_exit(0);
}

static void a_greedy_process_does_not_starve_another(void **state)
{
	struct place *p = *state;
	struct shared *s = share();
	struct drg_lockfile *l = open_lock(p);
	pid_t pid = start_greedy(p, s);
	wait_until(s->turns > 0);
	int64_t waited = 0;
	for (int i = 0; i < 100; i++) {
		int64_t before = s->turns;
		assert_int_equal(drg_lockfile_lock(l, &p->err), DRG_OK);
		waited += s->turns - before;
		drg_lockfile_unlock(l);
	}
	s->stop = true;
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	/* A turn begins when we have let go, and while we wait at most one that had passed the queue. */
	assert_in_range(waited, 0, 100 * 2);
	drg_lockfile_close(l);
	munmap(s, sizeof *s);
}

static void a_killed_holder_frees_the_lock(void **state)
{
	struct place *p = *state;
	struct shared *s = share();
	struct drg_lockfile *l = open_lock(p);
	pid_t pid = fork();
	if (pid == 0) {
		struct drg_lockfile *mine = NULL;
		if (drg_lockfile_open(p->path, &mine, NULL) == DRG_OK &&
		    drg_lockfile_lock(mine, NULL) == DRG_OK)
			s->turns = 1;
		for (;;)
			pause();
	}
	wait_until(s->turns > 0);
	assert_int_equal(drg_lockfile_trylock(l, &p->err), DRG_EBUSY);
	kill(pid, SIGKILL);
	assert_int_equal(drg_lockfile_lock(l, &p->err), DRG_OK);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	drg_lockfile_close(l);
	munmap(s, sizeof *s);
}

static void waiting_has_a_bound_and_the_holder_is_named(void **state)
{
	struct place *p = *state;
	struct drg_lockfile *a = open_lock(p), *b = open_lock(p);
	char pid[32];
	snprintf(pid, sizeof pid, "process %d (", (int)getpid());
	assert_int_equal(drg_lockfile_lock(a, &p->err), DRG_OK);
	drg_lockfile_set_timeout(150);
	int64_t began_ns = drg_clock_ns();
	assert_int_equal(drg_lockfile_lock(b, &p->err), DRG_EBUSY);
	assert_true(drg_clock_ns() - began_ns >= 150000000);
	assert_string_equal(p->err.reason, "locked");
	assert_non_null(strstr(p->err.message, pid));
	assert_non_null(strstr(p->err.message, "test_base"));
	assert_non_null(strstr(p->err.message, p->path));
	/* Who gave up stands in nobody's way. */
	drg_lockfile_unlock(a);
	assert_int_equal(drg_lockfile_lock(a, &p->err), DRG_OK);
	drg_lockfile_unlock(a);
	assert_int_equal(drg_lockfile_lock(b, &p->err), DRG_OK);
	drg_lockfile_set_timeout(5000);
	drg_lockfile_close(a);
	drg_lockfile_close(b);
}

static void *lose_patience(void *lock)
{
	while (!drg_lockfile_has_waiters(lock))
		a_moment();
	drg_lockfile_set_timeout(0);
	return NULL;
}

static void patience_can_be_lost_while_waiting(void **state)
{
	struct place *p = *state;
	struct drg_lockfile *a = open_lock(p), *b = open_lock(p);
	pthread_t thread;
	assert_int_equal(drg_lockfile_lock(a, &p->err), DRG_OK);
	drg_lockfile_set_timeout(3600000);
	assert_int_equal(pthread_create(&thread, NULL, lose_patience, a), 0);
	assert_int_equal(drg_lockfile_lock(b, &p->err), DRG_EBUSY);
	pthread_join(thread, NULL);
	drg_lockfile_set_timeout(5000);
	drg_lockfile_close(a);
	drg_lockfile_close(b);
}

/* Two that hold two files under one name do not exclude each other. */
static void a_lock_file_that_was_replaced_is_found_anew(void **state)
{
	struct place *p = *state;
	struct drg_lockfile *old = open_lock(p);
	assert_int_equal(drg_lockfile_lock(old, &p->err), DRG_OK);
	assert_true(drg_lockfile_in_place(old));
	unlink(p->path);
	assert_false(drg_lockfile_in_place(old));
	struct drg_lockfile *fresh = open_lock(p);
	assert_int_equal(drg_lockfile_lock(fresh, &p->err), DRG_OK);
	assert_false(drg_lockfile_in_place(old));
	drg_lockfile_unlock(old);
	assert_int_equal(drg_lockfile_trylock(old, &p->err), DRG_EBUSY);
	drg_lockfile_unlock(fresh);
	assert_int_equal(drg_lockfile_trylock(old, &p->err), DRG_OK);
	assert_true(drg_lockfile_in_place(old));
	drg_lockfile_close(old);
	drg_lockfile_close(fresh);
}

static void a_note_stays_beside_the_holder(void **state)
{
	struct place *p = *state;
	char note[DRG_LOCKFILE_NOTE];
	drg_lockfile_read_note(p->path, note);
	assert_string_equal(note, "");
	struct drg_lockfile *l = open_lock(p);
	assert_int_equal(drg_lockfile_lock(l, &p->err), DRG_OK);
	drg_lockfile_note(l, "a long line");
	drg_lockfile_note(l, "a line");
	drg_lockfile_unlock(l);
	assert_int_equal(drg_lockfile_lock(l, &p->err), DRG_OK);
	drg_lockfile_close(l);
	drg_lockfile_read_note(p->path, note);
	assert_string_equal(note, "a line");
}

#define in_a_folder(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

GROUP(lockfile)
{
	const struct CMUnitTest tests[] = {
		in_a_folder(the_file_is_for_its_owner_and_stays),
		in_a_folder(a_place_that_does_not_exist_is_named),
		in_a_folder(two_handles_of_one_process_exclude_each_other),
		in_a_folder(who_holds_it_can_see_whether_somebody_waits),
		in_a_folder(a_greedy_process_does_not_starve_another),
		in_a_folder(a_killed_holder_frees_the_lock),
		in_a_folder(waiting_has_a_bound_and_the_holder_is_named),
		in_a_folder(patience_can_be_lost_while_waiting),
		in_a_folder(a_lock_file_that_was_replaced_is_found_anew),
		in_a_folder(a_note_stays_beside_the_holder),
	};
	return cmocka_run_group_tests_name("base/lockfile", tests, NULL, NULL);
}
