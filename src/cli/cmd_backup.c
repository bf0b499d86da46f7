#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "admin/backup/last.h"
#include "admin/backup/restore.h"
#include "base/clock.h"
#include "base/lockfile.h"
#include "base/newfile.h"
#include "base/thread.h"
#include "cli/data_dir.h"
#include "cli/filled.h"
#include "console/say.h"

/* ---- a folder of backups ------------------------------------------------------------------------------- */

/* "dragoman-20261123T224015Z.backup": their names sort as their times do. */
static const char BACKUP_NAME[] = "dragoman-########T######Z.backup";

static bool is_backup_name(const char *name)
{
	size_t i = 0;
	for (; BACKUP_NAME[i] != '\0'; i++)
		if (BACKUP_NAME[i] == '#' ? name[i] < '0' || name[i] > '9' : name[i] != BACKUP_NAME[i])
			return false;
	return name[i] == '\0';
}

static int backup_select(const struct dirent *e)
{
	return is_backup_name(e->d_name);
}

/* Remove older backups. One that cannot be removed is reported, and the backup still succeeds. The new one
 * stays, also if a clock went back.
 * @param made  Its path. */
static void backup_remove_older(const char *folder, int64_t keep, const char *made)
{
	struct dirent **names;
	int n = scandir(folder, &names, backup_select, alphasort);
	for (int i = 0; i < n; i++) {
		char path[DRG_NEWFILE_PATH];
		snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
		const char *name = strrchr(made, '/');
		bool is_new = name != NULL && strcmp(name + 1, names[i]->d_name) == 0;
		if (i < n - keep && !is_new && unlink(path) != 0)
			drg_print(stderr, "dragoman: cannot remove the backup %s: %s\n", path,
			          strerror(errno));
		free(names[i]);
	}
	if (n >= 0)
		free(names);
}

/* The destination of a backup. */
struct backup_place {
	const char *folder; /* NULL: a file */
	char path[DRG_NEWFILE_PATH], aside[DRG_NEWFILE_PATH];
	char copy[DRG_NEWFILE_PATH + 32]; /* of a store with an older schema */
};

static int backup_place(struct drg_cli *cli, struct backup_place *ret)
{
	const char *file = drg_opt_args(cli->options, NULL)[0];
	struct stat st;
	char now[DRG_WALL_TEXT];
	size_t n = strlen(file);
	bool folder = (n > 0 && file[n - 1] == '/') || (stat(file, &st) == 0 && S_ISDIR(st.st_mode));
	if (n == 0 || n + sizeof BACKUP_NAME + 1 >= sizeof ret->path)
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, NULL, "name the file of the backup");
	if (!folder && drg_opt_given(cli->options, "keep"))
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, "keep",
		                "--keep is for a folder of backups: name one that is there");
	ret->folder = folder ? file : NULL;
	snprintf(ret->path, sizeof ret->path, "%s", file);
	if (!folder)
		return DRG_OK;
	while (n > 1 && file[n - 1] == '/')
		n--;
	drg_wall_text(drg_wall_us(), now); /* 2026-11-23T22:40:15.000Z */
	snprintf(ret->path, sizeof ret->path, "%.*s/dragoman-%.4s%.2s%.2sT%.2s%.2s%.2sZ.backup", (int)n, file,
	         now, now + 5, now + 8, now + 11, now + 14, now + 17);
	snprintf(ret->aside, sizeof ret->aside, "%.*s/dragoman.backup.new", (int)n, file);
	return DRG_OK;
}

/* ---- backing up ---------------------------------------------------------------------------------------- */

static void backup_show(void *ctx, enum drg_backup_step step, uint64_t rows)
{
	static const char *const words[] = { "backing up", "reading it back" };
	drg_progress_show(ctx, words[step], rows, 0, DRG_PROGRESS_RECORDS);
}

