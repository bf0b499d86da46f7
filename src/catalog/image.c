#include "catalog/image.h"

#include <assert.h>
#include <stddef.h>

#include "base/checksum.h"
#include "catalog/dict_priv.h"
#include "catalog/source_priv.h"

/* Raise this with every change of what heap, handles, tables or lists of numbers mean. */
enum { FORMAT = 2 };

struct table_facts {
	uint64_t slots, live, taken;
};

struct image_facts {
	uint64_t seed, heap_used, heap_dead, no_search;
	uint64_t n_sources[DRG_KIND_COUNT], n_dicts[DRG_KIND_COUNT];
	uint64_t handles;
	struct table_facts by_pair, by_id, by_dict, fragments;
	uint64_t n_langs;
	char lang[DRG_LANGS_MAX][DRG_LANG_MAX + 1];
	drg_handle country_of[DRG_COUNTRY_CODES];
};

/* ---- which program -------------------------------------------------------------------------------------- */

static uint64_t add_text(const char *text, uint64_t hash)
{
	return text != NULL ? drg_checksum(text, strlen(text) + 1, hash) : hash;
}

static uint64_t model_hash(uint64_t hash)
{
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++) {
		const struct drg_type *type = &drg_types[t];
		hash = add_text(type->name, hash);
		for (unsigned i = 0; i < type->n_fields; i++) {
			const struct drg_field_def *f = &type->fields[i];
			const uint64_t what[] = { drg_field_index(f->field), f->vtype, f->flags };
			hash = add_text(f->wire, drg_checksum(what, sizeof what, hash));
		}
	}
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		hash = add_text(drg_kind_name((enum drg_kind)k), hash);
	return hash;
}

uint64_t drg_image_layout(void)
{
	const uint64_t sizes[] = { FORMAT,
		                   sizeof(struct image_facts),
		                   sizeof(struct drg_handle_slot),
		                   sizeof(struct drg_source_rec),
		                   sizeof(struct drg_dict_rec),
		                   sizeof(struct drg_fragment),
		                   sizeof(struct drg_slots),
		                   DRG_HEAP_UNIT,
		                   0x0102030405060708 };
	return drg_source_layout(model_hash(drg_checksum(sizes, sizeof sizes, 0)));
}

/* ---- to bytes ------------------------------------------------------------------------------------------- */

static struct table_facts facts_of_table(const struct drg_table *t, struct drg_str *ret)
{
	const struct drg_slots *s = atomic_load_explicit(&t->slots, memory_order_relaxed);
	*ret = drg_str((const char *)s->slot, s->n * sizeof s->slot[0]);
	return (struct table_facts){ s->n, t->live, t->taken };
}

static void facts_of(const struct drg_catalog *c, struct drg_image *image, struct image_facts *f)
{
	*f = (struct image_facts){ .seed = c->seed, .no_search = c->no_search };
	f->heap_used = atomic_load_explicit(&c->heap.used, memory_order_relaxed);
	f->heap_dead = atomic_load_explicit(&c->heap.dead, memory_order_relaxed);
	for (size_t k = 0; k < DRG_KIND_COUNT; k++)
		f->n_sources[k] = atomic_load_explicit(&c->n_sources[k], memory_order_relaxed);
	for (size_t k = 0; k < DRG_KIND_COUNT; k++)
		f->n_dicts[k] = atomic_load_explicit(&c->n_dicts[k], memory_order_relaxed);
	f->handles = atomic_load_explicit(&c->handles.n, memory_order_relaxed);
	f->by_pair = facts_of_table(&c->handles.by_pair, &image->part[DRG_IMAGE_BY_PAIR]);
	f->by_id = facts_of_table(&c->by_id, &image->part[DRG_IMAGE_BY_ID]);
	f->by_dict = facts_of_table(&c->by_dict, &image->part[DRG_IMAGE_BY_DICT]);
	f->fragments = facts_of_table(&c->fragments.table, &image->part[DRG_IMAGE_FRAGMENTS]);
	f->n_langs = atomic_load_explicit(&c->langs.n, memory_order_relaxed);
	for (size_t i = 0; i < f->n_langs; i++)
		memcpy(f->lang[i], c->langs.tag[i].p, c->langs.tag[i].n);
	for (size_t i = 0; i < DRG_COUNTRY_CODES; i++)
		f->country_of[i] = atomic_load_explicit(&c->country_of[i], memory_order_relaxed);
}

/* A list of numbers begins with a head that says what it belongs to. */
enum list_of { OF_ADAPTERS, OF_KIND, OF_COUNTRY };
struct list_head {
	uint32_t of, which, n;
};

static void add_list(struct drg_buf *b, enum list_of of, uint32_t which, const struct drg_vec *v)
{
	const uint32_t *numbers;
	struct list_head head = { of, which, (uint32_t)drg_vec_view(v, &numbers) };
	if (head.n == 0)
		return;
	drg_buf_add(b, (const char *)&head, sizeof head);
	drg_buf_add(b, (const char *)numbers, head.n * sizeof *numbers);
}

