/* src/cli/filled.h
 * A store that was filled with all that another has: how far that is, and whether it is sound. */
#pragma once
#include "admin/move.h"
#include "console/progress.h"

/** For struct drg_move. @param ctx  The struct drg_progress. */
void drg_cli_show_move(void *ctx, enum drg_move_step step, uint64_t done, uint64_t total);

/** Run the checks of 'dragoman check', with findings on standard output. @return DRG_OK; DRG_ECORRUPT: there
 * are some. */
DRG_MUSTCHECK
int drg_cli_check_filled(const char *store, struct drg_progress *progress, struct drg_err *reterr);
