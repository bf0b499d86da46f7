#include "access/throttle.h"

#include <assert.h>
#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum { SLOTS = 8192, NEAR = 8, LONGEST = 128, LINE = 32 };
#define TURN_NS (20 * DRG_SECOND_NS) /* how long the turn of the first in line lasts */
#define QUIET_NS (1800 * DRG_SECOND_NS) /* after this time without a try, counts are forgotten */

/* by_address: many people may share an address. by_name: a stranger must not be able to shut out a name for
 * long. by_name is also the rule for a name at an address from which it has signed in. */
static const struct throttle_rule {
	unsigned free; /* tries before the first wait */
	unsigned longest_s;
} by_address = { 20, 900 }, by_name = { 5, 60 };

struct throttle_count {
	uint64_t who; /* hash of the address or name; 0: the entry is free */
	int64_t last_ns, until_ns;
	unsigned failed;
};

/* A place in the line of a name. A network has one place, however many addresses it has. */
struct throttle_place {
	uint32_t network;
	uint32_t told_s; /* when the network may try, as its client was told */
};

struct throttle_slot {
	struct throttle_count c; /* counts for an address or a name; at least one try is counted */
	unsigned n_line;
	struct throttle_place line[LINE]; /* of a name: the first network may try from until_ns on */
};

struct drg_throttle {
	pthread_mutex_t lock;
	unsigned char seed[crypto_shorthash_KEYBYTES];
	struct throttle_slot slot[SLOTS];
	/* names at addresses from which they signed in; NEAR entries for a name */
	struct throttle_count known[SLOTS];
};

int drg_throttle_new(struct drg_throttle **ret, struct drg_err *reterr)
{
	if (sodium_init() < 0)
		return drg_fail(reterr, DRG_EINTERNAL, NULL, NULL, "no source of random bytes");
	struct drg_throttle *t = calloc(1, sizeof *t);
	if (t == NULL)
		return drg_fail_memory(reterr);
	pthread_mutex_init(&t->lock, NULL);
	randombytes_buf(t->seed, sizeof t->seed);
	*ret = t;
	return DRG_OK;
}

void drg_throttle_free(struct drg_throttle *t)
{
	if (t == NULL)
		return;
	pthread_mutex_destroy(&t->lock);
	free(t);
}

/* The hash is seeded, so that nobody can choose a name that takes the slot of another. Names are hashed in
 * lower case, as they are compared. */
static uint64_t throttle_hash(const struct drg_throttle *t, char sort, struct drg_str s)
{
	unsigned char text[LONGEST + 1] = { (unsigned char)sort };
	uint64_t hash;
	size_t n = s.n < LONGEST ? s.n : LONGEST;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		text[i + 1] = sort == 'n' && c >= 'A' && c <= 'Z' ? (unsigned char)(c | 0x20) : c;
	}
	crypto_shorthash((unsigned char *)&hash, text, n + 1, t->seed);
	return hash | 1;
}

static struct throttle_slot *throttle_near(struct drg_throttle *t, uint64_t who)
{
	return &t->slot[who / NEAR * NEAR % SLOTS];
}

/* Find the slot of a hash, and note its use; NULL: it has none. */
static struct throttle_slot *throttle_find(struct drg_throttle *t, uint64_t who, int64_t now_ns)
{
	struct throttle_slot *near = throttle_near(t, who);
	for (struct throttle_slot *s = near; s < near + NEAR; s++) {
		if (s->c.who != who)
			continue;
		if (now_ns - s->c.last_ns > QUIET_NS) {
			*s = (struct throttle_slot){ .n_line = 0 };
			return NULL;
		}
		s->c.last_ns = now_ns;
		return s;
	}
	return NULL;
}

/* How much would be lost with the slot: 0: nothing; 1: counts; 2: somebody must wait. */
static int throttle_worth(const struct throttle_slot *s, int64_t now_ns)
{
	bool counts = s->c.failed > 0 && now_ns - s->c.last_ns <= QUIET_NS;
	return !counts ? 0 : s->c.until_ns <= now_ns && s->n_line == 0 ? 1 : 2;
}

