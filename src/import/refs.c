#include "import/refs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "import/holders.h"
#include "import/lookup.h"

enum {
	/* Limits of memory. Further missing ids and marked records are found when the rest is checked
	 * again. */
	REFS_CHUNK_ENTRIES = 1 << 19,
	MAX_MISSING = 1 << 20,
	MAX_MARKED = 10000,
	ENTRIES_BETWEEN_REPORTS = 1 << 16,
};

/* An id that is referred to and does not exist. */
struct missing {
	struct drg_ident ident;
	bool removed; /* this import removes it */
};

/* A record of the import that is at fault itself, whatever it refers to. */
struct marked {
	uint64_t at;
	struct drg_err fault;
};

struct drg_refs {
	char *dir;
	struct drg_store *store;
	struct drg_refset *set;
	struct drg_claims *claims;
	struct drg_redirects *redirects;
	struct drg_holders *holders; /* NULL: there is no store */
	struct drg_lookups lookups;
	struct drg_buf missing; /* struct missing, by ident once the check is over */
	struct drg_buf marked; /* struct marked, by place once the check is over */
};

static size_t refs_count(const struct drg_buf *b, size_t size)
{
	return b->n / size;
}

static int append(struct drg_buf *b, const void *p, size_t n, struct drg_err *reterr)
{
	drg_buf_add(b, p, n);
	return b->rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
}

int drg_refs_new(const char *dir, struct drg_store *store, struct drg_spool *spool, struct drg_refs **ret,
                 struct drg_err *reterr)
{
	struct drg_refs *f = calloc(1, sizeof *f);
	if (f == NULL)
		return drg_fail_memory(reterr);
	f->store = store;
	f->lookups = (struct drg_lookups){ .store = store, .spool = spool, .ctx = f };
	drg_buf_init(&f->lookups.list, SIZE_MAX);
	drg_buf_init(&f->missing, SIZE_MAX);
	drg_buf_init(&f->marked, SIZE_MAX);
	f->dir = strdup(dir);
	int rc = f->dir != NULL ? drg_claims_new(&f->claims, reterr) : drg_fail_memory(reterr);
	if (rc == DRG_OK)
		rc = drg_redirects_new(&f->redirects, reterr);
	if (rc == DRG_OK)
		rc = drg_refs_clear(f, reterr);
	if (rc == DRG_OK)
		*ret = f;
	else
		drg_refs_free(f);
	return rc;
}

void drg_refs_free(struct drg_refs *f)
{
	if (f == NULL)
		return;
	drg_holders_free(f->holders);
	drg_refset_free(f->set);
	drg_claims_free(f->claims);
	drg_redirects_free(f->redirects);
	drg_buf_done(&f->lookups.list);
	drg_buf_done(&f->missing);
	drg_buf_done(&f->marked);
	free(f->dir);
	free(f);
}

int drg_refs_clear(struct drg_refs *f, struct drg_err *reterr)
{
	drg_refset_free(f->set);
	drg_holders_free(f->holders);
	f->set = NULL;
	f->holders = NULL;
	drg_claims_clear(f->claims);
	drg_redirects_clear(f->redirects);
	drg_buf_clear(&f->lookups.list);
	drg_buf_clear(&f->missing);
	drg_buf_clear(&f->marked);
	int rc = drg_refset_new(f->dir, REFS_CHUNK_ENTRIES, &f->set, reterr);
	if (rc == DRG_OK && f->store != NULL)
		rc = drg_holders_new(f->dir, f->store, &f->holders, reterr);
	if (rc == DRG_OK && f->store != NULL)
		rc = drg_redirects_load(f->redirects, f->store, reterr);
	return rc;
}

/* ---- adding what was gathered ---------------------------------------------------------------------------- */

