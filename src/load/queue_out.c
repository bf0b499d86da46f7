#include "load/queue_out.h"

#include <inttypes.h>
#include <stdio.h>

#include "load/records_out.h"
#include "sheet/table_out.h"

enum { QUEUE_LOOK = 256, QUEUE_ROOM = 1 << 16 };

#define QUEUE_NAME(name, width, number) name,
static const char *const queue_names[DRG_QUEUE_CELLS] = { DRG_QUEUE_COLUMNS(QUEUE_NAME) };
#undef QUEUE_NAME
#define QUEUE_NUMBER(name, width, number) number,
const bool drg_queue_column_numbers[DRG_QUEUE_CELLS] = { DRG_QUEUE_COLUMNS(QUEUE_NUMBER) };
#undef QUEUE_NUMBER
#define QUEUE_AMOUNT(name, width, number) width < 0,
static const bool queue_amounts[DRG_QUEUE_CELLS] = { DRG_QUEUE_COLUMNS(QUEUE_AMOUNT) };
#undef QUEUE_AMOUNT
const char *const drg_queue_answers[] = { "accept", "reject", "new", NULL };

enum { QUEUE_DICT_ID = 10, QUEUE_DECISION = 12 };

static struct drg_str queue_int(struct drg_arena *arena, int64_t i)
{
	char text[DRG_I64_TEXT];
	return drg_arena_str(arena, drg_str(text, drg_i64_text(i, text)));
}

static struct drg_str queue_others(const struct drg_queue_item *q, struct drg_arena *arena)
{
	char text[64 * DRG_HOTEL_SHOWN] = "";
	size_t at = 0;
	for (unsigned i = 1; i < q->n_ranked && i < DRG_HOTEL_SHOWN; i++)
		at += (size_t)snprintf(text + at, sizeof text - at, "%s%" PRId64 " (%.1f)", i > 1 ? ", " : "",
		                       q->ranked[i].dict_id, q->ranked[i].bits);
	return drg_arena_str(arena, drg_str(text, at));
}

/* Text that is empty is a cell that is. */
static struct drg_str queue_text(struct drg_str s)
{
	return s.p != NULL ? s : drg_str("", 0);
}

int drg_queue_cells(const struct drg_queue_item *q, struct drg_arena *arena,
                    struct drg_str ret[DRG_QUEUE_CELLS])
{
	char likely[16];
	const bool hotel = drg_kind_compared(q->kind) == DRG_COMPARED_HOTELS, any = q->n_ranked > 0;
	const struct drg_str cells[DRG_QUEUE_CELLS] = {
		queue_int(arena, q->adapter),
		drg_str_c(drg_kind_name(q->kind)),
		q->id,
		queue_text(drg_record_s(&q->source, DRG_F_NAME)),
		queue_text(hotel ? drg_record_s(&q->source, DRG_F_CITY_NAME) : drg_str("", 0)),
		queue_int(arena, q->asked),
		queue_int(arena, q->waiting),
		drg_arena_str(arena, drg_str(likely, hotel ? (size_t)snprintf(likely, sizeof likely, "%.3f",
		                                                              q->likely)
		                                           : 0)),
		queue_int(arena, q->settles),
		queue_text(q->reason),
		any ? queue_int(arena, q->ranked[0].dict_id) : drg_str(NULL, 0),
		queue_text(q->dict_name),
		drg_str("", 0),
		queue_others(q, arena),
		queue_text(q->explanation),
	};
	memcpy(ret, cells, sizeof cells);
	for (unsigned i = 0; i < DRG_QUEUE_CELLS; i++)
		if (ret[i].p == NULL && (any || i != QUEUE_DICT_ID))
			return DRG_ENOMEM;
	return DRG_OK;
}

/* ---- the file ------------------------------------------------------------------------------------------ */

struct queue_writing {
	const struct drg_queue_out *o;
	struct drg_table_out *out;
	struct drg_arena arena; /* of a row */
	uint64_t rows;
	struct drg_err *err;
};

static int queue_row(void *ctx, const struct drg_queue_item *q)
{
	struct queue_writing *w = ctx;
	struct drg_str cells[DRG_QUEUE_CELLS];
	if (++w->rows % QUEUE_LOOK == 0 && w->o->over(w->o->ctx))
		return DRG_ESTOPPED;
	drg_arena_reset(&w->arena);
	if (drg_queue_cells(q, &w->arena, cells) != DRG_OK)
		return drg_fail_memory(w->err);
	for (unsigned i = 0; i < DRG_QUEUE_CELLS; i++)
		cells[i] = queue_text(cells[i]);
	drg_table_out_row(w->out, cells, DRG_QUEUE_CELLS);
	return DRG_OK;
}

static void queue_titles(struct queue_writing *w)
{
	struct drg_str titles[DRG_QUEUE_CELLS];
	uint64_t amounts = 0;
	for (unsigned i = 0; i < DRG_QUEUE_CELLS; i++) {
		titles[i] = drg_str_c(queue_names[i]);
		amounts |= (uint64_t)queue_amounts[i] << i;
	}
	drg_table_out_row(w->out, titles, DRG_QUEUE_CELLS);
	drg_table_out_amounts(w->out, amounts);
	drg_table_out_offer(w->out, QUEUE_DECISION, drg_queue_answers);
}

int drg_queue_out(struct drg_store *s, const struct drg_queue_out *o, const char *path,
                  struct drg_err *reterr)
{
	struct queue_writing w = { .o = o, .err = reterr };
	struct drg_err closing;
	int rc = drg_table_out_open_as(path, o->workbook, &w.out, &closing);
	if (rc != DRG_OK)
		return drg_records_unwritten(rc, reterr);
	drg_arena_init(&w.arena, QUEUE_ROOM);
	queue_titles(&w);
	rc = drg_queue_each_of(s, o->v, o->n, queue_row, &w, reterr);
	int closed = drg_table_out_close(w.out, &closing);
	drg_arena_done(&w.arena);
	return rc == DRG_OK && closed != DRG_OK ? drg_records_unwritten(closed, reterr) : rc;
}
