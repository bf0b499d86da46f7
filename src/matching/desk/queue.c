#include "matching/desk/queue.h"

#include "model/key.h"
#include "model/names.h"
#include "store/fetch.h"

enum { ITEM_ROOM = 1 << 20 };

struct queue_giving {
	struct drg_store *s;
	const struct drg_queue_options *o;
	struct drg_arena arena; /* of an item */
	struct drg_err *err;
};

static bool queue_wants(const struct drg_queue_order *q, const struct drg_queue_filter *f,
                        const struct drg_queue_sieve *s, const struct drg_open_case *c)
{
	return (f->adapter == 0 || f->adapter == c->adapter) &&
	       (f->kind == DRG_KIND_NONE || f->kind == c->kind) &&
	       (f->country == INT64_MIN || f->country == c->country) &&
	       (f->reason < 0 || f->reason == c->reason) && drg_queue_passes(q, s, c);
}

/* Data of a case that the order does not keep. */
struct queue_said {
	struct drg_arena *arena;
	struct drg_queue_item *item;
};

static int queue_take_said(void *ctx, const struct drg_suggestion *s)
{
	struct queue_said *x = ctx;
	x->item->n_ranked = drg_suggest_parse(s->ranked, x->item->ranked, DRG_HOTEL_BEST);
	x->item->outcome = (enum drg_match_outcome)s->outcome;
	x->item->reason = drg_arena_str(x->arena, s->reason);
	x->item->explanation = drg_arena_str(x->arena, s->explanation);
	return x->item->reason.p != NULL && x->item->explanation.p != NULL ? DRG_OK : DRG_ENOMEM;
}

static int queue_dict_name(struct queue_giving *x, struct drg_queue_item *item)
{
	struct drg_record key;
	if (item->n_ranked == 0)
		return DRG_OK;
	drg_key_dict(&key, item->kind, item->ranked[0].dict_id);
	int rc = drg_fetch(x->s, &key, &x->arena, &key, x->err);
	if (rc == DRG_OK)
		rc = drg_main_name(&key, &x->arena, &item->dict_name);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* @return DRG_ENOENT: the case is not open any more */
static int desk_queue_item(struct queue_giving *x, const struct drg_open_case *c, struct drg_queue_item *ret)
{
	struct drg_record key;
	struct queue_said said = { &x->arena, ret };
	*ret = (struct drg_queue_item){ .adapter = c->adapter,
		                        .kind = (enum drg_kind)c->kind,
		                        .id = c->id,
		                        .country = c->country,
		                        .asked = c->asked,
		                        .waiting = c->waiting,
		                        .version = c->version,
		                        .likely = (double)c->likely,
		                        .alike = c->alike,
		                        .settles = c->settles };
	int rc = drg_store_suggestion(x->s, c->adapter, ret->kind, c->id, queue_take_said, &said, x->err);
	if (rc != DRG_OK)
		return rc == DRG_ENOMEM ? drg_fail_memory(x->err) : rc;
	drg_key_source(&key, c->adapter, ret->kind, c->id);
	rc = drg_fetch(x->s, &key, &x->arena, &ret->source, x->err);
	if (rc == DRG_OK && drg_record_has(&ret->source, DRG_F_DICT_ID))
		rc = DRG_ENOENT;
	return rc == DRG_OK ? queue_dict_name(x, ret) : rc;
}

static int queue_report(struct queue_giving *x, const struct drg_queue_order *q, drg_queue_fn *fn, void *ctx)
{
	const struct drg_queue_filter *f = &x->o->filter;
	const struct drg_queue_sieve s = drg_queue_sieve(q, f, 0);
	size_t given = 0;
	int rc = DRG_OK;
	for (size_t i = 0; i < q->n && rc == DRG_OK && (x->o->limit == 0 || given < x->o->limit); i++) {
		struct drg_queue_item item;
		if (!queue_wants(q, f, &s, &q->v[i]))
			continue;
		drg_arena_reset(&x->arena);
		rc = desk_queue_item(x, &q->v[i], &item);
		if (rc == DRG_OK) {
			rc = fn(ctx, &item);
			given++;
		} else if (rc == DRG_ENOENT) {
			rc = DRG_OK;
		}
	}
	return rc;
}

int drg_queue_each_of(struct drg_store *s, struct drg_open_case *v, size_t n, drg_queue_fn *fn, void *ctx,
                      struct drg_err *reterr)
{
	static const struct drg_queue_options all = { .filter = DRG_QUEUE_FILTER_ALL };
	struct queue_giving x = { .s = s, .o = &all, .err = reterr };
	const struct drg_queue_order q = { .v = v, .n = n };
	drg_arena_init(&x.arena, ITEM_ROOM);
	int rc = queue_report(&x, &q, fn, ctx);
	drg_arena_done(&x.arena);
	return rc;
}

int drg_queue_each(struct drg_store *s, const struct drg_queue_options *o, drg_queue_fn *fn, void *ctx,
                   struct drg_err *reterr)
{
	struct queue_giving x = { .s = s, .o = o, .err = reterr };
	struct drg_queue_order q;
	drg_arena_init(&x.arena, ITEM_ROOM);
	int rc = drg_queue_order_read(s, NULL, &q, reterr);
	if (rc == DRG_OK && o->filter.since_us != INT64_MIN)
		rc = drg_queue_moments_read(s, &q, reterr);
	if (rc == DRG_OK)
		drg_queue_order_sort(&q, o->sort);
	if (rc == DRG_OK)
		rc = queue_report(&x, &q, fn, ctx);
	drg_queue_order_done(&q);
	drg_arena_done(&x.arena);
	return rc;
}
