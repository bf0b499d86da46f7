#include "import/claims.h"

#include <assert.h>
#include <stdlib.h>

/* Only adapters, countries and currencies have unique values: there are some thousands of them. */
enum { MAX_CLAIMS = 1000000 };

struct drg_claims {
	struct drg_claim *list;
	size_t n, room;
	/* number of claims at the beginning of the list that are sorted, one for each record and field */
	size_t sorted;
};

void drg_claims_of(const struct drg_record *r, uint64_t at, struct drg_buf *out)
{
	enum drg_kind kind = drg_record_kind(r);
	for (unsigned i = 0; i < r->type->n_fields; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		if ((f->flags & DRG_FF_UNIQUE) == 0 || !drg_field_applies(f, kind))
			continue;
		struct drg_claim c = {
			.who = drg_ident_of(r), .at = at, .field = f, .state = DRG_CLAIM_ENDED
		};
		if (!r->deleted && drg_record_has_value(r, f)) {
			c.value = drg_ident_of_value(r, f);
			c.state = DRG_CLAIM_MADE;
		}
		drg_buf_add(out, &c, sizeof c);
	}
}

int drg_claims_new(struct drg_claims **ret, struct drg_err *reterr)
{
	struct drg_claims *c = calloc(1, sizeof *c);
	if (c == NULL)
		return drg_fail_memory(reterr);
	*ret = c;
	return DRG_OK;
}

void drg_claims_free(struct drg_claims *c)
{
	if (c == NULL)
		return;
	free(c->list);
	free(c);
}

void drg_claims_clear(struct drg_claims *c)
{
	c->n = 0;
	c->sorted = 0;
}

static int by_holder(const void *pa, const void *pb)
{
	const struct drg_claim *a = pa, *b = pb;
	int c = drg_ident_cmp(a->who, b->who);
	return c != 0 ? c : a->field < b->field ? -1 : a->field > b->field;
}

static int by_holder_then_place(const void *pa, const void *pb)
{
	const struct drg_claim *a = pa, *b = pb;
	int c = by_holder(a, b);
	return c != 0 ? c : a->at < b->at ? -1 : a->at > b->at;
}

static int by_value(const void *pa, const void *pb)
{
	const struct drg_claim *a = pa, *b = pb;
	int c = drg_ident_cmp(a->value, b->value);
	if (c == 0)
		c = (int)a->state - (int)b->state;
	return c != 0 ? c : a->at < b->at ? -1 : a->at > b->at;
}

/* Sort the claims, and keep the last one of each record and field. */
static void claims_sort(struct drg_claims *c)
{
	if (c->n == 0)
		return;
	qsort(c->list, c->n, sizeof *c->list, by_holder_then_place);
	size_t left = 0;
	for (size_t i = 1; i < c->n; i++) {
		if (by_holder(&c->list[left], &c->list[i]) != 0)
			left++;
		c->list[left] = c->list[i];
	}
	c->n = left + 1;
	c->sorted = c->n;
}

static int claims_grow(struct drg_claims *c, struct drg_err *reterr)
{
	if (c->n == MAX_CLAIMS)
		claims_sort(c);
	if (c->n > MAX_CLAIMS / 2)
		return drg_fail(reterr, DRG_ELIMIT, NULL, NULL,
		                "an import can have %d adapters, countries and currencies: split it",
		                MAX_CLAIMS / 2);
	size_t room = c->room == 0 ? 64 : c->room * 2 < MAX_CLAIMS ? c->room * 2 : MAX_CLAIMS;
	struct drg_claim *list = realloc(c->list, room * sizeof *list);
	if (list == NULL)
		return drg_fail_memory(reterr);
	c->list = list;
	c->room = room;
	return DRG_OK;
}

int drg_claims_add(struct drg_claims *c, const struct drg_claim *claim, struct drg_err *reterr)
{
	int rc = c->n == c->room ? claims_grow(c, reterr) : DRG_OK;
	assert(rc != DRG_OK || c->n < c->room);
	if (rc == DRG_OK)
		c->list[c->n++] = *claim;
	return rc;
}

