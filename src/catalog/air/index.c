#include "catalog/air/index_priv.h"

#include <assert.h>
#include <stdlib.h>

#include "catalog/air/words_priv.h"
#include "catalog/rcu.h"
#include "text/json.h"

/* ---- building ------------------------------------------------------------------------------------------- */

static int by_weight(const void *a, const void *b)
{
	const struct drg_air_rec *x = *(const struct drg_air_rec *const *)a;
	const struct drg_air_rec *y = *(const struct drg_air_rec *const *)b;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->id < y->id ? -1 : 1;
}

static int index_by_id(const void *a, const void *b, void *ctx)
{
	const struct drg_air_index *ix = ctx;
	int64_t x = ix->rec[*(const uint32_t *)a]->id, y = ix->rec[*(const uint32_t *)b]->id;
	return x < y ? -1 : x > y;
}

static uint32_t *numbers(struct drg_air_index *ix, size_t n)
{
	return drg_arena_alloc(&ix->arena, (n + 1) * sizeof(uint32_t));
}

/* At the border; behind it the order of weights sees to it. */
static bool countries_are_first(const struct drg_air_index *ix)
{
	uint32_t n = ix->n_countries;
	return n <= ix->n && (n == 0 || ix->rec[n - 1]->place == DRG_AIR_COUNTRY) &&
	       (n == ix->n || ix->rec[n]->place != DRG_AIR_COUNTRY);
}

static int number_places(struct drg_air_index *ix, const struct drg_sorted_rows *places,
                         struct drg_err *reterr)
{
	const struct drg_air_row *row = (const struct drg_air_row *)(const void *)places->row;
	uint32_t *ids = numbers(ix, places->n), *first = numbers(ix, places->n),
	         *end = numbers(ix, places->n);
	ix->rec = drg_arena_alloc(&ix->arena, (places->n + 1) * sizeof(struct drg_air_rec *));
	if (places->n >> DRG_AIR_PLACE_BITS != 0 || ids == NULL || first == NULL || end == NULL ||
	    ix->rec == NULL)
		return drg_fail_memory(reterr);
	ix->n = (uint32_t)places->n;
	for (uint32_t i = 0; i < ix->n; i++) {
		ix->rec[i] = row[i].rec;
		ix->n_countries += row[i].country != 0;
	}
	qsort(ix->rec, ix->n, sizeof(struct drg_air_rec *), by_weight);
	assert(countries_are_first(ix));
	for (uint32_t i = ix->n_countries; i < ix->n; i++)
		ids[i - ix->n_countries] = i;
	qsort_r(ids, ix->n - ix->n_countries, sizeof *ids, index_by_id, ix);
	for (uint32_t i = 0; i < ix->n; i++)
		first[i] = i > 0 && ix->rec[i]->weight == ix->rec[i - 1]->weight ? first[i - 1] : i;
	for (uint32_t i = ix->n; i-- > 0;)
		end[i] = i + 1 < ix->n && first[i + 1] == first[i] ? end[i + 1] : i + 1;
	ix->by_id = ids;
	ix->tie_first = first;
	ix->tie_end = end;
	return DRG_OK;
}

static int fill_countries(struct drg_air_index *ix, struct drg_err *reterr)
{
	enum { CODES = 256 * 256 };
	size_t words = ix->n / 64 + 1;
	uint32_t *of = drg_arena_alloc(&ix->arena, CODES * sizeof *of);
	ix->in_country = drg_arena_calloc(&ix->arena, (ix->n_countries + 1) * words, sizeof *ix->in_country);
	if (of == NULL || ix->in_country == NULL)
		return drg_fail_memory(reterr);
	memset(of, 0xff, CODES * sizeof *of);
	for (uint32_t i = 0; i < ix->n; i++) {
		const uint8_t *code = (const uint8_t *)ix->rec[i]->country_code;
		uint32_t *country = &of[code[0] * 256U + code[1]];
		if (i < ix->n_countries)
			*country = *country == DRG_AIR_NONE ? i : *country;
		else if (*country != DRG_AIR_NONE)
			ix->in_country[*country * words + i / 64] |= UINT64_C(1) << i % 64;
	}
	return DRG_OK;
}

