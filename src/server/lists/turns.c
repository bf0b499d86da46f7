#include "server/lists/turns.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { TURN_BUCKETS = 256 };

/* A key that requests wait with. */
struct key_turn {
	struct drg_lru_item item;
	int64_t id;
	size_t clients;
};

/* An address with a key that requests wait with. */
struct drg_turn {
	struct drg_lru_item item;
	struct key_turn *key;
	unsigned char client[16];
	struct drg_list_asks row;
	size_t brought; /* lists that no other request waited for before */
};

static struct key_turn *key_turn_of(struct drg_lru_item *i)
{
	return i != NULL ? DRG_CONTAINER_OF(i, struct key_turn, item) : NULL;
}

static struct drg_turn *turn_of(struct drg_lru_item *i)
{
	return i != NULL ? DRG_CONTAINER_OF(i, struct drg_turn, item) : NULL;
}

static bool is_client(const struct drg_turn *t, const struct drg_list_ask *ask)
{
	return memcmp(t->client, ask->client, sizeof t->client) == 0;
}

static struct key_turn *turns_find_key(struct drg_turns *t, int64_t id)
{
	struct key_turn *k = key_turn_of(drg_lru_first(&t->keys, (uint64_t)id));
	while (k != NULL && k->id != id)
		k = key_turn_of(drg_lru_next(&k->item));
	return k;
}

static struct key_turn *key_turn_new(struct drg_turns *t, int64_t id)
{
	struct key_turn *k = calloc(1, sizeof *k);
	if (k == NULL)
		return NULL;
	k->item.hash = (uint64_t)id;
	k->id = id;
	drg_lru_add(&t->keys, &k->item);
	return k;
}

static struct drg_turn *find_turn(struct drg_turns *t, const struct drg_list_ask *ask)
{
	struct drg_turn *turn =
	        turn_of(drg_lru_first(&t->clients, drg_hash(ask->client, sizeof ask->client, 0)));
	while (turn != NULL && !(turn->key->id == ask->key_id && is_client(turn, ask)))
		turn = turn_of(drg_lru_next(&turn->item));
	return turn;
}

/* Leave a key; free it if no request waits with it. */
static void leave_key(struct drg_turns *t, struct key_turn *k)
{
	assert(k->clients > 0);
	if (--k->clients > 0)
		return;
	drg_lru_remove(&t->keys, &k->item);
	free(k);
}

/* Add a turn behind all others. */
static struct drg_turn *turn_new(struct drg_turns *t, const struct drg_list_ask *ask)
{
	struct key_turn *key = turns_find_key(t, ask->key_id);
	if (key == NULL)
		key = key_turn_new(t, ask->key_id);
	if (key == NULL)
		return NULL;
	key->clients++;
	struct drg_turn *turn = calloc(1, sizeof *turn);
	if (turn == NULL) {
		leave_key(t, key);
		return NULL;
	}
	turn->key = key;
	memcpy(turn->client, ask->client, sizeof turn->client);
	TAILQ_INIT(&turn->row);
	turn->item.hash = drg_hash(ask->client, sizeof ask->client, 0);
	drg_lru_add(&t->clients, &turn->item);
	return turn;
}

/* The lists that an address has brought, with all its keys. */
static size_t brought_by(struct drg_turns *t, const struct drg_list_ask *ask)
{
	size_t n = 0;
	struct drg_turn *turn =
	        turn_of(drg_lru_first(&t->clients, drg_hash(ask->client, sizeof ask->client, 0)));
	for (; turn != NULL; turn = turn_of(drg_lru_next(&turn->item)))
		if (is_client(turn, ask))
			n += turn->brought;
	return n;
}

/* May the address bring another list? It gets a quarter of what is free, so even many clients with many
 * wishes leave a place for others. */
static int room_for(struct drg_turns *t, const struct drg_list_ask *ask)
{
	assert(t->n <= t->max);
	size_t left = t->max - t->n;
	if (left == 0)
		return DRG_EBUSY;
	return brought_by(t, ask) < (left + 3) / 4 ? DRG_OK : DRG_ELIMIT;
}

static void turns_count_new(struct drg_list_ask *ask)
{
	ask->brought = true;
	ask->turn->brought++;
}

int drg_turns_join(struct drg_turns *t, struct drg_list_asks *asks, struct drg_list_ask *ask)
{
	assert(ask->with == NULL);
	bool first = TAILQ_EMPTY(asks);
	int rc = first ? room_for(t, ask) : DRG_OK;
	if (rc != DRG_OK)
		return rc;
	struct drg_turn *turn = find_turn(t, ask);
	if (turn == NULL)
		turn = turn_new(t, ask);
	if (turn == NULL)
		return DRG_ENOMEM;
	ask->with = asks;
	ask->turn = turn;
	ask->brought = false;
	TAILQ_INSERT_TAIL(&turn->row, ask, behind);
	TAILQ_INSERT_TAIL(asks, ask, beside);
	if (first) {
		turns_count_new(ask);
		t->n++;
	}
	return DRG_OK;
}

static void leave_row(struct drg_turns *t, struct drg_list_ask *ask)
{
	struct drg_turn *turn = ask->turn;
	assert(turn != NULL && turn->brought >= ask->brought);
	TAILQ_REMOVE(&turn->row, ask, behind);
	turn->brought -= ask->brought;
	ask->with = NULL;
	ask->turn = NULL;
	if (!TAILQ_EMPTY(&turn->row))
		return;
	leave_key(t, turn->key);
	drg_lru_remove(&t->clients, &turn->item);
	free(turn);
}

bool drg_turns_leave(struct drg_turns *t, struct drg_list_ask *ask)
{
	struct drg_list_asks *asks = ask->with;
	if (asks == NULL)
		return false;
	assert(t->n > 0);
	TAILQ_REMOVE(asks, ask, beside);
	leave_row(t, ask);
	struct drg_list_ask *other = TAILQ_FIRST(asks);
	if (other == NULL)
		t->n--;
	else if (ask->brought)
		turns_count_new(other);
	return true;
}

struct drg_list_asks *drg_turns_next(struct drg_turns *t)
{
	struct key_turn *key = key_turn_of(t->keys.oldest);
	if (key == NULL)
		return NULL;
	struct drg_turn *turn = turn_of(t->clients.oldest);
	while (turn->key != key)
		turn = turn_of(turn->item.newer);
	return TAILQ_FIRST(&turn->row)->with;
}

void drg_turns_take(struct drg_turns *t, struct drg_list_asks *asks, struct drg_list_asks *ret)
{
	struct drg_list_ask *ask;
	assert(TAILQ_EMPTY(asks) || t->n > 0);
	t->n -= !TAILQ_EMPTY(asks);
	TAILQ_FOREACH(ask, asks, beside)
	{
		drg_lru_use(&t->keys, &ask->turn->key->item);
		drg_lru_use(&t->clients, &ask->turn->item);
		leave_row(t, ask);
	}
	TAILQ_CONCAT(ret, asks, beside);
}

int drg_turns_init(struct drg_turns *t, size_t max, struct drg_err *reterr)
{
	assert(max > 0);
	*t = (struct drg_turns){ .max = max };
	int rc = drg_lru_init(&t->keys, TURN_BUCKETS, reterr);
	return rc == DRG_OK ? drg_lru_init(&t->clients, TURN_BUCKETS, reterr) : rc;
}

void drg_turns_done(struct drg_turns *t)
{
	drg_lru_done(&t->keys);
	drg_lru_done(&t->clients);
}
