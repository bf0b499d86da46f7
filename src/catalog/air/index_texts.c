/* Collects the texts of the index: names, words, keys and sounds, each once for a place. */
#include <stdlib.h>

#include "catalog/air/forms_priv.h"
#include "catalog/air/index_priv.h"
#include "catalog/air/words_priv.h"
#include "text/json.h"

struct numbers {
	struct drg_air_numbered *v;
	size_t n, cap;
};

struct index_texts {
	struct drg_arena arena; /* of texts that are in no record */
	struct drg_buf plain, apart, work; /* steps from a title to its letters */
	struct drg_air_pairs names, words, own;
	struct numbers key, sound;
	bool full;
};

/* Read the next name of a place: its scripts and its text. */
static bool next_name(struct drg_str *lines, struct drg_str *ret_name, unsigned *ret_scripts)
{
	if (lines->n == 0 || !drg_str_split(lines, '\n', ret_name) || ret_name->n == 0)
		return false;
	*ret_scripts = (unsigned)(ret_name->p[0] - '0');
	*ret_name = drg_str(ret_name->p + 1, ret_name->n - 1);
	return true;
}

static void index_add_words(struct index_texts *t, struct drg_str name, uint32_t place, unsigned scripts)
{
	struct drg_str word, other;
	while (name.n > 0 && drg_str_split(&name, ' ', &word)) {
		struct drg_str ways = drg_air_same(word);
		drg_air_pairs_add(&t->words, word, place, scripts);
		while (ways.n > 0 && drg_str_split(&ways, ' ', &other))
			drg_air_pairs_add(&t->words, other, place, scripts);
	}
}

static void index_add_number(struct index_texts *t, struct numbers *to, uint64_t number, uint32_t place)
{
	if (to->n > 0 && to->v[to->n - 1].number == number && to->v[to->n - 1].place == place)
		return;
	if (to->n == to->cap) {
		size_t cap = to->cap > 0 ? to->cap * 2 : 1024;
		struct drg_air_numbered *v = realloc(to->v, cap * sizeof *v);
		t->full |= v == NULL;
		if (v == NULL)
			return;
		to->v = v;
		to->cap = cap;
	}
	to->v[to->n++] = (struct drg_air_numbered){ number, place };
}

static void add_sound(struct index_texts *t, struct drg_str name, uint32_t place, unsigned scripts)
{
	for (unsigned script = 1; script <= DRG_AIR_OTHER; script *= 2) {
		uint64_t sound = (scripts & script) != 0 ? drg_air_sound_in(name, script) : 0;
		if (sound != 0)
			index_add_number(t, &t->sound, sound, place);
	}
}

struct index_name {
	struct index_texts *t;
	uint32_t place;
	unsigned scripts;
};

static void index_add_form(void *ctx, struct drg_str form)
{
	const struct index_name *n = ctx;
	drg_air_pairs_add(&n->t->names, form, n->place, n->scripts);
}

static void index_add_name(struct index_texts *t, struct drg_str name, uint32_t place, unsigned scripts)
{
	struct index_name n = { t, place, scripts };
	struct drg_str core;
	if (drg_air_forms_each(&t->arena, name, &core, index_add_form, &n))
		add_sound(t, core, place, scripts);
	else
		t->full = true;
}

/* A title without what tells it from others: "دايتون، أوهايو", "Goshen (Indiana)". */
static struct drg_str bare_title(struct drg_str title)
{
	static const char *const marks[] = { ",", "،", " (" };
	for (size_t i = 0; i < DRG_ARRAY_LEN(marks); i++) {
		const char *at = memmem(title.p, title.n, marks[i], strlen(marks[i]));
		if (at != NULL && at > title.p)
			title.n = (size_t)(at - title.p);
	}
	return title;
}

/* Add a title in the letters of its script, unless that is Latin. */
static void index_add_own(struct index_texts *t, struct drg_str esc, uint32_t place)
{
	drg_buf_clear(&t->plain);
	drg_buf_clear(&t->apart);
	drg_json_unescape(&t->plain, esc);
	struct drg_str plain = bare_title(drg_buf_view(&t->plain));
	unsigned script = drg_air_script(plain);
	if (script != DRG_AIR_CYRILLIC && script != DRG_AIR_OTHER)
		return;
	drg_air_spread(plain, &t->apart);
	size_t room = t->apart.n + 2;
	char *p = drg_arena_alloc(&t->arena, room);
	struct drg_buf own = { .p = p, .cap = room, .max = room };
	t->full |= p == NULL || t->plain.rc != DRG_OK || t->apart.rc != DRG_OK;
	if (p != NULL && drg_air_letters(drg_buf_view(&t->apart), &t->work, &own))
		drg_air_pairs_add(&t->own, drg_buf_view(&own), place, script);
}

