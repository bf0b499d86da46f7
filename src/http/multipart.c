#include "http/form.h"
#include "http/http_priv.h"
#include "text/utf8.h"

/* The parser's own room: for the head of a part, and for as much of a value as it hands over at once. */
enum { PARSER_BYTES = 16 * 1024 };

struct multipart_reading {
	struct drg_exchange *x;
	size_t cap; /* of x->parts */
	struct drg_buf value; /* of the part that is being read */
	const char *name; /* its name, the arena's; NULL: none is */
	int rc;
};

static struct drg_pair *new_pair(struct multipart_reading *r)
{
	struct drg_exchange *x = r->x;
	if (x->n_parts == r->cap) {
		size_t cap = r->cap > 0 ? 2 * r->cap : 16;
		struct drg_pair *more = drg_arena_alloc(&x->arena, cap * sizeof *more);
		if (more == NULL)
			return NULL;
		if (x->n_parts > 0)
			memcpy(more, x->parts, x->n_parts * sizeof *more);
		x->parts = more;
		r->cap = cap;
	}
	return &x->parts[x->n_parts++];
}

static int multipart_check_text(struct multipart_reading *r, struct drg_str text, const char *what)
{
	const char *fault = drg_utf8_valid(text, NULL) ? "contains a NUL character" : "is not valid UTF-8";
	if (drg_utf8_valid(text, NULL) && (text.n == 0 || memchr(text.p, '\0', text.n) == NULL))
		return DRG_OK;
	return drg_fail(&r->x->err, DRG_EINVAL, DRG_R(bad_encoding), NULL, "the %s %s", what, fault);
}

/* The part is whole. */
static int end_part(struct multipart_reading *r)
{
	if (r->name == NULL)
		return DRG_OK;
	struct drg_str name = drg_str_c(r->name),
	               value = drg_arena_str(&r->x->arena, drg_buf_view(&r->value));
	struct drg_pair *pair = new_pair(r);
	if (pair == NULL || value.p == NULL || r->value.rc != DRG_OK)
		return drg_fail_memory(&r->x->err);
	r->name = NULL;
	*pair = (struct drg_pair){ name, value };
	int rc = multipart_check_text(r, name, "name of a part");
	return rc == DRG_OK ? multipart_check_text(r, value, "value of a part") : rc;
}

/* Called by libmicrohttpd for each piece of a value; @p at is 0 for the first. */
static enum MHD_Result take_piece(void *ctx, enum MHD_ValueKind kind, const char *name, const char *file,
                                  const char *type, const char *coding, const char *data, uint64_t at,
                                  size_t n)
{
	struct multipart_reading *r = ctx;
	(void)kind;
	(void)file;
	(void)type;
	(void)coding;
	if (at == 0) {
		r->rc = end_part(r);
		if (r->rc != DRG_OK)
			return MHD_NO;
		drg_buf_clear(&r->value);
		r->name = drg_arena_str(&r->x->arena, drg_str_c(name)).p;
	}
	drg_buf_add(&r->value, data, n);
	return r->name != NULL && r->value.rc == DRG_OK ? MHD_YES : MHD_NO;
}

int drg_multipart_read(struct drg_exchange *x)
{
	struct multipart_reading r = { .x = x };
	struct drg_str body = drg_buf_view(&x->body);
	drg_buf_init(&r.value, body.n + 1);
	struct MHD_PostProcessor *parser = MHD_create_post_processor(x->mhd, PARSER_BYTES, take_piece, &r);
	bool ok = parser != NULL && MHD_post_process(parser, body.p, body.n) == MHD_YES;
	ok = (parser == NULL || MHD_destroy_post_processor(parser) == MHD_YES) && ok;
	if (ok)
		r.rc = end_part(&r);
	drg_buf_done(&r.value);
	if (r.rc != DRG_OK || ok)
		return r.rc;
	return drg_fail(&x->err, DRG_EINVAL, DRG_R(bad_form), NULL,
	                "the body is not multipart/form-data with the boundary that Content-Type names");
}
