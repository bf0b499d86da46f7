#include "matching/desk/nearby.h"

#include <inttypes.h>

#include "decide/apart.h"
#include "model/key.h"
#include "model/names.h"
#include "names/making.h"
#include "store/fetch.h"
#include "store/suggestions.h"
#include "base/hash.h"
#include "text/fold.h"
#include "text/utf8.h"

struct finding_nearby {
	struct drg_store *s;
	struct drg_arena *arena;
	struct drg_nearby_list *ret;
	struct drg_named place; /* of the case */
	struct drg_buf apart; /* int64_t: dict ids that people said it is not */
	struct drg_err *err;
};

static int nearby_take_place(void *ctx, const struct drg_suggestion *s)
{
	struct drg_named *place = ctx;
	place->country = s->country;
	place->city = s->city;
	return DRG_OK;
}

/* Fetch a case with its place. @return DRG_ENOENT: it is not open. */
static int nearby_case(struct finding_nearby *x, const struct drg_mapping_source *of, struct drg_record *ret,
                       struct drg_named *ret_place)
{
	struct drg_record key;
	drg_key_source(&key, of->adapter, of->kind, of->id);
	int rc = drg_fetch(x->s, &key, x->arena, ret, x->err);
	if (rc == DRG_OK && drg_record_has(ret, DRG_F_DICT_ID))
		rc = DRG_ENOENT;
	if (rc != DRG_OK)
		return rc;
	*ret_place = drg_named_placed(ret);
	ret_place->kind = (uint16_t)of->kind;
	ret_place->country = ret_place->city = DRG_NAMED_UNKNOWN;
	rc = drg_store_suggestion(x->s, of->adapter, of->kind, of->id, nearby_take_place, ret_place, x->err);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int nearby_take_record(void *ctx, const struct drg_named *named)
{
	struct finding_nearby *x = ctx;
	const int64_t *apart = (const int64_t *)(const void *)x->apart.p;
	struct drg_record dict;
	for (size_t i = 0; i < x->apart.n / sizeof *apart; i++)
		if (apart[i] == named->id)
			return DRG_OK;
	x->ret->records++;
	if (x->ret->n == DRG_NEARBY_MAX)
		return DRG_OK;
	drg_key_dict(&dict, (enum drg_kind)x->place.kind, named->id);
	int rc = drg_fetch(x->s, &dict, x->arena, &dict, x->err);
	struct drg_nearby *n = &x->ret->v[x->ret->n];
	*n = (struct drg_nearby){ .dict_id = named->id, .metres = drg_named_metres(&x->place, named) };
	if (rc == DRG_OK)
		rc = drg_main_name(&dict, x->arena, &n->name);
	x->ret->n += rc == DRG_OK;
	x->ret->records -= rc == DRG_ENOENT; /* it has gone meanwhile */
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int nearby_take_case(struct finding_nearby *x, const struct drg_mapping_source *of)
{
	struct drg_record source, adapter;
	struct drg_named place;
	int rc = nearby_case(x, of, &source, &place);
	if (rc != DRG_OK || !drg_named_near(&x->place, &place))
		return rc == DRG_ENOENT ? DRG_OK : rc;
	x->ret->cases++;
	if (x->ret->n == DRG_NEARBY_MAX)
		return DRG_OK;
	drg_key_adapter(&adapter, of->adapter);
	rc = drg_fetch(x->s, &adapter, x->arena, &adapter, x->err);
	x->ret->v[x->ret->n++] =
	        (struct drg_nearby){ .adapter = of->adapter,
		                     .adapter_name = rc == DRG_OK ? drg_record_s(&adapter, DRG_F_NAME)
		                                                  : drg_str(NULL, 0),
		                     .id = drg_arena_str(x->arena, of->id),
		                     .name = drg_record_s(&source, DRG_F_NAME),
		                     .metres = drg_named_metres(&x->place, &place) };
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static uint64_t nearby_key(const struct finding_nearby *x, struct drg_str name)
{
	struct drg_buf folded;
	uint64_t key = 0;
	drg_buf_init(&folded, SIZE_MAX);
	drg_fold(name, DRG_FOLD_PLAIN, &folded);
	if (folded.n > 0 && x->place.city != DRG_NAMED_UNKNOWN)
		key = drg_hash(folded.p, folded.n, (uint64_t)x->place.city * 16 + x->place.kind) | 1;
	drg_buf_done(&folded);
	return key;
}

int drg_nearby_find(struct drg_store *s, const struct drg_name_index *names,
                    const struct drg_mapping_source *of, const struct drg_mapping_source *cases, size_t n,
                    struct drg_arena *arena, struct drg_nearby_list *ret, struct drg_err *reterr)
{
	struct finding_nearby x = { .s = s, .arena = arena, .ret = ret, .err = reterr };
	struct drg_record source;
	*ret = (struct drg_nearby_list){ .n = 0 };
	drg_buf_init(&x.apart, SIZE_MAX);
	int rc = nearby_case(&x, of, &source, &x.place);
	if (rc == DRG_OK)
		ret->key = nearby_key(&x, drg_record_s(&source, DRG_F_NAME));
	if (rc == DRG_OK)
		rc = drg_not_same_of_source(s, &source, &x.apart, reterr);
	if (rc == DRG_OK)
		rc = drg_namesakes_each(names, drg_record_s(&source, DRG_F_NAME), &x.place,
		                        nearby_take_record, &x, reterr);
	for (size_t i = 0; i < n && rc == DRG_OK; i++)
		rc = nearby_take_case(&x, &cases[i]);
	drg_buf_done(&x.apart);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

int drg_nearby_text(const struct drg_nearby_list *l, struct drg_arena *arena, struct drg_str *ret)
{
	enum { NAME_SHOWN = 120 };
	const struct drg_nearby *first = &l->v[0];
	struct drg_buf b;
	drg_buf_init(&b, 4096);
	if (l->records > 0) {
		drg_buf_printf(&b, "%" PRId64 " %.*s of the reference", first->dict_id,
		               DRG_STR_ARG(drg_utf8_cut(first->name, NAME_SHOWN)));
		if (first->metres >= 0)
			drg_buf_printf(&b, ", %.0f m away", first->metres);
	}
	if (l->records > 1)
		drg_buf_printf(&b, ", %zu more records", l->records - 1);
	if (l->cases > 0)
		drg_buf_printf(&b, "%s%zu open case%s", l->records > 0 ? ", and " : "", l->cases,
		               l->cases > 1 ? "s" : "");
	*ret = drg_arena_str(arena, drg_buf_view(&b));
	int rc = b.rc == DRG_OK && ret->p != NULL ? DRG_OK : DRG_ENOMEM;
	drg_buf_done(&b);
	return rc;
}
