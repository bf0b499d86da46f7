/* dragoman key history, user history: what became of keys and people. */
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/listing.h"
#include "cli/store.h"
#include "model/model.h"
#include "store/access_events.h"

static const struct drg_listing_column history_columns[] = {
	{ "at", 24 }, { "id", 6 }, { "name", 24 }, { "what", 10 }, { "by", 16 }, { "detail", 0 },
};

struct access_name {
	int64_t id;
	struct drg_str name;
};

/* The names of all keys or people, which are few, and what is asked for. */
struct access_listing {
	struct drg_listing l;
	struct drg_cli *cli;
	struct drg_store *s;
	enum drg_type_id type;
	const char *wanted; /* NULL: all */
	int64_t number; /* of what is wanted; 0: not found, or all */
	struct drg_buf names; /* struct access_name */
};

static bool is_wanted(const struct access_listing *x, const struct drg_record *r)
{
	int64_t id;
	struct drg_str wanted = drg_str_c(x->wanted);
	if (x->wanted == NULL)
		return false;
	if (x->type == DRG_TYPE_PERSON)
		return drg_str_eq_nocase(drg_record_s(r, DRG_F_NAME), wanted);
	return drg_str_to_i64(wanted, &id) && id == r->v[DRG_F_ID].i;
}

static struct drg_str name_of(const struct access_listing *x, int64_t id)
{
	const struct access_name *v = (const struct access_name *)(const void *)x->names.p;
	for (size_t i = 0; i < x->names.n / sizeof *v; i++)
		if (v[i].id == id)
			return v[i].name;
	return DRG_STR("");
}

static int history_row(void *ctx, const struct drg_access_event *e)
{
	struct access_listing *x = ctx;
	char at[DRG_WALL_TEXT];
	drg_wall_text(e->at_us, at);
	drg_listing_text(&x->l, drg_str_c(at));
	drg_listing_int(&x->l, e->number);
	drg_listing_text(&x->l, name_of(x, e->number));
	drg_listing_text(&x->l, e->what);
	drg_listing_text(&x->l, e->who);
	drg_listing_text(&x->l, e->detail);
	return drg_listing_row(&x->l);
}

static int history_list(struct access_listing *x, enum drg_access_sort sort)
{
	struct drg_rows rows;
	const struct drg_filter all = { .type = &drg_types[x->type] };
	for (drg_rows_scan(&rows, x->s, &all, &x->cli->err); drg_rows_next(&rows);) {
		const struct drg_record *r = &rows.row.r;
		const struct access_name name = { r->v[DRG_F_ID].i,
			                          drg_arena_str(x->cli->arena, drg_record_s(r, DRG_F_NAME)) };
		if (is_wanted(x, r))
			x->number = name.id;
		drg_buf_add(&x->names, &name, sizeof name);
		rows.rc = name.name.p != NULL ? x->names.rc : DRG_ENOMEM;
	}
	int rc = drg_rows_end(&rows);
	if (rc == DRG_OK && x->wanted != NULL && x->number == 0)
		rc = drg_fail(&x->cli->err, DRG_ENOENT,
		              sort == DRG_ACCESS_KEY ? DRG_R(unknown_key) : DRG_R(unknown_user), NULL,
		              "there is no %s %.80s; 'dragoman %s list' shows them",
		              sort == DRG_ACCESS_KEY ? "key" : "user", x->wanted,
		              sort == DRG_ACCESS_KEY ? "key" : "user");
	if (rc == DRG_OK)
		rc = drg_listing_open(x->cli, history_columns, DRG_ARRAY_LEN(history_columns), &x->l);
	return rc == DRG_OK ? drg_listing_close(&x->l, x->cli,
	                                        drg_store_access_events(x->s, sort, x->number, history_row, x,
	                                                                &x->cli->err))
	                    : rc;
}

static int history_run(struct drg_cli *cli, enum drg_access_sort sort, enum drg_type_id type)
{
	size_t n;
	const char *const *args = drg_opt_args(cli->options, &n);
	struct access_listing x = { .cli = cli, .type = type, .wanted = n > 0 ? args[0] : NULL };
	int rc = drg_cli_open_store(cli, DRG_STORE_READ, &x.s);
	if (rc != DRG_OK)
		return rc;
	drg_buf_init(&x.names, SIZE_MAX);
	rc = history_list(&x, sort);
	drg_buf_done(&x.names);
	drg_store_close(x.s);
	return rc;
}

int drg_cmd_key_history(struct drg_cli *cli)
{
	return history_run(cli, DRG_ACCESS_KEY, DRG_TYPE_API_KEY);
}

int drg_cmd_user_history(struct drg_cli *cli)
{
	return history_run(cli, DRG_ACCESS_PERSON, DRG_TYPE_PERSON);
}
