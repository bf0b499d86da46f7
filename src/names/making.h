/* src/names/making.h
 * The making of a part: records are added, then all of it is sorted. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "model/record.h"
#include "names/part.h"

/** A name of a record, by record as they came. */
struct drg_spelled {
	uint32_t text; /**< in `texts`, up to a NUL */
	uint32_t words; /**< for who cuts it into words: the first of them */
	uint8_t n_words, n; /**< n: bytes, or DRG_SPELLED_MAX of them */
	bool code; /**< a code: it has no words */
};
enum { DRG_SPELLED_MAX = 240 };

struct drg_name_making {
	bool spell; /**< `spelled` instead of `words`, and records by kind and id */
	struct drg_buf records, texts, spelled; /**< drg_named, char, drg_spelled */
	struct drg_buf names, words; /**< struct name_key until they are sorted */
	struct drg_buf folded;
	struct drg_arena arena; /**< of a record */
	size_t since; /**< where the texts of the last record begin */
};

void drg_name_making_init(struct drg_name_making *m, bool spell);
void drg_name_making_done(struct drg_name_making *m);
/**
 * Add a record with its names; where they are spelled, in every way to write them (drg_fold_way).
 * @param named  NULL: it is a dict record or a source; else what is known of it but for its names.
 * @return DRG_OK; DRG_ENOMEM; DRG_ELIMIT: more than 4 GiB of names.
 */
DRG_MUSTCHECK
int drg_name_making_add(struct drg_name_making *m, const struct drg_record *r, const struct drg_named *named);
/** A code of the record that was added last. @return As drg_name_making_add() does. */
DRG_MUSTCHECK
int drg_name_making_code(struct drg_name_making *m, struct drg_str code);
/** Sort it. @param ret  Borrows from @p m. @return DRG_OK, DRG_ENOMEM, DRG_ELIMIT. */
DRG_MUSTCHECK
int drg_name_making_end(struct drg_name_making *m, struct drg_name_part *ret);

/** What a record tells of where it is; the rest is 0. */
struct drg_named drg_named_placed(const struct drg_record *r);

/** Every name of a record. */
typedef int drg_each_name_fn(void *ctx, struct drg_str name);
DRG_MUSTCHECK
int drg_each_name(const struct drg_record *r, struct drg_arena *arena, drg_each_name_fn *fn, void *ctx);
