#include "admin/check.h"

#include <inttypes.h>
#include <stdio.h>

#include "admin/row_sum.h"
#include "catalog/catalog.h"
#include "catalog/rcu.h"
#include "model/check.h"
#include "store/coverage.h"

enum { ROWS_BETWEEN_REPORTS = 4096 };

struct store_checking {
	struct drg_store *s;
	const struct drg_check_options *o;
	struct drg_catalog *catalog;
	int64_t seq; /* seq of the catalog's snapshot */
	uint64_t rows[DRG_TYPE_COUNT]; /* rows in the catalog */
	uint64_t stored[DRG_TYPE_COUNT];
	uint64_t aside[DRG_TYPE_COUNT]; /* rows that the catalog refused; they are reported */
	/* sums of the rows given to the catalog, and of the rows that it has */
	struct drg_row_sum given[DRG_TYPE_COUNT], kept[DRG_TYPE_COUNT];
	struct drg_buf bytes; /* scratch for the bytes of a row */
	struct drg_buf counted; /* struct drg_coverage: the counts that the store keeps */
	uint64_t miscounted; /* how many of these counts are wrong */
	uint64_t loaded, compared, looked_up, findings;
	const struct drg_record *row; /* the row of the catalog that is being compared */
	struct drg_err *err;
};

static void check_report(void *checking, const char *text)
{
	struct store_checking *c = checking;
	c->findings++;
	c->o->finding(c->o->ctx, text);
}

static void check_show(const struct store_checking *c, enum drg_check_step step, uint64_t done,
                       uint64_t total)
{
	if (c->o->progress != NULL && done % ROWS_BETWEEN_REPORTS == 0)
		c->o->progress(c->o->ctx, step, done, total);
}

/* Add the fields of a record that the catalog keeps to a sum. */
static void check_digest(struct store_checking *c, struct drg_row_sum *of, const struct drg_record *r)
{
	const struct drg_type *type = r->type;
	enum drg_kind kind = drg_record_kind(r);
	struct drg_record part = *r;
	for (unsigned i = 0; i < type->n_fields; i++) {
		const struct drg_field_def *f = &type->fields[i];
		if (!drg_field_in_catalog(f, kind) || !drg_field_applies(f, kind))
			part.has &= ~drg_field_bit(f->field);
	}
	part.nulls = 0;
	drg_buf_clear(&c->bytes);
	drg_record_pack(&part, &c->bytes);
	drg_row_sum_add(&of[type->id], drg_buf_view(&c->bytes));
}

static int check_load_row(struct store_checking *c, const struct drg_record *r)
{
	check_show(c, DRG_CHECK_LOADING, c->loaded++, 0);
	struct drg_err e;
	int rc = drg_record_check(r, &e);
	if (rc == DRG_EINVAL)
		check_report(c, e.message);
	else if (rc != DRG_OK)
		return drg_fail_memory(c->err);
	rc = drg_catalog_apply(c->catalog, r, &e);
	if (rc == DRG_OK && drg_catalog_keeps(r))
		check_digest(c, c->given, r);
	if (rc == DRG_OK)
		return c->bytes.rc;
	if (rc != DRG_ELIMIT && rc != DRG_EINVAL)
		return drg_fail(c->err, rc, drg_reason_find(e.reason), e.field, "%s", e.message);
	char label[160], text[900];
	snprintf(text, sizeof text, "%s: a server sets it aside: %s",
	         drg_record_label(r, label, sizeof label), e.message);
	check_report(c, text);
	c->aside[r->type->id]++;
	return DRG_OK;
}

static int check_load(struct store_checking *c)
{
	struct drg_rows rows;
	const struct drg_filter all = { .internal = true, .any_order = true };
	for (drg_rows_scan(&rows, c->s, &all, c->err); drg_rows_next(&rows);)
		rows.rc = check_load_row(c, &rows.row.r);
	int rc = drg_rows_end(&rows);
	if (rc != DRG_OK)
		return rc;
	c->seq = rows.clock.seq;
	return drg_catalog_publish(c->catalog, rows.clock.seq, rows.clock.epoch, c->err);
}

static void check_report_row(struct store_checking *c, const char *what, const char *field)
{
	char label[160], text[320];
	snprintf(text, sizeof text, "%s: %s%s", drg_record_label(c->row, label, sizeof label), what, field);
	check_report(c, text);
}

static void compare_stored(struct store_checking *c, const struct drg_record *stored)
{
	const struct drg_type *type = stored->type;
	enum drg_kind kind = drg_record_kind(stored);
	for (unsigned i = 0; i < type->n_fields; i++) {
		const struct drg_field_def *f = &type->fields[i];
		if (drg_field_in_catalog(f, kind) && drg_field_applies(f, kind) &&
		    !drg_record_field_eq(f, stored, c->row))
			check_report_row(c, "the catalog has another value of ", f->wire);
	}
}

/* Did another process write after the catalog was loaded? */
static int moved_on(struct store_checking *c, bool *ret)
{
	struct drg_clock now;
	int rc = drg_store_clock(c->s, &now, c->err);
	if (rc == DRG_OK)
		*ret = now.seq != c->seq;
	return rc;
}

