#include "server/lists/held.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>

enum { COMPRESS_FROM_BYTES = 1024 }; /* compression does not pay below this */

struct drg_list_block {
	_Atomic unsigned lists;
	size_t n;
	char data[];
};

static void block_release(struct drg_list_block *b)
{
	if (b == NULL)
		return;
	unsigned before = atomic_fetch_sub_explicit(&b->lists, 1, memory_order_acq_rel);
	assert(before > 0);
	if (before == 1)
		free(b);
}

void drg_list_release(void *list)
{
	struct drg_held_list *h = list;
	if (h == NULL)
		return;
	unsigned before = atomic_fetch_sub_explicit(&h->holders, 1, memory_order_acq_rel);
	assert(before > 0);
	if (before > 1)
		return;
	if (h->detach != NULL)
		h->detach(h->list.attached);
	for (int c = 0; c < DRG_CODING_COUNT; c++)
		block_release(h->block[c]);
	free(h);
}

void drg_list_hold(struct drg_held_list *h)
{
	unsigned before = atomic_fetch_add_explicit(&h->holders, 1, memory_order_relaxed);
	assert(before > 0); /* the caller holds it, or has the lock of the lists */
	(void)before;
}

void drg_list_etag(struct drg_str body, char *buf)
{
	unsigned char hash[16];
	_Static_assert(2 * sizeof hash + 1 <= DRG_LIST_ETAG, "room for an ETag");
	crypto_generichash(hash, sizeof hash, (const unsigned char *)body.p, body.n, NULL, 0);
	sodium_bin2hex(buf, DRG_LIST_ETAG, hash, sizeof hash);
}

bool drg_list_has(const struct drg_list *list, enum drg_coding c)
{
	return !list->pays || list->body[c].n > 0;
}

static bool put_block(struct drg_held_list *h, enum drg_coding c, struct drg_str text)
{
	assert(h->block[c] == NULL);
	struct drg_list_block *b = malloc(sizeof *b + text.n);
	if (b == NULL)
		return false;
	atomic_init(&b->lists, 1);
	b->n = text.n;
	memcpy(b->data, text.p, text.n);
	h->block[c] = b;
	h->list.body[c] = drg_str(b->data, b->n);
	h->bytes += sizeof *b + b->n;
	return true;
}

int drg_held_list_new(struct drg_str body, struct drg_held_list **ret, struct drg_err *reterr)
{
	struct drg_held_list *h = calloc(1, sizeof *h);
	if (h == NULL || !put_block(h, DRG_CODING_IDENTITY, body)) {
		free(h);
		return drg_fail_memory(reterr);
	}
	h->bytes += sizeof *h;
	h->list.pays = body.n >= COMPRESS_FROM_BYTES;
	drg_list_etag(body, h->list.etag);
	atomic_init(&h->holders, 1);
	*ret = h;
	return DRG_OK;
}

int drg_held_list_compress(struct drg_held_list *h, enum drg_coding c, struct drg_packer *p,
                           struct drg_buf *work, struct drg_err *reterr)
{
	assert(atomic_load(&h->holders) == 1 && !drg_list_has(&h->list, c));
	drg_buf_clear(work);
	int rc = drg_packer_compress(p, c, h->list.body[DRG_CODING_IDENTITY], work, reterr);
	if (rc == DRG_OK && !put_block(h, c, drg_buf_view(work)))
		rc = drg_fail_memory(reterr);
	return rc;
}

struct drg_held_list *drg_held_list_clone(const struct drg_held_list *h,
                                          const struct drg_data_version *version)
{
	assert(atomic_load(&h->holders) > 0);
	struct drg_held_list *again = calloc(1, sizeof *again);
	if (again == NULL)
		return NULL;
	again->list = h->list;
	again->list.version = *version;
	again->list.attached = NULL;
	again->bytes = h->bytes;
	memcpy(again->block, h->block, sizeof again->block);
	for (int c = 0; c < DRG_CODING_COUNT; c++)
		if (again->block[c] != NULL)
			atomic_fetch_add_explicit(&again->block[c]->lists, 1, memory_order_relaxed);
	atomic_init(&again->holders, 1);
	return again;
}
