/* tour/hotelDescription: a supplier's hotel, what it says of it, and the hotel of the common reference that
 * it is mapped to (spec 4.2; decisions M13, M15, M45). Names and the mapping are the catalog's; for the rest
 * the exchange waits until it is read from the store, where it is not kept in memory. */
#include "api/hotel_page.h"
#include "api/reading.h"
#include "api/tables.h"

static int unknown_hotel(struct drg_exchange *x, const struct drg_hotel_lookup *l)
{
	return drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(unknown_hotel), "hotel_orig_id",
	                "hotel_orig_id: the adapter %lld has no hotel with the id \"%.*s\"",
	                (long long)l->adapter, DRG_STR_ARG(l->hotel));
}

static void hotel_description_read_row(const struct drg_hotel_rows *rows, enum drg_type_id type,
                                       struct drg_record *ret)
{
	if (rows == NULL || !drg_hotel_row(rows, type, ret))
		drg_record_init(ret, &drg_types[type]);
}

/* Read the catalog, and find out what to look up in the store. A mapping that has changed since the last look
 * makes what was found worthless. */
static int hotel_description_find_hotel(const struct drg_reading *r, struct drg_hotel_page *p,
                                        struct drg_hotel_lookup *l)
{
	struct drg_source s;
	if (!drg_catalog_source(r->cat, r->adapter, DRG_KIND_HOTEL, l->hotel, &s))
		return unknown_hotel(r->x, l);
	p->mapped = drg_catalog_dict_at(r->cat, s.dict, &p->hotel);
	int64_t dict = p->mapped ? p->hotel.id : 0;
	if (l->mapped != p->mapped || l->dict != dict)
		drg_hotel_lookup_done(l);
	l->mapped = p->mapped;
	l->dict = dict;
	return DRG_OK;
}

/* Either writes the answer, or asks for the store to be read first. */
struct attempt {
	struct drg_hotel_lookup *look;
	bool lacking;
};

static int hotel_description_write_answer(struct drg_reading *r, void *attempt)
{
	struct attempt *a = attempt;
	struct drg_hotel_lookup *l = a->look;
	struct drg_hotel_page p = { .w = &r->w,
		                    .arena = drg_exchange_arena(r->x),
		                    .cat = r->cat,
		                    .adapter = r->adapter,
		                    .pref = drg_reading_langs(r) };
	int rc = hotel_description_find_hotel(r, &p, l);
	if (rc != DRG_OK)
		return rc;
	a->lacking = !drg_contents_find(drg_app_of(r->x)->contents, l);
	if (a->lacking)
		return DRG_OK;
	r->mixed = !drg_hotel_lookup_is_valid_at(l, drg_catalog_seq(r->cat));
	hotel_description_read_row(l->orig, DRG_TYPE_SOURCE, &p.source);
	hotel_description_read_row(l->orig, DRG_TYPE_HOTEL_CONTENT, &p.content);
	hotel_description_read_row(l->common, DRG_TYPE_DICT, &p.common);
	if (p.source.has == 0) /* it has just been removed, and the catalog does not know yet */
		return unknown_hotel(r->x, l);
	return drg_hotel_page(&p);
}

/* In the handler, and again after each reading. The exchange is suspended before a reader can know of it. */
static int hotel_description_ask(struct drg_exchange *x)
{
	struct drg_hotel_lookup *l = drg_exchange_data(x);
	struct attempt a = { .look = l };
	int rc = l->job.rc;
	if (rc == DRG_OK)
		rc = drg_reading_run_adapter(x, l->adapter, hotel_description_write_answer, &a);
	else
		*drg_exchange_err(x) = l->job.err;
	if (!a.lacking) {
		drg_hotel_lookup_done(l);
		return rc;
	}
	drg_exchange_suspend(x, hotel_description_ask);
	drg_contents_read(drg_app_of(x)->contents, l);
	return DRG_HTTP_SUSPENDED;
}

static int hotel_description(struct drg_exchange *x)
{
	struct drg_hotel_lookup *l = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *l);
	if (l == NULL)
		return DRG_ENOMEM;
	l->key_id = drg_exchange_caller(x)->id;
	l->adapter = drg_exchange_int(x, "adapter_id", 0);
	l->hotel = drg_exchange_text(x, "hotel_orig_id");
	l->done = drg_exchange_wake;
	l->ctx = x;
	drg_exchange_set_data(x, l);
	return hotel_description_ask(x);
}

static const struct drg_param hotel_description_params[] = {
	{ .name = "hotel_orig_id",
	  .type = DRG_P_TEXT,
	  .required = true,
	  .max = DRG_CHARS_ID,
	  .doc = "the supplier's hotel" },
	{ .name = "adapter_id", .type = DRG_P_INT, .required = true, .doc = "supplier" },
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_hotel_description[] = {
	{ .method = DRG_GET,
	  .path = "/v1/tour/hotelDescription",
	  .name = "hotelDescription",
	  .handler = hotel_description,
	  .auth = DRG_AUTH_KEY_B,
	  .cors = true,
	  .params = hotel_description_params,
	  .summary = "Show a supplier's hotel and its reference record",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter) },
	{ 0 },
};