/* Find the slot of a hash, or take another slot near its place: one with the least worth, and among these the
 * one without tries for longest. */
static struct throttle_slot *throttle_claim(struct drg_throttle *t, uint64_t who, int64_t now_ns)
{
	struct throttle_slot *near = throttle_near(t, who), *least = near;
	struct throttle_slot *found = throttle_find(t, who, now_ns);
	if (found != NULL)
		return found;
	for (struct throttle_slot *s = near + 1; s < near + NEAR; s++) {
		int worth = throttle_worth(s, now_ns), worth_least = throttle_worth(least, now_ns);
		if (worth < worth_least || (worth == worth_least && s->c.last_ns < least->c.last_ns))
			least = s;
	}
	*least = (struct throttle_slot){ .c.who = who };
	return least;
}

static void throttle_count(struct throttle_count *c, const struct throttle_rule *rule, int64_t now_ns)
{
	c->failed++;
	c->last_ns = now_ns;
	unsigned over = c->failed > rule->free ? c->failed - rule->free : 0;
	unsigned wait_s = over == 0 ? 0 : over > 10 ? rule->longest_s : 1U << (over - 1);
	if (wait_s > rule->longest_s)
		wait_s = rule->longest_s;
	c->until_ns = now_ns + (int64_t)wait_s * DRG_SECOND_NS;
}

/* ---- the line of a name -------------------------------------------------------------------------------- */

static void line_remove(struct throttle_slot *s, size_t at)
{
	s->n_line--;
	memmove(&s->line[at], &s->line[at + 1], (s->n_line - at) * sizeof s->line[0]);
}

/* When the turn of the first in line begins: not before the time that this client was told. */
static int64_t line_begin_ns(const struct throttle_slot *s)
{
	int64_t told_ns = s->n_line > 0 ? s->line[0].told_s * DRG_SECOND_NS : 0;
	return told_ns > s->c.until_ns ? told_ns : s->c.until_ns;
}

/* Remove those from the line whose turns have passed. */
static void line_skip(struct throttle_slot *s, int64_t now_ns)
{
	while (s->n_line > 0 && now_ns >= line_begin_ns(s) + TURN_NS) {
		s->c.until_ns = line_begin_ns(s) + TURN_NS;
		line_remove(s, 0);
	}
}

/* When may @p network try this name? A network that must wait gets a place in line. If it tries before the
 * time that it was told, it goes to the end of the line. So the next turn does not go to the one that asks
 * most often. */
static int64_t line_turn_ns(struct throttle_slot *s, uint32_t network, int64_t now_ns)
{
	size_t at = 0;
	line_skip(s, now_ns);
	while (at < s->n_line && s->line[at].network != network)
		at++;
	if (at < s->n_line && now_ns / DRG_SECOND_NS < s->line[at].told_s) {
		line_remove(s, at);
		at = s->n_line;
	}
	if (now_ns >= s->c.until_ns && at == 0) {
		if (s->n_line > 0)
			line_remove(s, 0);
		return now_ns;
	}
	int64_t turn_ns = now_ns < s->c.until_ns ? s->c.until_ns : line_begin_ns(s) + TURN_NS;
	if (at < LINE)
		s->line[at] = (struct throttle_place){ network, (uint32_t)(turn_ns / DRG_SECOND_NS) };
	if (at == s->n_line && at < LINE)
		s->n_line++;
	return turn_ns;
}

/* ---- addresses from which a name signed in ------------------------------------------------------------- */

static uint64_t known_hash(const struct drg_throttle *t, uint64_t name, uint64_t address)
{
	const uint64_t pair[2] = { name, address };
	return throttle_hash(t, 'k', drg_str((const char *)pair, sizeof pair));
}

/* @return NULL: the name did not sign in from the address, or too long ago to be remembered. */
static struct throttle_count *known_find(struct drg_throttle *t, uint64_t name, uint64_t address)
{
	uint64_t who = known_hash(t, name, address);
	struct throttle_count *near = &t->known[name / NEAR * NEAR % SLOTS];
	for (struct throttle_count *c = near; c < near + NEAR; c++)
		if (c->who == who)
			return c;
	return NULL;
}

