/* src/reconcile/index.h
 * The names of the reference (names/making.h) with their words, and which records have a word: made from
 * the store as a whole, read by any number of threads, never changed. About 290 bytes for a hotel. */
#pragma once
#include <stdatomic.h>
#include "names/making.h"
#include "reconcile/types.h"
#include "store/store.h"

/** Words of a name that count. */
enum { DRG_RECON_NAME_WORDS = 12 };

struct drg_recon_word {
	uint32_t text; /**< in `word_texts`, up to a NUL */
	uint32_t postings, n_postings; /**< records that have it, ascending */
	float weight; /**< the rarer the more; half of that for words such as "hotel" */
	bool vital; /**< a number, or what tells sister houses apart */
};

struct drg_recon_index {
	struct drg_name_making made;
	struct drg_name_part names; /**< of `made`; `kind` of a record is enum drg_recon_type */
	struct drg_spelled *spelled; /**< likewise */
	size_t n_spelled;
	uint32_t *name_words;
	struct drg_recon_word *words; /**< ascending by text */
	uint32_t *by_end; /**< words, ascending by their letters from the last on */
	uint32_t *postings;
	char *word_texts;
	size_t n_words, n_postings;
	size_t types[DRG_RECON_TYPES + 1]; /**< where the records of a type begin */
	size_t bytes; /**< what it takes */
};

/**
 * Made from all records of the store; drg_fold() is open then.
 * @param leave      Looked at meanwhile: true ends it. May be NULL.
 * @param ret_clock  Of which commit it is.
 * @return DRG_OK; DRG_ENOMEM; DRG_ELIMIT: more than 4 GiB of names; DRG_ESTOPPED; errors of the store.
 */
DRG_MUSTCHECK
int drg_recon_index_make(struct drg_store *s, const atomic_bool *leave, struct drg_recon_index **ret,
                         struct drg_clock *ret_clock, struct drg_err *reterr);
/** NULL is fine. */
void drg_recon_index_free(struct drg_recon_index *x);

/** The names of a record: `n_spelled`. */
static inline const struct drg_spelled *drg_recon_spelled(const struct drg_recon_index *x,
                                                          const struct drg_named *r)
{
	return x->spelled + r->spelled;
}

static inline struct drg_str drg_recon_name_text(const struct drg_recon_index *x, const struct drg_spelled *n)
{
	return drg_str(x->names.texts + n->text, n->n);
}

static inline const char *drg_recon_word_text(const struct drg_recon_index *x, uint32_t word)
{
	return x->word_texts + x->words[word].text;
}

/** NULL: it was not there. */
const struct drg_named *drg_recon_record_of(const struct drg_recon_index *x, unsigned type, int64_t id);

enum { DRG_RECON_NO_WORD = UINT32_MAX };
/** @return DRG_RECON_NO_WORD: no name has it. */
uint32_t drg_recon_word_of(const struct drg_recon_index *x, struct drg_str text);
/** Words that begin so, as a range. */
void drg_recon_words_from(const struct drg_recon_index *x, struct drg_str beginning, size_t *ret_from,
                          size_t *ret_to);
/** At most @p max words with a typing error less or more, the likest first: looked for among those of the
 * same beginning or end. */
unsigned drg_recon_words_like(const struct drg_recon_index *x, struct drg_str text, uint32_t *ret,
                              unsigned max);
