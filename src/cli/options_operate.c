/* The options of commands for operators: the server, stores, files, keys and people. */
#include "cli/option_rows_priv.h"
#include "model/model.h"

static const char *const key_switch_words[] = { "off", "on", NULL };
static const char *const api_words[] = { "a", "b", NULL };
static const char *const domain_words[] = { "tour", "air", NULL };
static const char *const stage_words[] = { "live", "mapping", NULL };
static const char *const serve_match_words[] = { "auto", "suggest", "off", NULL };
static const char *const yes_no_words[] = { "no", "yes", NULL };
static const char *const quote_words[] = { "double", "backslash", "none", "dump", NULL };
static const char *const decimal_words[] = { ".", ",", NULL };
static const char *const log_format_words[] = { "auto", "text", "json", NULL };
static const char *const level_words[] = { "error", "warning", "info", "debug", NULL };

/* Tables read by their columns. */
/* clang-format off */

const struct drg_option drg_options_serve[] = {
	DATA_AND_STORE, LOCK_TIMEOUT, NO_UPGRADE,
	TEXT("listen", "ADDR:PORT", "127.0.0.1:8080",
		"where to listen; [::1]:8080 for IPv6, port 0 for any free one"),
	FLAG("hold", "refuse connections until the data are loaded, so that a proxy asks another server"),
	TEXT("admin", "ADDR:PORT|PATH", NULL,
		"where operators look: /metrics, /healthz, /readyz, /readyz/write, without a key; a path is "
		"a local socket"),
	TEXTS("admin-host", "NAME",
		"a name by which that listener may be asked, beside addresses and localhost; may be repeated"),
	TEXT("public-url", "URL", NULL,
		"how clients reach the server: URLs of flags begin so (default: http://ADDR:PORT)"),
	FLAG("demo",
		"the pages /demo and /docs bring a key that reads; good only with suppliers that "
		"dragoman-synth made up"),
	TEXT("map-tiles", "URL", NULL,
		"a map in the workbench, of pictures such as https://tiles.example/{z}/{x}/{y}.png "
		"(default: a drawing to scale)"),
	TEXT("map-credit", "TEXT", NULL, "the credit that the map shows"),
	FLAG("photos", "the workbench shows suppliers' photos, from any https site, after a click; else links"),
	TEXTS("cors-origin", "ORIGIN",
		"a site whose pages may call, as https://shop.example; may be repeated; none: no site "
		"(default: any)"),
	TEXT("cache-control", "VALUE",
		"private, max-age=60, stale-while-revalidate=600, stale-if-error=86400",
		"how long clients may keep the reference lists: their Cache-Control"),
	INT("compress-from", "BYTES", "1024", 0, 1 << 30,
		"compress answers made for one request from this size on; 0: never"),
	TEXT("sunset", "DATE", NULL,
		"the day when deprecated endpoints end, such as 2027-06-30: their header Sunset"),
	INT("threads", "N", "0", 0, 1024, "threads that answer requests; 0: one per core"),
	INT("max-batch", "N", "10000", 1, 10000000, "at most so many ids or elements in one request"),
	INT("write-queue", "N", "1024", 1, 1000000,
		"requests that may wait to be stored, 64 MiB of them at most; more get 503"),
	INT("max-body", "BYTES", "4194304", 1024, 1 << 30, "largest body of a request"),
	INT("max-answer-memory", "BYTES", "268435456", 1 << 20, INT64_C(1) << 40,
		"memory for large answers that clients still read; more get 503"),
	INT("max-request-memory", "BYTES", "268435456", 1 << 20, INT64_C(1) << 40,
		"memory for large heads and bodies of requests; more get 503"),
	INT("max-url", "BYTES", "65536", 256, 1 << 20, "longest URL"),
	INT("max-headers", "BYTES", "65536", 1024, 1 << 20, "largest headers of a request, all together"),
	INT("header-timeout", "SECONDS", "10", 1, 3600, "time for a client to send the headers of a request"),
	INT("idle-timeout", "SECONDS", "60", 1, 86400, "time that an idle connection stays open"),
	INT("max-connections", "N", "4096", 1, 1000000, "connections at the same time"),
	INT("max-connections-per-address", "N", "0", 0, 1000000,
		"connections of one client (an IPv4 address, an IPv6 /64); more get 503; 0: a quarter of all"),
	TEXTS("trusted-proxy", "ADDRESS[/BITS]",
		"a proxy that may say who its client is; may be repeated, or several with commas"),
	TEXT("sign-in-header", "NAME", NULL,
		"the header in which those proxies say who has signed in, such as Remote-User"),
	INT("session-idle", "SECONDS", "1800", 1, 86400, "a session ends after so long without a request"),
	INT("session-max", "SECONDS", "43200", 1, 31536000,
		"a session ends so long after signing in, used or not"),
	FLAG("proxy-protocol",
		"connections of those proxies begin with a header of the PROXY protocol, version 1 or 2"),
	INT("content-cache", "BYTES", "67108864", 0, INT64_C(1) << 40,
		"hotel content kept in memory; 0: none"),
	INT("stop-timeout", "SECONDS", "20", 1, 3600, "longest time that stopping may take"),
	TEXT("access-log", "FILE", "off", "one JSON line per request: a file, - (standard output) or off"),
	WORD("log-format", "FORMAT", "auto", log_format_words,
		"text, json (one object a line), or auto: text on a terminal, for the journal under "
		"systemd, else json"),
	WORD("log-level", "LEVEL", "info", level_words,
		"error, warning, info or debug; goes to standard error"),
	INT("disk-low", "PERCENT", "10", 0, 100,
		"the log and /readyz/write say so when less of the disk of the store is free; 0: never"),
	INT("disk-full", "PERCENT", "2", 0, 100, "likewise, before writes fail"),
	INT("poll-ms", "N", "100", 10, 60000, "milliseconds between two looks at the store"),
	INT("store-connections", "N", "8", 6, 1000,
		"connections to a database server at the same time; 3 of them stay open"),
	INT("store-timeout", "SECONDS", "10", 1, 3600,
		"time for an answer of a database server; for a look at it 3 of them"),
	TEXT("snapshot", "FILE", NULL,
		"a copy of the data in memory, for a quick start; none: no file (default: beside the SQLite "
		"store)"),
	WORD("match", "auto|suggest|off", "suggest", serve_match_words,
		"new records of suppliers: map what is certain, only suggest it, or do nothing"),
	INT("snapshot-interval", "SECONDS", "900", 1, 86400, "shortest time between two snapshots"),
	END
};

