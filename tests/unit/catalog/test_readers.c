/* Readers beside a writer that adds, replaces, remaps, removes and grows. What a reader sees must hang
 * together; under ThreadSanitizer this is also the proof that every access is ordered. */
#include "records.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { IDS = 2000, DICTS = 50, ROUNDS = 40 };

struct shared {
	struct drg_catalog *c;
	atomic_bool stop;
	_Atomic uint64_t seen;
};

/* The name repeats the id, so that a torn or foreign record would be noticed. */
static void check(const struct drg_source *s)
{
	if (s->rec != NULL && (s->name_esc.n < s->id.n || memcmp(s->name_esc.p, s->id.p, s->id.n) != 0))
		abort();
}

static uint64_t read_sources(const struct drg_catalog *c, struct drg_buf *b)
{
	char text[64][16];
	struct drg_str ids[64];
	struct drg_source got[64];
	struct drg_dict d;
	const struct drg_lang_pref pref = drg_catalog_langs(c, DRG_STR("uk"));
	const struct drg_adapter *a = drg_catalog_adapter(c, 1);
	uint64_t seen = 0;
	for (size_t i = 0; i < 64; i++)
		ids[i] = drg_str(text[i], (size_t)snprintf(text[i], sizeof text[i], "%d", rand() % IDS));
	for (size_t i = 0; i < 64; i++) {
		if (!drg_catalog_source(c, a, DRG_KIND_HOTEL, ids[i], &got[i]))
			continue;
		check(&got[i]);
		if (!drg_str_eq(got[i].id, ids[i]))
			abort();
		drg_buf_clear(b);
		drg_source_json(c, &got[i], b);
		if (drg_catalog_dict_at(c, got[i].dict, &d))
			drg_dict_json(c, &d, &pref, b);
		seen++;
	}
	return seen;
}

/* A chain ends, however much it changes. */
static void read_chains(const struct drg_catalog *c)
{
	const drg_handle *h;
	struct drg_source s;
	const struct drg_adapter *a = drg_catalog_adapter(c, 1);
	size_t n = drg_catalog_kind_handles(c, DRG_KIND_HOTEL, &h), steps = 0;
	for (size_t i = 0; i < n; i++)
		for (bool more = drg_catalog_first_source(c, a, DRG_KIND_HOTEL, h[i], &s); more;
		     more = drg_catalog_next_source(c, &s, &s)) {
			check(&s);
			if (++steps > 100 * IDS)
				abort();
		}
}

static void read_small(const struct drg_catalog *c)
{
	const struct drg_adapter *a;
	const struct drg_direction *d;
	const drg_handle *h;
	struct drg_catalog_stats stats;
	struct drg_dict country;
	if (drg_catalog_adapters(c, &a) == 0 || a[0].id != 1 || a[0].code.n == 0)
		abort();
	size_t n = drg_catalog_directions(c, &d);
	for (size_t i = 1; i < n; i++)
		if (d[i - 1].dep_city >= d[i].dep_city)
			abort();
	const struct drg_key *k = drg_catalog_key(c, DRG_STR("aa"));
	if (k != NULL && k->id != 1)
		abort();
	if (drg_catalog_dict(c, DRG_KIND_COUNTRY, 1, &country))
		drg_catalog_country_hotels(c, country.handle, &h);
	drg_catalog_stats(c, &stats);
	if (drg_catalog_seq(c) < 1 || strncmp(drg_catalog_epoch(c), "epoch", 5) != 0)
		abort();
	(void)drg_catalog_list_version(c);
}

static void *reader(void *arg)
{
	struct shared *s = arg;
	struct drg_buf b;
	drg_buf_init(&b, 1 << 20);
	while (!atomic_load(&s->stop)) {
		drg_read_lock();
		drg_read_lock(); /* sections nest */
		uint64_t seen = read_sources(s->c, &b);
		drg_read_unlock();
		read_chains(s->c);
		read_small(s->c);
		drg_read_unlock();
		atomic_fetch_add(&s->seen, seen);
	}
	drg_buf_done(&b);
	return NULL;
}

static void write_source(struct drg_catalog *c, int i, int round)
{
	char id[16], name[48], city[32];
	snprintf(id, sizeof id, "%d", i);
	snprintf(name, sizeof name, "%d name %d", i, round % 3);
	snprintf(city, sizeof city, "City %d", (i + round) % 30);
	struct drg_record r = source(1, DRG_KIND_HOTEL, id, name);
	drg_record_set_s(&r, DRG_F_CITY_NAME, drg_str_c(city));
	if ((i + round) % 4 != 0)
		drg_record_set_i(&r, DRG_F_DICT_ID, (i * 7 + round) % DICTS);
	r.deleted = (i + round) % 11 == 0;
	apply(c, &r);
}

