#include "cli/lists/suggested.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "decide/suggest.h"
#include "match/outcome.h"

/* The best, and the next one where that is as good. */
enum { SUGGESTED_SHOWN = 2 };

struct suggested_row {
	int64_t adapter;
	struct drg_str id;
	int64_t dicts[SUGGESTED_SHOWN];
	uint8_t kind, n, reason;
};

static int suggested_compare(const void *pa, const void *pb)
{
	const struct suggested_row *a = pa, *b = pb;
	if (a->adapter != b->adapter)
		return a->adapter < b->adapter ? -1 : 1;
	return a->kind != b->kind ? (int)a->kind - (int)b->kind : drg_str_cmp(a->id, b->id);
}

static uint8_t suggested_reason(struct drg_str name)
{
	unsigned r = 0;
	while (r < DRG_WHY_COUNT && !drg_str_eq(name, drg_str_c(drg_reason_name((enum drg_match_reason)r))))
		r++;
	return (uint8_t)r;
}

static int suggested_take(void *ctx, const struct drg_suggestion *s)
{
	struct drg_suggested_list *x = ctx;
	struct drg_suggested ranked[SUGGESTED_SHOWN];
	struct suggested_row row = { .adapter = s->adapter,
		                     .kind = (uint8_t)s->kind,
		                     .reason = suggested_reason(s->reason),
		                     .id = drg_arena_str(&x->texts, s->id) };
	unsigned shown = row.reason == DRG_WHY_AMBIGUOUS ? SUGGESTED_SHOWN : 1;
	if (row.reason == DRG_WHY_COUNT)
		return DRG_OK;
	row.n = (uint8_t)drg_suggest_parse(s->ranked, ranked, shown);
	for (unsigned i = 0; i < row.n; i++)
		row.dicts[i] = ranked[i].dict_id;
	drg_buf_add(&x->rows, &row, sizeof row);
	return row.id.p != NULL ? x->rows.rc : DRG_ENOMEM;
}

int drg_suggested_load(struct drg_cli *cli, struct drg_store *s, int64_t adapter,
                       struct drg_suggested_list *ret)
{
	drg_arena_init(&ret->texts, SIZE_MAX);
	drg_buf_init(&ret->rows, SIZE_MAX);
	int rc = drg_store_suggestions(s, adapter, suggested_take, ret, &cli->err);
	if (rc == DRG_ENOMEM)
		rc = drg_fail_memory(&cli->err);
	if (rc == DRG_OK && ret->rows.n > 0)
		qsort(ret->rows.p, ret->rows.n / sizeof(struct suggested_row), sizeof(struct suggested_row),
		      suggested_compare);
	return rc;
}

void drg_suggested_done(struct drg_suggested_list *x)
{
	drg_arena_done(&x->texts);
	drg_buf_done(&x->rows);
}

struct drg_str drg_suggested_words(const struct drg_suggested_list *x, const struct drg_record *source,
                                   char *room, size_t n, enum drg_match_reason *ret_reason)
{
	const struct suggested_row key = { .adapter = source->v[DRG_F_ADAPTER_ID].i,
		                           .kind = (uint8_t)drg_record_kind(source),
		                           .id = source->v[DRG_F_SOURCE_ID].s };
	const struct suggested_row *row = x->rows.n == 0 ? NULL
	                                                 : bsearch(&key, x->rows.p, x->rows.n / sizeof key,
	                                                           sizeof key, suggested_compare);
	*ret_reason = row != NULL ? (enum drg_match_reason)row->reason : DRG_WHY_COUNT;
	if (row == NULL)
		return DRG_STR("");
	int len = snprintf(room, n, "%s", drg_reason_words((enum drg_match_reason)row->reason));
	for (unsigned i = 0; i < row->n && len < (int)n; i++)
		len += snprintf(room + len, n - (size_t)len, "%s%" PRId64, i == 0 ? ": " : " or ",
		                row->dicts[i]);
	return drg_str(room, (size_t)(len < (int)n ? len : (int)n - 1));
}