const struct drg_option drg_options_import[] = {
	DATA_AND_STORE, LOCK_TIMEOUT, NO_UPGRADE,
	FLAG("create", "make the data folder if it does not exist"),
	FLAG("dry-run", "check everything, change nothing"),
	FLAG("keep-going", "apply the good lines even if there are bad ones"),
	TEXT("rejects", "FILE", NULL, "with --keep-going: write the bad lines to FILE, as they were"),
	TEXT("csv", "TYPE[:KIND]", NULL,
		"the files are CSV with a header row: source:hotel, dict:country, direction"),
	TEXT("adapter", "SUPPLIER", NULL, "CSV: the supplier of every row, code or number"),
	TEXTS("map", "FIELD=COLUMN,...",
		"CSV: which column fills which field, where the names differ; may be repeated"),
	TEXT("separator", "CHAR", NULL, "CSV: the character between cells (default: a comma)"),
	TEXT("lang", "TAG", NULL, "CSV: language of plain names (default: en)"),
	BY, WHY,
	INT("threads", "N", "0", 0, 256, "threads that read records; 0: one per core"),
	END
};

const struct drg_option drg_options_load[] = {
	DATA_AND_STORE, LOCK_TIMEOUT, NO_UPGRADE,
	FLAG("create", "make the data folder and the supplier, if there is no folder and the files are good"),
	FLAG("accept",
		"load a new sort of file and remember how it looks; load a file of hardly any known id, too"),
	FLAG("dry-run", "say what would happen, change nothing"),
	FLAG("complete", "the files are the whole list: records missing from them are removed"),
	INT("max-gone", "PERCENT", "10", 0, 100,
		"with --complete: stop if more than this share would be removed"),
	FLAG("keep-going", "load the good rows even if there are bad ones"),
	FLAG("accept-rejected", "likewise, and with --complete remove what no row names"),
	TEXT("rejects", "FILE", NULL,
		"write the bad rows to FILE as CSV, with a column that says why; fix and load it"),
	BY, WHY,
	TEXT("report", "FILE", NULL, "write everything that changes to FILE: .xlsx, else CSV"),
	LOOKS, END
};