int drg_refs_add(struct drg_refs *f, struct drg_gathered *g, uint64_t base, struct drg_err *reterr)
{
	struct drg_refset_entry *entries = (struct drg_refset_entry *)g->entries.p;
	struct drg_claim *claims = (struct drg_claim *)g->claims.p;
	struct drg_redirect *redirects = (struct drg_redirect *)(void *)g->redirects.p;
	if (g->entries.rc != DRG_OK || g->claims.rc != DRG_OK || g->redirects.rc != DRG_OK)
		return drg_fail_memory(reterr);
	for (size_t i = 0; i < refs_count(&g->entries, sizeof *entries); i++)
		entries[i].tag += base;
	int rc = drg_refset_add(f->set, entries, refs_count(&g->entries, sizeof *entries), reterr);
	for (size_t i = 0; i < refs_count(&g->claims, sizeof *claims) && rc == DRG_OK; i++) {
		claims[i].at += base;
		rc = drg_claims_add(f->claims, &claims[i], reterr);
	}
	for (size_t i = 0; i < refs_count(&g->redirects, sizeof *redirects) && rc == DRG_OK; i++) {
		redirects[i].at += base;
		rc = drg_redirects_add(f->redirects, &redirects[i], reterr);
	}
	return rc;
}

/* ---- faults -------------------------------------------------------------------------------------------- */

static int refs_mark(struct drg_refs *f, uint64_t at, const char *field, const char *message,
                     struct drg_err *reterr)
{
	const struct marked *list = (const struct marked *)f->marked.p;
	size_t n = refs_count(&f->marked, sizeof *list);
	if (n == MAX_MARKED)
		return DRG_OK;
	for (size_t i = 0; i < n; i++)
		if (list[i].at == at)
			return DRG_OK;
	struct marked m = { .at = at };
	drg_fail(&m.fault, DRG_EINVAL, NULL, field, "%s", message);
	return append(&f->marked, &m, sizeof m, reterr);
}

/* ---- needs and removals -------------------------------------------------------------------------------- */

/* The entries of one ident, which follow each other. */
struct group {
	struct drg_refs *f;
	uint64_t done; /* entries of all groups so far */
	drg_refs_progress_fn *progress;
	void *ctx;
	bool any;
	struct drg_ident ident;
	bool defined, removed, redirected;
	/* places of the last definition, removal and redirect */
	uint64_t defined_at, removed_at, redirected_at;
	bool looked_up; /* the store was asked for the ident */
};

static bool ends_removed(const struct group *g)
{
	return g->removed && (!g->defined || g->removed_at > g->defined_at);
}

static int note_missing(struct drg_refs *f, struct drg_ident ident, bool removed, struct drg_err *reterr)
{
	const struct missing m = { ident, removed };
	if (refs_count(&f->missing, sizeof m) == MAX_MISSING)
		return DRG_OK;
	return append(&f->missing, &m, sizeof m, reterr);
}

static int on_not_stored(void *ctx, struct drg_ident ident, struct drg_err *reterr)
{
	return note_missing(ctx, ident, false, reterr);
}

/* @param key  Identity of the record to find. @return DRG_OK, DRG_ENOENT, or an error. */
static int stored(const struct drg_refs *f, const struct drg_record *key, struct drg_err *reterr)
{
	return f->store != NULL ? drg_store_exists(f->store, key, reterr) : DRG_ENOENT;
}

/* Was the dict record merged into another? Whether that one exists is checked for the redirect itself. */
static bool leads_on(const struct drg_refs *f, const struct drg_record *key)
{
	int64_t to;
	return drg_redirects_any(f->redirects) && key->type->id == DRG_TYPE_DICT &&
	       drg_redirects_resolve(f->redirects, drg_record_kind(key), key->v[DRG_F_ID].i, &to);
}

static int on_need(struct group *g, uint64_t at, struct drg_err *reterr)
{
	struct drg_refs *f = g->f;
	struct drg_record key;
	if (g->looked_up || (g->defined && !ends_removed(g)))
		return DRG_OK;
	g->looked_up = true;
	bool known = drg_ident_record(g->ident, &key);
	if (!known && !g->removed && f->store != NULL)
		return drg_lookups_add(&f->lookups, &(struct drg_lookup){ at, g->ident, false }, reterr);
	int rc = known && !g->removed ? stored(f, &key, reterr) : DRG_ENOENT;
	if (rc != DRG_ENOENT || (known && leads_on(f, &key)))
		return rc == DRG_ENOENT ? DRG_OK : rc;
	return note_missing(f, g->ident, g->removed, reterr);
}

