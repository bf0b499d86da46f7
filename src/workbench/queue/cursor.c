#include "workbench/queue/cursor.h"
#include "workbench/queue/cases.h"

#include <math.h>
#include <sodium.h>

/* As it is packed; the id follows. */
struct cursor_head {
	int64_t asked, adapter, seq, country, city;
	float worth, likely;
	uint32_t settles, waiting;
	int32_t millibits;
	uint16_t id_bytes;
	uint8_t version, sort, kind, reason;
	uint8_t later;
	uint8_t unused[1];
};
enum { CURSOR_VERSION = 2, ID_BYTES_MAX = 4 * DRG_CHARS_ID };
_Static_assert((sizeof(struct cursor_head) + ID_BYTES_MAX) * 4 / 3 + 4 <= DRG_CASE_CURSOR_TEXT,
               "it has room");

size_t drg_case_cursor_write(const struct drg_open_case *c, enum drg_queue_sort sort, bool later,
                             char buf[static DRG_CASE_CURSOR_TEXT])
{
	unsigned char bytes[sizeof(struct cursor_head) + ID_BYTES_MAX];
	const struct cursor_head h = { .asked = c->asked,
		                       .adapter = c->adapter,
		                       .seq = c->version,
		                       .country = c->country,
		                       .city = c->city,
		                       .worth = c->worth,
		                       .likely = c->likely,
		                       .settles = c->settles,
		                       .waiting = c->waiting,
		                       .millibits = c->millibits,
		                       .version = CURSOR_VERSION,
		                       .sort = (uint8_t)sort,
		                       .later = later,
		                       .kind = c->kind,
		                       .reason = c->reason,
		                       .id_bytes =
		                               (uint16_t)(c->id.n < ID_BYTES_MAX ? c->id.n : ID_BYTES_MAX) };
	memcpy(bytes, &h, sizeof h);
	memcpy(bytes + sizeof h, c->id.p, h.id_bytes);
	sodium_bin2base64(buf, DRG_CASE_CURSOR_TEXT, bytes, sizeof h + h.id_bytes,
	                  sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	return strlen(buf);
}

int drg_case_cursor_read(struct drg_str text, enum drg_queue_sort sort, struct drg_arena *arena,
                         struct drg_open_case *ret, bool *ret_later, struct drg_err *reterr)
{
	unsigned char bytes[sizeof(struct cursor_head) + ID_BYTES_MAX];
	struct cursor_head h = { .version = 0 };
	size_t n = 0;
	bool ok = sodium_base642bin(bytes, sizeof bytes, text.p, text.n, NULL, &n, NULL,
	                            sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
	          n >= sizeof h;
	if (ok)
		memcpy(&h, bytes, sizeof h);
	if (!ok || h.version != CURSOR_VERSION || n != sizeof h + h.id_bytes || h.sort != sort ||
	    !drg_kind_is_source(h.kind) || isnan(h.worth) || isnan(h.likely))
		return drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_cursor), "cursor",
		                "cursor: expected one that an answer in this order gave, as it was given");
	*ret = (struct drg_open_case){ .asked = h.asked,
		                       .adapter = h.adapter,
		                       .version = h.seq,
		                       .country = h.country,
		                       .city = h.city,
		                       .worth = h.worth,
		                       .likely = h.likely,
		                       .settles = h.settles,
		                       .waiting = h.waiting,
		                       .millibits = h.millibits,
		                       .kind = h.kind,
		                       .reason = h.reason,
		                       .id = drg_arena_str(
		                               arena, drg_str((const char *)bytes + sizeof h, h.id_bytes)) };
	*ret_later = h.later != 0;
	return ret->id.p != NULL ? DRG_OK : drg_fail_memory(reterr);
}
