/* Two servers of one store in one thread (writer, follower, retries, decisions, matcher, keys and sessions)
 * on a disk that fails, by clocks that jump, with clients that check what the servers told them. A seed
 * determines the order of steps, the failures and what the clients want, so a seed that fails once fails
 * again.
 *
 *     simulate FIRST [COUNT]
 *
 * What holds after each step, and again when all is quiet:
 *   what was acknowledged is in the store for ever, and in the catalog when it was acknowledged (decision M9);
 *   what was answered not_stored never was; a batch of decisions is there whole or not at all (M28);
 *   a retry gets the same bytes (M24); a decision on an older version is refused (C4);
 *   a copy that is kept by the change feed equals the store (F1 to F7), and no record is created twice in it;
 *   who has a key or a session is let in by the server that said so, until it ends, and never afterwards;
 *   all that is new is matched, once, and what people decided stays (M36);
 *   the catalogs equal the store, and the store is sound. */
#include "sim.h"

#include <assert.h>
#include <sys/random.h>
#include <unistd.h>

#include "admin/check.h"
#include "base/log.h"
#include "import/import.h"

/* ---- steps --------------------------------------------------------------------------------------------- */

static bool step_worker(void)
{
	struct drg_worker *due[SERVERS * 4];
	unsigned n = 0;
	for (struct drg_worker *x = w.workers.first; x != NULL; x = x->next)
		if (drg_worker_is_due(x))
			due[n++] = x;
	if (n > 0)
		drg_worker_make_step(due[below(n)]);
	return n > 0;
}

static void clocks_advance(int64_t ns)
{
	now_ns += ns;
	wall_ns += ns;
	latest_us = wall_ns / 1000 > latest_us ? wall_ns / 1000 : latest_us;
}

static void pass_time(void)
{
	clocks_advance((one_in(8) ? 11000 : 1 + below(40)) * INT64_C(1000000));
}

/* In the middle of a worker's step that waits for another's. */
static void let_others_step(void)
{
	if (!step_worker())
		pass_time();
}

/* Hours go by, or somebody sets the wall clock. */
static void clock_jump(void)
{
	const int64_t minute = 60 * INT64_C(1000000000), far = (1 + below(200)) * minute;
	const unsigned how = below(3);
	tell("%d min", (int)(far / minute) * (how == 1 ? -1 : 1));
	done.jumps++;
	if (how == 0)
		now_ns += far;
	wall_ns += how == 1 ? -far : far;
	latest_us = wall_ns / 1000 > latest_us ? wall_ns / 1000 : latest_us;
}

static void stop_in_order(void)
{
	struct server *v = server_any();
	server_stop(v);
	server_start(v);
	done.restarts++;
}

/* All processes end. What the system has in memory stays, or power is lost. */
static void all_end(bool power)
{
	tell("all processes%s", power ? ", and power" : "");
	disk_die();
	processes_end();
	if (power)
		disk_lose_power();
	disk_revive();
	*(power ? &done.power_losses : &done.kills) += 1;
	servers_start();
}

static void be_killed(void)
{
	struct server *v = server_any();
	unsigned how = below(8);
	if (how < 4) {
		tell("one server");
		disk_die();
		server_stop(v);
		disk_revive();
		done.kills++;
		server_start(v);
	} else {
		all_end(how > 4);
	}
}

static void fail_soon(void)
{
	struct disk_failure f = {
		.n = 1 + below(3), .full = one_in(3), .syncs = one_in(3), .deadly = one_in(4)
	};
	f.in = 1 + below(f.syncs ? 4 : 30);
	tell("the next %u after %u, full: %d, only fsync: %d, all processes end: %d", f.n, f.in - 1, f.full,
	     f.syncs, f.deadly);
	disk_fail(&f);
}

static const struct {
	const char *name;
	void (*run)(void);
	unsigned weight;
} steps[] = {
	{ "register", send_registration, 14 },
	{ "decide", send_decisions, 10 },
	{ "pass time", pass_time, 14 },
	{ "access", send_access, 10 },
	{ "clock", clock_jump, 2 },
	{ "import", import_something, 3 },
	{ "feed", follow_feed, 6 },
	{ "fail", fail_soon, 5 },
	{ "heal", disk_heal, 4 },
	{ "restart", stop_in_order, 1 },
	{ "kill", be_killed, 2 },
	{ "start", servers_start, 6 },
};

static void make_step(void)
{
	unsigned all = 0, at = 0;
	for (size_t i = 0; i < DRG_ARRAY_LEN(steps); i++)
		all += steps[i].weight;
	doing = "work";
	if (one_in(2) && step_worker())
		return;
	for (unsigned n = below(all); n >= steps[at].weight; at++)
		n -= steps[at].weight;
	doing = steps[at].name;
	steps[at].run();
}

enum { QUIET = 30 }; /* times that nothing is left to do, 0.7 s from each other */

/* ---- when all is quiet --------------------------------------------------------------------------------- */

