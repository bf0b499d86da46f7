/* Several processes on one store. */
#include "../clock.h"
#include "place.h"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { WRITERS = 3, ROUNDS = 100 };

/* A child that works on the store and ends with exit status 0 when all went well. The parent's handle must be
 * closed: a connection does not survive a fork. */
static pid_t start(struct place *p, void (*work)(struct place *p, int me, void *shared), int me, void *shared)
{
	assert_null(p->s);
	pid_t pid = fork();
	if (pid != 0)
		return pid;
	struct place mine = *p;
	if (drg_store_open(mine.url, DRG_STORE_WRITE, &mine.s, &mine.err) != DRG_OK)
		_exit(2);
	work(&mine, me, shared);
	drg_store_close(mine.s);
	_exit(0);
}

static void wait_for(pid_t pid)
{
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void *shared_memory(size_t n)
{
	void *m = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(m != MAP_FAILED);
	return m;
}

/* A failed check inside a child. */
static void child_must(int rc)
{
	if (rc != DRG_OK)
		_exit(3);
}

static int take_weight(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	*(int64_t *)ctx = drg_record_i(r, DRG_F_WEIGHT, -1);
	return DRG_OK;
}

static struct drg_record counter(int64_t value)
{
	struct drg_record r = blank(DRG_TYPE_AIR_PLACE);
	drg_record_set_i(&r, DRG_F_PLACE_ID, 1);
	drg_record_set_i(&r, DRG_F_WEIGHT, value);
	complete(&r);
	return r;
}

/* Read the counter, add one, and add a row of its own, all in one transaction; note the seq. */
static void count_up(struct place *p, int me, void *shared)
{
	struct drg_rows rows;
	int64_t *seqs = (int64_t *)shared + (ptrdiff_t)me * ROUNDS;
	for (int i = 0; i < ROUNDS; i++) {
		struct drg_txn *t;
		struct drg_clock commit;
		enum drg_put_result result;
		int64_t value = 0;
		struct drg_record key = counter(0), row = adapter(1000 * (me + 1) + i);
		child_must(drg_store_begin(p->s, &t, &p->err));
		child_must(drg_rows_each(drg_rows_get(&rows, p->s, &key, &p->err), take_weight, &value));
		struct drg_record next = counter(value + 1);
		child_must(drg_txn_put(t, &next, &result, &p->err));
		child_must(drg_txn_put(t, &row, &result, &p->err));
		child_must(drg_txn_commit(t, &commit, &p->err));
		seqs[i] = commit.seq;
	}
}

/* A follower: what it was given, each adapter by its number. */
struct follower {
	int64_t applied;
	unsigned adapters, again;
	bool seen[1000 * (WRITERS + 1)];
};

static int follow(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct follower *f = ctx;
	assert_true(m->seq > f->applied);
	if (r->type->id != DRG_TYPE_ADAPTER)
		return DRG_OK;
	f->adapters++;
	bool *seen = &f->seen[drg_record_i(r, DRG_F_ID, 0)];
	f->again += *seen ? 1 : 0;
	*seen = true;
	return DRG_OK;
}

static void writers_lose_nothing_and_a_follower_misses_nothing(void **state)
{
	struct drg_rows rows;
	struct place *p = *state;
	int64_t *seqs = shared_memory(sizeof(int64_t) * WRITERS * ROUNDS), value = 0;
	static struct follower f;
	memset(&f, 0, sizeof f);
	put_one(p, counter(0));
	place_close(p);
	pid_t pids[WRITERS];
	for (int i = 0; i < WRITERS; i++)
		pids[i] = start(p, count_up, i, seqs);
	place_reopen(p);
	struct drg_clock clock = { 0 };
	while (clock.seq < 1 + WRITERS * ROUNDS) {
		MUST(p, feed_of_all(p->s, f.applied, follow, &f, &clock, &p->err));
		f.applied = clock.seq;
	}
	for (int i = 0; i < WRITERS; i++)
		wait_for(pids[i]);
	struct drg_record key = counter(0);
	MUST(p, drg_rows_each(drg_rows_get(&rows, p->s, &key, &p->err), take_weight, &value));
	assert_int_equal(value, WRITERS * ROUNDS);
	assert_int_equal(clock.seq, 1 + WRITERS * ROUNDS);
	assert_int_equal(f.adapters, WRITERS * ROUNDS);
	assert_int_equal(f.again, 0);

	bool used[2 + WRITERS * ROUNDS] = { false };
	for (int i = 0; i < WRITERS * ROUNDS; i++) {
		assert_true(seqs[i] > 1 && seqs[i] <= 1 + WRITERS * ROUNDS && !used[seqs[i]]);
		used[seqs[i]] = true;
	}
	munmap(seqs, sizeof(int64_t) * WRITERS * ROUNDS);
}

/* Both make the store, if the other has not yet: they must come to the same one. */
static void create_and_put(struct place *p, int me)
{
	if (drg_store_open(p->url, DRG_STORE_CREATE, &p->s, &p->err) != DRG_OK)
		_exit(2);
	put_one(p, adapter(1 + me));
	drg_store_close(p->s);
	_exit(0);
}

static void two_creators_make_one_store(void **state)
{
	struct place *p = *state;
	pid_t pids[2];
	for (int i = 0; i < 2; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			create_and_put(p, i);
	}
	for (int i = 0; i < 2; i++)
		wait_for(pids[i]);
	place_reopen(p);
	for (int i = 0; i < 2; i++) {
		struct drg_record a = adapter(1 + i);
		MUST(p, drg_store_exists(p->s, &a, &p->err));
	}
}

/* ---- kill -9 ------------------------------------------------------------------------------------------- */

enum { ROWS = 40, KILLS = 20 };

static struct drg_record numbered(int64_t id, int64_t value)
{
	struct drg_record r = counter(value);
	drg_record_set_i(&r, DRG_F_PLACE_ID, id);
	return r;
}

struct killing {
	volatile int64_t committed; /* the last number that was, as the writer knows */
	volatile int64_t writes;
};

/* Every transaction gives all rows one new number, which is told to the parent once it is committed.
 * @param writes  After so many it dies; 0: it is killed. */
static void renumber(struct place *p, int writes, void *shared)
{
	struct killing *k = shared;
	k->writes = 0;
	for (int64_t n = k->committed + 1;; n++) {
		struct drg_txn *t;
		enum drg_put_result result;
		child_must(drg_store_begin(p->s, &t, &p->err));
		for (int i = 0; i < ROWS; i++) {
			struct drg_record r = numbered(i, n);
			child_must(drg_txn_put(t, &r, &result, &p->err));
			if (++k->writes == writes)
				raise(SIGKILL);
		}
		child_must(drg_txn_commit(t, NULL, &p->err));
		k->committed = n;
	}
}

static void no_finding(void *ctx, const char *text)
{
	(void)ctx;
	fail_msg("%s", text);
}

static void a_killed_writer_leaves_whole_transactions(void **state)
{
	struct drg_rows rows;
	struct place *p = *state;
	struct killing *shared = shared_memory(sizeof *shared);
	for (int k = 0; k < KILLS; k++) {
		int64_t value = 0;
		int writes = 3 * ROWS + k * 7;
		place_close(p);
		/* Within a transaction, or where it is in this moment: at its commit. */
		bool by_itself = k % 4 < 2;
		pid_t pid = start(p, renumber, by_itself ? writes : 0, shared);
		/* On every other round the store is open when its writer dies, on the others the log is found
		 * later. */
		if (k % 2 == 0)
			place_reopen(p);
		while (!by_itself && (shared->writes < writes || shared->writes % ROWS != 0))
			;
		if (!by_itself)
			kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, NULL, 0), pid);

		if (p->s == NULL)
			place_reopen(p);
		/* A database server may still be at what it was sent: it is over when the lock is free. */
		struct drg_txn *t;
		MUST(p, drg_store_begin(p->s, &t, &p->err));
		drg_txn_rollback(t);
		struct drg_record key = numbered(0, 0);
		MUST(p, drg_rows_each(drg_rows_get(&rows, p->s, &key, &p->err), take_weight, &value));
		assert_in_range(value, shared->committed, shared->committed + 1);
		for (int i = 1; i < ROWS; i++) {
			int64_t other = 0;
			key = numbered(i, 0);
			MUST(p, drg_rows_each(drg_rows_get(&rows, p->s, &key, &p->err), take_weight, &other));
			assert_int_equal(other, value);
		}
		struct drg_clock clock;
		MUST(p, drg_store_clock(p->s, &clock, &p->err));
		assert_int_equal(clock.seq, value);
		MUST(p, drg_store_check(p->s, no_finding, NULL, &p->err));
		shared->committed = value;
	}
	munmap(shared, sizeof *shared);
}

