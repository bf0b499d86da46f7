/* src/catalog/heap_priv.h
 * The heap: one reservation that is filled from its beginning. A record is built at the top with the
 * drg_buf_* functions, then taken (it has a reference from then on) or forgotten by doing nothing. Records
 * never move and their memory is not reused. A reference is an offset in units of 8 bytes, so it is valid in
 * a copy of the heap too. */
#pragma once
#include <stdatomic.h>
#include <stdint.h>
#include "base/buf.h"
#include "base/err.h"

/** Offset of a record in units of 8 bytes; DRG_NO_REF is none. */
typedef uint32_t drg_ref;
enum { DRG_NO_REF = 0 };

#define DRG_HEAP_UNIT ((size_t)8)
#define DRG_HEAP_MIN ((size_t)4096)
#define DRG_HEAP_MAX (DRG_HEAP_UNIT << 32)
/** This many bytes behind every record belong to the heap too, so code that copies texts may read beyond their
 * ends. */
#define DRG_HEAP_SLACK ((size_t)32)

struct drg_heap {
	char *base;
	size_t size; /**< bytes reserved */
	_Atomic size_t used, dead; /**< bytes; the writer alone changes them */
};

/** @param bytes  DRG_HEAP_MIN..DRG_HEAP_MAX. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_heap_init(struct drg_heap *h, size_t bytes, struct drg_err *reterr);
/** Free the heap; its base may be NULL. */
void drg_heap_done(struct drg_heap *h);

/** A buffer over the free end of the heap. It never moves; when the heap is full its rc becomes DRG_ELIMIT. */
struct drg_buf drg_heap_top(const struct drg_heap *h);
/** Keep @p bytes that were appended to drg_heap_top(). @return the reference of the record. */
drg_ref drg_heap_take(struct drg_heap *h, size_t bytes);
/** Fail because the catalog is full: DRG_ELIMIT with a message. */
int drg_heap_full(const struct drg_heap *h, struct drg_err *reterr);

/** Copy @p s to memory that lives as long as the catalog; an empty @p s gives an empty text. */
DRG_MUSTCHECK
int drg_heap_str(struct drg_heap *h, struct drg_str s, struct drg_str *ret, struct drg_err *reterr);

/** Count @p bytes of a record to which nothing refers any more. */
void drg_heap_add_dead(struct drg_heap *h, size_t bytes);

static inline void *drg_heap_at(const struct drg_heap *h, drg_ref ref)
{
	return h->base + ref * DRG_HEAP_UNIT;
}

/** Prefetch the first 100 bytes or so of a record, which are two or three cache lines. */
static inline void drg_heap_prefetch(const struct drg_heap *h, drg_ref ref)
{
	const char *p = drg_heap_at(h, ref);
	__builtin_prefetch(p);
	__builtin_prefetch(p + 64);
	__builtin_prefetch(p + 96);
}

static inline drg_ref drg_heap_ref(const struct drg_heap *h, const void *p)
{
	return (drg_ref)((size_t)((const char *)p - h->base) / DRG_HEAP_UNIT);
}
