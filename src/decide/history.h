/* src/decide/history.h
 * Reads the history of mappings, and writes events without a changed record: judgements, merges and splits.
 * If a decision changes a mapping, its ledger writes the event with the record (decide/ledger.c:
 * ledger_event). Nothing here begins or ends a transaction. */
#pragma once
#include "model/key.h"
#include "store/fetch.h"

/** The person, the reason and the time of an event. */
struct drg_audit {
	enum drg_how how;
	struct drg_str by, why; /**< empty: not said */
	int64_t at_us; /**< wall clock; no two events of one source may share it */
};

/** Can `by` and `why` be stored? @return DRG_OK; DRG_EINVAL with "by" or "why" as the field. */
DRG_MUSTCHECK
int drg_audit_check(const struct drg_audit *d, struct drg_err *reterr);

/** The time for the next event of a source: @p at_us, or just after its last one if the clock has not moved
 * on. */
DRG_MUSTCHECK
int drg_event_next_at(struct drg_store *s, const struct drg_record *source, int64_t at_us, int64_t *ret,
                      struct drg_err *reterr);

/** Set the mapping of a source that will be put to @p to; NULL: not mapped. */
void drg_source_set_mapping(struct drg_record *source, const int64_t *to);

/** Map a stored source to @p to (NULL: to nothing) and write the event. */
DRG_MUSTCHECK
int drg_event_put(struct drg_txn *t, const struct drg_record *source, const int64_t *to,
                  const struct drg_audit *d, struct drg_err *reterr);

/** Call fn for every event of a source, the oldest first; their meta is empty. @param key  adapter_id, kind,
 * id of the source. */
DRG_MUSTCHECK
int drg_event_each(struct drg_store *s, const struct drg_record *key, drg_row_fn *fn, void *ctx,
                   struct drg_err *reterr);

/* The same for any type whose identity ends with the time "at". A record beside a key differs from it only in
 * that time. */

/** Like drg_event_next_at(), for the records beside @p key. */
DRG_MUSTCHECK
int drg_event_at_beside(struct drg_store *s, const struct drg_record *key, int64_t at_us, int64_t *ret,
                        struct drg_err *reterr);
/** Call fn for the records beside @p key, or for all of @p type, the oldest first. */
DRG_MUSTCHECK
int drg_event_siblings(struct drg_store *s, const struct drg_record *key, drg_row_fn *fn, void *ctx,
                       struct drg_err *reterr);
DRG_MUSTCHECK
int drg_event_scan(struct drg_store *s, const struct drg_type *type, drg_row_fn *fn, void *ctx,
                   struct drg_err *reterr);
