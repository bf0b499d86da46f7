/* What clients wish, and what they hold the server to. */
#include "sim.h"

/* Of a process that is ending nobody hears that something is not stored. */
enum fate fate_of(const struct drg_job *j)
{
	static const struct {
		int rc;
		const char *reason;
		enum fate fate;
		unsigned long *counted;
	} fates[] = {
		{ DRG_OK, "", STORED, &done.acknowledged },
		{ DRG_EBUSY, "not_visible_yet", STORED, &done.unseen },
		{ DRG_EBUSY, "outcome_unknown", UNKNOWN, &done.unknown },
		{ DRG_EBUSY, "not_stored", LOST, &done.lost },
		{ DRG_EBUSY, "queue_full", LOST, &done.lost },
		{ DRG_EEXIST, "idempotency_in_flight", LOST, &done.refused },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(fates); i++)
		if (fates[i].rc == j->rc &&
		    (j->rc == DRG_OK || strcmp(fates[i].reason, j->err.reason) == 0)) {
			++*fates[i].counted;
			return fates[i].fate == LOST && disk_is_dead() ? UNKNOWN : fates[i].fate;
		}
	broken(j->err.reason, j->err.message);
}

/* ---- registering --------------------------------------------------------------------------------------- */

static const struct drg_field_def fields[] = {
	{ DRG_F_SOURCE_ID, "id", DRG_V_SRCID, 0, 1, 64, 0, NULL, DRG_REF_NONE, 0, NULL },
	{ DRG_F_NAME, "name", DRG_V_TEXT, 0, 1, 64, 0, NULL, DRG_REF_NONE, 0, NULL },
};
static const struct drg_element_table table = { fields, 2 };

static bool attempt_answer(void *registration, struct drg_buf *out)
{
	struct attempt *a = DRG_CONTAINER_OF(registration, struct attempt, g);
	for (unsigned i = 0; i < a->body->n; i++)
		drg_buf_printf(out, "%s:%d ", a->id[i], a->e[i].state);
	return true;
}

static void attempt_acknowledged(struct attempt *a)
{
	struct body *b = a->body;
	struct shown now = shown_by_catalog(a->at);
	for (unsigned i = 0; i < b->n; i++) {
		w.is_there[b->id[i]] = true;
		if (b->plain) {
			hold(now.plain[b->id[i] - IDS], "acknowledged and not shown", a->id[i]);
			continue;
		}
		hold(now.owner[b->id[i]] != 0, "acknowledged and not shown", a->id[i]);
		bool created = !a->write.replayed && a->e[i].state == DRG_ELEMENT_CREATED;
		hold(!created || now.owner[b->id[i]] == (unsigned)(b - w.bodies + 1), "created and another's",
		     a->id[i]);
	}
	if (b->named) {
		hold(a->out.n > 0 && a->out.n < sizeof b->kept, "no answer", b->name);
		hold(b->kept[0] == '\0' ||
		             (strlen(b->kept) == a->out.n && memcmp(b->kept, a->out.p, a->out.n) == 0),
		     "a retry was answered otherwise", b->kept);
		memcpy(b->kept, a->out.p, a->out.n);
		b->kept[a->out.n] = '\0';
	}
	done.replayed += a->write.replayed;
}

static void attempt_done(struct drg_write *write)
{
	struct attempt *a = DRG_CONTAINER_OF(write, struct attempt, write);
	const struct drg_job *j = &write->job;
	enum fate fate = fate_of(j);
	a->under_way = false;
	tell("%s of server %u is over: %d %s", a->body->name, (unsigned)(a->at - w.servers), j->rc,
	     j->err.reason);
	if (j->rc == DRG_OK)
		attempt_acknowledged(a);
	a->body->stored |= fate == STORED;
	a->body->unknown |= fate == UNKNOWN;
}

static struct body *body_new(void)
{
	struct body *b = &w.bodies[w.n_bodies++];
	b->n = 1 + below(ELEMENTS);
	b->named = one_in(2);
	snprintf(b->name, sizeof b->name, "B%u", w.n_bodies);
	b->plain = w.placed && one_in(4);
	unsigned first = below(IDS);
	for (unsigned i = 0; i < b->n; i++)
		b->id[i] = b->plain ? IDS + (first + i) % PLAIN : (first + i) % IDS;
	return b;
}