/* What narrows a search, where one can look at all places in a microsecond. */
static int fill_kinds(struct drg_air_index *ix, struct drg_err *reterr)
{
	char(*code)[2] = drg_arena_alloc(&ix->arena, (ix->n + 1) * sizeof *code);
	bool full = code == NULL;
	for (size_t i = 0; i < DRG_AIR_KINDS; i++) {
		ix->of_kind[i] = drg_arena_calloc(&ix->arena, ix->n / 64 + 1, sizeof *ix->of_kind[i]);
		full |= ix->of_kind[i] == NULL;
	}
	if (full)
		return drg_fail_memory(reterr);
	for (uint32_t i = 0; i < ix->n; i++) {
		assert(ix->rec[i]->place < DRG_AIR_KINDS);
		ix->of_kind[ix->rec[i]->place][i / 64] |= UINT64_C(1) << i % 64;
		memcpy(code[i], ix->rec[i]->country_code, sizeof *code);
	}
	ix->country_code = (const char(*)[2])code;
	return DRG_OK;
}

/* ---- names and words -------------------------------------------------------------------------------------- */

struct numbers {
	struct drg_air_numbered *v;
	size_t n, cap;
};

struct index_texts {
	struct drg_arena arena; /* of texts that no record has */
	struct drg_buf plain, apart, work; /* a title, on its way to its own letters */
	struct drg_air_pairs names, words, own;
	struct numbers key, sound;
	bool full;
};

/* A name of a place: scripts and text. */
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

/* A name with another word in place of one. */
static void add_with(struct index_texts *t, struct drg_str name, struct drg_str word, struct drg_str other,
                     uint32_t place, unsigned scripts)
{
	size_t before = (size_t)(word.p - name.p), after = name.n - before - word.n;
	char *text = drg_arena_alloc(&t->arena, before + other.n + after);
	t->full |= text == NULL;
	if (text == NULL)
		return;
	memcpy(text, name.p, before);
	memcpy(text + before, other.p, other.n);
	memcpy(text + before + other.n, word.p + word.n, after);
	drg_air_pairs_add(&t->names, drg_str(text, before + other.n + after), place, scripts);
}

/* A name, in all ways to write the first of its words that has several. */
static void add_ways(struct index_texts *t, struct drg_str name, uint32_t place, unsigned scripts)
{
	struct drg_str rest = name, word, other, ways = { "", 0 };
	drg_air_pairs_add(&t->names, name, place, scripts);
	while (rest.n > 0 && ways.n == 0 && drg_str_split(&rest, ' ', &word))
		ways = drg_air_same(word);
	while (ways.n > 0 && drg_str_split(&ways, ' ', &other))
		if (!drg_str_eq(other, word))
			add_with(t, name, word, other, place, scripts);
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
	uint64_t sound = (scripts & DRG_AIR_LATIN) != 0 ? drg_air_sound(name, DRG_AIR_PLAIN) : 0;
	if (sound != 0)
		index_add_number(t, &t->sound, sound, place);
}

static void index_add_name(struct index_texts *t, struct drg_str name, uint32_t place, unsigned scripts)
{
	char *p = drg_arena_alloc(&t->arena, name.n + 1);
	struct drg_buf core = { .p = p, .cap = name.n + 1, .max = name.n + 1 };
	t->full |= p == NULL;
	if (p == NULL)
		return;
	add_ways(t, name, place, scripts);
	drg_air_core(name, &core);
	add_sound(t, core.n > 0 ? drg_buf_view(&core) : name, place, scripts);
	if (core.n > 0 && core.n < name.n)
		add_ways(t, drg_buf_view(&core), place, scripts);
}

