#include "synth/write.h"

#include <errno.h>
#include <unistd.h>

enum { PIECE = 64 * 1024, CEILING = 16 * 1024 * 1024 };

void drg_synth_out_init(struct drg_synth_out *o, const struct drg_synth_sink *sink)
{
	*o = (struct drg_synth_out){ .sink = sink };
	drg_buf_init(&o->buf, CEILING);
	o->jw.b = &o->buf;
}

void drg_synth_out_done(struct drg_synth_out *o)
{
	drg_buf_done(&o->buf);
}

int drg_synth_flush(struct drg_synth_out *o)
{
	if (o->rc == DRG_OK && o->buf.rc != DRG_OK)
		o->rc = drg_fail(&o->err, o->buf.rc, NULL, NULL, "no memory for the output");
	if (o->rc == DRG_OK && o->buf.n > 0) {
		o->totals.bytes += o->buf.n;
		o->rc = o->sink->write(o->sink->write_ctx, drg_buf_view(&o->buf), &o->err);
	}
	drg_buf_clear(&o->buf);
	return o->rc;
}

void drg_synth_line(struct drg_synth_out *o, const char *type)
{
	o->jw.comma = false;
	drg_jw_object(&o->jw);
	drg_synth_str(o, "type", drg_str_c(type));
}

void drg_synth_line_end(struct drg_synth_out *o)
{
	drg_jw_object_end(&o->jw);
	drg_buf_char(&o->buf, '\n');
	o->totals.lines++;
	if (o->buf.n >= PIECE)
		drg_synth_flush(o);
}

void drg_synth_raw_lines(struct drg_synth_out *o, struct drg_str text, uint64_t n)
{
	drg_synth_flush(o);
	if (o->rc != DRG_OK || text.n == 0)
		return;
	o->totals.lines += n;
	o->totals.bytes += text.n;
	o->rc = o->sink->write(o->sink->write_ctx, text, &o->err);
}

void drg_synth_str(struct drg_synth_out *o, const char *key, struct drg_str s)
{
	if (s.n == 0)
		return;
	drg_jw_key(&o->jw, key);
	drg_jw_str(&o->jw, s);
}

void drg_synth_int(struct drg_synth_out *o, const char *key, int64_t v)
{
	drg_jw_key(&o->jw, key);
	drg_jw_i64(&o->jw, v);
}

void drg_synth_bool(struct drg_synth_out *o, const char *key, bool v)
{
	drg_jw_key(&o->jw, key);
	drg_jw_bool(&o->jw, v);
}

void drg_synth_degrees(struct drg_synth_out *o, const char *key, int64_t micro)
{
	char text[DRG_I64_TEXT + 8];
	uint64_t u = micro < 0 ? 0 - (uint64_t)micro : (uint64_t)micro;
	size_t n = 0;
	if (micro < 0)
		text[n++] = '-';
	n += drg_i64_text((int64_t)(u / 1000000), text + n);
	text[n++] = '.';
	uint32_t rest = (uint32_t)(u % 1000000);
	for (uint32_t unit = 100000; unit > 0; unit /= 10)
		text[n++] = (char)('0' + rest / unit % 10);
	drg_jw_key(&o->jw, key);
	drg_jw_raw(&o->jw, drg_str(text, n));
}

void drg_synth_in_lang(struct drg_synth_out *o, const char *key, const char *lang, struct drg_str s)
{
	drg_jw_key(&o->jw, key);
	drg_jw_object(&o->jw);
	drg_synth_str(o, lang, s);
	drg_jw_object_end(&o->jw);
}

int drg_synth_write_fd(void *ctx, struct drg_str bytes, struct drg_err *reterr)
{
	int fd = *(const int *)ctx;
	while (bytes.n > 0) {
		ssize_t n = write(fd, bytes.p, bytes.n);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EPIPE)
			return drg_fail(reterr, DRG_ESTOPPED, NULL, NULL,
			                "the reader of the output has gone away");
		if (n < 0)
			return drg_fail(reterr, drg_rc_from_errno(errno), NULL, NULL,
			                "writing the output: %s", strerror(errno));
		bytes = drg_str(bytes.p + n, bytes.n - (size_t)n);
	}
	return DRG_OK;
}
