/* POST curate/decide: decisions, several at once (decisions C3 and C4). */
#include "api/curate_words.h"
#include "api/tables.h"
#include "api/write.h"
#include "matching/desk/nearby.h"
#include "server/readers.h"
#include "workbench/by_name.h"
#include "workbench/deciding.h"
#include "workbench/decisions.h"
#include "workbench/queue/cases.h"
#include "workbench/queue/filter.h"

enum { ALIKE_MAX = 20 };

/* The findings of a decision `new` with `alone`. */
struct decide_nearby {
	struct drg_mapping_source alike[ALIKE_MAX]; /* open cases of its name, wherever they are */
	size_t n_alike;
	struct drg_nearby_list found;
};

/* A request while it waits; in the arena of its exchange. */
struct decide_request {
	struct drg_exchange *x;
	struct drg_keeper_wait wait;
	struct drg_read_job job;
	struct decide_nearby **nearby; /* by decision; NULL: none asks for it */
	struct drg_decisions d;
	struct drg_decided known;
	struct drg_write write;
};

/* ---- the answer ---------------------------------------------------------------------------------------- */

static int decide_status(const struct drg_decision *i)
{
	const struct drg_reason *reason = drg_reason_find(i->is.err.reason);
	if (i->is.rc == DRG_OK)
		return 200;
	if (i->is.rc == DRG_EBUSY)
		return 503;
	if (reason != NULL && reason->status > 0)
		return reason->status;
	return i->is.rc == DRG_EINVAL   ? 400
	       : i->is.rc == DRG_ENOENT ? 404
	       : i->is.rc == DRG_EEXIST ? 409
	                                : 503;
}

static void decide_write_sums(struct drg_jw *w, const struct drg_merge_sums *s)
{
	drg_jw_member_i64(w, "into", s->into);
	drg_jw_member_u64(w, "sources", s->sources);
	drg_jw_member_u64(w, "others", s->others);
	drg_jw_member_u64(w, "redirects", s->redirects);
	drg_jw_member_u64(w, "apart", s->apart);
}

/* The words of the store have its place, and who holds it: clients get others (decision E3). */
static struct drg_err decide_error(const struct drg_decision *i)
{
	struct drg_err e = i->is.err;
	if (i->is.rc == DRG_EBUSY && drg_reason_find(e.reason) == DRG_R(import_running))
		drg_fail(&e, i->is.rc, DRG_R(import_running), NULL, DRG_CURATE_IMPORT_RUNNING);
	else if (i->is.rc == DRG_EBUSY)
		drg_fail(&e, i->is.rc, DRG_R(busy), NULL, "another process holds the store; try again");
	return e;
}

static void decide_write_nearby(struct drg_jw *w, const struct drg_decision *i,
                                const struct drg_nearby_list *l)
{
	drg_jw_member_array(w, "nearby");
	for (size_t k = 0; k < l->n; k++) {
		const struct drg_nearby *n = &l->v[k];
		drg_jw_object(w);
		drg_jw_member_str(w, "kind", drg_str_c(drg_kind_name(i->kind)));
		drg_jw_member_i64_or_null(w, "dict_id", n->adapter == 0, n->dict_id);
		drg_jw_member_i64_or_null(w, "adapter_id", n->adapter != 0, n->adapter);
		drg_text_or_null(w, "adapter", n->adapter_name);
		drg_text_or_null(w, "id", n->id);
		drg_text_or_null(w, "name", n->name);
		drg_jw_member_i64_or_null(w, "metres", n->metres >= 0, (int64_t)(n->metres + 0.5));
		drg_jw_object_end(w);
	}
	drg_jw_array_end(w);
}

/* @param nearby  NULL: not looked for. */
static void decide_write_refusal(struct drg_jw *w, const struct drg_decision *i,
                                 const struct decide_nearby *nearby)
{
	const struct drg_err e = decide_error(i);
	drg_jw_member_str(w, "reason", drg_str_c(e.reason[0] != '\0' ? e.reason : "not_processable"));
	drg_jw_member_str(w, "message", drg_str_c(e.message));
	drg_jw_member_i64_or_null(w, "version", i->is.version > 0, i->is.version);
	if (nearby != NULL && drg_reason_find(i->is.err.reason) == DRG_R(needs_a_look))
		decide_write_nearby(w, i, &nearby->found);
}

