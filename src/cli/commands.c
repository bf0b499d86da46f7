#include "cli/cli.h"

#include <limits.h>
#include <stddef.h>

#include "admin/find.h"
#include "cli/listing.h"
#include "model/model.h"

static const char *const api_words[] = { "a", "b", NULL };
static const char *const domain_words[] = { "tour", "air", NULL };
static const char *const stage_words[] = { "live", "mapping", NULL };
static const char *const serve_match_words[] = { "auto", "suggest", "off", NULL };
static const char *const suggested_words[] = { "all", "yes", "no", NULL };
/* As enum drg_queue_sort has them. */
static const char *const sort_words[] = { "worth",   "probability", "asked",  "newest", "supplier",
	                                  "country", "city",        "reason", NULL };
static const char *const stats_words[] = { "month", "country", NULL };
static const char *const yes_no_words[] = { "no", "yes", NULL };
static const char *const decimal_words[] = { ".", ",", NULL };
static const char *const log_format_words[] = { "auto", "text", "json", NULL };
static const char *const level_words[] = { "error", "warning", "info", "debug", NULL };

/* Tables read by their columns. */
/* clang-format off */

#define FLAG(name, doc)                     { name, DRG_OPT_FLAG, NULL, NULL, 0, 0, NULL, false, doc }
#define TEXT(name, arg, dflt, doc)          { name, DRG_OPT_TEXT, arg, dflt, 0, 0, NULL, false, doc }
#define TEXTS(name, arg, doc)               { name, DRG_OPT_TEXTS, arg, NULL, 0, 0, NULL, false, doc }
#define INT(name, arg, dflt, min, max, doc) { name, DRG_OPT_INT, arg, dflt, min, max, NULL, false, doc }
#define WORD(name, arg, dflt, words, doc)   { name, DRG_OPT_WORD, arg, dflt, 0, 0, words, false, doc }
/* Those that mean the same in every command: DRAGOMAN_DATA is for all of them. */
#define FLAG_ALL(name, doc)                     { name, DRG_OPT_FLAG, NULL, NULL, 0, 0, NULL, true, doc }
#define TEXT_ALL(name, arg, dflt, doc)          { name, DRG_OPT_TEXT, arg, dflt, 0, 0, NULL, true, doc }
#define INT_ALL(name, arg, dflt, min, max, doc) { name, DRG_OPT_INT, arg, dflt, min, max, NULL, true, doc }
#define WORD_ALL(name, arg, dflt, words, doc)   { name, DRG_OPT_WORD, arg, dflt, 0, 0, words, true, doc }
#define END                                 { .name = NULL }

#define CONFIG TEXT_ALL("config", "FILE", NULL, "a file of settings, each NAME = VALUE")
#define DATA_AND_STORE \
	CONFIG, \
	TEXT_ALL("data", "DIR", NULL, "the data folder"), \
	TEXT_ALL("store", "URL", NULL, "the store (default: sqlite:DIR/dragoman.db)")

/* Of commands that list. */
#define LISTING \
	WORD_ALL("format", "FORMAT", "table", drg_listing_formats, "table, ndjson (records as an export has them) or csv"), \
	TEXT("output", "FILE", NULL, "write it to FILE: .xlsx, .ndjson, else CSV with a byte order mark"), \
	FLAG_ALL("excel", "CSV as Excel opens it by a double click: a byte order mark, semicolons")

/* Of commands that write. */
#define LOCK_TIMEOUT \
	INT_ALL("lock-timeout", "SECONDS", "5", 1, 3600, "how long another process may keep this one from writing")

/* Of commands that make a store, and bring one up to date. */
#define NO_UPGRADE \
	FLAG("no-upgrade", "leave a store of an older version as it is, and end")

/* Of commands whose changes a history keeps. */
#define BY_AND_WHY \
	TEXT_ALL("by", "NAME", NULL,  "who does it, for the history (default: $USER, or the user's name in the system)"), \
	TEXT_ALL("why", "TEXT", NULL, "the reason, for the history")

/* Of commands that look at a part. */
#define ONLY_SUPPLIER TEXT("adapter", "SUPPLIER", NULL, "only this supplier, code or number")
#define ONLY_KIND     TEXT("kind", "KIND", NULL,        "only this kind")
#define ONLY_COUNTRY  TEXT("country", "COUNTRY", NULL,  "only of this country, ISO code (TR) or id in the reference")
#define SINCE         TEXT("since", "TIME", NULL,       "only since then: 2026-11-20 (UTC) or 2026-11-20T12:00:00Z")