/* Add the claims of a stored record, except to fields for which the import has a newer claim of this
 * record. */
static int take_stored(struct drg_claims *c, const struct drg_record *r, struct drg_err *reterr)
{
	struct drg_buf claims;
	drg_buf_init(&claims, 4096);
	drg_claims_of(r, 0, &claims);
	int rc = claims.rc;
	for (size_t i = 0; i < claims.n / sizeof(struct drg_claim) && rc == DRG_OK; i++) {
		struct drg_claim claim;
		memcpy(&claim, claims.p + i * sizeof claim, sizeof claim);
		claim.state = DRG_CLAIM_STORED;
		assert(c->sorted <= c->n);
		struct drg_claim *newer = bsearch(&claim, c->list, c->sorted, sizeof claim, by_holder);
		if (newer != NULL)
			newer->was_stored = true;
		else
			rc = drg_claims_add(c, &claim, reterr);
	}
	drg_buf_done(&claims);
	return rc;
}

static int take_store(struct drg_claims *c, struct drg_store *store, struct drg_err *reterr)
{
	struct drg_rows rows;
	int rc = DRG_OK;
	for (unsigned i = 0; i < DRG_TYPE_COUNT; i++) {
		const struct drg_type *type = &drg_types[i];
		for (unsigned k = 0; k < type->n_fields && rc == DRG_OK; k++) {
			const struct drg_field_def *f = &type->fields[k];
			struct drg_filter filter = { .type = type, .one_kind = f->kinds != 0 };
			if ((f->flags & DRG_FF_UNIQUE) == 0)
				continue;
			if (f->kinds != 0)
				filter.kind = (enum drg_kind)__builtin_ctz(f->kinds);
			for (drg_rows_scan(&rows, store, &filter, reterr); drg_rows_next(&rows);)
				rows.rc = take_stored(c, &rows.row.r, reterr);
			rc = drg_rows_end(&rows);
		}
	}
	return rc;
}

int drg_claims_check(struct drg_claims *c, struct drg_store *store, drg_clash_fn *fn, void *ctx,
                     struct drg_err *reterr)
{
	if (c->n == 0)
		return DRG_OK;
	claims_sort(c);
	int rc = store != NULL ? take_store(c, store, reterr) : DRG_OK;
	qsort(c->list, c->n, sizeof *c->list, by_value);
	const struct drg_claim *first = NULL;
	for (size_t i = 0; i < c->n && rc == DRG_OK; i++) {
		const struct drg_claim *claim = &c->list[i];
		if (claim->state == DRG_CLAIM_ENDED)
			continue;
		if (first == NULL || !drg_ident_eq(first->value, claim->value))
			first = claim;
		else if (claim->state == DRG_CLAIM_MADE)
			rc = fn(ctx, claim, first->who, reterr);
	}
	c->sorted = 0;
	return rc;
}

static int claims_by_place(const void *pa, const void *pb)
{
	const struct drg_claim *a = pa, *b = pb;
	return a->at < b->at ? -1 : a->at > b->at;
}

static bool claims_is_new(const struct drg_claim *claim)
{
	return claim->state == DRG_CLAIM_MADE && !claim->was_stored;
}

int drg_claims_beyond(struct drg_claims *c, const struct drg_field_def *field, size_t max, drg_excess_fn *fn,
                      void *ctx, struct drg_err *reterr)
{
	size_t n = 0;
	int rc = DRG_OK;
	for (size_t i = 0; i < c->n; i++)
		n += c->list[i].field == field && c->list[i].state != DRG_CLAIM_ENDED &&
		     !claims_is_new(&c->list[i]);
	if (c->n > 0)
		qsort(c->list, c->n, sizeof *c->list, claims_by_place);
	for (size_t i = 0; i < c->n && rc == DRG_OK; i++)
		if (c->list[i].field == field && claims_is_new(&c->list[i]) && n++ >= max)
			rc = fn(ctx, &c->list[i], reterr);
	return rc;
}
