/* src/base/buf.h
 * A growing byte buffer with a declared ceiling and a sticky error: append twenty times, check once. */
#pragma once
#include <stdarg.h>
#include <stdint.h>
#include "base/compiler.h"
#include "base/str.h"

struct drg_buf {
	char *p;
	size_t n; /**< bytes used */
	size_t cap; /**< bytes allocated */
	size_t max; /**< ceiling; an append beyond it fails */
	int rc; /**< DRG_OK, DRG_ELIMIT or DRG_ENOMEM; once set, appends do nothing */
};

/** An empty buffer; allocates nothing yet. */
void drg_buf_init(struct drg_buf *b, size_t max);
/** Free unused memory if it is more than half of the buffer. */
void drg_buf_trim(struct drg_buf *b);
/** Free the memory; the buffer is as after drg_buf_init(). */
void drg_buf_done(struct drg_buf *b);
/** Empty the buffer and forget its error; its memory stays. */
void drg_buf_clear(struct drg_buf *b);

/** Slow path of drg_buf_reserve(): grow, or set the sticky error. */
bool drg_buf_grow(struct drg_buf *b, size_t more);

/** Make room for @p more bytes at p + n. @return false when the sticky error is set. */
static inline bool drg_buf_reserve(struct drg_buf *b, size_t more)
{
	if (DRG_LIKELY(b->rc == 0 && b->cap - b->n >= more))
		return true;
	return drg_buf_grow(b, more);
}

static inline void drg_buf_add(struct drg_buf *b, const void *p, size_t n)
{
	if (drg_buf_reserve(b, n) && n > 0) {
		memcpy(b->p + b->n, p, n);
		b->n += n;
	}
}

static inline void drg_buf_str(struct drg_buf *b, struct drg_str s)
{
	drg_buf_add(b, s.p, s.n);
}

/** Append a string literal. */
#define drg_buf_lit(b, lit) drg_buf_add((b), (lit), sizeof(lit) - 1)

static inline void drg_buf_char(struct drg_buf *b, char c)
{
	if (drg_buf_reserve(b, 1))
		b->p[b->n++] = c;
}

void drg_buf_i64(struct drg_buf *b, int64_t v);
void drg_buf_printf(struct drg_buf *b, const char *fmt, ...) DRG_PRINTF(2, 3);
void drg_buf_vprintf(struct drg_buf *b, const char *fmt, va_list ap) DRG_PRINTF(2, 0);

static inline struct drg_str drg_buf_view(const struct drg_buf *b)
{
	return drg_str(b->p, b->n);
}