/* How the files of a supplier look. */
#define LOOKS \
	TEXT("kind", "KIND", NULL,       "what each row is, such as hotel (default: what the profile says, or hotel)"), \
	TEXTS("map", "FIELD=COLUMN,...", "which column fills which field; may be repeated"), \
	TEXT("encoding", "NAME", NULL,   "of text files, such as windows-1251 or cp1254 (default: recognised where that is safe)"), \
	TEXT("separator", "CHAR", NULL,  "of text files: what stands between cells, or tab (default: recognised)"), \
	WORD("decimal", ".|,", NULL, decimal_words, "the decimal sign (default: recognised)"), \
	TEXT("sheet", "NAME", NULL,      "of workbooks: the sheet (default: the only one that has cells)"), \
	TEXT("lang", "TAG", NULL,        "language of the names (default: en)")

static const struct drg_option serve_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	NO_UPGRADE,
	TEXT("listen",         "ADDR:PORT", "127.0.0.1:8080",         "where to listen; [::1]:8080 for IPv6, port 0 for any free one"),
	FLAG("hold",                                                  "refuse connections until the data are loaded, so that a proxy asks another server"),
	TEXT("admin",          "ADDR:PORT|PATH", NULL,                "where operators look: /metrics, /healthz, /readyz, /readyz/write, without a key; a path is a local socket"),
	TEXT("public-url",     "URL",       NULL,                     "how clients reach the server: URLs of flags begin so (default: http://ADDR:PORT)"),
	FLAG("demo",                                                  "the pages /demo and /docs bring a key that reads; good only with suppliers that dragoman-synth made up"),
	TEXTS("cors-origin",   "ORIGIN",                              "a site whose pages may call, as https://shop.example; may be repeated; none: no site (default: any)"),
	TEXT("cache-control",  "VALUE",     "private, max-age=60, stale-while-revalidate=600, stale-if-error=86400", "how long clients may keep the reference lists: their Cache-Control"),
	INT("compress-from",   "BYTES",     "1024",    0, 1 << 30,    "compress answers made for one request from this size on; 0: never"),
	TEXT("sunset",         "DATE",      NULL,                     "the day when deprecated endpoints end, such as 2027-06-30: their header Sunset"),
	INT("threads",         "N",         "0",       0, 1024,       "threads that answer requests; 0: one per core"),
	INT("max-batch",       "N",         "10000",   1, 10000000,   "at most so many ids or elements in one request"),
	INT("write-queue",     "N",         "1024",    1, 1000000,    "requests that may wait to be stored, 64 MiB of them at most; more get 503"),
	INT("max-body",        "BYTES",     "4194304", 1024, 1 << 30, "largest body of a request"),
	INT("max-answer-memory", "BYTES",   "268435456", 1 << 20, INT64_C(1) << 40, "memory for large answers that clients still read; more get 503"),
	INT("max-request-memory", "BYTES",  "268435456", 1 << 20, INT64_C(1) << 40, "memory for large heads and bodies of requests; more get 503"),
	INT("max-url",         "BYTES",     "65536",   256, 1 << 20,  "longest URL"),
	INT("max-headers",     "BYTES",     "65536",    1024, 1 << 20, "largest headers of a request, all together"),
	INT("header-timeout",  "SECONDS",   "10",      1, 3600,       "time for a client to send the headers of a request"),
	INT("idle-timeout",    "SECONDS",   "60",      1, 86400,      "time that an idle connection stays open"),
	INT("max-connections", "N",         "4096",    1, 1000000,    "connections at one time"),
	INT("max-connections-per-address", "N", "0",   0, 1000000,    "connections of one client (an IPv4 address, an IPv6 /64); more get 503; 0: a quarter of all"),
	TEXTS("trusted-proxy", "ADDRESS[/BITS]",                      "a proxy that may say who its client is; may be repeated, or several with commas"),
	TEXT("sign-in-header", "NAME",     NULL,                     "the header in which those proxies say who has signed in, such as Remote-User"),
	INT("session-idle",    "SECONDS",   "1800",    1, 86400,      "a session ends after so long without a request"),
	INT("session-max",     "SECONDS",   "43200",   1, 31536000,   "a session ends so long after signing in, used or not"),
	FLAG("proxy-protocol",                                        "connections of those proxies begin with a header of the PROXY protocol, version 1 or 2"),
	INT("content-cache",   "BYTES",     "67108864", 0, INT64_C(1) << 40, "hotel content kept in memory; 0: none"),
	INT("stop-timeout",    "SECONDS",   "20",      1, 3600,       "longest time that stopping may take"),
	TEXT("access-log",     "FILE",      "off",                    "one JSON line per request: a file, - (standard output) or off"),
	WORD("log-format",     "FORMAT",    "auto",    log_format_words, "text, json (one object a line), or auto: text on a terminal, for the journal under systemd, else json"),
	WORD("log-level",      "LEVEL",     "info",    level_words,   "error, warning, info or debug; goes to standard error"),
	INT("disk-low",        "PERCENT",   "10",      0, 100,        "the log and /readyz/write say so when less of the disk of the store is free; 0: never"),
	INT("disk-full",       "PERCENT",   "2",       0, 100,        "likewise, before writes fail"),
	INT("poll-ms",         "N",         "100",     10, 60000,     "milliseconds between two looks at the store"),
	INT("store-connections", "N",       "8",       6, 1000,      "connections to a database server at one time; 3 of them stay"),
	INT("store-timeout",   "SECONDS",   "10",      1, 3600,       "time for an answer of a database server; for a look at it 3 of them"),
	TEXT("snapshot",       "FILE",      NULL,                     "a copy of the data in memory, for a quick start; none: no file (default: beside the SQLite store)"),
	WORD("match", "auto|suggest|off", "suggest", serve_match_words, "new records of suppliers: map what is certain, only suggest it, or do nothing"),
	INT("snapshot-interval", "SECONDS", "900",     1, 86400,      "shortest time between two snapshots"),
	END
};

