#include "admin/backup/last.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/newfile.h"

static const char LAST[] = "last-backup", FAILURE[] = "last-backup-failure";
static const char FORM[] =
        "at %" SCNd64 "\ncommit %" SCNd64 "\nrows %" SCNu64 "\nbytes %" SCNu64 "\nepoch %39s";

static int last_path(const char *folder, const char *name, char path[static DRG_NEWFILE_PATH],
                     struct drg_err *reterr)
{
	int n = snprintf(path, DRG_NEWFILE_PATH, "%s/%s", folder, name);
	return n > 0 && n < DRG_NEWFILE_PATH
	               ? DRG_OK
	               : drg_fail(reterr, DRG_ELIMIT, NULL, NULL, "the path of the data folder is too long");
}

static int last_write(const char *folder, const char *name, struct drg_str text, struct drg_err *reterr)
{
	char path[DRG_NEWFILE_PATH];
	struct drg_newfile file;
	int rc = last_path(folder, name, path, reterr);
	if (rc == DRG_OK)
		rc = drg_newfile_begin("the time of the backup to", path, NULL, &file, reterr);
	if (rc != DRG_OK)
		return rc;
	int e = drg_write_all(file.fd, text);
	rc = e != 0 ? drg_newfile_fail(&file, file.aside, e, reterr) : drg_newfile_sync(&file, reterr);
	int end = drg_newfile_end(&file, rc == DRG_OK, rc == DRG_OK ? reterr : NULL);
	return rc == DRG_OK ? end : rc;
}

int drg_last_backup_note(const char *folder, const struct drg_backed_up *did, struct drg_err *reterr)
{
	char text[256];
	int n = snprintf(text, sizeof text,
	                 "at %" PRId64 "\ncommit %" PRId64 "\nrows %" PRIu64 "\nbytes %" PRIu64
	                 "\nepoch %s\n",
	                 did->at_us, did->clock.seq, did->rows, did->bytes, did->clock.epoch);
	return last_write(folder, LAST, drg_str(text, (size_t)n), reterr);
}

int drg_last_backup_note_failure(const char *folder, const char *why, struct drg_err *reterr)
{
	char text[1200];
	int n = snprintf(text, sizeof text, "at %" PRId64 "\n%.1000s\n", drg_wall_us(), why);
	return last_write(folder, FAILURE, drg_str(text, (size_t)n), reterr);
}

bool drg_last_backup_read(const char *folder, struct drg_last_backup *ret)
{
	char path[DRG_NEWFILE_PATH];
	struct drg_last_backup b;
	FILE *f = last_path(folder, LAST, path, NULL) == DRG_OK ? fopen(path, "re") : NULL;
	bool ok = f != NULL && fscanf(f, FORM, &b.at_us, &b.seq, &b.rows, &b.bytes, b.epoch) == 5;
	if (f != NULL)
		fclose(f);
	if (ok)
		*ret = b;
	return ok;
}

int64_t drg_last_backup_failure_us(const char *folder)
{
	char path[DRG_NEWFILE_PATH];
	int64_t at = 0;
	FILE *f = last_path(folder, FAILURE, path, NULL) == DRG_OK ? fopen(path, "re") : NULL;
	if (f != NULL && fscanf(f, "at %" SCNd64, &at) != 1)
		at = 0;
	if (f != NULL)
		fclose(f);
	return at;
}
