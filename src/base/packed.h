/* src/base/packed.h
 * Numbers and texts in few bytes. A whole number has 7 bits in a byte, the lowest first; a signed one is
 * zigzag. A text is its length and its bytes; a real its 8 bytes in the machine's order. */
#pragma once
#include "base/buf.h"

static inline void drg_pack_u(struct drg_buf *out, uint64_t u)
{
	for (; u >= 0x80; u >>= 7)
		drg_buf_char(out, (char)(u | 0x80));
	drg_buf_char(out, (char)u);
}

static inline void drg_pack_i(struct drg_buf *out, int64_t i)
{
	drg_pack_u(out, (uint64_t)i << 1 ^ (i < 0 ? UINT64_MAX : 0));
}

static inline void drg_pack_s(struct drg_buf *out, struct drg_str s)
{
	drg_pack_u(out, s.n);
	drg_buf_str(out, s);
}

/** The bytes that are still to be read. Sticky: missing bytes read as zero or empty, and set `cut`. */
struct drg_packed {
	const char *p;
	size_t n;
	bool cut;
};

/** @return NULL: the bytes are missing. */
static inline const char *drg_unpack_bytes(struct drg_packed *u, uint64_t n)
{
	if (n > u->n) {
		u->cut = true;
		u->n = 0;
		return NULL;
	}
	const char *p = u->p;
	u->p += n;
	u->n -= n;
	return p;
}

static inline uint64_t drg_unpack_u(struct drg_packed *u)
{
	uint64_t v = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		const char *p = drg_unpack_bytes(u, 1);
		if (p == NULL)
			break;
		v |= (uint64_t)(*p & 0x7f) << shift;
		if ((*p & 0x80) == 0)
			break;
	}
	return v;
}

static inline int64_t drg_unpack_i(struct drg_packed *u)
{
	uint64_t v = drg_unpack_u(u);
	return (int64_t)(v >> 1 ^ ((v & 1) != 0 ? UINT64_MAX : 0));
}

/** The text borrows from the packed bytes. */
static inline struct drg_str drg_unpack_s(struct drg_packed *u)
{
	uint64_t n = drg_unpack_u(u);
	const char *p = drg_unpack_bytes(u, n);
	return drg_str(p, p != NULL ? n : 0);
}

static inline double drg_unpack_d(struct drg_packed *u)
{
	double d = 0;
	const char *p = drg_unpack_bytes(u, sizeof d);
	if (p != NULL)
		memcpy(&d, p, sizeof d);
	return d;
}
