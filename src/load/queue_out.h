/* src/load/queue_out.h
 * The queue as a table for people: `match load` reads it back (load/answers_load.h). */
#pragma once
#include "matching/desk/queue.h"

/** The columns, in their order. */
#define DRG_QUEUE_COLUMNS(C)                                                                                 \
	C("adapter_id", 10, true)                                                                            \
	C("kind", 8, false)                                                                                  \
	C("id", 16, false)                                                                                   \
	C("name", 32, false)                                                                                 \
	C("city", 16, false)                                                                                 \
	C("asked", -6, true)                                                                                 \
	C("suppliers", -9, true)                                                                             \
	C("probability", -11, false)                                                                         \
	C("settles", -7, true)                                                                               \
	C("reason", 15, false)                                                                               \
	C("dict_id", 10, true)                                                                               \
	C("dict_name", 32, false)                                                                            \
	C("decision", 8, false)                                                                              \
	C("others", 20, false)                                                                               \
	C("explanation", 0, false)
#define DRG_QUEUE_COLUMN_ONE(name, width, number) +1
enum { DRG_QUEUE_CELLS = 0 DRG_QUEUE_COLUMNS(DRG_QUEUE_COLUMN_ONE) };
#undef DRG_QUEUE_COLUMN_ONE

/** True for columns that hold numbers; the values of `decision`, NULL-terminated. */
extern const bool drg_queue_column_numbers[DRG_QUEUE_CELLS];
extern const char *const drg_queue_answers[];

/** The cells of a case; p NULL: none. Borrowed from the case, or in @p arena. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_queue_cells(const struct drg_queue_item *q, struct drg_arena *arena,
                    struct drg_str ret[DRG_QUEUE_CELLS]);

struct drg_queue_out {
	struct drg_open_case *v; /**< in their order */
	size_t n;
	bool workbook; /**< else CSV, in which no cell is a formula (decision P6) */
	bool (*over)(void *ctx); /**< now and then: nobody wants it any more */
	void *ctx;
};
/** Write them to a file. @return DRG_OK; DRG_ESTOPPED: over() said so; DRG_EFULL, DRG_EIO with the reason
 * not_stored; errors of the store. */
DRG_MUSTCHECK
int drg_queue_out(struct drg_store *s, const struct drg_queue_out *o, const char *path,
                  struct drg_err *reterr);
