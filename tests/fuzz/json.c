/* JSON of requests and imports: two readers, one grammar. */
#include "fuzz.h"
#include "text/json.h"
#include "text/json_scan.h"
#include "text/utf8.h"

enum { MEMORY = 64 << 20 };

/* Walks everything, so that each text is decoded and each number read. */
static size_t walk(const struct drg_json_item *v, struct drg_arena *arena)
{
	struct drg_json_walk w;
	struct drg_json_item inner;
	struct drg_str name;
	size_t values = 1;
	char said[1024];
	REQUIRE(drg_utf8_valid(drg_str_c(drg_json_item_describe(v, said, sizeof said)), NULL));
	if (v->type != DRG_JSON_OBJECT && v->type != DRG_JSON_ARRAY)
		return values;
	drg_json_walk_init(&w, v, arena);
	while (drg_json_walk_next(&w, &name, &inner) == DRG_OK)
		values += walk(&inner, arena);
	return values;
}

static size_t count(const json_t *v)
{
	size_t values = 1, i;
	const char *name;
	json_t *inner;
	if (json_is_array(v))
		json_array_foreach(v, i, inner) values += count(inner);
	else
		json_object_foreach((json_t *)(uintptr_t)v, name, inner) values += count(inner);
	return values;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct drg_str text = input_text(data, n);
	struct drg_arena arena;
	struct drg_json_item scanned;
	struct drg_err ours = { 0 }, theirs = { 0 };
	json_t *tree = NULL;
	drg_arena_init(&arena, MEMORY);
	int rc = drg_json_scan_document(text, &arena, &scanned, &ours);
	int other = drg_json_parse(text, &tree, &theirs);
	/* An integer beyond int64 is refused by who reads it (decision L10), and a tree has no place for it. */
	bool too_big = rc == DRG_OK && other == DRG_EINVAL && strcmp(theirs.reason, "out_of_range") == 0;
	REQUIRE((rc == DRG_OK) == (other == DRG_OK) || too_big);
	if (rc != DRG_OK)
		require_refusal(rc, &ours);
	size_t values = rc == DRG_OK ? walk(&scanned, &arena) : 0;
	REQUIRE(other != DRG_OK || values == count(tree));
	json_decref(tree);
	drg_arena_done(&arena);
	return 0;
}