/* ---- fairness ------------------------------------------------------------------------------------------ */

enum { ASKED = 20 };

struct turns {
	volatile int64_t theirs; /* of who asks, counted while it has its own */
	volatile int64_t asked, unfair; /* turns of the busy one at whose end another waited,
	        	and whose next one came before that */
	volatile bool begin, stop;
	volatile bool asks; /* for a transaction; who waits for a checkpoint asks for none */
};

/* By the clock of the child: it stands still else, so that nothing but who waits ends a turn early. */
static bool is_wanted(struct drg_txn *t)
{
	clock_pass_ms(50);
	for (int i = 0; i < 16; i++, clock_pass_ms(11))
		for (int looks = 0; looks < 16; looks++)
			if (drg_txn_should_commit(t))
				return true;
	return false;
}

/* As an import: one transaction after the other, without a pause. */
static void write_without_pause(struct place *p, int me, void *shared)
{
	struct turns *turns = shared;
	int64_t theirs = 0;
	bool wanted = false;
	(void)me;
	clock_stop();
	while (!turns->begin)
		sched_yield();
	for (int64_t n = 1; !turns->stop; n++) {
		struct drg_txn *t;
		enum drg_put_result result;
		child_must(drg_store_begin(p->s, &t, &p->err));
		turns->unfair += wanted && turns->theirs == theirs;
		struct drg_record r = numbered(0, n);
		child_must(drg_txn_put(t, &r, &result, &p->err));
		theirs = turns->theirs;
		wanted = is_wanted(t) && turns->asks;
		turns->asked += wanted;
		child_must(drg_txn_commit(t, NULL, &p->err));
	}
}

