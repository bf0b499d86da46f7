#include "names/duplicates.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "store/coverage.h"
#include "text/fold.h"

/* NEIGHBOURS: each record is compared with so many that follow it in the order of latitude. More need not be:
 * records at one point form a chain. */
enum { NEIGHBOURS = 64, SUPPLIERS_MAX = 24 };

/* One of several records with the same name. */
struct namesake {
	const struct drg_named *named;
	uint32_t at; /* number of the record, see named_at() */
	int64_t place; /* city or country; DRG_NAMED_UNKNOWN */
};

/* A record of a cluster, and the suppliers that have records mapped to it. */
struct cluster_member {
	uint32_t root, at;
	int64_t id;
	unsigned records, n_suppliers;
	int64_t suppliers[SUPPLIERS_MAX];
};

struct duplicating {
	struct drg_duplicates *d;
	struct drg_store *s;
	const struct drg_name_part *base, *fresh;
	uint32_t n_records; /* of both parts */
	uint32_t *parent; /* a tree for each cluster: parent of each record; a root is its own parent */
	struct drg_buf same; /* struct namesake */
	struct drg_buf members; /* struct cluster_member */
	struct drg_buf found; /* struct drg_duplicate */
	bool by_scan; /* clusters have so many records that all sources are read instead of looked up */
	struct drg_buf owners; /* struct owner, sorted */
	struct drg_err *err;
};

/* Records are numbered through: those of the base, then those that were changed since. */
static const struct drg_named *named_at(const struct duplicating *x, uint32_t at)
{
	return at < x->base->n_records ? &x->base->records[at] : &x->fresh->records[at - x->base->n_records];
}

/* ---- joining records into clusters --------------------------------------------------------------------- */

static uint32_t duplicate_root(struct duplicating *x, uint32_t at)
{
	while (x->parent[at] != at) {
		x->parent[at] = x->parent[x->parent[at]];
		at = x->parent[at];
	}
	return at;
}

static void duplicate_join(struct duplicating *x, const struct namesake *a, const struct namesake *b)
{
	uint32_t p = duplicate_root(x, a->at), q = duplicate_root(x, b->at);
	x->parent[p < q ? q : p] = p < q ? p : q;
}

static bool is_placed(const struct drg_named *n)
{
	return !isnan(n->lat);
}

/* The largest distance between records of a kind that may be one; 0: records of this kind have no place. */
static double near_metres(enum drg_kind kind)
{
	switch (drg_kind_compared(kind)) {
	case DRG_COMPARED_HOTELS: return 1000;
	case DRG_COMPARED_PLACES: return 20000;
	default: return 0;
	}
}

enum { METRES_OF_A_DEGREE = 111195 };

/* The distance on a plane, which is exact enough for some kilometres. */
static double metres_between(const struct drg_named *a, const struct drg_named *b)
{
	double lat = (double)a->lat - (double)b->lat, lng = fabs((double)a->lng - (double)b->lng);
	if (lng > 180)
		lng = 360 - lng;
	lng *= cos(((double)a->lat + (double)b->lat) / 2 * M_PI / 180);
	return sqrt(lat * lat + lng * lng) * METRES_OF_A_DEGREE;
}

/* The city of a hotel, the country of any other record. */
static int64_t where_it_is(const struct drg_named *n)
{
	return drg_kind_compared(n->kind) == DRG_COMPARED_HOTELS ? n->city : n->country;
}

bool drg_named_near(const struct drg_named *a, const struct drg_named *b)
{
	const double metres = near_metres((enum drg_kind)a->kind);
	const int64_t of_a = where_it_is(a), of_b = where_it_is(b);
	return a->kind == b->kind && (metres <= 0 || (of_a != DRG_NAMED_UNKNOWN && of_a == of_b) ||
	                              (is_placed(a) && is_placed(b) && metres_between(a, b) <= metres));
}

