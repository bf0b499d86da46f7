#include "cli/cli.h"

#include <limits.h>
#include <stddef.h>

#include "admin/find.h"
#include "cli/show.h"
#include "model/model.h"
#include "synth/synth.h"

static const char *const api_words[] = { "a", "b", NULL };
static const char *const domain_words[] = { "tour", "air", NULL };
static const char *const stage_words[] = { "live", "mapping", NULL };
static const char *const yes_no_words[] = { "no", "yes", NULL };
static const char *const level_words[] = { "error", "warning", "info", "debug", NULL };

/* Tables read by their columns. */
/* clang-format off */

#define FLAG(name, doc)                     { name, DRG_OPT_FLAG, NULL, NULL, 0, 0, NULL, NULL, doc }
#define TEXT(name, arg, dflt, doc)          { name, DRG_OPT_TEXT, arg, dflt, 0, 0, NULL, NULL, doc }
#define TEXTS(name, arg, doc)               { name, DRG_OPT_TEXTS, arg, NULL, 0, 0, NULL, NULL, doc }
#define INT(name, arg, dflt, min, max, doc) { name, DRG_OPT_INT, arg, dflt, min, max, NULL, NULL, doc }
#define INTS(name, arg, min, max, doc)      { name, DRG_OPT_INTS, arg, NULL, min, max, NULL, NULL, doc }
#define WORD(name, arg, dflt, words, doc)   { name, DRG_OPT_WORD, arg, dflt, 0, 0, words, NULL, doc }
#define END                                 { .name = NULL }

#define DATA_AND_STORE                                                                         \
	{ "data", DRG_OPT_TEXT, "DIR", NULL, 0, 0, NULL, "DRAGOMAN_DATA", "the data folder" }, \
	TEXT("store", "URL", NULL, "the store (default: sqlite:DIR/dragoman.db)")

/* Of commands that write. */
#define LOCK_TIMEOUT \
	INT("lock-timeout", "SECONDS", "5", 1, 3600, "how long another process may keep us from writing")

static const struct drg_option serve_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	TEXT("listen",         "ADDR:PORT", "127.0.0.1:8080",         "where to listen"),
	TEXT("public-url",     "URL",       NULL,                     "how clients reach the server (default: http://ADDR:PORT)"),
	INT("threads",         "N",         "0",       0, 1024,       "threads that answer; 0: one per core"),
	INT("max-batch",       "N",         "10000",   1, 10000000,   "identifiers or elements in one request"),
	INT("write-queue",     "N",         "1024",    1, 1000000,    "requests that wait to be stored; more get 503"),
	INT("max-body",        "BYTES",     "4194304", 1024, 1 << 30, "size of a request body"),
	INT("max-answer-memory", "BYTES",   "268435456", 1 << 20, INT64_C(1) << 40, "large answers that wait to be read; more get 503"),
	INT("max-url",         "BYTES",     "8192",    256, 1 << 20,  "length of a URL"),
	INT("max-headers",     "BYTES",     "8192",    1024, 1 << 20, "size of the headers of a request"),
	INT("header-timeout",  "SECONDS",   "10",      1, 3600,       "time for the headers of a request"),
	INT("idle-timeout",    "SECONDS",   "60",      1, 86400,      "time that an idle connection stays open"),
	INT("max-connections", "N",         "4096",    1, 1000000,    "connections at one time"),
	INT("max-connections-per-address", "N", "0",   0, 1000000,    "connections of one client; 0: a quarter of all"),
	TEXTS("trusted-proxy", "ADDRESS[/BITS]",                      "a proxy whose word about its clients is believed"),
	FLAG("proxy-protocol",                                        "those proxies send a PROXY header (v1, v2) first"),
	INT("content-cache",   "BYTES",     "67108864", 0, INT64_C(1) << 40, "hotel content kept in memory; 0: none"),
	INT("stop-timeout",    "SECONDS",   "20",      1, 3600,       "time that a stop may take"),
	TEXT("access-log",     "FILE",      "off",                    "one JSON line per request: a file, - (standard output) or off"),
	WORD("log-level",      "LEVEL",     "info",    level_words,   "error, warning, info or debug"),
	INT("poll-ms",         "N",         "100",     10, 60000,     "milliseconds between two looks at the store"),
	TEXT("snapshot",       "FILE",      NULL,                     "a copy of the catalog to start from; none: no such file (default: beside the SQLite store)"),
	INT("snapshot-interval", "SECONDS", "900",     1, 86400,      "between two snapshots, at least"),
	END
};

