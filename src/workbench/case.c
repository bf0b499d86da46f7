/* GET curate/case: one case with everything that is known of it (decision C2). */
#include <math.h>

#include "api/curate_words.h"
#include "api/gather.h"
#include "api/item.h"
#include "api/store_work.h"
#include "api/tables.h"
#include "decide/case_note.h"
#include "decide/decision.h"
#include "decide/newest.h"
#include "decide/suggest.h"
#include "matching/learn/weights.h"
#include "model/key.h"
#include "store/fetch.h"
#include "store/suggestions.h"
#include "text/stamp.h"
#include "workbench/evidence.h"
#include "workbench/presence.h"
#include "workbench/record_json.h"

enum { CANDIDATES_MAX = 10, SUPPLIERS_MAX = 20, EVENTS_MAX = 50, APARTS_MAX = 100, NOTES_MAX = 100 };

struct case_candidate {
	struct drg_suggested said; /* bits: NAN where the matcher has not said them */
	bool suggested;
	struct drg_record_at dict, content; /* type NULL: it is not there */
	struct drg_copied suppliers;
};

struct case_notes {
	struct drg_case_note v[NOTES_MAX]; /* a ring */
	size_t n; /* all there are */
	struct drg_str assigned; /* p NULL: to nobody */
	int64_t later_us; /* until when the caller has put it off */
};

struct case_work {
	int64_t adapter;
	enum drg_kind kind;
	struct drg_str id, who;
	struct drg_record source;
	int64_t version;
	struct drg_record_at content;
	bool has_suggestion;
	struct drg_suggestion suggestion;
	struct case_candidate candidates[CANDIDATES_MAX];
	size_t n_candidates;
	struct drg_scorecard card;
	bool has_card; /* else the one in use is of another version of the program */
	struct drg_copied aparts;
	struct drg_newest newest;
	struct drg_record events[EVENTS_MAX]; /* the newest of them, the oldest first */
	size_t n_events;
	bool more_events;
	struct case_notes *notes;
	struct drg_arena *arena;
};

/* ---- on a thread of the readers ------------------------------------------------------------------------ */

static int case_take_suggestion(void *ctx, const struct drg_suggestion *s)
{
	struct case_work *k = ctx;
	struct drg_suggested ranked[CANDIDATES_MAX];
	k->has_suggestion = true;
	k->suggestion = *s;
	k->suggestion.reason = drg_arena_str(k->arena, s->reason);
	k->suggestion.explanation = drg_arena_str(k->arena, s->explanation);
	k->n_candidates = drg_suggest_parse(s->ranked, ranked, CANDIDATES_MAX);
	/* A case that was put back without the matcher has only an id. Bits of 0 without levels say so for a
	 * hotel; for other kinds, whose bits can be 0, the reason does. */
	bool scored = drg_kind_compared(k->kind) != DRG_COMPARED_HOTELS &&
	              !drg_str_eq(s->reason, drg_str_c(drg_reason_name(DRG_WHY_TAKEN_BACK)));
	for (size_t i = 0; i < k->n_candidates; i++)
		k->candidates[i] = (struct case_candidate){
			.said = ranked[i], .suggested = scored || ranked[i].compared || ranked[i].bits != 0
		};
	return k->suggestion.reason.p != NULL && k->suggestion.explanation.p != NULL ? DRG_OK : DRG_ENOMEM;
}

/* Add the record that it is mapped to as a candidate too. */
static void case_add_mapped(struct case_work *k)
{
	int64_t mapped = drg_record_i(&k->source, DRG_F_DICT_ID, 0);
	bool there = !drg_record_has(&k->source, DRG_F_DICT_ID);
	for (size_t i = 0; i < k->n_candidates; i++)
		there = there || k->candidates[i].said.dict_id == mapped;
	if (!there)
		k->candidates[k->n_candidates++] = (struct case_candidate){ .said.dict_id = mapped };
}