static const struct drg_option import_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	NO_UPGRADE,
	FLAG("create",                   "make the data folder if it does not exist"),
	FLAG("dry-run",                  "check everything, change nothing"),
	FLAG("keep-going",               "apply the good lines even if there are bad ones"),
	TEXT("rejects", "FILE", NULL,    "with --keep-going: write the bad lines to FILE, as they were"),
	TEXT("csv", "TYPE[:KIND]", NULL, "the files are CSV with a header row: source:hotel, dict:country, direction"),
	TEXT("adapter", "SUPPLIER", NULL, "CSV: the supplier of every row, code or number"),
	TEXTS("map", "FIELD=COLUMN,...", "CSV: which column fills which field, where the names differ; may be repeated"),
	TEXT("separator", "CHAR", NULL,  "CSV: what stands between cells (default: a comma)"),
	TEXT("lang", "TAG", NULL,        "CSV: language of plain names (default: en)"),
	BY_AND_WHY,
	INT("threads", "N", "0", 0, 256, "threads that read records; 0: one per core"),
	END
};

static const struct drg_option load_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	NO_UPGRADE,
	FLAG("create",                   "make the data folder and the supplier, if there is no folder and the files are good"),
	FLAG("accept",                   "load a new sort of file and remember how it looks; load a file of hardly any known id, too"),
	FLAG("dry-run",                  "say what would happen, change nothing"),
	FLAG("complete",                 "the files are all there is: what they lack is removed"),
	INT("max-gone", "PERCENT", "10", 0, 100, "with --complete: stop if more than this share would be removed"),
	FLAG("keep-going",               "load the good rows even if there are bad ones"),
	TEXT("rejects", "FILE", NULL,    "write the bad rows to FILE as CSV, with a column that says why; it can be mended and loaded"),
	BY_AND_WHY,
	TEXT("report", "FILE", NULL,     "write everything that changes to FILE: .xlsx, else CSV"),
	LOOKS,
	END
};

static const struct drg_option supplier_add_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	NO_UPGRADE,
	INT("id", "N", NULL, 1, INT32_MAX, "its number (default: the next free one)"),
	TEXT("name", "NAME", NULL,       "its name (default: its code)"),
	WORD("domain", "DOMAIN", "tour", domain_words, "tour or air"),
	WORD("stage", "STAGE", "live", stage_words, "live, or mapping while its data is being mapped"),
	FLAG("create",                   "make the data folder if it does not exist"),
	END
};

static const struct drg_option supplier_set_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	LOOKS,
	TEXTS("also", "KIND,...",        "what its rows name too, to be loaded: country, city, hotel_category, or none"),
	WORD("complete", "yes|no", NULL, yes_no_words, "a file is all there is: what it lacks is removed"),
	FLAG("forget",                   "forget how the files of this kind look"),
	END
};