/* Check that the id does not belong to both a dict record and a redirect. */
static int check_redirect(struct group *g, struct drg_err *reterr)
{
	struct drg_refs *f = g->f;
	struct drg_record key;
	char message[160];
	if (!drg_redirects_any(f->redirects) || !drg_ident_record(g->ident, &key) ||
	    key.type->id != DRG_TYPE_DICT)
		return DRG_OK;
	const struct drg_redirect *r =
	        drg_redirects_find(f->redirects, drg_record_kind(&key), key.v[DRG_F_ID].i);
	if (r == NULL)
		return DRG_OK;
	if (g->defined && !ends_removed(g)) {
		snprintf(message, sizeof message,
		         "%s %" PRId64 " was merged into %" PRId64 "; dict split undoes it",
		         drg_kind_name(r->kind), r->id, r->to);
		return refs_mark(f, g->defined_at, "id", message, reterr);
	}
	if (!g->redirected || g->removed)
		return DRG_OK;
	int rc = stored(f, &key, reterr);
	if (rc != DRG_OK)
		return rc == DRG_ENOENT ? DRG_OK : rc;
	snprintf(message, sizeof message, "expected an id that no record has, found that of %s %" PRId64,
	         drg_kind_name(r->kind), r->id);
	return refs_mark(f, g->redirected_at, "id", message, reterr);
}

static int end_group(struct group *g, struct drg_err *reterr)
{
	struct drg_holders *holders = g->f->holders;
	struct drg_record key;
	int rc = g->any ? check_redirect(g, reterr) : DRG_OK;
	if (rc != DRG_OK || !g->any || !ends_removed(g) || holders == NULL)
		return rc;
	if (drg_ident_record(g->ident, &key))
		return drg_holders_gone(holders, g->ident, g->removed_at, reterr);
	return drg_lookups_add(&g->f->lookups, &(struct drg_lookup){ g->removed_at, g->ident, true }, reterr);
}

static void begin_group(struct group *g, struct drg_ident ident)
{
	g->any = true;
	g->ident = ident;
	g->defined = g->removed = g->redirected = g->looked_up = false;
}

static void on_definition(struct group *g, const struct drg_refset_entry *e)
{
	if (drg_entry_role(e) == DRG_ROLE_REMOVE) {
		g->removed = true;
		g->removed_at = drg_entry_at(e);
	} else if (drg_entry_role(e) == DRG_ROLE_REDIRECT) {
		g->redirected = true;
		g->redirected_at = drg_entry_at(e);
	} else if (!g->defined || drg_entry_at(e) > g->defined_at) {
		g->defined = true;
		g->defined_at = drg_entry_at(e);
	}
}

