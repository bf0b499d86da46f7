/* src/console/options.h
 * Options, from a table: type, range, default, documentation. Parsing, `--help` and the manual pages read the
 * same rows.
 *
 * On the command line `--name value`, `--name=value` and, for flags, `--name`; options and other arguments in
 * any order; `--` ends the options; `-` alone is an argument. An option that takes one value is given at most
 * once. What is not there comes from a setting (cli/settings.h), else from the table. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "base/arena.h"
#include "base/err.h"

enum drg_option_type {
	DRG_OPT_FLAG,
	DRG_OPT_TEXT,
	DRG_OPT_INT,
	DRG_OPT_WORD, /**< one of `words` */
	DRG_OPT_TEXTS /**< may be repeated */
};

/** One row of an option table; the table ends with a row whose name is NULL. */
struct drg_option {
	const char *name; /**< without its dashes */
	enum drg_option_type type;
	const char *arg; /**< what stands for the value in the help, "DIR"; NULL for flags */
	const char *dflt; /**< read by the same parser; NULL: none */
	int64_t min, max; /**< bounds of INT */
	const char *const *words; /**< WORD: NULL-terminated */
	bool everywhere; /**< its setting has the same name in every command, see drg_setting_is() */
	const char *doc; /**< one line; the default is added by the help */
};

/** A substitute for an option: an environment variable, or a line of the file of --config. */
struct drg_setting {
	const char *name; /**< "listen", "key-create-role" */
	const char *
	        value; /**< several values of a TEXTS option have commas between them; a flag has yes or no */
	const char *where; /**< "DRAGOMAN_LISTEN", "/etc/dragoman.conf:3" */
	bool environment; /**< else the file */
};

struct drg_settings {
	struct drg_setting *all; /**< the environment's first */
	size_t n;
};

/** The longest name of a setting, with its NUL. */
enum { DRG_SETTING_NAME = 64 };
/** Is @p name the setting of this option? "listen" for those of `serve` and those that mean the same
 * everywhere, else with the command's name before it: "key-create-role". */
bool drg_setting_is(const char *command, const struct drg_option *row, const char *name);
/** Write the name of its setting. */
void drg_setting_name(const char *command, const struct drg_option *row, char name[static DRG_SETTING_NAME]);

/** The values of options, from the command line or elsewhere. */
struct drg_options;

/**
 * Read @p argv (NULL-terminated, without program and command name) by @p table. drg_options_fill() has to
 * follow.
 * @param arena  Owns @p ret. Texts borrow from @p argv.
 * @return DRG_OK; DRG_EUSAGE: unknown option (the nearest name is suggested), missing or bad value;
 *         DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_options_parse(const struct drg_option *table, char *const *argv, struct drg_arena *arena,
                      struct drg_options **ret, struct drg_err *reterr);
/**
 * Fill in the options that the command line does not have: from the environment, then from the file, then
 * from the table.
 * @param command   Its name, "key create".
 * @param settings  Borrowed as long as the options; names of other commands are passed over. NULL: none.
 * @return DRG_OK; DRG_EUSAGE: a bad value, or two; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_options_fill(struct drg_options *o, const char *command, const struct drg_settings *settings,
                     struct drg_err *reterr);
/** The origin of the value: "--listen", the `where` of a setting; NULL: it was not given, and has its default
 * or none. */
const char *drg_opt_where(const struct drg_options *o, const char *name);
/** To the message of @p err about an option's value, whose name is its field, add where that stands, unless on
 * the command line. */
void drg_options_blame(const struct drg_options *o, struct drg_err *err);
/** Its value in words, as a setting would have it; "" for none. */
void drg_opt_print(const struct drg_options *o, const char *name, char *buf, size_t n);

/** Print the text of `--help` about them, a line each. */
void drg_options_help(FILE *out, const struct drg_option *table);

/* Values by name. The name must be in the table: a wrong one is a bug of ours. */

/** Is it in the table? */
bool drg_opt_known(const struct drg_options *o, const char *name);
/** Given on the command line or by a setting (a default does not count)? */
bool drg_opt_given(const struct drg_options *o, const char *name);
bool drg_opt_flag(const struct drg_options *o, const char *name);
/** NULL when it was not given and has no default. */
const char *drg_opt_text(const struct drg_options *o, const char *name);
/** 0 when it was not given and has no default. */
int64_t drg_opt_int(const struct drg_options *o, const char *name);
/** Index in `words`, -1 when it was not given and has no default. */
int drg_opt_word(const struct drg_options *o, const char *name);
/** Every value of a TEXTS option, NULL-terminated. @param ret_n  May be NULL. */
const char *const *drg_opt_texts(const struct drg_options *o, const char *name, size_t *ret_n);
/** Arguments that are not options, NULL-terminated. @param ret_n  May be NULL. */
const char *const *drg_opt_args(const struct drg_options *o, size_t *ret_n);