static void settle(void)
{
	disk_heal();
	servers_start();
	for (unsigned i = 0; i < SERVERS; i++)
		hold(w.servers[i].up, "a server does not start", "");
	for (unsigned quiet = 0; quiet < QUIET; quiet++) {
		for (unsigned n = 0; n < 1000 && step_worker(); n++)
			;
		clocks_advance(700 * INT64_C(1000000));
	}
	access_settled();
	look_at_access();
	for (unsigned i = 0; i < w.n_attempts; i++)
		hold(!w.attempts[i].under_way, "a registration was never answered", w.attempts[i].body->name);
	for (unsigned i = 0; i < w.n_wishes; i++)
		hold(w.wishes[i].fate != WAITING, "a decision was never answered", w.wishes[i].why);
}

static void look_at_batches(struct drg_store *s)
{
	struct drg_rows rows;
	const struct drg_filter events = { .type = &drg_types[DRG_TYPE_MAPPING_EVENT] };
	unsigned n[REQUESTS + 1] = { 0 };
	for (drg_rows_scan(&rows, s, &events, NULL); drg_rows_next(&rows);) {
		struct drg_str why = drg_record_s(&rows.row.r, DRG_F_WHY);
		if (why.n > 1 && why.p[0] == 'D')
			n[number_in(why)]++;
	}
	hold(drg_rows_end(&rows) == DRG_OK, "no history", "");
	for (unsigned i = 0; i < w.n_wishes; i++) {
		const struct wish *x = &w.wishes[i];
		bool whole = n[i + 1] == x->changed, none = n[i + 1] == 0;
		hold(x->fate == STORED ? whole
		     : x->fate == LOST ? none
		                       : whole || none,
		     "a batch is not whole", x->why);
	}
}

static void look_at_records(const struct shown *s)
{
	for (unsigned i = 0; i < IDS; i++) {
		const struct body *b = s->owner[i] > 0 ? &w.bodies[s->owner[i] - 1] : NULL;
		hold(b != NULL || !w.is_there[i], "acknowledged and lost", "");
		hold(b == NULL || b->stored || b->unknown, "answered not_stored, and stored",
		     b != NULL ? b->name : "");
	}
	for (unsigned i = 0; i < PLAIN; i++)
		hold(s->plain[i] || !w.is_there[IDS + i], "acknowledged and lost", "");
}

static struct drg_store *store_open(void)
{
	struct drg_err err;
	struct drg_store *s = NULL;
	if (drg_store_open(w.url, DRG_STORE_WRITE, &s, &err) != DRG_OK)
		broken("the store cannot be opened", err.message);
	return s;
}

static void found(void *ctx, const char *text)
{
	(void)ctx;
	broken("check", text);
}

static void look_at_everything(void)
{
	struct drg_store *s = store_open();
	const struct shown store = shown_by_store(s);
	const struct drg_check_options o = { .finding = found };
	uint64_t findings;
	look_at_records(&store);
	look_at_batches(s);
	for (unsigned i = 0; i < SERVERS; i++) {
		const struct shown catalog = shown_by_catalog(&w.servers[i]);
		hold(memcmp(&store, &catalog, sizeof store) == 0, "a catalog is not the store", "");
	}
	look_at_matching(s);
	for (unsigned n = 0; read_page(s); n++)
		hold(n < 1000, "the feed has no end", "");
	for (unsigned i = 0; i < IDS + PLAIN; i++)
		hold(w.copy[i] == (i < IDS ? store.owner[i] > 0 : store.plain[i - IDS]),
		     "the copy is not the store", "");
	hold(memcmp(w.copied, store.mapped, sizeof w.copied) == 0, "the copy's mappings are not the store's",
	     "");
	hold(drg_check(s, &o, &findings, NULL) == DRG_OK, "the store cannot be checked", "");
	drg_store_close(s);
}

/* ---- a seed -------------------------------------------------------------------------------------------- */

static void copy_file(const char *from, const char *to)
{
	char buf[1 << 16];
	FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
	hold(in != NULL && out != NULL, "no file", to);
	for (size_t n; (n = fread(buf, 1, sizeof buf, in)) > 0;)
		hold(fwrite(buf, 1, n, out) == n, "no room", to);
	fclose(in);
	hold(fclose(out) == 0, "no room", to);
}

static void remove_store(void)
{
	static const char *const suffixes[] = { "", "-wal", "-shm", ".lock", ".import" };
	char path[PATH + 16];
	for (size_t i = 0; i < DRG_ARRAY_LEN(suffixes); i++) {
		snprintf(path, sizeof path, "%s%s", w.path, suffixes[i]);
		(void)unlink(path);
	}
}

