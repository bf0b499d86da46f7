#include "import/holders.h"

#include <assert.h>
#include <stdlib.h>

#include "base/tempfile.h"
#include "model/content.h"

enum { CHUNK_ENTRIES = 1 << 16, MAX_GONE = 1 << 20 };

/* With so few removals the store is asked for the referrers of each; with more, it is read through once. */
enum { FEW_GONE = 32 };

struct gone {
	struct drg_ident ident;
	uint64_t at;
};

/* A stored record that refers to a removed one. Its entry in the refset has the place of this struct in the
 * file. */
struct holder {
	uint64_t at; /* place in the spool of the record that removes the other one */
	char label[88];
};

struct drg_holders {
	struct drg_store *store;
	struct gone *gone; /* sorted by ident */
	size_t n_gone, room;
	struct drg_refset *entries;
	struct drg_tempfile *holders;
	bool any;
};

int drg_holders_new(const char *dir, struct drg_store *store, struct drg_holders **ret,
                    struct drg_err *reterr)
{
	struct drg_holders *h = calloc(1, sizeof *h);
	if (h == NULL)
		return drg_fail_memory(reterr);
	h->store = store;
	int rc = drg_refset_new(dir, CHUNK_ENTRIES, &h->entries, reterr);
	if (rc == DRG_OK)
		rc = drg_tempfile_open(dir, &h->holders, reterr);
	if (rc == DRG_OK)
		*ret = h;
	else
		drg_holders_free(h);
	return rc;
}

void drg_holders_free(struct drg_holders *h)
{
	if (h == NULL)
		return;
	drg_tempfile_close(h->holders);
	drg_refset_free(h->entries);
	free(h->gone);
	free(h);
}

int drg_holders_gone(struct drg_holders *h, struct drg_ident ident, uint64_t at, struct drg_err *reterr)
{
	if (h->n_gone == MAX_GONE)
		return drg_fail(reterr, DRG_ELIMIT, NULL, NULL,
		                "an import can remove %d adapters, dict records and air places: split it",
		                MAX_GONE);
	if (h->n_gone == h->room) {
		size_t room = h->room == 0 ? 64 : h->room * 2;
		struct gone *more = realloc(h->gone, room * sizeof *more);
		if (more == NULL)
			return drg_fail_memory(reterr);
		h->gone = more;
		h->room = room;
	}
	/* The list is searched by bsearch(). */
	assert(h->n_gone == 0 || drg_ident_cmp(h->gone[h->n_gone - 1].ident, ident) < 0);
	h->gone[h->n_gone++] = (struct gone){ ident, at };
	return DRG_OK;
}

static int note_holder(struct drg_holders *h, const struct drg_record *holder, uint64_t at,
                       struct drg_err *reterr)
{
	struct holder note = { .at = at };
	struct drg_refset_entry e =
	        drg_entry(drg_ident_of(holder), DRG_ROLE_HOLD, drg_tempfile_size(h->holders));
	drg_record_label(holder, note.label, sizeof note.label);
	h->any = true;
	int rc = drg_tempfile_add(h->holders, &note, sizeof note, reterr);
	return rc == DRG_OK ? drg_refset_add(h->entries, &e, 1, reterr) : rc;
}

int drg_holders_gone_record(struct drg_holders *h, const struct drg_record *r, uint64_t at,
                            struct drg_err *reterr)
{
	if (r->type->id != DRG_TYPE_SOURCE || drg_record_kind(r) != DRG_KIND_HOTEL)
		return DRG_OK;
	struct drg_record content;
	drg_record_init(&content, &drg_types[DRG_TYPE_HOTEL_CONTENT]);
	drg_record_set_i(&content, DRG_F_ADAPTER_ID, r->v[DRG_F_ADAPTER_ID].i);
	drg_record_set_s(&content, DRG_F_HOTEL_ID, r->v[DRG_F_SOURCE_ID].s);
	int rc = drg_store_exists(h->store, &content, reterr);
	if (rc == DRG_OK)
		return note_holder(h, &content, at, reterr);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* ---- stored records that refer to removed ones --------------------------------------------------------- */

struct holding {
	struct drg_holders *h;
	const struct drg_record *row;
	struct drg_err *err;
	int rc;
};

static int holders_by_ident(const void *ident, const void *gone)
{
	return drg_ident_cmp(*(const struct drg_ident *)ident, ((const struct gone *)gone)->ident);
}

static void note_if_gone(void *ctx, int ref, int64_t id, struct drg_str text, const char *field)
{
	(void)field;
	struct holding *x = ctx;
	if (x->rc != DRG_OK || ref == DRG_REF_SOURCE_HOTEL)
		return;
	const struct drg_ident ident = drg_ident_of_ref(ref, id, text);
	const struct gone *gone = bsearch(&ident, x->h->gone, x->h->n_gone, sizeof *gone, holders_by_ident);
	if (gone != NULL)
		x->rc = note_holder(x->h, x->row, gone->at, x->err);
}

static int on_stored_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct holding *x = ctx;
	x->row = r;
	if (drg_record_refs(r, note_if_gone, x) != DRG_OK)
		return drg_fail_memory(x->err);
	return x->rc;
}

