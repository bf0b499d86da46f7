#include "base/err.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

static const char *const texts[] = {
	[DRG_OK] = "done",
	[DRG_EINVAL] = "invalid input",
	[DRG_EUSAGE] = "wrong usage",
	[DRG_ENOENT] = "not found",
	[DRG_EEXIST] = "exists already",
	[DRG_EAUTH] = "not authorized",
	[DRG_ELIMIT] = "limit reached",
	[DRG_EBUSY] = "busy",
	[DRG_EFULL] = "disk full",
	[DRG_EIO] = "input/output error",
	[DRG_ECORRUPT] = "stored data damaged",
	[DRG_ENOMEM] = "out of memory",
	[DRG_ESTOPPED] = "stopped",
	[DRG_EINTERNAL] = "internal error",
};

/* Remove an incomplete character at the end: a text is cut, here or by callers, after a number of bytes. */
static void drop_halves(char *s)
{
	char *to = s;
	const char *end = s + strlen(s);
	while (s < end) {
		size_t n = drg_str_character(drg_str(s, (size_t)(end - s)));
		memmove(to, s, n);
		to += n;
		s += n > 0 ? n : 1;
	}
	*to = '\0';
}

int drg_fail(struct drg_err *err, int code, const struct drg_reason *reason, const char *field,
             const char *fmt, ...)
{
	assert(code > DRG_OK && code <= DRG_EINTERNAL);
	if (err == NULL)
		return code;
	/* Format into a copy first: an argument may point into the err that is being replaced. */
	struct drg_err e = { .code = code };
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(e.message, sizeof e.message, fmt, ap);
	va_end(ap);
	snprintf(e.reason, sizeof e.reason, "%s", reason != NULL ? reason->word : "");
	snprintf(e.field, sizeof e.field, "%s", field != NULL ? field : "");
	drop_halves(e.message);
	drop_halves(e.field);
	*err = e;
	return code;
}

int drg_fail_memory(struct drg_err *err)
{
	return drg_fail(err, DRG_ENOMEM, NULL, NULL, "%s", texts[DRG_ENOMEM]);
}

const char *drg_rc_text(int code)
{
	if (code < 0 || (size_t)code >= DRG_ARRAY_LEN(texts))
		return "unknown error";
	return texts[code];
}

int drg_rc_from_errno(int errnum)
{
	switch (errnum) {
	case EFBIG:
	case ENOSPC:
	case EDQUOT: return DRG_EFULL;
	case ENOENT: return DRG_ENOENT;
	case EEXIST: return DRG_EEXIST;
	case ENOMEM: return DRG_ENOMEM;
	default: return DRG_EIO;
	}
}