/* Add the key of the part of a title that does not name the city: "Heathrow" of "London Heathrow Airport". */
static void add_own_key(struct index_texts *t, const struct drg_air_index *ix, struct drg_str name,
                        uint32_t place, uint32_t city)
{
	enum { WORD_MIN = 4 };
	struct drg_str word, lines = drg_air_folded(ix->rec[city]), line;
	bool own = false;
	while (lines.n > 0 && drg_str_split(&lines, '\n', &line)) {
		size_t n = line.n > 0 ? line.n - 1 : 0;
		if (n == 0 || n + 1 >= name.n || memcmp(name.p, line.p + 1, n) != 0 || name.p[n] != ' ')
			continue;
		struct drg_str rest = drg_str(name.p + n + 1, name.n - n - 1);
		uint64_t key = drg_air_key(rest);
		while (rest.n > 0 && drg_str_split(&rest, ' ', &word))
			own |= word.n >= WORD_MIN && drg_air_generic(word) == DRG_AIR_WORD_OWN;
		if (own)
			index_add_number(t, &t->key, key, place);
		return;
	}
}

static void index_add_place(struct index_texts *t, const struct drg_air_index *ix, uint32_t place)
{
	const struct drg_air_rec *rec = ix->rec[place];
	struct drg_str names = drg_air_folded(rec), name;
	uint32_t city = drg_air_code_find(ix, drg_air_city_code(rec), DRG_PLACE_CITY);
	unsigned scripts;
	while (next_name(&names, &name, &scripts)) {
		index_add_name(t, name, place, scripts);
		index_add_words(t, name, place, scripts);
		if (place >= ix->n_countries)
			index_add_number(t, &t->key, drg_air_key(name), place);
		if (city != DRG_AIR_NONE)
			add_own_key(t, ix, name, place, city);
	}
	for (unsigned i = 0; i < rec->n_titles; i++)
		index_add_own(t, drg_air_title_at(rec, i), place);
	if (city == DRG_AIR_NONE)
		return;
	names = drg_air_folded(ix->rec[city]);
	while (next_name(&names, &name, &scripts))
		index_add_words(t, name, place, scripts);
}

/* Copy the numbers into the index, each once. */
static int keep_numbers(struct drg_air_index *ix, struct numbers *from, const struct drg_air_numbered **ret,
                        uint32_t *ret_n, struct drg_err *reterr)
{
	struct drg_air_numbered *kept = drg_arena_alloc(&ix->arena, (from->n + 1) * sizeof *kept);
	uint32_t n = 0;
	if (kept == NULL || from->n >= DRG_AIR_NONE)
		return drg_fail_memory(reterr);
	if (from->n > 0)
		drg_air_numbered_sort(from->v, from->n);
	for (size_t i = 0; i < from->n; i++)
		if (i == 0 || from->v[i].number != from->v[i - 1].number ||
		    from->v[i].place != from->v[i - 1].place)
			kept[n++] = from->v[i];
	*ret = kept;
	*ret_n = n;
	return DRG_OK;
}

int drg_air_texts_build(struct drg_air_index *ix, struct drg_err *reterr)
{
	struct index_texts t = { 0 };
	drg_arena_init(&t.arena, SIZE_MAX / 2);
	drg_buf_init(&t.plain, SIZE_MAX / 2);
	drg_buf_init(&t.apart, SIZE_MAX / 2);
	drg_buf_init(&t.work, SIZE_MAX / 2);
	for (uint32_t i = 0; i < ix->n; i++)
		index_add_place(&t, ix, i);
	int rc = t.full ? drg_fail_memory(reterr) : DRG_OK;
	if (rc == DRG_OK)
		rc = keep_numbers(ix, &t.key, &ix->key, &ix->n_keys, reterr);
	if (rc == DRG_OK)
		rc = keep_numbers(ix, &t.sound, &ix->sound, &ix->n_sounds, reterr);
	if (rc == DRG_OK)
		rc = drg_air_terms_build(&t.names, &ix->arena, &ix->names, reterr);
	if (rc == DRG_OK)
		rc = drg_air_terms_build(&t.words, &ix->arena, &ix->words, reterr);
	if (rc == DRG_OK)
		rc = drg_air_terms_build(&t.own, &ix->arena, &ix->own, reterr);
	if (rc == DRG_OK)
		rc = drg_air_tree_build(&ix->names, &ix->arena, &ix->name_tree, reterr);
	if (rc == DRG_OK)
		rc = drg_air_tree_build(&ix->words, &ix->arena, &ix->word_tree, reterr);
	if (rc == DRG_OK)
		rc = drg_air_tree_build(&ix->own, &ix->arena, &ix->own_tree, reterr);
	drg_buf_done(&t.work);
	drg_buf_done(&t.apart);
	drg_buf_done(&t.plain);
	drg_air_pairs_done(&t.own);
	drg_air_pairs_done(&t.words);
	drg_air_pairs_done(&t.names);
	drg_arena_done(&t.arena);
	free(t.key.v);
	free(t.sound.v);
	return rc;
}
