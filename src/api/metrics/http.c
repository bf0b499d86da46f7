/* Metrics of requests and connections. */
#include "api/metrics/scrape.h"
#include "api/people/sign_in.h"
#include "http/counts.h"

static void route_requests(void *ctx, const struct drg_http_route_count *c)
{
	struct drg_scrape *s = ctx;
	for (unsigned i = 0; i < DRG_HTTP_STATUSES; i++)
		if (c->by_status[i] > 0)
			drg_sample(s, (int64_t)c->by_status[i], "route=\"%s\",method=\"%s\",status=\"%d\"",
			           c->path, c->method, drg_http_status_at(i));
}

static void requests(struct drg_scrape *s)
{
	drg_http_each_route(s->app->http, route_requests, s);
}

static void route_durations(void *ctx, const struct drg_http_route_count *c)
{
	drg_sample_durations(ctx, &c->took, "route=\"%s\",method=\"%s\"", c->path, c->method);
}

static void durations(struct drg_scrape *s)
{
	drg_http_each_route(s->app->http, route_durations, s);
}

static void errors(struct drg_scrape *s)
{
	for (int i = 0; i < DRG_REASON_COUNT; i++) {
		uint64_t n = drg_http_errors(s->app->http, i);
		if (n > 0)
			drg_sample(s, (int64_t)n, "reason=\"%s\",status=\"%d\"", drg_reason_at(i)->word,
			           drg_reason_at(i)->status);
	}
}

static struct drg_http_now now_of(const struct drg_scrape *s)
{
	struct drg_http_now now;
	drg_http_count_now(s->app->http, &now);
	return now;
}

DRG_METRIC_ONE(in_flight, now_of(s).at_work)
DRG_METRIC_ONE(cut, now_of(s).cut)
DRG_METRIC_ONE(answer_bytes, now_of(s).bytes)

static void held_bytes(struct drg_scrape *s)
{
	const struct drg_http_now now = now_of(s);
	drg_sample(s, (int64_t)now.request_bytes, "of=\"requests\"");
	drg_sample(s, (int64_t)now.answer_bytes, "of=\"answers\"");
}

static void connections(struct drg_scrape *s)
{
	const struct drg_http_now now = now_of(s);
	for (unsigned i = 0; i < DRG_HTTP_CONN_STATES; i++)
		drg_sample(s, (int64_t)now.connections[i], "state=\"%s\"", drg_http_conn_state(i));
}

DRG_METRIC_ONE(connections_max, now_of(s).max_connections)
DRG_METRIC_ONE(accepted, now_of(s).accepted)

static void sign_ins(struct drg_scrape *s)
{
	const struct drg_sign_in *all = s->app->sign_in;
	drg_sample(s, (int64_t)atomic_load(&all->passed), "result=\"passed\"");
	drg_sample(s, (int64_t)atomic_load(&all->failed), "result=\"failed\"");
	drg_sample(s, (int64_t)atomic_load(&all->throttled), "result=\"throttled\"");
}

/* clang-format off */
const struct drg_metric drg_metrics_http[] = {
	{ "dragoman_http_requests_total", DRG_METRIC_COUNTER, "route, method, status",
	  "Requests that are over. A path that no endpoint has is route \"\"; HEAD counts as GET; status 0: "
	  "ended before an answer.", requests },
	{ "dragoman_http_request_duration_seconds", DRG_METRIC_HISTOGRAM, "route, method",
	  "From the end of a request's head to the last byte of its answer handed to the system.", durations },
	{ "dragoman_http_errors_total", DRG_METRIC_COUNTER, "reason, status",
	  "Answers that are errors, and connections that are refused, by the word of their reason.", errors },
	{ "dragoman_http_requests_cut_total", DRG_METRIC_COUNTER, "",
	  "Requests that the client, or a deadline, ended before their answer was sent.", cut },
	{ "dragoman_http_requests_in_flight", DRG_METRIC_GAUGE, "",
	  "Requests that are worked for, those that wait for the data included.", in_flight },
	{ "dragoman_http_answer_bytes_total", DRG_METRIC_COUNTER, "",
		"Bytes of the bodies of answers, as sent.", answer_bytes },
	{ "dragoman_http_held_bytes", DRG_METRIC_GAUGE, "of", "Memory of large requests and answers.",
		held_bytes },
	{ "dragoman_http_connections", DRG_METRIC_GAUGE, "state",
	  "Connections. idle: wait for a request or its head; handler: wait for the service; lingering: "
	  "refused or at their end.", connections },
	{ "dragoman_http_connections_max", DRG_METRIC_GAUGE, "",
		"Connections that there may be (--max-connections).", connections_max },
	{ "dragoman_http_connections_accepted_total", DRG_METRIC_COUNTER, "", "Connections that came.",
		accepted },
	{ "dragoman_sign_ins_total", DRG_METRIC_COUNTER, "result",
	  "Attempts of people to sign in: passed, failed, throttled (told to wait).", sign_ins },
	{ NULL, DRG_METRIC_COUNTER, NULL, NULL, NULL },
};
/* clang-format on */