void send_registration(void)
{
	struct server *at = server_any();
	bool again = w.n_bodies > 0 && one_in(3);
	struct body *b = again ? &w.bodies[below(w.n_bodies)] : NULL;
	if (w.n_attempts == REQUESTS || w.n_bodies == REQUESTS || (again && !b->named) || !server_serves(at))
		return;
	struct attempt *a = &w.attempts[w.n_attempts++];
	*a = (struct attempt){ .at = at, .body = again ? b : body_new() };
	b = a->body;
	drg_buf_init(&a->out, 4096);
	for (unsigned i = 0; i < b->n; i++) {
		snprintf(a->id[i], sizeof a->id[i], b->plain ? "m%u" : "s%u", b->id[i] % IDS);
		a->e[i] =
		        (struct drg_element){ .kind = DRG_KIND_MEAL,
			                      .table = &table,
			                      .has = 3,
			                      .v = { { .s = drg_str_c(a->id[i]) },
			                             { .s = b->plain ? DRG_STR("BB") : drg_str_c(b->name) } },
			                      .key = drg_str_c(a->id[i]) };
	}
	a->g = (struct drg_registration){
		.adapter = ADAPTER, .lang = DRG_STR("en"), .elements = a->e, .n = b->n
	};
	a->write = (struct drg_write){ .run = drg_registration_run,
		                       .expect = drg_registration_prefetch,
		                       .ctx = &a->g,
		                       .done = attempt_done,
		                       .job = { .rows = b->n, .bytes = 100 } };
	if (b->named) {
		int rc = drg_retry_init(&a->retry, 1, drg_str_c(b->name), drg_str_c(b->name), NULL);
		hold(rc == DRG_OK, "no retry", b->name);
		a->write.retry = &a->retry;
		a->write.answer = attempt_answer;
		a->write.out = &a->out;
	}
	a->under_way = true;
	tell("%s with %u from %s of server %u", b->name, b->n, a->id[0], (unsigned)(at - w.servers));
	drg_write_submit(at->writer, at->retries, &a->write);
}

/* ---- deciding ------------------------------------------------------------------------------------------ */

static int wish_run(void *ctx, struct drg_txn *t, struct drg_err *reterr)
{
	struct wish *x = ctx;
	int rc = drg_decisions_run_batch(&x->all, t, reterr);
	x->changed = 0;
	for (unsigned i = 0; i < x->all.n; i++)
		x->changed += rc == DRG_OK && x->d[i].is.rc == DRG_OK && x->d[i].is.changed;
	return rc;
}

static void wish_stored(struct wish *x)
{
	for (unsigned i = 0; i < x->all.n; i++) {
		const struct drg_decision_result *is = &x->d[i].is;
		hold(is->rc != DRG_OK || !x->stale[i], "a decision on an older version was taken",
		     hotels[x->hotel[i]]);
		hold(is->rc == DRG_OK || is->rc == DRG_EEXIST, "a decision was refused", is->err.message);
		done.refused += is->rc == DRG_EEXIST;
		if (is->version > w.version[x->hotel[i]])
			w.version[x->hotel[i]] = is->version;
	}
}

static void wish_done(struct drg_job *j)
{
	struct wish *x = DRG_CONTAINER_OF(j, struct wish, job);
	tell("%s is over: %d %s", x->why, j->rc, j->err.reason);
	x->fate = fate_of(j);
	if (x->fate == STORED)
		wish_stored(x);
}

/* Of a hotel that is in the batch once. A version is stale if a later one has been told. */
static void wish_decide(struct wish *x, unsigned hotel)
{
	struct drg_decision *d = &x->d[x->all.n];
	bool clear = one_in(3);
	x->hotel[x->all.n] = hotel;
	*d = (struct drg_decision){ .verb = clear ? DRG_VERB_CLEAR : DRG_VERB_MAP,
		                    .adapter = ADAPTER,
		                    .kind = DRG_KIND_HOTEL,
		                    .id = drg_str_c(hotels[hotel]),
		                    .dict_id = clear ? 0 : targets[below(TARGETS)],
		                    .has_version = w.version[hotel] > 0 && one_in(2) };
	d->version = w.version[hotel];
	x->stale[x->all.n] = d->has_version && one_in(3);
	if (x->stale[x->all.n])
		d->version--;
	x->all.n++;
}

