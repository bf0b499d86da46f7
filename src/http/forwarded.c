#include "http/forwarded.h"

static void add_one(struct drg_forwarded *f, struct drg_str text)
{
	struct drg_address a;
	if (!drg_address_parse(text, &a)) {
		f->known = false; /* entries before this one cannot be trusted */
		return;
	}
	bool proxy = drg_networks_contain(f->trusted, f->n_trusted, &a);
	/* If all addresses are proxies, the first one is nearest to the client. */
	if (proxy && f->known)
		return;
	f->known = true;
	f->client = a;
}

void drg_forwarded_add(struct drg_forwarded *f, struct drg_str value)
{
	struct drg_str part;
	while (drg_str_split(&value, ',', &part)) {
		part = drg_str_trim(part);
		if (part.n > 0)
			add_one(f, part);
	}
}
