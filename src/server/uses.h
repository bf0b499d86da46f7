/* src/server/uses.h
 * Counts which keys, kinds and records are used. Counts are in memory (server/counters.h) and stored every
 * ten seconds (decision M32).
 *
 * Costs. A key: one word is read. A kind: two additions. A record that is not mapped: a lock that few share.
 * If a request has more than DRG_USES_SAMPLE of these, every k-th is counted k times. */
#pragma once
#include "server/writer.h"
#include "store/uses.h"

struct drg_uses;

enum { DRG_USES_SAMPLE = 32 };

struct drg_uses_options {
	struct drg_writer *writer; /**< must outlive this */
	unsigned flush_ms; /**< between two stores; 0: 10,000 */
};

DRG_MUSTCHECK
int drg_uses_start(const struct drg_uses_options *o, struct drg_uses **ret, struct drg_err *reterr);
/** Store what waits, if possible, and end the thread. No thread may count any more. NULL is fine. */
void drg_uses_stop(struct drg_uses *u);

/** These functions count, from any thread. With NULL they count nothing. A use that finds no room is not
 * counted. */

/** A key was used today. */
void drg_uses_key(struct drg_uses *u, int64_t key_id);
/** Count records of a supplier and kind that were asked for, and how many of these were mapped. */
void drg_uses_kind(struct drg_uses *u, int64_t adapter, enum drg_kind kind, uint64_t asked, uint64_t mapped);
/** Count records that were asked for and are not mapped. @param pick  Which of @p ids; @p n of them. */
void drg_uses_records(struct drg_uses *u, int64_t adapter, enum drg_kind kind, const struct drg_str *ids,
                      const uint32_t *pick, size_t n);
