/* The options of commands for curators: mappings, the reference, batches and the matcher. */
#include "names/find.h"
#include "cli/option_rows_priv.h"

static const char *const queue_words[] = { "all", "yes", "no", NULL };
/* In the order of enum drg_queue_sort. */
static const char *const sort_words[] = { "worth",   "probability", "asked",  "newest", "supplier",
	                                  "country", "city",        "reason", NULL };
static const char *const stats_words[] = { "month", "country", NULL };

/* Tables read by their columns. */
/* clang-format off */

const struct drg_option drg_options_decision[] = { DATA_AND_STORE, LOCK_TIMEOUT, BY, WHY, END };

const struct drg_option drg_options_accept[] = {
	DATA_AND_STORE, LOCK_TIMEOUT,
	TEXT("above", "P", NULL,
		"all whose first suggestion is right with this probability or more, such as 0.95"),
	ONLY_SUPPLIER, ONLY_KIND, ONLY_COUNTRY, ONLY_CASES, SINCE,
	FLAG("dry-run", "with --above: say how many, show ten at random, change nothing"),
	BY, WHY, END
};

const struct drg_option drg_options_reject[] = {
	DATA_AND_STORE, LOCK_TIMEOUT,
	FLAG("undo", "undo the rejection of DICT_ID"),
	BY, WHY, END
};

const struct drg_option drg_options_dict_name[] = {
	DATA_AND_STORE, LOCK_TIMEOUT,
	FLAG("remove", "it has no name in this language"),
	FLAG("undo", "undo the last decision about the name in this language"),
	BY, WHY, END
};

const struct drg_option drg_options_dict_history[] = {
	DATA_AND_STORE, SINCE,
	TEXT("by", "NAME", NULL, "only by this person"),
	LISTING, END
};

const struct drg_option drg_options_map_list[] = {
	DATA_AND_STORE,
	FLAG("unmapped", "only unmapped records, the most requested first, with details"),
	FLAG("mapped", "only mapped records"),
	ONLY_SUPPLIER, ONLY_KIND, LISTING, END
};

const struct drg_option drg_options_map_load[] = {
	DATA_AND_STORE, LOCK_TIMEOUT,
	FLAG("dry-run", "say what would happen, change nothing"),
	ENCODING,
	BY, WHY, END
};

const struct drg_option drg_options_match_load[] = {
	DATA_AND_STORE, LOCK_TIMEOUT,
	FLAG("dry-run", "say what would happen, change nothing"),
	FLAG("anyway", "make new records where the reference has one of that name nearby, too"),
	ENCODING,
	BY, WHY, END
};

const struct drg_option drg_options_map_history[] = {
	DATA_AND_STORE, ONLY_SUPPLIER, SINCE,
	TEXT("by", "NAME", NULL, "only by this person"),
	INT("batch", "ID", NULL, 1, INT64_MAX, "only of this batch"),
	LISTING, END
};

const struct drg_option drg_options_changes[] = {
	DATA_AND_STORE,
	TEXT("since", "TIME", NULL,
		"yesterday, monday, 7d, 2026-11-20 (UTC) or 2026-11-20T12:00:00Z (required)"),
	ONLY_SUPPLIER, ONLY_KIND,
	TEXT("lang", "TAG", "en", "language of the names"),
	LISTING, END
};

const struct drg_option drg_options_dict_find[] = {
	DATA_AND_STORE, ONLY_KIND, ONLY_COUNTRY,
	INT("limit", "N", "20", 1, DRG_FIND_MAX, "how many at most, the best first"),
	LISTING, END
};

const struct drg_option drg_options_dict_duplicates[] = {
	DATA_AND_STORE, ONLY_KIND, ONLY_COUNTRY,
	INT("limit", "N", "100", 0, INT32_MAX, "how many at most, the worst first; 0: all"),
	LISTING, END
};

const struct drg_option drg_options_map_find[] = {
	DATA_AND_STORE, ONLY_KIND, ONLY_SUPPLIER,
	INT("limit", "N", "20", 1, DRG_FIND_MAX, "how many at most, the best first"),
	LISTING, END
};

const struct drg_option drg_options_coverage[] = {
	DATA_AND_STORE, ONLY_KIND, ONLY_SUPPLIER,
	INT("min-coverage", "PERCENT", NULL, 1, 100, "exit status 1 if less is mapped in any row"),
	TEXT("since", "TIME", NULL,
		"count requests since that day (UTC), and records and mappings added since (default: all "
		"that are kept)"),
	LISTING, END
};

const struct drg_option drg_options_batch_list[] = {
	DATA_AND_STORE,
	TEXT("adapter", "SUPPLIER", NULL,
		"only batches that have written records of this supplier, code or number"),
	LISTING, END
};

