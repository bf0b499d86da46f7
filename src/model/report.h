/* src/model/report.h
 * Reports: rows that a command and an endpoint show. A row is a struct, and one table of columns says where its
 * values are. JSON, NDJSON, CSV, workbooks, tables on a terminal and OpenAPI are written from the table, so a
 * new column is a member of the struct, its value and a row of the table. */
#pragma once
#include <stddef.h>
#include "model/record.h"
#include "text/json.h"

/** The type of the row's member. In brackets: the value that stands for null. */
enum drg_report_type {
	DRG_REPORT_INT, /**< int64_t (INT64_MIN) */
	DRG_REPORT_REAL, /**< double (NAN) */
	DRG_REPORT_TENTHS, /**< int64_t: tenths (INT64_MIN) */
	DRG_REPORT_BOOL, /**< bool */
	DRG_REPORT_TEXT, /**< struct drg_str (empty) */
	DRG_REPORT_WORD, /**< const char *, one of `words` if it has them (NULL) */
	DRG_REPORT_KIND, /**< enum drg_kind (DRG_KIND_NONE) */
	DRG_REPORT_TIME, /**< int64_t: microseconds since 1970 (INT64_MIN) */
	DRG_REPORT_DAY, /**< int64_t: days since 1970 (INT64_MIN) */
	DRG_REPORT_SUPPLIER, /**< struct drg_report_supplier: in JSON its id and name, else its code */
	DRG_REPORT_SUPPLIERS, /**< struct drg_report_suppliers: JSON has ids, a cell codes (ids.p NULL) */
};

struct drg_report_supplier {
	int64_t id;
	struct drg_str code, name; /**< of one that is missing: its number; empty */
};
/** The suppliers of a store, of air too (store/reports.h). */
struct drg_suppliers {
	const struct drg_report_supplier *v; /**< ascending by id */
	size_t n;
};
struct drg_report_suppliers {
	struct drg_str ids; /**< "7,9" */
	const struct drg_suppliers *all; /**< for the codes */
};

/** Find a supplier. @param number  Holds the code if there is none: its number. */
struct drg_report_supplier drg_suppliers_find(const struct drg_suppliers *s, int64_t id,
                                              char number[static DRG_I64_TEXT]);

/** Flags of a column. */
enum {
	DRG_REPORT_NULL = 1, /**< can be null */
	DRG_REPORT_JSON = 2, /**< only in JSON */
	DRG_REPORT_COMMAND = 4, /**< only in what a command lists: an endpoint leaves it out */
	DRG_REPORT_ENDPOINT = 8, /**< only in what an endpoint shows */
	DRG_REPORT_OPTIONAL = 16, /**< only if it is asked for */
	/** of INT, TEXT and WORD: the member is a const struct drg_record *, the value its `field` */
	DRG_REPORT_STORED = 32,
};

/** A table of columns ends with a row whose name is NULL. */
struct drg_report_column {
	const char *name; /**< in JSON and as heading */
	enum drg_report_type type;
	size_t offset;
	/** on a terminal, in characters; below 0: an amount, to the right, and a number in a workbook */
	int width;
	unsigned flags;
	enum drg_field field; /**< of DRG_REPORT_STORED */
	const char *const *words; /**< of DRG_REPORT_WORD; NULL-terminated */
	const char *none; /**< what tables show for null; NULL: nothing, and - on a terminal */
	const char *doc; /**< a noun phrase for OpenAPI; columns of commands need none */
};

struct drg_report {
	const char *name; /**< of the row's schema in OpenAPI */
	const struct drg_report_column *columns;
};

/** The row is borrowed for the call. A return other than DRG_OK ends the query and is passed on. */
typedef int drg_report_row_fn(void *ctx, const void *row);

/** Append a row as an object. @param skip  Flags of the columns to leave out. */
void drg_report_json(struct drg_jw *w, const struct drg_report *report, const void *row, unsigned skip);

/** Append the text of a row's cell. @return false: it is empty, because the value is null. */
bool drg_report_cell(struct drg_buf *b, const struct drg_report_column *column, const void *row);

/** A column whose name is that of the row's member. The rest: other members of struct drg_report_column. */
#define DRG_REPORT_COLUMN(row, member, type_, width_, ...)                                                   \
	{                                                                                                    \
		.name = #member, .type = DRG_REPORT_##type_, .offset = offsetof(row, member),                \
		.width = (width_), __VA_ARGS__                                                               \
	}
/** A column that shows a field of the row's member `record`; null if the record does not have it. */
#define DRG_REPORT_STORED_COLUMN(row, name_, type_, field_, width_, ...)                                     \
	{                                                                                                    \
		.name = name_, .type = DRG_REPORT_##type_, .offset = offsetof(row, record),                  \
		.width = (width_), .flags = DRG_REPORT_STORED | DRG_REPORT_NULL, .field = field_,            \
		__VA_ARGS__                                                                                  \
	}
