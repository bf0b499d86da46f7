/* tests/unit/store/place.h
 * A fresh store for each test, on every engine, and records to put into it. */
#pragma once
#include "../sample.h"
#include "../unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/postgres/pq.h"
#include "store/store.h"

/** Where a test keeps its store: a folder of its own, removed with all in it. */
struct place {
	char dir[64];
	char url[256];
	char database[64]; /**< on PostgreSQL; "" */
	struct drg_store *s; /**< open for writing */
	struct drg_err err;
};

/** One engine under test: its name, and the URL of a store that does not exist yet. */
struct engine {
	const char *name;
	void (*url)(struct place *p);
	/** Keep the state of a store that nobody has open, and put it back. */
	void (*backup)(struct place *p);
	void (*restore)(struct place *p);
	bool settles; /**< does it know for certain what became of a commit? */
};

static void sqlite_url(struct place *p)
{
	snprintf(p->url, sizeof p->url, "sqlite:%s/t.db", p->dir);
}

static inline void in_folder(const struct place *p, const char *command)
{
	char line[512];
	snprintf(line, sizeof line, "cd %s && %s", p->dir, command);
	assert_int_equal(system(line), 0);
}

static inline void sqlite_backup(struct place *p)
{
	in_folder(p, "cp t.db backup");
}

static inline void sqlite_restore(struct place *p)
{
	in_folder(p, "rm -f t.db*; cp backup t.db");
}

/* tests/pg_cluster tells where a server is; without one there are no tests on PostgreSQL. */
static inline void DRG_PRINTF(1, 2) postgres_do(const char *fmt, ...)
{
	va_list args;
	char sql[256];
	PGconn *c = PQconnectdb(getenv("DRG_TEST_POSTGRES"));
	va_start(args, fmt);
	vsnprintf(sql, sizeof sql, fmt, args);
	va_end(args);
	PGresult *res = PQexec(c, sql);
	if (PQresultStatus(res) != PGRES_COMMAND_OK)
		fail_msg("%s: %s", sql, PQerrorMessage(c));
	PQclear(res);
	PQfinish(c);
}

static inline void postgres_url(struct place *p)
{
	static unsigned made;
	const char *server = getenv("DRG_TEST_POSTGRES"), *slash = strrchr(server, '/');
	snprintf(p->database, sizeof p->database, "unit_%d_%u", (int)getpid(), made++);
	snprintf(p->url, sizeof p->url, "%.*s/%s", (int)(slash - server), server, p->database);
	postgres_do("CREATE DATABASE %s", p->database);
}

static inline void postgres_backup(struct place *p)
{
	postgres_do("CREATE DATABASE %s_backup TEMPLATE %s", p->database, p->database);
}

static inline void postgres_restore(struct place *p)
{
	postgres_do("DROP DATABASE %s WITH (FORCE)", p->database);
	postgres_do("ALTER DATABASE %s_backup RENAME TO %s", p->database, p->database);
}

static const struct engine engines[] = {
	{ "sqlite", sqlite_url, sqlite_backup, sqlite_restore, false },
	{ "postgresql", postgres_url, postgres_backup, postgres_restore, true },
};
static const struct engine *engine = &engines[0];

/** The call must succeed; says why it did not. */
#define MUST(p, call) must((p), (call), #call, __LINE__)

static inline void must(struct place *p, int rc, const char *call, int line)
{
	if (rc != DRG_OK)
		fail_msg("line %d: %s: %d %s", line, call, rc, p->err.message);
}

static inline int place_without_store(void **state)
{
	struct place *p = calloc(1, sizeof *p);
	if (mkdtemp(temp_path("dragoman-test-XXXXXX", p->dir, sizeof p->dir)) == NULL)
		return -1;
	engine->url(p);
	*state = p;
	return 0;
}

static inline int place_with_store(void **state)
{
	if (place_without_store(state) != 0)
		return -1;
	struct place *p = *state;
	return drg_store_open(p->url, DRG_STORE_CREATE, &p->s, &p->err);
}

static inline void place_close(struct place *p)
{
	drg_store_close(p->s);
	p->s = NULL;
}

static inline void place_reopen(struct place *p)
{
	place_close(p);
	MUST(p, drg_store_open(p->url, DRG_STORE_WRITE, &p->s, &p->err));
}

static inline int place_remove(void **state)
{
	struct place *p = *state;
	drg_store_close(p->s);
	char cmd[96];
	snprintf(cmd, sizeof cmd, "rm -rf %s", p->dir);
	int rc = system(cmd);
	if (p->database[0] != '\0')
		postgres_do("DROP DATABASE %s WITH (FORCE)", p->database);
	free(p);
	return rc;
}

/** A group of tests once on each engine. */
#define run_on_every_engine(group, tests)                                                                    \
	run_group_on_every_engine((group), (tests), sizeof(tests) / sizeof((tests)[0]))

static inline int run_group_on_every_engine(const char *group, const struct CMUnitTest *tests, size_t n)
{
	int failed = 0;
	for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
		char name[64];
		engine = &engines[i];
		if (engine->url == postgres_url && getenv("DRG_TEST_POSTGRES") == NULL)
			continue;
		snprintf(name, sizeof name, "%s on %s", group, engine->name);
		failed += _cmocka_run_group_tests(name, tests, n, NULL, NULL);
	}
	return failed;
}

