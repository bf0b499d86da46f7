/* GET /metrics of the listener for operators. */
#include "api/metrics/scrape.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "api/tables.h"
#include "catalog/rcu.h"
#include "http/endpoint.h"

/* ---- samples ---- */

DRG_PRINTF(4, 0)
static void begin_sample(struct drg_scrape *s, const char *suffix, const char *more, const char *labels,
                         va_list ap)
{
	char text[400];
	vsnprintf(text, sizeof text, labels, ap);
	const char *comma = text[0] != '\0' && more[0] != '\0' ? "," : "";
	bool any = text[0] != '\0' || more[0] != '\0';
	drg_buf_printf(s->out, "%s%s%s%s%s%s%s ", s->m->name, suffix, any ? "{" : "", text, comma, more,
	               any ? "}" : "");
}

static void add_seconds(struct drg_buf *b, uint64_t us)
{
	drg_buf_printf(b, "%" PRIu64 ".%06" PRIu64 "\n", us / 1000000, us % 1000000);
}

void drg_sample(struct drg_scrape *s, int64_t value, const char *labels, ...)
{
	va_list ap;
	va_start(ap, labels);
	begin_sample(s, "", "", labels, ap);
	va_end(ap);
	drg_buf_printf(s->out, "%" PRId64 "\n", value);
}

void drg_sample_us(struct drg_scrape *s, int64_t us, const char *labels, ...)
{
	va_list ap;
	va_start(ap, labels);
	begin_sample(s, "", "", labels, ap);
	va_end(ap);
	add_seconds(s->out, us > 0 ? (uint64_t)us : 0);
}

void drg_sample_durations(struct drg_scrape *s, const struct drg_durations_sum *d, const char *labels, ...)
{
	uint64_t all = 0;
	va_list ap;
	for (unsigned i = 0; i <= DRG_DURATIONS; i++) {
		char le[40] = "le=\"+Inf\"";
		if (i < DRG_DURATIONS)
			snprintf(le, sizeof le, "le=\"%g\"", drg_duration_us[i] / 1e6);
		all += d->n[i];
		va_start(ap, labels);
		begin_sample(s, "_bucket", le, labels, ap);
		va_end(ap);
		drg_buf_printf(s->out, "%" PRIu64 "\n", all);
	}
	va_start(ap, labels);
	begin_sample(s, "_sum", "", labels, ap);
	va_end(ap);
	add_seconds(s->out, d->sum_us);
	va_start(ap, labels);
	begin_sample(s, "_count", "", labels, ap);
	va_end(ap);
	drg_buf_printf(s->out, "%" PRIu64 "\n", all);
}

/* ---- the answer ---- */

static void write_metric(struct drg_scrape *s, const struct drg_metric *m)
{
	static const char *const types[] = { "counter", "gauge", "histogram" };
	s->m = m;
	drg_buf_printf(s->out, "# HELP %s %s\n# TYPE %s %s\n", m->name, m->help, m->name, types[m->type]);
	m->read(s);
}

static int metrics_get(struct drg_exchange *x)
{
	static const struct drg_metric *const tables[] = { drg_metrics_http, drg_metrics_data,
		                                           drg_metrics_machine };
	struct drg_scrape s = { .app = drg_app_of(x), .out = drg_exchange_out(x) };
	drg_exchange_set_type(x, "text/plain; version=0.0.4; charset=utf-8");
	bool figures = drg_figures_request(s.app->figures);
	drg_read_lock();
	s.cat = drg_follower_catalog(s.app->follower);
	s.figures = figures ? drg_figures_now(s.app->figures) : NULL;
	for (size_t i = 0; i < DRG_ARRAY_LEN(tables); i++)
		for (const struct drg_metric *m = tables[i]; m->name != NULL; m++)
			write_metric(&s, m);
	drg_read_unlock();
	return DRG_OK;
}

const struct drg_endpoint drg_admin_endpoints[] = {
	{ .method = DRG_GET,
	  .path = "/metrics",
	  .handler = metrics_get,
	  .auth = DRG_AUTH_PUBLIC,
	  .summary = "Export the server's metrics for Prometheus" },
	{ 0 },
};
