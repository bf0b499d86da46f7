/* Rows as PostgreSQL answers them, in its binary formats: values of any length in any column, and NULLs. What
 * is read is a record that can be packed, written as a line, and taken by a catalog, or it is refused there. */
#include "fuzz.h"

#include "catalog/catalog.h"
#include "model/ndjson.h"
#include "store/postgres/postgres_priv.h"

#define PQmakeEmptyPGresult DRG_LATE(PQ, PQmakeEmptyPGresult)
#define PQsetResultAttrs DRG_LATE(PQ, PQsetResultAttrs)
#define PQsetvalue DRG_LATE(PQ, PQsetvalue)

/* A value: its length, then its bytes; 255 is NULL. */
static bool take_value(struct drg_str *rest, struct drg_str *ret)
{
	size_t n = rest->n > 0 ? (uint8_t)rest->p[0] : 255;
	if (rest->n > 0)
		*rest = drg_str(rest->p + 1, rest->n - 1);
	if (n == 255 || n > rest->n)
		return false;
	*ret = drg_str(rest->p, n);
	*rest = drg_str(rest->p + n, rest->n - n);
	return true;
}

static PGresult *result_of(struct drg_str values, int columns)
{
	static char column[] = "c";
	PGresult *res = PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK);
	PGresAttDesc *names = calloc((size_t)columns, sizeof *names);
	REQUIRE(res != NULL && names != NULL);
	for (int i = 0; i < columns; i++)
		names[i] = (PGresAttDesc){ .name = column, .format = 1 };
	REQUIRE(PQsetResultAttrs(res, columns, names) == 1);
	free(names);
	for (int i = 0; i < columns; i++) {
		struct drg_str v;
		bool there = take_value(&values, &v);
		REQUIRE(PQsetvalue(res, 0, i, there ? (char *)(uintptr_t)v.p : NULL, there ? (int)v.n : -1) ==
		        1);
	}
	return res;
}

static void use_record(const struct drg_record *r)
{
	struct drg_buf out;
	struct drg_err err = { 0 };
	struct drg_catalog *c;
	drg_buf_init(&out, SIZE_MAX);
	drg_record_pack(r, &out);
	drg_buf_clear(&out);
	drg_ndjson_write(r, &out);
	REQUIRE(out.rc == DRG_OK);
	REQUIRE(drg_catalog_new(&(struct drg_catalog_options){ .max_bytes = 1 << 24 }, &c, &err) == DRG_OK);
	int rc = drg_catalog_apply(c, r, &err);
	if (rc != DRG_OK)
		require_refusal(rc, &err);
	drg_catalog_free(c);
	drg_buf_done(&out);
}

/* The first byte is the type of the records. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static char place[] = "fuzz";
	static struct drg_store store = { .place = place };
	struct drg_record r;
	struct drg_row_meta m;
	struct drg_err err = { 0 };
	if (n == 0)
		return 0;
	const struct drg_type *t = &drg_types[data[0] % DRG_TYPE_COUNT];
	PGresult *res = result_of(input_text(data + 1, n - 1), COL_FIELDS + (int)t->n_fields);
	int rc = drg_pg_read_row(&store, res, 0, t, &r, &m, &err);
	if (rc == DRG_OK)
		use_record(&r);
	else
		require_refusal(rc, &err);
	PQclear(res);
	return 0;
}