/* Note that a name signed in from an address. Only a successful sign-in takes an entry, and only one near its
 * own name's place. */
static void known_note(struct drg_throttle *t, uint64_t name, uint64_t address, int64_t now_ns)
{
	struct throttle_count *near = &t->known[name / NEAR * NEAR % SLOTS], *least = near;
	struct throttle_count *found = known_find(t, name, address);
	for (struct throttle_count *c = near + 1; c < near + NEAR; c++)
		least = c->last_ns < least->last_ns ? c : least;
	least = found != NULL ? found : least;
	*least = (struct throttle_count){ .who = known_hash(t, name, address), .last_ns = now_ns };
}

/* ---- tries --------------------------------------------------------------------------------------------- */

static bool throttle_try_known(struct throttle_count *c, int64_t now_ns)
{
	if (c == NULL || c->until_ns > now_ns)
		return false;
	if (now_ns - c->last_ns > QUIET_NS)
		c->failed = 0;
	throttle_count(c, &by_name, now_ns);
	return true;
}

/* Count a try, or tell until when it must wait. A try that must wait takes no slot: otherwise waiting tries,
 * which cost nothing, could wipe the counts of others. */
static int64_t throttle_try_unknown(struct drg_throttle *t, uint64_t name, uint64_t address,
                                    const struct drg_try *who)
{
	const struct throttle_slot *of_address = throttle_find(t, address, who->now_ns);
	struct throttle_slot *of_name = throttle_find(t, name, who->now_ns);
	int64_t until_ns = of_address != NULL ? of_address->c.until_ns : 0;
	if (until_ns <= who->now_ns && of_name != NULL)
		until_ns = line_turn_ns(of_name, (uint32_t)throttle_hash(t, 'w', who->network), who->now_ns);
	else if (of_name != NULL && of_name->c.until_ns > until_ns)
		until_ns = of_name->c.until_ns;
	if (until_ns <= who->now_ns) {
		throttle_count(&throttle_claim(t, name, who->now_ns)->c, &by_name, who->now_ns);
		throttle_count(&throttle_claim(t, address, who->now_ns)->c, &by_address, who->now_ns);
	}
	return until_ns;
}

unsigned drg_throttle_try(struct drg_throttle *t, struct drg_try *who)
{
	uint64_t name = throttle_hash(t, 'n', who->name), address = throttle_hash(t, 'a', who->address);
	int64_t left_ns = 0;
	pthread_mutex_lock(&t->lock);
	who->known = throttle_try_known(known_find(t, name, address), who->now_ns);
	if (!who->known)
		left_ns = throttle_try_unknown(t, name, address, who) - who->now_ns;
	pthread_mutex_unlock(&t->lock);
	return left_ns > 0 ? (unsigned)((left_ns + DRG_SECOND_NS - 1) / DRG_SECOND_NS) : 0;
}

/* Uncount one try, or all if @p all. A slot whose count becomes 0 is freed. */
static void throttle_take_back(struct drg_throttle *t, uint64_t who, bool all, int64_t now_ns)
{
	struct throttle_slot *s = throttle_find(t, who, now_ns);
	if (s == NULL)
		return;
	assert(s->c.failed > 0); /* a slot with the count 0 is free */
	s->c.failed = all ? 0 : s->c.failed - 1;
	s->c.until_ns = now_ns;
	if (s->c.failed == 0)
		*s = (struct throttle_slot){ .n_line = 0 };
}

void drg_throttle_end(struct drg_throttle *t, const struct drg_try *who, bool passed)
{
	uint64_t name = throttle_hash(t, 'n', who->name), address = throttle_hash(t, 'a', who->address);
	pthread_mutex_lock(&t->lock);
	struct throttle_count *known = who->known ? known_find(t, name, address) : NULL;
	if (!who->known) {
		throttle_take_back(t, address, false, who->now_ns);
		throttle_take_back(t, name, passed, who->now_ns);
	} else if (known != NULL && known->failed > 0) {
		known->failed--;
		known->until_ns = who->now_ns;
	}
	if (passed)
		known_note(t, name, address, who->now_ns);
	pthread_mutex_unlock(&t->lock);
}