/* Can the store find every record that refers to this one? Not if hotel content may refer to it. */
static bool store_finds_referrers(const struct drg_record *key)
{
	return key->type->id == DRG_TYPE_DICT && !drg_content_names(drg_record_kind(key));
}

/* Ask the store for the referrers of one removed record. @param ret_asked  Unchanged if the store cannot find
 * them. */
static int holders_ask(struct holding *x, const struct gone *gone, bool *ret_asked, struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_record key = { .type = NULL };
	if (!drg_ident_record(gone->ident, &key))
		return DRG_OK; /* a hash, by which the store finds nothing */
	int64_t id = key.v[DRG_F_ID].i;
	const struct drg_filter own = { .adapter = id, .any_order = true };
	int rc;
	if (store_finds_referrers(&key))
		rc = drg_rows_each(
		        drg_rows_referrers(&rows, x->h->store, drg_record_kind(&key), id, UINT32_MAX, reterr),
		        on_stored_row, x);
	else if (key.type->id == DRG_TYPE_ADAPTER)
		rc = drg_rows_each(drg_rows_scan(&rows, x->h->store, &own, reterr), on_stored_row, x);
	else
		return DRG_OK;
	*ret_asked = true;
	return rc;
}

static int find_holders(struct drg_holders *h, struct drg_err *reterr)
{
	struct drg_rows rows;
	struct holding x = { .h = h, .err = reterr };
	const struct drg_filter all = { .any_order = true };
	bool asked = h->n_gone <= FEW_GONE;
	int rc = DRG_OK;
	for (size_t i = 0; i < h->n_gone && asked && rc == DRG_OK; i++) {
		asked = false;
		rc = holders_ask(&x, &h->gone[i], &asked, reterr);
	}
	/* Read all rows. A holder that was noted already is noted twice, which does no harm. */
	if (rc == DRG_OK && !asked)
		rc = drg_rows_each(drg_rows_scan(&rows, h->store, &all, reterr), on_stored_row, &x);
	return rc;
}

/* ---- holders that stay --------------------------------------------------------------------------------- */

struct holders_checking {
	struct drg_holders *h;
	struct drg_ident ident;
	/* any: a group of entries was begun; released: its record is removed, or replaced with all its
	 * references */
	bool any, released;
	drg_held_fn *fn;
	void *ctx;
};

static int check_entry(void *ctx, const struct drg_refset_entry *e, struct drg_err *reterr)
{
	struct holders_checking *c = ctx;
	enum drg_role role = drg_entry_role(e);
	if (!c->any || !drg_ident_eq(c->ident, drg_entry_ident(e))) {
		c->any = true;
		c->released = false;
		c->ident = drg_entry_ident(e);
	}
	if (role == DRG_ROLE_DEFINE || role == DRG_ROLE_REMOVE)
		c->released = true;
	if (role != DRG_ROLE_HOLD || c->released)
		return DRG_OK;
	struct holder note;
	size_t n;
	int rc = drg_tempfile_read(c->h->holders, drg_entry_at(e), &note, sizeof note, &n, reterr);
	return rc == DRG_OK ? c->fn(c->ctx, note.at, note.label, reterr) : rc;
}

static int copy_entry(void *ctx, const struct drg_refset_entry *e, struct drg_err *reterr)
{
	return drg_refset_add(ctx, e, 1, reterr);
}

int drg_holders_check(struct drg_holders *h, struct drg_refset *set, drg_held_fn *fn, void *ctx,
                      struct drg_err *reterr)
{
	struct holders_checking c = { .h = h, .fn = fn, .ctx = ctx };
	int rc = h->n_gone > 0 ? find_holders(h, reterr) : DRG_OK;
	if (rc == DRG_OK && h->any)
		rc = drg_refset_each(h->entries, copy_entry, set, reterr);
	if (rc == DRG_OK && h->any)
		rc = drg_refset_each(set, check_entry, &c, reterr);
	return rc;
}