static void write_small(struct drg_catalog *c, int round)
{
	char text[64], epoch[32];
	struct drg_err err = { 0 };
	struct drg_record r = adapter(1, round % 2 == 0 ? "even" : "odd");
	apply(c, &r);
	r = direction(1, round % 10, 1);
	r.deleted = round % 3 == 0;
	apply(c, &r);
	drg_record_init(&r, &drg_types[DRG_TYPE_API_KEY]);
	drg_record_set_i(&r, DRG_F_ID, 1);
	drg_record_set_i(&r, DRG_F_API, DRG_API_A);
	drg_record_set_s(&r, DRG_F_KEY_HASH, DRG_STR("aa"));
	r.deleted = round % 2 == 0;
	apply(c, &r);
	r = dict(DRG_KIND_COUNTRY, 1, "{\"en\":\"Turkey\"}");
	apply(c, &r);
	for (int i = 0; i < DICTS; i++) {
		snprintf(text, sizeof text, "{\"en\":\"Hotel %d\",\"x%d\":\"%d\"}", i, round, round);
		r = dict_hotel(i, text, 1 + round % 2, 1, 1);
		r.deleted = (i + round) % 7 == 0;
		apply(c, &r);
	}
	snprintf(epoch, sizeof epoch, "epoch %d", round / 10);
	assert_int_equal(drg_catalog_publish(c, round + 1, epoch, &err), DRG_OK);
}

static void readers_see_whole_records(void **state)
{
	(void)state;
	struct shared s = { .c = new_catalog(0) };
	pthread_t thread[2];
	write_small(s.c, 0);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, reader, &s), 0);
	for (int round = 1; round <= ROUNDS; round++) {
		for (int i = 0; i < IDS * round / ROUNDS; i++)
			write_source(s.c, i, round);
		write_small(s.c, round);
	}
	while (atomic_load(&s.seen) == 0)
		;
	atomic_store(&s.stop, true);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
	drg_catalog_free(s.c);
}

/* A writer waits for the sections that were under way, and not for the dead. */
struct section {
	atomic_bool inside, waited_for, leave, left;
};

static void *one_section(void *arg)
{
	struct section *s = arg;
	drg_read_lock();
	atomic_store(&s->inside, true);
	while (!atomic_load(&s->leave))
		;
	atomic_store(&s->left, true);
	drg_read_unlock();
	return NULL;
}

static void *let_go(void *arg)
{
	struct section *s = arg;
	while (!atomic_load(&s->waited_for))
		;
	a_moment();
	atomic_store(&s->leave, true);
	return NULL;
}

static void the_writer_waits_for_readers(void **state)
{
	(void)state;
	struct section s = { .inside = false };
	pthread_t reading, releasing;
	assert_int_equal(pthread_create(&reading, NULL, one_section, &s), 0);
	while (!atomic_load(&s.inside))
		;
	assert_int_equal(pthread_create(&releasing, NULL, let_go, &s), 0);
	atomic_store(&s.waited_for, true);
	drg_read_synchronize();
	assert_true(atomic_load(&s.left));
	pthread_join(reading, NULL);
	pthread_join(releasing, NULL);
	drg_read_synchronize();
}

struct reading {
	atomic_bool inside, done;
};

static void *read_until_done(void *arg)
{
	struct reading *x = arg;
	drg_read_lock();
	atomic_store(&x->inside, true);
	wait_until(atomic_load(&x->done));
	drg_read_unlock();
	return NULL;
}

/* Tables grow, adapters are published: somebody else's read section, of another catalog, is none of its
 * business. */
static void who_is_alone_with_a_catalog_waits_for_nobody(void **state)
{
	(void)state;
	struct reading x = { .done = false };
	const struct drg_catalog_options o = { .max_bytes = 64 << 20, .alone = true };
	struct drg_catalog *c = NULL;
	pthread_t other;
	assert_int_equal(pthread_create(&other, NULL, read_until_done, &x), 0);
	wait_until(atomic_load(&x.inside));
	assert_int_equal(drg_catalog_new(&o, &c, NULL), DRG_OK);
	for (int64_t id = 1; id <= 200; id++) {
		struct drg_record a = adapter(id, "a"), d = dict(DRG_KIND_MEAL, id, "{\"en\":\"n\"}");
		apply(c, &a);
		apply(c, &d);
		publish(c, id);
	}
	for (int64_t id = 1; id <= 20000; id++) {
		struct drg_record d = dict(DRG_KIND_CITY, id, "{\"en\":\"n\"}");
		apply(c, &d);
	}
	drg_catalog_free(c);
	atomic_store(&x.done, true);
	assert_int_equal(pthread_join(other, NULL), 0);
}

GROUP(readers)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(readers_see_whole_records),
		cmocka_unit_test(the_writer_waits_for_readers),
		cmocka_unit_test(who_is_alone_with_a_catalog_waits_for_nobody),
	};
	return cmocka_run_group_tests_name("catalog readers", tests, NULL, NULL);
}