static const struct drg_option import_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	FLAG("create",                   "make the data folder if it does not exist"),
	FLAG("dry-run",                  "check everything, apply nothing"),
	FLAG("keep-going",               "apply the good lines although there are bad ones"),
	TEXT("rejects", "FILE", NULL,    "write the bad lines to FILE, as they are (with --keep-going)"),
	TEXT("csv", "TYPE[:KIND]", NULL, "the files are CSV with a header row: source:hotel, dict:country, direction"),
	TEXT("adapter", "SUPPLIER", NULL, "CSV: the supplier of every row, code or number"),
	TEXTS("map", "FIELD=COLUMN,...", "CSV: columns whose names are not the fields'"),
	TEXT("separator", "CHAR", NULL,  "CSV: what stands between cells (default: a comma)"),
	TEXT("lang", "TAG", NULL,        "CSV: language of plain names (default: en)"),
	TEXT("by", "NAME", NULL,         "who does it, for the history (default: the user)"),
	TEXT("why", "TEXT", NULL,        "the reason, for the history"),
	INT("threads", "N", "0", 0, 256, "threads that read records; 0: one per core"),
	END
};

static const char *const batch_formats[] = { "table", "csv", NULL };
static const char *const decimal_words[] = { ".", ",", NULL };

static const struct drg_option load_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	FLAG("accept",                   "store the profile that is proposed for a new sort of file, and load"),
	FLAG("dry-run",                  "tell what would happen, apply nothing"),
	FLAG("complete",                 "the files are all there is: what they lack is removed"),
	INT("max-gone", "PERCENT", "10", 0, 100, "with --complete: stop if more than this share would be removed"),
	FLAG("keep-going",               "load the good rows although there are bad ones"),
	TEXT("rejects", "FILE", NULL,    "write the bad rows to FILE, with their reasons"),
	TEXT("by", "NAME", NULL,         "who does it, for the history (default: the user)"),
	TEXT("why", "TEXT", NULL,        "the reason, for the history"),
	TEXT("report", "FILE", NULL,     "write everything that changes to FILE, .csv or .xlsx"),
	TEXT("kind", "KIND", NULL,       "what each row is (default: by the profile, or hotel)"),
	TEXTS("map", "FIELD=COLUMN,...", "which column feeds which field"),
	TEXT("encoding", "NAME", NULL,   "of text files, such as windows-1251 (default: recognised)"),
	TEXT("separator", "CHAR", NULL,  "of text files: what stands between cells (default: recognised)"),
	WORD("decimal", ".|,", NULL, decimal_words, "the sign before decimals (default: recognised)"),
	TEXT("sheet", "NAME", NULL,      "of workbooks: the sheet (default: the only one with cells)"),
	TEXT("lang", "TAG", NULL,        "language of the names (default: en)"),
	END
};

static const struct drg_option supplier_add_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
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
	TEXT("kind", "KIND", NULL,       "what each row is (default: by the profile, or hotel)"),
	TEXTS("map", "FIELD=COLUMN,...", "which column feeds which field"),
	TEXT("encoding", "NAME", NULL,   "of text files, such as windows-1251 (default: recognised)"),
	TEXT("separator", "CHAR", NULL,  "of text files: what stands between cells (default: recognised)"),
	WORD("decimal", ".|,", NULL, decimal_words, "the sign before decimals (default: recognised)"),
	TEXT("sheet", "NAME", NULL,      "of workbooks: the sheet (default: the only one with cells)"),
	TEXT("lang", "TAG", NULL,        "language of the names (default: en)"),
	TEXTS("also", "KIND,...",        "kinds that its rows bring along: country, city, hotel_category; none"),
	WORD("complete", "yes|no", NULL, yes_no_words, "a file is all there is: what it lacks is removed"),
	FLAG("forget",                   "forget the profile of this kind"),
	END
};

