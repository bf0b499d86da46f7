/* tour/hotelCheck: the suppliers' records of one hotel (spec 4.2; decision M14). */
#include "api/reading.h"
#include "api/tables.h"

static void hotel_check_write_hotel(struct drg_jw *w, const struct drg_adapter *a, struct drg_str id)
{
	drg_jw_object(w);
	drg_jw_member_str(w, "hotel_orig_id", id);
	drg_jw_member_i64(w, "adapter_id", a->id);
	drg_jw_member_object(w, "adapter");
	drg_adapter_words(w, a, "name");
	drg_jw_object_end(w);
	drg_jw_object_end(w);
}

/* Every tour adapter, whatever its stage (R1). */
static int write_hotels(struct drg_reading *r, drg_handle hotel)
{
	struct drg_origs origs = { .arena = drg_exchange_arena(r->x) };
	const struct drg_adapter *a;
	size_t n = drg_catalog_adapters(r->cat, &a);
	for (; n > 0 && hotel != DRG_NO_HANDLE; n--, a++) {
		if (a->domain != DRG_DOMAIN_TOUR || !drg_api_can_read(r->x, a->id))
			continue;
		if (drg_origs_find(r->cat, a, DRG_KIND_HOTEL, hotel, &origs) != DRG_OK)
			return DRG_ENOMEM;
		for (size_t i = 0; i < origs.n; i++)
			hotel_check_write_hotel(&r->w, a, origs.v[i].id);
	}
	return DRG_OK;
}

static int hotel_check_write_answer(struct drg_reading *r, void *ctx)
{
	(void)ctx;
	drg_data_begin(&r->w);
	drg_jw_array(&r->w);
	int rc = write_hotels(r, drg_dict_handle(r->cat, DRG_KIND_HOTEL, drg_exchange_int(r->x, "hotel", 0)));
	drg_jw_array_end(&r->w);
	drg_data_end(&r->w);
	return rc;
}

static int hotel_check(struct drg_exchange *x)
{
	return drg_reading_run(x, hotel_check_write_answer, NULL);
}

static const struct drg_param hotel_check_params[] = {
	{ .name = "hotel", .type = DRG_P_INT, .required = true, .doc = "dict id of the hotel" },
	{ 0 },
};

const struct drg_endpoint drg_hotel_check[] = {
	{ .method = DRG_GET,
	  .path = "/v1/tour/hotelCheck",
	  .name = "hotelCheck",
	  .handler = hotel_check,
	  .auth = DRG_AUTH_KEY_B,
	  .cors = true,
	  .params = hotel_check_params,
	  .summary = "Which suppliers have a hotel, and under which ids" },
	{ 0 },
};