static void add_lists(const struct drg_catalog *c, struct drg_buf *b)
{
	const drg_handle *country;
	add_list(b, OF_ADAPTERS, 0, &c->adapter_ids);
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		add_list(b, OF_KIND, k, &c->handles.of_kind[k]);
	size_t n = drg_vec_view(&c->handles.of_kind[DRG_KIND_COUNTRY], &country);
	for (size_t i = 0; i < n; i++)
		add_list(b, OF_COUNTRY, country[i], &c->handles.hotels_of[country[i]]);
}

static int add_record(void *ctx, const struct drg_record *r)
{
	struct drg_buf *b = ctx;
	drg_record_pack(r, b);
	return b->rc;
}

int drg_image_of(const struct drg_catalog *c, struct drg_image *ret, struct drg_err *reterr)
{
	struct image_facts f;
	drg_buf_init(&ret->facts, sizeof f);
	drg_buf_init(&ret->lists, SIZE_MAX / 2);
	drg_buf_init(&ret->records, SIZE_MAX / 2);
	facts_of(c, ret, &f);
	drg_buf_add(&ret->facts, (const char *)&f, sizeof f);
	add_lists(c, &ret->lists);
	int rc = drg_catalog_each_small(c, add_record, &ret->records);
	if (rc != DRG_OK || ret->facts.rc != DRG_OK || ret->lists.rc != DRG_OK)
		return drg_fail_memory(reterr);
	ret->part[DRG_IMAGE_FACTS] = drg_buf_view(&ret->facts);
	ret->part[DRG_IMAGE_HEAP] = drg_str(c->heap.base, f.heap_used);
	ret->part[DRG_IMAGE_HANDLES] =
	        drg_str((const char *)c->handles.slot, f.handles * sizeof *c->handles.slot);
	ret->part[DRG_IMAGE_LISTS] = drg_buf_view(&ret->lists);
	ret->part[DRG_IMAGE_RECORDS] = drg_buf_view(&ret->records);
	return DRG_OK;
}

void drg_image_done(struct drg_image *image)
{
	drg_buf_done(&image->facts);
	drg_buf_done(&image->lists);
	drg_buf_done(&image->records);
}

/* ---- and back ------------------------------------------------------------------------------------------- */

static int no_image(struct drg_err *reterr, const char *what)
{
	return drg_fail(reterr, DRG_ECORRUPT, NULL, NULL, "its %s are not those of a snapshot", what);
}

struct room {
	struct drg_catalog *c;
	const uint64_t *bytes;
	void **to;
	struct drg_err *err;
};

static int room_for_table(const struct room *r, struct drg_table *t, const struct table_facts *f,
                          enum drg_image_part part)
{
	if (r->bytes[part] != f->slots * sizeof(uint64_t) || f->live > f->taken || f->taken >= f->slots)
		return no_image(r->err, "tables");
	return drg_table_room(t, f->slots, f->live, f->taken, &r->to[part], r->err);
}

static int room_for_tables(const struct room *r, const struct image_facts *f)
{
	struct drg_catalog *c = r->c;
	int rc = room_for_table(r, &c->handles.by_pair, &f->by_pair, DRG_IMAGE_BY_PAIR);
	if (rc == DRG_OK)
		rc = room_for_table(r, &c->by_id, &f->by_id, DRG_IMAGE_BY_ID);
	if (rc == DRG_OK)
		rc = room_for_table(r, &c->by_dict, &f->by_dict, DRG_IMAGE_BY_DICT);
	if (rc == DRG_OK)
		rc = room_for_table(r, &c->fragments.table, &f->fragments, DRG_IMAGE_FRAGMENTS);
	return rc;
}

static int take_facts(const struct room *r, const struct image_facts *f)
{
	struct drg_catalog *c = r->c;
	if (f->heap_used != r->bytes[DRG_IMAGE_HEAP] || f->heap_used < DRG_HEAP_UNIT ||
	    f->handles * sizeof *c->handles.slot != r->bytes[DRG_IMAGE_HANDLES] || f->n_langs > DRG_LANGS_MAX)
		return no_image(r->err, "sizes");
	if (f->heap_used + DRG_HEAP_SLACK > c->heap.size || f->handles > c->handles.cap)
		return drg_heap_full(&c->heap, r->err);
	c->seed = c->handles.seed = c->fragments.seed = f->seed;
	atomic_store_explicit(&c->heap.used, f->heap_used, memory_order_relaxed);
	atomic_store_explicit(&c->heap.dead, f->heap_dead, memory_order_relaxed);
	for (size_t k = 0; k < DRG_KIND_COUNT; k++)
		atomic_store_explicit(&c->n_sources[k], f->n_sources[k], memory_order_relaxed);
	for (size_t k = 0; k < DRG_KIND_COUNT; k++)
		atomic_store_explicit(&c->n_dicts[k], f->n_dicts[k], memory_order_relaxed);
	atomic_store_explicit(&c->handles.n, (uint32_t)f->handles, memory_order_relaxed);
	for (size_t i = 0; i < f->n_langs; i++) {
		uint8_t number;
		struct drg_str tag = drg_str(f->lang[i], strnlen(f->lang[i], DRG_LANG_MAX));
		if (drg_langs_add(&c->langs, tag, &number, r->err) != DRG_OK || number != i)
			return no_image(r->err, "languages");
	}
	for (size_t i = 0; i < DRG_COUNTRY_CODES; i++)
		atomic_store_explicit(&c->country_of[i], f->country_of[i], memory_order_relaxed);
	r->to[DRG_IMAGE_HEAP] = c->heap.base;
	r->to[DRG_IMAGE_HANDLES] = c->handles.slot;
	return room_for_tables(r, f);
}

