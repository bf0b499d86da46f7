#include "people/throttle.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>

enum { SLOTS = 8192, NEAR = 8, LONGEST = 128 };
#define SECOND_NS INT64_C(1000000000)
#define QUIET_NS (1800 * SECOND_NS) /* then all is forgotten */

/* Of an address, which many may share; of a name, which a stranger must not be able to shut out for long. */
static const struct throttle_rule {
	unsigned free; /* tries before the first wait */
	unsigned longest_s;
} by_address = { 20, 900 }, by_name = { 5, 60 };

struct throttle_slot {
	uint64_t who; /* 0: free; else at least one try is counted */
	int64_t last_ns, until_ns;
	unsigned failed;
};

struct drg_throttle {
	pthread_mutex_t lock;
	unsigned char seed[crypto_shorthash_KEYBYTES];
	struct throttle_slot slot[SLOTS];
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

/* Seeded, so that nobody can choose whose place a name takes. In lower case, as names are compared. */
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

/* Its slot, which counts as used now; NULL: it has none. */
static struct throttle_slot *throttle_find(struct drg_throttle *t, uint64_t who, int64_t now_ns)
{
	struct throttle_slot *near = throttle_near(t, who);
	for (struct throttle_slot *s = near; s < near + NEAR; s++) {
		if (s->who != who)
			continue;
		if (now_ns - s->last_ns > QUIET_NS) {
			*s = (struct throttle_slot){ .who = 0 };
			return NULL;
		}
		s->last_ns = now_ns;
		return s;
	}
	return NULL;
}

/* How much is lost with it. */
static int throttle_worth(const struct throttle_slot *s, int64_t now_ns)
{
	bool counts = s->failed > 0 && now_ns - s->last_ns <= QUIET_NS;
	return !counts ? 0 : s->until_ns <= now_ns ? 1 : 2;
}

/* Its slot, or that of the one near it with which least is lost, and which was quiet for longest. */
static struct throttle_slot *throttle_claim(struct drg_throttle *t, uint64_t who, int64_t now_ns)
{
	struct throttle_slot *near = throttle_near(t, who), *least = near;
	struct throttle_slot *found = throttle_find(t, who, now_ns);
	if (found != NULL)
		return found;
	for (struct throttle_slot *s = near + 1; s < near + NEAR; s++) {
		int worth = throttle_worth(s, now_ns), worth_least = throttle_worth(least, now_ns);
		if (worth < worth_least || (worth == worth_least && s->last_ns < least->last_ns))
			least = s;
	}
	*least = (struct throttle_slot){ .who = who };
	return least;
}

static void throttle_count(struct throttle_slot *s, const struct throttle_rule *rule, int64_t now_ns)
{
	s->failed++;
	s->last_ns = now_ns;
	unsigned over = s->failed > rule->free ? s->failed - rule->free : 0;
	unsigned wait_s = over == 0 ? 0 : over > 10 ? rule->longest_s : 1U << (over - 1);
	if (wait_s > rule->longest_s)
		wait_s = rule->longest_s;
	s->until_ns = now_ns + (int64_t)wait_s * SECOND_NS;
}

static int64_t throttle_until(struct drg_throttle *t, uint64_t who, int64_t now_ns)
{
	const struct throttle_slot *s = throttle_find(t, who, now_ns);
	return s != NULL ? s->until_ns : 0;
}

/* Who has to wait takes no slot: that would cost nothing, and wipe what others have counted. */
unsigned drg_throttle_try(struct drg_throttle *t, const struct drg_try *who)
{
	uint64_t name = throttle_hash(t, 'n', who->name), address = throttle_hash(t, 'a', who->address);
	pthread_mutex_lock(&t->lock);
	int64_t of_name_ns = throttle_until(t, name, who->now_ns);
	int64_t until_ns = throttle_until(t, address, who->now_ns);
	until_ns = of_name_ns > until_ns ? of_name_ns : until_ns;
	int64_t left_ns = until_ns - who->now_ns;
	if (left_ns <= 0) {
		throttle_count(throttle_claim(t, name, who->now_ns), &by_name, who->now_ns);
		throttle_count(throttle_claim(t, address, who->now_ns), &by_address, who->now_ns);
	}
	pthread_mutex_unlock(&t->lock);
	return left_ns > 0 ? (unsigned)((left_ns + SECOND_NS - 1) / SECOND_NS) : 0;
}

/* @param all  All of its tries, else one. What counts nothing is free. */
static void throttle_take_back(struct drg_throttle *t, uint64_t who, bool all, int64_t now_ns)
{
	struct throttle_slot *s = throttle_find(t, who, now_ns);
	if (s == NULL)
		return;
	s->failed = all ? 0 : s->failed - 1;
	s->until_ns = 0;
	if (s->failed == 0)
		*s = (struct throttle_slot){ .who = 0 };
}

static void throttle_end(struct drg_throttle *t, const struct drg_try *who, bool passed)
{
	uint64_t name = throttle_hash(t, 'n', who->name), address = throttle_hash(t, 'a', who->address);
	pthread_mutex_lock(&t->lock);
	throttle_take_back(t, address, false, who->now_ns);
	throttle_take_back(t, name, passed, who->now_ns);
	pthread_mutex_unlock(&t->lock);
}

void drg_throttle_passed(struct drg_throttle *t, const struct drg_try *who)
{
	throttle_end(t, who, true);
}

void drg_throttle_forget(struct drg_throttle *t, const struct drg_try *who)
{
	throttle_end(t, who, false);
}
