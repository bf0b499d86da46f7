#include "http/counts.h"

#include <assert.h>
#include <stdlib.h>

#include "http/counts_priv.h"
#include "http/http_priv.h"

enum { ROUTELESS = DRG_VERB_OTHER + 1 };

static_assert(DRG_HTTP_CONN_STATES == DRG_CONN_LINGERING + 1, "a number for each state");

static unsigned count_endpoints(const struct drg_http *h)
{
	unsigned n = 0;
	for (const struct drg_endpoint *const *t = h->app.tables; *t != NULL; t++)
		for (const struct drg_endpoint *e = *t; e->path != NULL; e++)
			n++;
	return n;
}

struct drg_loop_counts *drg_loop_counts_new(const struct drg_http *h)
{
	size_t routes = ROUTELESS + count_endpoints(h);
	return calloc(1, sizeof(struct drg_loop_counts) + routes * sizeof(struct drg_route_tally));
}

/* ---- counting, by the thread of the loop ---- */

void drg_count_request(struct drg_exchange *x, int64_t us, uint64_t bytes, bool answered, bool complete)
{
	struct drg_loop_counts *n = x->loop->counts;
	if (x->http->opt.uncounted)
		return;
	unsigned place = (unsigned)x->verb;
	if (x->endpoint != NULL)
		place = ROUTELESS + x->route->number[x->endpoint->method];
	drg_measure_add(&n->routes[place].by_status[drg_http_status_place(answered ? x->status : 0)], 1);
	drg_durations_add(&n->routes[place].took, us);
	drg_measure_add(&n->bytes, bytes);
	if (!complete)
		drg_measure_add(&n->cut, 1);
	if (x->reason != NULL && answered)
		drg_measure_add(&n->errors[x->reason->number], 1);
}

/* ---- adding up ---- */

static void gather_route(const struct drg_http *h, unsigned place, drg_http_route_fn *fn, void *ctx,
                         struct drg_http_route_count c)
{
	uint64_t all = 0;
	for (unsigned i = 0; i < h->n_loops; i++) {
		const struct drg_route_tally *t = &h->loops[i]->counts->routes[place];
		for (unsigned s = 0; s < DRG_HTTP_STATUSES; s++) {
			c.by_status[s] += drg_measure_of(&t->by_status[s]);
			all += drg_measure_of(&t->by_status[s]);
		}
		drg_durations_gather(&t->took, &c.took);
	}
	if (all > 0)
		fn(ctx, &c);
}

void drg_http_each_route(const struct drg_http *h, drg_http_route_fn *fn, void *ctx)
{
	static const char *const methods[DRG_METHOD_COUNT] = { "GET", "POST", "DELETE" };
	unsigned place = 0;
	for (; place < ROUTELESS; place++)
		gather_route(h, place, fn, ctx,
		             (struct drg_http_route_count){ "", drg_verb_names[place], { 0 }, { { 0 }, 0 } });
	for (const struct drg_endpoint *const *t = h->app.tables; *t != NULL; t++)
		for (const struct drg_endpoint *e = *t; e->path != NULL; e++)
			gather_route(h, place++, fn, ctx,
			             (struct drg_http_route_count){
			                     e->path, methods[e->method], { 0 }, { { 0 }, 0 } });
}

uint64_t drg_http_errors(const struct drg_http *h, int reason)
{
	assert(reason >= 0 && reason < DRG_REASON_COUNT);
	uint64_t n = 0;
	for (unsigned i = 0; i < h->n_loops; i++)
		n += drg_measure_of(&h->loops[i]->counts->errors[reason]);
	return n;
}

void drg_http_count_now(const struct drg_http *h, struct drg_http_now *ret)
{
	*ret = (struct drg_http_now){ .at_work = atomic_load(&h->busy),
		                      .max_connections = h->opt.max_connections,
		                      .answer_bytes = atomic_load(&h->answer_bytes),
		                      .request_bytes = atomic_load(&h->request_bytes) };
	for (unsigned i = 0; i < h->n_loops; i++) {
		const struct drg_loop_counts *n = h->loops[i]->counts;
		for (unsigned s = 0; s < DRG_HTTP_CONN_STATES; s++)
			ret->connections[s] += drg_measure_of(&n->connections[s]);
		ret->accepted += drg_measure_of(&n->accepted);
		ret->cut += drg_measure_of(&n->cut);
		ret->bytes += drg_measure_of(&n->bytes);
	}
}

const char *drg_http_conn_state(unsigned state)
{
	assert(state < DRG_HTTP_CONN_STATES);
	static const char *const names[DRG_HTTP_CONN_STATES] = { "greeting", "idle",   "body",
		                                                 "handler",  "answer", "lingering" };
	return names[state];
}
