/* tests/sim/sim.h
 * What the files of the simulation share: chance, what is simulated, what clients wish and were told. One
 * thread. */
#pragma once
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/worker.h"
#include "catalog/rcu.h"
#include "decide/decision.h"
#include "disk.h"
#include "server/changes/page.h"
#include "server/register.h"
#include "server/write.h"

enum {
	STEPS = 160, /* of a seed */
	IDS = 16, /* that clients register, so that they meet */
	REQUESTS = 64, /* of a seed, of each sort */
	ELEMENTS = 3, /* of a request */
	HOTELS = 3,
	TARGETS = 4,
	ADAPTER = 7,
	PATH = 256
};

/* ---- chance: everything follows from the seed ---------------------------------------------------------- */

uint64_t draw(void);
unsigned below(unsigned n);
bool one_in(unsigned n);

/* ---- the world ----------------------------------------------------------------------------------------- */

/* What became of something that was wished: nothing yet; it is stored; it is not; nobody knows. */
enum fate { WAITING, STORED, LOST, UNKNOWN };

/* Names of elements are the number of the body that they came with, so a record tells whose it is. */
struct body {
	unsigned n;
	unsigned id[ELEMENTS];
	char name[16];
	bool named; /* has an Idempotency-Key */
	bool stored, unknown; /* an attempt was answered so */
	char kept[256]; /* what was answered to it */
};

struct attempt {
	struct drg_registration g;
	struct drg_write write;
	struct drg_element e[ELEMENTS];
	struct drg_retry retry;
	struct drg_buf out;
	struct body *body;
	char id[ELEMENTS][8];
	bool under_way;
};

struct wish {
	struct drg_job job;
	struct drg_decisions all;
	struct drg_decision d[ELEMENTS];
	unsigned hotel[ELEMENTS];
	bool stale[ELEMENTS];
	char why[16];
	enum fate fate;
	unsigned changed; /* how many, where it ran */
};

extern const char *const hotels[HOTELS];
extern const int64_t targets[TARGETS];

extern struct world {
	char folder[PATH / 2], pattern[PATH], path[PATH], url[PATH + 8];
	struct drg_stepped workers;
	struct drg_follower *follower;
	struct drg_writer *writer;
	struct drg_retries *retries;
	bool up, loaded;
	uint64_t chance;
	struct drg_store *other,
	        *reader; /* of another process; of the client of the feed; NULL: to be opened */

	struct body bodies[REQUESTS];
	unsigned n_bodies;
	struct attempt attempts[REQUESTS];
	unsigned n_attempts;
	struct wish wishes[REQUESTS];
	unsigned n_wishes;
	bool is_there[IDS]; /* acknowledged */
	int64_t version[HOTELS]; /* the last that was told; 0: none */

	/* A client of the change feed. */
	struct drg_cursor cursor;
	bool has_cursor;
	bool copy[IDS];
	int64_t copied[HOTELS]; /* what it is mapped to; 0: nothing */
} w;

extern _Atomic int64_t now_ns;
extern struct done {
	unsigned long steps, acknowledged, lost, unknown, unseen, refused, replayed, restarts, kills,
	        power_losses, pages;
} done;

extern uint64_t seed;
extern const char *doing; /* the step that is made */
extern bool telling; /* DRG_SIM_LOG is set: one seed is looked at */

DRG_PRINTF(1, 2)
void tell(const char *fmt, ...);
/** The end: what was promised does not hold. */
_Noreturn void broken(const char *what, const char *which);
void hold(bool holds, const char *what, const char *which);

/** The number of a registered id; IDS: it is none. */
unsigned id_number(struct drg_str id);
/** The number of a hotel; -1: it is none. */
int hotel_number(struct drg_str id);

/* ---- what a store or the catalog shows ----------------------------------------------------------------- */

struct shown {
	unsigned owner[IDS]; /* the body it came with, from 1; 0: it is not there */
	int64_t mapped[HOTELS];
};
struct shown shown_by_catalog(void);
struct shown shown_by_store(struct drg_store *s);

/* ---- the server, and handles of others ----------------------------------------------------------------- */

/** Where it does not run. It may not come up: the disk may fail. */
void server_start(void);
void server_stop(void);
/** @return false: the disk did not let it */
bool handle_open(enum drg_store_mode mode, struct drg_store **at);
void handle_close(struct drg_store **at);

/* ---- what clients do ----------------------------------------------------------------------------------- */

void send_registration(void);
void send_decisions(void);
/** Another process writes. */
void import_something(void);
void follow_feed(void);
/** A page of the change feed. @return are there more? */
bool read_page(struct drg_store *s);
