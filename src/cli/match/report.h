/* src/cli/match/report.h
 * The file of `match --report`: each result, as NDJSON, or as a table where its name says so. */
#pragma once
#include <stdio.h>

#include "cli/cli.h"
#include "matching/automap.h"
#include "sheet/table_out.h"

struct drg_match_report {
	FILE *lines; /* NDJSON */
	struct drg_table_out *table; /* .xlsx or .csv */
	struct drg_buf line, candidates;
};

/** @param path  NULL: no report. @return DRG_OK; DRG_EIO, DRG_EFULL: the file cannot be made. To be closed in
 *              any case. */
DRG_MUSTCHECK
int drg_match_report_open(const char *path, struct drg_match_report *ret, struct drg_err *reterr);
DRG_MUSTCHECK
int drg_match_report_add(struct drg_match_report *x, const struct drg_automap_result *r,
                         struct drg_err *reterr);
/** @param rc  What has come of the run: anything but DRG_OK is returned as it is. */
DRG_MUSTCHECK
int drg_match_report_close(struct drg_match_report *x, int rc, struct drg_err *reterr);