static int case_find_candidate(struct case_work *k, struct drg_store *s, struct case_candidate *c,
                               struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_record key;
	int64_t id = c->said.dict_id;
	int rc = drg_copied_init(&c->suppliers, k->arena, SUPPLIERS_MAX);
	if (rc == DRG_OK)
		rc = drg_resolve(s, k->kind, c->said.dict_id, &id, reterr);
	drg_key_dict(&key, k->kind, id);
	if (rc == DRG_OK)
		rc = drg_gather_one(s, &key, k->arena, &c->dict, reterr);
	if (rc == DRG_OK)
		rc = drg_copied_rc(&c->suppliers, drg_rows_each(drg_rows_mapped(&rows, s, k->kind, id,
		                                                                SUPPLIERS_MAX + 1, reterr),
		                                                drg_copied_take, &c->suppliers));
	c->said.dict_id = id;
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int case_find_content(struct case_work *k, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_record key;
	if (drg_kind_compared(k->kind) != DRG_COMPARED_HOTELS)
		return DRG_OK;
	drg_record_init(&key, &drg_types[DRG_TYPE_HOTEL_CONTENT]);
	drg_record_set_i(&key, DRG_F_ADAPTER_ID, k->adapter);
	drg_record_set_s(&key, DRG_F_HOTEL_ID, k->id);
	int rc = drg_gather_one(s, &key, k->arena, &k->content, reterr);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int case_find_events(struct case_work *k, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_record key, r;
	drg_key_event(&key, k->adapter, k->kind, k->id);
	int rc = drg_newest_init(&k->newest, EVENTS_MAX);
	if (rc != DRG_OK)
		return rc;
	for (drg_rows_siblings(&rows, s, &key, 0, reterr); drg_rows_next(&rows);) {
		int64_t at_us;
		if (!drg_stamp_parse(rows.row.r.v[DRG_F_AT].s, &at_us))
			at_us = INT64_MIN;
		rows.rc = drg_newest_take(&k->newest, &rows.row.r, at_us, rows.row.m.row);
	}
	rc = drg_rows_end(&rows);
	drg_newest_sort(&k->newest);
	k->more_events = k->newest.more;
	for (k->n_events = 0; k->n_events < k->newest.n && rc == DRG_OK; k->n_events++) {
		drg_newest_at(&k->newest, k->newest.n - 1 - k->n_events, &r);
		rc = drg_record_copy(k->arena, &r, &k->events[k->n_events]);
	}
	drg_newest_done(&k->newest);
	return rc;
}

/* Find the scorecard. A case is shown even if this program cannot read its scorecard. */
static int case_find_card(struct case_work *k, struct drg_store *s, struct drg_err *reterr)
{
	int rc = drg_weights_card(s, &k->card, reterr);
	k->has_card = rc == DRG_OK;
	return rc == DRG_EINVAL || rc == DRG_ELIMIT ? DRG_OK : rc;
}

/* The last NOTES_MAX of them. */
static int case_take_note(void *ctx, const struct drg_case_note *n)
{
	struct case_work *k = ctx;
	struct drg_case_note *kept = &k->notes->v[k->notes->n++ % NOTES_MAX];
	*kept = *n;
	kept->what = drg_arena_str(k->arena, n->what);
	kept->who = drg_arena_str(k->arena, n->who);
	kept->detail = drg_arena_str(k->arena, n->detail);
	switch (drg_case_note_by_word(n->what)) {
	case DRG_NOTE_ASSIGN: k->notes->assigned = kept->detail; break;
	case DRG_NOTE_UNASSIGN: k->notes->assigned.p = NULL; break;
	case DRG_NOTE_LATER:
	case DRG_NOTE_NOW:
		if (drg_str_eq(n->who, k->who))
			k->notes->later_us = drg_str_eq(n->what, DRG_STR("now"))
			                             ? INT64_MIN
			                             : drg_case_note_until(n->detail);
		break;
	case DRG_NOTE_COMMENT:
	case DRG_CASE_NOTE_COUNT: break;
	}
	return kept->what.p != NULL && kept->who.p != NULL && kept->detail.p != NULL ? DRG_OK : DRG_ENOMEM;
}

static int case_find_notes(struct case_work *k, struct drg_store *s, struct drg_err *reterr)
{
	k->notes = drg_arena_calloc(k->arena, 1, sizeof *k->notes);
	if (k->notes == NULL)
		return drg_fail_memory(reterr);
	k->notes->later_us = INT64_MIN;
	return drg_store_case_notes(s, k->adapter, k->kind, k->id, case_take_note, k, reterr);
}

static int case_find_past(struct case_work *k, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_record key;
	drg_key_not_same(&key, k->adapter, k->kind, k->id, 0);
	int rc = drg_copied_init(&k->aparts, k->arena, APARTS_MAX);
	if (rc == DRG_OK)
		rc = drg_copied_rc(&k->aparts, drg_rows_each(drg_rows_siblings(&rows, s, &key, 0, reterr),
		                                             drg_copied_take, &k->aparts));
	if (rc == DRG_OK)
		rc = case_find_notes(k, s, reterr);
	return rc == DRG_OK ? case_find_events(k, s, reterr) : rc;
}

static int case_find(struct case_work *k, struct drg_store *s, struct drg_err *reterr)
{
	int rc = drg_source_version(s, k->adapter, k->kind, k->id, &k->source, k->arena, &k->version, reterr);
	if (rc == DRG_ENOENT)
		return drg_fail(reterr, rc, DRG_R(unknown_source), "id",
		                "id: this supplier has no %s with the id \"%.*s\"", drg_kind_name(k->kind),
		                DRG_STR_ARG(k->id));
	if (rc == DRG_OK && !drg_record_has(&k->source, DRG_F_DICT_ID))
		rc = drg_store_suggestion(s, k->adapter, k->kind, k->id, case_take_suggestion, k, reterr);
	if (rc == DRG_OK || rc == DRG_ENOENT)
		rc = case_find_content(k, s, reterr);
	if (rc == DRG_OK)
		rc = case_find_card(k, s, reterr);
	if (rc == DRG_OK)
		rc = case_find_past(k, s, reterr);
	case_add_mapped(k);
	for (size_t i = 0; i < k->n_candidates && rc == DRG_OK; i++)
		rc = case_find_candidate(k, s, &k->candidates[i], reterr);
	return rc;
}

/* All of it is of one moment, and so is the version. */
static int case_run(void *work, struct drg_store *s, struct drg_arena *arena, struct drg_err *reterr)
{
	struct case_work *k = work;
	k->arena = arena;
	k->n_candidates = 0;
	k->has_suggestion = false;
	k->content.r.type = NULL;
	int rc = drg_store_hold(s, NULL, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = case_find(k, s, reterr);
	drg_store_release(s);
	return rc;
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

static bool case_is_apart(const struct case_work *k, int64_t dict_id)
{
	for (size_t i = 0; i < k->aparts.n; i++)
		if (drg_record_i(&k->aparts.v[i].r, DRG_F_APART_FROM, 0) == dict_id)
			return true;
	return false;
}

/* Write other suppliers' data about a candidate, of suppliers that the key may read. */
static void case_write_suppliers(struct drg_reading *r, const struct drg_copied *g)
{
	drg_jw_member_array(&r->w, "suppliers");
	for (size_t i = 0; i < g->n; i++) {
		const struct drg_record *s = &g->v[i].r;
		if (!drg_api_can_read(r->x, s->v[DRG_F_ADAPTER_ID].i))
			continue;
		drg_jw_object(&r->w);
		drg_curate_source_members(r, s);
		drg_curate_record(&r->w, "record", s);
		drg_jw_object_end(&r->w);
	}
	drg_jw_array_end(&r->w);
	drg_jw_member_bool(&r->w, "more_suppliers", g->more);
}

static void case_write_candidate(struct drg_reading *r, const struct case_work *k,
                                 const struct case_candidate *c, const struct drg_lang_pref *pref)
{
	const double metres = drg_curate_metres(&k->source, &c->dict.r);
	drg_jw_object(&r->w);
	drg_curate_dict_words(r, &c->dict.r, pref);
	drg_jw_member_i64(&r->w, "version", c->dict.seq);
	drg_jw_member_real(&r->w, "bits", c->suggested ? c->said.bits : NAN);
	drg_curate_evidence(&r->w, k->has_card ? &k->card : NULL, c->suggested ? &c->said : NULL,
	                    c == k->candidates && c->suggested ? (int)k->suggestion.outcome : -1);
	drg_jw_member_i64_or_null(&r->w, "metres", metres >= 0, (int64_t)(metres + 0.5));
	drg_jw_member_bool(&r->w, "not_same", case_is_apart(k, c->said.dict_id));
	drg_curate_record(&r->w, "record", &c->dict.r);
	case_write_suppliers(r, &c->suppliers);
	drg_jw_object_end(&r->w);
}

static void case_write_suggestion(struct drg_jw *w, const struct case_work *k)
{
	drg_jw_key(w, "suggestion");
	if (!k->has_suggestion) {
		drg_jw_null(w);
		return;
	}
	drg_jw_object(w);
	drg_jw_member_str(w, "outcome",
	                  drg_str_c(drg_outcome_name((enum drg_match_outcome)k->suggestion.outcome)));
	drg_jw_member_str(w, "reason", k->suggestion.reason);
	drg_jw_member_str(w, "explanation", k->suggestion.explanation);
	drg_jw_object_end(w);
}

static void case_write_past(struct drg_jw *w, const struct case_work *k)
{
	drg_jw_member_array(w, "not_same");
	for (size_t i = 0; i < k->aparts.n; i++) {
		const struct drg_record *a = &k->aparts.v[i].r;
		drg_jw_object(w);
		drg_curate_int_or_null(w, "dict_id", a, DRG_F_APART_FROM);
		drg_text_or_null(w, "at", drg_record_s(a, DRG_F_AT));
		drg_text_or_null(w, "by", drg_record_s(a, DRG_F_BY));
		drg_text_or_null(w, "why", drg_record_s(a, DRG_F_WHY));
		drg_jw_object_end(w);
	}
	drg_jw_array_end(w);
	drg_jw_member_array(w, "history");
	for (size_t i = 0; i < k->n_events; i++) {
		drg_jw_object(w);
		drg_curate_event(w, &k->events[i]);
		drg_jw_object_end(w);
	}
	drg_jw_array_end(w);
	drg_jw_member_bool(w, "more_history", k->more_events);
}

static void case_write_notes(struct drg_jw *w, const struct case_work *k)
{
	const struct case_notes *notes = k->notes;
	drg_jw_member_array(w, "notes");
	for (size_t i = notes->n > NOTES_MAX ? notes->n - NOTES_MAX : 0; i < notes->n; i++) {
		const struct drg_case_note *n = &notes->v[i % NOTES_MAX];
		drg_jw_object(w);
		drg_curate_note_members(w, n);
		drg_jw_object_end(w);
	}
	drg_jw_array_end(w);
	drg_jw_member_bool(w, "more_notes", notes->n > NOTES_MAX);
	drg_text_or_null(w, "assigned", notes->assigned);
	drg_jw_member_bool(w, "later", drg_wall_us() < notes->later_us);
}

static int case_write(struct drg_reading *r, void *work)
{
	struct case_work *k = work;
	const struct drg_lang_pref pref = drg_reading_langs(r);
	drg_data_begin(&r->w);
	drg_jw_object(&r->w);
	drg_curate_source_members(r, &k->source);
	drg_jw_member_i64(&r->w, "version", k->version);
	drg_curate_int_or_null(&r->w, "dict_id", &k->source, DRG_F_DICT_ID);
	drg_curate_record(&r->w, "record", &k->source);
	drg_curate_record(&r->w, "content", &k->content.r);
	case_write_suggestion(&r->w, k);
	drg_jw_member_array(&r->w, "candidates");
	for (size_t i = 0; i < k->n_candidates; i++)
		if (k->candidates[i].dict.r.type != NULL)
			case_write_candidate(r, k, &k->candidates[i], &pref);
	drg_jw_array_end(&r->w);
	case_write_past(&r->w, k);
	case_write_notes(&r->w, k);
	drg_presence_json(drg_app_of(r->x)->presence, k->adapter, k->kind, k->id,
	                  drg_exchange_caller(r->x)->name, &r->w);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

/* ---- the request --------------------------------------------------------------------------------------- */

static int curate_case(struct drg_exchange *x)
{
	struct case_work *k = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *k);
	if (k == NULL)
		return DRG_ENOMEM;
	k->adapter = drg_exchange_int(x, "adapter_id", 0);
	k->kind = drg_kind_by_name(drg_exchange_text(x, "kind"));
	k->id = drg_exchange_text(x, "id");
	k->who = drg_exchange_caller(x)->name;
	int rc = drg_api_check_adapter(x, k->adapter);
	return rc == DRG_OK ? drg_store_work_run(x, case_run, case_write, k) : rc;
}

static const struct drg_param case_params[] = {
	{ .name = "adapter_id", .type = DRG_P_INT, .required = true, .doc = "supplier" },
	{ .name = "kind",
	  .type = DRG_P_TEXT,
	  .required = true,
	  .max = 32,
	  .check = drg_item_check_kind,
	  .schema = DRG_SCHEMA_SOURCE_KIND,
	  .doc = "kind of the record" },
	{ .name = "id",
	  .type = DRG_P_TEXT,
	  .required = true,
	  .max = DRG_CHARS_ID,
	  .doc = "the supplier's id" },
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_curate_case[] = {
	{ .method = DRG_GET,
	  .path = "/v1/curate/case",
	  .name = "curateCase",
	  .handler = curate_case,
	  .auth = DRG_AUTH_VIEWER,
	  .params = case_params,
	  .summary = "One record of a supplier with everything known of it",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter) },
	{ 0 },
};