const struct drg_option drg_options_air_list[] = { DATA_AND_STORE, ONLY_SUPPLIER, LISTING, END };

const struct drg_option drg_options_match[] = {
	DATA_AND_STORE, LOCK_TIMEOUT,
	TEXT("kind", "KIND", NULL,
		"only this kind; airport: what avia/compared could not match, which no run without it does"),
	TEXT("list", "FILE", NULL,
		"with --kind airport and one supplier: match its list instead, .xlsx or CSV"),
	TEXT("precision", "P", "0.995",
		"which share of the automatic mappings should be right: from 0.5 to 0.9999"),
	FLAG("dry-run", "say what would be mapped, change nothing"),
	TEXT("report", "FILE", NULL,
		"write each result to FILE: .xlsx, .csv, else NDJSON (of airports always)"),
	INT("samples", "N", "20", 0, 100, "examples shown of each kind and outcome"),
	TEXT("weights", "FILE", NULL,
		"a scorecard of hotels, as match weights prints it (default: the one in use)"),
	INT("threads", "N", "0", 0, 64, "threads that compare; 0: one per core"),
	BY, WHY, END
};

const struct drg_option drg_options_match_weights[] = {
	DATA_AND_STORE, LOCK_TIMEOUT,
	TEXT("weights", "FILE", NULL, "check this scorecard and print it"),
	BY, WHY, LISTING, END
};

const struct drg_option drg_options_match_stats[] = {
	DATA_AND_STORE,
	WORD("by", "month|country", "month", stats_words, "a row for each month, or for each country"),
	ONLY_SUPPLIER, ONLY_KIND, LISTING, END
};

const struct drg_option drg_options_match_doubles[] = {
	DATA_AND_STORE, ONLY_SUPPLIER,
	INT("limit", "N", "0", 0, INT64_MAX, "how many at most, the worst first; 0: all"),
	LISTING, END
};

const struct drg_option drg_options_match_new[] = {
	DATA_AND_STORE, LOCK_TIMEOUT,
	FLAG("accept", "make the proposed records: all, or the records that FILE lists"),
	FLAG("dry-run", "with --accept: say which records would be made, change nothing"),
	ENCODING,
	TEXT("weights", "FILE", NULL,
		"a scorecard of hotels, as match weights prints it (default: the one in use)"),
	INT("threads", "N", "0", 0, 64, "threads that compare; 0: one per core"),
	BY, WHY, LISTING, END
};

const struct drg_option drg_options_match_audit[] = {
	DATA_AND_STORE, ONLY_SUPPLIER, ONLY_KIND,
	INT("size", "N", "300", 1, 100000, "how many to draw"),
	INT("seed", "N", NULL, 0, INT32_MAX, "the same seed draws the same sample (default: from the time)"),
	LISTING, END
};

const struct drg_option drg_options_match_precision[] = {
	DATA_AND_STORE, LOCK_TIMEOUT, ONLY_SUPPLIER, ONLY_KIND,
	TEXT("since", "TIME", NULL,
		"only mappings judged since then: yesterday, monday, 7d, 2026-11-20 (UTC)"),
	TEXT("wanted", "P", NULL,
		"find the lowest bound for automatic at which this share is right, such as 0.998"),
	FLAG("apply", "use a scorecard with that bound from now on"),
	BY, WHY, LISTING, END
};

const struct drg_option drg_options_match_learn[] = {
	DATA_AND_STORE, LOCK_TIMEOUT,
	TEXT("output", "FILE", NULL, "write the scorecard to FILE, for match weights set"),
	FLAG("apply", "use it from now on, if it is better"),
	FLAG("imported", "learn from mappings that came with imports, too"),
	BY, WHY, END
};

const struct drg_option drg_options_match_queue[] = {
	DATA_AND_STORE, ONLY_SUPPLIER, ONLY_KIND, ONLY_COUNTRY, ONLY_CASES, SINCE, BY,
	TEXT("above", "P", NULL,
		"only where the first suggestion is right with this probability or more, such as 0.95"),
	WORD("suggested", "all|yes|no", "all", queue_words, "all, what has a suggestion, or what has none"),
	WORD("sort", "ORDER", "worth", sort_words,
		"worth, probability, asked, newest, supplier, country, city or reason"),
	INT("limit", "N", "0", 0, INT64_MAX, "how many at most; 0: all"),
	LISTING, END
};

const struct drg_option drg_options_match_explain[] = {
	DATA_AND_STORE,
	TEXT("weights", "FILE", NULL,
		"a scorecard of hotels, as match weights prints it (default: the one in use)"),
	END
};
/* clang-format on */
