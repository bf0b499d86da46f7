/* src/cli/match/match.h
 * What the commands of the matcher share. */
#pragma once
#include "cli/cli.h"
#include "match/card/scorecard.h"
#include "store/store.h"

/** The scorecard of --weights, or else the one in use (decision M37). @return DRG_OK; DRG_EINVAL and errors of
 * the file, with its name; errors of the store. */
DRG_MUSTCHECK
int drg_match_card(struct drg_cli *cli, struct drg_store *s, struct drg_scorecard *ret);

/** An option that is a share. @param ret  0 where it is not given. @return DRG_OK, DRG_EUSAGE. */
DRG_MUSTCHECK
int drg_match_share(struct drg_cli *cli, const char *name, double least, double most, double *ret);

/** Read the options that select cases of the queue (ONLY_CASES, --above). --country wants the store:
 * drg_cli_country_option(). @return DRG_OK, DRG_EUSAGE. */
struct drg_queue_filter;
DRG_MUSTCHECK
int drg_match_queue_filter(struct drg_cli *cli, struct drg_queue_filter *ret);

/** match accept --above. */
DRG_MUSTCHECK
int drg_match_accept_all(struct drg_cli *cli);

/** match --kind airport. */
DRG_MUSTCHECK
int drg_match_airports(struct drg_cli *cli);
