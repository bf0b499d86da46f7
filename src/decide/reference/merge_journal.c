#include "decide/reference/merge_journal.h"

#include <assert.h>

#include "model/ndjson.h"
#include "text/json.h"

/* A line of the interchange format may have 8 MiB; one is left for the rest of the redirect. */
enum { JOURNAL_MAX = 7 << 20 };

/* ---- writing ------------------------------------------------------------------------------------------- */

void drg_journal_init(struct drg_journal *j)
{
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		drg_buf_init(&j->dicts[k], JOURNAL_MAX);
	drg_buf_init(&j->directions, JOURNAL_MAX);
	drg_buf_init(&j->contents, JOURNAL_MAX);
}

void drg_journal_done(struct drg_journal *j)
{
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		drg_buf_done(&j->dicts[k]);
	drg_buf_done(&j->directions);
	drg_buf_done(&j->contents);
}

static void comma(struct drg_buf *b)
{
	if (b->n > 0)
		drg_buf_char(b, ',');
}

void drg_journal_dict(struct drg_journal *j, const struct drg_record *r)
{
	assert(r->type->id == DRG_TYPE_DICT);
	struct drg_buf *b = &j->dicts[drg_record_kind(r)];
	comma(b);
	drg_buf_i64(b, r->v[DRG_F_ID].i);
}

void drg_journal_direction(struct drg_journal *j, const struct drg_record *r, bool kept)
{
	assert(r->type->id == DRG_TYPE_DIRECTION);
	comma(&j->directions);
	drg_buf_printf(&j->directions, "[%lld,%lld,%lld,%s]", (long long)r->v[DRG_F_ADAPTER_ID].i,
	               (long long)r->v[DRG_F_DEP_CITY_ID].i, (long long)r->v[DRG_F_COUNTRY_ID].i,
	               kept ? "true" : "false");
}

void drg_journal_content(struct drg_journal *j, const struct drg_record *r)
{
	assert(r->type->id == DRG_TYPE_HOTEL_CONTENT);
	comma(&j->contents);
	drg_buf_printf(&j->contents, "[%lld,", (long long)r->v[DRG_F_ADAPTER_ID].i);
	drg_json_string(&j->contents, drg_record_s(r, DRG_F_HOTEL_ID));
}

void drg_journal_content_ref(struct drg_journal *j, unsigned ref)
{
	drg_buf_printf(&j->contents, ",%u", ref);
}

void drg_journal_content_end(struct drg_journal *j)
{
	drg_buf_char(&j->contents, ']');
}

static void merge_journal_write_member(struct drg_jw *w, const char *name, const struct drg_buf *list)
{
	if (list->n > 0) {
		drg_jw_member_array(w, name);
		drg_jw_raw(w, drg_buf_view(list));
		drg_jw_array_end(w);
	}
	if (list->rc != DRG_OK && w->b->rc == DRG_OK)
		w->b->rc = list->rc;
}

static void write_record(struct drg_jw *w, const struct drg_record *r)
{
	struct drg_buf line;
	drg_buf_init(&line, JOURNAL_MAX);
	drg_ndjson_write(r, &line);
	line.n -= line.n > 0; /* the newline */
	if (line.rc == DRG_OK)
		drg_jw_raw(w, drg_buf_view(&line));
	else
		w->b->rc = line.rc;
	drg_buf_done(&line);
}

/* Copy the text to the arena and free the buffer. */
static int merge_journal_finish(struct drg_buf *b, struct drg_arena *arena, struct drg_str *ret,
                                struct drg_err *reterr)
{
	int rc = b->rc;
	struct drg_str text = rc == DRG_OK ? drg_arena_str(arena, drg_buf_view(b)) : drg_str(NULL, 0);
	drg_buf_done(b);
	if (rc == DRG_ELIMIT)
		return drg_fail(reterr, rc, DRG_R(too_large), NULL,
		                "more records refer to it than a redirect can remember (%d MiB)",
		                JOURNAL_MAX >> 20);
	if (text.p == NULL)
		return drg_fail_memory(reterr);
	*ret = text;
	return DRG_OK;
}

