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
	struct drg_list_waits row;
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

static bool is_client(const struct drg_turn *t, const struct drg_list_wait *w)
{
	return memcmp(t->client, w->client, sizeof t->client) == 0;
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

static struct drg_turn *find_turn(struct drg_turns *t, const struct drg_list_wait *w)
{
	struct drg_turn *turn = turn_of(drg_lru_first(&t->clients, drg_hash(w->client, sizeof w->client, 0)));
	while (turn != NULL && !(turn->key->id == w->key_id && is_client(turn, w)))
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
static struct drg_turn *turn_new(struct drg_turns *t, const struct drg_list_wait *w)
{
	struct key_turn *key = turns_find_key(t, w->key_id);
	if (key == NULL)
		key = key_turn_new(t, w->key_id);
	if (key == NULL)
		return NULL;
	key->clients++;
	struct drg_turn *turn = calloc(1, sizeof *turn);
	if (turn == NULL) {
		leave_key(t, key);
		return NULL;
	}
	turn->key = key;
	memcpy(turn->client, w->client, sizeof turn->client);
	TAILQ_INIT(&turn->row);
	turn->item.hash = drg_hash(w->client, sizeof w->client, 0);
	drg_lru_add(&t->clients, &turn->item);
	return turn;
}

/* The lists that an address has brought, with all its keys. */
static size_t brought_by(struct drg_turns *t, const struct drg_list_wait *w)
{
	size_t n = 0;
	struct drg_turn *turn = turn_of(drg_lru_first(&t->clients, drg_hash(w->client, sizeof w->client, 0)));
	for (; turn != NULL; turn = turn_of(drg_lru_next(&turn->item)))
		if (is_client(turn, w))
			n += turn->brought;
	return n;
}

/* May the address bring another list? It gets a quarter of what is free, so even many clients with many
 * wishes leave a place for others. */
static int room_for(struct drg_turns *t, const struct drg_list_wait *w)
{
	assert(t->n <= t->max);
	size_t left = t->max - t->n;
	if (left == 0)
		return DRG_EBUSY;
	return brought_by(t, w) < (left + 3) / 4 ? DRG_OK : DRG_ELIMIT;
}

static void turns_count_new(struct drg_list_wait *w)
{
	w->brought = true;
	w->turn->brought++;
}

int drg_turns_join(struct drg_turns *t, struct drg_awaited *a, struct drg_list_wait *w)
{
	assert(w->awaited == NULL);
	bool first = TAILQ_EMPTY(&a->waits);
	int rc = first ? room_for(t, w) : DRG_OK;
	if (rc != DRG_OK)
		return rc;
	struct drg_turn *turn = find_turn(t, w);
	if (turn == NULL)
		turn = turn_new(t, w);
	if (turn == NULL)
		return DRG_ENOMEM;
	w->awaited = a;
	w->turn = turn;
	w->brought = false;
	TAILQ_INSERT_TAIL(&turn->row, w, behind);
	TAILQ_INSERT_TAIL(&a->waits, w, beside);
	if (first) {
		turns_count_new(w);
		t->n++;
	}
	return DRG_OK;
}

static void leave_row(struct drg_turns *t, struct drg_list_wait *w)
{
	struct drg_turn *turn = w->turn;
	assert(turn != NULL && turn->brought >= w->brought);
	TAILQ_REMOVE(&turn->row, w, behind);
	turn->brought -= w->brought;
	w->awaited = NULL;
	w->turn = NULL;
	if (!TAILQ_EMPTY(&turn->row))
		return;
	leave_key(t, turn->key);
	drg_lru_remove(&t->clients, &turn->item);
	free(turn);
}

bool drg_turns_leave(struct drg_turns *t, struct drg_list_wait *w)
{
	struct drg_awaited *a = w->awaited;
	if (a == NULL)
		return false;
	assert(t->n > 0);
	TAILQ_REMOVE(&a->waits, w, beside);
	leave_row(t, w);
	struct drg_list_wait *other = TAILQ_FIRST(&a->waits);
	if (other == NULL)
		t->n--;
	else if (w->brought)
		turns_count_new(other);
	return true;
}

struct drg_awaited *drg_turns_next(struct drg_turns *t)
{
	struct key_turn *key = key_turn_of(t->keys.oldest);
	if (key == NULL)
		return NULL;
	struct drg_turn *turn = turn_of(t->clients.oldest);
	while (turn->key != key)
		turn = turn_of(turn->item.newer);
	return TAILQ_FIRST(&turn->row)->awaited;
}

void drg_turns_take(struct drg_turns *t, struct drg_awaited *a, struct drg_list_waits *ret)
{
	struct drg_list_wait *w;
	assert(TAILQ_EMPTY(&a->waits) || t->n > 0);
	t->n -= !TAILQ_EMPTY(&a->waits);
	TAILQ_FOREACH(w, &a->waits, beside)
	{
		drg_lru_use(&t->keys, &w->turn->key->item);
		drg_lru_use(&t->clients, &w->turn->item);
		leave_row(t, w);
	}
	TAILQ_CONCAT(ret, &a->waits, beside);
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
