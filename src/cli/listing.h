/* src/cli/listing.h
 * What a command lists: a table for people, CSV, NDJSON or a workbook, as the options --format, --output and
 * --excel say. One writer for all commands. */
#pragma once
#include <stdio.h>
#include "base/buf.h"
#include "base/tempfile.h"
#include "cli/cli.h"
#include "sheet/table_out.h"
#include "store/reports.h"

enum drg_listing_format { DRG_LISTING_TABLE, DRG_LISTING_NDJSON, DRG_LISTING_CSV };
/** Names of the formats, for the option. */
extern const char *const drg_listing_formats[];

struct drg_listing_column {
	const char *name;
	/** of the table, in characters; longer texts push the rest aside; 0: the last one. Below 0: an amount,
	 * to the right */
	int width;
};

enum { DRG_LISTING_COLUMNS_MAX = 64 };

/** The type of a cell. */
enum drg_listed { DRG_LISTED_NONE, DRG_LISTED_TEXT, DRG_LISTED_NUMBER };

struct drg_listing {
	enum drg_listing_format format;
	const struct drg_listing_column *columns;
	unsigned n;
	struct drg_table_out
	        *out; /**< CSV, or a workbook; NULL: to standard output as a table or NDJSON, or to `lines` */
	FILE *lines; /**< NDJSON and tables */
	struct drg_tempfile *aside; /**< holds it until the store has been read; NULL: nothing does */
	char aside_path[DRG_TEMPFILE_PATH];
	unsigned at; /**< the next cell */
	struct drg_buf text; /**< the cells of a row, one behind the other */
	size_t ends[DRG_LISTING_COLUMNS_MAX];
	enum drg_listed sorts[DRG_LISTING_COLUMNS_MAX];
};

/** The choice of the options, before a listing is opened. `table` applies to a table on standard output. */
struct drg_listing_choice {
	enum drg_listing_format format;
	bool is_file; /**< --output or --excel: for people's programs */
};
struct drg_listing_choice drg_listing_choose(const struct drg_cli *cli);

/**
 * Open it, and write the titles.
 * @param columns  Borrowed until the end; at most DRG_LISTING_COLUMNS_MAX.
 * @return DRG_OK; errors of the file.
 */
DRG_MUSTCHECK
int drg_listing_open(struct drg_cli *cli, const struct drg_listing_column *columns, size_t n,
                     struct drg_listing *ret);

/** A workbook offers these words in the column of this name. @param words  NULL-terminated; static. */
void drg_listing_offer(struct drg_listing *l, const char *column, const char *const *words);

/** The cells of a row, in the order of the columns. Text that is empty is a cell that is. */
void drg_listing_text(struct drg_listing *l, struct drg_str text);
void drg_listing_int(struct drg_listing *l, int64_t number);
/** A number as its text. */
void drg_listing_number(struct drg_listing *l, struct drg_str number);
void drg_listing_none(struct drg_listing *l);
/** The row is whole. @return DRG_OK; DRG_EIO: nobody reads any more, stop. */
DRG_MUSTCHECK
int drg_listing_row(struct drg_listing *l);
/** Instead of a row of NDJSON: this line, its end of line included. */
DRG_MUSTCHECK
int drg_listing_line(struct drg_listing *l, struct drg_str line);

/** Finish and close. @param rc  What has happened before. @return @p rc, else whether all could be written. */
DRG_MUSTCHECK
int drg_listing_close(struct drg_listing *l, struct drg_cli *cli, int rc);

/** List a report, as the options say. What the query refuses before its first row prints nothing.
 * @param skip  Flags of columns to leave out. @return DRG_OK; errors of the store, the query and the file. */
DRG_MUSTCHECK
int drg_cli_report_of(struct drg_cli *cli, struct drg_store *s, const struct drg_report *report,
                      drg_report_query *query, void *asked, unsigned skip);
/** The same, with the store of the options. */
DRG_MUSTCHECK
int drg_cli_report(struct drg_cli *cli, const struct drg_report *report, drg_report_query *query, void *asked,
                   unsigned skip);
