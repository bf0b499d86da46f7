#include "http/pack.h"

#include "http/negotiate.h"

/* KEPT_PLAIN: size from which the uncompressed buffer is freed. The codings are in the order of their cost
 * (docs/performance.md); of equal weights the cheapest is chosen. */
enum { KEPT_PLAIN = 32 * 1024 };

static const enum drg_coding cheapest_first[] = { DRG_CODING_ZSTD, DRG_CODING_GZIP, DRG_CODING_BR };

const int *drg_pack_weights(struct drg_exchange *x)
{
	if (!x->weighed)
		drg_negotiate_weights(x->head.accept_encoding, &x->weights);
	x->weighed = true;
	return x->weights.of;
}

bool drg_pack_refused(struct drg_exchange *x)
{
	if (x->head.accept_encoding.p == NULL)
		return false;
	const int *weights = drg_pack_weights(x);
	for (int c = 0; c < DRG_CODING_COUNT; c++)
		if (weights[c] > 0)
			return false;
	return true;
}

/** Choose the coding for a body of @p n bytes. */
static enum drg_coding pack_coding(struct drg_exchange *x, size_t n, size_t most)
{
	const int *weights = drg_pack_weights(x);
	const int identity = weights[DRG_CODING_IDENTITY];
	const size_t least = x->http->opt.compress_from;
	enum drg_coding best = DRG_CODING_IDENTITY;
	/* a client that refuses the identity gets a coding, whatever the size */
	if (identity > 0 && (least == 0 || n < least || n > most))
		return best;
	for (size_t i = 0; i < DRG_ARRAY_LEN(cheapest_first); i++) {
		enum drg_coding c = cheapest_first[i];
		if (weights[c] > 0 && weights[c] >= identity &&
		    (best == DRG_CODING_IDENTITY || weights[c] > weights[best]))
			best = c;
	}
	return best;
}

/** Is the answer JSON that was made for this request? */
static bool is_own(const struct drg_exchange *x)
{
	return x->content == NULL && x->stream == NULL && x->type == NULL && x->out.rc == DRG_OK &&
	       x->out.n > 0;
}

void drg_pack_answer(struct drg_exchange *x, size_t most)
{
	struct drg_err unused;
	if (!is_own(x) || x->packed.n > 0)
		return;
	x->packable = x->http->opt.compress_from > 0 && x->out.n >= x->http->opt.compress_from;
	enum drg_coding c =
	        x->head.accept_encoding.p != NULL ? pack_coding(x, x->out.n, most) : DRG_CODING_IDENTITY;
	if (c == DRG_CODING_IDENTITY)
		return;
	if (drg_compress_fast(c, drg_buf_view(&x->out), &x->packed, &unused) != DRG_OK) {
		drg_buf_done(&x->packed); /* without memory the answer is sent uncompressed */
		return;
	}
	x->coding = c;
	x->packable = true;
	/* The client may take a minute to read: free the uncompressed buffer, which is not sent, if it is
	 * large. */
	if (x->out.cap >= KEPT_PLAIN)
		drg_buf_done(&x->out);
	if (x->packed.cap >= KEPT_PLAIN)
		drg_buf_trim(&x->packed);
}
