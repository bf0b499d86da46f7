/* A server's writer, follower, retries and decisions in one thread, on a disk that fails, with clients that
 * check what the server told them. A seed determines the order of steps, the failures and what the clients
 * want, so a seed that fails once fails again.
 *
 *     simulate FIRST [COUNT]
 *
 * What holds after each step, and again when all is quiet:
 *   what was acknowledged is in the store for ever, and in the catalog when it was acknowledged (decision M9);
 *   what was answered not_stored never was; a batch of decisions is there whole or not at all (M28);
 *   a retry gets the same bytes (M24); a decision on an older version is refused (C4);
 *   a copy that is kept by the change feed equals the store (F1 to F7), and no record is created twice in it;
 *   the catalog equals the store, and the store is sound. */
#include "sim.h"

#include <assert.h>
#include <unistd.h>

#include "admin/check.h"
#include "base/log.h"
#include "import/import.h"

/* ---- steps --------------------------------------------------------------------------------------------- */

static bool step_worker(void)
{
	struct drg_worker *due[8];
	unsigned n = 0;
	for (struct drg_worker *x = w.workers.first; x != NULL && n < 8; x = x->next)
		if (drg_worker_is_due(x))
			due[n++] = x;
	if (n > 0)
		drg_worker_make_step(due[below(n)]);
	return n > 0;
}

static void pass_time(void)
{
	now_ns += (one_in(8) ? 11000 : 1 + below(40)) * INT64_C(1000000);
}

static void handles_close(void)
{
	handle_close(&w.other);
	handle_close(&w.reader);
}

static void stop_in_order(void)
{
	server_stop();
	server_start();
	done.restarts++;
}

static void be_killed(void)
{
	bool power = one_in(2);
	tell("%s", power ? "power" : "process");
	disk_die();
	server_stop();
	if (power) {
		handles_close();
		disk_lose_power();
	}
	disk_revive();
	*(power ? &done.power_losses : &done.kills) += 1;
	server_start();
}

static void fail_soon(void)
{
	unsigned in = 1 + below(30), n = 1 + below(3);
	bool full = one_in(3);
	tell("the next %u after %u, full: %d", n, in - 1, full);
	disk_fail(in, n, full);
}

static const struct {
	const char *name;
	void (*run)(void);
	unsigned weight;
	bool serving; /* only while the server is up and has loaded */
} steps[] = {
	{ "register", send_registration, 12, true },
	{ "decide", send_decisions, 8, true },
	{ "pass time", pass_time, 14, false },
	{ "import", import_something, 3, false },
	{ "feed", follow_feed, 6, false },
	{ "fail", fail_soon, 4, false },
	{ "heal", disk_heal, 4, false },
	{ "restart", stop_in_order, 1, false },
	{ "kill", be_killed, 2, false },
	{ "start", server_start, 6, false },
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
	if (!steps[at].serving || (w.up && w.loaded))
		steps[at].run();
}

/* ---- when all is quiet --------------------------------------------------------------------------------- */

static void settle(void)
{
	disk_heal();
	server_start();
	hold(w.up, "the server does not start", "");
	for (unsigned quiet = 0; quiet < 4; quiet++) {
		for (unsigned n = 0; n < 1000 && step_worker(); n++)
			;
		now_ns += 700 * INT64_C(1000000);
	}
	for (unsigned i = 0; i < w.n_attempts; i++)
		hold(!w.attempts[i].under_way, "a registration was never answered", w.attempts[i].body->name);
	for (unsigned i = 0; i < w.n_wishes; i++)
		hold(w.wishes[i].fate != WAITING, "a decision was never answered", w.wishes[i].why);
}

static int count_event(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	unsigned *n = ctx;
	struct drg_str why = r->v[DRG_F_WHY].s;
	(void)m;
	if (drg_record_has(r, DRG_F_WHY) && why.n > 1 && why.p[0] == 'D')
		n[atoi(why.p + 1)]++;
	return DRG_OK;
}

static void look_at_batches(struct drg_store *s)
{
	const struct drg_filter events = { .type = &drg_types[DRG_TYPE_MAPPING_EVENT] };
	unsigned n[REQUESTS + 1] = { 0 };
	hold(drg_store_scan(s, &events, count_event, n, NULL, NULL) == DRG_OK, "no history", "");
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
	struct shown store = shown_by_store(s), catalog = shown_by_catalog();
	const struct drg_check_options o = { .finding = found };
	uint64_t findings;
	look_at_records(&store);
	look_at_batches(s);
	hold(memcmp(&store, &catalog, sizeof store) == 0, "the catalog is not the store", "");
	for (unsigned n = 0; read_page(s); n++)
		hold(n < 1000, "the feed has no end", "");
	for (unsigned i = 0; i < IDS; i++)
		hold(w.copy[i] == (store.owner[i] > 0), "the copy is not the store", "");
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
	w.chance = number * UINT64_C(0x2545f4914f6cdd1d);
	now_ns = INT64_C(1700000000000000000);
	remove_store();
	disk_forget();
	copy_file(w.pattern, w.path);
	w.n_bodies = w.n_attempts = w.n_wishes = 0;
	memset(w.bodies, 0, sizeof w.bodies);
	memset(w.is_there, 0, sizeof w.is_there);
	memset(w.version, 0, sizeof w.version);
	w.has_cursor = false;
}

static void world_end(void)
{
	server_stop();
	handles_close();
	for (unsigned i = 0; i < w.n_attempts; i++)
		drg_buf_done(&w.attempts[i].out);
}

static void simulate(uint64_t number)
{
	world_begin(number);
	server_start();
	for (unsigned i = 0; i < STEPS; i++) {
		make_step();
		done.steps++;
	}
	doing = "settle";
	settle();
	doing = "look";
	look_at_everything();
	world_end();
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
	snprintf(w.url, sizeof w.url, "sqlite:%s", w.path);
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
	drg_clock_stand_at(&now_ns);
	drg_worker_step_by_hand(&w.workers);
	for (uint64_t i = first; i < first + count; i++)
		simulate(i);
	printf("%" PRIu64 " seeds, %lu steps: %lu acknowledged, %lu not stored, %lu unknown, %lu not "
	       "visible, %lu refused, "
	       "%lu replayed, %lu pages; %lu restarts, %lu kills, %lu power losses; %lu writes, %lu syncs, "
	       "%lu failures, "
	       "%lu sectors lost\n",
	       count, done.steps, done.acknowledged, done.lost, done.unknown, done.unseen, done.refused,
	       done.replayed, done.pages, done.restarts, done.kills, done.power_losses, disk_counts.writes,
	       disk_counts.syncs, disk_counts.failures, disk_counts.sectors_lost);
	remove_store();
	(void)unlink(w.pattern);
	return 0;
}
