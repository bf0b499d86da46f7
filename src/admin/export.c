#include "admin/export.h"

#include <errno.h>
#include <unistd.h>

#include "model/ndjson.h"
#include "text/compress.h"
#include "text/input.h"

/* PIECE_BYTES: the output is written in pieces of this size. */
enum { PIECE_BYTES = 1 << 20, RECORDS_BETWEEN_REPORTS = 4096 };

struct store_exporting {
	int fd;
	struct drg_tempfile *aside; /* NULL: it is written to fd */
	struct drg_buf buf, packed;
	struct drg_err *err;
};

/* Each piece is a frame of its own: some eight times smaller. */
static int export_put_aside(struct store_exporting *x)
{
	drg_buf_clear(&x->packed);
	int rc = drg_tempfile_check_room(x->aside, x->err);
	if (rc == DRG_OK)
		rc = drg_compress_fast(DRG_CODING_ZSTD, drg_buf_view(&x->buf), &x->packed, x->err);
	if (rc == DRG_OK)
		rc = drg_tempfile_add(x->aside, x->packed.p, x->packed.n, x->err);
	drg_buf_clear(&x->buf);
	return rc == DRG_EFULL ? drg_fail(x->err, rc, NULL, NULL,
	                                  "%.400s, or write to a file (> FILE), which needs no room there",
	                                  x->err->message)
	                       : rc;
}

static int export_write_out(struct store_exporting *x)
{
	const char *p = x->buf.p;
	size_t n = x->buf.n;
	if (x->buf.rc != DRG_OK)
		return drg_fail_memory(x->err);
	if (x->aside != NULL)
		return export_put_aside(x);
	while (n > 0) {
		ssize_t done = write(x->fd, p, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return drg_fail(x->err, drg_rc_from_errno(errno), NULL, NULL,
			                "cannot write the export: %s", strerror(errno));
		p += done;
		n -= (size_t)done;
	}
	drg_buf_clear(&x->buf);
	return DRG_OK;
}

int drg_export(struct drg_store *s, const struct drg_filter *f, int fd, struct drg_tempfile *aside,
               drg_export_progress_fn *progress, void *ctx, uint64_t *ret_records, struct drg_err *reterr)
{
	struct drg_rows rows;
	struct store_exporting x = { .fd = fd, .aside = aside, .err = reterr };
	uint64_t records = 0;
	char path[DRG_TEMPFILE_PATH];
	drg_buf_init(&x.buf, SIZE_MAX);
	drg_buf_init(&x.packed, SIZE_MAX);
	for (drg_rows_scan(&rows, s, f, reterr); drg_rows_next(&rows);) {
		drg_ndjson_write(&rows.row.r, &x.buf);
		if (++records % RECORDS_BETWEEN_REPORTS == 0 && progress != NULL)
			progress(ctx, records);
		if (x.buf.n >= PIECE_BYTES || x.buf.rc != DRG_OK)
			rows.rc = export_write_out(&x);
	}
	int rc = drg_rows_end(&rows);
	if (rc == DRG_OK)
		rc = export_write_out(&x);
	if (rc == DRG_OK && aside != NULL)
		rc = drg_tempfile_path(aside, path, reterr);
	if (rc == DRG_OK && aside != NULL)
		rc = drg_input_copy(path, fd, reterr);
	if (rc == DRG_OK && ret_records != NULL)
		*ret_records = records;
	drg_buf_done(&x.buf);
	drg_buf_done(&x.packed);
	return rc;
}
