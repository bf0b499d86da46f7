/* src/names/making.h
 * Makes a part of the index: records are added, then all names are sorted. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "model/record.h"
#include "names/part.h"

/** A name of a record. Names are in the order in which the records were added. */
struct drg_spelled {
	uint32_t text; /**< place in `texts`, up to a NUL */
	uint32_t words; /**< for a user that cuts the name into words: its first word */
	uint8_t n_words, n; /**< n: bytes of the name, at most DRG_SPELLED_MAX */
	bool code; /**< the name is a code: it has no words */
};
enum { DRG_SPELLED_MAX = 240 };

struct drg_name_making {
	bool spell; /**< make `spelled` instead of `words`, and sort the records by kind and id */
	struct drg_buf records, texts, spelled; /**< drg_named, char, drg_spelled */
	struct drg_buf names, words; /**< struct name_key until they are sorted */
	struct drg_buf folded;
	struct drg_arena arena; /**< of a record */
	size_t since; /**< place in `texts` where those of the last record begin */
};

void drg_name_making_init(struct drg_name_making *m, bool spell);
void drg_name_making_done(struct drg_name_making *m);
/**
 * Add a record with its names. If names are spelled, each way to write them is added (drg_fold_way).
 * @param named  NULL: the record is a dict record or a source; else all that is known of it except its names.
 * @return DRG_OK; DRG_ENOMEM; DRG_ELIMIT: more than 4 GiB of names.
 */
DRG_MUSTCHECK
int drg_name_making_add(struct drg_name_making *m, const struct drg_record *r, const struct drg_named *named);
/** Add a code to the record that was added last. @return As drg_name_making_add() does. */
DRG_MUSTCHECK
int drg_name_making_code(struct drg_name_making *m, struct drg_str code);
/** Sort the part. @param ret  Borrows from @p m. @return DRG_OK, DRG_ENOMEM, DRG_ELIMIT. */
DRG_MUSTCHECK
int drg_name_making_end(struct drg_name_making *m, struct drg_name_part *ret);

/** Make the entry of a record with its place; other members are 0. */
struct drg_named drg_named_placed(const struct drg_record *r);

/** Call @p fn for every name of a record. A result other than DRG_OK ends it and is returned. */
typedef int drg_each_name_fn(void *ctx, struct drg_str name);
DRG_MUSTCHECK
int drg_each_name(const struct drg_record *r, struct drg_arena *arena, drg_each_name_fn *fn, void *ctx);
