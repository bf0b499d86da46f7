#include "catalog/small_priv.h"

#include <assert.h>
#include <stdlib.h>

/* A change is a row followed by this mark. */
struct mark {
	uint64_t order; /**< of two changes to one key, the later one counts */
	uint64_t remove;
};

void drg_small_init(struct drg_small *s, size_t size, int (*compare)(const void *a, const void *b))
{
	assert(size > 0 && compare != NULL);
	assert(size % _Alignof(struct mark) == 0); /* a mark stands behind each row and must be aligned */
	*s = (struct drg_small){ .size = size, .compare = compare };
	drg_buf_init(&s->changes, SIZE_MAX / 2);
}

void drg_small_done(struct drg_small *s)
{
	free(atomic_load_explicit(&s->rows, memory_order_relaxed));
	drg_buf_done(&s->changes);
}

static size_t stride(const struct drg_small *s)
{
	return s->size + sizeof(struct mark);
}

static const struct mark *small_mark_of(const struct drg_small *s, const char *change)
{
	return (const struct mark *)(const void *)(change + s->size);
}

int drg_small_change(struct drg_small *s, const void *row, bool remove, struct drg_err *reterr)
{
	if (!drg_buf_reserve(&s->changes, stride(s))) {
		s->changes.rc = DRG_OK;
		return drg_fail_memory(reterr);
	}
	struct mark m = { .order = s->changes.n, .remove = remove };
	drg_buf_add(&s->changes, row, s->size);
	drg_buf_add(&s->changes, &m, sizeof m);
	return DRG_OK;
}

static int by_key_then_order(const void *a, const void *b, void *ctx)
{
	const struct drg_small *s = ctx;
	int d = s->compare(a, b);
	return d != 0 ? d : small_mark_of(s, a)->order < small_mark_of(s, b)->order ? -1 : 1;
}

/* Merge old rows and changes, both sorted. Of several changes to one key the last one counts. */
static void merge(const struct drg_small *s, const struct drg_sorted_rows *old, const char *change,
                  size_t n_changes, struct drg_sorted_rows *to, size_t most)
{
	size_t i = 0, j = 0, n_old = old != NULL ? old->n : 0;
	while (i < n_old || j < n_changes) {
		const char *row = i < n_old ? old->row + i * s->size : NULL;
		const char *next = j < n_changes ? change + j * stride(s) : NULL;
		int d = row == NULL ? 1 : next == NULL ? -1 : s->compare(row, next);
		i += d <= 0;
		j += d >= 0;
		if (d >= 0) {
			row = next;
			if (small_mark_of(s, next)->remove ||
			    (j < n_changes && s->compare(next, next + stride(s)) == 0))
				row = NULL;
		}
		if (row == NULL)
			continue;
		assert(to->n < most);
		memcpy(to->row + to->n++ * s->size, row, s->size);
	}
}

int drg_small_merge(const struct drg_small *s, struct drg_sorted_rows **ret, struct drg_err *reterr)
{
	size_t n_changes = s->changes.n / stride(s);
	assert(s->changes.n % stride(s) == 0);
	if (n_changes == 0) {
		*ret = NULL;
		return DRG_OK;
	}
	const struct drg_sorted_rows *old = atomic_load_explicit(&s->rows, memory_order_relaxed);
	size_t most = (old != NULL ? old->n : 0) + n_changes;
	struct drg_sorted_rows *rows = malloc(sizeof *rows + most * s->size);
	if (rows == NULL)
		return drg_fail_memory(reterr);
	rows->n = 0;
	qsort_r(s->changes.p, n_changes, stride(s), by_key_then_order, (void *)(uintptr_t)s);
	merge(s, old, s->changes.p, n_changes, rows, most);
	*ret = rows;
	return DRG_OK;
}

void drg_small_publish(struct drg_small *s, struct drg_sorted_rows *rows, struct drg_retire *retire)
{
	if (rows == NULL)
		return;
	assert(s->changes.n > 0);
	struct drg_sorted_rows *old = atomic_load_explicit(&s->rows, memory_order_relaxed);
	atomic_store_explicit(&s->rows, rows, memory_order_release);
	drg_buf_clear(&s->changes);
	drg_retire_block(retire, old, old != NULL ? sizeof *old + old->n * s->size : 0);
}

size_t drg_small_rows(const struct drg_small *s, const void **ret)
{
	const struct drg_sorted_rows *rows = atomic_load_explicit(&s->rows, memory_order_acquire);
	*ret = rows != NULL ? rows->row : NULL;
	return rows != NULL ? rows->n : 0;
}

const void *drg_small_find(const struct drg_small *s, const void *key)
{
	const void *rows;
	size_t n = drg_small_rows(s, &rows);
	return n > 0 ? bsearch(key, rows, n, s->size, s->compare) : NULL;
}