static int on_entry(void *ctx, const struct drg_refset_entry *e, struct drg_err *reterr)
{
	struct group *g = ctx;
	if (g->done++ % ENTRIES_BETWEEN_REPORTS == 0 && g->progress != NULL)
		g->progress(g->ctx, g->done, drg_refset_size(g->f->set));
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

/* ---- holders and claims -------------------------------------------------------------------------------- */

static int on_held(void *ctx, uint64_t at, const char *holder, struct drg_err *reterr)
{
	char message[160];
	snprintf(message, sizeof message, "cannot be removed, %s still refers to it", holder);
	return refs_mark(ctx, at, "deleted", message, reterr);
}

static int on_clash(void *ctx, const struct drg_claim *claim, struct drg_ident other, struct drg_err *reterr)
{
	struct drg_refs *f = ctx;
	struct drg_record holder;
	char label[64] = "another record", message[160];
	if (drg_ident_record(other, &holder))
		drg_record_label(&holder, label, sizeof label);
	snprintf(message, sizeof message, "expected a value that no other record has; %s has it", label);
	return refs_mark(f, claim->at, claim->field->wire, message, reterr);
}

/* Mark an adapter that is too many: a server would have no room for it (decision E14). */
static int on_excess(void *ctx, const struct drg_claim *claim, struct drg_err *reterr)
{
	char message[160];
	snprintf(message, sizeof message,
	         "too many adapters: a store has at most %d, remove some before adding others",
	         DRG_ADAPTERS_MAX);
	return refs_mark(ctx, claim->at, "id", message, reterr);
}

static int check_claims(struct drg_refs *f, struct drg_err *reterr)
{
	const struct drg_field_def *code = drg_field_of(&drg_types[DRG_TYPE_ADAPTER], DRG_F_CODE);
	int rc = drg_claims_check(f->claims, f->store, on_clash, f, reterr);
	return rc == DRG_OK ? drg_claims_beyond(f->claims, code, DRG_ADAPTERS_MAX, on_excess, f, reterr) : rc;
}

static int refs_by_place(const void *pa, const void *pb)
{
	const struct marked *a = pa, *b = pb;
	return a->at < b->at ? -1 : a->at > b->at;
}

static int missing_by_ident(const void *a, const void *b)
{
	return drg_ident_cmp(((const struct missing *)a)->ident, ((const struct missing *)b)->ident);
}

int drg_refs_check(struct drg_refs *f, drg_refs_progress_fn *progress, void *ctx, bool *ret_ok,
                   struct drg_err *reterr)
{
	struct group g = { .f = f, .progress = progress, .ctx = ctx };
	f->lookups.holders = f->holders;
	f->lookups.missing = on_not_stored;
	drg_redirects_sort(f->redirects);
	int rc = drg_refset_each(f->set, on_entry, &g, reterr);
	if (rc == DRG_OK)
		rc = end_group(&g, reterr);
	if (rc == DRG_OK)
		rc = drg_lookups_flush(&f->lookups, reterr);
	if (rc == DRG_OK && f->holders != NULL)
		rc = drg_holders_check(f->holders, f->set, on_held, f, reterr);
	if (rc == DRG_OK)
		rc = check_claims(f, reterr);
	if (rc != DRG_OK)
		return rc;
	if (f->marked.n > 0)
		qsort(f->marked.p, refs_count(&f->marked, sizeof(struct marked)), sizeof(struct marked),
		      refs_by_place);
	if (f->missing.n > 0)
		qsort(f->missing.p, refs_count(&f->missing, sizeof(struct missing)), sizeof(struct missing),
		      missing_by_ident);
	*ret_ok = f->missing.n == 0 && f->marked.n == 0;
	return DRG_OK;
}

static int refs_by_ident(const void *ident, const void *missing)
{
	return drg_ident_cmp(*(const struct drg_ident *)ident, ((const struct missing *)missing)->ident);
}

static const struct missing *find_missing(const struct drg_refs *f, struct drg_ident ident)
{
	const struct drg_buf *b = &f->missing;
	return b->n > 0 ? bsearch(&ident, b->p, refs_count(b, sizeof(struct missing)), sizeof(struct missing),
	                          refs_by_ident)
	                : NULL;
}

/* Searches a record for its first reference to a missing record. */
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
	const struct missing *m = find_missing(l->f, drg_ident_of_ref(ref, id, text));
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
		m = bsearch(&key, f->marked.p, refs_count(&f->marked, sizeof key), sizeof key, refs_by_place);
	if (m != NULL) {
		*ret_fault = m->fault;
		return true;
	}
	struct looking l = { f, ret_fault, false };
	if (drg_record_refs(&r->record, look_at_reference, &l) == DRG_OK)
		return l.found;
	(void)!drg_fail_memory(ret_fault);
	return true;
}

const struct drg_redirects *drg_refs_redirects(const struct drg_refs *f)
{
	return f->redirects;
}
