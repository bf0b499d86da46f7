#include "catalog/air/index_priv.h"

#include <stdlib.h>

#include "catalog/rcu.h"

/* ---- building ------------------------------------------------------------------------------------------- */

static int by_weight(const void *a, const void *b)
{
	const struct drg_air_rec *x = *(const struct drg_air_rec *const *)a;
	const struct drg_air_rec *y = *(const struct drg_air_rec *const *)b;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->id < y->id ? -1 : 1;
}

static int by_id(const void *a, const void *b, void *ctx)
{
	const struct drg_air_index *ix = ctx;
	int64_t x = ix->rec[*(const uint32_t *)a]->id, y = ix->rec[*(const uint32_t *)b]->id;
	return x < y ? -1 : x > y;
}

static int out_of_memory(struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "out of memory for the index of places");
}

static uint32_t *numbers(struct drg_air_index *ix, size_t n)
{
	return drg_arena_alloc(&ix->arena, (n + 1) * sizeof(uint32_t));
}

static int number_places(struct drg_air_index *ix, const struct drg_rows *places, struct drg_err *reterr)
{
	const struct drg_air_row *row = (const struct drg_air_row *)(const void *)places->row;
	uint32_t *ids = numbers(ix, places->n), *first = numbers(ix, places->n),
	         *end = numbers(ix, places->n);
	ix->rec = drg_arena_alloc(&ix->arena, (places->n + 1) * sizeof(struct drg_air_rec *));
	if (places->n >= DRG_AIR_NONE || ids == NULL || first == NULL || end == NULL || ix->rec == NULL)
		return out_of_memory(reterr);
	ix->n = (uint32_t)places->n;
	for (uint32_t i = 0; i < ix->n; i++) {
		ix->rec[i] = row[i].rec;
		ids[i] = i;
	}
	qsort(ix->rec, ix->n, sizeof(struct drg_air_rec *), by_weight);
	qsort_r(ids, ix->n, sizeof *ids, by_id, ix);
	for (uint32_t i = 0; i < ix->n; i++)
		first[i] = i > 0 && ix->rec[i]->weight == ix->rec[i - 1]->weight ? first[i - 1] : i;
	for (uint32_t i = ix->n; i-- > 0;)
		end[i] = i + 1 < ix->n && first[i + 1] == first[i] ? end[i + 1] : i + 1;
	ix->by_id = ids;
	ix->tie_first = first;
	ix->tie_end = end;
	return DRG_OK;
}

uint32_t drg_air_code_number(struct drg_str code)
{
	uint32_t number = 0;
	if (code.n != 3)
		return DRG_AIR_NONE;
	for (size_t i = 0; i < 3; i++) {
		char c = code.p[i];
		int digit = c >= '0' && c <= '9'   ? c - '0'
		            : c >= 'a' && c <= 'z' ? c - 'a' + 10
		            : c >= 'A' && c <= 'Z' ? c - 'A' + 10
		                                   : -1;
		if (digit < 0)
			return DRG_AIR_NONE;
		number = number * 36 + (uint32_t)digit;
	}
	return number;
}

static int link_codes(struct drg_air_index *ix, struct drg_err *reterr)
{
	uint32_t *of_code = numbers(ix, DRG_AIR_CODES), *next = numbers(ix, ix->n);
	if (of_code == NULL || next == NULL)
		return out_of_memory(reterr);
	memset(of_code, 0xff, DRG_AIR_CODES * sizeof *of_code);
	for (uint32_t i = ix->n; i-- > 0;) {
		uint32_t code = drg_air_code_number(drg_str(ix->rec[i]->code, sizeof ix->rec[i]->code));
		next[i] = DRG_AIR_NONE;
		if (code == DRG_AIR_NONE)
			continue;
		next[i] = of_code[code];
		of_code[code] = i;
	}
	ix->of_code = of_code;
	ix->next_of_code = next;
	return DRG_OK;
}

static uint32_t of_kind(const struct drg_air_index *ix, struct drg_str code, enum drg_place place)
{
	uint32_t number = drg_air_code_number(code);
	uint32_t i = number != DRG_AIR_NONE ? ix->of_code[number] : DRG_AIR_NONE;
	while (i != DRG_AIR_NONE && ix->rec[i]->place != place)
		i = ix->next_of_code[i];
	return i;
}

static void add_words(struct drg_air_pairs *words, struct drg_str names, uint32_t place)
{
	struct drg_str name, word;
	while (drg_str_split(&names, '\n', &name))
		while (name.n > 0 && drg_str_split(&name, ' ', &word))
			drg_air_pairs_add(words, word, place);
}

static void add_names(struct drg_air_pairs *pairs, struct drg_str names, uint32_t place)
{
	struct drg_str name;
	while (drg_str_split(&names, '\n', &name))
		if (name.n > 0)
			drg_air_pairs_add(pairs, name, place);
}

