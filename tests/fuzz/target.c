/* Request targets, query strings and forms, read by a table that has every type of parameter. */
#include "fuzz.h"
#include "text/form.h"
#include "http/params.h"
#include "text/utf8.h"

enum { MEMORY = 16 << 20 };

static const struct drg_param params[] = {
	{ .name = "lang", .type = DRG_P_LANG },
	{ .name = "demo", .type = DRG_P_FLAG },
	{ .name = "n", .type = DRG_P_INT, .min = -5, .max = 50 },
	{ .name = "id", .type = DRG_P_INT, .repeated = true },
	{ .name = "text", .type = DRG_P_TEXT, .max = 10 },
	{ .name = "place", .type = DRG_P_INT, .in_path = true },
	{ .name = NULL },
};
/* By the number of segments, as the router chooses. */
static const struct drg_endpoint other = { .path = "/x", .params = params },
                                 two = { .path = "/x/:place", .params = params };

static void note(void *ctx, struct drg_str name)
{
	REQUIRE(drg_utf8_valid(name, NULL));
	++*(unsigned *)ctx;
}

static int require_text(void *ctx, struct drg_str name, struct drg_str value)
{
	(void)ctx;
	REQUIRE(drg_utf8_valid(name, NULL) && drg_utf8_valid(value, NULL));
	REQUIRE(memchr(name.p, '\0', name.n) == NULL && memchr(value.p, '\0', value.n) == NULL);
	return DRG_OK;
}

static void require_values(const struct drg_params *p)
{
	const struct drg_param_value *n = drg_params_get(p, "n"), *text = drg_params_get(p, "text");
	REQUIRE(!n->given || (n->i >= -5 && n->i <= 50));
	REQUIRE(!text->given || (drg_utf8_valid(text->s, NULL) && drg_utf8_count(text->s) <= 10));
}

static void read_target(struct drg_str raw, struct drg_arena *arena)
{
	struct drg_target t;
	struct drg_params p;
	struct drg_err err = { 0 };
	unsigned ignored = 0;
	int rc = drg_target_parse(raw, arena, &t, &err);
	for (size_t i = 0; rc == DRG_OK && i < t.n_segments && i < DRG_TARGET_SEGMENTS; i++)
		REQUIRE(drg_utf8_valid(t.segments[i], NULL));
	if (rc == DRG_OK)
		rc = drg_params_read(t.n_segments == 2 ? &two : &other, &t, arena, note, &ignored, &p, &err);
	if (rc == DRG_OK)
		require_values(&p);
	else
		require_refusal(rc, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct drg_str text = input_text(data, n);
	struct drg_arena arena;
	struct drg_err err = { 0 };
	drg_arena_init(&arena, MEMORY);
	read_target(text, &arena);
	int rc = drg_form_each(text, &arena, require_text, NULL, &err);
	if (rc != DRG_OK)
		require_refusal(rc, &err);
	drg_arena_done(&arena);
	return 0;
}