static void a_busy_writer_lets_others_in(void **state)
{
	struct place *p = *state;
	struct turns *turns = shared_memory(sizeof *turns);
	place_close(p);
	pid_t pid = start(p, write_without_pause, 0, turns);
	place_reopen(p);
	turns->begin = true; /* opening takes the lock too, and is no turn */
	for (int64_t i = 1; turns->asked < ASKED; i++) {
		struct drg_txn *t;
		enum drg_put_result result;
		struct drg_record r = adapter(i);
		turns->asks = true;
		MUST(p, drg_store_begin(p->s, &t, &p->err));
		turns->asks = false;
		turns->theirs++;
		MUST(p, drg_txn_put(t, &r, &result, &p->err));
		MUST(p, drg_txn_commit(t, NULL, &p->err));
	}
	turns->stop = true;
	wait_for(pid);
	assert_int_equal(turns->unfair, 0);
	munmap(turns, sizeof *turns);
}

GROUP(writers)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(two_creators_make_one_store, place_without_store,
		                                place_remove),
		cmocka_unit_test_setup_teardown(writers_lose_nothing_and_a_follower_misses_nothing,
		                                place_with_store, place_remove),
		cmocka_unit_test_setup_teardown(a_killed_writer_leaves_whole_transactions, place_with_store,
		                                place_remove),
		cmocka_unit_test_setup_teardown(a_busy_writer_lets_others_in, place_with_store, place_remove),
	};
	return run_on_every_engine("store/writers", tests);
}
