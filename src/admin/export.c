#include "admin/export.h"

#include <errno.h>
#include <unistd.h>

#include "model/ndjson.h"

/* PIECE_BYTES: the output is written in pieces of this size. */
enum { PIECE_BYTES = 1 << 20, RECORDS_BETWEEN_REPORTS = 4096 };

struct store_exporting {
	int fd;
	struct drg_buf buf;
	uint64_t records;
	drg_export_progress_fn *progress;
	void *ctx;
	struct drg_err *err;
};

static int export_write_out(struct store_exporting *x)
{
	const char *p = x->buf.p;
	size_t n = x->buf.n;
	if (x->buf.rc != DRG_OK)
		return drg_fail_memory(x->err);
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

static int on_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct store_exporting *x = ctx;
	drg_ndjson_write(r, &x->buf);
	if (++x->records % RECORDS_BETWEEN_REPORTS == 0 && x->progress != NULL)
		x->progress(x->ctx, x->records);
	return x->buf.n >= PIECE_BYTES || x->buf.rc != DRG_OK ? export_write_out(x) : DRG_OK;
}

int drg_export(struct drg_store *s, const struct drg_filter *f, int fd, drg_export_progress_fn *progress,
               void *ctx, uint64_t *ret_records, struct drg_err *reterr)
{
	struct store_exporting x = { .fd = fd, .progress = progress, .ctx = ctx, .err = reterr };
	drg_buf_init(&x.buf, SIZE_MAX);
	int rc = drg_store_scan(s, f, on_row, &x, NULL, reterr);
	if (rc == DRG_OK)
		rc = export_write_out(&x);
	if (rc == DRG_OK && ret_records != NULL)
		*ret_records = x.records;
	drg_buf_done(&x.buf);
	return rc;
}