static const struct drg_option export_options[] = {
	DATA_AND_STORE,
	TEXT("type", "TYPE", NULL,            "only records of this type"),
	ONLY_KIND,
	ONLY_SUPPLIER,
	END
};

static const struct drg_option key_create_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	NO_UPGRADE,
	WORD("api", "a|b", NULL, api_words, "the API that the key is for (required)"),
	FLAG("secret",                      "with a secret, for the endpoints that write (API b)"),
	TEXT("name", "NAME", NULL,          "what it is for"),
	TEXTS("adapter", "SUPPLIER",        "it may write only this supplier, code or number; may be repeated (default: all)"),
	TEXTS("reads", "SUPPLIER",          "it may read only this supplier; may be repeated (default: all)"),
	WORD("role", "ROLE", NULL, drg_key_role_words, "reader, registrar or curator (default: registrar with a secret, else reader)"),
	TEXT("expires", "DATE", NULL,       "2027-01-31 (to its end in UTC) or 2027-01-31T12:00:00Z (default: never)"),
	TEXT("note", "TEXT", NULL,          "a note about it, for people"),
	FLAG("json",                        "print JSON: {\"id\":...,\"key\":...,\"secret\":...}"),
	END
};

static const struct drg_option key_set_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	TEXT("name", "NAME", NULL,          "what it is for"),
	TEXTS("adapter", "SUPPLIER",        "it may write only this supplier; may be repeated; all: every one"),
	TEXTS("reads", "SUPPLIER",          "it may read only this supplier; may be repeated; all: every one"),
	WORD("role", "ROLE", NULL, drg_key_role_words, "reader, registrar or curator"),
	TEXT("expires", "DATE", NULL,       "2027-01-31 (to its end in UTC) or 2027-01-31T12:00:00Z; never"),
	TEXT("note", "TEXT", NULL,          "a note about it, for people; empty: none"),
	END
};

static const struct drg_option status_options[] = {
	DATA_AND_STORE,
	FLAG("json", "print JSON"),
	LISTING,
	END
};

static const struct drg_option key_list_options[] = {
	DATA_AND_STORE,
	FLAG("json", "print a JSON array"),
	LISTING,
	END
};

static const struct drg_option write_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	END
};

static const struct drg_option user_add_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	NO_UPGRADE,
	WORD("role", "ROLE", "viewer", drg_person_role_words, "viewer, curator or admin"),
	TEXT("password-file", "FILE", NULL, "the password is its first line; - is standard input (default: asked for)"),
	FLAG("no-password", "only a proxy signs them in (serve --sign-in-header)"),
	END
};

static const struct drg_option user_password_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	TEXT("password-file", "FILE", NULL, "the password is its first line; - is standard input (default: asked for)"),
	END
};

static const struct drg_option user_list_options[] = {
	DATA_AND_STORE,
	LISTING,
	END
};

static const struct drg_option key_rotate_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	TEXT("overlap", "TIME", "0s", "for so long the old key and secret go on working: 90s, 30m, 24h or 7d, 90d at most"),
	FLAG("json", "print JSON"),
	END
};

static const struct drg_option migrate_options[] = {
	CONFIG,
	TEXT("from", "URL", NULL, "the store to move (required)"),
	TEXT("to", "URL", NULL,   "the new store: a new file or an empty database (required)"),
	LOCK_TIMEOUT,
	END
};

static const struct drg_option config_show_options[] = {
	CONFIG,
	LISTING,
	END
};

static const struct drg_option config_check_options[] = {
	CONFIG,
	END
};

static const struct drg_option backup_options[] = {
	DATA_AND_STORE,
	INT("keep", "N", NULL, 1, 100000, "with a folder: remove its older backups but for the newest N, when this one is whole"),
	END
};

static const struct drg_option restore_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	FLAG("dry-run", "read and check the whole backup, say what is in it, make nothing"),
	END
};

static const struct drg_option listing_options[] = {
	DATA_AND_STORE,
	LISTING,
	END
};

static const struct drg_option decision_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	BY_AND_WHY,
	END
};

