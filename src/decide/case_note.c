#include "decide/case_note.h"

#include <assert.h>

#include "base/clock.h"
#include "model/key.h"
#include "text/stamp.h"
#include "text/utf8.h"

#define NOTE_WORD(id, word) [DRG_NOTE_##id] = word,
static const char *const note_words[] = { DRG_CASE_NOTES(NOTE_WORD) };
#undef NOTE_WORD

enum drg_case_note_what drg_case_note_by_word(struct drg_str word)
{
	unsigned k = 0;
	while (k < DRG_CASE_NOTE_COUNT && !drg_str_eq(word, drg_str_c(note_words[k])))
		k++;
	return (enum drg_case_note_what)k;
}

int64_t drg_case_note_until(struct drg_str detail)
{
	int64_t us;
	if (detail.n == 0)
		return INT64_MAX;
	return detail.n == strlen("2026-11-24") && drg_stamp_read(detail, &us) == NULL ? us : INT64_MIN;
}

/* ---- the person who should look ------------------------------------------------------------------------ */

static int note_find_person(struct drg_case_noting *d, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter people = { .type = &drg_types[DRG_TYPE_PERSON] };
	bool found = false;
	for (drg_rows_scan(&rows, s, &people, reterr); !found && drg_rows_next(&rows);) {
		const struct drg_record *r = &rows.row.r;
		struct drg_str name = drg_record_s(r, DRG_F_NAME);
		if (drg_record_i(r, DRG_F_DISABLED, 0) != 0 ||
		    drg_record_i(r, DRG_F_PERSON_ROLE, DRG_PERSON_VIEWER) == DRG_PERSON_VIEWER ||
		    name.n > sizeof d->person || !drg_str_eq_nocase(name, d->note.detail))
			continue;
		memcpy(d->person, name.p, name.n);
		d->note.detail = drg_str(d->person, name.n);
		found = true;
	}
	int rc = drg_rows_end(&rows);
	if (found || rc != DRG_OK)
		return rc;
	return drg_fail(reterr, DRG_ENOENT, DRG_R(unknown_user), "text",
	                "text: there is nobody of the name \"%.*s\" who may decide",
	                DRG_STR_ARG(d->note.detail));
}

/* ---- checks -------------------------------------------------------------------------------------------- */

static int note_check(struct drg_case_noting *d, enum drg_case_note_what what, struct drg_store *s,
                      struct drg_err *reterr)
{
	struct drg_str text = d->note.detail;
	const char *expected = NULL;
	if (what == DRG_NOTE_ASSIGN)
		return note_find_person(d, s, reterr);
	if (what == DRG_NOTE_COMMENT &&
	    (!drg_utf8_valid(text, NULL) || drg_utf8_is_blank(text) || drg_utf8_has_control(text) ||
	     drg_utf8_count(text) > DRG_COMMENT_MAX))
		expected = "a text of 1 to 1,000 characters, without control characters";
	else if (what == DRG_NOTE_LATER && drg_case_note_until(text) == INT64_MIN)
		expected = "nothing, or a day such as 2026-12-01";
	else if ((what == DRG_NOTE_NOW || what == DRG_NOTE_UNASSIGN) && text.n > 0)
		expected = "nothing";
	return expected == NULL ? DRG_OK
	                        : drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_text), "text",
	                                   "text: expected %s", expected);
}

struct note_last {
	int64_t at_us;
	unsigned n;
};

static int note_take_last(void *ctx, const struct drg_case_note *n)
{
	struct note_last *last = ctx;
	last->at_us = n->at_us;
	last->n++;
	return DRG_OK;
}

/* Notes that undo another note have room of their own, so the last note of a full case can be undone too. */
static int note_check_room(enum drg_case_note_what what, unsigned n, struct drg_err *reterr)
{
	const bool back = what == DRG_NOTE_NOW || what == DRG_NOTE_UNASSIGN;
	if (n < (unsigned)DRG_CASE_NOTES_MAX * (back ? 2 : 1))
		return DRG_OK;
	return drg_fail(reterr, DRG_EEXIST, DRG_R(conflict), "id",
	                "id: a case has at most %d notes, and this one has them", DRG_CASE_NOTES_MAX);
}

int drg_case_note_run(void *noting, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_case_noting *d = noting;
	struct drg_case_note *n = &d->note;
	struct drg_store *s = drg_txn_store(t);
	struct note_last last = { .at_us = 0 };
	struct drg_record key;
	assert(drg_case_note_by_word(n->what) < DRG_CASE_NOTE_COUNT && drg_kind_is_source(n->kind));
	drg_key_source(&key, n->adapter, n->kind, n->id);
	int rc = drg_store_exists(s, &key, reterr);
	if (rc == DRG_ENOENT)
		return drg_fail(reterr, rc, DRG_R(unknown_source), "id",
		                "id: this supplier has no %s with the id \"%.*s\"", drg_kind_name(n->kind),
		                DRG_STR_ARG(n->id));
	if (rc == DRG_OK)
		rc = note_check(d, drg_case_note_by_word(n->what), s, reterr);
	if (rc == DRG_OK)
		rc = drg_store_case_notes(s, n->adapter, n->kind, n->id, note_take_last, &last, reterr);
	if (rc == DRG_OK)
		rc = note_check_room(drg_case_note_by_word(n->what), last.n, reterr);
	n->at_us = drg_wall_us();
	if (n->at_us <= last.at_us)
		n->at_us = last.at_us + 1;
	return rc == DRG_OK ? drg_txn_case_note(t, n, reterr) : rc;
}
