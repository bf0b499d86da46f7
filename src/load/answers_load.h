/* src/load/answers_load.h
 * Reads back a queue that people filled in in a spreadsheet (`dragoman match queue --output`), as one
 * batch. */
#pragma once
#include "decide/decision.h"
#include "load/read_back.h"
#include "names/index.h"

struct drg_answers_load {
	struct drg_read_back list;
	/** of the reference: a new record is refused where one of its name is nearby; NULL: made anyway */
	const struct drg_name_index *names;
	uint64_t accepted, rejected, made;
	uint64_t beside; /**< how many were refused so */
};

/**
 * A row with `audit` in the column `drawn` is a judgement of a mapping that the matcher has made (`dragoman
 * match audit`, decision M39). Columns: adapter_id, kind, id, dict_id, and decision: accept, reject, new, the
 * id of another dict record, or empty. Other columns are for people. A row that is refused changes nothing
 * and does not affect other rows. All decisions are one batch (decision M28).
 * @param s  Opened for writing.
 * @return DRG_OK, also if rows were refused; DRG_EINVAL: a file cannot be read, or lacks a column; DRG_EBUSY:
 *         an import runs; errors of the store.
 */
DRG_MUSTCHECK
int drg_answers_load(struct drg_store *s, struct drg_answers_load *m, struct drg_err *reterr);
