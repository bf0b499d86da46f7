/* Metrics of the data: what is served, stored, followed, matched. */
#include "api/metrics/scrape.h"
#include "matching/live/automatch.h"
#include "store/lend.h"

/* ---- the catalog and what it follows ---- */

static void data_version(struct drg_scrape *s)
{
	if (s->cat != NULL)
		drg_sample(s, drg_catalog_seq(s->cat), "%s", "");
}

DRG_METRIC_ONE(loaded, s->cat != NULL)
DRG_METRIC_ONE(feed_lag, drg_follower_lag(s->app->follower))
DRG_METRIC_ONE(set_aside, drg_follower_aside(s->app->follower))

static void catalog_records(struct drg_scrape *s)
{
	struct drg_catalog_stats st;
	if (s->cat == NULL)
		return;
	drg_catalog_stats(s->cat, &st);
	for (size_t k = 0; k < DRG_KIND_COUNT; k++)
		drg_sample(s, (int64_t)st.dicts_of[k], "of=\"reference\",kind=\"%s\"",
		           drg_kind_name((enum drg_kind)k));
	for (size_t k = 0; k < DRG_KIND_COUNT; k++)
		if (drg_kind_is_source((unsigned)k))
			drg_sample(s, (int64_t)st.sources_of[k], "of=\"suppliers\",kind=\"%s\"",
			           drg_kind_name((enum drg_kind)k));
}

static void catalog_bytes(struct drg_scrape *s)
{
	struct drg_catalog_stats st;
	if (s->cat == NULL)
		return;
	drg_catalog_stats(s->cat, &st);
	drg_sample(s, (int64_t)(st.heap_used - st.heap_dead), "part=\"records\"");
	drg_sample(s, (int64_t)st.heap_dead, "part=\"replaced\"");
	drg_sample(s, (int64_t)st.table_bytes, "part=\"tables\"");
}

static void feed_waiting(struct drg_scrape *s)
{
	drg_sample(s, drg_changes_waiting(s->app->changes), "for=\"changes\"");
	drg_sample(s, drg_version_waits_n(s->app->version_waits), "for=\"version\"");
}

/* ---- lists ---- */

static struct drg_lists_counts lists_of(const struct drg_scrape *s)
{
	struct drg_lists_counts c;
	drg_lists_count(s->app->lists, &c);
	return c;
}

static void list_builds(struct drg_scrape *s)
{
	const struct drg_lists_counts c = lists_of(s);
	drg_sample_durations(s, &c.builds, "%s", "");
}

DRG_METRIC_ONE(list_failures, lists_of(s).failed)
DRG_METRIC_ONE(lists_waiting, lists_of(s).waiting)
DRG_METRIC_ONE(lists_kept, lists_of(s).ready)
DRG_METRIC_ONE(list_bytes, lists_of(s).bytes)

/* ---- the store ---- */

static struct drg_writer_counts writer_of(const struct drg_scrape *s)
{
	struct drg_writer_counts c;
	drg_writer_count(s->app->writer, &c);
	return c;
}

DRG_METRIC_ONE(store_readable, !drg_follower_is_offline(s->app->follower))

static void store_trouble(struct drg_scrape *s)
{
	const char *word;
	for (size_t i = 0; (word = drg_writer_failure_word(i)) != NULL; i++)
		drg_sample(s, word == drg_writer_failure(s->app->writer), "trouble=\"%s\"", word);
}

DRG_METRIC_ONE(write_queue, drg_writer_waiting(s->app->writer))
DRG_METRIC_ONE(write_queue_max, writer_of(s).room)

static void commits(struct drg_scrape *s)
{
	const struct drg_writer_counts c = writer_of(s);
	drg_sample_durations(s, &c.commits, "%s", "");
}

DRG_METRIC_ONE(writes, writer_of(s).jobs)
DRG_METRIC_ONE(write_failures, writer_of(s).failed)

static void store_connections(struct drg_scrape *s)
{
	struct drg_store_lending c;
	if (s->app->store_path != NULL)
		return;
	drg_store_lending(&c);
	drg_sample(s, c.lent, "state=\"used\"");
	drg_sample(s, c.waiting, "state=\"free\"");
	drg_sample(s, c.max, "state=\"max\"");
}

static void store_bytes(struct drg_scrape *s)
{
	if (s->figures != NULL)
		drg_sample(s, (int64_t)s->figures->store_bytes, "%s", "");
}

/* ---- matching ---- */

static void matched_version(struct drg_scrape *s)
{
	const int64_t matched = drg_automatch_matched(s->app->automatch);
	if (matched >= 0)
		drg_sample(s, matched, "%s", "");
}

static void matcher(struct drg_scrape *s)
{
	struct drg_automatch_counts c;
	drg_automatch_count(s->app->automatch, &c);
	drg_sample(s, (int64_t)c.seen, "step=\"seen\"");
	drg_sample(s, (int64_t)c.mapped, "step=\"mapped\"");
	drg_sample(s, (int64_t)c.asked, "step=\"asked\"");
}

static void each_supplier(struct drg_scrape *s, size_t member, bool all)
{
	if (s->figures == NULL)
		return;
	const struct drg_buf *b = &s->figures->suppliers;
	for (size_t at = 0; at < b->n; at += sizeof(struct drg_supplier_figures)) {
		struct drg_supplier_figures f;
		int64_t n;
		memcpy(&f, b->p + at, sizeof f);
		memcpy(&n, b->p + at + member, sizeof n);
		if (all || n > 0)
			drg_sample(s, n, "adapter=\"%lld\",kind=\"%s\"", (long long)f.adapter,
			           drg_kind_name(f.kind));
	}
}

