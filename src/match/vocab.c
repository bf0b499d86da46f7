#include "match/vocab.h"

#include <xxhash.h>

#include "base/pages.h"
#include "match/normal.h"
#include "match/words.h"

uint64_t drg_match_hash(struct drg_str s, uint64_t seed)
{
	uint64_t h = XXH3_64bits_withSeed(s.p, s.n, seed);
	return h != 0 ? h : 1;
}

void drg_vocab_init(struct drg_vocab *v)
{
	drg_buf_init(&v->tokens, SIZE_MAX);
	drg_buf_init(&v->texts, UINT32_MAX);
	drg_buf_init(&v->phrases, UINT32_MAX);
	v->sounds = NULL;
	v->slots = NULL;
	v->n_slots = 0;
}

void drg_vocab_done(struct drg_vocab *v)
{
	drg_buf_done(&v->tokens);
	drg_buf_done(&v->texts);
	drg_buf_done(&v->phrases);
	drg_pages_free(v->slots, v->n_slots * sizeof *v->slots);
	v->slots = NULL;
	v->n_slots = 0;
}

/* The slot of a text, or the free slot where it belongs. */
static uint32_t *vocab_slot(const struct drg_vocab *v, struct drg_str text)
{
	size_t i = drg_match_hash(text, 0) & (v->n_slots - 1);
	while (v->slots[i] != 0 && !drg_str_eq(drg_token_text(v, v->slots[i] - 1), text))
		i = (i + 1) & (v->n_slots - 1);
	return &v->slots[i];
}

static int vocab_make_room(struct drg_vocab *v)
{
	uint32_t n = drg_vocab_size(v);
	if (((size_t)n + 1) * 2 <= v->n_slots)
		return DRG_OK;
	size_t more = v->n_slots > 0 ? v->n_slots * 2 : 1024;
	uint32_t *slots = drg_pages_new(more * sizeof *slots, true);
	if (slots == NULL)
		return DRG_ENOMEM;
	drg_pages_free(v->slots, v->n_slots * sizeof *v->slots);
	v->slots = slots;
	v->n_slots = more;
	for (uint32_t t = 0; t < n; t++)
		*vocab_slot(v, drg_token_text(v, t)) = t + 1;
	return DRG_OK;
}

static uint64_t hash_of_digits(struct drg_str text, bool *ret_all)
{
	char digits[DRG_NORMAL_MAX];
	size_t n = 0;
	for (size_t i = 0; i < text.n && n < sizeof digits; i++)
		if (text.p[i] >= '0' && text.p[i] <= '9')
			digits[n++] = text.p[i];
	*ret_all = n == text.n;
	return n > 0 ? drg_match_hash(drg_str(digits, n), 0) : 0;
}

int drg_vocab_add(struct drg_vocab *v, struct drg_str text, uint32_t *ret)
{
	if (vocab_make_room(v) != DRG_OK)
		return DRG_ENOMEM;
	uint32_t *slot = vocab_slot(v, text), t = drg_vocab_size(v);
	if (*slot != 0) {
		*ret = *slot - 1;
		return DRG_OK;
	}
	const struct drg_word *w = drg_word_find(text);
	struct drg_token token = { .text = (uint32_t)v->texts.n, .n = (uint16_t)text.n };
	token.classes = (uint8_t)(w != NULL ? w->classes : 0);
	token.digits = hash_of_digits(text, &token.is_number);
	drg_buf_str(&v->texts, text);
	drg_buf_add(&v->tokens, &token, sizeof token);
	if (v->texts.rc != DRG_OK || v->tokens.rc != DRG_OK)
		return DRG_ENOMEM;
	*slot = t + 1;
	*ret = t;
	return DRG_OK;
}

void drg_vocab_mark(struct drg_vocab *v, uint32_t t, unsigned classes)
{
	struct drg_token *k = &((struct drg_token *)(void *)v->tokens.p)[t];
	k->classes = (uint8_t)(k->classes | classes);
}
