/* The words of an index: found in a table while it is made, then sorted; and the records that have each. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/hashtab.h"
#include "match/words.h"
#include "reconcile/words_priv.h"

struct words_making {
	struct drg_recon_index *x;
	struct drg_hashtab table;
	struct drg_buf words, texts, name_words;
	bool full; /* no memory */
};

/* ---- numbers ----------------------------------------------------------------------------------------- */

static const struct drg_recon_word *making_words(const struct words_making *m)
{
	return (const struct drg_recon_word *)(const void *)m->words.p;
}

static bool words_is(const struct words_making *m, uint32_t i, struct drg_str text)
{
	assert(i < m->words.n / sizeof(struct drg_recon_word));
	const char *other = m->texts.p + making_words(m)[i].text;
	return strncmp(other, text.p, text.n) == 0 && other[text.n] == '\0';
}

static uint32_t words_number(struct words_making *m, struct drg_str text)
{
	uint64_t hash = drg_hash(text.p, text.n, 0);
	uint32_t i;
	size_t at;
	m->full |= !drg_hashtab_reserve(&m->table, 1);
	if (m->full)
		return 0;
	DRG_HASHTAB_FIND(i, &m->table, hash, at, words_is(m, i, text));
	if (i != DRG_HASHTAB_NONE)
		return i;
	const struct drg_recon_word added = { .text = (uint32_t)m->texts.n };
	drg_buf_str(&m->texts, text);
	drg_buf_char(&m->texts, '\0');
	drg_buf_add(&m->words, &added, sizeof added);
	m->full |= m->texts.rc != DRG_OK || m->words.rc != DRG_OK;
	drg_hashtab_put(&m->table, hash, at, (uint32_t)m->table.n);
	return (uint32_t)m->table.n - 1;
}

static void words_of_name(struct words_making *m, struct drg_spelled *name)
{
	struct drg_str rest = drg_recon_name_text(m->x, name), word;
	name->words = (uint32_t)(m->name_words.n / sizeof(uint32_t));
	while (!name->code && name->n_words < DRG_RECON_NAME_WORDS && drg_str_split(&rest, ' ', &word) &&
	       !m->full) {
		uint32_t number = words_number(m, word);
		drg_buf_add(&m->name_words, &number, sizeof number);
		name->n_words++;
	}
	m->full |= m->name_words.rc != DRG_OK;
}

/* ---- in order ------------------------------------------------------------------------------------------ */

struct word_key {
	const char *text;
	uint32_t word;
};

static int compare_keys(const void *pa, const void *pb)
{
	return strcmp(((const struct word_key *)pa)->text, ((const struct word_key *)pb)->text);
}

static int compare_keys_by_end(const void *pa, const void *pb)
{
	const char *a = ((const struct word_key *)pa)->text, *b = ((const struct word_key *)pb)->text;
	size_t na = strlen(a), nb = strlen(b), i = 1;
	while (i <= na && i <= nb && a[na - i] == b[nb - i])
		i++;
	if (i > na || i > nb)
		return na < nb ? -1 : na > nb;
	return (unsigned char)a[na - i] < (unsigned char)b[nb - i] ? -1 : 1;
}

/* The words of the table become the index's, with other numbers. */
static void words_sort(struct words_making *m, struct word_key *keys, uint32_t *number)
{
	struct drg_recon_index *x = m->x;
	for (size_t i = 0; i < x->n_words; i++)
		keys[i] = (struct word_key){ m->texts.p + making_words(m)[i].text, (uint32_t)i };
	qsort(keys, x->n_words, sizeof *keys, compare_keys);
	for (size_t i = 0; i < x->n_words; i++) {
		x->words[i] = making_words(m)[keys[i].word];
		number[keys[i].word] = (uint32_t)i;
		keys[i].word = (uint32_t)i;
	}
	for (size_t i = 0; i < m->name_words.n / sizeof *x->name_words; i++)
		x->name_words[i] = number[x->name_words[i]];
	qsort(keys, x->n_words, sizeof *keys, compare_keys_by_end);
	for (size_t i = 0; i < x->n_words; i++)
		x->by_end[i] = keys[i].word;
}

