/* The records of an index, and their names in every way that people write them. */
#include <math.h>

#include "reconcile/making_priv.h"
#include "text/fold.h"
#include "text/json_scan.h"

/* Names of a record beyond these do not count. */
enum { NAMES_MAX = 200 };

static bool gather_has(const struct drg_recon_making *m, size_t first, struct drg_str text)
{
	const struct drg_recon_name *names = (const struct drg_recon_name *)(const void *)m->names.p;
	for (size_t i = first; i < m->names.n / sizeof *names; i++)
		if (names[i].n == text.n && memcmp(m->texts.p + names[i].text, text.p, text.n) == 0)
			return true;
	return false;
}

/* A name in one way to write it, or a code. */
static void gather_way(struct drg_recon_making *m, struct drg_recon_record *rec, struct drg_str name,
                       enum drg_fold_way way, bool code)
{
	drg_buf_clear(&m->folded);
	drg_fold(name, way, &m->folded);
	struct drg_str text = drg_buf_view(&m->folded);
	if (text.n > DRG_RECON_NAME_MAX)
		text.n = DRG_RECON_NAME_MAX;
	while (text.n > 0 && text.p[text.n - 1] == ' ')
		text.n--;
	if (text.n == 0 || rec->n_names == NAMES_MAX || gather_has(m, rec->names, text))
		return;
	const struct drg_recon_name added = { .text = (uint32_t)m->texts.n,
		                              .n = (uint8_t)text.n,
		                              .code = code };
	drg_buf_str(&m->texts, text);
	drg_buf_char(&m->texts, '\0');
	drg_buf_add(&m->names, &added, sizeof added);
	rec->n_names++;
}

static void gather_name(struct drg_recon_making *m, struct drg_recon_record *rec, struct drg_str name)
{
	for (unsigned way = 0; way < DRG_FOLD_WAYS; way++)
		gather_way(m, rec, name, (enum drg_fold_way)way, false);
}

static void gather_code(struct drg_recon_making *m, struct drg_recon_record *rec, struct drg_str code)
{
	gather_way(m, rec, code, DRG_FOLD_PLAIN, true);
}

static void gather_names(struct drg_recon_making *m, struct drg_recon_record *rec, struct drg_str names)
{
	struct drg_json_item object, value;
	struct drg_json_walk walk;
	struct drg_str lang;
	drg_arena_reset(&m->arena);
	if (drg_json_scan(names, &m->arena, &object, NULL) != DRG_OK || object.type != DRG_JSON_OBJECT)
		return;
	drg_json_walk_init(&walk, &object, &m->arena);
	while (drg_json_walk_next(&walk, &lang, &value) == DRG_OK)
		if (value.type == DRG_JSON_STRING)
			gather_name(m, rec, value.s);
}

static int64_t *gather_country(struct drg_recon_making *m, struct drg_str code)
{
	if (code.n != 2 || code.p[0] < 'A' || code.p[0] > 'Z' || code.p[1] < 'A' || code.p[1] > 'Z')
		return NULL;
	return &m->countries[(code.p[0] - 'A') * 26 + code.p[1] - 'A'];
}

static int gather_end(struct drg_recon_making *m, const struct drg_recon_record *rec)
{
	if (drg_recon_left(m->leave))
		return DRG_ESTOPPED;
	drg_buf_add(&m->records, rec, sizeof *rec);
	int rc = m->records.rc != DRG_OK ? m->records.rc : m->names.rc != DRG_OK ? m->names.rc : m->texts.rc;
	if (rc == DRG_OK && m->texts.n < UINT32_MAX &&
	    m->names.n / sizeof(struct drg_recon_name) < UINT32_MAX)
		return DRG_OK;
	return rc == DRG_ENOMEM ? drg_fail_memory(m->err)
	                        : drg_fail(m->err, DRG_ELIMIT, NULL, NULL,
	                                   "the names of the reference are more than 4 GiB");
}

static struct drg_recon_record gather_begin(const struct drg_recon_making *m, const struct drg_record *r,
                                            unsigned type, int64_t id)
{
	bool located = drg_record_has(r, DRG_F_LAT) && drg_record_has(r, DRG_F_LNG);
	return (struct drg_recon_record){
		.id = id,
		.country = drg_record_i(r, DRG_F_COUNTRY_ID, DRG_RECON_UNKNOWN),
		.city = drg_record_i(r, DRG_F_CITY_ID, DRG_RECON_UNKNOWN),
		.category = drg_record_i(r, DRG_F_HOTEL_CATEGORY_ID, DRG_RECON_UNKNOWN),
		.lat = located ? (float)r->v[DRG_F_LAT].d : NAN,
		.lng = located ? (float)r->v[DRG_F_LNG].d : NAN,
		.names = (uint32_t)(m->names.n / sizeof(struct drg_recon_name)),
		.type = (uint8_t)type,
	};
}

static int gather_dict(void *ctx, const struct drg_record *r, const struct drg_row_meta *meta)
{
	struct drg_recon_making *m = ctx;
	struct drg_recon_record rec = gather_begin(m, r, drg_record_kind(r), r->v[DRG_F_ID].i);
	(void)meta;
	gather_names(m, &rec, drg_record_s(r, DRG_F_NAMES));
	struct drg_str alpha_2 = drg_record_s(r, DRG_F_ISO_ALPHA_2);
	gather_code(m, &rec, alpha_2);
	gather_code(m, &rec, drg_record_s(r, DRG_F_ISO_CODE));
	int64_t *country = gather_country(m, alpha_2);
	if (country != NULL)
		*country = rec.id;
	return gather_end(m, &rec);
}

static int gather_air(void *ctx, const struct drg_record *r, const struct drg_row_meta *meta)
{
	struct drg_recon_making *m = ctx;
	bool airport = drg_record_i(r, DRG_F_PLACE, DRG_PLACE_CITY) != DRG_PLACE_CITY;
	struct drg_recon_record rec =
	        gather_begin(m, r, airport ? DRG_RECON_AIRPORT : DRG_RECON_AIR_CITY, r->v[DRG_F_PLACE_ID].i);
	(void)meta;
	gather_names(m, &rec, drg_record_s(r, DRG_F_NAMES));
	gather_code(m, &rec, drg_record_s(r, DRG_F_CODE));
	gather_code(m, &rec, drg_record_s(r, DRG_F_ICAO_CODE));
	const int64_t *country = gather_country(m, drg_record_s(r, DRG_F_COUNTRY_CODE));
	rec.country = country != NULL ? *country : DRG_RECON_UNKNOWN;
	rec.city = rec.category = DRG_RECON_UNKNOWN;
	return gather_end(m, &rec);
}

/* Countries come before the air places, which are in them by their code. */
int drg_recon_gather(struct drg_recon_making *m, struct drg_store *s, struct drg_clock *ret_clock)
{
	const struct drg_filter dicts = { .type = &drg_types[DRG_TYPE_DICT], .any_order = true };
	const struct drg_filter air = { .type = &drg_types[DRG_TYPE_AIR_PLACE], .any_order = true };
	for (size_t i = 0; i < DRG_ARRAY_LEN(m->countries); i++)
		m->countries[i] = DRG_RECON_UNKNOWN;
	int rc = drg_store_hold(s, ret_clock, m->err);
	if (rc != DRG_OK)
		return rc;
	rc = drg_store_scan(s, &dicts, gather_dict, m, NULL, m->err);
	if (rc == DRG_OK)
		rc = drg_store_scan(s, &air, gather_air, m, NULL, m->err);
	drg_store_release(s);
	return rc;
}
