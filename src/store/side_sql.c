/* The statements on side tables. */
#include "store/side_priv.h"

#include <assert.h>

/* The source of a suggestion exists. */
#define OF_SOURCE "s.adapter_id = g.adapter_id AND s.kind = g.kind AND s.id = g.id AND s.deleted = 0"

/* In a text: ? stands before the number of a parameter, @ before the name of a table, * for all columns, ^
 * for the clock, & for the source of a suggestion. */
static const struct {
	struct drg_side_statement is;
	const char *text;
} own[DRG_SIDE_STATEMENTS - DRG_SIDE_OWN] = {
#define OWN(statement) [DRG_SIDE_##statement - DRG_SIDE_OWN]
	OWN(BRANCH_AT) = { { .side = DRG_SIDE_BRANCH, .looks = true },
	                   "SELECT * FROM @branch WHERE seq <= ?1 ORDER BY seq DESC LIMIT 1" },
	OWN(BRANCHES) = { { .side = DRG_SIDE_BRANCH },
	                  "SELECT * FROM @branch WHERE seq >= ?1 ORDER BY seq DESC LIMIT ?2" },
	OWN(KEPT_FORGET) = { { .side = DRG_SIDE_KEPT },
	                     "DELETE FROM @kept_answer WHERE (key_id, name) IN (SELECT key_id, name"
	                     " FROM @kept_answer WHERE at < ?1 ORDER BY at LIMIT ?2)" },
	OWN(REPORTS) = { { .side = DRG_SIDE_REPORT },
	                 "SELECT * FROM @air_report WHERE ?1 = 0 OR adapter_id = ?1"
	                 " ORDER BY count DESC, last_seen DESC, \"row\"" },
	/* One of the engines accepts OFFSET only with a LIMIT: this one is above any number of rows. */
	OWN(REPORTS_TRIM) = { { .side = DRG_SIDE_REPORT },
	                      "DELETE FROM @air_report WHERE adapter_id = ?1 AND \"row\" IN (SELECT \"row\""
	                      " FROM @air_report WHERE adapter_id = ?1"
	                      " ORDER BY last_seen DESC, \"row\" DESC LIMIT 1000000000 OFFSET ?2)" },
	OWN(REPORTS_FORGET) = { { .side = DRG_SIDE_REPORT },
	                        "DELETE FROM @air_report WHERE adapter_id = ?1 AND external_id = ?2" },
	OWN(MOMENT_NEW) = { { .side = DRG_SIDE_MOMENT },
	                    "INSERT INTO @moment (at, seq) SELECT ?1, ?2"
	                    " WHERE ?1 > COALESCE((SELECT max(at) FROM @moment), 0)" },
	OWN(MOMENTS_THIN) = { { .side = DRG_SIDE_MOMENT },
	                      "DELETE FROM @moment WHERE at < ?1 AND at NOT IN"
	                      " (SELECT min(at) FROM @moment WHERE at < ?1 GROUP BY at / 3600)" },
	/* The first row is made with the table and never removed. */
	OWN(MOMENTS_OF) = { { .side = DRG_SIDE_MOMENTS, .one_row = true },
	                    "SELECT * FROM @moment ORDER BY at LIMIT 1" },
	OWN(USES) = { { .side = DRG_SIDE_USE },
	              "SELECT * FROM @use_count WHERE sort = ?1 AND last_day >= ?2"
	              " ORDER BY number, kind, id, slot" },
	OWN(USES_FORGET) = { { .side = DRG_SIDE_USE },
	                     "DELETE FROM @use_count WHERE sort = ?1 AND last_day < ?2" },
	/* No column is ever NULL. */
	OWN(SUGGEST_AGAIN) = { { .side = DRG_SIDE_SUGGESTION },
	                       "UPDATE @suggestion SET outcome = ?4, country = ?5, city = ?6, category = ?7,"
	                       " reason = ?8, ranked = ?9, explanation = ?10"
	                       " WHERE adapter_id = ?1 AND kind = ?2 AND id = ?3"
	                       " AND (outcome, country, city, category, reason, ranked, explanation)"
	                       " <> (?4, ?5, ?6, ?7, ?8, ?9, ?10)" },
	OWN(UNSUGGEST) = { { .side = DRG_SIDE_SUGGESTION },
	                   "DELETE FROM @suggestion WHERE adapter_id = ?1 AND kind = ?2 AND id = ?3" },
	OWN(UNSUGGEST_ALL) = { { .side = DRG_SIDE_SUGGESTION, .of_records = true },
	                       "DELETE FROM @suggestion AS g WHERE adapter_id = ?1 AND kind = ?2"
	                       " AND NOT EXISTS (SELECT 1 FROM @source AS s WHERE " OF_SOURCE ")" },
	OWN(SUGGESTIONS) = { { .side = DRG_SIDE_SUGGESTION, .in_pages = true, .of_records = true },
	                     "SELECT * FROM @suggestion AS g WHERE (adapter_id, kind, id) > (?1, ?2, ?3)"
	                     " AND adapter_id <= ?4 AND EXISTS (SELECT 1 FROM @source AS s"
	                     " WHERE " OF_SOURCE " AND s.dict_id IS NULL LIMIT 1 OFFSET 0)" /* for each g */
	                     " ORDER BY adapter_id, kind, id LIMIT ?5" },
	OWN(OPEN_CASES) = { { .side = DRG_SIDE_SUGGESTION, .in_pages = true, .of_records = true },
	                    "SELECT g.adapter_id, g.kind, g.id, g.outcome, g.country, g.city, g.category,"
	                    " g.reason, g.ranked, '', s.seq, COALESCE(s.name, ''), COALESCE(CASE g.reason"
	                    " WHEN 'country_unmapped' THEN s.country_id WHEN 'country_missing' THEN "
	                    "s.country_id"
	                    " WHEN 'city_unmapped' THEN s.city_id END, '')"
	                    " FROM @suggestion AS g CROSS JOIN &"
	                    " WHERE " OF_SOURCE " AND s.dict_id IS NULL"
	                    " AND (g.adapter_id, g.kind, g.id) > (?1, ?2, ?3)"
	                    " ORDER BY g.adapter_id, g.kind, g.id LIMIT ?4" },
	OWN(ACCESS_OF) = { { .side = DRG_SIDE_ACCESS },
	                   "SELECT * FROM @access_event WHERE sort = ?1 AND (number = ?2 OR ?2 = 0)"
	                   " ORDER BY number, at, what" },
	OWN(ACCESS_NEWEST) = { { .side = DRG_SIDE_ACCESS },
	                       "SELECT * FROM @access_event WHERE sort = ?1 AND (number = ?2 OR ?2 = 0)"
	                       " ORDER BY at DESC, number DESC, what DESC LIMIT ?3" },
	OWN(ACCESS_TRIM) = { { .side = DRG_SIDE_ACCESS },
	                     "DELETE FROM @access_event WHERE sort = ?1 AND number = ?2"
	                     " AND what IN ('signed_in', 'failed') AND at <= (SELECT at FROM @access_event"
	                     " WHERE sort = ?1 AND number = ?2 AND what IN ('signed_in', 'failed')"
	                     " ORDER BY at DESC LIMIT 1 OFFSET ?3)" },
	OWN(NOTES_OF) = { { .side = DRG_SIDE_NOTE },
	                  "SELECT * FROM @case_note WHERE adapter_id = ?1 AND kind = ?2 AND id = ?3"
	                  " ORDER BY at, what" },
	OWN(OPEN_COUNTS) = { { .side = DRG_SIDE_OPEN, .of_records = true },
	                     "SELECT * FROM @suggestion AS g JOIN @source AS s ON " OF_SOURCE
	                     " WHERE s.dict_id IS NULL GROUP BY g.adapter_id, g.kind"
	                     " ORDER BY g.adapter_id, g.kind" },
	OWN(MATCHING_READ) = { { .side = DRG_SIDE_MATCHING, .one_row = true },
	                       "SELECT * FROM @matching WHERE one" },
	OWN(MATCHING_SET) = { { .side = DRG_SIDE_MATCHING },
	                      "UPDATE @matching SET holder = ?1, until = ^ + ?2, seq = ?3, type = ?4,"
	                      " \"row\" = ?5 WHERE one" },
};

