#include "http/content.h"

#include <assert.h>
#include <stdlib.h>

struct drg_str drg_content_body(struct drg_str body)
{
	char *copy = malloc(body.n > 0 ? body.n : 1);
	if (copy != NULL)
		memcpy(copy, body.p, body.n);
	return drg_str(copy, copy != NULL ? body.n : 0);
}

struct drg_content *drg_content_new(const char *type, struct drg_str body)
{
	struct drg_content *c = calloc(1, sizeof *c);
	struct drg_str copy = drg_content_body(body);
	if (c == NULL || copy.p == NULL) {
		free((void *)(uintptr_t)copy.p);
		free(c);
		return NULL;
	}
	atomic_init(&c->holders, 1);
	c->body[DRG_CODING_IDENTITY] = copy;
	c->type = type;
	return c;
}

void drg_content_hold(struct drg_content *c)
{
	unsigned before = atomic_fetch_add_explicit(&c->holders, 1, memory_order_relaxed);
	assert(before > 0);
	(void)before;
}

void drg_content_release(struct drg_content *c)
{
	if (c == NULL || !drg_content_is_kept(c))
		return;
	unsigned before = atomic_fetch_sub_explicit(&c->holders, 1, memory_order_acq_rel);
	assert(before > 0);
	if (before > 1)
		return;
	for (int coding = 0; coding < DRG_CODING_COUNT; coding++) {
		free((void *)(uintptr_t)c->body[coding].p);
		for (int same = 0; same < 2; same++)
			for (int cors = 0; cors < DRG_HEAD_CORS_COUNT; cors++)
				free(atomic_load(&c->head[coding][same][cors]));
	}
	free(c);
}