const struct drg_option drg_options_supplier_add[] = {
	DATA_AND_STORE, LOCK_TIMEOUT, NO_UPGRADE,
	INT("id", "N", NULL, 1, INT32_MAX, "its number (default: the next free one)"),
	TEXT("name", "NAME", NULL, "its name (default: its code)"),
	WORD("domain", "DOMAIN", "tour", domain_words, "tour or air"),
	WORD("stage", "STAGE", "live", stage_words, "live, or mapping while its data is being mapped"),
	FLAG("create", "make the data folder if it does not exist"),
	END
};

const struct drg_option drg_options_supplier_set[] = {
	DATA_AND_STORE, LOCK_TIMEOUT, LOOKS,
	TEXTS("also", "KIND,...",
		"kinds that its rows also name, to be loaded: country, city, hotel_category, or none"),
	WORD("complete", "yes|no", NULL, yes_no_words,
		"a file is the whole list: records missing from it are removed"),
	FLAG("forget", "forget how the files of this kind look"),
	END
};

const struct drg_option drg_options_export[] = {
	DATA_AND_STORE,
	TEXT("type", "TYPE", NULL, "only records of this type"),
	ONLY_KIND, ONLY_SUPPLIER, END
};

const struct drg_option drg_options_key_create[] = {
	DATA_AND_STORE, LOCK_TIMEOUT, NO_UPGRADE,
	WORD("api", "a|b", NULL, api_words, "the API that the key is for (required)"),
	FLAG("secret", "with a secret, for the endpoints that write (API b)"),
	TEXT("name", "NAME", NULL, "the purpose of the key"),
	TEXTS("adapter", "SUPPLIER",
		"it may write only this supplier, code or number; may be repeated (default: all)"),
	TEXTS("reads", "SUPPLIER", "it may read only this supplier; may be repeated (default: all)"),
	WORD("role", "ROLE", NULL, drg_key_role_words,
		"reader, registrar or curator (default: registrar with a secret, else reader)"),
	TEXT("expires", "DATE", NULL,
		"2027-01-31 (to its end in UTC) or 2027-01-31T12:00:00Z (default: never)"),
	INT("requests-per-second", "N", "0", 0, DRG_KEY_RATE_MAX,
		"requests of it that each server answers in a second; 0: no limit"),
	INT("adds-per-day", "N", "0", 0, DRG_KEY_ADDS_MAX,
		"elements that it may send to sourceAdd in a day (UTC); 0: no limit"),
	WORD("text-ids", "on|off", "off", key_switch_words,
		"on: every orig_id of sourceData is a text, for clients that read one type"),
	TEXT("note", "TEXT", NULL, "a note about it, for people"),
	FLAG("json", "print JSON: {\"id\":...,\"key\":...,\"secret\":...}"),
	BY,
	END
};

