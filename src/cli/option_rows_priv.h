/* src/cli/option_rows_priv.h
 * Rows of the tables of options: what a row consists of, the options that several commands take, and the
 * table of each command. tools/check_docs.py reads them too. */
#pragma once
#include "cli/listing.h"

/* clang-format off */
#define FLAG(name, doc)                     { name, DRG_OPT_FLAG, NULL, NULL, 0, 0, NULL, false, doc }
#define TEXT(name, arg, dflt, doc)          { name, DRG_OPT_TEXT, arg, dflt, 0, 0, NULL, false, doc }
#define TEXTS(name, arg, doc)               { name, DRG_OPT_TEXTS, arg, NULL, 0, 0, NULL, false, doc }
#define INT(name, arg, dflt, min, max, doc) { name, DRG_OPT_INT, arg, dflt, min, max, NULL, false, doc }
#define WORD(name, arg, dflt, words, doc)   { name, DRG_OPT_WORD, arg, dflt, 0, 0, words, false, doc }
/* Options with the same meaning in every command: DRAGOMAN_DATA is for all of them. */
#define FLAG_ALL(name, doc)                     { name, DRG_OPT_FLAG, NULL, NULL, 0, 0, NULL, true, doc }
#define TEXT_ALL(name, arg, dflt, doc)          { name, DRG_OPT_TEXT, arg, dflt, 0, 0, NULL, true, doc }
#define INT_ALL(name, arg, dflt, min, max, doc) { name, DRG_OPT_INT, arg, dflt, min, max, NULL, true, doc }
#define WORD_ALL(name, arg, dflt, words, doc)   { name, DRG_OPT_WORD, arg, dflt, 0, 0, words, true, doc }
#define END                                 { .name = NULL }

#define CONFIG \
	TEXT_ALL("config", "FILE", NULL, \
		"a file of settings, each NAME = VALUE; none: no file (default: "  \
		"/etc/dragoman/dragoman.conf, if it is there)")
#define DATA_AND_STORE \
	CONFIG, \
	TEXT_ALL("data", "DIR", NULL, "the data folder"), \
	TEXT_ALL("store", "URL", NULL, "the store (default: sqlite:DIR/dragoman.db)")

/* For commands that list. */
#define LISTING \
	WORD_ALL("format", "FORMAT", "table", drg_listing_formats, \
		"table, ndjson (as an export or an endpoint has it) or csv"), \
	TEXT("output", "FILE", NULL, "write it to FILE: .xlsx, .ndjson, else CSV with a byte order mark"), \
	FLAG_ALL("excel", "CSV as Excel opens it by a double click: a byte order mark, semicolons")

/* For commands that write. */
#define LOCK_TIMEOUT \
	INT_ALL("lock-timeout", "SECONDS", "5", 1, 3600, \
		"how long another process may keep this one from writing")

/* For commands that create or upgrade a store. */
#define NO_UPGRADE \
	FLAG("no-upgrade", "leave a store of an older version as it is, and end")

/* For commands whose changes a history keeps. */
#define BY \
	TEXT_ALL("by", "NAME", NULL, \
		"your name, for the history and the queue (default: $SUDO_USER, $USER, or the " \
		"user's name in the system)")
#define WHY \
	TEXT_ALL("why", "TEXT", NULL, "the reason, for the history")

/* For commands that can be limited to a part. */
#define ONLY_SUPPLIER TEXT("adapter", "SUPPLIER", NULL, "only this supplier, code or number")
#define ONLY_KIND     TEXT("kind", "KIND", NULL,        "only this kind")
#define ONLY_COUNTRY  TEXT("country", "COUNTRY", NULL, \
	"only of this country: name, ISO code (TR) or id in the reference")
#define SINCE         TEXT("since", "TIME", NULL, \
	"only since then: yesterday, monday, 7d, 2026-11-20 (UTC) or 2026-11-20T12:00:00Z")

/* The cases of the queue, beside the supplier, the kind and the country. */
#define ONLY_CASES \
	TEXT("city", "ID", NULL, "only of this city, id in the reference"), \
	TEXT("reason", "REASON", NULL, "only with this reason, such as veto_residence"), \
	TEXT("assigned", "NAME", NULL, "only cases assigned to this person"), \
	WORD("later", "all|yes|no", "all", queue_words, "all, what --by puts off, or all but that")

#define ENCODING TEXT("encoding", "NAME", NULL, \
	"of text files, such as windows-1251 or cp1254 (default: recognised where that is safe)")

/* How the files of a supplier look. */
#define LOOKS \
	TEXT("kind", "KIND", NULL, \
		"the kind of each row, such as hotel (default: the profile's kind, or hotel)"), \
	TEXTS("map", "FIELD=COLUMN,...", "which column fills which field; may be repeated"), \
	ENCODING, \
	TEXT("separator", "CHAR", NULL, \
		"for text files: the character between cells, from any script, or tab (default: detected)"), \
	WORD("quote", "WORD", NULL, quote_words, \
		"of text files: double (a quote within quotes is doubled), backslash (a backslash is " \
		"before it), none (no cell is quoted) or dump (of a database: only backslashes) " \
		"(default: recognised)"), \
	WORD("decimal", ".|,", NULL, decimal_words, "the decimal sign (default: recognised)"), \
	TEXTS("sheet", "NAME", "of workbooks: the name or number of a sheet, or all; may be repeated: " \
		"several are one list (default: the only one that has cells)"), \
	TEXT("lang", "TAG", NULL, "language of the names (default: en)"), \
	TEXT("country", "NAME", NULL, \
		"of rows that name none: the country of a list of one, a name or an ISO code; or none"), \
	TEXT("category", "NAME", NULL, "of rows that name none: the hotels' category, such as 4*; or none")
/* clang-format on */

extern const struct drg_option drg_options_serve[], drg_options_import[], drg_options_load[],
        drg_options_supplier_add[], drg_options_supplier_set[], drg_options_export[],
        drg_options_key_create[], drg_options_key_set[], drg_options_status[], drg_options_key_list[],
        drg_options_write[], drg_options_user_add[], drg_options_user_password[], drg_options_key_rotate[],
        drg_options_migrate[], drg_options_config_show[], drg_options_config_check[], drg_options_backup[],
        drg_options_restore[], drg_options_listing[], drg_options_decision[], drg_options_accept[],
        drg_options_reject[], drg_options_dict_name[], drg_options_dict_history[], drg_options_map_list[],
        drg_options_map_load[], drg_options_match_load[], drg_options_map_history[], drg_options_changes[],
        drg_options_dict_find[], drg_options_dict_duplicates[], drg_options_map_find[], drg_options_check[],
        drg_options_coverage[], drg_options_batch_list[], drg_options_air_list[], drg_options_match[],
        drg_options_match_weights[], drg_options_match_stats[], drg_options_match_doubles[],
        drg_options_match_new[], drg_options_match_audit[], drg_options_match_precision[],
        drg_options_match_learn[], drg_options_match_queue[], drg_options_match_explain[];
