#include "admin/backup/head.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/version.h"
#include "store/migration.h"

void drg_backup_head_write(const struct drg_backup_head *h, struct drg_buf *out)
{
	drg_buf_printf(out, "program %s %s\n", drg_version_text, drg_commit_text);
	drg_buf_printf(out, "format %d\n", DRG_BACKUP_FORMAT);
	drg_buf_printf(out, "schema-sqlite %u\nschema-postgresql %u\n", drg_sqlite_n_migrations,
	               drg_postgres_n_migrations);
	drg_buf_printf(out, "made %s\nepoch %s\n", h->made, h->clock.epoch);
	drg_buf_printf(out, "commit %" PRId64 "\nbranch %" PRId64 "\n", h->clock.seq, h->clock.branch);
	drg_buf_printf(out, "matched %" PRId64 " %u %" PRId64 "\n", h->matched.seq, h->matched.type,
	               h->matched.row);
	drg_layout_write(out);
}

/* State while the head is read. */
struct head_reading {
	struct drg_backup_head *h;
	int64_t format, sqlite, postgres;
	unsigned lines; /* how many of the required lines were read */
};

static bool head_text(char *to, size_t room, struct drg_str text)
{
	int n = snprintf(to, room, "%.*s", DRG_STR_ARG(text));
	return n > 0 && (size_t)n < room;
}

static bool head_matched(struct drg_feed_place *to, struct drg_str line)
{
	struct drg_str seq = { 0 }, type = { 0 };
	int64_t t = 0;
	bool ok = drg_str_split(&line, ' ', &seq) && drg_str_split(&line, ' ', &type) &&
	          drg_str_to_i64(seq, &to->seq) && drg_str_to_i64(type, &t) && t >= 0 && t <= UINT8_MAX &&
	          drg_str_to_i64(line, &to->row);
	to->type = (unsigned)t;
	return ok;
}

/* Read a required line; they have a fixed order. @return false: the line or its value is not valid. */
static bool head_line(struct head_reading *g, struct drg_str word, struct drg_str value)
{
	struct drg_backup_head *h = g->h;
	const struct {
		const char *word;
		char *text; /* where to store the value; NULL: it is a number, or the line "matched" */
		size_t room;
		int64_t *number;
	} lines[] = {
		{ "program", h->program, sizeof h->program, NULL },
		{ "format", NULL, 0, &g->format },
		{ "schema-sqlite", NULL, 0, &g->sqlite },
		{ "schema-postgresql", NULL, 0, &g->postgres },
		{ "made", h->made, sizeof h->made, NULL },
		{ "epoch", h->clock.epoch, sizeof h->clock.epoch, NULL },
		{ "commit", NULL, 0, &h->clock.seq },
		{ "branch", NULL, 0, &h->clock.branch },
		{ "matched", NULL, 0, NULL },
	};
	for (unsigned i = 0; i < DRG_ARRAY_LEN(lines); i++) {
		if (!drg_str_eq(word, drg_str_c(lines[i].word)) || g->lines != i)
			continue;
		g->lines++;
		if (lines[i].text != NULL)
			return head_text(lines[i].text, lines[i].room, value);
		return lines[i].number != NULL ? drg_str_to_i64(value, lines[i].number)
		                               : head_matched(&h->matched, value);
	}
	return false;
}

enum { HEAD_LINES = 9 };

static bool head_newer(const struct head_reading *g)
{
	return g->format > DRG_BACKUP_FORMAT || g->sqlite > drg_sqlite_n_migrations ||
	       g->postgres > drg_postgres_n_migrations;
}

static int head_fail_newer(const char *name, const struct head_reading *g, struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_ELIMIT, NULL, NULL,
	                "the backup %s was made by a newer dragoman (%s; schema %" PRId64 " and %" PRId64
	                ", this one knows %u and %u): restore it with that version",
	                name, g->h->program, g->sqlite, g->postgres, drg_sqlite_n_migrations,
	                drg_postgres_n_migrations);
}

/* Read all lines, up to the first one that this program does not know. @return false: there was such a line,
 * or required lines are missing. */
static bool head_lines(struct head_reading *g, struct drg_str text)
{
	struct drg_str line, word;
	while (drg_str_split(&text, '\n', &line) && line.n > 0) {
		bool records, ok;
		if (!drg_str_split(&line, ' ', &word))
			return false;
		records = drg_str_eq(word, DRG_STR("records"));
		if (records || drg_str_eq(word, DRG_STR("beside")))
			ok = g->lines == HEAD_LINES &&
			     drg_layout_read(&g->h->layout, records, line) == DRG_OK;
		else
			ok = head_line(g, word, line);
		if (!ok)
			return false;
	}
	return g->lines == HEAD_LINES;
}

int drg_backup_head_read(const char *name, struct drg_str text, struct drg_backup_head *ret,
                         struct drg_err *reterr)
{
	struct head_reading g = { .h = ret };
	*ret = (struct drg_backup_head){ .layout = { .n = 0 } };
	bool ok = head_lines(&g, text);
	if (head_newer(&g))
		return head_fail_newer(name, &g, reterr);
	if (!ok)
		return drg_fail(reterr, DRG_ECORRUPT, NULL, NULL,
		                "the head of the backup %s has what this dragoman does not know (it was made "
		                "by %s): restore it with that version",
		                name, ret->program[0] != '\0' ? ret->program : "an unknown one");
	return DRG_OK;
}
