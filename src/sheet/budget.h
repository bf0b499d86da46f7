/* src/sheet/budget.h
 * What reading one list may cost, whatever it unfolds to (decision P2), and whether somebody waits for the
 * end of it. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"

/** Rows of one list, empty ones and the header too. */
enum { DRG_SHEET_ROWS_MAX = 5000000 };
/** Bytes of one list: unpacked, and the texts that cells share as often as cells have them. */
#define DRG_SHEET_BYTES_MAX (UINT64_C(2) << 30)
/** Bytes in front of the first cells of a workbook's sheets, in all: which of them have cells is found out
 * before anybody chooses one. */
#define DRG_SHEET_SEARCH_MAX (UINT64_C(128) << 20)
/** Tags of a workbook, of which the shortest have four bytes: a million rows of fifty cells have half as
 * many. */
enum { DRG_SHEET_TAGS_MAX = 200000000 };

/** Zero-initialise, and set `stop`. */
struct sheet_budget {
	const atomic_bool *stop; /**< NULL: never */
	uint64_t rows, tags, bytes; /**< spent */
	uint64_t searched; /**< likewise, of DRG_SHEET_SEARCH_MAX, while `searching` */
	bool searching;
};

/** So many bytes more. To be called often: here it is seen that somebody wants it to end.
 * @return DRG_OK; DRG_EINVAL, list_too_large; DRG_ESTOPPED, shutting_down. */
DRG_MUSTCHECK
int drg_sheet_spend(struct sheet_budget *b, uint64_t bytes, struct drg_err *reterr);
/** A row, or a tag, more. @return DRG_OK; DRG_EINVAL, list_too_large. */
DRG_MUSTCHECK
int drg_sheet_spend_row(struct sheet_budget *b, struct drg_err *reterr);
DRG_MUSTCHECK
int drg_sheet_spend_tag(struct sheet_budget *b, struct drg_err *reterr);
