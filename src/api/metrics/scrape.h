/* src/api/metrics/scrape.h
 * What a server tells of itself, for Prometheus (decision E28): one table of metrics, from which GET
 * /metrics, docs/monitor.md and the tests are made. A row's function writes its samples; nothing else names a
 * metric. */
#pragma once
#include "api/app.h"
#include "api/metrics/figures.h"
#include "base/measure.h"

/** One answer in the making. */
struct drg_scrape {
	const struct drg_app *app;
	const struct drg_metric *m; /**< the row whose samples are written */
	struct drg_buf *out;
	const struct drg_catalog *cat; /**< NULL: the data are being loaded. In a read section */
	const struct drg_figures *figures; /**< NULL: not read yet */
};

enum drg_metric_type { DRG_METRIC_COUNTER, DRG_METRIC_GAUGE, DRG_METRIC_HISTOGRAM };

struct drg_metric {
	const char *name; /**< "dragoman_…", as promtool wants it */
	enum drg_metric_type type;
	const char *labels; /**< "route, method"; empty: none */
	const char *help; /**< one line */
	void (*read)(struct drg_scrape *s); /**< writes what there is now, perhaps nothing */
};

/** A sample of the row. @param labels  As Prometheus writes them, without braces: "kind=\"hotel\""; empty:
 * none. */
void drg_sample(struct drg_scrape *s, int64_t value, const char *labels, ...) DRG_PRINTF(3, 4);
/** The same, of a time that is told in seconds. */
void drg_sample_us(struct drg_scrape *s, int64_t us, const char *labels, ...) DRG_PRINTF(3, 4);
/** Buckets, sum and count of a histogram. */
void drg_sample_durations(struct drg_scrape *s, const struct drg_durations_sum *d, const char *labels, ...)
        DRG_PRINTF(3, 4);

/** A row's function that writes one sample without labels. */
#define DRG_METRIC_ONE(name, value)                                                                          \
	static void name(struct drg_scrape *s)                                                               \
	{                                                                                                    \
		drg_sample(s, (int64_t)(value), "%s", "");                                                   \
	}

/** Tables of metrics, one for each file that has readers; each ends with a zero name. */
extern const struct drg_metric drg_metrics_http[], drg_metrics_data[], drg_metrics_machine[];
