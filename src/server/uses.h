/* src/server/uses.h
 * What is used, and how often, counted in memory (server/counters.h) and stored every ten seconds (decision M32).
 *
 * Costs. A key: a look at one word. A kind: two additions. A record that is not mapped: a lock that few share; of more than
 * DRG_USES_SAMPLE in one request every k-th is counted k times. */
#pragma once
#include "server/writer.h"
#include "store/uses.h"

struct drg_uses;

enum { DRG_USES_SAMPLE = 32 };

struct drg_uses_options {
	struct drg_writer *writer; /**< must outlive it */
	unsigned flush_ms; /**< between two stores; 0: 10,000 */
};

DRG_MUSTCHECK
int drg_uses_start(const struct drg_uses_options *o, struct drg_uses **ret, struct drg_err *reterr);
/** Store what waits, if that can be done, and end the thread. Nobody counts any more. NULL is fine. */
void drg_uses_stop(struct drg_uses *u);

/** Counting: from any thread. NULL is fine, and counts nothing. What finds no room is not counted. */

/** A key was used today. */
void drg_uses_key(struct drg_uses *u, int64_t key_id);
/** Records of a supplier's kind were asked for; of that some were mapped. */
void drg_uses_kind(struct drg_uses *u, int64_t adapter, enum drg_kind kind, uint64_t asked, uint64_t mapped);
/** Records that are not mapped were asked for. @param pick  Which of @p ids; @p n of them. */
void drg_uses_records(struct drg_uses *u, int64_t adapter, enum drg_kind kind, const struct drg_str *ids,
                      const uint32_t *pick, size_t n);
