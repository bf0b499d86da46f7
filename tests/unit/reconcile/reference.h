/* tests/unit/reconcile/reference.h
 * An index made of a text: what a line of it means is import's business. */
#pragma once
#include "../importing.h"

#include <math.h>

#include "reconcile/find.h"
#include "text/fold.h"

struct reference {
	struct importing store;
	struct drg_recon_index *x;
};

#define COUNTRY(id, code, name)                                                                              \
	"{\"type\":\"dict\",\"kind\":\"country\",\"id\":" #id ",\"iso_alpha_2\":\"" code                     \
	"\",\"name\":\"" name "\"}\n"
#define CITY(id, country, name)                                                                              \
	"{\"type\":\"dict\",\"kind\":\"city\",\"id\":" #id ",\"country_id\":" #country ",\"name\":\"" name   \
	"\"}\n"
#define CATEGORY "{\"type\":\"dict\",\"kind\":\"hotel_category\",\"id\":5,\"name\":\"5*\"}\n"
/** With what stands behind its name: ,"lat":1,"lng":2 */
#define HOTEL_MORE(id, country, city, name, more)                                                            \
	"{\"type\":\"dict\",\"kind\":\"hotel\",\"id\":" #id ",\"country_id\":" #country                      \
	",\"city_id\":" #city ",\"hotel_category_id\":5,\"name\":\"" name "\"" more "}\n"
#define HOTEL(id, country, city, name) HOTEL_MORE(id, country, city, name, "")
#define PLACES                                                                                               \
	COUNTRY(1, "TR", "Turkey")                                                                           \
	COUNTRY(2, "EG", "Egypt") CITY(10, 1, "Belek") CITY(11, 1, "Side") CITY(20, 2, "Hurghada") CATEGORY

static inline int reference_make(struct reference *r, const atomic_bool *leave)
{
	struct drg_store *s;
	struct drg_clock clock;
	assert_int_equal(drg_store_open(r->store.store_url, DRG_STORE_READ, &s, NULL), DRG_OK);
	int rc = drg_recon_index_make(s, leave, &r->x, &clock, NULL);
	drg_store_close(s);
	return rc;
}

static inline void reference_begin(struct reference *r, const char *ndjson)
{
	*r = (struct reference){ .x = NULL };
	importing_begin(&r->store);
	if (importing_text(&r->store, ndjson, (struct drg_import_options){ 0 }) != DRG_OK)
		fail_msg("%s %s", r->store.err.message, r->store.first_bad);
	assert_int_equal(reference_make(r, NULL), DRG_OK);
}

static inline void reference_end(struct reference *r)
{
	drg_recon_index_free(r->x);
	importing_end(&r->store);
}

/** A question for hotels, of nothing but a name; folded into @p buf. */
static inline struct drg_recon_query question(const char *name, struct drg_buf *buf)
{
	drg_buf_clear(buf);
	drg_fold(drg_str_c(name), DRG_FOLD_PLAIN, buf);
	return (struct drg_recon_query){
		.text = drg_buf_view(buf), .types = 1U << DRG_KIND_HOTEL, .limit = 10, .lat = NAN, .lng = NAN
	};
}

/** One id that was said. */
static inline struct drg_recon_ids only(int64_t id)
{
	return (struct drg_recon_ids){ .given = true, .n = 1, .v = { id } };
}