static void decide_write_item(struct drg_jw *w, const struct drg_decision *i,
                              const struct decide_nearby *nearby)
{
	drg_jw_object(w);
	drg_jw_member_i64(w, "status", decide_status(i));
	drg_jw_member_str(w, "result",
	                  drg_str_c(i->is.rc != DRG_OK ? "refused"
	                            : i->is.changed    ? "done"
	                                               : "same"));
	if (i->is.rc != DRG_OK) {
		decide_write_refusal(w, i, nearby);
	} else if (i->verb == DRG_VERB_NAME || i->verb == DRG_VERB_UNDO_NAME) {
		drg_jw_member_i64(w, "version", i->is.version);
	} else if (drg_decision_is_shared(i)) {
		decide_write_sums(w, &i->is.sums);
	} else {
		drg_jw_member_i64_or_null(w, "was", i->is.was_mapped, i->is.was);
		drg_jw_member_i64_or_null(w, "is", i->is.is_mapped, i->is.is);
		drg_jw_member_i64(w, "version", i->is.version);
	}
	drg_jw_object_end(w);
}

static void decide_write(const struct decide_request *q, struct drg_buf *out)
{
	struct drg_jw w = { .b = out };
	drg_data_begin(&w);
	drg_jw_object(&w);
	drg_jw_member_i64_or_null(&w, "batch", q->d.batch > 0, q->d.batch);
	drg_jw_member_array(&w, "items");
	for (size_t i = 0; i < q->d.n; i++)
		decide_write_item(&w, &q->d.v[i], q->nearby != NULL ? q->nearby[i] : NULL);
	drg_items_end(&w);
}

/* ---- on the writer's thread ---------------------------------------------------------------------------- */

/* Kept if something was decided, and nothing was hindered by another process that holds the store: a
 * repetition may find that possible. */
static bool decide_make_answer(void *request, struct drg_buf *out)
{
	const struct decide_request *q = request;
	bool busy = false;
	decide_write(q, out);
	for (size_t i = 0; i < q->d.n; i++)
		busy = busy || decide_status(&q->d.v[i]) == 503;
	return q->d.batch > 0 && !busy;
}

/* A drg_txn_fn; @p request is a struct decide_request. */
static int decide_run(void *request, struct drg_txn *t, struct drg_err *reterr)
{
	struct decide_request *q = request;
	return drg_deciding_run(drg_app_of(q->x)->deciding, &q->known, &q->d, t, reterr);
}

/* The queue is told at once what is left of those that are still open. */
static void decide_report(const struct decide_request *q)
{
	struct drg_cases *cases = drg_app_of(q->x)->cases;
	for (size_t k = 0; k < q->d.n; k++) {
		const struct drg_decision *i = &q->d.v[k];
		const struct drg_case_change change = { .adapter = i->adapter,
			                                .kind = i->kind,
			                                .id = i->id,
			                                .version = i->is.version,
			                                .dict_id = i->is.best,
			                                .n_ranked = i->is.n_ranked };
		if (i->is.rc == DRG_OK && !drg_decision_is_shared(i) && !i->is.is_mapped)
			drg_cases_changed(cases, &change);
	}
	drg_cases_invalidate(cases);
}

static void decide_stored(void *request)
{
	const struct decide_request *q = request;
	drg_deciding_keep(drg_app_of(q->x)->deciding, &q->known);
	decide_report(q);
}

/* ---- the request --------------------------------------------------------------------------------------- */

static int decide_answer(struct drg_exchange *x)
{
	struct decide_request *q = drg_exchange_data(x);
	int rc = drg_api_write_finish(&q->write);
	if (rc == DRG_OK && q->write.retry == NULL)
		decide_write(q, drg_exchange_out(x));
	return rc;
}

/* ---- what is called the same nearby -------------------------------------------------------------------- */

struct decide_gathering {
	struct drg_reading *r;
	struct decide_request *q;
};

static void decide_take_alike(void *ctx, size_t which, const struct drg_open_case *c)
{
	const struct decide_gathering *g = ctx;
	struct decide_nearby *n = g->q->nearby[which];
	struct drg_source source;
	if (n->n_alike == ALIKE_MAX || !drg_case_is_visible(g->r, c, &source))
		return;
	const struct drg_mapping_source alike = { c->adapter, (enum drg_kind)c->kind,
		                                  drg_arena_str(drg_exchange_arena(g->r->x), c->id) };
	n->alike[n->n_alike] = alike;
	n->n_alike += alike.id.p != NULL;
}

