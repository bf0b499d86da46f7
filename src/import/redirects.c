#include "import/redirects.h"

#include <assert.h>
#include <stdlib.h>

struct drg_redirects {
	/* struct drg_redirect; when sorted: by kind and id, each id once, without removed ones */
	struct drg_buf list;
	bool sorted; /* no redirect was added since the list was sorted */
};

static size_t redirects_count(const struct drg_redirects *d)
{
	return d->list.n / sizeof(struct drg_redirect);
}

int drg_redirects_new(struct drg_redirects **ret, struct drg_err *reterr)
{
	struct drg_redirects *d = calloc(1, sizeof *d);
	if (d == NULL)
		return drg_fail_memory(reterr);
	drg_buf_init(&d->list, SIZE_MAX);
	*ret = d;
	return DRG_OK;
}

void drg_redirects_free(struct drg_redirects *d)
{
	if (d == NULL)
		return;
	drg_buf_done(&d->list);
	free(d);
}

void drg_redirects_clear(struct drg_redirects *d)
{
	drg_buf_clear(&d->list);
}

int drg_redirects_add(struct drg_redirects *d, const struct drg_redirect *r, struct drg_err *reterr)
{
	assert(r->kind < DRG_KIND_COUNT);
	d->sorted = false;
	drg_buf_add(&d->list, r, sizeof *r);
	return d->list.rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
}

int drg_redirects_load(struct drg_redirects *d, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter all = { .type = &drg_types[DRG_TYPE_REDIRECT], .any_order = true };
	for (drg_rows_scan(&rows, s, &all, reterr); drg_rows_next(&rows);) {
		const struct drg_redirect row = { .kind = drg_record_kind(&rows.row.r),
			                          .id = rows.row.r.v[DRG_F_ID].i,
			                          .to = rows.row.r.v[DRG_F_TO].i };
		rows.rc = drg_redirects_add(d, &row, reterr);
	}
	return drg_rows_end(&rows);
}

static int redirects_by_id(const void *pa, const void *pb)
{
	const struct drg_redirect *a = pa, *b = pb;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

static int by_id_then_place(const void *pa, const void *pb)
{
	const struct drg_redirect *a = pa, *b = pb;
	int c = redirects_by_id(a, b);
	return c != 0 ? c : a->at < b->at ? -1 : a->at > b->at;
}

void drg_redirects_sort(struct drg_redirects *d)
{
	assert(d->list.rc == DRG_OK && d->list.n % sizeof(struct drg_redirect) == 0);
	struct drg_redirect *list = (struct drg_redirect *)(void *)d->list.p;
	size_t n = redirects_count(d), left = 0;
	d->sorted = true;
	if (n == 0)
		return;
	qsort(list, n, sizeof *list, by_id_then_place);
	for (size_t i = 0; i < n; i++) {
		bool last = i + 1 == n || redirects_by_id(&list[i], &list[i + 1]) != 0;
		if (last && !list[i].removed)
			list[left++] = list[i];
	}
	d->list.n = left * sizeof *list;
}

bool drg_redirects_any(const struct drg_redirects *d)
{
	return d->list.n > 0;
}

const struct drg_redirect *drg_redirects_find(const struct drg_redirects *d, enum drg_kind kind, int64_t id)
{
	assert(d->sorted || d->list.n == 0);
	const struct drg_redirect key = { .kind = kind, .id = id };
	return d->list.n > 0 ? bsearch(&key, d->list.p, redirects_count(d), sizeof key, redirects_by_id)
	                     : NULL;
}

bool drg_redirects_resolve(const struct drg_redirects *d, enum drg_kind kind, int64_t id, int64_t *ret)
{
	const struct drg_redirect *r = drg_redirects_find(d, kind, id);
	if (r == NULL)
		return false;
	for (size_t steps = 0; steps < redirects_count(d); steps++) {
		const struct drg_redirect *next = drg_redirects_find(d, kind, r->to);
		if (next == NULL) {
			*ret = r->to;
			return true;
		}
		r = next;
	}
	return false;
}
