/* src/http/fields.h
 * Finds a header field's number by its name. Each name is looked up once; for most, its length and two
 * letters are enough. */
#pragma once
#include "base/str.h"

/** The fields that the server itself uses; the application's fields follow (drg_http_app.headers). */
enum drg_field_number {
	DRG_FIELD_HOST,
	DRG_FIELD_ORIGIN,
	DRG_FIELD_EXPECT,
	DRG_FIELD_IF_MATCH,
	DRG_FIELD_CONTENT_TYPE,
	DRG_FIELD_REQUEST_ID,
	DRG_FIELD_IF_NONE_MATCH,
	DRG_FIELD_LENGTH,
	DRG_FIELD_ACCEPT_ENCODING,
	DRG_FIELD_CONTENT_ENCODING,
	DRG_FIELD_CODING,
	DRG_FIELD_FORWARDED_FOR,
	DRG_FIELD_CONNECTION,
	DRG_FIELD_PROXY_CONNECTION,
	DRG_FIELD_UPGRADE,
	DRG_FIELD_OURS, /**< the number of these fields */
	DRG_FIELDS_MAX = 32,
	DRG_FIELD_NONE = DRG_FIELDS_MAX /**< an unused field */
};

enum { DRG_FIELD_LONGEST = 63 };

/** The fields by the length of their names: linked lists that end with DRG_FIELD_NONE. */
struct drg_fields {
	struct drg_str name[DRG_FIELDS_MAX];
	unsigned n;
	unsigned char first[DRG_FIELD_LONGEST + 1], next[DRG_FIELDS_MAX];
};

/** Add the server's fields. */
void drg_fields_init(struct drg_fields *f);
/** Add a field of the application, with the next number. @param name  Borrowed. */
void drg_fields_add(struct drg_fields *f, struct drg_str name);

/** Find the first field with this name in a list, from @p number on. */
static inline unsigned drg_fields_from(const struct drg_fields *f, unsigned number, struct drg_str name)
{
	for (; number != DRG_FIELD_NONE; number = f->next[number]) {
		const char *known = f->name[number].p;
		/* The first and the last letter, ignoring case, rule out nearly all other fields. Then
		 * compare with the spelling of nearly all clients. */
		if (((known[0] ^ name.p[0]) & ~0x20) != 0 ||
		    ((known[name.n - 1] ^ name.p[name.n - 1]) & ~0x20) != 0)
			continue;
		if (memcmp(known, name.p, name.n) == 0 || drg_str_eq_nocase(f->name[number], name))
			break;
	}
	return number;
}

/** The number of the field with this name, or DRG_FIELD_NONE. */
static inline unsigned drg_fields_find(const struct drg_fields *f, struct drg_str name)
{
	return name.n == 0 || name.n > DRG_FIELD_LONGEST ? DRG_FIELD_NONE
	                                                 : drg_fields_from(f, f->first[name.n], name);
}

/** The next field with the same name as @p number, because the application reads it too, or
 * DRG_FIELD_NONE. */
static inline unsigned drg_fields_other(const struct drg_fields *f, unsigned number)
{
	return drg_fields_from(f, f->next[number], f->name[number]);
}