static const struct drg_option accept_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	TEXT("above", "P", NULL,                "all whose first suggestion is right with this probability or more, such as 0.95"),
	ONLY_SUPPLIER,
	ONLY_KIND,
	ONLY_COUNTRY,
	TEXT("reason", "REASON", NULL,          "only with this reason, such as veto_residence"),
	FLAG("dry-run",                         "with --above: say how many, show ten at random, change nothing"),
	BY_AND_WHY,
	END
};

static const struct drg_option reject_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	FLAG("undo",                            "take back what was said of DICT_ID"),
	BY_AND_WHY,
	END
};

static const struct drg_option dict_name_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	FLAG("remove",                          "it has no name in this language"),
	FLAG("undo",                            "undo the last decision about the name in this language"),
	BY_AND_WHY,
	END
};

static const struct drg_option dict_history_options[] = {
	DATA_AND_STORE,
	SINCE,
	TEXT("by", "NAME", NULL,                "only by this person"),
	LISTING,
	END
};

static const struct drg_option map_list_options[] = {
	DATA_AND_STORE,
	FLAG("unmapped",                        "only what is not mapped, what is asked for most first, with what is known of it"),
	FLAG("mapped",                          "only what is mapped"),
	ONLY_SUPPLIER,
	ONLY_KIND,
	LISTING,
	END
};

static const struct drg_option map_load_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	FLAG("dry-run",           "say what would happen, change nothing"),
	BY_AND_WHY,
	END
};

static const struct drg_option map_history_options[] = {
	DATA_AND_STORE,
	ONLY_SUPPLIER,
	SINCE,
	TEXT("by", "NAME", NULL,                "only by this person"),
	INT("batch", "ID", NULL, 1, INT64_MAX,  "only of this batch"),
	LISTING,
	END
};

static const struct drg_option changes_options[] = {
	DATA_AND_STORE,
	TEXT("since", "TIME", NULL,             "2026-11-20 (UTC) or 2026-11-20T12:00:00Z (required)"),
	ONLY_SUPPLIER,
	ONLY_KIND,
	TEXT("lang", "TAG", "en",               "language of the names"),
	LISTING,
	END
};

static const struct drg_option dict_find_options[] = {
	DATA_AND_STORE,
	ONLY_KIND,
	ONLY_COUNTRY,
	INT("limit", "N", "20", 1, DRG_FIND_MAX, "how many at most, the best first"),
	LISTING,
	END
};

static const struct drg_option dict_duplicates_options[] = {
	DATA_AND_STORE,
	ONLY_KIND,
	ONLY_COUNTRY,
	INT("limit", "N", "100", 0, INT32_MAX,  "how many at most, the worst first; 0: all"),
	LISTING,
	END
};

static const struct drg_option map_find_options[] = {
	DATA_AND_STORE,
	ONLY_KIND,
	ONLY_SUPPLIER,
	INT("limit", "N", "20", 1, DRG_FIND_MAX, "how many at most, the best first"),
	LISTING,
	END
};

static const struct drg_option check_options[] = {
	DATA_AND_STORE,
	INT("min-coverage", "PERCENT", NULL, 1, 100, "exit status 1 also if less is mapped of any kind of any supplier; for cron"),
	END
};

static const struct drg_option coverage_options[] = {
	DATA_AND_STORE,
	ONLY_KIND,
	ONLY_SUPPLIER,
	INT("min-coverage", "PERCENT", NULL, 1, 100, "exit status 1 if less is mapped in any row"),
	TEXT("since", "TIME", NULL,             "count requests since that day (UTC), and records and mappings added since (default: all that are kept)"),
	LISTING,
	END
};

static const struct drg_option batch_list_options[] = {
	DATA_AND_STORE,
	TEXT("adapter", "SUPPLIER", NULL,       "only those that have written records of this supplier, code or number"),
	LISTING,
	END
};

static const struct drg_option air_list_options[] = {
	DATA_AND_STORE,
	ONLY_SUPPLIER,
	LISTING,
	END
};

static const struct drg_option match_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	TEXT("kind", "KIND", NULL,              "only this kind; airport: what avia/compared could not match, which no run without it does"),
	TEXT("list", "FILE", NULL,              "with --kind airport and one supplier: match its list instead, .xlsx or CSV"),
	TEXT("precision", "P", "0.995",         "which share of the automatic mappings should be right: from 0.5 to 0.9999"),
	FLAG("dry-run",                         "say what would be mapped, change nothing"),
	TEXT("report", "FILE", NULL,            "write each result to FILE: .xlsx, .csv, else NDJSON (of airports always)"),
	INT("samples", "N", "20", 0, 100,       "examples shown of each kind and outcome"),
	TEXT("weights", "FILE", NULL,           "a scorecard of hotels, as match weights prints it (default: the one in use)"),
	INT("threads", "N", "0", 0, 64,         "threads that compare; 0: one per core"),
	BY_AND_WHY,
	END
};

