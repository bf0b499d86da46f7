#include "http/conns/peers.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

struct drg_peer {
	struct drg_address client;
	unsigned n;
	struct drg_peer *next; /* in the same bucket */
};

struct drg_peers {
	/* Addresses are hashed with a key of this process, so nobody can choose addresses that collide. */
	unsigned char key[crypto_shorthash_KEYBYTES];
	size_t mask;
	struct drg_peer *buckets[];
};

int drg_peers_new(size_t n, struct drg_peers **ret, struct drg_err *reterr)
{
	size_t size = 16;
	while (size < n)
		size *= 2;
	struct drg_peers *p = calloc(1, sizeof *p + size * sizeof *p->buckets);
	if (p == NULL)
		return drg_fail_memory(reterr);
	crypto_shorthash_keygen(p->key);
	p->mask = size - 1;
	*ret = p;
	return DRG_OK;
}

void drg_peers_free(struct drg_peers *p)
{
	for (size_t i = 0; p != NULL && i <= p->mask; i++)
		while (p->buckets[i] != NULL) {
			struct drg_peer *peer = p->buckets[i];
			p->buckets[i] = peer->next;
			free(peer);
		}
	free(p);
}

static struct drg_peer **bucket_of(struct drg_peers *p, const struct drg_address *client)
{
	unsigned char hash[crypto_shorthash_BYTES];
	uint64_t h;
	crypto_shorthash(hash, client->bytes, sizeof client->bytes, p->key);
	memcpy(&h, hash, sizeof h);
	return &p->buckets[h & p->mask];
}

int drg_peers_join(struct drg_peers *p, const struct drg_address *a, unsigned max, struct drg_peer **ret)
{
	assert(max > 0);
	const struct drg_address client = drg_address_client(a);
	struct drg_peer **bucket = bucket_of(p, &client), *peer = *bucket;
	while (peer != NULL && memcmp(&peer->client, &client, sizeof client) != 0)
		peer = peer->next;
	if (peer == NULL) {
		peer = calloc(1, sizeof *peer);
		if (peer == NULL)
			return DRG_ENOMEM;
		peer->client = client;
		peer->next = *bucket;
		*bucket = peer;
	}
	if (peer->n >= max)
		return DRG_ELIMIT;
	peer->n++;
	*ret = peer;
	return DRG_OK;
}

void drg_peers_leave(struct drg_peers *p, struct drg_peer *peer)
{
	if (peer == NULL)
		return;
	assert(peer->n > 0);
	if (--peer->n > 0)
		return;
	struct drg_peer **at = bucket_of(p, &peer->client);
	while (*at != peer) {
		assert(*at != NULL);
		at = &(*at)->next;
	}
	*at = peer->next;
	free(peer);
}
