#include <inttypes.h>
#include <stdio.h>

#include "cli/person.h"
#include "cli/show.h"
#include "cli/store.h"
#include "curate/batch.h"
#include "model/key.h"

static const struct drg_show_column batch_columns[] = {
	{ DRG_F_ID, 6 },        { DRG_F_AT, 27 },       { DRG_F_WHAT, 6 },
	{ DRG_F_BY, 12 },       { DRG_F_N_CREATED, 8 }, { DRG_F_N_CHANGED, 8 },
	{ DRG_F_N_DELETED, 8 }, { DRG_F_UNDONE, 27 },   { DRG_F_FILES, 0 },
};

static struct drg_show_view batch_view(enum drg_show_format format)
{
	return (struct drg_show_view){ format,        &drg_types[DRG_TYPE_BATCH],   DRG_KIND_NONE,
		                       batch_columns, DRG_ARRAY_LEN(batch_columns), NULL,
		                       NULL };
}

/* ---- list ------------------------------------------------------------------------------------------------- */

struct batch_list {
	struct drg_arena *arena;
	struct drg_buf records; /* struct drg_record */
	struct drg_err *err;
};

static int batch_gather(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct batch_list *l = ctx;
	struct drg_record copy;
	(void)m;
	if (drg_record_copy(l->arena, r, &copy) != DRG_OK)
		return drg_fail_memory(l->err);
	drg_buf_add(&l->records, &copy, sizeof copy);
	return l->records.rc == DRG_OK ? DRG_OK : drg_fail_memory(l->err);
}

int drg_cmd_batch_list(struct drg_cli *cli)
{
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_BATCH] };
	struct drg_show_view v =
	        batch_view(drg_opt_word(cli->options, "format") == 1 ? DRG_SHOW_CSV : DRG_SHOW_TABLE);
	struct batch_list l = { .arena = cli->arena, .err = &cli->err };
	struct drg_store *s;
	int rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	drg_buf_init(&l.records, SIZE_MAX);
	rc = drg_store_scan(s, &f, batch_gather, &l, NULL, &cli->err);
	const struct drg_record *list = (const struct drg_record *)(const void *)l.records.p;
	drg_show_header(&v);
	for (size_t i = l.records.n / sizeof *list; i-- > 0 && rc == DRG_OK;)
		drg_show_record(&v, &list[i]);
	drg_buf_done(&l.records);
	drg_store_close(s);
	return rc;
}

/* ---- show ------------------------------------------------------------------------------------------------- */

static int show_batch(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	const struct drg_show_view v = batch_view(DRG_SHOW_TABLE);
	(void)ctx, (void)m;
	drg_show_header(&v);
	drg_show_record(&v, r);
	return DRG_OK;
}

static int show_item(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct drg_str was = drg_record_s(r, DRG_F_DATA);
	(void)ctx, (void)m;
	if (was.n > 0)
		printf("was %.*s\n", DRG_STR_ARG(was));
	return ferror(stdout) ? DRG_EIO : DRG_OK;
}

int drg_cmd_batch_show(struct drg_cli *cli)
{
	struct drg_record key;
	struct drg_store *s;
	int64_t id;
	int rc = drg_read_number(cli, "ID", drg_opt_args(cli->options, NULL)[0], &id);
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	drg_key_batch(&key, id);
	rc = drg_store_get(s, &key, show_batch, NULL, &cli->err);
	if (rc == DRG_ENOENT)
		rc = drg_fail(&cli->err, rc, NULL, NULL,
		              "there is no batch %" PRId64 "; 'dragoman batch list' has them", id);
	if (rc == DRG_OK)
		rc = drg_batch_items(s, id, show_item, NULL, &cli->err);
	drg_store_close(s);
	return rc;
}

/* ---- undo ------------------------------------------------------------------------------------------------- */

static void print_left(void *ctx, const struct drg_record *r, const char *why)
{
	char label[160];
	(void)ctx;
	printf("left alone: %s: %s\n", drg_record_label(r, label, sizeof label), why);
}

int drg_cmd_batch_undo(struct drg_cli *cli)
{
	struct drg_batch_undo u = { .by = drg_person(cli), .why = drg_reason(cli), .left = print_left };
	struct drg_store *s;
	int rc = drg_read_number(cli, "ID", drg_opt_args(cli->options, NULL)[0], &u.batch);
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_WRITE, &s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_batch_undo(s, &u, &cli->err);
	drg_store_close(s);
	if (rc != DRG_OK)
		return rc;
	printf("batch %" PRId64 " is taken back: %" PRIu64 " records as before, %" PRIu64 " removed, %" PRIu64
	       " left alone\n",
	       u.batch, u.restored, u.removed, u.kept);
	if (u.undone_by > 0)
		printf("'dragoman batch undo %" PRId64 "' takes that back\n", u.undone_by);
	return DRG_OK;
}
