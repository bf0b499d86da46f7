#include "accounts/common.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Behind the semicolon stands which command helps. */
int drg_access_refuse(struct drg_exchange *x, int rc)
{
	const struct drg_err e = *drg_exchange_err(x);
	const struct drg_reason *reason = drg_reason_find(e.reason);
	if (reason == NULL || reason->status == 0 || e.field[0] == '\0')
		return rc;
	const char *field = strcmp(e.field, "adapter") == 0        ? "writes"
	                    : strcmp(e.field, "adds-per-day") == 0 ? "adds_per_day"
	                    : strcmp(e.field, "text-ids") == 0     ? "text_ids"
	                                                           : e.field;
	int n = (int)strcspn(e.message, ";");
	return strstr(e.message, field) != NULL
	               ? drg_exchange_fail_status(x, reason->status, reason, field, "%.*s", n, e.message)
	               : drg_exchange_fail_status(x, reason->status, reason, field, "%s: %.*s", field, n,
	                                          e.message);
}

int drg_access_word(struct drg_str value, const char *name, const char *const *words, struct drg_err *reterr)
{
	char expected[100];
	size_t n = 0;
	for (size_t i = 0; words[i] != NULL; i++) {
		if (drg_str_eq(value, drg_str_c(words[i])))
			return DRG_OK;
		n += (size_t)snprintf(expected + n, sizeof expected - n, "%s%s", i > 0 ? ", " : "", words[i]);
		assert(n < sizeof expected);
	}
	return drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_word), name,
	                "%s: expected one of %s, found \"%.*s\"", name, expected, DRG_STR_ARG(value));
}

int drg_access_word_of(struct drg_exchange *x, const char *name, const char *const *words)
{
	struct drg_str word = drg_exchange_text(x, name);
	for (int i = 0; words[i] != NULL; i++)
		if (drg_str_eq(word, drg_str_c(words[i])))
			return i;
	return -1;
}
