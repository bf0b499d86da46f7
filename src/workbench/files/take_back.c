/* POST curate/takeBack: a file of ours that people filled in in a spreadsheet: of the queue or an audit, of
 * mappings, of new records. */
#include <stdio.h>

#include "api/tables.h"
#include "load/answers_load.h"
#include "load/map_load.h"
#include "load/new_load.h"
#include "workbench/by_name.h"
#include "workbench/long_work.h"

enum { TOLD_MAX = 100 };

struct taking_back {
	struct drg_long_work work;
	enum { OF_QUEUE, OF_MAP, OF_NEW } of;
	bool dry_run;
	const char *encoding;
	const char *names_path; /* of the names of the reference; NULL: new records are made anyway */
	struct drg_arena *arena;
	uint64_t rows, accepted, rejected, made, mapped, cleared, same, n_refused;
	int64_t batch;
	struct told_row {
		struct drg_str where, why;
	} told[TOLD_MAX];
	size_t n_told;
	struct drg_new_made makes[TOLD_MAX]; /* in a dry run of new records */
	size_t n_makes;
};

static const char *const take_back_words[] = { "queue", "map", "new", NULL };

/* ---- on the thread --------------------------------------------------------------------------------------- */

static void take_back_tell(void *ctx, const char *where, const char *why)
{
	struct taking_back *k = ctx;
	if (k->n_told == TOLD_MAX)
		return;
	const struct told_row row = { drg_arena_str(k->arena, drg_str_c(where)),
		                      drg_arena_str(k->arena, drg_str_c(why)) };
	if (row.where.p != NULL && row.why.p != NULL)
		k->told[k->n_told++] = row;
}

static void take_back_makes(void *ctx, const struct drg_new_made *made)
{
	struct taking_back *k = ctx;
	if (k->n_makes == TOLD_MAX)
		return;
	struct drg_new_made m = *made;
	m.name = drg_arena_str(k->arena, m.name);
	m.city = drg_arena_str(k->arena, m.city);
	m.country = drg_arena_str(k->arena, m.country);
	if (m.name.p != NULL && m.city.p != NULL && m.country.p != NULL)
		k->makes[k->n_makes++] = m;
}

static void take_back_refused(void *ctx, const char *file, uint64_t line, const char *why)
{
	char where[32];
	(void)file;
	snprintf(where, sizeof where, "row %llu", (unsigned long long)line);
	take_back_tell(ctx, where, why);
}

static void take_back_sum(struct taking_back *k, const struct drg_read_back *list)
{
	k->rows = list->rows;
	k->same = list->same;
	k->n_refused = list->n_refused;
	k->batch = list->batch;
}

static int take_back_queue(struct taking_back *k, const struct drg_read_back *list, struct drg_store *s,
                           struct drg_err *reterr)
{
	const struct drg_curate_by_name by = { .path = k->names_path };
	struct drg_name_index *names = NULL;
	int rc = k->names_path != NULL ? drg_curate_by_name_open(&by, s, &names, reterr) : DRG_OK;
	struct drg_answers_load m = { .list = *list, .names = names };
	if (rc == DRG_OK)
		rc = drg_answers_load(s, &m, reterr);
	drg_name_index_close(names);
	take_back_sum(k, &m.list);
	k->accepted = m.accepted;
	k->rejected = m.rejected;
	k->made = m.made;
	return rc;
}

static int take_back_map(struct taking_back *k, const struct drg_read_back *list, struct drg_store *s,
                         struct drg_err *reterr)
{
	struct drg_map_load m = { .list = *list };
	int rc = drg_map_load(s, &m, reterr);
	take_back_sum(k, &m.list);
	k->mapped = m.mapped;
	k->cleared = m.cleared;
	return rc;
}

static int take_back_new(struct taking_back *k, const struct drg_read_back *list, struct drg_store *s,
                         struct drg_err *reterr)
{
	struct drg_new_accept a = { .by = list->by,
		                    .why = list->why,
		                    .dry_run = list->dry_run,
		                    .makes = list->dry_run ? take_back_makes : NULL,
		                    .refused = take_back_tell,
		                    .ctx = k };
	struct drg_new_load m = { .list = *list, .accept = &a };
	int rc = drg_new_load(s, &m, reterr);
	take_back_sum(k, &m.list);
	k->made = a.made;
	k->mapped = a.mapped;
	k->same = a.same;
	k->n_refused += a.n_refused;
	k->batch = a.ledger.state.batch;
	return rc;
}

static int take_back_run(struct drg_long_work *w, struct drg_store *s, const char *path,
                         struct drg_err *reterr)
{
	struct taking_back *k = DRG_CONTAINER_OF(w, struct taking_back, work);
	const char *const files[] = { path };
	const struct drg_read_back list = { .files = files,
		                            .n_files = 1,
		                            .name = w->name,
		                            .encoding = k->encoding,
		                            .by = w->by,
		                            .why = w->why,
		                            .dry_run = k->dry_run,
		                            .refused = take_back_refused,
		                            .ctx = k };
	static int (*const runs[])(struct taking_back *, const struct drg_read_back *, struct drg_store *,
	                           struct drg_err *) = {
		[OF_QUEUE] = take_back_queue, [OF_MAP] = take_back_map, [OF_NEW] = take_back_new
	};
	return runs[k->of](k, &list, s, reterr);
}

/* ---- on an http thread ----------------------------------------------------------------------------------- */

