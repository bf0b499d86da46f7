#include "base/buf.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"

void drg_buf_init(struct drg_buf *b, size_t max)
{
	*b = (struct drg_buf){ .max = max };
}

void drg_buf_done(struct drg_buf *b)
{
	free(b->p);
	drg_buf_init(b, b->max);
}

void drg_buf_trim(struct drg_buf *b)
{
	assert(b->n <= b->cap);
	char *p = b->n > 0 && b->n < b->cap / 2 ? realloc(b->p, b->n) : NULL;
	if (p != NULL) {
		b->p = p;
		b->cap = b->n;
	}
}

void drg_buf_clear(struct drg_buf *b)
{
	b->n = 0;
	b->rc = DRG_OK;
}

bool drg_buf_grow(struct drg_buf *b, size_t more)
{
	assert(b->n <= b->cap && b->cap <= b->max);
	if (b->rc != DRG_OK)
		return false;
	if (more > b->max - b->n) {
		b->rc = DRG_ELIMIT;
		return false;
	}
	if (b->cap - b->n >= more)
		return true;
	size_t cap = b->cap < 256 ? 256 : b->cap;
	if (cap > b->max)
		cap = b->max; /* appends compare with `cap` alone, so it must not exceed the ceiling */
	while (cap - b->n < more)
		cap = cap <= b->max / 2 ? cap * 2 : b->max;
	char *p = realloc(b->p, cap);
	if (p == NULL) {
		b->rc = DRG_ENOMEM;
		return false;
	}
	assert(cap - b->n >= more && cap <= b->max);
	b->p = p;
	b->cap = cap;
	return true;
}

void drg_buf_i64(struct drg_buf *b, int64_t v)
{
	if (drg_buf_reserve(b, DRG_I64_TEXT))
		b->n += drg_i64_text(v, b->p + b->n);
}

void drg_buf_vprintf(struct drg_buf *b, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	if (n >= 0 && drg_buf_reserve(b, (size_t)n + 1)) {
		vsnprintf(b->p + b->n, (size_t)n + 1, fmt, again);
		b->n += (size_t)n;
	}
	va_end(again);
}

void drg_buf_printf(struct drg_buf *b, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	drg_buf_vprintf(b, fmt, ap);
	va_end(ap);
}