static const struct drg_option export_options[] = {
	DATA_AND_STORE,
	TEXT("type", "TYPE", NULL,            "only records of this type"),
	TEXT("kind", "KIND", NULL,            "only records of this kind"),
	TEXT("adapter", "SUPPLIER", NULL,      "only records of this supplier, code or number"),
	END
};

static const struct drg_option key_create_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	WORD("api", "a|b", NULL, api_words, "the API that the key is for (required)"),
	FLAG("secret",                      "with a secret, for the endpoints that write (API b)"),
	TEXT("name", "NAME", NULL,          "what it is for"),
	INTS("adapter", "N", 1, INT32_MAX,    "may write this adapter only; may be repeated (default: all)"),
	TEXT("expires", "DATE", NULL,       "2027-01-31, or a time such as 2027-01-31T12:00:00Z (default: never)"),
	FLAG("json",                        "print JSON: {\"id\":...,\"key\":...,\"secret\":...}"),
	END
};

static const struct drg_option json_options[] = {
	DATA_AND_STORE,
	FLAG("json", "print JSON"),
	END
};

static const struct drg_option write_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	END
};

static const struct drg_option key_rotate_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	FLAG("json", "print JSON"),
	END
};

static const struct drg_option store_options[] = {
	DATA_AND_STORE,
	END
};

static const struct drg_option decision_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	TEXT("by", "NAME", NULL,  "who decides (default: the user)"),
	TEXT("why", "TEXT", NULL, "the reason, for the history"),
	END
};

static const struct drg_option map_list_options[] = {
	DATA_AND_STORE,
	FLAG("unmapped",                        "only what is not mapped"),
	FLAG("mapped",                          "only what is mapped"),
	TEXT("adapter", "SUPPLIER", NULL,       "only this supplier, code or number"),
	TEXT("kind", "KIND", NULL,              "only this kind"),
	WORD("format", "FORMAT", "table", drg_show_formats, "table, ndjson or csv"),
	TEXT("output", "FILE", NULL,            "write it to FILE, .xlsx or .csv, for 'map load'"),
	FLAG("excel",                           "CSV as Excel opens it: a byte order mark, semicolons"),
	END
};

static const struct drg_option map_load_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	FLAG("dry-run",           "tell what would happen, apply nothing"),
	TEXT("by", "NAME", NULL,  "who decides (default: the user)"),
	TEXT("why", "TEXT", NULL, "the reason, for the history"),
	END
};

static const struct drg_option map_history_options[] = {
	DATA_AND_STORE,
	TEXT("adapter", "SUPPLIER", NULL,       "only this supplier, code or number"),
	TEXT("since", "TIME", NULL,             "only since 2026-11-20, or a time such as 2026-11-20T12:00:00Z"),
	TEXT("by", "NAME", NULL,                "only by this person"),
	INT("batch", "ID", NULL, 1, INT64_MAX,  "only of this batch"),
	WORD("format", "FORMAT", "table", drg_show_formats, "table, ndjson or csv"),
	END
};

static const struct drg_option dict_find_options[] = {
	DATA_AND_STORE,
	TEXT("kind", "KIND", NULL,              "only this kind"),
	INT("country", "ID", NULL, INT64_MIN, INT64_MAX, "only of this country, by its id in the reference"),
	INT("limit", "N", "20", 1, DRG_FIND_MAX, "how many, the best first"),
	END
};

