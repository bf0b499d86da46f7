#include "workbench/load_json.h"

#include <assert.h>

#include "text/utf8.h"

enum { NEWS = 5, NEWS_MORE = 20, EXAMPLES = 5 };
enum { TEXT_MAX = 300, EXAMPLE_MAX = 120 };
/* Room for whatever a file has: a byte takes six where it is escaped, and names of members their own. So only
 * memory can be short of it. */
enum { ESCAPED = 6, TOLD_MEMBERS = 256 };
enum {
	TOLD_PLAN =
	        (DRG_SHEET_COLUMNS_MAX + 1) * (ESCAPED * (TEXT_MAX + EXAMPLES * EXAMPLE_MAX) + TOLD_MEMBERS)
};
enum { SHEETS = 256, TOLD_SHEETS = SHEETS * (ESCAPED * DRG_SHEET_NAME + TOLD_MEMBERS) };
enum { TOLD_NEWS = (DRG_LOAD_WHATS * NEWS + 2 * NEWS_MORE) * (ESCAPED * 6 * TEXT_MAX + TOLD_MEMBERS) };

void drg_load_json_init(struct drg_load_json *t)
{
	*t = (struct drg_load_json){ .seen = { 0 } };
	drg_buf_init(&t->plan, TOLD_PLAN);
	drg_buf_init(&t->news, TOLD_NEWS);
	drg_buf_init(&t->sheets, TOLD_SHEETS);
}

bool drg_load_json_whole(const struct drg_load_json *t)
{
	assert(t->plan.rc != DRG_ELIMIT && t->news.rc != DRG_ELIMIT && t->sheets.rc != DRG_ELIMIT);
	return t->plan.rc == DRG_OK && t->news.rc == DRG_OK && t->sheets.rc == DRG_OK;
}

void drg_load_json_done(struct drg_load_json *t)
{
	drg_buf_done(&t->plan);
	drg_buf_done(&t->news);
	drg_buf_done(&t->sheets);
}

/* ---- members ------------------------------------------------------------------------------------------- */