const struct drg_option drg_options_key_set[] = {
	DATA_AND_STORE, LOCK_TIMEOUT,
	TEXT("name", "NAME", NULL, "the purpose of the key"),
	TEXTS("adapter", "SUPPLIER", "it may write only this supplier; may be repeated; all: every one"),
	TEXTS("reads", "SUPPLIER", "it may read only this supplier; may be repeated; all: every one"),
	WORD("role", "ROLE", NULL, drg_key_role_words, "reader, registrar or curator"),
	TEXT("expires", "DATE", NULL, "2027-01-31 (to its end in UTC) or 2027-01-31T12:00:00Z; never"),
	INT("requests-per-second", "N", NULL, 0, DRG_KEY_RATE_MAX,
		"requests of it that each server answers in a second; 0: no limit"),
	INT("adds-per-day", "N", NULL, 0, DRG_KEY_ADDS_MAX,
		"elements that it may send to sourceAdd in a day (UTC); 0: no limit"),
	WORD("text-ids", "on|off", NULL, key_switch_words,
		"on: every orig_id of sourceData is a text, for clients that read one type"),
	TEXT("note", "TEXT", NULL, "a note about it, for people; empty: none"),
	BY,
	END
};

const struct drg_option drg_options_status[] = {
	DATA_AND_STORE,
	FLAG("json", "print JSON"),
	LISTING, END
};

const struct drg_option drg_options_key_list[] = {
	DATA_AND_STORE,
	FLAG("json", "print a JSON array"),
	LISTING, END
};

const struct drg_option drg_options_write[] = { DATA_AND_STORE, LOCK_TIMEOUT, BY, END };

const struct drg_option drg_options_user_add[] = {
	DATA_AND_STORE, LOCK_TIMEOUT, NO_UPGRADE,
	WORD("role", "ROLE", "viewer", drg_person_role_words, "viewer, curator or admin"),
	TEXT("password-file", "FILE", NULL,
		"the password is its first line; - is standard input (default: asked for)"),
	FLAG("no-password", "only a proxy signs them in (serve --sign-in-header)"),
	BY,
	END
};

const struct drg_option drg_options_user_password[] = {
	DATA_AND_STORE, LOCK_TIMEOUT,
	TEXT("password-file", "FILE", NULL,
		"the password is its first line; - is standard input (default: asked for)"),
	BY,
	END
};

const struct drg_option drg_options_key_rotate[] = {
	DATA_AND_STORE, LOCK_TIMEOUT,
	TEXT("overlap", "TIME", "0s",
		"for so long the old key and secret go on working: 90s, 30m, 24h or 7d, 90d at most"),
	FLAG("force", "end the pair before the last rotation, if its overlap is still running"),
	FLAG("json", "print JSON"),
	BY,
	END
};

const struct drg_option drg_options_migrate[] = {
	CONFIG,
	TEXT("from", "URL", NULL, "the store to move (required)"),
	TEXT("to", "URL", NULL, "the new store: a new file or an empty database (required)"),
	LOCK_TIMEOUT, END
};

const struct drg_option drg_options_config_show[] = { CONFIG, LISTING, END };

const struct drg_option drg_options_config_check[] = { CONFIG, END };

const struct drg_option drg_options_backup[] = {
	DATA_AND_STORE,
	INT("keep", "N", NULL, 1, 100000,
		"with a folder: once this backup is complete, keep its newest N and remove the others"),
	END
};

const struct drg_option drg_options_restore[] = {
	DATA_AND_STORE, LOCK_TIMEOUT,
	FLAG("dry-run", "read and check the whole backup, say what is in it, make nothing"),
	END
};

const struct drg_option drg_options_listing[] = { DATA_AND_STORE, LISTING, END };

const struct drg_option drg_options_check[] = {
	DATA_AND_STORE,
	INT("min-coverage", "PERCENT", NULL, 1, 100,
		"exit status 1 also if less is mapped of any kind of any supplier; for cron"),
	END
};
/* clang-format on */