int drg_cmd_backup(struct drg_cli *cli)
{
	struct drg_data_dir dir;
	struct drg_progress progress;
	struct backup_place place;
	struct drg_backed_up did;
	int rc = backup_place(cli, &place);
	bool out = rc == DRG_OK && strcmp(place.path, "-") == 0;
	if (out && isatty(STDOUT_FILENO))
		rc = drg_fail(&cli->err, DRG_EUSAGE, NULL, NULL,
		              "a backup is binary: name a file, or send it to a pipe");
	if (rc == DRG_OK)
		rc = drg_data_dir_open(cli, false, &dir, &cli->err);
	if (rc != DRG_OK)
		return rc;
	snprintf(place.copy, sizeof place.copy, "%s%s", out ? dir.path : place.path,
	         out ? "/backup.older-store" : ".older-store");
	const struct drg_backup_options o = { .store = dir.store_url,
		                              .path = place.path,
		                              .aside = place.folder != NULL ? place.aside : NULL,
		                              .copy = place.copy,
		                              .progress = backup_show,
		                              .ctx = &progress };
	drg_thread_background();
	drg_progress_init(&progress);
	rc = drg_backup(&o, &did, &cli->err);
	drg_progress_clear(&progress);
	struct drg_err unsaid;
	if (rc != DRG_OK) {
		/* For the server's metrics: nobody may be watching this command. */
		if (!out && drg_last_backup_note_failure(dir.path, cli->err.message, &unsaid) != DRG_OK)
			drg_print(stderr, "dragoman: %s\n", unsaid.message);
		return rc;
	}
	drg_print(out ? stderr : stdout,
	          "backed up %" PRIu64 " rows up to commit %" PRId64 ": %s, %.1f MB%s\n", did.rows,
	          did.clock.seq, place.path, (double)did.bytes / 1e6, out ? "" : ", read back and whole");
	if (drg_opt_given(cli->options, "keep"))
		backup_remove_older(place.folder, drg_opt_int(cli->options, "keep"), place.path);
	/* The program that reads the pipe may have failed, so do not rely on such a backup. */
	if (!out && drg_last_backup_note(dir.path, &did, &cli->err) != DRG_OK)
		drg_print(stderr,
		          "dragoman: the backup is whole, but 'dragoman status' will not tell of it: %s\n",
		          cli->err.message);
	return DRG_OK;
}

/* ---- restoring ----------------------------------------------------------------------------------------- */

static void restore_show_look(void *ctx, uint64_t rows)
{
	drg_progress_show(ctx, "reading the backup", rows, 0, DRG_PROGRESS_RECORDS);
}

static int restore_store(struct drg_cli *cli, const char *file, const char *store,
                         const struct drg_backup_info *told, struct drg_progress *progress)
{
	const struct drg_restore_options o = {
		.path = file, .store = store, .progress = drg_cli_show_move, .ctx = progress
	};
	int rc = drg_restore(&o, told, &cli->err);
	drg_progress_clear(progress);
	if (rc == DRG_OK)
		rc = drg_cli_check_filled(store, progress, &cli->err);
	if (rc != DRG_OK)
		return rc;
	drg_print(stdout,
	          "restored %" PRIu64 " rows up to commit %" PRId64
	          " into %s: the same, row by row, and sound\n",
	          told->rows, told->clock.seq, store);
	puts("clients that saw later commits of the previous store are told to start over");
	return DRG_OK;
}

int drg_cmd_restore(struct drg_cli *cli)
{
	const char *file = drg_opt_args(cli->options, NULL)[0], *store = drg_opt_text(cli->options, "store");
	struct drg_backup_info told;
	struct drg_progress progress;
	struct drg_data_dir dir;
	drg_progress_init(&progress);
	int rc = drg_backup_verify(file, restore_show_look, &progress, &told, &cli->err);
	drg_progress_clear(&progress);
	if (rc == DRG_OK && drg_opt_flag(cli->options, "dry-run")) {
		drg_print(stdout,
		          "%s is whole: %" PRIu64 " rows up to commit %" PRId64 ", made %s by dragoman %s\n",
		          file, told.rows, told.clock.seq, told.made, told.program);
		return DRG_OK;
	}
	drg_lockfile_set_timeout((unsigned)drg_opt_int(cli->options, "lock-timeout") * 1000);
	/* A server of a store elsewhere has a data folder too. */
	if (rc == DRG_OK && (store == NULL || drg_opt_text(cli->options, "data") != NULL)) {
		rc = drg_data_dir_open(cli, true, &dir, &cli->err);
		store = dir.store_url;
	}
	return rc == DRG_OK ? restore_store(cli, file, store, &told, &progress) : rc;
}
