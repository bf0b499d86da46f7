/* src/cli/settings.h
 * Settings: what the environment (DRAGOMAN_LISTEN) and the file of --config (listen) say for options that the
 * command line leaves open. A name that no command has an option for is an error, whichever command runs
 * (decision P9). */
#pragma once
#include "cli/cli.h"

/** The file that is read, if it is there, where neither the command line nor the environment names a file, a
 * data folder or a store. */
#define DRG_SETTINGS_FILE "/etc/dragoman/dragoman.conf"
/** The longest line of the file, in bytes. */
enum { DRG_SETTING_LINE = 8190 };

/**
 * The options of a command: from @p argv, the environment, the file, the table, in this order.
 * @param argv   What stands behind the command's name, NULL-terminated.
 * @param arena  Owns @p ret, which borrows @p argv and the environment, too.
 * @return DRG_OK; DRG_EUSAGE: an unknown name, a bad value, a line without a setting; DRG_ENOMEM; DRG_EIO and
 *         others: the file cannot be read.
 */
DRG_MUSTCHECK
int drg_settings_options(const struct drg_command *c, char *const *argv, struct drg_arena *arena,
                         struct drg_options **ret, struct drg_err *err);
/** The words of a command's name begin @p argv: the command, and how many words these are. NULL: there is
 * none. */
const struct drg_command *drg_command_find(const char *const *argv, size_t *ret_words);
