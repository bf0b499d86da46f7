/* src/model/csv.h
 * CSV (RFC 4180, header row) into records of one type and kind: dragoman import --csv source:hotel. */
#pragma once
#include "model/record.h"

struct drg_csv;

struct drg_csv_options {
	const char *target; /**< "source:hotel", "dict:country", "direction": type and kind */
	int64_t adapter; /**< 0: the rows must carry adapter_id */
	const char *const *map; /**< NULL-terminated "field=Column" pairs, or NULL */
	const char *lang; /**< language of plain names; NULL: en */
	char separator; /**< 0: comma */
};

/**
 * Columns are found by the fields' wire names; names by language also as "name.uk", plain "name" being in
 * opt->lang. A source's own `lang` is opt->lang where the row has none.
 * @param header  The first row, without its newline. Columns that no field wants are ignored.
 * @return DRG_OK; DRG_EINVAL: unknown target, field or column, with what exists in the message.
 */
DRG_MUSTCHECK
int drg_csv_open(const struct drg_csv_options *opt, struct drg_str header, struct drg_csv **ret,
                 struct drg_err *reterr);
void drg_csv_close(struct drg_csv *c);

/** The separator between cells. */
char drg_csv_separator(const struct drg_csv_options *opt);

/**
 * One row to a record, by the same rules as NDJSON. Empty cells are absent fields; "null" in a dict_id column
 * clears the mapping.
 * @param row  Without its last newline.
 */
DRG_MUSTCHECK
int drg_csv_read(struct drg_csv *c, struct drg_str row, struct drg_arena *arena, struct drg_record *ret,
                 struct drg_err *reterr);
