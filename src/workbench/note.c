/* POST curate/note: comment on, assign or postpone a case (decision C13). */
#include "api/curate_words.h"
#include "workbench/queue/cases.h"
#include "workbench/record_json.h"
#include "api/body.h"
#include "api/tables.h"
#include "api/write.h"
#include "decide/case_note.h"
#include "text/utf8.h"

enum { ADAPTER, KIND, ID, WHAT, TEXT, BY, MEMBERS };

static const struct drg_body_field note_fields[] = {
	[ADAPTER] = { "adapter_id", DRG_B_INT, true },
	[KIND] = { "kind", DRG_B_TEXT, true },
	[ID] = { "id", DRG_B_TEXT, true },
	[WHAT] = { "what", DRG_B_TEXT, true },
	[TEXT] = { "text", DRG_B_TEXT, false },
	[BY] = { "by", DRG_B_TEXT, false },
	[MEMBERS] = { 0 },
};

struct note_request {
	struct drg_write write;
	struct drg_exchange *x;
	struct drg_case_noting asked, d; /* d: as it is run */
};

/* A drg_txn_fn; @p request is a struct note_request. It may be run again. */
static int note_run(void *request, struct drg_txn *t, struct drg_err *reterr)
{
	struct note_request *q = request;
	q->d = q->asked;
	return drg_case_note_run(&q->d, t, reterr);
}

/* Comments do not show in the queue: it is not read again for them. */
static void note_stored(void *request)
{
	const struct note_request *q = request;
	if (drg_case_note_by_word(q->d.note.what) != DRG_NOTE_COMMENT)
		drg_cases_invalidate(drg_app_of(q->x)->cases);
}

static int note_answer(struct drg_exchange *x)
{
	struct note_request *q = drg_exchange_data(x);
	struct drg_jw w = { .b = drg_exchange_out(x) };
	int rc = drg_api_write_finish(&q->write);
	if (rc != DRG_OK)
		return rc;
	drg_data_begin(&w);
	drg_jw_object(&w);
	drg_curate_note_members(&w, &q->d.note);
	drg_jw_object_end(&w);
	drg_data_end(&w);
	return DRG_OK;
}

/* If a key postpones a case, that holds for the key: nobody else can ask as it. */
static int note_who(struct drg_exchange *x, enum drg_case_note_what what, struct drg_str by,
                    struct drg_str *ret)
{
	*ret = drg_exchange_caller(x)->name;
	if (by.n == 0 || drg_api_is_person(x) || what == DRG_NOTE_LATER || what == DRG_NOTE_NOW)
		return DRG_OK;
	if (drg_utf8_count(by) > DRG_CURATE_BY_MAX)
		return drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(too_long), "by",
		                "by: expected at most %d characters", DRG_CURATE_BY_MAX);
	if (drg_utf8_has_control(by))
		return drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(control_character), "by",
		                "by: expected a text without control characters");
	return drg_curate_by(x, by, ret);
}

static int note_read(struct drg_exchange *x, struct note_request *q)
{
	struct drg_body_value v[MEMBERS] = { 0 };
	struct drg_case_note *n = &q->asked.note;
	int rc = drg_body_parse(x, v);
	if (rc != DRG_OK)
		return rc;
	const enum drg_case_note_what what = drg_case_note_by_word(v[WHAT].s);
	*n = (struct drg_case_note){ .adapter = v[ADAPTER].i,
		                     .kind = drg_kind_by_name(v[KIND].s),
		                     .id = v[ID].s,
		                     .what = v[WHAT].s,
		                     .detail = v[TEXT].given ? v[TEXT].s : DRG_STR("") };
	if (!drg_kind_is_source(n->kind))
		return drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(unknown_kind), "kind",
		                "kind: expected a kind of suppliers' records, found \"%.*s\"",
		                DRG_STR_ARG(v[KIND].s));
	if (what == DRG_CASE_NOTE_COUNT)
		return drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(unknown_word), "what",
		                "what: expected comment, assign, unassign, later or now, found \"%.*s\"",
		                DRG_STR_ARG(v[WHAT].s));
	rc = note_who(x, what, v[BY].s, &n->who);
	return rc == DRG_OK ? drg_api_check_write(x, n->adapter) : rc;
}

static int curate_note(struct drg_exchange *x)
{
	struct note_request *q = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *q);
	if (q == NULL)
		return DRG_ENOMEM;
	q->x = x;
	q->write = (struct drg_write){ .run = note_run, .ctx = q, .job.rows = 1, .stored = note_stored };
	int rc = note_read(x, q);
	if (rc != DRG_OK)
		return rc;
	drg_exchange_set_data(x, q);
	return drg_api_write(x, &q->write, note_answer);
}

const struct drg_endpoint drg_curate_note[] = {
	{ .method = DRG_POST,
	  .path = "/v1/curate/note",
	  .name = "curateNote",
	  .handler = curate_note,
	  .auth = DRG_AUTH_CURATOR,
	  .body = DRG_BODY_JSON,
	  .summary = "Comment on, assign or postpone a case",
	  .app = DRG_COLUMNS(.fields = note_fields) },
	{ 0 },
};
