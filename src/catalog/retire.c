#include "catalog/retire_priv.h"

#include <assert.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "base/pages.h"
#include "catalog/rcu.h"

/* Retired memory is freed when it reaches this size. A wait for readers at each table that grows would slow
 * small loads down; keeping all old tables of a large load would double its peak. */
enum { RETIRE_BYTES = 4 << 20 };

static void retire(struct drg_retire *r, void *p, size_t pages, size_t bytes)
{
	if (p == NULL)
		return;
	assert(r->n < DRG_ARRAY_LEN(r->item)); /* the call that fills the list ends with a flush */
	r->item[r->n].p = p;
	r->item[r->n].pages = pages;
	r->n++;
	r->bytes += bytes;
	if (r->n == DRG_ARRAY_LEN(r->item) || r->bytes > RETIRE_BYTES)
		drg_retire_flush(r);
}

void drg_retire_block(struct drg_retire *r, void *p, size_t bytes)
{
	retire(r, p, 0, bytes);
}

void drg_retire_pages(struct drg_retire *r, void *p, size_t bytes)
{
	assert(p == NULL || bytes > 0); /* 0 marks memory from malloc() */
	retire(r, p, bytes, bytes);
}

void drg_retire_flush(struct drg_retire *r)
{
	if (r->n == 0)
		return;
	if (!r->alone)
		drg_read_synchronize();
	for (unsigned i = 0; i < r->n; i++) {
		if (r->item[i].pages > 0)
			drg_pages_free(r->item[i].p, r->item[i].pages);
		else
			free(r->item[i].p);
	}
	r->n = 0;
	r->bytes = 0;
}
