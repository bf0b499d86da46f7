#include "text/lines.h"

#include <assert.h>
#include <stdlib.h>

#include "base/buf.h"
#include "text/input.h"

enum { CHUNK_BYTES = 256 * 1024 };

struct drg_lines {
	struct drg_input *input;
	size_t max_line;
	uint64_t number;
	size_t at, n; /* what is unread of chunk */
	/* Beginning of a line that goes on in the next chunk. Beyond its ceiling it takes no more and keeps its
	 * error, so that a line without end costs no memory. */
	struct drg_buf begun;
	char chunk[CHUNK_BYTES];
};

int drg_lines_open(const char *path, size_t max_line, struct drg_lines **ret, struct drg_err *reterr)
{
	assert(max_line > 0 && max_line < SIZE_MAX);
	struct drg_lines *l = calloc(1, sizeof *l);
	if (l == NULL)
		return drg_fail_memory(reterr);
	int rc = drg_input_open(path, &l->input, reterr);
	if (rc != DRG_OK) {
		free(l);
		return rc;
	}
	l->max_line = max_line;
	drg_buf_init(&l->begun, max_line + 1); /* and a carriage return */
	*ret = l;
	return DRG_OK;
}

void drg_lines_close(struct drg_lines *l)
{
	if (l == NULL)
		return;
	drg_input_close(l->input);
	drg_buf_done(&l->begun);
	free(l);
}

static struct drg_str without_return(struct drg_str s)
{
	if (s.n > 0 && s.p[s.n - 1] == '\r')
		s.n--;
	return s;
}

/* The line is whole: @p last is its end (mostly all of it), what came before is in `begun`. */
static int lines_give(struct drg_lines *l, struct drg_str last, struct drg_str *ret, struct drg_err *reterr)
{
	struct drg_str line = last;
	if (l->begun.n > 0 || l->begun.rc != DRG_OK) {
		drg_buf_str(&l->begun, last);
		line = drg_buf_view(&l->begun);
	}
	line = without_return(line);
	l->number++;
	if (l->begun.rc == DRG_ENOMEM)
		return drg_fail_memory(reterr);
	if (l->begun.rc != DRG_OK || line.n > l->max_line)
		return drg_fail(reterr, DRG_ELIMIT, DRG_R(too_long), NULL,
		                "expected lines of at most %zu bytes, found a longer one", l->max_line);
	*ret = line;
	return DRG_OK;
}

/* @return DRG_ENOENT at the end of the input. */
static int next_chunk(struct drg_lines *l, struct drg_err *reterr)
{
	static const struct drg_str bom = { "\xef\xbb\xbf", 3 };
	bool first = l->n == 0;
	l->at = l->n = 0;
	int rc = drg_input_read(l->input, l->chunk, sizeof l->chunk, &l->n, reterr);
	if (rc != DRG_OK)
		return rc;
	if (first && l->n >= bom.n && memcmp(l->chunk, bom.p, bom.n) == 0)
		l->at = bom.n;
	return l->n > 0 ? DRG_OK : DRG_ENOENT;
}

int drg_lines_next(struct drg_lines *l, struct drg_str *ret, struct drg_err *reterr)
{
	assert(l->at <= l->n && l->n <= sizeof l->chunk);
	drg_buf_clear(&l->begun);
	for (;;) {
		const char *start = l->chunk + l->at;
		size_t n = l->n - l->at;
		const char *newline = n > 0 ? memchr(start, '\n', n) : NULL;
		if (newline != NULL) {
			n = (size_t)(newline - start);
			l->at += n + 1;
			return lines_give(l, drg_str(start, n), ret, reterr);
		}
		drg_buf_add(&l->begun, start, n);
		int rc = next_chunk(l, reterr);
		if (rc == DRG_ENOENT && (l->begun.n > 0 || l->begun.rc != DRG_OK))
			return lines_give(l, drg_str(NULL, 0), ret, reterr);
		if (rc != DRG_OK)
			return rc;
	}
}

uint64_t drg_lines_number(const struct drg_lines *l)
{
	return l->number;
}

uint64_t drg_lines_bytes(const struct drg_lines *l)
{
	return drg_input_bytes(l->input);
}
