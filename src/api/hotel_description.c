/* tour/hotelDescription: a supplier's hotel, what it says of it, and the hotel of the common reference that it is mapped
 * to (spec 4.2; decisions M13, M15). Names and the mapping are the catalog's; for the rest the exchange waits until it is
 * read from the store, where it is not kept in memory. */
#include "api/hotel_page.h"
#include "api/tables.h"
#include "query/translate.h"

static int unknown_hotel(struct drg_exchange *x, const struct drg_hotel_look *l)
{
	return drg_fail(drg_exchange_err(x), DRG_EINVAL, "unknown_hotel", "hotel_orig_id",
	                "hotel_orig_id: the adapter %lld has no hotel with the id \"%.*s\"",
	                (long long)l->adapter, DRG_STR_ARG(l->hotel));
}

static void read_row(const struct drg_hotel_rows *rows, enum drg_type_id type, struct drg_record *ret)
{
	if (rows == NULL || !drg_hotel_row(rows, type, ret))
		drg_record_init(ret, &drg_types[type]);
}

/* What the catalog says, and what to look at in the store for it. A mapping that has changed since the
 * last look makes what was found worthless. */
static int find_hotel(struct drg_exchange *x, struct drg_hotel_page *p, struct drg_hotel_look *l)
{
	struct drg_source s;
	int rc = drg_app_catalog(x, &p->cat);
	if (rc == DRG_OK)
		rc = drg_tour_adapter(p->cat, l->adapter, &p->adapter, drg_exchange_err(x));
	if (rc != DRG_OK)
		return rc;
	if (!drg_catalog_source(p->cat, p->adapter, DRG_KIND_HOTEL, l->hotel, &s))
		return unknown_hotel(x, l);
	p->pref = drg_catalog_langs(p->cat, drg_exchange_lang(x, "lang"));
	p->mapped = drg_catalog_dict_at(p->cat, s.dict, &p->hotel);
	int64_t dict = p->mapped ? p->hotel.id : 0;
	if (l->mapped != p->mapped || l->dict != dict)
		drg_hotel_look_done(l);
	l->mapped = p->mapped;
	l->dict = dict;
	return DRG_OK;
}

/* @return DRG_EBUSY, *ret_lacking true: the store is to be read first. */
static int answer(struct drg_exchange *x, struct drg_hotel_look *l, bool *ret_lacking)
{
	struct drg_jw w = { .b = drg_exchange_out(x) };
	struct drg_hotel_page p = { .w = &w, .arena = drg_exchange_arena(x) };
	int rc = find_hotel(x, &p, l);
	if (rc != DRG_OK)
		return rc;
	*ret_lacking = !drg_contents_find(drg_app_of(x)->contents, l);
	if (*ret_lacking)
		return DRG_EBUSY;
	read_row(l->orig, DRG_TYPE_SOURCE, &p.source);
	read_row(l->orig, DRG_TYPE_HOTEL_CONTENT, &p.content);
	read_row(l->common, DRG_TYPE_DICT, &p.common);
	if (p.source.has == 0) /* it has just been removed, and the catalog does not know yet */
		return unknown_hotel(x, l);
	return drg_hotel_page(&p);
}

static void wake(void *x)
{
	drg_exchange_resume(x);
}

/* In the handler, and again after each reading. The exchange is suspended before a reader can know of it. */
static int ask(struct drg_exchange *x)
{
	struct drg_hotel_look *l = drg_exchange_data(x);
	bool lacking = false;
	int rc = l->job.rc;
	if (rc == DRG_OK) {
		drg_read_lock();
		rc = answer(x, l, &lacking);
		drg_read_unlock();
	} else {
		*drg_exchange_err(x) = l->job.err;
	}
	if (!lacking) {
		drg_hotel_look_done(l);
		return rc;
	}
	drg_exchange_suspend(x, ask);
	rc = drg_contents_read(drg_app_of(x)->contents, l, &l->job.err);
	if (rc != DRG_OK) {
		l->job.rc = rc;
		drg_exchange_resume(x);
	}
	return DRG_HTTP_SUSPENDED;
}

static int hotel_description(struct drg_exchange *x)
{
	struct drg_hotel_look *l = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *l);
	if (l == NULL)
		return drg_fail(drg_exchange_err(x), DRG_ENOMEM, NULL, NULL, "out of memory");
	l->key_id = drg_exchange_key_id(x);
	l->adapter = drg_exchange_int(x, "adapter_id", 0);
	l->hotel = drg_exchange_text(x, "hotel_orig_id");
	l->done = wake;
	l->ctx = x;
	drg_exchange_set_data(x, l);
	return ask(x);
}

static const struct drg_param params[] = {
	{ .name = "hotel_orig_id",
	  .type = DRG_P_TEXT,
	  .required = true,
	  .max = 64,
	  .doc = "the supplier's hotel" },
	{ .name = "adapter_id", .type = DRG_P_INT, .required = true, .doc = "supplier" },
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_hotel_description[] = {
	{ .method = DRG_GET,
	  .path = "/v1/tour/hotelDescription",
	  .handler = hotel_description,
	  .auth = DRG_AUTH_KEY_B,
	  .cors = true,
	  .params = params,
	  .summary = "What a supplier says of its hotel, beside the common reference" },
	{ 0 },
};
