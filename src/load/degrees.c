/* Decides which of two coordinates is the latitude: many lists have them as "lng,lat" in one cell, or in
 * columns that were exchanged. One row rarely shows it, since most places fit the globe either way; a whole
 * list does, by values that only one order allows, or by the countries that it names. */
#include <math.h>
#include <string.h>

#include "load/load_priv.h"
#include "load/parts.h"
#include "matching/automap.h"

enum {
	ROWS_READ = 5000, /* a list that comes sorted by country has several by then */
	COUNTRIES_MAX = 400,
	FITS_LEAST = 3, /* slips of single rows do not show an order */
};

struct degrees_row {
	double at[2]; /* as the columns' names say */
	size_t country; /* in the list of countries; COUNTRIES_MAX: unknown */
};

/* The rectangle of the places of a country. */
struct degrees_country {
	struct drg_str text;
	int64_t id;
	double least[2], most[2];
};

struct degrees_reading {
	struct drg_arena arena;
	struct drg_buf rows; /* struct degrees_row */
	struct degrees_country countries[COUNTRIES_MAX];
	size_t n_countries, n, fits[2]; /* rows that fit this order only: straight, exchanged */
	bool any_box;
};

static size_t country_of(struct degrees_reading *x, const struct drg_plan *p, const struct drg_sheet_row *row)
{
	static const enum drg_field fields[] = { DRG_F_COUNTRY_NAME, DRG_F_SRC_COUNTRY_ID };
	struct drg_str text = drg_str("", 0);
	for (size_t i = 0; i < DRG_ARRAY_LEN(fields) && text.n == 0; i++) {
		const struct drg_profile_column *f = drg_profile_column_of(&p->profile, fields[i]);
		const size_t k = f != NULL ? (size_t)(f - p->profile.columns) : 0;
		if (f != NULL && p->part[k] < 0 && p->at[k] < row->n)
			text = row->cells[p->at[k]].text;
	}
	text = text.n > 0 ? text : p->profile.country;
	size_t i = 0;
	while (i < x->n_countries && !drg_str_eq(x->countries[i].text, text))
		i++;
	if (text.n == 0 || i == COUNTRIES_MAX)
		return COUNTRIES_MAX;
	if (i == x->n_countries) {
		x->countries[i] = (struct degrees_country){ .text = drg_arena_str(&x->arena, text),
			                                    .least = { INFINITY, INFINITY },
			                                    .most = { -INFINITY, -INFINITY } };
		x->n_countries += x->countries[i].text.p != NULL;
	}
	return i;
}

static void degrees_take(struct degrees_reading *x, const struct drg_plan *p, const struct drg_sheet_row *row)
{
	struct degrees_row r;
	double other[2];
	const bool straight = drg_convert_degrees(p, row, false, r.at),
	           exchanged = drg_convert_degrees(p, row, true, other);
	if (!straight && !exchanged)
		return;
	x->n++;
	/* "55.3 E, 25.2 N" can be read in one order only. */
	const bool fits = straight && fabs(r.at[0]) <= 90 && fabs(r.at[1]) <= 180,
	           fits_other = exchanged && fabs(other[0]) <= 90 && fabs(other[1]) <= 180;
	x->fits[0] += fits && !fits_other;
	x->fits[1] += fits_other && !fits;
	if (!fits || !fits_other)
		return;
	r.country = country_of(x, p, row);
	if (r.country < COUNTRIES_MAX)
		drg_buf_add(&x->rows, &r, sizeof r);
}

/* Read the file once before it is loaded. What is wrong with it the load reports. */
static void degrees_read(struct degrees_reading *x, const struct drg_plan *p)
{
	const struct drg_sheet_about *a = drg_sheet_about(p->sheet);
	const struct drg_sheet_options o = { .encoding = a->workbook ? NULL : a->encoding,
		                             .sheet = a->workbook ? a->sheet : NULL,
		                             .separator = a->separator,
		                             .quote = a->quote,
		                             .stop = p->stop };
	struct drg_sheet *sheet = NULL;
	struct drg_sheet_row row;
	struct drg_err e;
	int rc = drg_sheet_open(p->path, &o, &sheet, &e);
	for (unsigned n = 0; n < ROWS_READ && rc == DRG_OK; n++) {
		rc = drg_sheet_next(sheet, &row, &e);
		if (rc == DRG_OK && row.line > p->header_line)
			degrees_take(x, p, &row);
	}
	drg_sheet_close(sheet);
}

static enum drg_degrees degrees_decide(const struct degrees_reading *x)
{
	for (unsigned i = 0; i < 2; i++)
		if (x->fits[i] >= FITS_LEAST && x->fits[i] * 10 >= x->n && x->fits[i] >= 9 * x->fits[1 - i])
			return i == 0 ? DRG_DEGREES_STRAIGHT : DRG_DEGREES_EXCHANGED;
	return DRG_DEGREES_UNKNOWN;
}

/* ---- countries ----------------------------------------------------------------------------------------- */

static void box_take(struct degrees_reading *x, const struct drg_record *r)
{
	if (!drg_record_has(r, DRG_F_LAT) || !drg_record_has(r, DRG_F_LNG) ||
	    !drg_record_has(r, DRG_F_COUNTRY_ID))
		return;
	const double at[2] = { r->v[DRG_F_LAT].d, r->v[DRG_F_LNG].d };
	for (size_t i = 0; i < x->n_countries; i++)
		for (unsigned k = 0; k < 2 && x->countries[i].id == r->v[DRG_F_COUNTRY_ID].i; k++) {
			x->countries[i].least[k] = fmin(x->countries[i].least[k], at[k]);
			x->countries[i].most[k] = fmax(x->countries[i].most[k], at[k]);
			x->any_box = true;
		}
}

