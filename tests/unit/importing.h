/* tests/unit/importing.h
 * Imports of short texts into a store of the test, and what came of them. */
#pragma once
#include "folder.h"

#include "admin/export.h"
#include "import/import.h"

struct importing {
	struct folder dir;
	char store_url[128];
	struct drg_import_sums sums;
	struct drg_err err;
	int bad_rows;
	char first_bad[1024]; /* "LINE: field: message" of the first bad row */
};

static inline void importing_begin(struct importing *x)
{
	*x = (struct importing){ .bad_rows = 0 };
	folder_make(&x->dir);
	snprintf(x->store_url, sizeof x->store_url, "sqlite:%s/dragoman.db", x->dir.path);
}

static inline void importing_end(struct importing *x)
{
	folder_remove(&x->dir);
}

static inline void importing_bad_row(void *ctx, const char *file, uint64_t line, const struct drg_err *e)
{
	struct importing *x = ctx;
	(void)file;
	if (x->bad_rows++ == 0)
		snprintf(x->first_bad, sizeof x->first_bad, "%d: %s: %s", (int)line, e->field, e->message);
}

static inline int importing_files(struct importing *x, struct drg_import_options o)
{
	x->bad_rows = 0;
	x->first_bad[0] = '\0';
	o.store_url = x->store_url;
	o.dir = x->dir.path;
	o.bad_row = importing_bad_row;
	o.ctx = x;
	return drg_import(&o, &x->sums, &x->err);
}

/** Import a text as one file. */
static inline int importing_text(struct importing *x, const char *text, struct drg_import_options o)
{
	char path[128];
	const char *files[] = { folder_file(&x->dir, "in", path, sizeof path) };
	folder_write(&x->dir, "in", text, strlen(text));
	o.files = files;
	o.n_files = 1;
	return importing_files(x, o);
}

/** What the store has, as NDJSON, in @p buf; "" also when there is no store. */
static inline const char *importing_export(const struct importing *x, char *buf, size_t n)
{
	const struct drg_filter all = { 0 };
	struct drg_store *s;
	buf[0] = '\0';
	if (drg_store_open(x->store_url, DRG_STORE_READ, &s, NULL) != DRG_OK)
		return buf;
	FILE *out = tmpfile();
	assert_non_null(out);
	assert_int_equal(drg_export(s, &all, fileno(out), NULL, NULL, NULL, NULL, NULL), DRG_OK);
	rewind(out);
	buf[fread(buf, 1, n - 1, out)] = '\0';
	fclose(out);
	drg_store_close(s);
	return buf;
}

/** A store with tests/fixtures/mini.ndjson in it. */
static inline void importing_mini(struct importing *x)
{
	char path[256];
	const char *files[] = { fixture("mini.ndjson", path, sizeof path) };
	importing_begin(x);
	if (importing_files(x, (struct drg_import_options){ .files = files, .n_files = 1 }) != DRG_OK)
		fail_msg("%s %s", x->err.message, x->first_bad);
}