/* Cells have up to a megabyte. */
static void load_json_text(struct drg_jw *w, const char *name, struct drg_str s, size_t max)
{
	if (name != NULL)
		drg_jw_key(w, name);
	drg_jw_str(w, drg_utf8_cut(s.p != NULL ? s : drg_str("", 0), max));
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static void load_json_examples(struct drg_jw *w, const struct drg_plan *p, unsigned column)
{
	drg_jw_member_array(w, "examples");
	for (unsigned k = 0; k < EXAMPLES && p->next_kept + k < p->n_kept; k++) {
		const struct drg_sheet_row *row = &p->kept[p->next_kept + k];
		load_json_text(w, NULL, column < row->n ? row->cells[column].text : DRG_STR(""), EXAMPLE_MAX);
	}
	drg_jw_array_end(w);
}

static void load_json_column(struct drg_jw *w, const struct drg_plan *p, unsigned i)
{
	const char *feeds[2];
	unsigned n = drg_plan_feeds(p, i, feeds);
	drg_jw_object(w);
	load_json_text(w, "name", p->header[i].name, TEXT_MAX);
	drg_text_or_null(w, "field", n > 0 ? drg_str_c(feeds[0]) : drg_str(NULL, 0));
	if (n > 1)
		load_json_text(w, "second", drg_str_c(feeds[1]), TEXT_MAX);
	drg_jw_member_bool(w, "ignored", p->bound[i] == DRG_COLUMN_IGNORED);
	load_json_examples(w, p, i);
	drg_jw_object_end(w);
}

/* Write the fields that a column could feed. */
static void load_json_feeds(struct drg_jw *w, enum drg_kind kind)
{
	const struct drg_type *t = &drg_types[DRG_TYPE_SOURCE];
	drg_jw_member_array(w, "feeds");
	for (unsigned i = 0; i < t->n_fields; i++)
		if (drg_profile_field(kind, drg_str_c(t->fields[i].wire)) != NULL)
			drg_jw_str(w, drg_str_c(t->fields[i].wire));
	drg_jw_array_end(w);
}

static void load_json_columns(struct drg_jw *w, const struct drg_plan *p)
{
	load_json_feeds(w, p->profile.kind);
	drg_jw_member_array(w, "columns");
	for (unsigned i = 0; i < p->n_columns; i++)
		if (p->header[i].name.n > 0)
			load_json_column(w, p, i);
	drg_jw_array_end(w);
	drg_jw_member_array(w, "brings");
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		if ((p->profile.also >> k & 1) != 0)
			drg_jw_str(w, drg_str_c(drg_kind_name((enum drg_kind)k)));
	drg_jw_array_end(w);
}

void drg_load_json_plan(void *told, const struct drg_plan *p)
{
	struct drg_load_json *t = told;
	struct drg_jw w = { .b = &t->plan, .comma = true };
	const struct drg_sheet_about *a = drg_sheet_about(p->sheet);
	drg_jw_member_str(&w, "kind", drg_str_c(drg_kind_name(p->profile.kind)));
	drg_text_or_null(&w, "sheet", a->workbook ? drg_str_c(a->sheet) : drg_str(NULL, 0));
	drg_text_or_null(&w, "encoding", a->workbook ? drg_str(NULL, 0) : drg_str_c(a->encoding));
	char separator[DRG_SEPARATOR_NAME];
	drg_text_or_null(&w, "separator",
	                 a->workbook ? drg_str(NULL, 0)
	                             : drg_str_c(drg_separator_name(a->separator, separator)));
	drg_text_or_null(&w, "quote", a->workbook ? drg_str(NULL, 0) : drg_str_c(drg_quote_names[a->quote]));
	drg_jw_member_u64(&w, "header_row", p->header_line);
	drg_jw_member_bool(&w, "proposed", p->proposed);
	drg_text_or_null(&w, "looks_like",
	                 p->looks_like != DRG_KIND_NONE ? drg_str_c(drg_kind_name(p->looks_like))
	                                                : drg_str(NULL, 0));
	drg_jw_member_bool(&w, "complete", p->profile.complete);
	drg_jw_member_str_or_null(&w, "lang", p->profile.lang);
	drg_jw_member_str_or_null(&w, "country", p->profile.country);
	drg_jw_member_str_or_null(&w, "category", p->profile.category);
	drg_text_or_null(&w, "coordinates",
	                 p->coordinates != NULL ? drg_str_c(p->coordinates) : drg_str(NULL, 0));
	drg_jw_member_bool(&w, "coordinates_sure", p->coordinates_sure);
	load_json_columns(&w, p);
}

/* ---- news ---------------------------------------------------------------------------------------------- */

void drg_load_json_note(void *told, const struct drg_load_note *n)
{
	struct drg_load_json *t = told;
	struct drg_jw w = { .b = &t->news, .comma = t->news.n > 0 };
	const bool more = n->what == DRG_LOAD_REJECTED || n->what == DRG_LOAD_OTHER;
	if (t->seen[n->what]++ >= (more ? NEWS_MORE : NEWS))
		return;
	drg_jw_object(&w);
	drg_jw_member_str(&w, "what", drg_str_c(drg_load_words[n->what]));
	drg_jw_member_i64_or_null(&w, "line", n->line > 0, (int64_t)n->line);
	drg_jw_member_str(&w, "kind", drg_str_c(drg_kind_name(n->kind)));
	load_json_text(&w, "id", n->id, TEXT_MAX);
	load_json_text(&w, "name", n->name, TEXT_MAX);
	load_json_text(&w, "field", drg_str_c(n->field), TEXT_MAX);
	load_json_text(&w, "from", n->from, TEXT_MAX);
	load_json_text(&w, "to", n->to, 2 * TEXT_MAX);
	drg_jw_object_end(&w);
}

void drg_load_json_sheet(void *told, const char *file, const char *name, uint64_t rows, bool read,
                         bool hidden)
{
	struct drg_load_json *t = told;
	struct drg_jw w = { .b = &t->sheets, .comma = t->sheets.n > 0 };
	(void)file;
	drg_jw_object(&w);
	load_json_text(&w, "name", drg_str_c(name), DRG_SHEET_NAME);
	drg_jw_member_u64(&w, "rows", rows);
	drg_jw_member_bool(&w, "read", read);
	drg_jw_member_bool(&w, "hidden", hidden);
	drg_jw_object_end(&w);
}

/* ---- sums ---------------------------------------------------------------------------------------------- */

static void load_json_kinds(struct drg_jw *w, const struct drg_load_sums *s)
{
	drg_jw_member_array(w, "kinds");
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++) {
		const struct drg_load_kind_sums *n = &s->kinds[k];
		if (n->added + n->changed + n->same + n->gone == 0)
			continue;
		drg_jw_object(w);
		drg_jw_member_str(w, "kind", drg_str_c(drg_kind_name((enum drg_kind)k)));
		drg_jw_member_u64(w, "new", n->added);
		drg_jw_member_u64(w, "changed", n->changed);
		drg_jw_member_u64(w, "same", n->same);
		drg_jw_member_u64(w, "gone", n->gone);
		drg_jw_object_end(w);
	}
	drg_jw_array_end(w);
}