/* A place may lie a degree beyond those that the reference has. */
static bool degrees_inside(const struct degrees_country *c, double lat, double lng)
{
	return lat >= c->least[0] - 1 && lat <= c->most[0] + 1 && lng >= c->least[1] - 1 &&
	       lng <= c->most[1] + 1;
}

/* Count the rows that lie in their country in one order only. */
static int degrees_ask_countries(struct degrees_reading *x, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_str texts[COUNTRIES_MAX];
	int64_t ids[COUNTRIES_MAX];
	for (size_t i = 0; i < x->n_countries; i++)
		texts[i] = x->countries[i].text;
	int rc = x->n_countries > 0 ? drg_country_find(s, texts, x->n_countries, ids, reterr) : DRG_ENOENT;
	for (size_t i = 0; i < x->n_countries && rc == DRG_OK; i++)
		x->countries[i].id = ids[i];
	for (unsigned k = 0; k < DRG_KIND_COUNT && rc == DRG_OK && !x->any_box; k++) {
		if (!drg_kind_has(DRG_TYPE_DICT, (enum drg_kind)k, DRG_F_LAT))
			continue;
		const struct drg_filter f = { .type = &drg_types[DRG_TYPE_DICT],
			                      .one_kind = true,
			                      .kind = (enum drg_kind)k,
			                      .any_order = true };
		for (drg_rows_scan(&rows, s, &f, reterr); drg_rows_next(&rows);)
			box_take(x, &rows.row.r);
		rc = drg_rows_end(&rows);
	}
	const struct degrees_row *v = (const void *)x->rows.p;
	for (size_t i = 0; i < x->rows.n / sizeof *v && rc == DRG_OK; i++) {
		const struct degrees_country *c = &x->countries[v[i].country];
		const bool fits = degrees_inside(c, v[i].at[0], v[i].at[1]),
		           fits_other = degrees_inside(c, v[i].at[1], v[i].at[0]);
		x->fits[0] += fits && !fits_other;
		x->fits[1] += fits_other && !fits;
	}
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* ---- the plan ------------------------------------------------------------------------------------------ */

/* Did the user say which column is which? In one column for both --map says no order. */
static bool degrees_are_said(const struct drg_plan_wishes *w, bool one_cell)
{
	for (const char *const *m = w->map; m != NULL && *m != NULL && !one_cell; m++)
		if (strncmp(*m, "lat=", 4) == 0 || strncmp(*m, "lng=", 4) == 0)
			return true;
	return false;
}

/* Do the cells say themselves which is which? The first one does. */
static bool degrees_are_points(const struct drg_plan *p, unsigned column)
{
	struct drg_str both[2];
	for (unsigned k = p->next_kept; k < p->n_kept; k++)
		if (column < p->kept[k].n && p->kept[k].cells[column].text.n > 0)
			return drg_cell_point(p->kept[k].cells[column].text, both);
	return false;
}

static void degrees_exchange(struct drg_plan *p, size_t lat, size_t lng)
{
	const unsigned at = p->at[lat];
	const int part = p->part[lat];
	p->at[lat] = p->at[lng];
	p->part[lat] = p->part[lng];
	p->at[lng] = at;
	p->part[lng] = part;
}

int drg_load_order_degrees(struct load_run *l, struct drg_err *reterr)
{
	struct drg_plan *p = &l->plan;
	const struct drg_profile_column *lat = drg_profile_column_of(&p->profile, DRG_F_LAT),
	                                *lng = drg_profile_column_of(&p->profile, DRG_F_LNG);
	struct degrees_reading x = { .n = 0 };
	if (lat == NULL || lng == NULL)
		return DRG_OK;
	const size_t at[2] = { (size_t)(lat - p->profile.columns), (size_t)(lng - p->profile.columns) };
	const bool one_cell = p->at[at[0]] == p->at[at[1]], said = degrees_are_said(&l->o->wishes, one_cell),
	           kept = p->profile.degrees != DRG_DEGREES_UNKNOWN && !p->proposed;
	enum drg_degrees found = DRG_DEGREES_UNKNOWN;
	int rc = DRG_OK;
	drg_arena_init(&x.arena, SIZE_MAX);
	drg_buf_init(&x.rows, SIZE_MAX);
	if (!kept) {
		degrees_read(&x, p);
		found = degrees_decide(&x);
		if (found == DRG_DEGREES_UNKNOWN && x.rows.n > 0) {
			rc = degrees_ask_countries(&x, l->store, reterr);
			found = degrees_decide(&x);
		}
		p->profile.degrees = said ? DRG_DEGREES_STRAIGHT : found;
	}
	const bool doubtful = said && found == DRG_DEGREES_EXCHANGED,
	           exchanged = p->profile.degrees == DRG_DEGREES_EXCHANGED,
	           points = one_cell && degrees_are_points(p, p->at[at[0]]);
	if (rc == DRG_OK && (kept || x.n > 0) && (one_cell || exchanged || doubtful)) {
		/* Two columns named by the list are not worth a line unless their values contradict. */
		const bool lat_first = points     ? exchanged
		                       : one_cell ? (p->part[at[0]] == 0) != exchanged
		                                  : !exchanged;
		p->coordinates = lat_first ? "lat,lng" : "lng,lat";
		p->coordinates_sure = !doubtful && (points || p->profile.degrees != DRG_DEGREES_UNKNOWN);
	}
	if (rc == DRG_OK && exchanged)
		degrees_exchange(p, at[0], at[1]);
	if (rc == DRG_OK && x.rows.rc != DRG_OK)
		rc = drg_fail_memory(reterr);
	drg_buf_done(&x.rows);
	drg_arena_done(&x.arena);
	return rc;
}
