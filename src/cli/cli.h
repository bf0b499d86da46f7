/* src/cli/cli.h
 * The commands: one table, one function each. main.c finds the row, reads the options by it, calls the
 * function, and turns what it returns into a line on standard error and an exit status. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "console/options.h"

struct drg_command;

/** The arguments and the state of a command. */
struct drg_cli {
	const struct drg_command *command;
	char *const *argv; /**< what stands behind its name */
	const struct drg_options *options;
	struct drg_arena *arena; /**< lives until the program ends */
	struct drg_err err; /**< a command that fails says here why */
};

/**
 * @return DRG_OK: exit status 0; DRG_EUSAGE: 2; anything else: 1. With any but DRG_OK cli->err.message is
 *         printed as "dragoman: MESSAGE", unless it is empty because the command has said everything already.
 */
typedef int drg_command_fn(struct drg_cli *cli);

/** One row of the table; it ends with a row whose name is NULL. */
struct drg_command {
	const char *name; /**< "import", "key create" */
	const char *args; /**< "FILE...", for the help; "" when it takes none */
	unsigned min_args, max_args;
	const struct drg_option *options;
	drg_command_fn *run;
	const char *help; /**< one line */
};
extern const struct drg_command drg_commands[];

drg_command_fn drg_cmd_serve, drg_cmd_import, drg_cmd_export, drg_cmd_check, drg_cmd_status, drg_cmd_user_add,
        drg_cmd_user_list, drg_cmd_user_role, drg_cmd_user_password, drg_cmd_user_disable,
        drg_cmd_user_enable, drg_cmd_user_history, drg_cmd_key_history, drg_cmd_key_create, drg_cmd_key_list,
        drg_cmd_key_revoke, drg_cmd_key_rotate, drg_cmd_map_set, drg_cmd_map_clear, drg_cmd_map_undo,
        drg_cmd_map_country, drg_cmd_map_list, drg_cmd_map_history, drg_cmd_dict_merge, drg_cmd_dict_split,
        drg_cmd_dict_name, drg_cmd_dict_history, drg_cmd_air_unmatched, drg_cmd_air_map, drg_cmd_air_unmap,
        drg_cmd_air_list, drg_cmd_load, drg_cmd_supplier_add, drg_cmd_supplier_set, drg_cmd_supplier_show,
        drg_cmd_supplier_list, drg_cmd_batch_list, drg_cmd_batch_show, drg_cmd_batch_undo, drg_cmd_dict_find,
        drg_cmd_map_find, drg_cmd_coverage, drg_cmd_map_load, drg_cmd_match, drg_cmd_match_weights,
        drg_cmd_dict_duplicates, drg_cmd_migrate, drg_cmd_changes, drg_cmd_key_set, drg_cmd_match_queue,
        drg_cmd_match_explain, drg_cmd_match_accept, drg_cmd_match_reject, drg_cmd_match_load,
        drg_cmd_match_learn, drg_cmd_match_audit, drg_cmd_match_precision, drg_cmd_match_new,
        drg_cmd_match_stats, drg_cmd_match_doubles, drg_cmd_config_show, drg_cmd_config_check, drg_cmd_backup,
        drg_cmd_restore;

/** `dragoman export | head`: where the reader of standard output has what it wanted, end as other programs do,
 * without a word. Returns if the reader is there. To be called after a write that failed. */
void drg_exit_if_pipe_closed(void);
