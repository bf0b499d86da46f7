#include "sim.h"
#include "store/lend.h"

#include <stdarg.h>

const char *const hotels[HOTELS] = { "1001", "1001-B", "1002" };
const int64_t targets[TARGETS] = { 55, 56, 57, 58 };
struct world w;
_Atomic int64_t now_ns;
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

unsigned id_number(struct drg_str id)
{
	return id.n > 1 && id.p[0] == 's' ? (unsigned)atoi(id.p + 1) : IDS;
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
		s->owner[i] = (unsigned)atoi(r->v[DRG_F_NAME].s.p + 1);
	if (h >= 0)
		s->mapped[h] = drg_record_i(r, DRG_F_DICT_ID, 0);
	return DRG_OK;
}

static int shown_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	return shown_take(ctx, r);
}

struct shown shown_by_catalog(void)
{
	struct shown s = { .owner = { 0 } };
	drg_read_lock();
	int rc = drg_catalog_each(drg_follower_catalog(w.follower), shown_take, &s);
	drg_read_unlock();
	hold(rc == DRG_OK, "the catalog cannot be read", "");
	return s;
}

struct shown shown_by_store(struct drg_store *s)
{
	const struct drg_filter sources = { .type = &drg_types[DRG_TYPE_SOURCE] };
	struct shown all = { .owner = { 0 } };
	struct drg_err err;
	if (drg_store_scan(s, &sources, shown_row, &all, NULL, &err) != DRG_OK)
		broken("the store cannot be read", err.message);
	return all;
}

/* ---- the server ---------------------------------------------------------------------------------------- */

static void published(void *ctx)
{
	(void)ctx;
	w.loaded = true;
	drg_writer_published(w.writer);
}

void server_start(void)
{
	if (w.up)
		return;
	const struct drg_follower_options f = {
		.store_url = w.url, .poll_ms = 20, .published = published, .catalog = { .max_bytes = 1 << 24 }
	};
	if (drg_follower_open(&f, &w.follower, NULL) != DRG_OK)
		return;
	const struct drg_writer_options o = { .store_url = w.url, .follower = w.follower };
	w.loaded = false;
	if (drg_writer_start(&o, &w.writer, NULL) != DRG_OK || drg_follower_run(w.follower, NULL) != DRG_OK ||
	    drg_retries_new(&w.retries, NULL) != DRG_OK)
		broken("the server cannot start", "memory");
	w.up = true;
}

void server_stop(void)
{
	if (!w.up)
		return;
	drg_follower_stop(w.follower);
	drg_writer_stop(w.writer);
	drg_follower_close(w.follower);
	drg_retries_free(w.retries);
	drg_store_tidy(true);
	w.up = false;
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