int drg_journal_text(const struct drg_journal *j, const struct drg_record *from, struct drg_arena *arena,
                     struct drg_str *ret, struct drg_err *reterr)
{
	struct drg_buf b;
	drg_buf_init(&b, JOURNAL_MAX);
	struct drg_jw w = { .b = &b };
	drg_jw_object(&w);
	drg_jw_key(&w, "record");
	write_record(&w, from);
	drg_jw_member_object(&w, "moved");
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		merge_journal_write_member(&w, drg_kind_name((enum drg_kind)k), &j->dicts[k]);
	merge_journal_write_member(&w, "direction", &j->directions);
	merge_journal_write_member(&w, "hotel_content", &j->contents);
	drg_jw_object_end(&w);
	drg_jw_object_end(&w);
	return merge_journal_finish(&b, arena, ret, reterr);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static int unknown_undo(struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_EINVAL, DRG_R(bad_undo), "undo",
	                "the undo of its redirect is not what a merge writes: it cannot be split");
}

static bool is_of(const struct drg_record *r, const struct drg_record *redirect)
{
	return r->type->id == DRG_TYPE_DICT && !r->deleted &&
	       drg_record_kind(r) == drg_record_kind(redirect) && r->v[DRG_F_ID].i == redirect->v[DRG_F_ID].i;
}

int drg_undo_read(const struct drg_record *redirect, struct drg_arena *arena, struct drg_undo *ret,
                  struct drg_err *reterr)
{
	assert(redirect->type->id == DRG_TYPE_REDIRECT);
	struct drg_undo u = { .json = NULL };
	if (!drg_record_has(redirect, DRG_F_DATA))
		return drg_fail(reterr, DRG_EINVAL, DRG_R(no_undo), "undo",
		                "its redirect came without undo: it cannot be split");
	struct drg_str text = redirect->v[DRG_F_DATA].s;
	/* The only text that is parsed into a tree: drg_undo_note() adds to it, and it is written again. */
	int rc = drg_json_parse(text, &u.json, reterr);
	if (rc != DRG_OK)
		return rc == DRG_EINVAL ? unknown_undo(reterr) : rc;
	if (!json_is_object(u.json)) {
		json_decref(u.json);
		return unknown_undo(reterr);
	}
	struct drg_str line;
	u.moved = json_object_get(u.json, "moved");
	rc = drg_json_member_raw(text, DRG_STR("record"), &line);
	if (rc != DRG_OK)
		rc = drg_fail_memory(reterr);
	else
		rc = drg_ndjson_read(line, arena, &u.record, reterr);
	if (rc == DRG_EINVAL ||
	    (rc == DRG_OK && (!is_of(&u.record, redirect) || (u.moved != NULL && !json_is_object(u.moved)))))
		rc = unknown_undo(reterr);
	if (rc == DRG_OK)
		*ret = u;
	else
		json_decref(u.json);
	return rc;
}

void drg_undo_done(struct drg_undo *u)
{
	json_decref(u->json);
}

int drg_undo_note(struct drg_undo *u, enum drg_kind kind, int64_t id)
{
	const char *name = drg_kind_name(kind);
	if (u->moved == NULL && json_object_set_new(u->json, "moved", json_object()) != 0)
		return DRG_ENOMEM;
	u->moved = json_object_get(u->json, "moved");
	if (!json_is_array(json_object_get(u->moved, name)) &&
	    json_object_set_new(u->moved, name, json_array()) != 0)
		return DRG_ENOMEM;
	json_t *ids = json_object_get(u->moved, name);
	for (size_t i = 0; i < json_array_size(ids); i++)
		if (json_integer_value(json_array_get(ids, i)) == id)
			return DRG_OK;
	return json_array_append_new(ids, json_integer(id)) == 0 ? DRG_OK : DRG_ENOMEM;
}

int drg_undo_text(const struct drg_undo *u, struct drg_arena *arena, struct drg_str *ret,
                  struct drg_err *reterr)
{
	struct drg_buf b;
	drg_buf_init(&b, JOURNAL_MAX);
	struct drg_jw w = { .b = &b };
	drg_jw_object(&w);
	drg_jw_key(&w, "record");
	write_record(&w, &u->record);
	if (u->moved != NULL) {
		drg_jw_key(&w, "moved");
		drg_json_value(&b, u->moved);
	}
	drg_jw_object_end(&w);
	return merge_journal_finish(&b, arena, ret, reterr);
}
