/* src/decide/reference/merge_lineage.h
 * Finds the merges that led to the mapping of a source, from its history. */
#pragma once
#include "base/buf.h"
#include "store/store.h"

/**
 * Was the source moved by the merge of @p from at @p at_us, without a decision about it since? Merges and
 * splits of other records in between do not count.
 * @param source  adapter_id, kind, id.
 * @param stack   Working memory, kept between calls.
 */
DRG_MUSTCHECK
int drg_lineage_has(struct drg_store *s, const struct drg_record *source, int64_t from, int64_t at_us,
                    struct drg_buf *stack, bool *ret, struct drg_err *reterr);