static int sort_texts(struct drg_air_index *ix, struct drg_err *reterr)
{
	struct drg_air_pairs names = { 0 }, words = { 0 };
	for (uint32_t i = 0; i < ix->n; i++) {
		const struct drg_air_rec *rec = ix->rec[i];
		uint32_t city = of_kind(ix, drg_air_city_code(rec), DRG_PLACE_CITY);
		add_names(&names, drg_air_folded(rec), i);
		add_words(&words, drg_air_folded(rec), i);
		if (city != DRG_AIR_NONE)
			add_words(&words, drg_air_folded(ix->rec[city]), i);
	}
	int rc = drg_air_terms_build(&names, &ix->arena, &ix->names, reterr);
	if (rc == DRG_OK)
		rc = drg_air_terms_build(&words, &ix->arena, &ix->words, reterr);
	if (rc == DRG_OK)
		rc = drg_air_tree_build(&ix->names, &ix->arena, &ix->name_tree, reterr);
	if (rc == DRG_OK)
		rc = drg_air_tree_build(&ix->words, &ix->arena, &ix->word_tree, reterr);
	drg_air_pairs_done(&words);
	drg_air_pairs_done(&names);
	return rc;
}

int drg_air_index_new(const struct drg_catalog *c, const struct drg_rows *places, struct drg_air_index *was,
                      struct drg_air_index **ret, struct drg_err *reterr)
{
	struct drg_air_index *ix = calloc(1, sizeof *ix);
	if (ix == NULL)
		return out_of_memory(reterr);
	drg_arena_init(&ix->arena, SIZE_MAX / 2);
	int rc = number_places(ix, places, reterr);
	if (rc == DRG_OK)
		rc = link_codes(ix, reterr);
	if (rc == DRG_OK)
		rc = sort_texts(ix, reterr);
	if (rc != DRG_OK) {
		drg_air_index_free(ix);
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

void drg_air_index_free(struct drg_air_index *ix)
{
	if (ix == NULL)
		return;
	for (size_t i = 0; i < DRG_AIR_ORDERS; i++)
		free(atomic_load_explicit(&ix->order[i], memory_order_relaxed));
	drg_arena_done(&ix->arena);
	free(ix);
}

/* ---- publishing ----------------------------------------------------------------------------------------- */

int drg_air_prepare(struct drg_catalog *c, struct drg_air_next *ret, struct drg_err *reterr)
{
	*ret = (struct drg_air_next){ 0 };
	int rc = drg_small_merge(&c->air.places, &ret->places, reterr);
	if (rc == DRG_OK)
		rc = drg_small_merge(&c->air.sources, &ret->sources, reterr);
	if (rc == DRG_OK)
		rc = drg_small_merge(&c->air.maps, &ret->maps, reterr);
	if (rc == DRG_OK && ret->places != NULL)
		rc = drg_air_index_new(c, ret->places, drg_air_index_of(c), &ret->index, reterr);
	if (rc == DRG_OK && ret->sources != NULL)
		rc = drg_air_externals_new(ret->sources, &ret->externals, reterr);
	if (rc != DRG_OK)
		drg_air_drop(ret);
	return rc;
}

void drg_air_drop(struct drg_air_next *next)
{
	free(next->places);
	free(next->sources);
	free(next->maps);
	free(next->externals);
	drg_air_index_free(next->index);
	*next = (struct drg_air_next){ 0 };
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
		drg_air_index_free(was);
	}
}

void drg_air_done(struct drg_air *a)
{
	drg_air_index_free(atomic_load_explicit(&a->index, memory_order_relaxed));
	free(atomic_load_explicit(&a->externals, memory_order_relaxed));
	drg_small_done(&a->places);
	drg_small_done(&a->sources);
	drg_small_done(&a->maps);
	drg_buf_done(&a->plain);
}

/* ---- looking up ----------------------------------------------------------------------------------------- */

size_t drg_air_count(const struct drg_catalog *c)
{
	const struct drg_air_index *ix = drg_air_index_of(c);
	return ix != NULL ? ix->n : 0;
}

void drg_air_at(const struct drg_catalog *c, size_t i, struct drg_air_place *ret)
{
	const struct drg_air_index *ix = drg_air_index_of(c);
	drg_air_fill(ix->rec[ix->by_id[i]], ret);
}

bool drg_air_find(const struct drg_catalog *c, int64_t id, struct drg_air_place *ret)
{
	const struct drg_air_index *ix = drg_air_index_of(c);
	uint32_t lo = 0, n = ix != NULL ? ix->n : 0, hi = n;
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
	return ix != NULL && fill_at(ix, of_kind(ix, code, DRG_PLACE_CITY), ret);
}

bool drg_air_by_code(const struct drg_catalog *c, struct drg_str code, struct drg_air_place *ret)
{
	const struct drg_air_index *ix = drg_air_index_of(c);
	return ix != NULL && (fill_at(ix, of_kind(ix, code, DRG_PLACE_APT), ret) ||
	                      fill_at(ix, of_kind(ix, code, DRG_PLACE_CITY), ret));
}

bool drg_air_by_title(const struct drg_catalog *c, struct drg_str title, struct drg_air_place *ret)
{
	const struct drg_air_index *ix = drg_air_index_of(c);
	if (ix == NULL)
		return false;
	struct drg_buf folded;
	struct drg_air_range equal = { 0, 0 };
	drg_buf_init(&folded, SIZE_MAX / 2);
	drg_fold(title, DRG_FOLD_PLAIN, &folded);
	if (folded.rc == DRG_OK && folded.n > 0)
		drg_air_terms_find(&ix->names, drg_buf_view(&folded), &equal);
	drg_buf_done(&folded);
	bool only = equal.lo < equal.hi && ix->names.first[equal.hi] - ix->names.first[equal.lo] == 1;
	return only && fill_at(ix, ix->names.place[ix->names.first[equal.lo]], ret);
}