/* A title in the letters of its script, where that is not Latin. */
static void index_add_own(struct index_texts *t, struct drg_str esc, uint32_t place)
{
	drg_buf_clear(&t->plain);
	drg_buf_clear(&t->apart);
	drg_json_unescape(&t->plain, esc);
	struct drg_str plain = drg_buf_view(&t->plain);
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
	}
	for (unsigned i = 0; i < rec->n_titles; i++)
		index_add_own(t, drg_air_title_at(rec, i), place);
	if (city == DRG_AIR_NONE)
		return;
	names = drg_air_folded(ix->rec[city]);
	while (next_name(&names, &name, &scripts))
		index_add_words(t, name, place, scripts);
}

/* Into the index, each once. */
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

static int sort_texts(struct drg_air_index *ix, struct drg_err *reterr)
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

/* No reader may see it. */
static void air_index_free(struct drg_air_index *ix)
{
	if (ix == NULL)
		return;
	for (size_t i = 0; i < DRG_AIR_ORDERS; i++)
		free(atomic_load_explicit(&ix->order[i], memory_order_relaxed));
	drg_arena_done(&ix->arena);
	free(ix);
}

/* @param was  The index before, NULL at first: the orders that it has are made again. */
static int air_index_new(const struct drg_catalog *c, const struct drg_sorted_rows *places,
                         struct drg_air_index *was, struct drg_air_index **ret, struct drg_err *reterr)
{
	struct drg_air_index *ix = calloc(1, sizeof *ix);
	if (ix == NULL)
		return drg_fail_memory(reterr);
	drg_arena_init(&ix->arena, SIZE_MAX / 2);
	int rc = number_places(ix, places, reterr);
	if (rc == DRG_OK && !drg_air_codes_build(ix))
		rc = drg_fail_memory(reterr);
	if (rc == DRG_OK)
		rc = fill_countries(ix, reterr);
	if (rc == DRG_OK)
		rc = fill_kinds(ix, reterr);
	if (rc == DRG_OK)
		rc = sort_texts(ix, reterr);
	if (rc != DRG_OK) {
		air_index_free(ix);
		return rc;
	}
	for (size_t i = 0; was != NULL && i < DRG_AIR_ORDERS; i++) {
		const struct drg_air_order *o = atomic_load_explicit(&was->order[i], memory_order_acquire);
		if (o == NULL)
			break;
		drg_air_order(c, ix, drg_str_c(o->lang));
	}
	*ret = ix;
	return DRG_OK;
}

/* ---- publishing ----------------------------------------------------------------------------------------- */

static void air_drop(struct drg_air_next *next)
{
	free(next->places);
	free(next->sources);
	free(next->maps);
	free(next->externals);
	air_index_free(next->index);
	*next = (struct drg_air_next){ 0 };
}

/* A country that comes again, or changes in what is not searched, is no reason to make the index anew. */
static bool same_places(const struct drg_catalog *c, const struct drg_sorted_rows *next)
{
	const struct drg_air_row *to = (const struct drg_air_row *)(const void *)next->row, *row;
	const void *rows;
	if (drg_small_rows(&c->air.places, &rows) != next->n || drg_air_index_of(c) == NULL)
		return false;
	row = rows;
	for (size_t i = 0; i < next->n; i++)
		if (row[i].id != to[i].id || row[i].country != to[i].country ||
		    !drg_air_rec_same(row[i].rec, to[i].rec))
			return false;
	return true;
}

