/* src/cli/lists/suggested.h
 * What the matcher last said of records that are not mapped, in words for a list. */
#pragma once
#include "cli/cli.h"
#include "match/outcome.h"
#include "store/suggestions.h"

struct drg_suggested_list {
	struct drg_arena texts;
	struct drg_buf rows; /* struct suggested_row, ascending by what they are */
};

/** @param adapter  0: of all. @return DRG_OK; with cli->err set. To be given to _done() in any case. */
DRG_MUSTCHECK
int drg_suggested_load(struct drg_cli *cli, struct drg_store *s, int64_t adapter,
                       struct drg_suggested_list *ret);
void drg_suggested_done(struct drg_suggested_list *x);

/** "not sure enough: 100"; empty, and DRG_WHY_COUNT, where the matcher has said nothing. Borrowed of
 * @p room. */
struct drg_str drg_suggested_words(const struct drg_suggested_list *x, const struct drg_record *source,
                                   char *room, size_t n, enum drg_match_reason *ret_reason);