static int digest_row(void *ctx, const struct drg_record *r)
{
	struct store_checking *c = ctx;
	c->rows[r->type->id]++;
	check_show(c, DRG_CHECK_COMPARING, c->compared++, c->loaded);
	check_digest(c, c->kept, r);
	return c->bytes.rc;
}

static int compare_row(void *ctx, const struct drg_record *r)
{
	struct drg_rows rows;
	struct store_checking *c = ctx;
	bool moved = false;
	if (drg_row_sum_same(&c->given[r->type->id], &c->kept[r->type->id]))
		return DRG_OK;
	c->row = r;
	check_show(c, DRG_CHECK_LOOKING_UP, c->looked_up++, 0);
	drg_rows_get(&rows, c->s, r, c->err);
	if (drg_rows_next(&rows) && rows.row.m.seq <= c->seq)
		compare_stored(c, &rows.row.r);
	int rc = drg_rows_end(&rows);
	if (rc != DRG_ENOENT)
		return rc;
	rc = moved_on(c, &moved);
	if (rc == DRG_OK && !moved)
		check_report_row(c, "is in the catalog, but not in the store", "");
	return rc;
}

/* Compare the catalog with the rows that it was given. Sums show without the store whether all rows are the
 * same. Rows are looked up in the store only for types whose sums differ. */
static int compare_rows(struct store_checking *c)
{
	bool same = true;
	int rc = drg_catalog_each(c->catalog, digest_row, c);
	for (size_t i = 0; i < DRG_TYPE_COUNT; i++)
		same = same && drg_row_sum_same(&c->given[i], &c->kept[i]);
	return rc == DRG_OK && !same ? drg_catalog_each(c->catalog, compare_row, c) : rc;
}

static int take_coverage(void *ctx, const struct drg_coverage *coverage)
{
	struct store_checking *c = ctx;
	drg_buf_add(&c->counted, coverage, sizeof *coverage);
	return c->counted.rc;
}

/* Compare the stored counts of a supplier and kind with the numbers of records. */
static void compare_coverage(struct store_checking *c, const struct drg_count *count)
{
	struct drg_coverage *v = (struct drg_coverage *)(void *)c->counted.p;
	for (size_t i = 0; i < c->counted.n / sizeof *v; i++)
		if (v[i].adapter == count->adapter && v[i].kind == count->kind) {
			c->miscounted += v[i].records != count->live || v[i].mapped != count->mapped;
			v[i].records = v[i].mapped = 0;
			return;
		}
	c->miscounted += count->live > 0;
}

/* Check the stored counts of suppliers and kinds that have no records at all. */
static void count_uncounted(struct store_checking *c)
{
	const struct drg_coverage *v = (const struct drg_coverage *)(const void *)c->counted.p;
	for (size_t i = 0; i < c->counted.n / sizeof *v; i++)
		c->miscounted += v[i].records != 0 || v[i].mapped != 0;
}

static int add_count(void *ctx, const struct drg_count *count)
{
	struct store_checking *c = ctx;
	if (count->type->id == DRG_TYPE_SOURCE)
		compare_coverage(c, count);
	c->stored[count->type->id] += (uint64_t)count->live;
	return DRG_OK;
}

/* Compare numbers of records. Every row of the catalog was found in the store, so equal numbers mean that the
 * catalog has them all. */
static int compare_numbers(struct store_checking *c)
{
	bool moved = false;
	int rc = drg_store_coverage(c->s, INT64_MAX, take_coverage, c, c->err);
	if (rc == DRG_OK)
		rc = drg_store_counts(c->s, add_count, c, c->err);
	count_uncounted(c);
	if (rc == DRG_OK)
		rc = moved_on(c, &moved);
	if (rc == DRG_OK && !moved && c->miscounted > 0)
		check_report(c, "the counts of coverage are not those of the records");
	for (size_t i = 0; i < DRG_TYPE_COUNT && rc == DRG_OK && !moved; i++) {
		const struct drg_type *type = &drg_types[i];
		char text[160];
		if (!type->in_catalog || c->rows[i] + c->aside[i] == c->stored[i])
			continue;
		snprintf(text, sizeof text, "%s: the store has %" PRIu64 " records, the catalog %" PRIu64,
		         type->name, c->stored[i], c->rows[i]);
		check_report(c, text);
	}
	return rc;
}

int drg_check(struct drg_store *s, const struct drg_check_options *o, uint64_t *ret_findings,
              struct drg_err *reterr)
{
	struct store_checking c = { .s = s, .o = o, .err = reterr };
	const struct drg_catalog_options options = { .no_search = true };
	drg_store_allow_unknown_enums(s);
	drg_buf_init(&c.bytes, SIZE_MAX);
	drg_buf_init(&c.counted, SIZE_MAX);
	check_show(&c, DRG_CHECK_STORE, 0, 0);
	int rc = drg_store_check(s, check_report, &c, reterr);
	if (rc == DRG_OK)
		rc = drg_catalog_new(&options, &c.catalog, reterr);
	if (rc == DRG_OK)
		rc = check_load(&c);
	if (rc == DRG_OK)
		rc = compare_rows(&c);
	if (rc == DRG_OK)
		rc = compare_numbers(&c);
	drg_catalog_free(c.catalog);
	drg_buf_done(&c.bytes);
	drg_buf_done(&c.counted);
	if (rc == DRG_OK)
		*ret_findings = c.findings;
	return rc;
}
