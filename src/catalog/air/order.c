/* The search's data about a language: the order of titles, which sorts places of one weight. */
#include <assert.h>
#include <stdlib.h>

#include "catalog/air/index_priv.h"
#include "text/collate.h"
#include "text/json.h"

/* A place and the sort key of its title. */
struct order_entry {
	size_t key;
	uint32_t place;
};

struct order_work {
	const struct drg_catalog *c;
	const struct drg_air_index *ix;
	struct drg_lang_pref pref;
	struct drg_collator *collator;
	struct drg_buf keys, plain;
};

static void order_add_key(struct order_work *w, struct order_entry *e)
{
	struct drg_air_place p;
	struct drg_str tag;
	drg_air_fill(w->ix->rec[e->place], &p);
	struct drg_str title = drg_air_title_esc(w->c, &p, &w->pref, &tag);
	e->key = w->keys.n;
	if (memchr(title.p, '\\', title.n) != NULL) {
		drg_buf_clear(&w->plain);
		drg_json_unescape(&w->plain, title);
		title = drg_buf_view(&w->plain);
	}
	drg_collator_key(w->collator, title, &w->keys);
}

static int order_by_key(const void *a, const void *b, void *keys)
{
	const struct order_entry *x = a, *y = b;
	int d = strcmp((const char *)keys + x->key, (const char *)keys + y->key);
	return d != 0 ? d : x->place < y->place ? -1 : 1; /* numbers of one weight ascend by id */
}

static int order_sort(struct order_work *w, uint32_t *place)
{
	const struct drg_air_index *ix = w->ix;
	struct order_entry *e = malloc((ix->n + 1) * sizeof *e);
	if (e == NULL)
		return DRG_ENOMEM;
	for (uint32_t from = 0, n; from < ix->n; from += n) {
		n = ix->tie_end[from] - from;
		drg_buf_clear(&w->keys);
		for (uint32_t i = 0; i < n; i++) {
			e[i].place = from + i;
			if (n > 1)
				order_add_key(w, &e[i]);
		}
		if (n > 1 && w->keys.rc == DRG_OK)
			qsort_r(e, n, sizeof *e, order_by_key, w->keys.p);
		for (uint32_t i = 0; i < n; i++)
			place[from + i] = e[i].place;
	}
	free(e);
	return w->keys.rc != DRG_OK ? w->keys.rc : w->plain.rc;
}

void drg_air_order_free(struct drg_air_order *o)
{
	if (o != NULL)
		free(o->title);
	free(o);
}

static struct drg_air_order *make(const struct drg_catalog *c, struct drg_air_index *ix, struct drg_str lang)
{
	struct drg_air_order *o = calloc(1, sizeof *o + ix->n * sizeof o->place[0]);
	if (o == NULL)
		return NULL;
	assert(lang.n < sizeof o->lang);
	memcpy(o->lang, lang.p, lang.n);
	o->title = calloc(ix->names.first[ix->names.n] + 1, sizeof *o->title);
	struct order_work w = { .c = c, .ix = ix, .pref = drg_catalog_langs(c, lang) };
	drg_buf_init(&w.keys, SIZE_MAX / 2);
	drg_buf_init(&w.plain, SIZE_MAX / 2);
	int rc = o->title != NULL ? drg_air_titles_mark(c, ix, lang, o->title) : DRG_ENOMEM;
	if (rc == DRG_OK)
		rc = drg_collator_open(lang, &w.collator, NULL);
	if (rc == DRG_OK) {
		rc = order_sort(&w, o->place);
		drg_collator_close(w.collator);
	}
	drg_buf_done(&w.plain);
	drg_buf_done(&w.keys);
	if (rc == DRG_OK)
		return o;
	drg_air_order_free(o);
	return NULL;
}

const struct drg_air_order *drg_air_order(const struct drg_catalog *c, struct drg_air_index *ix,
                                          struct drg_str lang)
{
	struct drg_air_order *made = NULL, *there = NULL;
	char room[DRG_LANG_FULL + 1];
	lang = drg_catalog_lang(c, lang, true,
	                        room); /* so only a bounded number of orders can be asked for */
	for (size_t i = 0; i < DRG_AIR_ORDERS; i++) {
		there = atomic_load_explicit(&ix->order[i], memory_order_acquire);
		if (there == NULL) {
			made = made != NULL ? made : make(c, ix, lang);
			if (made == NULL)
				return NULL;
			/* Another thread may have added an order first, of this language or another one. */
			if (atomic_compare_exchange_strong_explicit(
			            &ix->order[i], &there, made, memory_order_acq_rel, memory_order_acquire))
				return made;
		}
		if (drg_str_eq(drg_str_c(there->lang), lang)) {
			drg_air_order_free(made);
			return there;
		}
	}
	drg_air_order_free(made);
	return NULL;
}