struct drg_side_statement drg_side_statement(unsigned statement)
{
	assert(statement < DRG_SIDE_STATEMENTS);
	if (statement >= DRG_SIDE_OWN)
		return own[statement - DRG_SIDE_OWN].is;
	const enum drg_side_id side = (enum drg_side_id)(statement % DRG_SIDE_TABLES);
	const bool in_pages = statement >= DRG_SIDE_ALL && drg_sides[side].page > 0;
	return (struct drg_side_statement){ .side = side, .in_pages = in_pages };
}

static void side_expand(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_side *side,
                        const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '?')
			drg_buf_char(sql, d->mark);
		else if (*text == '@')
			drg_buf_str(sql, drg_str_c(d->schema));
		else if (*text == '^')
			drg_buf_str(sql, drg_str_c(d->clock));
		else if (*text == '&')
			drg_buf_str(sql, drg_str_c(d->source_of));
		else if (*text != '*')
			drg_buf_char(sql, *text);
		for (unsigned i = 0; *text == '*' && i < side->n_columns; i++) {
			drg_buf_str(sql, i > 0 ? DRG_STR(", ") : DRG_STR(""));
			side_expand(d, sql, side, side->columns[i].name);
		}
	}
}

static void side_keys(struct drg_buf *sql, const struct drg_side *side)
{
	for (unsigned i = 0; i < side->n_keys; i++)
		drg_buf_printf(sql, "%s%s", i > 0 ? ", " : "", side->columns[i].name);
}

