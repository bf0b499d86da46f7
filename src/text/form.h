/* src/text/form.h
 * Percent-encoding: one segment of a path, the pairs of a query or of a form. */
#pragma once
#include "base/arena.h"
#include "base/err.h"

/**
 * Decode %XX (and '+' to a space where @p plus says so) into memory of @p arena; borrows @p in when nothing
 * has to be decoded.
 * @param what  Names the text in the message: "path", "query".
 * @return DRG_OK; DRG_EINVAL: a bad escape, an encoded NUL, not UTF-8; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_percent_decode(struct drg_str in, bool plus, const char *what, struct drg_arena *arena,
                       struct drg_str *ret, struct drg_err *reterr);

/** Called with each name=value pair, decoded, in the order given. */
typedef int drg_pair_fn(void *ctx, struct drg_str name, struct drg_str value);
/** The pairs of an application/x-www-form-urlencoded text. @return what @p fn returned if not DRG_OK;
 * DRG_EINVAL: bad percent escapes or UTF-8; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_form_each(struct drg_str text, struct drg_arena *arena, drg_pair_fn *fn, void *ctx,
                  struct drg_err *reterr);