double drg_named_metres(const struct drg_named *a, const struct drg_named *b)
{
	return is_placed(a) && is_placed(b) ? metres_between(a, b) : -1;
}

/* ---- records with one name ----------------------------------------------------------------------------- */

/* Records without coordinates come last. */
static int by_latitude(const void *pa, const void *pb)
{
	const struct namesake *a = pa, *b = pb;
	if (is_placed(a->named) != is_placed(b->named))
		return is_placed(a->named) ? -1 : 1;
	if (is_placed(a->named) && a->named->lat != b->named->lat)
		return a->named->lat < b->named->lat ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static int by_place(const void *pa, const void *pb)
{
	const struct namesake *a = pa, *b = pb;
	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return by_latitude(a, b);
}

static void join_near(struct duplicating *x, struct namesake *v, size_t n, double metres)
{
	qsort(v, n, sizeof *v, by_latitude);
	for (size_t i = 0; i < n && is_placed(v[i].named); i++)
		for (size_t k = i + 1; k < n && k <= i + NEIGHBOURS && is_placed(v[k].named); k++) {
			if ((double)(v[k].named->lat - v[i].named->lat) * METRES_OF_A_DEGREE > metres)
				break;
			if (metres_between(v[i].named, v[k].named) <= metres)
				duplicate_join(x, &v[i], &v[k]);
		}
}

/* Join a record without coordinates with the first record of the same city or country; if @p everywhere, join
 * all records there. */
static void join_of_a_place(struct duplicating *x, struct namesake *v, size_t n, bool everywhere)
{
	size_t first = 0;
	qsort(v, n, sizeof *v, by_place);
	for (size_t i = 1; i < n; i++) {
		if (v[i].place != v[first].place)
			first = i;
		else if (everywhere || (v[i].place != DRG_NAMED_UNKNOWN && !is_placed(v[i].named)))
			duplicate_join(x, &v[first], &v[i]);
	}
}

static void join_namesakes(struct duplicating *x, struct namesake *v, size_t n)
{
	double metres = near_metres((enum drg_kind)v[0].named->kind);
	if (metres > 0)
		join_near(x, v, n, metres);
	join_of_a_place(x, v, n, metres <= 0);
}

static int duplicates_by_kind(const void *pa, const void *pb)
{
	const struct namesake *a = pa, *b = pb;
	if (a->named->kind != b->named->kind)
		return a->named->kind < b->named->kind ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static void duplicates_of_name(struct duplicating *x)
{
	struct namesake *v = (struct namesake *)(void *)x->same.p;
	size_t n = x->same.n / sizeof *v, to;
	qsort(v, n, sizeof *v, duplicates_by_kind);
	for (size_t from = 0; from < n; from = to) {
		for (to = from + 1; to < n && v[to].named->kind == v[from].named->kind;)
			to++;
		if (to - from > 1)
			join_namesakes(x, v + from, to - from);
	}
}

static bool duplicates_wants(const struct drg_duplicates *d, const struct drg_named *n)
{
	return (!d->one_kind || n->kind == (uint32_t)d->kind) &&
	       (d->country == 0 || n->country == d->country);
}

/* A damaged file gives an empty name. */
static const char *text_of_entry(const struct drg_name_part *p, size_t at)
{
	return p->names[at].text < p->n_texts ? p->texts + p->names[at].text : "";
}

static void add_namesake(struct duplicating *x, uint32_t at)
{
	const struct drg_named *named = named_at(x, at);
	const struct namesake s = { named, at, where_it_is(named) };
	if (named->kind < DRG_KIND_COUNT && duplicates_wants(x->d, named) &&
	    (at >= x->base->n_records || !drg_name_index_changed(x->d->names, named)))
		drg_buf_add(&x->same, &s, sizeof s);
}

/* Add the records of a part that have this name. @param first  Number of its first record. @param from  Its
 * first name that is not before @p text; afterwards the first one behind. */
static void add_namesakes(struct duplicating *x, const struct drg_name_part *p, const char *text,
                          uint32_t first, size_t *from)
{
	for (; *from < p->n_names && strcmp(text_of_entry(p, *from), text) == 0; ++*from)
		if (p->names[*from].text < p->n_texts && p->names[*from].record < p->n_records)
			add_namesake(x, first + p->names[*from].record);
}

/* Join records for every name that several have. */
static int duplicates_join(struct duplicating *x)
{
	const struct drg_name_part *base = x->base, *fresh = x->fresh;
	for (size_t b = 0, f = 0; b < base->n_names || f < fresh->n_names;) {
		bool of_base =
		        f == fresh->n_names ||
		        (b < base->n_names && strcmp(text_of_entry(base, b), text_of_entry(fresh, f)) <= 0);
		const char *text = of_base ? text_of_entry(base, b) : text_of_entry(fresh, f);
		drg_buf_clear(&x->same);
		add_namesakes(x, base, text, 0, &b);
		add_namesakes(x, fresh, text, (uint32_t)base->n_records, &f);
		if (x->same.rc != DRG_OK)
			return drg_fail_memory(x->err);
		if (x->same.n > sizeof(struct namesake))
			duplicates_of_name(x);
	}
	return DRG_OK;
}

/* ---- clusters ------------------------------------------------------------------------------------------ */

static void member_count(struct cluster_member *member, const struct drg_record *r)
{
	int64_t adapter = r->v[DRG_F_ADAPTER_ID].i;
	if (member->records == DRG_DUPLICATE_RECORDS)
		return;
	member->records++;
	for (unsigned i = 0; i < member->n_suppliers; i++)
		if (member->suppliers[i] == adapter)
			return;
	if (member->n_suppliers < SUPPLIERS_MAX)
		member->suppliers[member->n_suppliers++] = adapter;
}

static int add_member(struct duplicating *x, uint32_t at)
{
	struct drg_rows rows;
	const struct drg_named *n = named_at(x, at);
	struct cluster_member m = { .root = duplicate_root(x, at), .at = at, .id = n->id };
	int rc = DRG_OK;
	if (!x->by_scan) {
		drg_rows_mapped(&rows, x->s, (enum drg_kind)n->kind, n->id, DRG_DUPLICATE_RECORDS, x->err);
		while (drg_rows_next(&rows))
			member_count(&m, &rows.row.r);
		rc = drg_rows_end(&rows);
	}
	drg_buf_add(&x->members, &m, sizeof m);
	return rc != DRG_OK || x->members.rc == DRG_OK ? rc : drg_fail_memory(x->err);
}

/* Sort by cluster. First in a cluster is the record with the most suppliers' records, else the one with the
 * least id. */
static int by_cluster(const void *pa, const void *pb)
{
	const struct cluster_member *a = pa, *b = pb;
	if (a->root != b->root)
		return a->root < b->root ? -1 : 1;
	if (a->records != b->records)
		return a->records > b->records ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* ---- counting suppliers' records of many clusters ------------------------------------------------------ */

/* A member of a cluster, found by the kind and id to which sources are mapped. */
struct owner {
	int64_t id;
	uint32_t kind, member;
};

static int by_owner(const void *pa, const void *pb)
{
	const struct owner *a = pa, *b = pb;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

static int scan_sources(struct duplicating *x)
{
	struct drg_rows rows;
	const struct drg_filter all = { .type = &drg_types[DRG_TYPE_SOURCE], .any_order = true };
	struct cluster_member *v = (struct cluster_member *)(void *)x->members.p;
	for (size_t i = 0; i < x->members.n / sizeof *v; i++) {
		const struct drg_named *n = named_at(x, v[i].at);
		const struct owner o = { n->id, n->kind, (uint32_t)i };
		drg_buf_add(&x->owners, &o, sizeof o);
	}
	if (x->owners.rc != DRG_OK)
		return drg_fail_memory(x->err);
	if (x->owners.n == 0)
		return DRG_OK;
	qsort(x->owners.p, x->owners.n / sizeof(struct owner), sizeof(struct owner), by_owner);
	for (drg_rows_scan(&rows, x->s, &all, x->err); drg_rows_next(&rows);) {
		const struct drg_record *r = &rows.row.r;
		const struct owner key = { .id = drg_record_i(r, DRG_F_DICT_ID, 0),
			                   .kind = (uint32_t)drg_record_kind(r) };
		if (!drg_record_has(r, DRG_F_DICT_ID))
			continue;
		const struct owner *o =
		        bsearch(&key, x->owners.p, x->owners.n / sizeof key, sizeof key, by_owner);
		if (o != NULL)
			member_count(&v[o->member], r);
	}
	return drg_rows_end(&rows);
}

static int add_sources(void *ctx, const struct drg_coverage *c)
{
	*(int64_t *)ctx += c->records;
	return DRG_OK;
}

/* Are there so many records that reading all sources is faster? Looking up one record takes as long as
 * reading some twenty. */
static int choose_scan(struct duplicating *x)
{
	enum { A_LOOK_UP = 20 };
	int64_t sources = 0, members = 0;
	for (uint32_t i = 0; i < x->n_records; i++)
		members += x->parent[i] != i;
	int rc = drg_store_coverage(x->s, INT64_MAX, add_sources, &sources, x->err);
	x->by_scan = sources / A_LOOK_UP < members;
	return rc;
}

static int gather_members(struct duplicating *x)
{
	int rc = DRG_OK;
	uint32_t n = x->n_records;
	bool *in = calloc(n + (size_t)1, sizeof *in);
	if (in == NULL)
		return drg_fail_memory(x->err);
	for (uint32_t i = 0; i < n; i++)
		if (x->parent[i] != i)
			in[i] = in[duplicate_root(x, i)] = true;
	for (uint32_t i = 0; i < n && rc == DRG_OK; i++)
		if (in[i])
			rc = add_member(x, i);
	free(in);
	if (rc == DRG_OK && x->by_scan)
		rc = scan_sources(x);
	if (rc == DRG_OK && x->members.n > 0)
		qsort(x->members.p, x->members.n / sizeof(struct cluster_member),
		      sizeof(struct cluster_member), by_cluster);
	return rc;
}

static unsigned shared_suppliers(const struct cluster_member *a, const struct cluster_member *b)
{
	unsigned n = 0;
	for (unsigned i = 0; i < a->n_suppliers; i++)
		for (unsigned k = 0; k < b->n_suppliers; k++)
			n += a->suppliers[i] == b->suppliers[k];
	return n;
}

static void add_duplicate(struct duplicating *x, const struct cluster_member *best,
                          const struct cluster_member *m)
{
	const struct drg_named *a = named_at(x, m->at), *b = named_at(x, best->at);
	const struct drg_duplicate d = { .kind = (enum drg_kind)a->kind,
		                         .id = a->id,
		                         .into = b->id,
		                         .metres = drg_named_metres(a, b),
		                         .records = m->records,
		                         .into_records = best->records,
		                         .shared = shared_suppliers(best, m) };
	drg_buf_add(&x->found, &d, sizeof d);
}

static int by_badness(const void *pa, const void *pb)
{
	const struct drg_duplicate *a = pa, *b = pb;
	if (a->records != b->records)
		return a->records > b->records ? -1 : 1;
	if (a->into_records != b->into_records)
		return a->into_records > b->into_records ? -1 : 1;
	if (a->metres != b->metres)
		return a->metres < b->metres ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

static int rank_duplicates(struct duplicating *x)
{
	const struct cluster_member *v = (const struct cluster_member *)(const void *)x->members.p;
	size_t n = x->members.n / sizeof *v, best = 0;
	for (size_t i = 1; i < n; i++) {
		if (v[i].root != v[best].root)
			best = i;
		else
			add_duplicate(x, &v[best], &v[i]);
	}
	if (x->found.rc != DRG_OK)
		return drg_fail_memory(x->err);
	x->d->found = x->found.n / sizeof(struct drg_duplicate);
	if (x->d->found > 0)
		qsort(x->found.p, x->d->found, sizeof(struct drg_duplicate), by_badness);
	return DRG_OK;
}

/* ---- the result ---------------------------------------------------------------------------------------- */

static int duplicates_find(struct duplicating *x)
{
	x->parent = malloc((x->n_records + (size_t)1) * sizeof *x->parent);
	if (x->parent == NULL)
		return drg_fail_memory(x->err);
	for (uint32_t i = 0; i < x->n_records; i++)
		x->parent[i] = i;
	int rc = duplicates_join(x);
	if (rc == DRG_OK)
		rc = choose_scan(x);
	if (rc == DRG_OK)
		rc = gather_members(x);
	return rc == DRG_OK ? rank_duplicates(x) : rc;
}

/* ---- what has a name near a place ---------------------------------------------------------------------- */

struct namesake_search {
	const struct drg_name_index *names;
	const struct drg_name_part *part;
	bool is_base;
	const struct drg_named *place, *last; /* last: names of one record can fold to the same */
	drg_named_fn *fn;
	void *ctx;
};

static int namesakes_take(void *ctx, enum drg_name_fit fit, const struct drg_name_entry *e)
{
	struct namesake_search *x = ctx;
	const struct drg_named *named = &x->part->records[e->record];
	if (fit != DRG_NAME_EXACT)
		return DRG_ENOENT; /* equal names come first */
	if (named == x->last || (x->is_base && drg_name_index_changed(x->names, named)) ||
	    !drg_named_near(x->place, named))
		return DRG_OK;
	x->last = named;
	return x->fn(x->ctx, named);
}

int drg_namesakes_each(const struct drg_name_index *names, struct drg_str name, const struct drg_named *place,
                       drg_named_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct namesake_search x = { .names = names, .place = place, .fn = fn, .ctx = ctx };
	struct drg_buf folded;
	int rc = DRG_OK;
	drg_buf_init(&folded, SIZE_MAX);
	drg_fold(name, DRG_FOLD_PLAIN, &folded);
	if (folded.rc != DRG_OK)
		rc = drg_fail_memory(reterr);
	for (unsigned i = 0; i < 2 && rc == DRG_OK && folded.n > 0; i++) {
		x.is_base = i == 0;
		x.part = x.is_base ? drg_name_index_base(names) : drg_name_index_fresh(names);
		rc = drg_name_part_find(x.part, drg_buf_view(&folded), namesakes_take, &x);
		rc = rc == DRG_ENOENT ? DRG_OK : rc;
	}
	drg_buf_done(&folded);
	return rc;
}

int drg_duplicates_each(struct drg_store *s, struct drg_duplicates *d, drg_duplicate_fn *fn, void *ctx,
                        struct drg_err *reterr)
{
	struct duplicating x = { .d = d,
		                 .s = s,
		                 .base = drg_name_index_base(d->names),
		                 .fresh = drg_name_index_fresh(d->names),
		                 .err = reterr };
	x.n_records = (uint32_t)(x.base->n_records + x.fresh->n_records);
	drg_buf_init(&x.same, SIZE_MAX);
	drg_buf_init(&x.members, SIZE_MAX);
	drg_buf_init(&x.found, SIZE_MAX);
	drg_buf_init(&x.owners, SIZE_MAX);
	int rc = duplicates_find(&x);
	const struct drg_duplicate *v = (const struct drg_duplicate *)(const void *)x.found.p;
	for (uint64_t i = 0; rc == DRG_OK && i < d->found && (d->limit == 0 || i < d->limit); i++)
		rc = fn(ctx, &v[i]);
	free(x.parent);
	drg_buf_done(&x.same);
	drg_buf_done(&x.members);
	drg_buf_done(&x.found);
	drg_buf_done(&x.owners);
	return rc;
}
