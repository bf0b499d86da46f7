/* Elements of tour/sourceAdd and tour/compared. */
#include "api/element.h"
#include "fuzz.h"

enum { MEMORY = 16 << 20 };

static void note(void *ctx, enum drg_kind kind, struct drg_str name)
{
	(void)ctx;
	(void)name;
	REQUIRE(drg_kind_is_source(kind));
}

/* What is echoed is JSON. */
static void require_json(const struct drg_element *e, struct drg_arena *arena)
{
	struct drg_buf out;
	struct drg_json_item echoed;
	drg_buf_init(&out, SIZE_MAX);
	struct drg_jw w = { .b = &out };
	drg_element_json(e, &w);
	REQUIRE(out.rc == DRG_OK);
	REQUIRE(drg_json_scan(drg_buf_view(&out), arena, &echoed, NULL) == DRG_OK);
	drg_buf_done(&out);
}

static void read_element(const struct drg_element_table *table, enum drg_kind kind,
                         const struct drg_json_item *item, struct drg_arena *arena)
{
	const struct drg_element_ignored ignored = { note, NULL };
	struct drg_element e;
	if (drg_element_read(table, kind, item, arena, &ignored, &e) != DRG_OK)
		return;
	REQUIRE(drg_element_same(&e, &e));
	if (e.state == DRG_ELEMENT_NEW)
		require_json(&e, arena);
}

/* The first byte chooses table and kind; the rest is the element. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const struct drg_element_table *const tables[] = { &drg_source_add_elements,
		                                                  &drg_compared_elements };
	struct drg_arena arena;
	struct drg_json_item item;
	if (n < 1)
		return 0;
	drg_arena_init(&arena, MEMORY);
	if (drg_json_scan_document(input_text(data + 1, n - 1), &arena, &item, NULL) == DRG_OK)
		read_element(tables[data[0] >> 3 & 1], (enum drg_kind)(data[0] % (DRG_KIND_HOTEL + 1)), &item,
		             &arena);
	drg_arena_done(&arena);
	return 0;
}