static const struct drg_option match_weights_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	TEXT("weights", "FILE", NULL,           "check this scorecard and print it"),
	BY_AND_WHY,
	LISTING,
	END
};

static const struct drg_option match_stats_options[] = {
	DATA_AND_STORE,
	WORD("by", "month|country", "month", stats_words, "a row for each month, or for each country"),
	ONLY_SUPPLIER,
	ONLY_KIND,
	LISTING,
	END
};

static const struct drg_option match_doubles_options[] = {
	DATA_AND_STORE,
	ONLY_SUPPLIER,
	INT("limit", "N", "0", 0, INT64_MAX,    "how many at most, the worst first; 0: all"),
	LISTING,
	END
};

static const struct drg_option match_new_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	FLAG("accept",                          "make the proposed records: all, or those of FILE"),
	TEXT("weights", "FILE", NULL,           "a scorecard of hotels, as match weights prints it (default: the one in use)"),
	INT("threads", "N", "0", 0, 64,         "threads that compare; 0: one per core"),
	BY_AND_WHY,
	LISTING,
	END
};

static const struct drg_option match_audit_options[] = {
	DATA_AND_STORE,
	ONLY_SUPPLIER,
	ONLY_KIND,
	INT("size", "N", "300", 1, 100000,      "how many to draw"),
	INT("seed", "N", NULL, 0, INT32_MAX,    "the same seed draws the same sample (default: from the time)"),
	LISTING,
	END
};

static const struct drg_option match_precision_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	ONLY_SUPPLIER,
	ONLY_KIND,
	TEXT("since", "TIME", NULL,             "only what was judged since then: 2026-11-20 (UTC) or 2026-11-20T12:00:00Z"),
	TEXT("wanted", "P", NULL,               "find the lowest bound for automatic at which this share is right, such as 0.998"),
	FLAG("apply",                           "use a scorecard with that bound from now on"),
	BY_AND_WHY,
	LISTING,
	END
};

static const struct drg_option match_learn_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	TEXT("output", "FILE", NULL,            "write the scorecard to FILE, for match weights set"),
	FLAG("apply",                           "use it from now on, if it is better"),
	FLAG("imported",                        "learn from mappings that came with imports, too"),
	BY_AND_WHY,
	END
};

static const struct drg_option match_queue_options[] = {
	DATA_AND_STORE,
	ONLY_SUPPLIER,
	ONLY_KIND,
	ONLY_COUNTRY,
	TEXT("reason", "REASON", NULL,          "only with this reason, such as veto_residence"),
	TEXT("above", "P", NULL,                "only where the first suggestion is right with this probability or more, such as 0.95"),
	WORD("suggested", "all|yes|no", "all", suggested_words, "all, what has a suggestion, or what has none"),
	WORD("sort", "ORDER", "worth", sort_words, "worth, probability, asked, newest, supplier, country, city or reason"),
	INT("limit", "N", "0", 0, INT64_MAX,    "how many at most; 0: all"),
	LISTING,
	END
};

static const struct drg_option match_explain_options[] = {
	DATA_AND_STORE,
	TEXT("weights", "FILE", NULL,           "a scorecard of hotels, as match weights prints it (default: the one in use)"),
	END
};