static const struct drg_option map_find_options[] = {
	DATA_AND_STORE,
	TEXT("kind", "KIND", NULL,              "only this kind"),
	TEXT("adapter", "SUPPLIER", NULL,       "only this supplier, code or number"),
	INT("limit", "N", "20", 1, DRG_FIND_MAX, "how many, the best first"),
	END
};

static const struct drg_option coverage_options[] = {
	DATA_AND_STORE,
	TEXT("kind", "KIND", NULL,              "only this kind"),
	TEXT("adapter", "SUPPLIER", NULL,       "only this supplier, code or number"),
	INT("min-coverage", "PERCENT", NULL, 1, 100, "exit status 1 if less than that is mapped"),
	END
};

static const struct drg_option batch_list_options[] = {
	DATA_AND_STORE,
	WORD("format", "FORMAT", "table", batch_formats, "table or csv"),
	END
};

static const struct drg_option air_list_options[] = {
	DATA_AND_STORE,
	TEXT("adapter", "SUPPLIER", NULL,       "only this supplier, code or number"),
	WORD("format", "FORMAT", "table", drg_show_formats, "table, ndjson or csv"),
	END
};

static const struct drg_option match_options[] = {
	DATA_AND_STORE,
	LOCK_TIMEOUT,
	TEXT("kind", "KIND", NULL,              "only this kind"),
	TEXT("precision", "P", "0.995",         "share of the automatic mappings that is to be right"),
	FLAG("dry-run",                         "say what would be mapped, write nothing"),
	TEXT("report", "FILE", NULL,            "write each result to FILE, as NDJSON"),
	INT("samples", "N", "20", 0, 100,       "results shown of each outcome of a kind"),
	TEXT("weights", "FILE", NULL,           "the scorecard of hotels, as match weights prints it (default: the program's)"),
	INT("threads", "N", "0", 0, 64,         "threads that compare; 0: one per core"),
	END
};

static const struct drg_option match_weights_options[] = {
	TEXT("weights", "FILE", NULL,           "the scorecard of hotels, as match weights prints it (default: the program's)"),
	END
};

static const struct drg_option synth_options[] = {
	INT("hotels", "N", "20000", 0, DRG_SYNTH_MAX_HOTELS,  "hotels of the common reference"),
	INT("adapters", "N", "12", 0, DRG_SYNTH_MAX_ADAPTERS, "tour suppliers"),
	INT("seed", "N", "1", 0, INT64_MAX,                   "another seed gives other data"),
	FLAG("blind",                                         "leave out the true mapping"),
	TEXT("base", "FILE", NULL,                            "countries, cities ... to build on, as NDJSON (default: a small set inside the program)"),
	INT("content", "PERCENT", "5", 0, 100,                "share of the supplier hotels that get descriptions and photos"),
	END
};

