/* src/cli/lists/unmapped.h
 * What is to be said of a record that is not mapped: since when, and what keeps it from being mapped: what is
 * to be mapped before it, else what the matcher has said (docs/matching.md), else what the names of the
 * reference tell at once. */
#pragma once
#include "cli/cli.h"
#include "names/index.h"
#include "cli/lists/suggested.h"

struct drg_unmapped {
	struct drg_store *s; /* borrowed */
	struct drg_name_index *names;
	struct drg_suggested_list suggested;
	struct drg_buf moments; /* struct unmapped_moment, ascending */
	struct drg_buf folded;
	char since[32], reason[160]; /* of the last record */
	int rc; /* of looking for reasons */
};

/** @param adapter  Of this supplier; 0: of all. @return DRG_OK; with cli->err set. To be given to _done() in
 *                 any case. */
DRG_MUSTCHECK
int drg_unmapped_init(struct drg_cli *cli, struct drg_store *s, int64_t adapter, struct drg_unmapped *ret);
void drg_unmapped_done(struct drg_unmapped *x);

/** Since when it has not been mapped; empty where that is not known. Lives until the next call. */
struct drg_str drg_unmapped_since(struct drg_unmapped *x, const struct drg_row_meta *m);

/** Likewise what keeps it from being mapped; empty where nothing does. */
struct drg_str drg_unmapped_reason(struct drg_unmapped *x, const struct drg_record *source);
