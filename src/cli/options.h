/* src/cli/options.h
 * Command line options, from a table: type, range, default, environment variable, documentation. Parsing, `--help`
 * and the manual pages read the same rows.
 *
 * `--name value`, `--name=value` and, for flags, `--name`; options and other arguments in any order; `--` ends the
 * options; `-` alone is an argument. An option that takes one value is given at most once. */
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
	const char *env; /**< environment variable that stands in for a missing option; NULL: none */
	const char *doc; /**< one line; the default is added by the help */
};

/** What the command line said. */
struct drg_options;

/**
 * Read @p argv (NULL-terminated, without program and command name) by @p table.
 * @param arena  Owns @p ret. Texts borrow from @p argv and the environment.
 * @return DRG_OK; DRG_EUSAGE: unknown option (the nearest name is suggested), missing or bad value; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_options_parse(const struct drg_option *table, char *const *argv, struct drg_arena *arena,
                      struct drg_options **ret, struct drg_err *reterr);

/** What `--help` says of them, a line each. */
void drg_options_help(FILE *out, const struct drg_option *table);

/* Values by name. The name must be in the table: a wrong one is a bug of ours. */

/** Is it in the table? */
bool drg_opt_known(const struct drg_options *o, const char *name);
/** Given on the command line or in the environment (a default does not count)? */
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
