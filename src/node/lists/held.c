#include "node/lists/held.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>

enum { COMPRESS_FROM_BYTES = 1024 }; /* below, a compressed form does not pay */

struct drg_list_bodies {
	_Atomic unsigned lists;
	char data[]; /* all codings, one after the other */
};

static void bodies_release(struct drg_list_bodies *b)
{
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
	bodies_release(h->bodies);
	free(h);
}

void drg_list_hold(struct drg_held_list *h)
{
	unsigned before = atomic_fetch_add_explicit(&h->holders, 1, memory_order_relaxed);
	assert(before > 0); /* only who holds it, or has the lock of the lists, can hand it on */
	(void)before;
}

void drg_list_etag(struct drg_str body, char *buf)
{
	unsigned char hash[16];
	_Static_assert(2 * sizeof hash + 1 <= DRG_LIST_ETAG, "room for an ETag");
	crypto_generichash(hash, sizeof hash, (const unsigned char *)body.p, body.n, NULL, 0);
	sodium_bin2hex(buf, DRG_LIST_ETAG, hash, sizeof hash);
}

/* The body and its compressed forms, one after the other; `end` of each. */
static int code(struct drg_str body, struct drg_buf *work, size_t end[DRG_CODING_COUNT], struct drg_err *err)
{
	drg_buf_clear(work);
	drg_buf_str(work, body);
	end[DRG_CODING_IDENTITY] = work->n;
	for (int c = DRG_CODING_IDENTITY + 1; c < DRG_CODING_COUNT; c++) {
		int rc = DRG_OK;
		if (body.n >= COMPRESS_FROM_BYTES)
			rc = drg_compress((enum drg_coding)c, body, work, err);
		if (rc != DRG_OK)
			return rc;
		end[c] = work->n;
	}
	return work->rc == DRG_OK ? DRG_OK : drg_fail_memory(err);
}

int drg_held_list_new(struct drg_str body, struct drg_buf *work, struct drg_held_list **ret,
                      struct drg_err *reterr)
{
	size_t end[DRG_CODING_COUNT];
	int rc = code(body, work, end, reterr);
	if (rc != DRG_OK)
		return rc;
	struct drg_held_list *h = calloc(1, sizeof *h);
	struct drg_list_bodies *bodies = malloc(sizeof *bodies + work->n);
	if (h == NULL || bodies == NULL) {
		free(h);
		free(bodies);
		return drg_fail_memory(reterr);
	}
	memcpy(bodies->data, work->p, work->n);
	atomic_init(&bodies->lists, 1);
	h->bodies = bodies;
	h->bytes = sizeof *h + sizeof *bodies + work->n;
	for (size_t c = 0, start = 0; c < DRG_CODING_COUNT; start = end[c++]) {
		assert(start <= end[c] && end[c] <= work->n);
		h->list.body[c] = drg_str(bodies->data + start, end[c] - start);
	}
	drg_list_etag(h->list.body[DRG_CODING_IDENTITY], h->list.etag);
	atomic_init(&h->holders, 1);
	*ret = h;
	return DRG_OK;
}

struct drg_held_list *drg_held_list_again(const struct drg_held_list *h,
                                          const struct drg_data_version *version)
{
	struct drg_held_list *again = calloc(1, sizeof *again);
	if (again == NULL)
		return NULL;
	again->list = h->list;
	again->list.version = *version;
	again->list.attached = NULL;
	again->bytes = h->bytes;
	again->bodies = h->bodies;
	atomic_fetch_add_explicit(&h->bodies->lists, 1, memory_order_relaxed);
	atomic_init(&again->holders, 1);
	return again;
}
