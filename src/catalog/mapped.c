/* Mapped items of many ids. One id takes about ten reads at random places of gigabytes. Some of these depend
 * on others, and a read from memory takes as long as writing an item. So the work for an id is cut into
 * stages, and in each step every stage works on another id. A stage prefetches the memory that the next stage
 * will read. LEAD other ids are worked on in between, so the memory has time to arrive. */
#include <assert.h>

#include "catalog/render_priv.h"
#include "catalog/source_priv.h"

/* LEAD other ids are worked on between two stages of an id. The records of the ids in work fit the
 * first-level cache. */
enum { LEAD = 8, RING = 64 };

struct item {
	struct drg_str id;
	uint32_t tag; /* tag of adapter, kind and id */
	const struct drg_source_rec *source; /* NULL: unknown */
	const struct drg_dict_rec *dict; /* NULL: not mapped */
};

struct mapped_work {
	const struct drg_catalog *c;
	uint32_t adapter;
	enum drg_kind kind;
	struct drg_renderer r;
	bool comma;
	struct drg_mapped_tally *tally;
	size_t written;
};

static struct drg_source_key mapped_key_of(const struct mapped_work *w, const struct item *i)
{
	return (struct drg_source_key){ .adapter = w->adapter, .kind = w->kind, .id = i->id };
}

static void mapped_hash(struct mapped_work *w, struct item *i)
{
	const struct drg_source_key key = mapped_key_of(w, i);
	i->tag = drg_source_tag(w->c, &key);
	struct drg_probe at = drg_table_probe(&w->c->by_id, i->tag);
	drg_probe_prefetch(&at);
}

static void mapped_look_up(struct mapped_work *w, struct item *i)
{
	struct drg_probe at = drg_table_probe(&w->c->by_id, i->tag);
	drg_heap_prefetch(&w->c->heap, drg_probe_next(&at));
}

static void mapped_match(struct mapped_work *w, struct item *i)
{
	const struct drg_source_key key = mapped_key_of(w, i);
	struct drg_probe at = drg_table_probe(&w->c->by_id, i->tag);
	i->source = drg_source_rec_at(w->c, drg_source_match(w->c, &key, &at));
	if (i->source == NULL)
		return;
	__builtin_prefetch(&w->c->handles.slot[i->source->dict]);
	for (unsigned k = 0; k < DRG_SHARED_MAX; k++)
		drg_heap_prefetch(&w->c->heap, i->source->shared[k]);
}

static void find_dict(struct mapped_work *w, struct item *i)
{
	i->dict = i->source != NULL ? drg_dict_rec_at(w->c, i->source->dict) : NULL;
	if (i->dict != NULL)
		drg_heap_prefetch(&w->c->heap, drg_heap_ref(&w->c->heap, i->dict));
}

/* Prefetch the city only: countries and categories are few and in the cache already. */
static void find_city(struct mapped_work *w, struct item *i)
{
	if (i->dict != NULL)
		__builtin_prefetch(&w->c->handles.slot[i->dict->city]);
}

static void look_up_city(struct mapped_work *w, struct item *i)
{
	if (i->dict != NULL)
		drg_heap_prefetch(&w->c->heap, drg_handle_ref(&w->c->handles, i->dict->city));
}

static void write(struct mapped_work *w, struct item *i)
{
	if (w->comma)
		drg_buf_char(w->r.out, ',');
	w->comma = true;
	w->tally->mapped += i->dict != NULL;
	if (i->source != NULL && i->dict == NULL)
		w->tally->open[w->tally->n_open++] = (uint32_t)w->written;
	w->written++;
	drg_render_mapped(&w->r, i->id, i->source, i->dict);
}

typedef void stage_fn(struct mapped_work *w, struct item *i);

/* The stages, in the order in which an id goes through them. */
static stage_fn *const stages[] = { mapped_hash, mapped_look_up, mapped_match, find_dict,
	                            find_city,   look_up_city,   write };
enum { STAGES = DRG_ARRAY_LEN(stages) };
static_assert(LEAD * (STAGES - 1) < RING, "an item is in use until it is written");

void drg_mapped_json(const struct drg_catalog *c, const struct drg_adapter *a, enum drg_kind kind,
                     const struct drg_str *ids, size_t n, const struct drg_lang_pref *pref,
                     struct drg_buf *out, struct drg_mapped_tally *tally)
{
	struct mapped_work w = { .c = c,
		                 .adapter = a->index,
		                 .kind = kind,
		                 .r = { .c = c, .pref = pref, .out = out },
		                 .tally = tally };
	struct item ring[RING];
	/* For fewer than LEAD ids a lead of n is enough; a single id goes through all stages in one step. */
	size_t lead = n == 1 ? 0 : n < LEAD ? n : LEAD;
	for (size_t step = 0; step < n + lead * (STAGES - 1); step++) {
		if (step < n)
			ring[step % RING].id = ids[step];
		for (size_t s = 0; s < STAGES; s++)
			if (step >= s * lead && step - s * lead < n)
				stages[s](&w, &ring[(step - s * lead) % RING]);
	}
}
