#include "load/load.h"

#include <stdio.h>
#include <stdlib.h>

#include "load/load_priv.h"
#include "model/key.h"

/* Most ids of a supplier's file were in the file of the week before. If a lower share than this is known, the
 * file is probably another supplier's. */
enum { KNOWN_PERCENT = 20, KNOWN_FROM = 20 };

/* Ceiling of a stored profile. */
enum { PROFILE_MAX = 1 << 20 };

const char *const drg_load_words[DRG_LOAD_WHATS] = {
	[DRG_LOAD_NEW] = "new",           [DRG_LOAD_CHANGED] = "changed", [DRG_LOAD_CLEARED] = "cleared",
	[DRG_LOAD_GONE] = "gone",         [DRG_LOAD_TWICE] = "twice",     [DRG_LOAD_UNMAPPED] = "unmapped",
	[DRG_LOAD_REJECTED] = "rejected", [DRG_LOAD_WARNED] = "warning",  [DRG_LOAD_SKIPPED] = "skipped",
	[DRG_LOAD_KEPT] = "kept",         [DRG_LOAD_OTHER] = "other",
};

/* ---- reports ------------------------------------------------------------------------------------------- */

/* "hotels.xlsx, sheet Side": rows of several sheets have the same numbers. */
static const char *load_file_name(const struct load_run *l)
{
	if (l->label[0] != '\0')
		return l->label;
	const char *const *names = l->o->names != NULL ? l->o->names : l->o->files;
	return names[l->next_file > 0 ? l->next_file - 1 : 0];
}

void drg_load_note(struct load_run *l, enum drg_load_what what, const struct drg_record *r, const char *field,
                   struct drg_str from, struct drg_str to)
{
	const struct drg_load_note n = {
		.what = what,
		.kind = drg_record_kind(r),
		.id = drg_record_s(r, DRG_F_SOURCE_ID),
		.name = drg_record_s(r, DRG_F_NAME),
		.field = field,
		.from = from,
		.to = to,
		.file = load_file_name(l),
		.line = l->line,
	};
	if (l->o->note != NULL)
		l->o->note(l->o->ctx, &n);
}

int drg_load_reject(struct load_run *l, const struct drg_record *r, struct drg_str reasons,
                    struct drg_err *reterr)
{
	const struct load_bad b = { (uint32_t)(l->next_file - 1),
		                    l->label[0] != '\0' ? l->sheets_read[l->n_sheets_read - 1].name : NULL,
		                    l->line, l->bad_texts.n, reasons.n };
	if (l->o->rejects != NULL) { /* kept for a file of rejects only: a hostile file has millions */
		drg_buf_add(&l->bad, &b, sizeof b);
		drg_buf_str(&l->bad_texts, reasons);
	}
	l->sums->rejected += !l->row_rejected;
	l->row_rejected = true;
	drg_load_note(l, DRG_LOAD_REJECTED, r, "", drg_str("", 0), reasons);
	return l->bad.rc == DRG_OK && l->bad_texts.rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
}

/* ---- rows to records ----------------------------------------------------------------------------------- */

void drg_load_give(struct load_run *l, const struct drg_record *r, bool asks)
{
	drg_import_append(l->batch, r, l->next_file > 0 ? (uint32_t)l->next_file - 1 : 0, l->line, asks);
}

/* Pass the profile to the import, like the records: both are stored or none. */
static int load_give_profile(struct load_run *l, struct drg_err *reterr)
{
	struct drg_record r;
	struct drg_buf data;
	drg_key_profile(&r, l->o->adapter, l->plan.profile.kind);
	drg_buf_init(&data, PROFILE_MAX);
	drg_profile_write(&l->plan.profile, &data);
	drg_record_set_s(&r, DRG_F_DATA, drg_buf_view(&data));
	int rc = DRG_OK;
	if (data.rc == DRG_ELIMIT)
		rc = drg_fail(reterr, DRG_EINVAL, DRG_R(list_too_large), NULL,
		              "%s:%llu: expected names of columns of at most %d MiB in all, found more",
		              l->plan.path, (unsigned long long)l->plan.header_line, PROFILE_MAX >> 20);
	else if (data.rc != DRG_OK)
		rc = drg_fail_memory(reterr);
	else
		drg_load_give(l, &r, false);
	drg_buf_done(&data);
	return rc;
}

