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

/** Which cases of the queue --adapter, --kind, --reason and --above ask for. --country wants the store:
 * drg_cli_country_option(). */
struct drg_queue_options;
DRG_MUSTCHECK
int drg_match_queue_options(struct drg_cli *cli, struct drg_queue_options *ret);

/** match accept --above. */
DRG_MUSTCHECK
int drg_match_accept_all(struct drg_cli *cli);

/** match --kind airport. */
DRG_MUSTCHECK
int drg_match_airports(struct drg_cli *cli);