static void load_json_fields(struct drg_jw *w, const struct drg_load_sums *s)
{
	const struct drg_type *t = &drg_types[DRG_TYPE_SOURCE];
	drg_jw_member_array(w, "fields");
	for (unsigned i = 0; i < t->n_fields; i++) {
		if (s->fields[drg_field_index(t->fields[i].field)] == 0)
			continue;
		drg_jw_object(w);
		drg_jw_member_str(w, "field", drg_str_c(t->fields[i].wire));
		drg_jw_member_u64(w, "changed", s->fields[drg_field_index(t->fields[i].field)]);
		drg_jw_object_end(w);
	}
	drg_jw_array_end(w);
}

void drg_load_json_write(struct drg_jw *w, const struct drg_load_json *t, const struct drg_load_sums *s,
                         bool applied)
{
	const struct {
		const char *name;
		uint64_t n;
	} counts[] = { { "rows", s->rows },           { "rejected", s->rejected },
		       { "skipped", s->skipped },     { "warned", s->warned },
		       { "doubtful", s->doubtful },   { "cleared", s->cleared },
		       { "unmapped", s->unmapped },   { "other_house", s->other },
		       { "asked_again", s->asked },   { "twice", s->twice },
		       { "merged_cells", s->merged }, { "formulas", s->formulas },
		       { "hidden_rows", s->hidden },  { "would_go", s->gone_left } };
	drg_jw_object(w);
	drg_jw_member_bool(w, "applied", applied);
	drg_jw_member_i64_or_null(w, "batch", s->import.batch > 0, s->import.batch);
	for (size_t i = 0; i < DRG_ARRAY_LEN(counts); i++)
		drg_jw_member_u64(w, counts[i].name, counts[i].n);
	drg_jw_member_bool(w, "gone_left", s->gone_left > 0);
	drg_buf_str(w->b, drg_buf_view(&t->plan));
	drg_jw_member_array(w, "sheets");
	if (t->sheets.n > 0)
		drg_jw_raw(w, drg_buf_view(&t->sheets));
	drg_jw_array_end(w);
	load_json_kinds(w, s);
	load_json_fields(w, s);
	drg_jw_member_array(w, "news");
	if (t->news.n > 0)
		drg_jw_raw(w, drg_buf_view(&t->news));
	drg_jw_array_end(w);
	drg_jw_object_end(w);
}
