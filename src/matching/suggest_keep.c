#include "matching/suggest_keep.h"

#include "decide/apart.h"
#include "matching/automap_supplier.h"
#include "model/key.h"

enum { KEEP_SOURCE_ROOM = 1 << 20 };

/* Suggestions with fewer bits than this help nobody, unless they are among the first three. */
#define SUGGEST_LEAST_BITS (-8.0)

static size_t suggest_rank_all(char *room, const struct drg_automap_result *r)
{
	size_t n = 0;
	for (unsigned i = 0; i < r->n_ranked; i++) {
		struct drg_suggested s = { .dict_id = r->ranked[i].dict_id,
			                   .bits = r->ranked[i].bits,
			                   .compared = true };
		memcpy(s.level, r->ranked[i].level, sizeof s.level);
		if (i < DRG_HOTEL_SHOWN || s.bits >= SUGGEST_LEAST_BITS)
			n = drg_suggest_rank(room, n, &s);
	}
	if (r->n_ranked == 0 && r->has_dict)
		n = drg_suggest_rank(room, n, &(const struct drg_suggested){ .dict_id = r->dict_id });
	return n;
}

struct drg_suggestion drg_suggest_of(const struct drg_automap_result *r, char *room)
{
	size_t n = suggest_rank_all(room, r);
	return (struct drg_suggestion){ .adapter = r->adapter,
		                        .kind = r->kind,
		                        .id = r->id,
		                        .outcome = r->outcome,
		                        .reason = drg_str_c(drg_reason_name(r->reason)),
		                        .country = r->country,
		                        .city = r->city,
		                        .category = r->category,
		                        .ranked = drg_str(room, n),
		                        .explanation = r->explanation };
}

static bool suggest_names(const struct drg_suggestion *s, int64_t dict_id)
{
	struct drg_suggested all[DRG_HOTEL_BEST];
	unsigned n = drg_suggest_parse(s->ranked, all, DRG_HOTEL_BEST);
	for (unsigned i = 0; i < n; i++)
		if (all[i].dict_id == dict_id)
			return true;
	return false;
}

static int suggest_keep_one(struct drg_txn *t, const struct drg_suggestion *s, const struct drg_record *key,
                            struct drg_err *reterr)
{
	struct drg_buf apart;
	drg_buf_init(&apart, SIZE_MAX);
	int rc = drg_not_same_of_source(drg_txn_store(t), key, &apart, reterr);
	if (rc == DRG_OK)
		rc = drg_txn_suggestion_put(t, s, reterr);
	const int64_t *v = (const int64_t *)(const void *)apart.p;
	for (size_t i = 0; i < apart.n / sizeof *v && rc == DRG_OK; i++)
		if (suggest_names(s, v[i]))
			rc = drg_suggest_hide(t, s->adapter, s->kind, s->id, v[i], reterr);
	drg_buf_done(&apart);
	return rc;
}

/* Store a suggestion, unless the source was mapped, decided about or removed since it was matched. */
static int suggest_keep_if_open(struct drg_txn *t, const struct drg_suggestion *s, struct drg_arena *arena,
                                struct drg_err *reterr)
{
	struct drg_record key, source;
	enum drg_automap_openness open;
	drg_arena_reset(arena);
	drg_key_source(&key, s->adapter, s->kind, s->id);
	int rc = drg_automap_find_open(drg_txn_store(t), &key, arena, &source, &open, reterr);
	if (rc == DRG_OK)
		rc = suggest_keep_one(t, s, &key, reterr);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* ---- removing suggestions of closed questions --------------------------------------------------- */

static int suggest_forget_decided(const struct drg_suggest_slice *x, struct drg_txn *t, struct drg_str id,
                                  struct drg_arena *arena, struct drg_err *reterr)
{
	struct drg_record key, source;
	enum drg_automap_openness open;
	drg_arena_reset(arena);
	drg_key_source(&key, x->adapter, x->kind, id);
	int rc = drg_automap_find_open(drg_txn_store(t), &key, arena, &source, &open, reterr);
	return rc == DRG_ENOENT ? drg_txn_suggestion_delete(t, x->adapter, x->kind, id, reterr) : rc;
}

/* The records of one kind that have a suggestion. */
struct suggest_having {
	struct drg_tally keys;
	enum drg_kind kind;
};

static int suggest_has(void *ctx, const struct drg_suggestion *s)
{
	struct suggest_having *x = ctx;
	return s->kind == x->kind
	               ? drg_tally_add(&x->keys, drg_automap_source_key(s->adapter, s->kind, s->id))
	               : DRG_OK;
}

/* Remove suggestions that are not open any more. Decisions are read only for records that have a suggestion:
 * mostly there are none. */
static int suggest_forget_of(const struct drg_suggest_slice *x, struct drg_txn *t,
                             const struct suggest_having *have, struct drg_arena *arena,
                             struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (size_t i = 0; i < drg_supplier_size(x->read) && rc == DRG_OK; i++) {
		const struct drg_supplier_row *row = drg_supplier_row(x->read, i);
		if (row->decided && row->dict_id == DRG_PLACE_UNKNOWN &&
		    drg_tally_get(&have->keys, drg_automap_source_key(x->adapter, x->kind, row->id)) > 0)
			rc = suggest_forget_decided(x, t, row->id, arena, reterr);
	}
	return rc;
}

static int suggest_forget(const struct drg_suggest_slice *x, struct drg_txn *t, struct drg_arena *arena,
                          struct drg_err *reterr)
{
	struct suggest_having have = { .kind = x->kind };
	drg_tally_init(&have.keys);
	int rc = drg_txn_suggestion_delete(t, x->adapter, x->kind, drg_str("", 0), reterr);
	if (rc == DRG_OK)
		rc = drg_store_suggestions(drg_txn_store(t), x->adapter, suggest_has, &have, reterr);
	if (rc == DRG_OK)
		rc = suggest_forget_of(x, t, &have, arena, reterr);
	drg_tally_done(&have.keys);
	return rc == DRG_ENOMEM ? drg_fail_memory(reterr) : rc;
}

int drg_suggest_write(void *slice, struct drg_txn *t, struct drg_err *reterr)
{
	const struct drg_suggest_slice *x = slice;
	struct drg_clock before;
	struct drg_arena arena;
	int rc = drg_store_clock(drg_txn_store(t), &before, reterr);
	drg_arena_init(&arena, KEEP_SOURCE_ROOM);
	if (rc == DRG_OK && x->forget)
		rc = suggest_forget(x, t, &arena, reterr);
	for (size_t i = 0; i < x->n && rc == DRG_OK; i++)
		rc = before.seq == x->since ? drg_txn_suggestion_put(t, &x->v[i], reterr)
		                            : suggest_keep_if_open(t, &x->v[i], &arena, reterr);
	drg_arena_done(&arena);
	return rc;
}
