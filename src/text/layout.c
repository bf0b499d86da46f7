#include "text/layout.h"

#include <assert.h>

#include "text/icu.h"

/* A key with what it gives on each layout. */
struct key {
	char latin;
	UChar32 russian, ukrainian;
};
static const struct key keys[] = {
	{ 'q', 0x439, 0x439 }, { 'w', 0x446, 0x446 }, { 'e', 0x443, 0x443 },  { 'r', 0x43a, 0x43a },
	{ 't', 0x435, 0x435 }, { 'y', 0x43d, 0x43d }, { 'u', 0x433, 0x433 },  { 'i', 0x448, 0x448 },
	{ 'o', 0x449, 0x449 }, { 'p', 0x437, 0x437 }, { '[', 0x445, 0x445 },  { ']', 0x44a, 0x457 },
	{ 'a', 0x444, 0x444 }, { 's', 0x44b, 0x456 }, { 'd', 0x432, 0x432 },  { 'f', 0x430, 0x430 },
	{ 'g', 0x43f, 0x43f }, { 'h', 0x440, 0x440 }, { 'j', 0x43e, 0x43e },  { 'k', 0x43b, 0x43b },
	{ 'l', 0x434, 0x434 }, { ';', 0x436, 0x436 }, { '\'', 0x44d, 0x454 }, { 'z', 0x44f, 0x44f },
	{ 'x', 0x447, 0x447 }, { 'c', 0x441, 0x441 }, { 'v', 0x43c, 0x43c },  { 'b', 0x438, 0x438 },
	{ 'n', 0x442, 0x442 }, { 'm', 0x44c, 0x44c }, { ',', 0x431, 0x431 },  { '.', 0x44e, 0x44e },
	{ '`', 0x451, '\'' },  { '\\', '\\', 0x491 },
};
/* With the shift key. */
static const struct {
	char shifted, plain;
} shifts[] = { { '{', '[' }, { '}', ']' }, { ':', ';' }, { '"', '\'' },
	       { '<', ',' }, { '>', '.' }, { '~', '`' } };

enum layout { LATIN_KEYS, RUSSIAN, UKRAINIAN };

static UChar32 on(const struct key *k, enum layout layout)
{
	return layout == LATIN_KEYS ? k->latin : layout == RUSSIAN ? k->russian : k->ukrainian;
}

static UChar32 plain(UChar32 c)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(shifts); i++)
		if (c == shifts[i].shifted)
			return shifts[i].plain;
	return u_tolower(c);
}

/* Letters on which the two Cyrillic layouts differ are read from the one that has them. */
static UChar32 convert(UChar32 c, enum layout to)
{
	UChar32 small = plain(c);
	for (size_t i = 0; i < DRG_ARRAY_LEN(keys); i++) {
		const struct key *k = &keys[i];
		if (to == LATIN_KEYS ? c >= 0x80 && (k->russian == small || k->ukrainian == small)
		                     : k->latin == small)
			return on(k, to);
	}
	return c;
}

static bool convert_all(struct drg_str typed, enum layout to, struct drg_arena *arena, struct drg_str *ret)
{
	const uint8_t *p = (const uint8_t *)typed.p;
	size_t n = 0;
	/* A key is one byte in Latin, two in Cyrillic; others stay. */
	uint8_t *text = drg_arena_alloc(arena, 2 * typed.n);
	if (text == NULL)
		return false;
	for (size_t i = 0; i < typed.n;) {
		UChar32 c;
		U8_NEXT(p, i, typed.n, c);
		c = convert(c, to);
		U8_APPEND_UNSAFE(text, n, (uint32_t)c);
	}
	assert(n <= 2 * typed.n);
	*ret = drg_str((const char *)text, n);
	return true;
}

unsigned drg_layout_guesses(struct drg_str typed, struct drg_arena *arena, struct drg_str *ret)
{
	const uint8_t *p = (const uint8_t *)typed.p;
	size_t n_latin = 0, n_cyrillic = 0;
	for (size_t i = 0; i < typed.n;) {
		UChar32 c;
		U8_NEXT(p, i, typed.n, c);
		if (c < 0x80)
			n_latin += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
		else if (convert(c, LATIN_KEYS) != c)
			n_cyrillic++;
		else if (u_isalpha(c))
			return 0;
	}
	if ((n_latin > 0) == (n_cyrillic > 0))
		return 0;
	if (n_cyrillic > 0)
		return convert_all(typed, LATIN_KEYS, arena, &ret[0]);
	if (!convert_all(typed, RUSSIAN, arena, &ret[0]) || !convert_all(typed, UKRAINIAN, arena, &ret[1]))
		return 0;
	return drg_str_eq(ret[0], ret[1]) ? 1 : 2;
}