static void supplier_records(struct drg_scrape *s)
{
	each_supplier(s, offsetof(struct drg_supplier_figures, records), true);
}

static void supplier_mapped(struct drg_scrape *s)
{
	each_supplier(s, offsetof(struct drg_supplier_figures, mapped), true);
}

static void open_questions(struct drg_scrape *s)
{
	each_supplier(s, offsetof(struct drg_supplier_figures, open), true);
}

static void air_unmatched(struct drg_scrape *s)
{
	if (s->figures == NULL)
		return;
	for (size_t at = 0; at < s->figures->air.n; at += sizeof(struct drg_open_count)) {
		struct drg_open_count c;
		memcpy(&c, s->figures->air.p + at, sizeof c);
		drg_sample(s, c.n, "adapter=\"%lld\"", (long long)c.adapter);
	}
}

/* clang-format off */
const struct drg_metric drg_metrics_data[] = {
	{ "dragoman_data_loaded", DRG_METRIC_GAUGE, "", "1: the data are loaded, and requests are answered.",
		loaded },
	{ "dragoman_data_version", DRG_METRIC_GAUGE, "", "Number of the last commit that answers show.",
		data_version },
	{ "dragoman_feed_lag_seconds", DRG_METRIC_GAUGE, "",
	  "For how long what is served may be behind the store; 0 while the two are the same.", feed_lag },
	{ "dragoman_feed_waiting", DRG_METRIC_GAUGE, "for",
		"Requests that wait for a change or for a version of the data.", feed_waiting },
	{ "dragoman_records_set_aside", DRG_METRIC_GAUGE, "",
		"Records of the store that are not served, since the catalog cannot take them.", set_aside },
	{ "dragoman_catalog_records", DRG_METRIC_GAUGE, "of, kind",
		"Records that are served, of the reference or of suppliers.", catalog_records },
	{ "dragoman_catalog_bytes", DRG_METRIC_GAUGE, "part",
		"Memory of these records. replaced: freed when the catalog is rebuilt.",
		catalog_bytes },
	{ "dragoman_list_build_seconds", DRG_METRIC_HISTOGRAM, "",
		"How long reference lists took to build and compress.", list_builds },
	{ "dragoman_list_build_failures_total", DRG_METRIC_COUNTER, "", "Lists that could not be built.",
		list_failures },
	{ "dragoman_lists_waiting", DRG_METRIC_GAUGE, "", "Lists that requests wait for.", lists_waiting },
	{ "dragoman_lists", DRG_METRIC_GAUGE, "", "Lists that are kept ready.", lists_kept },
	{ "dragoman_lists_bytes", DRG_METRIC_GAUGE, "", "Memory of these lists.", list_bytes },
	{ "dragoman_store_readable", DRG_METRIC_GAUGE, "",
		"0: the store cannot be followed; answers are from memory.", store_readable },
	{ "dragoman_store_write_trouble", DRG_METRIC_GAUGE, "trouble",
		"1: the last write failed for this reason, as /readyz says it.", store_trouble },
	{ "dragoman_store_bytes", DRG_METRIC_GAUGE, "", "Size of the store on its disk.", store_bytes },
	{ "dragoman_store_connections", DRG_METRIC_GAUGE, "state",
		"Connections to a database that are lent to readers; max: how many may be.",
		store_connections },
	{ "dragoman_write_queue", DRG_METRIC_GAUGE, "", "Requests whose writes wait to be stored and shown.",
		write_queue },
	{ "dragoman_write_queue_max", DRG_METRIC_GAUGE, "",
		"How many may wait (--write-queue); a further one is refused.", write_queue_max },
	{ "dragoman_commit_seconds", DRG_METRIC_HISTOGRAM, "",
	  "How long COMMIT took, to stable storage: of a store in a file nearly all of it is fsync.", commits },
	{ "dragoman_writes_total", DRG_METRIC_COUNTER, "", "Jobs that were committed; one commit has many.",
		writes },
	{ "dragoman_write_failures_total", DRG_METRIC_COUNTER, "",
		"Transactions that the store did not begin, run or commit.", write_failures },
	{ "dragoman_matched_version", DRG_METRIC_GAUGE, "",
		"Version of the data up to which new records have been matched.", matched_version },
	{ "dragoman_matcher_records_total", DRG_METRIC_COUNTER, "step",
	  "New records that this server matched: seen; of them mapped; of them asked, which people decide.",
	  	matcher },
	{ "dragoman_supplier_records", DRG_METRIC_GAUGE, "adapter, kind",
		"Records of each supplier in the store.", supplier_records },
	{ "dragoman_supplier_mapped", DRG_METRIC_GAUGE, "adapter, kind", "Of these: mapped to the reference.",
		supplier_mapped },
	{ "dragoman_supplier_open", DRG_METRIC_GAUGE, "adapter, kind",
		"Of these: questions that wait for people.", open_questions },
	{ "dragoman_air_unmatched", DRG_METRIC_GAUGE, "adapter",
		"Different queries of avia/compared that nothing matched, and that nobody has mapped.",
		air_unmatched },
	{ NULL, DRG_METRIC_COUNTER, NULL, NULL, NULL },
};
/* clang-format on */
