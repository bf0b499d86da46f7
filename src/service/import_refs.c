#include "service/import_refs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* What is kept in memory. Of missing ids and marked records more are found at the next look. */
enum {
	CHUNK_ENTRIES = 1 << 20,
	HOLD_ENTRIES = 1 << 16,
	MAX_MISSING = 1 << 20,
	MAX_MARKED = 10000,
	MAX_GONE = 1 << 20
};

/* With so few removals their referrers are asked for one by one; with more, the store is read through once. */
enum { FEW_GONE = 32 };

/* An id that is needed and not there. */
struct missing {
	struct drg_ident ident;
	bool removed; /* by this import */
};

/* A record of the import that is at fault itself, whatever it refers to. */
struct marked {
	uint64_t at;
	struct drg_err fault;
};

/* Something that this import removes and that others can refer to. */
struct gone {
	struct drg_ident ident;
	uint64_t at;
};

/* A stored record that refers to something removed. */
struct holder {
	uint64_t at; /* who removes it */
	char label[88];
};

struct drg_refs {
	char *dir;
	struct drg_store *store;
	struct drg_spool *spool;
	struct drg_refset *set;
	struct drg_claims *claims;
	struct drg_refset *holds; /* made when needed, as holders */
	struct drg_tempfile *holders; /* struct holder */
	struct drg_buf missing; /* struct missing, by ident */
	struct drg_buf marked; /* struct marked, by place once the check is over */
	struct drg_buf gone; /* struct gone, by ident */
};

static size_t count(const struct drg_buf *b, size_t size)
{
	return b->n / size;
}

static int no_memory(struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "out of memory");
}

static int append(struct drg_buf *b, const void *p, size_t n, struct drg_err *reterr)
{
	drg_buf_add(b, p, n);
	return b->rc == DRG_OK ? DRG_OK : no_memory(reterr);
}

int drg_refs_new(const char *dir, struct drg_store *store, struct drg_spool *spool, struct drg_refs **ret,
                 struct drg_err *reterr)
{
	struct drg_refs *f = calloc(1, sizeof *f);
	if (f == NULL)
		return no_memory(reterr);
	f->store = store;
	f->spool = spool;
	drg_buf_init(&f->missing, SIZE_MAX);
	drg_buf_init(&f->marked, SIZE_MAX);
	drg_buf_init(&f->gone, SIZE_MAX);
	f->dir = strdup(dir);
	int rc = f->dir != NULL ? drg_refset_new(dir, CHUNK_ENTRIES, &f->set, reterr) : no_memory(reterr);
	if (rc == DRG_OK)
		rc = drg_claims_new(&f->claims, reterr);
	if (rc == DRG_OK)
		*ret = f;
	else
		drg_refs_free(f);
	return rc;
}

static void forget_holders(struct drg_refs *f)
{
	drg_refset_free(f->holds);
	drg_tempfile_close(f->holders);
	f->holds = NULL;
	f->holders = NULL;
}

void drg_refs_free(struct drg_refs *f)
{
	if (f == NULL)
		return;
	forget_holders(f);
	drg_refset_free(f->set);
	drg_claims_free(f->claims);
	drg_buf_done(&f->missing);
	drg_buf_done(&f->marked);
	drg_buf_done(&f->gone);
	free(f->dir);
	free(f);
}

