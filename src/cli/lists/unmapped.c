#include "cli/lists/unmapped.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bound.h"
#include "cli/lists/names.h"
#include "model/key.h"
#include "store/restore.h"
#include "text/fold.h"
#include "text/stamp.h"

/* Commits from `seq` on were made at this second or later. */
struct unmapped_moment {
	int64_t at, seq;
};

static int unmapped_take_moment(void *ctx, int64_t at, int64_t seq)
{
	struct drg_unmapped *x = ctx;
	const struct unmapped_moment m = { at, seq };
	drg_buf_add(&x->moments, &m, sizeof m);
	return x->moments.rc;
}

int drg_unmapped_init(struct drg_cli *cli, struct drg_store *s, int64_t adapter, struct drg_unmapped *ret)
{
	*ret = (struct drg_unmapped){ .s = s };
	drg_buf_init(&ret->moments, SIZE_MAX);
	drg_buf_init(&ret->folded, 1 << 16);
	int rc = drg_store_each_moment(s, unmapped_take_moment, ret, &cli->err);
	if (rc == DRG_ENOMEM)
		rc = drg_fail_memory(&cli->err);
	if (rc == DRG_OK)
		rc = drg_suggested_load(cli, s, adapter, &ret->suggested);
	return rc == DRG_OK ? drg_cli_names(cli, s, DRG_TYPE_DICT, &ret->names) : rc;
}

void drg_unmapped_done(struct drg_unmapped *x)
{
	drg_buf_done(&x->moments);
	drg_buf_done(&x->folded);
	drg_suggested_done(&x->suggested);
	drg_name_index_close(x->names);
}

/* ---- since when ---------------------------------------------------------------------------------------- */

/* The last moment that is not behind a commit; NULL: times were not kept yet. */
static const struct unmapped_moment *unmapped_moment_of(const struct drg_unmapped *x, int64_t seq)
{
	const struct unmapped_moment *v = (const struct unmapped_moment *)(const void *)x->moments.p;
	size_t at;
	DRG_BOUND(at, x->moments.n / sizeof *v, i, v[i].seq <= seq);
	return at > 0 ? &v[at - 1] : NULL;
}

struct drg_str drg_unmapped_since(struct drg_unmapped *x, const struct drg_row_meta *m)
{
	char stamp[DRG_STAMP_TEXT];
	int64_t seq = m->mapped_seq > m->created_seq ? m->mapped_seq : m->created_seq;
	const struct unmapped_moment *at = unmapped_moment_of(x, seq);
	if (at == NULL)
		return DRG_STR("");
	size_t n = drg_stamp_text(at->at * 1000000, stamp);
	int len = snprintf(x->since, sizeof x->since, "%.*s", (int)(n < sizeof x->since ? n : 0), stamp);
	return drg_str(x->since, (size_t)len);
}

/* ---- why ----------------------------------------------------------------------------------------------- */

/* The record to map before this one: a record of the same supplier that this one names. */
enum unmapped_parent { PARENT_NONE, PARENT_UNMAPPED, PARENT_MAPPED };

static enum unmapped_parent unmapped_parent(struct drg_unmapped *x, const struct drg_record *r,
                                            enum drg_field field, enum drg_kind kind)
{
	struct drg_rows rows;
	struct drg_record key;
	enum unmapped_parent found = PARENT_NONE;
	if (!drg_record_has(r, field))
		return found;
	drg_key_source(&key, r->v[DRG_F_ADAPTER_ID].i, kind, drg_record_s(r, field));
	drg_rows_get(&rows, x->s, &key, NULL);
	if (drg_rows_next(&rows))
		found = drg_record_has(&rows.row.r, DRG_F_DICT_ID) ? PARENT_MAPPED : PARENT_UNMAPPED;
	int rc = drg_rows_end(&rows);
	x->rc = rc == DRG_ENOENT ? x->rc : rc;
	return found;
}

/* True if the matcher's reason is out of date, because the country or city is mapped by now. */
static bool unmapped_is_old(enum drg_match_reason said, enum unmapped_parent country,
                            enum unmapped_parent city)
{
	bool of_country = said == DRG_WHY_COUNTRY_UNMAPPED || said == DRG_WHY_COUNTRY_MISSING;
	return (of_country && country == PARENT_MAPPED) ||
	       (said == DRG_WHY_CITY_UNMAPPED && city == PARENT_MAPPED);
}

