#include "match/vocab.h"

#include "base/hash.h"

#include "match/normal.h"
#include "match/words.h"

uint64_t drg_match_hash(struct drg_str s, uint64_t salt)
{
	uint64_t h = drg_hash(s.p, s.n, salt);
	return h != 0 ? h : 1;
}

void drg_vocab_init(struct drg_vocab *v)
{
	drg_buf_init(&v->tokens, SIZE_MAX);
	drg_buf_init(&v->texts, UINT32_MAX);
	drg_buf_init(&v->phrases, UINT32_MAX);
	v->sounds = NULL;
	v->table = (struct drg_hashtab){ .n = 0 };
}

void drg_vocab_done(struct drg_vocab *v)
{
	drg_buf_done(&v->tokens);
	drg_buf_done(&v->texts);
	drg_buf_done(&v->phrases);
	drg_hashtab_done(&v->table);
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
	const uint64_t hash = drg_match_hash(text, 0);
	uint32_t t;
	size_t at;
	if (!drg_hashtab_reserve(&v->table, 1))
		return DRG_ENOMEM;
	DRG_HASHTAB_FIND(t, &v->table, hash, at, drg_str_eq(drg_token_text(v, t), text));
	if (t != DRG_HASHTAB_NONE) {
		*ret = t;
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
	*ret = (uint32_t)v->table.n;
	drg_hashtab_put(&v->table, hash, at, *ret);
	return DRG_OK;
}

void drg_vocab_mark(struct drg_vocab *v, uint32_t t, unsigned classes)
{
	struct drg_token *k = &((struct drg_token *)(void *)v->tokens.p)[t];
	k->classes = (uint8_t)(k->classes | classes);
}