static int load_begin_file(struct load_run *l, struct drg_err *reterr)
{
	const bool first = l->next_sheet == l->n_sheets;
	int rc = drg_load_open_next(l, reterr);
	if (rc != DRG_OK || l->plan.sheet == NULL)
		return rc;
	struct drg_profile *p = &l->plan.profile;
	l->line = l->plan.header_line;
	p->complete = p->complete || l->o->complete;
	rc = drg_load_order_degrees(l, reterr);
	if (rc != DRG_OK)
		return rc;
	if (p->complete)
		l->complete |= 1U << p->kind;
	l->sums->proposed |= l->plan.proposed;
	if (l->o->planned != NULL && first)
		l->o->planned(l->o->ctx, &l->plan);
	return (l->plan.proposed || l->plan.wished) && l->o->accept && first ? load_give_profile(l, reterr)
	                                                                     : DRG_OK;
}

static uint64_t mask_of(const struct drg_profile *p)
{
	uint64_t mask = 0;
	for (unsigned i = 0; i < p->n_columns; i++)
		mask |= drg_field_bit(p->columns[i].field->field);
	mask |= p->country.n > 0 ? drg_field_bit(DRG_F_COUNTRY_NAME) : 0;
	mask |= p->category.n > 0 ? drg_field_bit(DRG_F_CATEGORY_NAME) : 0;
	return mask;
}

static int load_also(struct load_run *l, const struct drg_record *row, enum drg_kind kind,
                     struct drg_err *reterr)
{
	const uint64_t mask = UINT64_C(1) << DRG_F_NAME;
	struct drg_record r;
	if (!drg_convert_also(row, kind, &r))
		return DRG_OK;
	enum drg_seen_result seen = drg_seen_add(&l->seen, (unsigned)kind, r.v[DRG_F_SOURCE_ID].s);
	if (seen == DRG_SEEN_NO_MEMORY)
		return drg_fail_memory(reterr);
	return seen == DRG_SEEN_BEFORE ? DRG_OK : drg_load_record(l, &r, mask, reterr);
}

/* Reject a row. If its id can be read, the record is at least not gone. */
static int reject_row(struct load_run *l, const struct drg_converted *c, struct drg_err *reterr)
{
	if (drg_record_has(&c->r, DRG_F_SOURCE_ID) &&
	    drg_seen_add(&l->seen, (unsigned)l->plan.profile.kind, c->r.v[DRG_F_SOURCE_ID].s) ==
	            DRG_SEEN_NO_MEMORY)
		return drg_fail_memory(reterr);
	return drg_load_reject(l, &c->r, c->reasons, reterr);
}

/* "Total;29" in a list of names and codes: is it a total of 29 rows, or a record with that name? */
static bool is_named_total(const struct load_run *l, const struct drg_converted *c)
{
	const enum drg_kind kind = l->plan.profile.kind;
	const uint64_t before = l->sums->rows - 1 - l->sums->skipped;
	int64_t n;
	return drg_profile_of_codes(kind) && c->skipped != NULL && drg_record_has(&c->r, DRG_F_SOURCE_ID) &&
	       drg_column_is_total(drg_record_s(&c->r, DRG_F_NAME)) &&
	       !(drg_str_to_i64(c->r.v[DRG_F_SOURCE_ID].s, &n) && n >= 0 && (uint64_t)n == before);
}

static int take_row(struct load_run *l, const struct load_row *row, struct drg_err *reterr)
{
	const struct drg_profile *p = &l->plan.profile;
	struct drg_converted c = row->c;
	bool known = drg_record_has(&c.r, DRG_F_SOURCE_ID) &&
	             drg_load_stored(l, p->kind, c.r.v[DRG_F_SOURCE_ID].s) != NULL;
	l->line = row->line;
	l->row_rejected = false;
	l->sums->rows++;
	if (l->n_sheets_read > 0)
		l->sheets_read[l->n_sheets_read - 1].rows++;
	const char *skipped = known || is_named_total(l, &c) ? NULL : c.skipped;
	l->lost += c.idless || c.swallows;
	if (skipped == NULL && c.lone && !known)
		skipped = "nothing but this cell";
	if (skipped != NULL) {
		l->sums->skipped++;
		drg_load_note(l, DRG_LOAD_SKIPPED, &c.r, "", drg_str("", 0), drg_str_c(skipped));
		return DRG_OK;
	}
	if (c.reasons.n > 0)
		return reject_row(l, &c, reterr);
	if (c.warning.n > 0) {
		l->sums->warned += c.placeless;
		l->sums->doubtful += !c.placeless;
		drg_load_note(l, DRG_LOAD_WARNED, &c.r, "", drg_str("", 0), c.warning);
	}
	enum drg_seen_result seen = drg_seen_add(&l->seen, (unsigned)p->kind, c.r.v[DRG_F_SOURCE_ID].s);
	if (seen == DRG_SEEN_NO_MEMORY)
		return drg_fail_memory(reterr);
	if (seen == DRG_SEEN_BEFORE) {
		l->sums->twice++;
		drg_load_note(l, DRG_LOAD_TWICE, &c.r, "", drg_str("", 0), drg_str("", 0));
	}
	int rc = drg_load_record(l, &c.r, mask_of(p) & ~c.unsaid, reterr);
	for (unsigned k = 0; k < DRG_KIND_COUNT && rc == DRG_OK; k++)
		if ((p->also >> k & 1) != 0 && k != (unsigned)p->kind)
			rc = load_also(l, &c.r, (enum drg_kind)k, reterr);
	return rc;
}