/** A test that begins with a new store, open for writing. */
#define on_new_store(test) cmocka_unit_test_setup_teardown(test, place_with_store, place_remove)

/** The feed of all types. */
static inline int feed_of_all(struct drg_store *s, int64_t since, drg_row_fn *fn, void *ctx,
                              struct drg_clock *ret_clock, struct drg_err *reterr)
{
	struct drg_feed_place place = { since, DRG_FEED_END, 0 };
	struct drg_clock clock;
	int rc = drg_store_feed_from(s, (1U << DRG_TYPE_COUNT) - 1, &place, fn, ctx, &clock, reterr);
	if (rc == DRG_OK && ret_clock != NULL)
		*ret_clock = clock;
	return rc;
}

/* ---- records ------------------------------------------------------------------------------------------- */

static inline struct drg_record blank(enum drg_type_id type)
{
	struct drg_record r;
	memset(&r, 0, sizeof r);
	drg_record_init(&r, &drg_types[type]);
	return r;
}

/** Set the required fields that a record lacks. */
static inline void complete(struct drg_record *r)
{
	static char room[64][SAMPLE_ROOM];
	sample_required(r, 0, room);
}

static inline struct drg_record dict(enum drg_kind kind, int64_t id)
{
	struct drg_record r = blank(DRG_TYPE_DICT);
	drg_record_set_i(&r, DRG_F_KIND, kind);
	drg_record_set_i(&r, DRG_F_ID, id);
	drg_record_set_s(&r, DRG_F_NAMES, DRG_STR("{\"en\":\"Name\"}"));
	complete(&r);
	return r;
}

/** @param id  Borrowed. */
static inline struct drg_record source(int64_t adapter, enum drg_kind kind, const char *id)
{
	struct drg_record r = blank(DRG_TYPE_SOURCE);
	drg_record_set_i(&r, DRG_F_ADAPTER_ID, adapter);
	drg_record_set_i(&r, DRG_F_KIND, kind);
	drg_record_set_s(&r, DRG_F_SOURCE_ID, drg_str_c(id));
	drg_record_set_s(&r, DRG_F_NAME, DRG_STR("NAME"));
	drg_record_set_s(&r, DRG_F_LANG, DRG_STR("en"));
	return r;
}

static inline struct drg_record mapped(int64_t adapter, enum drg_kind kind, const char *id, int64_t dict_id)
{
	struct drg_record r = source(adapter, kind, id);
	drg_record_set_i(&r, DRG_F_DICT_ID, dict_id);
	return r;
}

static inline struct drg_record adapter(int64_t id)
{
	struct drg_record r = blank(DRG_TYPE_ADAPTER);
	drg_record_set_i(&r, DRG_F_ID, id);
	drg_record_set_s(&r, DRG_F_CODE, DRG_STR("code"));
	drg_record_set_s(&r, DRG_F_NAME, DRG_STR("Adapter"));
	drg_record_set_i(&r, DRG_F_DOMAIN, DRG_DOMAIN_TOUR);
	drg_record_set_i(&r, DRG_F_STAGE, DRG_STAGE_LIVE);
	return r;
}

static inline struct drg_record gone(struct drg_record r)
{
	r.deleted = true;
	return r;
}

/** Put records in one transaction. @return its seq. */
static inline int64_t put_all(struct place *p, const struct drg_record *r, size_t n)
{
	struct drg_txn *t;
	enum drg_put_result result;
	struct drg_clock commit;
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	for (size_t i = 0; i < n; i++)
		MUST(p, drg_txn_put(t, &r[i], &result, &p->err));
	MUST(p, drg_txn_commit(t, &commit, &p->err));
	return commit.seq;
}

/** Put one record in its own transaction. */
static inline enum drg_put_result put_one(struct place *p, struct drg_record r)
{
	struct drg_txn *t;
	enum drg_put_result result = DRG_PUT_SAME;
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_put(t, &r, &result, &p->err));
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	return result;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/** Rows that were given, by their labels ("source 7 hotel 1001"), with their metas. */
struct rows {
	unsigned n;
	struct {
		char label[96];
		bool deleted;
		struct drg_row_meta m;
	} row[64];
};

static inline int collect(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct rows *got = ctx;
	if (got->n == sizeof got->row / sizeof got->row[0])
		return DRG_ELIMIT;
	drg_record_label(r, got->row[got->n].label, sizeof got->row[0].label);
	got->row[got->n].deleted = r->deleted;
	got->row[got->n].m = *m;
	got->n++;
	return DRG_OK;
}

static inline int by_label(const void *a, const void *b)
{
	return strcmp(a, b); /* the label stands first */
}

/** Where the order is the engine's. */
static inline void sort_rows(struct rows *got)
{
	qsort(got->row, got->n, sizeof got->row[0], by_label);
}

/** Labels in order, NULL at the end. */
static inline void assert_rows(const struct rows *got, const char *const *want)
{
	unsigned n = 0;
	for (; want[n] != NULL; n++) {
		assert_true(n < got->n);
		assert_string_equal(got->row[n].label, want[n]);
	}
	assert_int_equal(got->n, n);
}
