/* tour/hotelCheck: the suppliers' records of one hotel (spec 4.2; decision M14). */
#include "api/tables.h"
#include "query/translate.h"
#include "text/json.h"

static void write_hotel(struct drg_jw *w, const struct drg_adapter *a, struct drg_str id)
{
	drg_jw_object(w);
	drg_jw_key(w, "hotel_orig_id");
	drg_jw_str(w, id);
	drg_jw_key(w, "adapter_id");
	drg_jw_i64(w, a->id);
	drg_jw_key(w, "adapter");
	drg_jw_object(w);
	drg_jw_key(w, "code");
	drg_jw_escaped(w, a->code_esc);
	drg_jw_key(w, "name");
	drg_jw_escaped(w, a->name_esc);
	drg_jw_object_end(w);
	drg_jw_object_end(w);
}

/* Every tour adapter, whatever its stage (R1). */
static int write_hotels(struct drg_jw *w, const struct drg_catalog *cat, drg_handle hotel,
                        struct drg_arena *arena)
{
	struct drg_origs origs = { .arena = arena };
	const struct drg_adapter *a;
	size_t n = drg_catalog_adapters(cat, &a);
	for (; n > 0 && hotel != DRG_NO_HANDLE; n--, a++) {
		if (a->domain != DRG_DOMAIN_TOUR)
			continue;
		if (drg_origs_find(cat, a, DRG_KIND_HOTEL, hotel, &origs) != DRG_OK)
			return DRG_ENOMEM;
		for (size_t i = 0; i < origs.n; i++)
			write_hotel(w, a, origs.v[i].id);
	}
	return DRG_OK;
}

static int hotel_check(struct drg_exchange *x)
{
	struct drg_jw w = { .b = drg_exchange_out(x) };
	const struct drg_catalog *cat;
	drg_read_lock();
	int rc = drg_app_catalog(x, &cat);
	if (rc == DRG_OK) {
		drg_handle hotel = drg_dict_handle(cat, DRG_KIND_HOTEL, drg_exchange_int(x, "hotel", 0));
		drg_buf_lit(w.b, "{\"status\":\"success\",\"data\":");
		drg_jw_array(&w);
		rc = write_hotels(&w, cat, hotel, drg_exchange_arena(x));
		drg_jw_array_end(&w);
		drg_buf_char(w.b, '}');
	}
	drg_read_unlock();
	return rc;
}

static const struct drg_param params[] = {
	{ .name = "hotel", .type = DRG_P_INT, .required = true, .doc = "dict id of the hotel" },
	{ 0 },
};

const struct drg_endpoint drg_hotel_check[] = {
	{ .method = DRG_GET,
	  .path = "/v1/tour/hotelCheck",
	  .handler = hotel_check,
	  .auth = DRG_AUTH_KEY_B,
	  .cors = true,
	  .params = params,
	  .summary = "Which suppliers have a hotel, and under which ids" },
	{ 0 },
};