/* The expression of a key column that its index has. */
static void side_index(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_side *side)
{
	for (unsigned i = 0; i < side->n_keys; i++) {
		const struct drg_side_column *c = &side->columns[i];
		const bool digest = c->write == DRG_SIDE_LONG_KEY && d->digest != NULL;
		drg_buf_printf(sql, "%s%s(%s)", i > 0 ? ", " : "", digest ? d->digest : "", c->name);
	}
}

static void side_change(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_side_column *c)
{
	assert(c->write > DRG_SIDE_KEEP); /* keys and kept columns are not overwritten */
	if (c->write == DRG_SIDE_ADD)
		drg_buf_printf(sql, "%s = t.%s + excluded.%s", c->name, c->name, c->name);
	else if (c->write == DRG_SIDE_SET)
		drg_buf_printf(sql, "%s = excluded.%s", c->name, c->name);
	else
		drg_buf_printf(sql, "%s = %s(t.%s, excluded.%s)", c->name,
		               c->write == DRG_SIDE_MIN ? d->least : d->greatest, c->name, c->name);
}

static void side_put_sql(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_side *side)
{
	assert(side->n_keys > 0 && side->n_keys <= side->n_columns);
	unsigned changed = 0;
	drg_buf_printf(sql, "INSERT INTO %s%s AS t (", d->schema, side->name);
	side_expand(d, sql, side, "*) VALUES (");
	for (unsigned i = 0; i < side->n_columns; i++)
		drg_buf_printf(sql, "%s%c%u", i > 0 ? ", " : "", d->mark, i + 1);
	drg_buf_lit(sql, ") ON CONFLICT (");
	side_index(d, sql, side);
	drg_buf_lit(sql, ") DO ");
	for (unsigned i = side->n_keys; i < side->n_columns; i++)
		if (side->columns[i].write != DRG_SIDE_KEEP) {
			drg_buf_str(sql, changed++ > 0 ? DRG_STR(", ") : DRG_STR("UPDATE SET "));
			side_change(d, sql, &side->columns[i]);
		}
	if (changed == 0)
		drg_buf_lit(sql, "NOTHING");
}

static void side_one_sql(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_side *side)
{
	for (unsigned i = 0; i < side->n_keys; i++)
		drg_buf_printf(sql, " %s %s = %c%u", i > 0 ? "AND" : "WHERE", side->columns[i].name, d->mark,
		               i + 1);
}

static void side_all_sql(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_side *side)
{
	if (side->page == 0)
		return;
	assert(side->n_keys > 0);
	drg_buf_lit(sql, " WHERE (");
	side_keys(sql, side);
	for (unsigned i = 0; i < side->n_keys; i++)
		drg_buf_printf(sql, "%s%c%u", i > 0 ? ", " : ") > (", d->mark, i + 1);
	drg_buf_lit(sql, ") ORDER BY ");
	side_keys(sql, side);
	drg_buf_printf(sql, " LIMIT %c%u", d->mark, side->n_keys + 1);
}

void drg_side_sql(const struct drg_sql_dialect *d, struct drg_buf *sql, unsigned statement)
{
	const struct drg_side *side = &drg_sides[drg_side_statement(statement).side];
	if (statement >= DRG_SIDE_OWN) {
		side_expand(d, sql, side, own[statement - DRG_SIDE_OWN].text);
		return;
	}
	if (statement < DRG_SIDE_ONE) {
		side_put_sql(d, sql, side);
		return;
	}
	side_expand(d, sql, side, "SELECT * FROM @");
	drg_buf_str(sql, drg_str_c(side->name));
	(statement < DRG_SIDE_ALL ? side_one_sql : side_all_sql)(d, sql, side);
}
