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
#include "decide/history.h"
#include "access/key_check.h"
#include "access/keys.h"
#include "access/people.h"
#include "access/session.h"
#include "disk.h"
#include "matching/live/automatch.h"
#include "server/changes/page.h"
#include "server/register.h"
#include "server/write.h"

enum {
	STEPS = 160, /* of a seed */
	SERVERS = 2, /* of the store */
	IDS = 16, /* that clients register, so that they meet */
	PLAIN = 8, /* as many whose name the reference has, so that the matcher is certain */
	REQUESTS = 64, /* of a seed, of each sort */
	ELEMENTS = 3, /* of a request */
	HOTELS = 3,
	TARGETS = 4,
	ADAPTER = 7,
	PLAIN_DICT = 2, /* what they are mapped to */
	PEOPLE = 2,
	CREDENTIALS = 24, /* keys and sessions, of a seed */
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
	bool plain; /* its ids are those whose name the reference has */
	bool stored, unknown; /* an attempt was answered so */
	char kept[256]; /* what was answered to it */
};

struct server {
	struct drg_follower *follower;
	struct drg_writer *writer;
	struct drg_retries *retries;
	struct drg_automatch *automatch;
	bool up, loaded;
};

struct attempt {
	struct server *at;
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

/* A key, or the token of a session. */
struct credential {
	bool is_key;
	char text[DRG_SESSION_TOKEN]; /* "": none was made */
	int64_t id; /* of the key; of the person */
	enum fate made, ended; /* what those were told who asked for it */
	unsigned enders; /* that are under way, or may have ended it */
	unsigned made_at, ended_at; /* servers that have told so, a bit each */
	int64_t until_us; /* works no longer than that */
	struct drg_session_claim claim;
	struct drg_key_memo memo;
};

extern const char *const hotels[HOTELS];
extern const int64_t targets[TARGETS];

extern struct world {
	char folder[PATH / 2], pattern[PATH], path[PATH], url[PATH + 8];
	struct drg_stepped workers;
	struct server servers[SERVERS];
	uint64_t chance, random; /* of what is simulated; of the program */
	struct drg_store *other,
	        *reader; /* of another process; of the client of the feed; NULL: to be opened */

	struct body bodies[REQUESTS];
	unsigned n_bodies;
	struct attempt attempts[REQUESTS];
	unsigned n_attempts;
	struct wish wishes[REQUESTS];
	unsigned n_wishes;
	bool is_there[IDS + PLAIN]; /* acknowledged */
	struct credential credentials[CREDENTIALS];
	unsigned n_credentials;
	int64_t people[PEOPLE]; /* their ids */
	bool placed; /* the matcher has begun: from now on all that is new is matched */
	int64_t version[HOTELS]; /* the last that was told; 0: none */

	/* A client of the change feed. */
	struct drg_cursor cursor;
	bool has_cursor;
	bool copy[IDS + PLAIN];
	int64_t copied[HOTELS]; /* what it is mapped to; 0: nothing */
} w;

extern _Atomic int64_t now_ns, wall_ns;
extern int64_t latest_us; /* that the wall clock has shown */
extern struct done {
	unsigned long steps, acknowledged, lost, unknown, unseen, refused, replayed, restarts, kills,
	        power_losses, pages, ended, mapped, jumps;
} done;

extern uint64_t seed;
extern const char *doing; /* the step that is made */
extern bool telling; /* DRG_SIM_LOG is set: one seed is looked at */

DRG_PRINTF(1, 2)
void tell(const char *fmt, ...);
/** The end: what was promised does not hold. */
_Noreturn void broken(const char *what, const char *which);
void hold(bool holds, const char *what, const char *which);

/** That behind the letter. */
unsigned number_in(struct drg_str name);
/** The number of a registered id: from IDS on those that the matcher is certain of; IDS + PLAIN: it is none. */
unsigned id_number(struct drg_str id);
/** The number of a hotel; -1: it is none. */
int hotel_number(struct drg_str id);

/* ---- what a store or the catalog shows ----------------------------------------------------------------- */

struct shown {
	unsigned owner[IDS]; /* the body it came with, from 1; 0: it is not there */
	bool plain[PLAIN]; /* it is there */
	int64_t plain_mapped[PLAIN];
	int64_t mapped[HOTELS];
};
struct shown shown_by_catalog(const struct server *v);
struct shown shown_by_store(struct drg_store *s);

/* ---- the server, and handles of others ----------------------------------------------------------------- */

/** Where it does not run. It may not come up: the disk may fail. */
void server_start(struct server *v);
void server_stop(struct server *v);
void servers_start(void);
/** All processes end: servers and others. */
void processes_end(void);
/** Does it answer? */
bool server_serves(const struct server *v);
struct server *server_any(void);
unsigned server_bit(const struct server *v);
/** @return false: the disk did not let it */
bool handle_open(enum drg_store_mode mode, struct drg_store **at);
void handle_close(struct drg_store **at);

/* ---- what clients do ----------------------------------------------------------------------------------- */

/** What its client was told. @param j  Is over. */
enum fate fate_of(const struct drg_job *j);
void send_registration(void);
void send_decisions(void);
/** Keys are made, changed and revoked, people sign in and out, or are disabled. */
void send_access(void);
/** Who has a key or a session is let in, and nobody else. */
void look_at_access(void);
/** All is quiet: what one server was told the others know. */
void access_settled(void);
void access_done(void);
/** Has a server told that the place is stored from which on all that is new is matched? */
bool matcher_has_begun(void);
/** All is quiet: what the matcher has done is right, and nothing was left out. */
void look_at_matching(struct drg_store *s);
/** Another process writes. */
void import_something(void);
void follow_feed(void);
/** A page of the change feed. @return are there more? */
bool read_page(struct drg_store *s);
