#include "admin/backup/last.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/newfile.h"

static const char FORM[] =
        "at %" SCNd64 "\ncommit %" SCNd64 "\nrows %" SCNu64 "\nbytes %" SCNu64 "\nepoch %39s";

static int last_path(const char *folder, char path[static DRG_NEWFILE_PATH], struct drg_err *reterr)
{
	int n = snprintf(path, DRG_NEWFILE_PATH, "%s/last-backup", folder);
	return n > 0 && n < DRG_NEWFILE_PATH
	               ? DRG_OK
	               : drg_fail(reterr, DRG_ELIMIT, NULL, NULL, "the path of the data folder is too long");
}

int drg_last_backup_note(const char *folder, const struct drg_backed_up *did, struct drg_err *reterr)
{
	char path[DRG_NEWFILE_PATH], text[256];
	struct drg_newfile file;
	int rc = last_path(folder, path, reterr);
	if (rc == DRG_OK)
		rc = drg_newfile_begin("the time of the backup to", path, NULL, &file, reterr);
	if (rc != DRG_OK)
		return rc;
	int n = snprintf(text, sizeof text,
	                 "at %" PRId64 "\ncommit %" PRId64 "\nrows %" PRIu64 "\nbytes %" PRIu64
	                 "\nepoch %s\n",
	                 did->at_us, did->clock.seq, did->rows, did->bytes, did->clock.epoch);
	int e = drg_write_all(file.fd, drg_str(text, (size_t)n));
	rc = e != 0 ? drg_newfile_fail(&file, file.aside, e, reterr) : drg_newfile_sync(&file, reterr);
	int end = drg_newfile_end(&file, rc == DRG_OK, rc == DRG_OK ? reterr : NULL);
	return rc == DRG_OK ? end : rc;
}

bool drg_last_backup_read(const char *folder, struct drg_last_backup *ret)
{
	char path[DRG_NEWFILE_PATH];
	struct drg_last_backup b;
	FILE *f = last_path(folder, path, NULL) == DRG_OK ? fopen(path, "re") : NULL;
	bool ok = f != NULL && fscanf(f, FORM, &b.at_us, &b.seq, &b.rows, &b.bytes, b.epoch) == 5;
	if (f != NULL)
		fclose(f);
	if (ok)
		*ret = b;
	return ok;
}