/* Give the buffers' contents to the index. */
static int words_take(struct words_making *m)
{
	struct drg_recon_index *x = m->x;
	drg_buf_trim(&m->texts);
	drg_buf_trim(&m->name_words);
	x->n_words = m->words.n / sizeof(struct drg_recon_word);
	assert(x->n_words < UINT32_MAX);
	x->name_words = (uint32_t *)(void *)m->name_words.p;
	x->word_texts = m->texts.p;
	x->bytes += m->texts.cap + m->name_words.cap;
	x->words = calloc(x->n_words + 1, sizeof *x->words);
	x->by_end = calloc(x->n_words + 1, sizeof *x->by_end);
	struct word_key *keys = calloc(x->n_words + 1, sizeof *keys);
	uint32_t *number = calloc(x->n_words + 1, sizeof *number);
	bool ok = x->words != NULL && x->by_end != NULL && keys != NULL && number != NULL;
	if (ok && x->n_words > 0)
		words_sort(m, keys, number);
	free(keys);
	free(number);
	drg_buf_init(&m->texts, UINT32_MAX);
	drg_buf_init(&m->name_words, SIZE_MAX);
	return ok ? DRG_OK : DRG_ENOMEM;
}

/* ---- postings ------------------------------------------------------------------------------------------ */

/* Each record once for each of its words: counted, or, of @p fill, noted. */
static void words_each_posting(struct drg_recon_index *x, uint32_t *last, bool fill)
{
	for (size_t r = 0; r < x->names.n_records; r++)
		for (size_t k = 0; k < x->names.records[r].n_spelled; k++) {
			const struct drg_spelled *name = drg_recon_spelled(x, &x->names.records[r]) + k;
			for (unsigned w = 0; w < name->n_words; w++) {
				struct drg_recon_word *word = &x->words[x->name_words[name->words + w]];
				uint32_t *seen = &last[x->name_words[name->words + w]];
				if (*seen == (uint32_t)r + 1)
					continue;
				*seen = (uint32_t)r + 1;
				assert(!fill || word->postings + word->n_postings < x->n_postings);
				if (fill)
					x->postings[word->postings + word->n_postings] = (uint32_t)r;
				word->n_postings++;
			}
		}
}

static bool word_has_digit(const char *text)
{
	return strpbrk(text, "0123456789") != NULL;
}

static void words_weigh(struct drg_recon_index *x)
{
	for (size_t i = 0; i < x->n_words; i++) {
		struct drg_recon_word *w = &x->words[i];
		const char *text = drg_recon_word_text(x, (uint32_t)i);
		const struct drg_word *known = drg_word_find(drg_str_c(text));
		unsigned classes = known != NULL ? known->classes : 0;
		w->weight = 1 + log2f((float)(x->names.n_records + 1) / (float)(w->n_postings + 1));
		if (classes & DRG_WORD_TYPE)
			w->weight /= 2;
		else if (classes & DRG_WORD_AIRPORT)
			w->weight /= 4;
		w->vital = (classes & (DRG_WORD_RESIDENCE | DRG_WORD_PART)) != 0 || word_has_digit(text);
	}
}

static int words_post(struct drg_recon_index *x)
{
	uint32_t *last = calloc(x->n_words + 1, sizeof *last);
	if (last == NULL)
		return DRG_ENOMEM;
	words_each_posting(x, last, false);
	for (size_t i = 0; i < x->n_words; i++) {
		x->words[i].postings = (uint32_t)x->n_postings;
		x->n_postings += x->words[i].n_postings;
		x->words[i].n_postings = 0;
	}
	memset(last, 0, x->n_words * sizeof *last);
	x->postings = malloc((x->n_postings + 1) * sizeof *x->postings);
	if (x->postings != NULL)
		words_each_posting(x, last, true);
	free(last);
	words_weigh(x);
	x->bytes += x->n_postings * sizeof *x->postings + x->n_words * (sizeof *x->words + sizeof *x->by_end);
	return x->postings != NULL ? DRG_OK : DRG_ENOMEM;
}

int drg_recon_make_words(struct drg_recon_index *x, const atomic_bool *leave)
{
	struct words_making m = { .x = x };
	drg_buf_init(&m.words, SIZE_MAX);
	drg_buf_init(&m.texts, UINT32_MAX);
	drg_buf_init(&m.name_words, SIZE_MAX);
	for (size_t i = 0; i < x->n_spelled && !m.full && !drg_recon_left(leave); i++)
		words_of_name(&m, &x->spelled[i]);
	drg_hashtab_done(&m.table);
	int rc = m.full ? DRG_ENOMEM : drg_recon_left(leave) ? DRG_ESTOPPED : words_take(&m);
	drg_buf_done(&m.words);
	drg_buf_done(&m.texts);
	drg_buf_done(&m.name_words);
	if (rc == DRG_OK)
		rc = drg_recon_left(leave) ? DRG_ESTOPPED : words_post(x);
	return rc;
}