/* The reason that lies in the record itself: what it is missing. */
static const char *reason_of_record(const struct drg_record *r)
{
	enum drg_kind kind = drg_record_kind(r);
	if (!drg_kind_has(DRG_TYPE_SOURCE, kind, DRG_F_SRC_COUNTRY_ID))
		return "";
	if (drg_kind_has(DRG_TYPE_SOURCE, kind, DRG_F_SRC_CITY_ID) && !drg_record_has(r, DRG_F_SRC_CITY_ID) &&
	    !drg_record_has(r, DRG_F_CITY_NAME))
		return "lacks its city";
	return drg_record_has(r, DRG_F_LAT) && drg_record_has(r, DRG_F_LNG) ? "" : "lacks coordinates";
}

/* Records of a kind that are called so. */
struct namesakes {
	const struct drg_unmapped *x;
	const struct drg_name_part *part;
	bool base;
	enum drg_kind kind;
	unsigned n;
	int64_t id;
};

static int count_namesake(void *ctx, enum drg_name_fit fit, const struct drg_name_entry *e)
{
	struct namesakes *c = ctx;
	const struct drg_named *named = &c->part->records[e->record];
	if (fit != DRG_NAME_EXACT || c->n > 1)
		return DRG_ESTOPPED;
	if (named->kind != (uint32_t)c->kind || (c->n > 0 && named->id == c->id) ||
	    (c->base && drg_name_index_changed(c->x->names, named)))
		return DRG_OK;
	c->n++;
	c->id = named->id;
	return DRG_OK;
}

/* count_namesake() ends the search when it has seen enough: its code says nothing else. */
static void count_namesakes(struct namesakes *c, const struct drg_name_part *part, struct drg_str folded)
{
	c->part = part;
	(void)!drg_name_part_find(part, folded, count_namesake, c);
}

static struct namesakes find_namesakes(struct drg_unmapped *x, const struct drg_record *r)
{
	struct namesakes c = { .x = x, .kind = drg_record_kind(r), .base = true };
	drg_buf_clear(&x->folded);
	drg_fold(drg_record_s(r, DRG_F_NAME), DRG_FOLD_PLAIN, &x->folded);
	if (x->folded.n == 0)
		return c;
	count_namesakes(&c, drg_name_index_base(x->names), drg_buf_view(&x->folded));
	c.base = false;
	count_namesakes(&c, drg_name_index_fresh(x->names), drg_buf_view(&x->folded));
	return c;
}

/* By the names alone, where the matcher has not been asked. */
static int reason_by_names(struct drg_unmapped *x, const struct drg_record *source)
{
	const struct namesakes c = find_namesakes(x, source);
	if (c.n == 0)
		return snprintf(x->reason, sizeof x->reason, "no candidate: nothing is called so");
	if (c.n > 1)
		return snprintf(x->reason, sizeof x->reason, "several are called so");
	return snprintf(x->reason, sizeof x->reason, "is called like %" PRId64, c.id);
}

struct drg_str drg_unmapped_reason(struct drg_unmapped *x, const struct drg_record *source)
{
	enum drg_kind kind = drg_record_kind(source);
	enum unmapped_parent country = PARENT_NONE, city = PARENT_NONE;
	enum drg_match_reason reason;
	const char *own = reason_of_record(source);
	if (drg_kind_has(DRG_TYPE_SOURCE, kind, DRG_F_SRC_COUNTRY_ID))
		country = unmapped_parent(x, source, DRG_F_SRC_COUNTRY_ID, DRG_KIND_COUNTRY);
	if (drg_kind_has(DRG_TYPE_SOURCE, kind, DRG_F_SRC_CITY_ID))
		city = unmapped_parent(x, source, DRG_F_SRC_CITY_ID, DRG_KIND_CITY);
	struct drg_str said =
	        drg_suggested_words(&x->suggested, source, x->reason, sizeof x->reason, &reason);
	if (country == PARENT_UNMAPPED && reason != DRG_WHY_COUNTRY_MISSING)
		return DRG_STR("its country is not mapped");
	if (country != PARENT_UNMAPPED && city == PARENT_UNMAPPED)
		return DRG_STR("its city is not mapped");
	if (said.n > 0 && !unmapped_is_old(reason, country, city))
		return said;
	return own[0] != '\0' ? drg_str_c(own) : drg_str(x->reason, (size_t)reason_by_names(x, source));
}
