/* src/reconcile/index.h
 * Every name of the reference, folded (text/fold.h), its words, and which records have a word: made from the
 * store as a whole, read by any number of threads, never changed. About 290 bytes for a hotel. */
#pragma once
#include <stdatomic.h>
#include "reconcile/types.h"
#include "store/store.h"

/** Bytes of a folded name that count, and words of it. */
enum { DRG_RECON_NAME_MAX = 240, DRG_RECON_NAME_WORDS = 12 };

struct drg_recon_record {
	int64_t id, country, city, category; /**< dict ids; DRG_RECON_UNKNOWN */
	float lat, lng; /**< NAN: not known */
	uint32_t names; /**< the first of its names */
	uint16_t n_names;
	uint8_t type; /**< enum drg_recon_type */
};
#define DRG_RECON_UNKNOWN INT64_MIN

/** A name, or a code. */
struct drg_recon_name {
	uint32_t text; /**< in `texts`, up to a NUL */
	uint32_t record;
	uint32_t words; /**< the first of its words in `name_words` */
	uint8_t n_words, n;
	bool code; /**< a code: the same or not, it has no words */
};

struct drg_recon_word {
	uint32_t text; /**< in `word_texts`, up to a NUL */
	uint32_t postings, n_postings; /**< records that have it, ascending */
	float weight; /**< the rarer the more; half of that for words such as "hotel" */
	bool vital; /**< a number, or what tells sister houses apart */
};

struct drg_recon_index {
	struct drg_recon_record *records; /**< ascending by type, then id */
	struct drg_recon_name *names;
	uint32_t *by_text; /**< names, ascending by text */
	uint32_t *name_words;
	struct drg_recon_word *words; /**< ascending by text */
	uint32_t *by_end; /**< words, ascending by their letters from the last on */
	uint32_t *postings;
	char *texts, *word_texts;
	size_t n_records, n_names, n_words, n_postings;
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

static inline const char *drg_recon_name_text(const struct drg_recon_index *x, const struct drg_recon_name *n)
{
	return x->texts + n->text;
}

static inline const char *drg_recon_word_text(const struct drg_recon_index *x, uint32_t word)
{
	return x->word_texts + x->words[word].text;
}

/** NULL: it was not there. */
const struct drg_recon_record *drg_recon_record_of(const struct drg_recon_index *x, unsigned type,
                                                   int64_t id);

/** The place in `by_text` of the first name that is not before @p text, or, of @p behind, that does not begin
 * so. */
size_t drg_recon_name_at(const struct drg_recon_index *x, struct drg_str text, bool behind);

enum { DRG_RECON_NO_WORD = UINT32_MAX };
/** @return DRG_RECON_NO_WORD: no name has it. */
uint32_t drg_recon_word_of(const struct drg_recon_index *x, struct drg_str text);
/** Words that begin so, as a range. */
void drg_recon_words_from(const struct drg_recon_index *x, struct drg_str beginning, size_t *ret_from,
                          size_t *ret_to);
/** At most @p max words with a typing error less or more, the likest first: looked for among those of the same
 * beginning or end. */
unsigned drg_recon_words_like(const struct drg_recon_index *x, struct drg_str text, uint32_t *ret,
                              unsigned max);