int drg_refs_clear(struct drg_refs *f, struct drg_err *reterr)
{
	struct drg_refset *fresh;
	int rc = drg_refset_new(f->dir, CHUNK_ENTRIES, &fresh, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_refset_free(f->set);
	f->set = fresh;
	forget_holders(f);
	drg_claims_clear(f->claims);
	drg_buf_clear(&f->missing);
	drg_buf_clear(&f->marked);
	drg_buf_clear(&f->gone);
	return DRG_OK;
}

/* ---- gathering ------------------------------------------------------------------------------------------- */

void drg_gathered_init(struct drg_gathered *g)
{
	drg_buf_init(&g->entries, SIZE_MAX);
	drg_buf_init(&g->claims, SIZE_MAX);
}

void drg_gathered_done(struct drg_gathered *g)
{
	drg_buf_done(&g->entries);
	drg_buf_done(&g->claims);
}

void drg_gathered_clear(struct drg_gathered *g)
{
	drg_buf_clear(&g->entries);
	drg_buf_clear(&g->claims);
}

void drg_gather(struct drg_gathered *g, struct drg_ident_cache *cache, const struct drg_record *r,
                uint64_t at)
{
	drg_ident_entries(r, at, cache, &g->entries);
	drg_claims_of(r, at, &g->claims);
}

int drg_refs_add(struct drg_refs *f, struct drg_gathered *g, uint64_t base, struct drg_err *reterr)
{
	struct drg_refset_entry *entries = (struct drg_refset_entry *)g->entries.p;
	struct drg_claim *claims = (struct drg_claim *)g->claims.p;
	if (g->entries.rc != DRG_OK || g->claims.rc != DRG_OK)
		return no_memory(reterr);
	for (size_t i = 0; i < count(&g->entries, sizeof *entries); i++)
		entries[i].tag += base;
	int rc = drg_refset_add(f->set, entries, count(&g->entries, sizeof *entries), reterr);
	for (size_t i = 0; i < count(&g->claims, sizeof *claims) && rc == DRG_OK; i++) {
		claims[i].at += base;
		rc = drg_claims_add(f->claims, &claims[i], reterr);
	}
	return rc;
}

/* ---- first reading: what is needed, what is removed ------------------------------------------------------- */

/* The entries of one ident, as they come. */
struct group {
	struct drg_refs *f;
	bool any;
	struct drg_ident ident;
	bool defined, removed;
	uint64_t defined_at, removed_at; /* the last of each */
	bool looked_up; /* the store was asked for it */
	bool held; /* second reading: a fault was noted */
};

static bool ends_removed(const struct group *g)
{
	return g->removed && (!g->defined || g->removed_at > g->defined_at);
}

/* The supplier hotel that a reference names: its ident is a hash, its name is in the record that refers to it. */
struct naming {
	struct drg_ident wanted;
	struct drg_store *store;
	int rc; /* DRG_ENOENT until it was found to exist */
	struct drg_err *err;
};

static void find_hotel(void *ctx, int ref, int64_t id, struct drg_str text, const char *field)
{
	(void)field;
	struct naming *n = ctx;
	if (n->rc != DRG_ENOENT || !drg_ident_eq(drg_ident_of_ref(ref, id, text), n->wanted))
		return;
	struct drg_record key;
	drg_record_init(&key, &drg_types[DRG_TYPE_SOURCE]);
	drg_record_set_i(&key, DRG_F_ADAPTER_ID, id);
	drg_record_set_i(&key, DRG_F_KIND, DRG_KIND_HOTEL);
	drg_record_set_s(&key, DRG_F_SOURCE_ID, text);
	n->rc = drg_store_exists(n->store, &key, n->err);
}

static int find_named(void *ctx, const struct drg_spooled *r, struct drg_err *reterr)
{
	struct naming *n = ctx;
	n->err = reterr;
	drg_record_refs(&r->record, find_hotel, n);
	return n->rc;
}

/* DRG_OK, DRG_ENOENT, or an error. @param at  A record that refers to it. */
static int stored(struct drg_refs *f, struct drg_ident ident, uint64_t at, struct drg_err *reterr)
{
	struct drg_record key;
	if (f->store == NULL)
		return DRG_ENOENT;
	if (drg_ident_record(ident, &key))
		return drg_store_exists(f->store, &key, reterr);
	struct naming n = { .wanted = ident, .store = f->store, .rc = DRG_ENOENT };
	return drg_spool_get(f->spool, at, find_named, &n, reterr);
}

static int on_need(struct group *g, uint64_t at, struct drg_err *reterr)
{
	struct drg_refs *f = g->f;
	if (g->looked_up || (g->defined && !ends_removed(g)))
		return DRG_OK;
	g->looked_up = true;
	int rc = g->removed ? DRG_ENOENT : stored(f, g->ident, at, reterr);
	if (rc != DRG_ENOENT || count(&f->missing, sizeof(struct missing)) == MAX_MISSING)
		return rc == DRG_ENOENT ? DRG_OK : rc;
	const struct missing m = { g->ident, g->removed };
	return append(&f->missing, &m, sizeof m, reterr);
}

static int note_holder(struct drg_refs *f, const struct drg_record *holder, uint64_t removed_at,
                       struct drg_err *reterr)
{
	int rc = DRG_OK;
	if (f->holds == NULL)
		rc = drg_refset_new(f->dir, HOLD_ENTRIES, &f->holds, reterr);
	if (rc == DRG_OK && f->holders == NULL)
		rc = drg_tempfile_open(f->dir, &f->holders, reterr);
	if (rc != DRG_OK)
		return rc;
	struct holder h = { .at = removed_at };
	drg_record_label(holder, h.label, sizeof h.label);
	struct drg_refset_entry e =
	        drg_entry(drg_ident_of(holder), DRG_ROLE_HOLD, drg_tempfile_size(f->holders));
	rc = drg_tempfile_add(f->holders, &h, sizeof h, reterr);
	return rc == DRG_OK ? drg_refset_add(f->holds, &e, 1, reterr) : rc;
}

/* Of what is known by a hash only supplier hotels are referred to, and only by their content. */
static int on_removed_source(void *ctx, const struct drg_spooled *r, struct drg_err *reterr)
{
	struct drg_refs *f = ctx;
	if (r->record.type->id != DRG_TYPE_SOURCE || drg_record_kind(&r->record) != DRG_KIND_HOTEL)
		return DRG_OK;
	struct drg_record key;
	drg_record_init(&key, &drg_types[DRG_TYPE_HOTEL_CONTENT]);
	drg_record_set_i(&key, DRG_F_ADAPTER_ID, r->record.v[DRG_F_ADAPTER_ID].i);
	drg_record_set_s(&key, DRG_F_HOTEL_ID, r->record.v[DRG_F_SOURCE_ID].s);
	int rc = drg_store_exists(f->store, &key, reterr);
	if (rc == DRG_OK)
		return note_holder(f, &key, r->at, reterr);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int end_group(struct group *g, struct drg_err *reterr)
{
	struct drg_refs *f = g->f;
	struct drg_record key;
	if (!g->any || !ends_removed(g) || f->store == NULL)
		return DRG_OK;
	if (!drg_ident_record(g->ident, &key))
		return drg_spool_get(f->spool, g->removed_at, on_removed_source, f, reterr);
	if (count(&f->gone, sizeof(struct gone)) == MAX_GONE)
		return drg_fail(reterr, DRG_ELIMIT, NULL, NULL,
		                "an import can remove %d adapters, dict records and air places: split it",
		                MAX_GONE);
	const struct gone gone = { g->ident, g->removed_at };
	return append(&f->gone, &gone, sizeof gone, reterr);
}

static void begin_group(struct group *g, struct drg_ident ident)
{
	*g = (struct group){ .f = g->f, .any = true, .ident = ident };
}

static void on_definition(struct group *g, const struct drg_refset_entry *e)
{
	if (drg_entry_role(e) == DRG_ROLE_REMOVE) {
		g->removed = true;
		g->removed_at = drg_entry_at(e);
	} else if (!g->defined || drg_entry_at(e) > g->defined_at) {
		g->defined = true;
		g->defined_at = drg_entry_at(e);
	}
}

static int first_reading(void *ctx, const struct drg_refset_entry *e, struct drg_err *reterr)
{
	struct group *g = ctx;
	if (!g->any || !drg_ident_eq(g->ident, drg_entry_ident(e))) {
		int rc = end_group(g, reterr);
		if (rc != DRG_OK)
			return rc;
		begin_group(g, drg_entry_ident(e));
	}
	if (drg_entry_role(e) == DRG_ROLE_NEED)
		return on_need(g, drg_entry_at(e), reterr);
	on_definition(g, e);
	return DRG_OK;
}

/* ---- who still refers to what is removed ------------------------------------------------------------------ */

static int by_ident(const void *pa, const void *pb)
{
	/* struct missing and struct gone both begin with it. */
	const struct drg_ident *a = pa, *b = pb;
	return drg_ident_cmp(*a, *b);
}

static const void *find_ident(const struct drg_buf *list, size_t size, struct drg_ident ident)
{
	return list->n > 0 ? bsearch(&ident, list->p, count(list, size), size, by_ident) : NULL;
}

struct holding {
	struct drg_refs *f;
	const struct drg_record *row;
	struct drg_err *err;
	int rc;
};

static void note_if_gone(void *ctx, int ref, int64_t id, struct drg_str text, const char *field)
{
	(void)field;
	struct holding *h = ctx;
	/* Hashed idents are looked after in on_removed_source(). */
	if (h->rc != DRG_OK || ref == DRG_REF_SOURCE_HOTEL)
		return;
	const struct gone *gone = find_ident(&h->f->gone, sizeof *gone, drg_ident_of_ref(ref, id, text));
	if (gone != NULL)
		h->rc = note_holder(h->f, h->row, gone->at, h->err);
}

static int on_stored_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct holding *h = ctx;
	h->row = r;
	drg_record_refs(r, note_if_gone, h);
	return h->rc;
}

/* Can the store itself find every record that refers to this? Not what is named inside hotel content. */
static bool store_finds_referrers(const struct drg_record *key)
{
	enum drg_kind kind = drg_record_kind(key);
	return key->type->id == DRG_TYPE_DICT && kind != DRG_KIND_DESCRIPTION_TYPE &&
	       kind != DRG_KIND_FACILITY_GROUP && kind != DRG_KIND_FACILITY_TYPE;
}

static int find_holders_of(struct drg_refs *f, const struct gone *gone, struct holding *h, bool *ret_done,
                           struct drg_err *reterr)
{
	struct drg_record key;
	struct drg_filter own = { .any_order = true };
	int rc = DRG_OK;
	drg_ident_record(gone->ident, &key);
	*ret_done = true;
	if (store_finds_referrers(&key)) {
		rc = drg_store_referrers(f->store, drg_record_kind(&key), key.v[DRG_F_ID].i, UINT32_MAX,
		                         on_stored_row, h, reterr);
	} else if (key.type->id == DRG_TYPE_ADAPTER) {
		own.adapter = key.v[DRG_F_ID].i;
		rc = drg_store_scan(f->store, &own, on_stored_row, h, NULL, reterr);
	} else {
		*ret_done = false;
	}
	return rc;
}

static int find_holders(struct drg_refs *f, struct drg_err *reterr)
{
	struct holding h = { .f = f, .err = reterr };
	const struct gone *gone = (const struct gone *)f->gone.p;
	size_t n = count(&f->gone, sizeof *gone);
	const struct drg_filter all = { .any_order = true };
	bool scan = n > FEW_GONE;
	int rc = DRG_OK;
	for (size_t i = 0; i < n && !scan && rc == DRG_OK; i++) {
		bool done;
		rc = find_holders_of(f, &gone[i], &h, &done, reterr);
		scan = scan || !done;
	}
	if (rc == DRG_OK && scan)
		rc = drg_store_scan(f->store, &all, on_stored_row, &h, NULL, reterr);
	return rc;
}

/* ---- faults ----------------------------------------------------------------------------------------------- */

static int mark(struct drg_refs *f, uint64_t at, const char *field, const char *message,
                struct drg_err *reterr)
{
	const struct marked *list = (const struct marked *)f->marked.p;
	size_t n = count(&f->marked, sizeof *list);
	if (n == MAX_MARKED)
		return DRG_OK;
	for (size_t i = 0; i < n; i++)
		if (list[i].at == at)
			return DRG_OK;
	struct marked m = { .at = at };
	drg_fail(&m.fault, DRG_EINVAL, NULL, field, "%s", message);
	return append(&f->marked, &m, sizeof m, reterr);
}

/* Second reading, with the holders among the entries: a holder that the import removes too, or replaces, is none. */
static int second_reading(void *ctx, const struct drg_refset_entry *e, struct drg_err *reterr)
{
	struct group *g = ctx;
	if (!g->any || !drg_ident_eq(g->ident, drg_entry_ident(e)))
		begin_group(g, drg_entry_ident(e));
	enum drg_role role = drg_entry_role(e);
	if (role == DRG_ROLE_DEFINE || role == DRG_ROLE_REMOVE)
		g->removed = true;
	if (role != DRG_ROLE_HOLD || g->removed)
		return DRG_OK;
	struct holder h;
	size_t n;
	int rc = drg_tempfile_read(g->f->holders, drg_entry_at(e), &h, sizeof h, &n, reterr);
	if (rc != DRG_OK)
		return rc;
	char message[160];
	snprintf(message, sizeof message, "cannot be removed, %s still refers to it", h.label);
	return mark(g->f, h.at, "deleted", message, reterr);
}

static int copy_entry(void *ctx, const struct drg_refset_entry *e, struct drg_err *reterr)
{
	return drg_refset_add(ctx, e, 1, reterr);
}

static int on_clash(void *ctx, const struct drg_claim *claim, struct drg_ident other, struct drg_err *reterr)
{
	struct drg_refs *f = ctx;
	struct drg_record holder;
	char label[64] = "another record", message[160];
	if (drg_ident_record(other, &holder))
		drg_record_label(&holder, label, sizeof label);
	snprintf(message, sizeof message, "expected a value that no other record has; %s has it", label);
	return mark(f, claim->at, claim->field->wire, message, reterr);
}

static int by_place(const void *pa, const void *pb)
{
	const struct marked *a = pa, *b = pb;
	return a->at < b->at ? -1 : a->at > b->at;
}

int drg_refs_check(struct drg_refs *f, bool *ret_ok, struct drg_err *reterr)
{
	struct group g = { .f = f };
	int rc = drg_refset_each(f->set, first_reading, &g, reterr);
	if (rc == DRG_OK)
		rc = end_group(&g, reterr);
	if (rc == DRG_OK && f->gone.n > 0)
		rc = find_holders(f, reterr);
	if (rc == DRG_OK && f->holds != NULL) {
		rc = drg_refset_each(f->holds, copy_entry, f->set, reterr);
		g = (struct group){ .f = f };
		if (rc == DRG_OK)
			rc = drg_refset_each(f->set, second_reading, &g, reterr);
	}
	if (rc == DRG_OK)
		rc = drg_claims_check(f->claims, f->store, on_clash, f, reterr);
	if (rc != DRG_OK)
		return rc;
	if (f->marked.n > 0)
		qsort(f->marked.p, count(&f->marked, sizeof(struct marked)), sizeof(struct marked), by_place);
	*ret_ok = f->missing.n == 0 && f->marked.n == 0;
	return DRG_OK;
}

/* Looks for the first reference of a record that leads nowhere. */
struct looking {
	const struct drg_refs *f;
	struct drg_err *fault;
	bool found;
};

static void name_reference(int ref, int64_t id, struct drg_str text, char *expected, char *found, size_t n)
{
	snprintf(found, n, "%" PRId64, id);
	if (ref == DRG_REF_ADAPTER) {
		snprintf(expected, n, "an adapter");
	} else if (ref == DRG_REF_PLACE) {
		snprintf(expected, n, "an air place");
	} else if (ref == DRG_REF_SOURCE_HOTEL) {
		snprintf(expected, n, "a hotel of adapter %" PRId64, id);
		snprintf(found, n, "\"%.*s\"", text.n < n - 3 ? (int)text.n : (int)n - 3, text.p);
	} else {
		snprintf(expected, n, "a dict %s", drg_kind_name((enum drg_kind)ref));
	}
}

static void look_at_reference(void *ctx, int ref, int64_t id, struct drg_str text, const char *field)
{
	struct looking *l = ctx;
	if (l->found)
		return;
	const struct missing *m = find_ident(&l->f->missing, sizeof *m, drg_ident_of_ref(ref, id, text));
	if (m == NULL)
		return;
	char expected[300], found[300];
	name_reference(ref, id, text, expected, found, sizeof found);
	drg_fail(l->fault, DRG_EINVAL, NULL, field, "expected the id of %s that exists, found %s%s", expected,
	         found, m->removed ? ", which this import removes" : "");
	l->found = true;
}

bool drg_refs_fault(const struct drg_refs *f, const struct drg_spooled *r, struct drg_err *ret_fault)
{
	const struct marked key = { .at = r->at }, *m = NULL;
	if (f->marked.n > 0)
		m = bsearch(&key, f->marked.p, count(&f->marked, sizeof key), sizeof key, by_place);
	if (m != NULL) {
		*ret_fault = m->fault;
		return true;
	}
	struct looking l = { f, ret_fault, false };
	drg_record_refs(&r->record, look_at_reference, &l);
	return l.found;
}