static void world_begin(uint64_t number)
{
	seed = number;
	w.chance = w.random = number * UINT64_C(0x2545f4914f6cdd1d);
	now_ns = wall_ns = INT64_C(1700000000000000000);
	latest_us = wall_ns / 1000;
	remove_store();
	disk_forget();
	copy_file(w.pattern, w.path);
	w.n_bodies = w.n_attempts = w.n_wishes = 0;
	memset(w.bodies, 0, sizeof w.bodies);
	memset(w.is_there, 0, sizeof w.is_there);
	memset(w.version, 0, sizeof w.version);
	memset(w.credentials, 0, sizeof w.credentials);
	w.n_credentials = 0;
	w.has_cursor = w.placed = false;
}

static void world_end(void)
{
	processes_end();
	access_done();
	for (unsigned i = 0; i < w.n_attempts; i++)
		drg_buf_done(&w.attempts[i].out);
}

static void simulate(uint64_t number)
{
	world_begin(number);
	servers_start();
	for (unsigned i = 0; i < STEPS; i++) {
		make_step();
		if (disk_is_dead())
			all_end(one_in(3));
		look_at_access();
		w.placed = w.placed || matcher_has_begun();
		done.steps++;
	}
	doing = "settle";
	settle();
	doing = "look";
	look_at_everything();
	world_end();
}

static void people_make(void)
{
	static const char *const names[PEOPLE] = { "ann", "bob" };
	struct drg_store *s = store_open();
	for (unsigned i = 0; i < PEOPLE; i++) {
		struct drg_person_addition a = { .name = drg_str_c(names[i]), .role = DRG_PERSON_ADMIN };
		hold(drg_txn_run(s, drg_person_add, &a, NULL) == DRG_OK, "no person", names[i]);
		w.people[i] = a.id;
	}
	drg_store_close(s);
}

/* What is random to the program follows from the seed too. */
__attribute__((visibility("default"))) ssize_t getrandom(void *to, size_t n, unsigned flags)
{
	unsigned char *bytes = to;
	(void)flags;
	for (size_t i = 0; i < n; i++) {
		w.random = w.random * UINT64_C(6364136223846793005) + 1;
		bytes[i] = (unsigned char)(w.random >> 56);
	}
	return (ssize_t)n;
}

static void pattern_make(void)
{
	char data[PATH];
	const char *files[] = { data };
	struct drg_import_sums sums;
	struct drg_err err;
	snprintf(data, sizeof data, "%s/mini.ndjson", getenv("DRG_FIXTURES"));
	snprintf(w.pattern, sizeof w.pattern, "%s/pattern.db", w.folder);
	snprintf(w.path, sizeof w.path, "%s/t.db", w.folder);
	snprintf(w.url, sizeof w.url, "sqlite:%s", w.pattern);
	const struct drg_import_options o = {
		.store_url = w.url, .dir = w.folder, .files = files, .n_files = 1
	};
	if (drg_import(&o, &sums, &err) != DRG_OK)
		broken("the fixture cannot be imported", err.message);
	people_make();
	snprintf(w.url, sizeof w.url, "sqlite:%s", w.path);
}

static void say_counts(uint64_t seeds)
{
	const struct {
		const char *what;
		unsigned long n;
	} counts[] = {
		{ "steps", done.steps },
		{ "acknowledged", done.acknowledged },
		{ "not stored", done.lost },
		{ "unknown", done.unknown },
		{ "not visible", done.unseen },
		{ "refused", done.refused },
		{ "replayed", done.replayed },
		{ "keys and sessions ended", done.ended },
		{ "mapped by the matcher", done.mapped },
		{ "pages", done.pages },
		{ "jumps of the clock", done.jumps },
		{ "restarts", done.restarts },
		{ "kills", done.kills },
		{ "power losses", done.power_losses },
		{ "writes", disk_counts.writes },
		{ "syncs", disk_counts.syncs },
		{ "failures", disk_counts.failures },
		{ "sectors lost", disk_counts.sectors_lost },
	};
	printf("%" PRIu64 " seeds", seeds);
	for (size_t i = 0; i < DRG_ARRAY_LEN(counts); i++)
		printf(", %lu %s", counts[i].n, counts[i].what);
	putchar('\n');
}

int main(int argc, char **argv)
{
	uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	const char *tmp = getenv("TMPDIR");
	snprintf(w.folder, sizeof w.folder, "%s/dragoman-sim-XXXXXX", tmp != NULL ? tmp : "/tmp");
	hold(mkdtemp(w.folder) != NULL, "no folder", w.folder);
	pattern_make();
	drg_log_set_level(DRG_LOG_ERROR);
	telling = getenv("DRG_SIM_LOG") != NULL;
	if (!telling)
		hold(freopen("/dev/null", "w", stderr) != NULL, "nowhere to log to", "");
	disk_begin(draw);
	drg_clock_set_fixed(&now_ns, &wall_ns);
	w.workers.others = let_others_step;
	drg_worker_step_by_hand(&w.workers);
	for (uint64_t i = first; i < first + count; i++)
		simulate(i);
	say_counts(count);
	remove_store();
	(void)unlink(w.pattern);
	return 0;
}
