#include "console/say.h"

#include <stdarg.h>

#include "base/err.h"

void drg_print_sanitize(struct drg_buf *b, size_t from)
{
	if (b->n > from)
		b->n = from + drg_str_sanitize(b->p + from, b->n - from);
}

static _Atomic bool say_lacked_memory;

bool drg_print_failed(void)
{
	return say_lacked_memory;
}

void drg_print(FILE *to, const char *fmt, ...)
{
	size_t length = strlen(fmt);
	struct drg_buf b;
	va_list ap;
	drg_buf_init(&b, SIZE_MAX);
	va_start(ap, fmt);
	drg_buf_vprintf(&b, fmt, ap);
	va_end(ap);
	bool begins = fmt[0] == '\n', ends = b.n > 0 && fmt[length - 1] == '\n';
	b.n -= ends;
	drg_print_sanitize(&b, begins && b.n > 0);
	if (b.rc != DRG_OK)
		say_lacked_memory = true;
	else
		fwrite(b.p, 1, b.n, to);
	if (b.rc == DRG_OK && ends)
		fputc('\n', to);
	drg_buf_done(&b);
}