/* Write the new records that would be created. */
static void take_back_write_makes(struct drg_jw *w, const struct taking_back *k)
{
	drg_jw_member_array(w, "makes");
	for (size_t i = 0; i < k->n_makes; i++) {
		const struct drg_new_made *m = &k->makes[i];
		drg_jw_object(w);
		drg_jw_member_i64(w, "cluster", m->number);
		drg_text_or_null(w, "name", m->name);
		drg_jw_member_str_or_null(w, "city", m->city);
		drg_jw_member_str_or_null(w, "country", m->country);
		drg_jw_member_i64(w, "records", (int64_t)m->n);
		drg_jw_object_end(w);
	}
	drg_jw_array_end(w);
}

static int take_back_write(struct drg_reading *r, void *work)
{
	const struct taking_back *k = work;
	const struct {
		const char *name;
		uint64_t n;
	} sums[] = { { "rows", k->rows }, { "accepted", k->accepted }, { "rejected", k->rejected },
		     { "made", k->made }, { "mapped", k->mapped },     { "cleared", k->cleared },
		     { "same", k->same }, { "refused", k->n_refused } };
	drg_data_begin(&r->w);
	drg_jw_object(&r->w);
	drg_jw_member_bool(&r->w, "applied", !k->dry_run);
	for (size_t i = 0; i < DRG_ARRAY_LEN(sums); i++)
		drg_jw_member_i64(&r->w, sums[i].name, (int64_t)sums[i].n);
	drg_jw_member_i64_or_null(&r->w, "batch", k->batch > 0 && !k->dry_run, k->batch);
	drg_jw_member_array(&r->w, "told");
	for (size_t i = 0; i < k->n_told; i++) {
		drg_jw_object(&r->w);
		drg_text_or_null(&r->w, "where", k->told[i].where);
		drg_text_or_null(&r->w, "why", k->told[i].why);
		drg_jw_object_end(&r->w);
	}
	drg_jw_array_end(&r->w);
	take_back_write_makes(&r->w, k);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

static int curate_take_back(struct drg_exchange *x)
{
	struct taking_back *k = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *k);
	if (k == NULL)
		return DRG_ENOMEM;
	struct drg_str of = drg_exchange_text(x, "of");
	k->of = drg_str_eq(of, DRG_STR("map")) ? OF_MAP : drg_str_eq(of, DRG_STR("new")) ? OF_NEW : OF_QUEUE;
	k->dry_run = drg_exchange_flag(x, "dry_run");
	k->arena = drg_exchange_arena(x);
	k->names_path = drg_exchange_flag(x, "anyway") ? NULL : drg_app_of(x)->names_path;
	const struct drg_str encoding = drg_exchange_text(x, "encoding");
	k->encoding = encoding.n > 0 ? drg_arena_str(k->arena, encoding).p : NULL;
	if (drg_exchange_body(x).n == 0)
		return drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(missing_field), "body",
		                "the body must be the file, and it is empty");
	k->work = (struct drg_long_work){ .run = take_back_run,
		                          .write = take_back_write,
		                          .why = drg_exchange_text(x, "why"),
		                          .name = drg_arena_str(k->arena, drg_exchange_text(x, "file")).p,
		                          .changes = !k->dry_run };
	const bool memory = k->work.name != NULL && (k->encoding != NULL || encoding.n == 0);
	return memory ? drg_long_work(x, &k->work) : DRG_ENOMEM;
}

static int take_back_check_of(struct drg_str value, const char *name, struct drg_err *reterr)
{
	for (size_t i = 0; take_back_words[i] != NULL; i++)
		if (drg_str_eq(value, drg_str_c(take_back_words[i])))
			return DRG_OK;
	return drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_word), name,
	                "%s: expected queue, map or new, found \"%.*s\"", name, DRG_STR_ARG(value));
}

static const struct drg_param take_back_params[] = {
	{ .name = "of",
	  .type = DRG_P_TEXT,
	  .required = true,
	  .max = 8,
	  .check = take_back_check_of,
	  .schema = "{\"enum\":[\"queue\",\"map\",\"new\"]}",
	  .doc = "which list was filled in; queue: of an audit too" },
	{ .name = "file",
	  .type = DRG_P_TEXT,
	  .required = true,
	  .min = 1,
	  .max = DRG_CURATE_BY_MAX,
	  .doc = "the name of the file, for messages" },
	{ .name = "dry_run", .type = DRG_P_FLAG, .doc = "only look at it: nothing is changed" },
	{ .name = "anyway",
	  .type = DRG_P_FLAG,
	  .doc = "of=queue: make new records where the reference has one of that name nearby, too" },
	{ .name = "encoding",
	  .type = DRG_P_TEXT,
	  .max = 32,
	  .doc = "of a text file, such as windows-1251; recognised when absent" },
	{ .name = "why",
	  .type = DRG_P_TEXT,
	  .max = DRG_CHARS_WHY,
	  .schema = DRG_SCHEMA_LINE,
	  .doc = "the reason, for the batch" },
	{ 0 },
};

const struct drg_endpoint drg_curate_take_back[] = {
	{ .method = DRG_POST,
	  .path = "/v1/curate/takeBack",
	  .name = "curateTakeBack",
	  .handler = curate_take_back,
	  .auth = DRG_AUTH_CURATOR,
	  .params = take_back_params,
	  .body = DRG_BODY_FILE,
	  .max_body = DRG_FILE_MAX,
	  .summary = "Load decisions from a spreadsheet" },
	{ 0 },
};
