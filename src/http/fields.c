#include "http/fields.h"

#include <assert.h>

#include "base/compiler.h"

void drg_fields_init(struct drg_fields *f)
{
	static const char *const names[DRG_FIELD_OURS] = {
		[DRG_FIELD_HOST] = "Host",
		[DRG_FIELD_ORIGIN] = "Origin",
		[DRG_FIELD_EXPECT] = "Expect",
		[DRG_FIELD_IF_MATCH] = "If-Match",
		[DRG_FIELD_CONTENT_TYPE] = "Content-Type",
		[DRG_FIELD_REQUEST_ID] = "X-Request-Id",
		[DRG_FIELD_IF_NONE_MATCH] = "If-None-Match",
		[DRG_FIELD_LENGTH] = "Content-Length",
		[DRG_FIELD_ACCEPT_ENCODING] = "Accept-Encoding",
		[DRG_FIELD_CONTENT_ENCODING] = "Content-Encoding",
		[DRG_FIELD_CODING] = "Transfer-Encoding",
		[DRG_FIELD_FORWARDED_FOR] = "X-Forwarded-For",
		[DRG_FIELD_CONNECTION] = "Connection",
		[DRG_FIELD_PROXY_CONNECTION] = "Proxy-Connection",
		[DRG_FIELD_UPGRADE] = "Upgrade",
	};
	f->n = 0;
	memset(f->first, DRG_FIELD_NONE, sizeof f->first);
	for (unsigned i = 0; i < DRG_FIELD_OURS; i++)
		drg_fields_add(f, drg_str_c(names[i]));
}

void drg_fields_add(struct drg_fields *f, struct drg_str name)
{
	assert(f->n < DRG_FIELDS_MAX && name.n > 0 && name.n <= DRG_FIELD_LONGEST);
	unsigned char *end = &f->first[name.n]; /* append it, because earlier fields come first */
	while (*end != DRG_FIELD_NONE)
		end = &f->next[*end];
	*end = (unsigned char)f->n;
	f->name[f->n] = name;
	f->next[f->n] = DRG_FIELD_NONE;
	f->n++;
}