const struct drg_command drg_commands[] = {
	/* name        arguments  min, max      options             function             help */
	{ "serve",      "",        0, 0,        serve_options,      drg_cmd_serve,       "answer both APIs over HTTP" },
	{ "import",     "FILE...", 1, UINT_MAX, import_options,     drg_cmd_import,      "load NDJSON or CSV files (- is standard input; .gz and .zst too)" },
	{ "load",       "SUPPLIER FILE...", 2, UINT_MAX, load_options, drg_cmd_load, "load lists as suppliers send them: .xlsx, CSV in any encoding" },
	{ "supplier add",  "CODE", 1, 1,        supplier_add_options, drg_cmd_supplier_add, "add a supplier" },
	{ "supplier set",  "SUPPLIER", 1, 1,    supplier_set_options, drg_cmd_supplier_set, "say how the files of a supplier look" },
	{ "supplier show", "SUPPLIER", 1, 1,    store_options,      drg_cmd_supplier_show, "show a supplier and how its files look" },
	{ "supplier list", "",     0, 0,        store_options,      drg_cmd_supplier_list, "list the suppliers" },
	{ "export",     "",        0, 0,        export_options,     drg_cmd_export,      "write the data as NDJSON to standard output" },
	{ "key create", "",        0, 0,        key_create_options, drg_cmd_key_create,  "make an API key and print it, once" },
	{ "key list",   "",        0, 0,        json_options,       drg_cmd_key_list,    "list the API keys" },
	{ "key revoke", "ID",      1, 1,        write_options,      drg_cmd_key_revoke,  "make a key stop working" },
	{ "key rotate", "ID",      1, 1,        key_rotate_options, drg_cmd_key_rotate,  "replace a key and its secret, keeping its rights" },
	{ "map set",     "ADAPTER KIND ID DICT_ID", 4, 4, decision_options,  drg_cmd_map_set,    "map a supplier's record to a dict record" },
	{ "map clear",   "ADAPTER KIND ID", 3, 3,    decision_options,    drg_cmd_map_clear,   "take a mapping away" },
	{ "map undo",    "ADAPTER KIND ID", 3, 3,    decision_options,    drg_cmd_map_undo,    "take the last decision about a mapping back" },
	{ "map list",    "",        0, 0,        map_list_options,    drg_cmd_map_list,    "list the suppliers' records with their mapping" },
	{ "map load",    "FILE...", 1, UINT_MAX, map_load_options,    drg_cmd_map_load,    "read back a list of mappings that was filled in" },
	{ "map history", "[ADAPTER KIND ID]", 0, 3, map_history_options, drg_cmd_map_history, "list the decisions about mappings" },
	{ "map find",    "TEXT",    1, 1,        map_find_options,    drg_cmd_map_find,    "find suppliers' records by name" },
	{ "batch list",  "",        0, 0,        batch_list_options,  drg_cmd_batch_list,  "list imports and loads, the newest first" },
	{ "batch show",  "ID",      1, 1,        store_options,       drg_cmd_batch_show,  "show what a batch has changed" },
	{ "batch undo",  "ID",      1, 1,        decision_options,    drg_cmd_batch_undo,  "take a batch back, but for what was changed since" },
	{ "dict find",   "TEXT",    1, 1,        dict_find_options,   drg_cmd_dict_find,   "find records of the reference by name, in any language" },
	{ "dict merge",  "KIND FROM INTO", 3, 3,    decision_options,    drg_cmd_dict_merge,  "merge a dict record into another; its id goes on answering" },
	{ "dict split",  "KIND FROM", 2, 2,         decision_options,    drg_cmd_dict_split,  "undo a merge" },
	{ "match undo",  "[BATCH]", 0, 1,           write_options,       drg_cmd_match_undo,  "take back what a run of match has mapped (default: the last run)" },
	{ "match weights", "",      0, 0,           match_weights_options, drg_cmd_match_weights, "print the scorecard of hotels, or check one" },
	{ "match",       "[ADAPTER...]", 0, UINT_MAX, match_options,     drg_cmd_match,       "map suppliers' records to the reference, where that is certain" },
	{ "air unmatched", "",      0, 0,           air_list_options,    drg_cmd_air_unmatched, "list what avia/compared could not match, the most frequent first" },
	{ "air map",     "ADAPTER EXTERNAL_ID SOURCE_ID", 3, 3, write_options, drg_cmd_air_map, "let an air supplier's id mean a place" },
	{ "air unmap",   "ADAPTER EXTERNAL_ID", 2, 2, write_options,     drg_cmd_air_unmap,   "take that away" },
	{ "air list",    "",        0, 0,           air_list_options,    drg_cmd_air_list,    "list the air suppliers' ids that mean a place" },
	{ "coverage",   "",        0, 0,        coverage_options,   drg_cmd_coverage,    "how much is mapped, by supplier and kind" },
	{ "check",      "",        0, 0,        store_options,      drg_cmd_check,       "compare the store with itself and with the catalog built from it" },
	{ "status",     "",        0, 0,        json_options,       drg_cmd_status,      "counts, mapped and unmapped, data version, licences" },
	{ "synth",      "",        0, 0,        synth_options,      drg_cmd_synth,       "write a synthetic data set as NDJSON to standard output" },
	{ .name = NULL }
};
/* clang-format on */