static int decide_gather(struct drg_reading *r, void *request)
{
	struct decide_request *q = request;
	struct decide_gathering g = { r, q };
	struct drg_arena *arena = drg_exchange_arena(r->x);
	q->nearby = drg_arena_calloc(arena, q->d.n, sizeof *q->nearby);
	bool room = q->nearby != NULL;
	for (size_t i = 0; i < q->d.n && room; i++)
		if (q->d.v[i].alone)
			room = (q->nearby[i] = drg_arena_calloc(arena, 1, sizeof **q->nearby)) != NULL;
	return room ? drg_cases_called(drg_cases_view(drg_app_of(r->x)->cases), q->d.v, q->d.n,
	                               decide_take_alike, &g)
	            : DRG_ENOMEM;
}

/* On a thread of the readers. */
static int decide_look(struct drg_read_job *j, struct drg_store *s, struct drg_err *reterr)
{
	struct decide_request *q = DRG_CONTAINER_OF(j, struct decide_request, job);
	struct drg_arena *arena = drg_exchange_arena(q->x);
	const struct drg_curate_by_name by = { .path = drg_app_of(q->x)->names_path };
	struct drg_name_index *names = NULL;
	int rc = drg_curate_by_name_open(&by, s, &names, reterr);
	for (size_t i = 0; i < q->d.n && rc == DRG_OK; i++) {
		struct drg_decision *d = &q->d.v[i];
		struct decide_nearby *n = q->nearby[i];
		const struct drg_mapping_source of = { d->adapter, d->kind, d->id };
		if (n == NULL)
			continue;
		rc = drg_nearby_find(s, names, &of, n->alike, n->n_alike, arena, &n->found, reterr);
		if (rc == DRG_OK)
			rc = drg_nearby_text(&n->found, arena, &d->beside);
	}
	drg_name_index_close(names);
	return rc;
}

static void decide_looked(struct drg_read_job *j)
{
	drg_exchange_resume(DRG_CONTAINER_OF(j, struct decide_request, job)->x);
}

/* ---- the beginning ------------------------------------------------------------------------------------- */

static int decide_write_all(struct drg_exchange *x)
{
	struct decide_request *q = drg_exchange_data(x);
	if (q->job.rc == DRG_OK)
		return drg_api_write(x, &q->write, decide_answer);
	*drg_exchange_err(x) = q->job.err;
	return q->job.rc;
}

static int decide_start(struct drg_exchange *x)
{
	struct decide_request *q = drg_exchange_data(x);
	bool alone = false;
	if (q->wait.rc != DRG_OK) {
		*drg_exchange_err(x) = q->wait.err;
		return q->wait.rc;
	}
	for (size_t i = 0; i < q->d.n; i++) {
		alone = alone || q->d.v[i].alone;
		if (q->d.v[i].unseen)
			q->d.v[i].likely = drg_cases_likely(drg_app_of(x)->cases, &q->d.v[i]);
	}
	int rc = alone ? drg_reading_run(x, decide_gather, q) : DRG_OK;
	if (rc != DRG_OK || !alone)
		return rc == DRG_OK ? drg_api_write(x, &q->write, decide_answer) : rc;
	q->job.run = decide_look;
	q->job.done = decide_looked;
	q->job.item.owner = drg_exchange_caller(x)->id;
	/* Suspended before a reader can know of it. */
	drg_exchange_suspend(x, decide_write_all);
	if (drg_readers_submit(drg_app_of(x)->readers, &q->job) != DRG_OK)
		drg_exchange_resume(x);
	return DRG_HTTP_SUSPENDED;
}

static int decide(struct drg_exchange *x)
{
	struct decide_request *q = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *q);
	if (q == NULL)
		return DRG_ENOMEM;
	q->x = x;
	q->write = (struct drg_write){
		.run = decide_run, .ctx = q, .answer = decide_make_answer, .stored = decide_stored
	};
	int rc = drg_decisions_read(x, &q->d);
	if (rc == DRG_OK)
		rc = drg_api_write_set_idempotency_key(x, &q->write);
	if (rc != DRG_OK)
		return rc;
	q->write.job.rows = 4 * q->d.n;
	drg_exchange_set_data(x, q);
	for (size_t i = 0; i < q->d.n; i++)
		if (q->d.v[i].unseen || q->d.v[i].alone)
			return drg_case_await(x, &q->wait, decide_start);
	return decide_start(x);
}

const struct drg_endpoint drg_curate_decide[] = {
	{ .method = DRG_POST,
	  .path = "/v1/curate/decide",
	  .name = "curateDecide",
	  .handler = decide,
	  .auth = DRG_AUTH_CURATOR,
	  .body = DRG_BODY_JSON,
	  .summary = "Decide: map, clear, not the same, new, undo, merge, split, name",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter) },
	{ 0 },
};