int drg_image_room(const struct drg_catalog_options *o, struct drg_str facts,
                   const uint64_t bytes[DRG_IMAGE_PARTS], struct drg_catalog **ret, void *to[DRG_IMAGE_PARTS],
                   struct drg_err *reterr)
{
	struct image_facts f;
	if (facts.n != sizeof f)
		return no_image(reterr, "facts");
	memcpy(&f, facts.p, sizeof f);
	if (f.no_search != o->no_search)
		return no_image(reterr, "options");
	memset(to, 0, DRG_IMAGE_PARTS * sizeof *to);
	struct room r = { .bytes = bytes, .to = to, .err = reterr };
	int rc = drg_catalog_new(o, &r.c, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = take_facts(&r, &f);
	if (rc == DRG_OK)
		*ret = r.c;
	else
		drg_catalog_free(r.c);
	return rc;
}

static struct drg_vec *list_of_head(struct drg_catalog *c, const struct list_head *head)
{
	uint32_t n = atomic_load_explicit(&c->handles.n, memory_order_relaxed);
	if (head->of == OF_ADAPTERS)
		return &c->adapter_ids;
	if (head->of == OF_KIND && head->which < DRG_KIND_COUNT)
		return &c->handles.of_kind[head->which];
	return head->of == OF_COUNTRY && head->which < n ? &c->handles.hotels_of[head->which] : NULL;
}

static int take_lists(struct drg_catalog *c, struct drg_str lists, struct drg_err *reterr)
{
	struct list_head head;
	int rc = DRG_OK;
	while (lists.n > 0 && rc == DRG_OK) {
		if (lists.n < sizeof head)
			return no_image(reterr, "lists");
		memcpy(&head, lists.p, sizeof head);
		struct drg_vec *v = list_of_head(c, &head);
		size_t bytes = head.n * sizeof(uint32_t);
		if (v == NULL || lists.n - sizeof head < bytes)
			return no_image(reterr, "lists");
		rc = drg_vec_fill(v, lists.p + sizeof head, head.n, reterr);
		lists = drg_str(lists.p + sizeof head + bytes, lists.n - sizeof head - bytes);
	}
	return rc;
}

/* Enter the countries of an image into the air search too, since they are air places. */
static int take_countries(struct drg_catalog *c, struct drg_err *reterr)
{
	const drg_handle *country;
	struct drg_arena arena;
	struct drg_record r;
	struct drg_dict d;
	int rc = DRG_OK;
	drg_arena_init(&arena, SIZE_MAX / 2);
	size_t n = drg_vec_view(&c->handles.of_kind[DRG_KIND_COUNTRY], &country);
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		if (!drg_catalog_dict_at(c, country[i], &d))
			continue;
		rc = drg_dict_record(c, &d, &arena, &r) == DRG_OK ? drg_air_country_apply(c, &r, reterr)
		                                                  : drg_fail_memory(reterr);
		drg_arena_reset(&arena);
	}
	drg_arena_done(&arena);
	return rc;
}

static int take_records(struct drg_catalog *c, struct drg_str records, struct drg_err *reterr)
{
	struct drg_record r;
	int rc = DRG_OK;
	while (records.n > 0 && rc == DRG_OK) {
		size_t n = drg_record_unpack(records.p, records.n, &r);
		if (n == 0)
			return no_image(reterr, "records");
		rc = drg_catalog_apply(c, &r, reterr);
		records = drg_str(records.p + n, records.n - n);
	}
	return rc;
}

static void find_highest_adapter(struct drg_catalog *c)
{
	const uint32_t *ids;
	size_t n = drg_vec_view(&c->adapter_ids, &ids);
	for (size_t i = 0; i < n; i++)
		if (ids[i] > c->highest_adapter)
			c->highest_adapter = ids[i];
}

int drg_image_finish(struct drg_catalog *c, struct drg_str lists, struct drg_str records,
                     struct drg_err *reterr)
{
	int rc = take_lists(c, lists, reterr);
	size_t before = atomic_load_explicit(&c->heap.used, memory_order_relaxed);
	if (rc != DRG_OK)
		return rc;
	find_highest_adapter(c);
	rc = take_records(c, records, reterr);
	if (rc == DRG_OK)
		rc = take_countries(c, reterr);
	/* The image's heap still has the memory that these countries took when it was written; nothing refers
	 * to it now. */
	size_t after = atomic_load_explicit(&c->heap.used, memory_order_relaxed);
	drg_heap_add_dead(&c->heap, after - before);
	c->list_changed = true;
	return rc;
}
