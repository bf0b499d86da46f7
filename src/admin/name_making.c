#include <math.h>
#include <stdlib.h>

#include "admin/name_index_priv.h"
#include "text/fold.h"
#include "text/json_scan.h"

/* A name to be sorted: most are told apart by their first letters, which stand beside them. */
struct name_key {
	uint64_t first;
	struct drg_name_entry entry;
};

void drg_name_making_init(struct drg_name_making *m)
{
	drg_buf_init(&m->records, SIZE_MAX);
	drg_buf_init(&m->texts, UINT32_MAX);
	drg_buf_init(&m->names, SIZE_MAX);
	drg_buf_init(&m->words, SIZE_MAX);
	drg_buf_init(&m->folded, 1 << 16);
	drg_arena_init(&m->arena, 1 << 20);
	m->rc = DRG_OK;
}

void drg_name_making_done(struct drg_name_making *m)
{
	drg_buf_done(&m->records);
	drg_buf_done(&m->texts);
	drg_buf_done(&m->names);
	drg_buf_done(&m->words);
	drg_buf_done(&m->folded);
	drg_arena_done(&m->arena);
}

int drg_each_name(const struct drg_record *r, struct drg_arena *arena, drg_each_name_fn *fn, void *ctx)
{
	struct drg_json_item object, v;
	struct drg_json_walk w;
	struct drg_str lang;
	int rc = DRG_OK;
	if (r->type->id == DRG_TYPE_SOURCE)
		return fn(ctx, drg_record_s(r, DRG_F_NAME));
	if (drg_json_scan(drg_record_s(r, DRG_F_NAMES), arena, &object, NULL) != DRG_OK)
		return DRG_OK;
	drg_json_walk_init(&w, &object, arena);
	while (rc == DRG_OK && drg_json_walk_next(&w, &lang, &v) == DRG_OK)
		if (v.type == DRG_JSON_STRING)
			rc = fn(ctx, v.s);
	return rc;
}

/* ---- a record ------------------------------------------------------------------------------------------ */

static void making_entry(struct drg_buf *to, struct drg_str text, size_t at, size_t record)
{
	struct name_key k = { .entry = { (uint32_t)at, (uint32_t)record } };
	for (size_t i = 0; i < sizeof k.first; i++)
		k.first = k.first << 8 | (i < text.n ? (uint8_t)text.p[i] : 0);
	drg_buf_add(to, &k, sizeof k);
}

/* Has this record that name already, in another language? */
static bool making_has(const struct drg_name_making *m, size_t since, struct drg_str text)
{
	for (size_t at = since; at < m->texts.n;) {
		struct drg_str had = drg_str_c(m->texts.p + at);
		if (drg_str_eq(had, text))
			return true;
		at += had.n + 1;
	}
	return false;
}

struct making_names {
	struct drg_name_making *m;
	size_t since, record;
};

static int making_name(void *ctx, struct drg_str name)
{
	struct making_names *x = ctx;
	struct drg_name_making *m = x->m;
	drg_buf_clear(&m->folded);
	drg_fold(name, DRG_FOLD_PLAIN, &m->folded);
	struct drg_str text = drg_buf_view(&m->folded);
	if (text.n == 0 || making_has(m, x->since, text))
		return DRG_OK;
	size_t at = m->texts.n;
	drg_buf_str(&m->texts, text);
	drg_buf_char(&m->texts, '\0');
	making_entry(&m->names, text, at, x->record);
	for (size_t i = 1; i < text.n; i++)
		if (text.p[i - 1] == ' ')
			making_entry(&m->words, drg_str(text.p + i, text.n - i), at + i, x->record);
	return m->texts.rc != DRG_OK || m->folded.rc != DRG_OK ? DRG_ELIMIT : DRG_OK;
}

static void making_dict(const struct drg_record *r, struct drg_named *named)
{
	named->id = r->v[DRG_F_ID].i;
	named->country = drg_record_i(r, DRG_F_COUNTRY_ID, 0);
	named->city = drg_record_i(r, DRG_F_CITY_ID, 0);
}

/* Its id goes before its name. */
static void making_source(struct drg_name_making *m, const struct drg_record *r, struct drg_named *named)
{
	named->adapter = r->v[DRG_F_ADAPTER_ID].i;
	named->id = (int64_t)m->texts.n;
	drg_buf_str(&m->texts, r->v[DRG_F_SOURCE_ID].s);
	drg_buf_char(&m->texts, '\0');
}

int drg_name_making_add(struct drg_name_making *m, const struct drg_record *r)
{
	bool placed = drg_record_has(r, DRG_F_LAT) && drg_record_has(r, DRG_F_LNG);
	struct drg_named named = { .lat = placed ? (float)r->v[DRG_F_LAT].d : NAN,
		                   .lng = placed ? (float)r->v[DRG_F_LNG].d : NAN,
		                   .kind = (uint32_t)drg_record_kind(r) };
	if (r->type->id == DRG_TYPE_SOURCE)
		making_source(m, r, &named);
	else
		making_dict(r, &named);
	struct making_names x = { m, m->texts.n, m->records.n / sizeof named };
	drg_arena_reset(&m->arena);
	drg_buf_add(&m->records, &named, sizeof named);
	int rc = drg_each_name(r, &m->arena, making_name, &x);
	if (rc == DRG_OK && (m->records.rc != DRG_OK || m->names.rc != DRG_OK || m->words.rc != DRG_OK))
		rc = DRG_ENOMEM;
	return rc;
}

/* ---- sorting ------------------------------------------------------------------------------------------- */

static int by_text(const void *pa, const void *pb, void *texts)
{
	const struct name_key *a = pa, *b = pb;
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	int order = strcmp((const char *)texts + a->entry.text, (const char *)texts + b->entry.text);
	if (order != 0)
		return order;
	return a->entry.record < b->entry.record ? -1 : a->entry.record > b->entry.record;
}

/* Sorted, the keys make room for the entries alone. */
static const struct drg_name_entry *making_sort(struct drg_name_making *m, struct drg_buf *b, size_t *ret_n)
{
	struct name_key *keys = (struct name_key *)(void *)b->p;
	struct drg_name_entry *entries = (struct drg_name_entry *)(void *)b->p;
	*ret_n = b->n / sizeof *keys;
	if (*ret_n > 0)
		qsort_r(keys, *ret_n, sizeof *keys, by_text, m->texts.p);
	for (size_t i = 0; i < *ret_n; i++) {
		const struct drg_name_entry e = keys[i].entry;
		entries[i] = e;
	}
	return entries;
}

int drg_name_making_end(struct drg_name_making *m, struct drg_name_part *ret)
{
	drg_buf_char(&m->texts, '\0');
	if (m->texts.rc != DRG_OK)
		return m->texts.rc;
	*ret = (struct drg_name_part){ .records = (const struct drg_named *)(const void *)m->records.p,
		                       .n_records = m->records.n / sizeof *ret->records,
		                       .texts = m->texts.p,
		                       .n_texts = m->texts.n };
	ret->names = making_sort(m, &m->names, &ret->n_names);
	ret->words = making_sort(m, &m->words, &ret->n_words);
	return DRG_OK;
}
