#include "model/kinds.h"

#include <stdio.h>

enum { REQUESTS_ASKED = true, REQUESTS_OTHER = false };

#define ROW(number, NAME, name, plural, title, label, compared, keyed, requests, order, offered, words)      \
	[number] = { name,                                                                                   \
		     plural,                                                                                 \
		     title,                                                                                  \
		     label,                                                                                  \
		     words,                                                                                  \
		     DRG_COMPARED_##compared,                                                                \
		     DRG_KEYED_##keyed,                                                                      \
		     REQUESTS_##requests,                                                                    \
		     offered },
#define PLACE(number, NAME, name, plural, title, label, compared, keyed, requests, order, ...)               \
	[order] = number,

const struct drg_kind_row drg_kinds[DRG_KIND_COUNT] = { DRG_KINDS(ROW) };
const uint8_t drg_kinds_in_order[DRG_KIND_COUNT] = { DRG_KINDS(PLACE) };

const char *drg_kind_name(enum drg_kind kind)
{
	return (unsigned)kind < DRG_KIND_COUNT ? drg_kinds[kind].name : "";
}

enum drg_kind drg_kind_by_name(struct drg_str name)
{
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		if (drg_str_eq(name, drg_str_c(drg_kinds[k].name)))
			return (enum drg_kind)k;
	return DRG_KIND_NONE;
}

const char *drg_kind_names(unsigned kinds, char *buf, size_t n)
{
	size_t at = 0;
	buf[0] = '\0';
	for (unsigned k = 0; k < DRG_KIND_COUNT && at < n; k++)
		if (drg_kind_in(kinds, k))
			at += (size_t)snprintf(buf + at, n - at, "%s%s", at > 0 ? ", " : "",
			                       drg_kinds[k].name);
	return buf;
}
