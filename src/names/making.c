#include "names/making.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "text/fold.h"
#include "text/json_scan.h"

/* The most names of a record that are spelled. */
enum { SPELLED_MOST = 200 };

/* A name to be sorted. Most names differ in their first letters, which are kept beside the entry. */
struct name_key {
	uint64_t first;
	/* of spelled names: until all were added, `record` is the number of the name */
	struct drg_name_entry entry;
};

void drg_name_making_init(struct drg_name_making *m, bool spell)
{
	*m = (struct drg_name_making){ .spell = spell };
	drg_buf_init(&m->records, SIZE_MAX);
	drg_buf_init(&m->texts, UINT32_MAX);
	drg_buf_init(&m->spelled, SIZE_MAX);
	drg_buf_init(&m->names, SIZE_MAX);
	drg_buf_init(&m->words, SIZE_MAX);
	drg_buf_init(&m->folded, 1 << 16);
	drg_arena_init(&m->arena, 1 << 20);
}

void drg_name_making_done(struct drg_name_making *m)
{
	drg_buf_done(&m->records);
	drg_buf_done(&m->texts);
	drg_buf_done(&m->spelled);
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
	int rc;
	if (r->type->id == DRG_TYPE_SOURCE)
		return fn(ctx, drg_record_s(r, DRG_F_NAME));
	if (drg_json_scan(drg_record_s(r, DRG_F_NAMES), arena, &object, NULL) != DRG_OK ||
	    object.type != DRG_JSON_OBJECT)
		return DRG_OK;
	drg_json_walk_init(&w, &object, arena);
	while ((rc = drg_json_walk_next(&w, &lang, &v)) == DRG_OK) {
		rc = v.type == DRG_JSON_STRING ? fn(ctx, v.s) : DRG_OK;
		if (rc != DRG_OK)
			return rc;
	}
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* ---- a record ------------------------------------------------------------------------------------------ */

static void making_entry(struct drg_buf *to, struct drg_str text, size_t at, size_t record)
{
	struct name_key k = { .entry = { (uint32_t)at, (uint32_t)record } };
	for (size_t i = 0; i < sizeof k.first; i++)
		k.first = k.first << 8 | (i < text.n ? (uint8_t)text.p[i] : 0);
	drg_buf_add(to, &k, sizeof k);
}

/* Does the record have this name already, in another language or way of writing? */
static bool making_has(const struct drg_name_making *m, struct drg_str text)
{
	for (size_t at = m->since; at < m->texts.n;) {
		struct drg_str had = drg_str_c(m->texts.p + at);
		if (drg_str_eq(had, text))
			return true;
		at += had.n + 1;
	}
	return false;
}

static struct drg_named *making_last(const struct drg_name_making *m)
{
	assert(m->records.n >= sizeof(struct drg_named));
	return (struct drg_named *)(void *)(m->records.p + m->records.n) - 1;
}

static int making_rc(const struct drg_name_making *m)
{
	const struct drg_buf *all[] = {
		&m->texts, &m->folded, &m->records, &m->spelled, &m->names, &m->words
	};
	int rc = DRG_OK;
	for (size_t i = 0; i < DRG_ARRAY_LEN(all) && rc == DRG_OK; i++)
		rc = all[i]->rc;
	return rc;
}

static void making_spell(struct drg_name_making *m, struct drg_str text, size_t at, bool code)
{
	assert(text.n > 0 && text.p[0] != ' '); /* a folded text has no blank at its ends */
	struct drg_spelled s = { .text = (uint32_t)at, .n = DRG_SPELLED_MAX, .code = code };
	if (text.n < s.n)
		s.n = (uint8_t)text.n;
	while (text.p[s.n - 1] == ' ')
		s.n--;
	making_entry(&m->names, text, at, m->spelled.n / sizeof s);
	drg_buf_add(&m->spelled, &s, sizeof s);
	making_last(m)->n_spelled++;
}

static void making_sort_in(struct drg_name_making *m, struct drg_str text, size_t at)
{
	size_t record = m->records.n / sizeof(struct drg_named) - 1;
	making_entry(&m->names, text, at, record);
	for (size_t i = 1; i < text.n; i++)
		if (text.p[i - 1] == ' ')
			making_entry(&m->words, drg_str(text.p + i, text.n - i), at + i, record);
}

static void making_way(struct drg_name_making *m, struct drg_str name, enum drg_fold_way way, bool code)
{
	drg_buf_clear(&m->folded);
	drg_fold(name, way, &m->folded);
	struct drg_str text = drg_buf_view(&m->folded);
	if (text.n == 0 || (m->spell && making_last(m)->n_spelled == SPELLED_MOST) || making_has(m, text))
		return;
	size_t at = m->texts.n;
	drg_buf_str(&m->texts, text);
	drg_buf_char(&m->texts, '\0');
	if (m->spell)
		making_spell(m, text, at, code);
	else
		making_sort_in(m, text, at);
}

/* Only names with letters beyond ASCII can be written in several ways. */
static int making_name(void *ctx, struct drg_str name)
{
	struct drg_name_making *m = ctx;
	size_t plain = 0;
	while (m->spell && plain < name.n && (unsigned char)name.p[plain] < 0x80)
		plain++;
	const unsigned ways = m->spell && plain < name.n ? DRG_FOLD_WAYS : 1;
	for (unsigned way = 0; way < ways; way++)
		making_way(m, name, (enum drg_fold_way)way, false);
	return making_rc(m);
}

struct drg_named drg_named_placed(const struct drg_record *r)
{
	bool placed = drg_record_has(r, DRG_F_LAT) && drg_record_has(r, DRG_F_LNG);
	return (struct drg_named){ .lat = placed ? (float)r->v[DRG_F_LAT].d : NAN,
		                   .lng = placed ? (float)r->v[DRG_F_LNG].d : NAN };
}

static struct drg_named named_dict(const struct drg_record *r)
{
	struct drg_named named = drg_named_placed(r);
	named.id = r->v[DRG_F_ID].i;
	named.kind = (uint16_t)drg_record_kind(r);
	named.country = drg_record_i(r, DRG_F_COUNTRY_ID, DRG_NAMED_UNKNOWN);
	named.city = drg_record_i(r, DRG_F_CITY_ID, DRG_NAMED_UNKNOWN);
	named.category = drg_record_i(r, DRG_F_HOTEL_CATEGORY_ID, DRG_NAMED_UNKNOWN);
	return named;
}

/* Make the entry of a source. Its id is written to the texts before its names. */
static struct drg_named named_source(struct drg_name_making *m, const struct drg_record *r)
{
	struct drg_named named = drg_named_placed(r);
	named.id = (int64_t)m->texts.n;
	named.kind = (uint16_t)drg_record_kind(r);
	named.country = named.city = DRG_NAMED_UNKNOWN;
	named.adapter = r->v[DRG_F_ADAPTER_ID].i;
	drg_buf_str(&m->texts, r->v[DRG_F_SOURCE_ID].s);
	drg_buf_char(&m->texts, '\0');
	return named;
}

int drg_name_making_add(struct drg_name_making *m, const struct drg_record *r, const struct drg_named *known)
{
	struct drg_named named = known != NULL                    ? *known
	                         : r->type->id == DRG_TYPE_SOURCE ? named_source(m, r)
	                                                          : named_dict(r);
	named.spelled = (uint32_t)(m->spelled.n / sizeof(struct drg_spelled));
	m->since = m->texts.n;
	drg_arena_reset(&m->arena);
	drg_buf_add(&m->records, &named, sizeof named);
	int rc = making_rc(m);
	return rc == DRG_OK ? drg_each_name(r, &m->arena, making_name, m) : rc;
}

int drg_name_making_code(struct drg_name_making *m, struct drg_str code)
{
	making_way(m, code, DRG_FOLD_PLAIN, true);
	return making_rc(m);
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

/* Sort the keys, and keep only their entries, in the same memory. */
static const struct drg_name_entry *making_sort(struct drg_name_making *m, struct drg_buf *b, size_t *ret_n)
{
	struct name_key *keys = (struct name_key *)(void *)b->p;
	struct drg_name_entry *entries = (struct drg_name_entry *)(void *)b->p;
	assert(b->n % sizeof *keys == 0);
	*ret_n = b->n / sizeof *keys;
	if (*ret_n > 0)
		qsort_r(keys, *ret_n, sizeof *keys, by_text, m->texts.p);
	for (size_t i = 0; i < *ret_n; i++) {
		const struct drg_name_entry e = keys[i].entry;
		entries[i] = e;
	}
	b->n = *ret_n * sizeof *entries;
	drg_buf_trim(b);
	return (const struct drg_name_entry *)(void *)b->p;
}

static int by_kind_and_id(const void *pa, const void *pb)
{
	const struct drg_named *a = pa, *b = pb;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* Sort the records by kind and id. In the keys of spelled names, replace the number of the name by the new
 * number of its record. */
static int making_order(struct drg_name_making *m)
{
	struct drg_named *v = (struct drg_named *)(void *)m->records.p;
	struct name_key *keys = (struct name_key *)(void *)m->names.p;
	size_t n = m->records.n / sizeof *v, n_keys = m->names.n / sizeof *keys;
	uint32_t *owner = malloc((n_keys + 1) * sizeof *owner);
	if (owner == NULL)
		return DRG_ENOMEM;
	if (n > 0)
		qsort(v, n, sizeof *v, by_kind_and_id);
	for (size_t i = 0; i < n; i++)
		for (unsigned k = 0; k < v[i].n_spelled; k++) {
			assert(v[i].spelled + k < n_keys);
			owner[v[i].spelled + k] = (uint32_t)i;
		}
	for (size_t i = 0; i < n_keys; i++)
		keys[i].entry.record = owner[keys[i].entry.record];
	free(owner);
	drg_buf_trim(&m->records);
	drg_buf_trim(&m->spelled);
	return DRG_OK;
}

int drg_name_making_end(struct drg_name_making *m, struct drg_name_part *ret)
{
	drg_buf_char(&m->texts, '\0');
	int rc = m->texts.rc == DRG_OK && m->spell ? making_order(m) : m->texts.rc;
	if (rc != DRG_OK)
		return rc;
	drg_buf_trim(&m->texts);
	assert(m->texts.n > 0 && m->texts.p[m->texts.n - 1] == '\0');
	*ret = (struct drg_name_part){ .records = (const struct drg_named *)(const void *)m->records.p,
		                       .n_records = m->records.n / sizeof *ret->records,
		                       .texts = m->texts.p,
		                       .n_texts = m->texts.n };
	ret->names = making_sort(m, &m->names, &ret->n_names);
	ret->words = making_sort(m, &m->words, &ret->n_words);
	return DRG_OK;
}