int drg_air_prepare(struct drg_catalog *c, struct drg_air_next *ret, struct drg_err *reterr)
{
	*ret = (struct drg_air_next){ 0 };
	int rc = drg_small_merge(&c->air.places, &ret->places, reterr);
	if (rc == DRG_OK)
		rc = drg_small_merge(&c->air.sources, &ret->sources, reterr);
	if (rc == DRG_OK)
		rc = drg_small_merge(&c->air.maps, &ret->maps, reterr);
	if (rc == DRG_OK && ret->places != NULL && !same_places(c, ret->places))
		rc = air_index_new(c, ret->places, drg_air_index_of(c), &ret->index, reterr);
	if (rc == DRG_OK && ret->sources != NULL)
		rc = drg_air_externals_new(ret->sources, &ret->externals, reterr);
	if (rc != DRG_OK)
		air_drop(ret);
	return rc;
}

void drg_air_publish(struct drg_catalog *c, struct drg_air_next *next)
{
	struct drg_air_index *was = drg_air_index_of(c);
	struct drg_air_externals *externals = atomic_load_explicit(&c->air.externals, memory_order_relaxed);
	if (next->externals != NULL) { /* before the rows that the old one shows are retired */
		atomic_store_explicit(&c->air.externals, next->externals, memory_order_release);
		drg_retire_block(&c->retire, externals, drg_air_externals_bytes(externals));
	}
	drg_small_publish(&c->air.sources, next->sources, &c->retire);
	drg_small_publish(&c->air.maps, next->maps, &c->retire);
	drg_small_publish(&c->air.places, next->places, &c->retire);
	if (next->index != NULL) {
		atomic_store_explicit(&c->air.index, next->index, memory_order_release);
		if (was != NULL)
			drg_read_synchronize();
		air_index_free(was);
	}
}

void drg_air_done(struct drg_air *a)
{
	air_index_free(atomic_load_explicit(&a->index, memory_order_relaxed));
	free(atomic_load_explicit(&a->externals, memory_order_relaxed));
	drg_small_done(&a->places);
	drg_small_done(&a->sources);
	drg_small_done(&a->maps);
	drg_buf_done(&a->plain);
	drg_buf_done(&a->spread);
}

/* ---- looking up ----------------------------------------------------------------------------------------- */

size_t drg_air_count(const struct drg_catalog *c)
{
	const struct drg_air_index *ix = drg_air_index_of(c);
	return ix != NULL ? ix->n - ix->n_countries : 0;
}

void drg_air_at(const struct drg_catalog *c, size_t i, struct drg_air_place *ret)
{
	const struct drg_air_index *ix = drg_air_index_of(c);
	assert(ix != NULL && i < ix->n - ix->n_countries);
	drg_air_fill(ix->rec[ix->by_id[i]], ret);
}

bool drg_air_find(const struct drg_catalog *c, int64_t id, struct drg_air_place *ret)
{
	const struct drg_air_index *ix = drg_air_index_of(c);
	uint32_t lo = 0, n = (uint32_t)drg_air_count(c), hi = n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (ix->rec[ix->by_id[mid]]->id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == n || ix->rec[ix->by_id[lo]]->id != id)
		return false;
	drg_air_fill(ix->rec[ix->by_id[lo]], ret);
	return true;
}

static bool fill_at(const struct drg_air_index *ix, uint32_t i, struct drg_air_place *ret)
{
	if (i != DRG_AIR_NONE)
		drg_air_fill(ix->rec[i], ret);
	return i != DRG_AIR_NONE;
}

bool drg_air_city(const struct drg_catalog *c, struct drg_str code, struct drg_air_place *ret)
{
	const struct drg_air_index *ix = drg_air_index_of(c);
	return ix != NULL && fill_at(ix, drg_air_code_find(ix, code, DRG_PLACE_CITY), ret);
}

bool drg_air_by_code(const struct drg_catalog *c, struct drg_str code, struct drg_air_place *ret)
{
	const struct drg_air_index *ix = drg_air_index_of(c);
	return ix != NULL && (fill_at(ix, drg_air_code_find(ix, code, DRG_PLACE_APT), ret) ||
	                      fill_at(ix, drg_air_code_find(ix, code, DRG_PLACE_CITY), ret));
}
