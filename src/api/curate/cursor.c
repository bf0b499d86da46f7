#include "api/curate/cursor.h"

#include <sodium.h>

/* As it is packed; the id follows. */
struct cursor_head {
	int64_t asked, adapter;
	uint32_t waiting;
	int32_t millibits;
	uint8_t version, kind;
	uint16_t id_bytes;
	uint8_t unused[4];
};
enum { CURSOR_VERSION = 1, ID_BYTES_MAX = 256 /* 64 characters */ };

size_t drg_case_cursor_write(const struct drg_open_case *c, char buf[static DRG_CASE_CURSOR_TEXT])
{
	unsigned char bytes[sizeof(struct cursor_head) + ID_BYTES_MAX];
	const struct cursor_head h = { .asked = c->asked,
		                       .adapter = c->adapter,
		                       .waiting = c->waiting,
		                       .millibits = c->millibits,
		                       .version = CURSOR_VERSION,
		                       .kind = c->kind,
		                       .id_bytes =
		                               (uint16_t)(c->id.n < ID_BYTES_MAX ? c->id.n : ID_BYTES_MAX) };
	memcpy(bytes, &h, sizeof h);
	memcpy(bytes + sizeof h, c->id.p, h.id_bytes);
	sodium_bin2base64(buf, DRG_CASE_CURSOR_TEXT, bytes, sizeof h + h.id_bytes,
	                  sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	return strlen(buf);
}

int drg_case_cursor_read(struct drg_str text, struct drg_arena *arena, struct drg_open_case *ret,
                         struct drg_err *reterr)
{
	unsigned char bytes[sizeof(struct cursor_head) + ID_BYTES_MAX];
	struct cursor_head h = { .version = 0 };
	size_t n = 0;
	bool ok = sodium_base642bin(bytes, sizeof bytes, text.p, text.n, NULL, &n, NULL,
	                            sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
	          n >= sizeof h;
	if (ok)
		memcpy(&h, bytes, sizeof h);
	if (!ok || h.version != CURSOR_VERSION || n != sizeof h + h.id_bytes ||
	    h.kind >= DRG_KIND_SOURCE_COUNT)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_cursor), "cursor",
		                "cursor: expected one that an answer gave, as it was given");
	*ret = (struct drg_open_case){ .asked = h.asked,
		                       .adapter = h.adapter,
		                       .waiting = h.waiting,
		                       .millibits = h.millibits,
		                       .kind = h.kind,
		                       .id = drg_arena_str(
		                               arena, drg_str((const char *)bytes + sizeof h, h.id_bytes)) };
	return ret->id.p != NULL ? DRG_OK : drg_fail_memory(reterr);
}