const struct drg_command drg_commands[] = {
	/* name        arguments  min, max      options             function             help */
	{ "serve",      "",        0, 0,        serve_options,      drg_cmd_serve,       "answer both APIs over HTTP" },
	{ "import",     "FILE...", 1, UINT_MAX, import_options,     drg_cmd_import,      "load NDJSON or CSV files (- is standard input; .gz and .zst too)" },
	{ "load",       "SUPPLIER FILE...", 2, UINT_MAX, load_options, drg_cmd_load, "load lists as suppliers send them: .xlsx, CSV in any encoding" },
	{ "supplier add",  "CODE", 1, 1,        supplier_add_options, drg_cmd_supplier_add, "add a supplier" },
	{ "supplier set",  "SUPPLIER", 1, 1,    supplier_set_options, drg_cmd_supplier_set, "change what is remembered of how a supplier's files look" },
	{ "supplier show", "SUPPLIER", 1, 1,    listing_options,    drg_cmd_supplier_show, "show a supplier and how its files look" },
	{ "supplier list", "",     0, 0,        listing_options,      drg_cmd_supplier_list, "list the suppliers" },
	{ "export",     "",        0, 0,        export_options,     drg_cmd_export,      "write the data as NDJSON to standard output" },
	{ "user add",      "NAME",      1, 1, user_add_options,      drg_cmd_user_add,      "add somebody who may sign in" },
	{ "user list",     "",          0, 0, user_list_options,     drg_cmd_user_list,     "list who may sign in" },
	{ "user role",     "NAME ROLE", 2, 2, write_options,         drg_cmd_user_role,     "make somebody a viewer, curator or admin" },
	{ "user password", "NAME",      1, 1, user_password_options, drg_cmd_user_password, "set a new password, and end all their sessions" },
	{ "user disable",  "NAME",      1, 1, write_options,         drg_cmd_user_disable,  "no longer let somebody sign in, and end all their sessions" },
	{ "user enable",   "NAME",      1, 1, write_options,         drg_cmd_user_enable,   "let somebody sign in again" },
	{ "user history",  "[NAME]",    0, 1, listing_options,       drg_cmd_user_history,  "list what became of users: who added and changed them, when they signed in or failed to" },
	{ "key create", "",        0, 0,        key_create_options, drg_cmd_key_create,  "make an API key and print it, once" },
	{ "key list",   "",        0, 0,        key_list_options,   drg_cmd_key_list,    "list the API keys" },
	{ "key set",    "ID",      1, 1,        key_set_options,    drg_cmd_key_set,     "change what a key may do, its expiry, name and note" },
	{ "key revoke", "ID",      1, 1,        write_options,      drg_cmd_key_revoke,  "make a key stop working" },
	{ "key rotate", "ID",      1, 1,        key_rotate_options, drg_cmd_key_rotate,  "replace a key and its secret, keeping its rights" },
	{ "key history", "[ID]",   0, 1,        listing_options,    drg_cmd_key_history, "list what became of keys: who made, changed, rotated, revoked them" },
	{ "map set",     "SUPPLIER KIND ID DICT_ID", 4, 4, decision_options,  drg_cmd_map_set,    "map a supplier's record to a dict record" },
	{ "map clear",   "SUPPLIER KIND ID", 3, 3,    decision_options,    drg_cmd_map_clear,   "remove a mapping" },
	{ "map undo",    "SUPPLIER KIND ID", 3, 3,    decision_options,    drg_cmd_map_undo,    "undo the last decision about a mapping" },
	{ "map list",    "",        0, 0,        map_list_options,    drg_cmd_map_list,    "list the suppliers' records with their mapping" },
	{ "map load",    "FILE...", 1, UINT_MAX, map_load_options,    drg_cmd_map_load,    "read back a list of mappings that was filled in" },
	{ "map history", "[SUPPLIER KIND ID]", 0, 3, map_history_options, drg_cmd_map_history, "list the decisions about mappings" },
	{ "map find",    "TEXT",    1, 1,        map_find_options,    drg_cmd_map_find,    "find suppliers' records by name" },
	{ "batch list",  "",        0, 0,        batch_list_options,  drg_cmd_batch_list,  "list imports, loads, decisions and runs of the matcher, the newest first" },
	{ "batch show",  "ID",      1, 1,        listing_options,     drg_cmd_batch_show,  "show what a batch has changed" },
	{ "batch undo",  "ID",      1, 1,        decision_options,    drg_cmd_batch_undo,  "undo a batch, except what was changed since" },
	{ "dict find",   "TEXT",    1, 1,        dict_find_options,   drg_cmd_dict_find,   "find records of the reference by name, in any language" },
	{ "dict duplicates", "",    0, 0,        dict_duplicates_options, drg_cmd_dict_duplicates, "list records of the reference that look like the same thing twice, the worst first" },
	{ "dict merge",  "KIND FROM INTO", 3, 3,    decision_options,    drg_cmd_dict_merge,  "merge a record of the reference into another; the old id goes on answering" },
	{ "dict split",  "KIND FROM", 2, 2,         decision_options,    drg_cmd_dict_split,  "undo a merge" },
	{ "dict name",   "KIND ID LANG [NAME]", 3, 4, dict_name_options,  drg_cmd_dict_name,   "name a record of the reference in a language" },
	{ "dict history", "[KIND ID]", 0, 2,        dict_history_options, drg_cmd_dict_history, "list the decisions about records of the reference: names, merges, splits" },
	{ "match queue", "",        0, 0,           match_queue_options, drg_cmd_match_queue, "list what people should decide, what an answer gives most for first" },
	{ "match explain", "SUPPLIER KIND ID [DICT_ID]", 3, 4, match_explain_options, drg_cmd_match_explain, "say why the matcher maps a record, or does not" },
	{ "match accept", "[SUPPLIER KIND ID [DICT_ID]]", 0, 4, accept_options, drg_cmd_match_accept, "map a record to what is suggested, or to DICT_ID, or all that is likely right" },
	{ "match reject", "SUPPLIER KIND ID [DICT_ID]", 3, 4, reject_options, drg_cmd_match_reject, "say that a record is not what is suggested, or not DICT_ID; or take that back" },
	{ "match load",  "FILE...", 1, UINT_MAX,    map_load_options,    drg_cmd_match_load,  "read back a queue or an audit that was filled in" },
	{ "match new",   "[FILE...]", 0, UINT_MAX,  match_new_options,   drg_cmd_match_new,   "propose new records of the reference, for what several suppliers have, or make them" },
	{ "match audit", "",        0, 0,           match_audit_options, drg_cmd_match_audit, "draw a sample of automatic mappings, for people to judge" },
	{ "match precision", "",    0, 0,           match_precision_options, drg_cmd_match_precision, "say what share of the automatic mappings is right, by what people judged" },
	{ "match stats", "",        0, 0,           match_stats_options, drg_cmd_match_stats, "show what the matcher and people did by month, or what is mapped by country" },
	{ "match doubles", "",      0, 0,           match_doubles_options, drg_cmd_match_doubles, "list hotels of the reference to which several records of one supplier are mapped" },
	{ "match learn", "",        0, 0,           match_learn_options, drg_cmd_match_learn, "find a better scorecard from what people have decided" },
	{ "match weights", "[show|set FILE|use N|reset|list]", 0, 2, match_weights_options, drg_cmd_match_weights, "print the scorecard of hotels that is in use, or use another" },
	{ "match",       "[SUPPLIER...]", 0, UINT_MAX, match_options,     drg_cmd_match,       "map suppliers' records to the reference, where that is certain" },
	{ "air unmatched", "",      0, 0,           air_list_options,    drg_cmd_air_unmatched, "list what avia/compared could not match, the most frequent first" },
	{ "air map",     "SUPPLIER EXTERNAL_ID SOURCE_ID", 3, 3, decision_options, drg_cmd_air_map, "say which place an air supplier's id means" },
	{ "air unmap",   "SUPPLIER EXTERNAL_ID", 2, 2, decision_options,  drg_cmd_air_unmap,   "remove what air map has said" },
	{ "air list",    "",        0, 0,           air_list_options,    drg_cmd_air_list,    "list the air suppliers' ids that mean a place" },
	{ "coverage",   "",        0, 0,        coverage_options,   drg_cmd_coverage,    "show how much is mapped, by supplier and kind" },
	{ "changes",    "",        0, 0,        changes_options,    drg_cmd_changes,     "list what changed since a time" },
	{ "check",      "",        0, 0,        check_options,      drg_cmd_check,       "check the store, and compare it with what a server makes of it" },
	{ "status",     "",        0, 0,        status_options,     drg_cmd_status,      "show counts, mapped and unmapped, data version, licences" },
	{ "backup",     "FILE",    1, 1,        backup_options,     drg_cmd_backup,      "write all that the store has, keys and people too, to FILE, a new file in the folder FILE, or - (standard output)" },
	{ "restore",    "FILE",    1, 1,        restore_options,    drg_cmd_restore,     "make a store from a backup, where there is none" },
	{ "migrate",    "",        0, 0,        migrate_options,    drg_cmd_migrate,     "move a store, from SQLite to PostgreSQL or back" },
	{ "config show", "[COMMAND]", 0, 2,     config_show_options, drg_cmd_config_show, "show the settings of serve, or of COMMAND, and where each comes from" },
	{ "config check", "",       0, 0,       config_check_options, drg_cmd_config_check, "check the settings of every command, in the environment and the file" },
	{ .name = NULL }
};
/* clang-format on */
