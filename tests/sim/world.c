#include "sim.h"
#include "store/lend.h"

#include <stdarg.h>

const char *const hotels[HOTELS] = { "1001", "1001-B", "1002" };
const int64_t targets[TARGETS] = { 55, 56, 57, 58 };
struct world w;
_Atomic int64_t now_ns, wall_ns;
int64_t latest_us;
struct done done;
const char *doing = "begin";
bool telling;

/* ---- chance -------------------------------------------------------------------------------------------- */

uint64_t seed;

uint64_t draw(void)
{
	uint64_t x = w.chance += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

unsigned below(unsigned n)
{
	return (unsigned)(draw() % n);
}

bool one_in(unsigned n)
{
	return below(n) == 0;
}
void tell(const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	if (telling) {
		fprintf(stderr, "%lu %s: ", done.steps, doing);
		vfprintf(stderr, fmt, args);
		fputc('\n', stderr);
	}
	va_end(args);
}

_Noreturn void broken(const char *what, const char *which)
{
	printf("seed %" PRIu64 ", step %lu, %s: %s: %s\n", seed, done.steps, doing, what, which);
	exit(1);
}

void hold(bool holds, const char *what, const char *which)
{
	if (!holds)
		broken(what, which);
}

unsigned number_in(struct drg_str name)
{
	unsigned n = 0;
	for (size_t i = 1; i < name.n; i++)
		n = 10 * n + (unsigned)(name.p[i] - '0');
	return n;
}

unsigned id_number(struct drg_str id)
{
	if (id.n < 2 || (id.p[0] != 's' && id.p[0] != 'm'))
		return IDS + PLAIN;
	return number_in(id) + (id.p[0] == 'm' ? IDS : 0);
}

int hotel_number(struct drg_str id)
{
	for (int i = 0; i < HOTELS; i++)
		if (drg_str_eq(id, drg_str_c(hotels[i])))
			return i;
	return -1;
}

/* ---- what a store or a catalog shows ------------------------------------------------------------------- */

static int shown_take(void *ctx, const struct drg_record *r)
{
	struct shown *s = ctx;
	if (r->type->id != DRG_TYPE_SOURCE || r->v[DRG_F_ADAPTER_ID].i != ADAPTER)
		return DRG_OK;
	struct drg_str id = r->v[DRG_F_SOURCE_ID].s;
	unsigned i = id_number(id);
	int h = drg_record_kind(r) == DRG_KIND_HOTEL ? hotel_number(id) : -1;
	if (drg_record_kind(r) == DRG_KIND_MEAL && i < IDS)
		s->owner[i] = number_in(r->v[DRG_F_NAME].s);
	if (drg_record_kind(r) == DRG_KIND_MEAL && i >= IDS && i < IDS + PLAIN) {
		s->plain[i - IDS] = true;
		s->plain_mapped[i - IDS] = drg_record_i(r, DRG_F_DICT_ID, 0);
	}
	if (h >= 0)
		s->mapped[h] = drg_record_i(r, DRG_F_DICT_ID, 0);
	return DRG_OK;
}

struct shown shown_by_catalog(const struct server *v)
{
	struct shown s = { .owner = { 0 } };
	drg_read_lock();
	int rc = drg_catalog_each(drg_follower_catalog(v->follower), shown_take, &s);
	drg_read_unlock();
	hold(rc == DRG_OK, "the catalog cannot be read", "");
	return s;
}

struct shown shown_by_store(struct drg_store *s)
{
	struct drg_rows rows;
	const struct drg_filter sources = { .type = &drg_types[DRG_TYPE_SOURCE] };
	struct shown all = { .owner = { 0 } };
	struct drg_err err;
	for (drg_rows_scan(&rows, s, &sources, &err); drg_rows_next(&rows);)
		rows.rc = shown_take(&all, &rows.row.r);
	if (drg_rows_end(&rows) != DRG_OK)
		broken("the store cannot be read", err.message);
	return all;
}

/* ---- the server ---------------------------------------------------------------------------------------- */

static void published(void *ctx)
{
	struct server *v = ctx;
	v->loaded = true;
	drg_writer_published(v->writer);
}

void server_start(struct server *v)
{
	if (v->up)
		return;
	const struct drg_follower_options f = { .store_url = w.url,
		                                .poll_ms = 20,
		                                .published = published,
		                                .ctx = v,
		                                .catalog = { .max_bytes = 1 << 24 } };
	if (drg_follower_open(&f, &v->follower, NULL) != DRG_OK)
		return;
	const struct drg_writer_options o = { .store_url = w.url, .follower = v->follower };
	struct drg_automatch_options m = { .store_url = w.url, .automatic = true };
	v->loaded = false;
	int rc = drg_writer_start(&o, &v->writer, NULL);
	if (rc == DRG_OK)
		rc = drg_follower_run(v->follower, NULL);
	if (rc == DRG_OK)
		rc = drg_retries_new(&v->retries, NULL);
	m.writer = v->writer;
	if (rc == DRG_OK)
		rc = drg_automatch_start(&m, &v->automatch, NULL);
	hold(rc == DRG_OK, "the server cannot start", "memory");
	v->up = true;
}

void server_stop(struct server *v)
{
	if (!v->up)
		return;
	drg_automatch_stop(v->automatch);
	drg_follower_stop(v->follower);
	drg_writer_stop(v->writer);
	drg_follower_close(v->follower);
	drg_retries_free(v->retries);
	v->up = false;
}

void servers_start(void)
{
	for (unsigned i = 0; i < SERVERS; i++)
		server_start(&w.servers[i]);
}

void processes_end(void)
{
	for (unsigned i = 0; i < SERVERS; i++)
		server_stop(&w.servers[i]);
	handle_close(&w.other);
	handle_close(&w.reader);
}

bool server_serves(const struct server *v)
{
	return v->up && v->loaded;
}

struct server *server_any(void)
{
	return &w.servers[below(SERVERS)];
}

unsigned server_bit(const struct server *v)
{
	return 1u << (v - w.servers);
}

/* ---- handles of others --------------------------------------------------------------------------------- */

bool handle_open(enum drg_store_mode mode, struct drg_store **at)
{
	return *at != NULL || drg_store_open(w.url, mode, at, NULL) == DRG_OK;
}

void handle_close(struct drg_store **at)
{
	drg_store_close(*at);
	*at = NULL;
}