/* ---- before anything is applied ------------------------------------------------------------------------ */

static int check_ids(const struct load_run *l, struct drg_err *reterr)
{
	if (l->sums->rows == 0 || l->sums->skipped < l->sums->rows || l->o->wishes.look)
		return DRG_OK;
	return drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_column), NULL,
	                "none of %llu rows has an id: --map id=COLUMN says where it is",
	                (unsigned long long)l->sums->rows);
}

/* Reject what only an option allows. */
static int check_allowed(struct load_run *l, struct drg_err *reterr)
{
	if (l->sums->rejected > 0 && !l->o->keep_going && !l->o->accept_rejected && !l->o->dry_run)
		return drg_fail(
		        reterr, DRG_EINVAL, DRG_R(bad_rows), NULL,
		        "%llu of %llu rows are bad, nothing was applied; --rejects FILE writes them with "
		        "their reasons, --keep-going loads the good ones%s",
		        (unsigned long long)l->sums->rejected, (unsigned long long)l->sums->rows,
		        l->complete != 0 ? ", --accept-rejected also removes what no row names" : "");
	for (unsigned k = 0; k < DRG_KIND_COUNT && !l->o->accept; k++)
		if (l->stored[k] >= KNOWN_FROM && l->read[k] >= KNOWN_FROM &&
		    l->known[k] * 100 < l->read[k] * KNOWN_PERCENT)
			return drg_fail(
			        reterr, DRG_EINVAL, DRG_R(other_file), NULL,
			        "only %llu of %llu %s ids in the file are known of this supplier: is it "
			        "another's file? nothing was applied; --accept loads it all the same",
			        (unsigned long long)l->known[k], (unsigned long long)l->read[k],
			        drg_kind_name((enum drg_kind)k));
	if (l->sums->proposed && !l->o->accept && !l->o->dry_run)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(new_columns), NULL,
		                "nothing was applied: this file is new; check the proposed columns, correct "
		                "them with --map FIELD=COLUMN, and load it with --accept");
	return DRG_OK;
}

/* All files are read: is the load allowed, and what is gone? Of a load that is refused that is said too. */
static int check_all(struct load_run *l, struct drg_err *reterr)
{
	struct drg_err refused;
	int rc = check_ids(l, reterr), allowed = check_allowed(l, &refused);
	/* A row that cannot be read, has no id or is within another may be any record that seems to be gone. */
	bool doubtful = (l->sums->rejected > 0 || l->lost > 0) && !l->o->accept_rejected;
	l->keep_gone = doubtful || allowed != DRG_OK;
	if (rc == DRG_OK)
		rc = drg_load_find_gone(l, reterr);
	if (rc != DRG_OK || l->keep_gone)
		*(doubtful ? &l->sums->gone_left : &l->sums->gone_refused) = drg_load_keep_gone(l);
	if (rc == DRG_OK && allowed != DRG_OK) {
		*reterr = refused;
		rc = allowed;
	}
	return rc;
}

static int count_stored(void *ctx, const struct drg_count *c)
{
	struct load_run *l = ctx;
	if (c->type->id == DRG_TYPE_SOURCE && c->adapter == l->o->adapter)
		l->stored[c->kind] = (uint64_t)c->live;
	return DRG_OK;
}

/* Read profiles and counts, once no other import can change them any more. */
static int load_look(struct load_run *l, struct drg_err *reterr)
{
	int rc = drg_profiles_load(l->store, l->o->adapter, &l->plans, &l->profiles, reterr);
	l->looked = true;
	return rc == DRG_OK ? drg_store_counts(l->store, count_stored, l, reterr) : rc;
}

