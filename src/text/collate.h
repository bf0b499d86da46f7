/* src/text/collate.h
 * Sort keys of names in a language (ICU): decision L5. */
#pragma once
#include <stdbool.h>
#include "base/buf.h"
#include "base/err.h"

struct drg_collator;

/** A collator for a language tag; an unknown language gets the root order. Not shared between threads. */
DRG_MUSTCHECK
int drg_collator_open(struct drg_str lang, struct drg_collator **ret, struct drg_err *reterr);
void drg_collator_close(struct drg_collator *c);

/** Has ICU an order under just this valid tag? There are some hundred; "uk" is one, "uk-ua" and "xx" are
 * not. */
bool drg_collator_known(struct drg_str lang);

/**
 * Append the sort key of @p name (valid UTF-8) to @p keys. Keys compare with memcmp(): each ends in a NUL
 * byte, the only one in it, so no key begins another.
 */
void drg_collator_key(struct drg_collator *c, struct drg_str name, struct drg_buf *keys);
