#include "catalog/air/forms_priv.h"

#include "catalog/air/words_priv.h"

/* A name in which one word is replaced by another. */
static bool form_with(struct drg_arena *arena, struct drg_str name, struct drg_str word, struct drg_str other,
                      struct drg_str *ret)
{
	size_t before = (size_t)(word.p - name.p), after = name.n - before - word.n;
	char *text = drg_arena_alloc(arena, before + other.n + after);
	if (text == NULL)
		return false;
	memcpy(text, name.p, before);
	memcpy(text + before, other.p, other.n);
	memcpy(text + before + other.n, word.p + word.n, after);
	*ret = drg_str(text, before + other.n + after);
	return true;
}

static bool form_ways(struct drg_arena *arena, struct drg_str name,
                      void (*fn)(void *ctx, struct drg_str form), void *ctx)
{
	struct drg_str rest = name, word, other, form, ways = { "", 0 };
	bool ok = true;
	fn(ctx, name);
	while (rest.n > 0 && ways.n == 0 && drg_str_split(&rest, ' ', &word))
		ways = drg_air_same(word);
	while (ok && ways.n > 0 && drg_str_split(&ways, ' ', &other)) {
		if (drg_str_eq(other, word))
			continue;
		ok = form_with(arena, name, word, other, &form);
		if (ok)
			fn(ctx, form);
	}
	return ok;
}

bool drg_air_forms_each(struct drg_arena *arena, struct drg_str name, struct drg_str *ret_core,
                        void (*fn)(void *ctx, struct drg_str form), void *ctx)
{
	char *p = drg_arena_alloc(arena, name.n + 1);
	struct drg_buf core = { .p = p, .cap = name.n + 1, .max = name.n + 1 };
	if (p == NULL || !form_ways(arena, name, fn, ctx))
		return false;
	drg_air_core(name, &core);
	bool other = core.n > 0 && core.n < name.n;
	*ret_core = core.n > 0 ? drg_buf_view(&core) : name;
	return !other || form_ways(arena, *ret_core, fn, ctx);
}