/* Give the import the records of the next row. */
static int load_next(void *ctx, struct drg_import_batch *to, struct drg_err *reterr)
{
	struct load_run *l = ctx;
	const struct load_row *row;
	l->batch = to;
	if (l->o->stop_reading != NULL && atomic_load(l->o->stop_reading))
		return drg_fail(reterr, DRG_ESTOPPED, DRG_R(shutting_down), NULL, "it was stopped");
	if (!l->looked)
		return load_look(l, reterr);
	if (l->plan.sheet == NULL && (l->next_sheet < l->n_sheets || l->next_file < l->o->n_files))
		return load_begin_file(l, reterr);
	if (l->plan.sheet == NULL && !l->gone_found) {
		l->gone_found = true;
		return check_all(l, reterr);
	}
	if (l->plan.sheet == NULL)
		return drg_load_remove(l, reterr);
	int rc = drg_load_next_row(l, &row, reterr);
	if (rc == DRG_ENOENT) {
		const struct drg_sheet_about *a = drg_sheet_about(l->plan.sheet);
		l->sums->merged += a->merged;
		l->sums->formulas += a->formulas;
		l->sums->hidden += a->hidden;
		if (l->next_sheet == l->n_sheets)
			drg_load_tell_sheets(l, l->plan.sheet);
		drg_plan_close(&l->plan);
		return DRG_OK;
	}
	return rc == DRG_OK ? take_row(l, row, reterr) : rc;
}

/* ---- all ----------------------------------------------------------------------------------------------- */

/* Refuse a rejects file that would overwrite the list to be corrected. */
static int load_check_rejects(const struct drg_load_options *o, struct drg_err *reterr)
{
	if (o->rejects == NULL || !drg_import_reads(o->files, o->n_files, o->rejects))
		return DRG_OK;
	return drg_fail(reterr, DRG_EUSAGE, NULL, NULL,
	                "%s is read by this load: name another file for the rejects", o->rejects);
}

static int load_open(struct load_run *l, struct drg_err *reterr)
{
	int rc = load_check_rejects(l->o, reterr);
	return rc == DRG_OK ? drg_store_open(l->o->store_url, DRG_STORE_READ, &l->store, reterr) : rc;
}

static int load_import(struct load_run *l, struct drg_err *reterr)
{
	const struct drg_record_feed feed = { load_next, l };
	const struct drg_import_options io = {
		.store_url = l->o->store_url,
		.dir = l->o->dir,
		.files = l->o->files,
		.names = l->o->names,
		.n_files = l->o->n_files,
		.feed = &feed,
		.dry_run = l->o->dry_run || (l->sums->proposed && !l->o->accept),
		.what = DRG_BATCH_LOAD,
		.by = l->o->by,
		.why = l->o->why,
		.remember = true,
		.stop = l->o->stop,
		.progress = l->o->progress,
		.ctx = l->o->ctx,
	};
	return drg_import(&io, &l->sums->import, reterr);
}

int drg_load(const struct drg_load_options *o, struct drg_load_sums *ret, struct drg_err *reterr)
{
	struct load_run *l = calloc(1, sizeof *l);
	struct drg_err e;
	if (l == NULL)
		return drg_fail_memory(reterr);
	*ret = (struct drg_load_sums){ .rows = 0 };
	l->o = o;
	l->sums = ret;
	drg_arena_init(&l->plans, SIZE_MAX); /* each plan has its own ceiling */
	drg_load_block_init(&l->block);
	drg_buf_init(&l->bad, SIZE_MAX);
	drg_buf_init(&l->gone, SIZE_MAX);
	drg_arena_init(&l->gone_texts, SIZE_MAX);
	drg_buf_init(&l->bad_texts, SIZE_MAX);
	int rc = load_open(l, reterr);
	if (rc == DRG_OK)
		rc = load_import(l, reterr);
	if (l->bad.n > 0 && o->rejects != NULL && drg_load_write_rejects(l, &e) != DRG_OK && rc == DRG_OK) {
		rc = e.code;
		*reterr = e;
	}
	drg_plan_close(&l->plan);
	drg_store_close(l->store);
	drg_house_compare_free(l->houses);
	drg_seen_done(&l->seen);
	drg_seen_done(&l->mapped);
	drg_redirects_free(l->redirects);
	drg_load_block_done(&l->block);
	drg_buf_done(&l->bad);
	drg_buf_done(&l->gone);
	drg_arena_done(&l->gone_texts);
	drg_buf_done(&l->bad_texts);
	drg_arena_done(&l->plans);
	free(l);
	return rc;
}