void send_decisions(void)
{
	struct server *at = server_any();
	if (w.n_wishes == REQUESTS || !server_serves(at))
		return;
	struct wish *x = &w.wishes[w.n_wishes++];
	*x = (struct wish){ .job = { wish_run, x, wish_done, .rows = 2, .bytes = 100 },
		            .all = { .v = x->d } };
	snprintf(x->why, sizeof x->why, "D%u", w.n_wishes);
	x->all.by = DRG_STR("ann");
	x->all.why = drg_str_c(x->why);
	unsigned first = below(HOTELS), n = 1 + below(ELEMENTS);
	for (unsigned i = 0; i < n; i++)
		wish_decide(x, (first + i) % HOTELS);
	drg_writer_submit(at->writer, &x->job);
}

/* ---- another process ----------------------------------------------------------------------------------- */

void import_something(void)
{
	struct drg_txn *t = NULL;
	enum drg_put_result result;
	char id[8];
	unsigned i = below(IDS);
	struct drg_record r;
	if (w.n_bodies == REQUESTS || !handle_open(DRG_STORE_WRITE, &w.other))
		return;
	struct body *b = &w.bodies[w.n_bodies++];
	snprintf(b->name, sizeof b->name, "B%u", w.n_bodies);
	snprintf(id, sizeof id, "s%u", i);
	*b = (struct body){ .n = 1, .id = { i }, .unknown = true };
	snprintf(b->name, sizeof b->name, "B%u", w.n_bodies);
	drg_record_init(&r, &drg_types[DRG_TYPE_SOURCE]);
	drg_record_set_i(&r, DRG_F_ADAPTER_ID, ADAPTER);
	drg_record_set_i(&r, DRG_F_KIND, DRG_KIND_MEAL);
	drg_record_set_s(&r, DRG_F_SOURCE_ID, drg_str_c(id));
	drg_record_set_s(&r, DRG_F_NAME, drg_str_c(b->name));
	drg_record_set_s(&r, DRG_F_LANG, DRG_STR("en"));
	bool ok = drg_store_begin(w.other, &t, NULL) == DRG_OK;
	if (ok && drg_txn_add(t, &r, &result, NULL) != DRG_OK)
		drg_txn_rollback(t);
	else if (ok && drg_txn_commit(t, NULL, NULL) == DRG_OK)
		b->stored = w.is_there[i] = true;
	tell("%s, stored: %d", b->name, b->stored);
	if (!b->stored)
		handle_close(&w.other);
}

/* ---- a copy by the change feed ------------------------------------------------------------------------- */

static void copy_begin(void *ctx)
{
	(void)ctx;
}

static void copy_take(void *ctx, const struct drg_change *c)
{
	(void)ctx;
	if (c->is_dict || c->adapter != ADAPTER)
		return;
	unsigned i = id_number(c->source_id);
	int h = c->kind == DRG_KIND_HOTEL ? hotel_number(c->source_id) : -1;
	if (c->kind == DRG_KIND_MEAL && i < IDS + PLAIN) {
		/* what is mapped soon after may be so (F1) */
		hold(i >= IDS || !w.copy[i] || (c->what & DRG_WHAT_CREATED) == 0, "created twice in the feed",
		     "");
		w.copy[i] = (c->what & DRG_WHAT_DELETED) == 0;
	}
	if (h >= 0)
		w.copied[h] = c->view != NULL && c->view->has_dict ? c->view->dict.id : 0;
}

bool read_page(struct drg_store *s)
{
	struct drg_changes_page p = { .filter = drg_change_filter(DRG_KIND_NONE, 0),
		                      .since = w.has_cursor ? DRG_SINCE_CURSOR : DRG_SINCE_START,
		                      .cursor = w.cursor,
		                      .limit = 1 + below(5),
		                      .lang = DRG_STR("en"),
		                      .begin = copy_begin,
		                      .item = copy_take };
	if (!w.has_cursor) {
		memset(w.copy, 0, sizeof w.copy);
		memset(w.copied, 0, sizeof w.copied);
	}
	struct drg_err err;
	if (drg_changes_read_page(&p, s, &err) != DRG_OK) {
		w.has_cursor = false; /* what came of it is not known */
		return true;
	}
	done.pages++;
	w.has_cursor = !p.gone;
	w.cursor = p.cursor;
	return p.more || p.gone;
}

void follow_feed(void)
{
	if (!handle_open(DRG_STORE_READ, &w.reader))
		return;
	for (unsigned n = 1 + below(3); n > 0 && read_page(w.reader); n--)
		;
	if (!w.has_cursor)
		handle_close(&w.reader);
}
