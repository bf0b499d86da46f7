#include "reconcile/index.h"

#include <stdlib.h>

#include "match/similar.h"
#include "reconcile/making_priv.h"

static int compare_records(const void *pa, const void *pb)
{
	const struct drg_recon_record *a = pa, *b = pb;
	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

struct index_text {
	const char *text;
	uint32_t name;
};

static int index_compare_texts(const void *pa, const void *pb)
{
	const struct index_text *a = pa, *b = pb;
	int order = strcmp(a->text, b->text);
	return order != 0 ? order : a->name < b->name ? -1 : a->name > b->name;
}

static void index_types(struct drg_recon_index *x)
{
	size_t at = 0;
	for (unsigned type = 0; type <= DRG_RECON_TYPES; type++) {
		while (at < x->n_records && x->records[at].type < type)
			at++;
		x->types[type] = at;
	}
}

static int index_order(struct drg_recon_index *x)
{
	if (x->n_records > 0)
		qsort(x->records, x->n_records, sizeof *x->records, compare_records);
	for (size_t i = 0; i < x->n_records; i++)
		for (uint32_t k = 0; k < x->records[i].n_names; k++)
			x->names[x->records[i].names + k].record = (uint32_t)i;
	index_types(x);
	struct index_text *texts = malloc((x->n_names + 1) * sizeof *texts);
	x->by_text = malloc((x->n_names + 1) * sizeof *x->by_text);
	for (size_t i = 0; i < x->n_names && texts != NULL; i++)
		texts[i] = (struct index_text){ drg_recon_name_text(x, &x->names[i]), (uint32_t)i };
	int rc = texts != NULL && x->by_text != NULL ? DRG_OK : DRG_ENOMEM;
	if (rc == DRG_OK && x->n_names > 0)
		qsort(texts, x->n_names, sizeof *texts, index_compare_texts);
	for (size_t i = 0; i < x->n_names && rc == DRG_OK; i++)
		x->by_text[i] = texts[i].name;
	free(texts);
	return rc;
}

/* What was gathered becomes the index's. */
static int index_take(struct drg_recon_index *x, struct drg_recon_making *m)
{
	drg_buf_trim(&m->records);
	drg_buf_trim(&m->names);
	drg_buf_trim(&m->texts);
	x->records = (struct drg_recon_record *)(void *)m->records.p;
	x->n_records = m->records.n / sizeof *x->records;
	x->names = (struct drg_recon_name *)(void *)m->names.p;
	x->n_names = m->names.n / sizeof *x->names;
	x->texts = m->texts.p;
	x->bytes = m->records.cap + m->names.cap + m->texts.cap;
	drg_buf_init(&m->records, SIZE_MAX);
	drg_buf_init(&m->names, SIZE_MAX);
	drg_buf_init(&m->texts, UINT32_MAX);
	int rc = drg_recon_left(m->leave) ? DRG_ESTOPPED : index_order(x);
	return rc == DRG_OK ? drg_recon_make_words(x, m->leave) : rc;
}

int drg_recon_index_make(struct drg_store *s, const atomic_bool *leave, struct drg_recon_index **ret,
                         struct drg_clock *ret_clock, struct drg_err *reterr)
{
	struct drg_recon_making *m = calloc(1, sizeof *m);
	struct drg_recon_index *x = calloc(1, sizeof *x);
	if (m == NULL || x == NULL) {
		free(m);
		free(x);
		return drg_fail_memory(reterr);
	}
	m->err = reterr;
	m->leave = leave;
	drg_buf_init(&m->records, SIZE_MAX);
	drg_buf_init(&m->names, SIZE_MAX);
	drg_buf_init(&m->texts, UINT32_MAX);
	drg_buf_init(&m->folded, SIZE_MAX);
	drg_arena_init(&m->arena, SIZE_MAX);
	int rc = drg_recon_gather(m, s, ret_clock);
	if (rc == DRG_OK && (rc = index_take(x, m)) == DRG_ENOMEM)
		rc = drg_fail_memory(reterr);
	drg_buf_done(&m->records);
	drg_buf_done(&m->names);
	drg_buf_done(&m->texts);
	drg_buf_done(&m->folded);
	drg_arena_done(&m->arena);
	free(m);
	if (rc == DRG_OK)
		*ret = x;
	else
		drg_recon_index_free(x);
	return rc;
}

void drg_recon_index_free(struct drg_recon_index *x)
{
	if (x == NULL)
		return;
	void *parts[] = { x->records, x->names,    x->by_text, x->name_words, x->words,
		          x->by_end,  x->postings, x->texts,   x->word_texts, x };
	for (size_t i = 0; i < DRG_ARRAY_LEN(parts); i++)
		free(parts[i]);
}

/* ---- looking into it ----------------------------------------------------------------------------------- */

const struct drg_recon_record *drg_recon_record_of(const struct drg_recon_index *x, unsigned type, int64_t id)
{
	size_t low = x->types[type], high = x->types[type + 1];
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (x->records[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < x->types[type + 1] && x->records[low].id == id ? &x->records[low] : NULL;
}

/* Is a text before what is looked for, or, of @p behind, not behind all that begin so? */
static bool index_is_before(const char *text, struct drg_str wanted, bool behind)
{
	int order = strncmp(text, wanted.p, wanted.n);
	return order < 0 || (behind && order == 0);
}

size_t drg_recon_name_at(const struct drg_recon_index *x, struct drg_str text, bool behind)
{
	size_t low = 0, high = x->n_names;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (index_is_before(drg_recon_name_text(x, &x->names[x->by_text[middle]]), text, behind))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static size_t word_at(const struct drg_recon_index *x, struct drg_str text, bool behind)
{
	size_t low = 0, high = x->n_words;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (index_is_before(drg_recon_word_text(x, (uint32_t)middle), text, behind))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t drg_recon_word_of(const struct drg_recon_index *x, struct drg_str text)
{
	size_t at = word_at(x, text, false);
	return at < x->n_words && drg_str_eq(drg_str_c(drg_recon_word_text(x, (uint32_t)at)), text)
	               ? (uint32_t)at
	               : (uint32_t)DRG_RECON_NO_WORD;
}

void drg_recon_words_from(const struct drg_recon_index *x, struct drg_str beginning, size_t *ret_from,
                          size_t *ret_to)
{
	*ret_from = word_at(x, beginning, false);
	*ret_to = word_at(x, beginning, true);
}

/* ---- words with typing errors -------------------------------------------------------------------------- */

/* Words that are compared, at most, of those with the same beginning, and of those with the same end. */
enum { LOOKS_MAX = 400, LIKE_LETTERS = 4 };

struct word_like {
	const struct drg_recon_index *x;
	struct drg_str text;
	unsigned most; /* errors */
	uint32_t *ret;
	unsigned errors[16];
	unsigned n, max;
};

static void like_look(struct word_like *l, uint32_t word)
{
	struct drg_str other = drg_str_c(drg_recon_word_text(l->x, word));
	if (other.n + l->most < l->text.n || other.n > l->text.n + l->most)
		return;
	unsigned errors = drg_edit_distance(l->text, other), at = l->n;
	if (errors > l->most)
		return;
	for (unsigned i = 0; i < l->n; i++)
		if (l->ret[i] == word)
			return;
	while (at > 0 && l->errors[at - 1] > errors)
		at--;
	if (at == l->max)
		return;
	l->n += l->n < l->max;
	for (unsigned i = l->n - 1; i > at; i--) {
		l->ret[i] = l->ret[i - 1];
		l->errors[i] = l->errors[i - 1];
	}
	l->ret[at] = word;
	l->errors[at] = errors;
}

/* Letters from the last on, as many as @p n. */
static int compare_ends(struct drg_str a, struct drg_str b, size_t n)
{
	for (size_t i = 1; i <= n; i++) {
		if (i > a.n || i > b.n)
			return i > b.n ? (i > a.n ? 0 : 1) : -1;
		if (a.p[a.n - i] != b.p[b.n - i])
			return (unsigned char)a.p[a.n - i] < (unsigned char)b.p[b.n - i] ? -1 : 1;
	}
	return 0;
}

static size_t end_at(const struct drg_recon_index *x, struct drg_str text, size_t letters)
{
	size_t low = 0, high = x->n_words;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct drg_str other = drg_str_c(drg_recon_word_text(x, x->by_end[middle]));
		if (compare_ends(other, text, letters) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

unsigned drg_recon_words_like(const struct drg_recon_index *x, struct drg_str text, uint32_t *ret,
                              unsigned max)
{
	struct word_like l = { .x = x,
		               .text = text,
		               .most = text.n >= 6 ? 2 : 1,
		               .ret = ret,
		               .max = max < DRG_ARRAY_LEN(l.errors) ? max : DRG_ARRAY_LEN(l.errors) };
	if (text.n < LIKE_LETTERS || text.n > DRG_RECON_NAME_MAX)
		return 0;
	size_t half = text.n / 2, from, to;
	drg_recon_words_from(x, drg_str(text.p, half), &from, &to);
	for (size_t i = from; i < to && i < from + LOOKS_MAX; i++)
		like_look(&l, (uint32_t)i);
	from = end_at(x, text, half);
	to = from + LOOKS_MAX < x->n_words ? from + LOOKS_MAX : x->n_words;
	for (size_t i = from; i < to; i++) {
		if (compare_ends(drg_str_c(drg_recon_word_text(x, x->by_end[i])), text, half) != 0)
			break;
		like_look(&l, x->by_end[i]);
	}
	return l.n;
}
