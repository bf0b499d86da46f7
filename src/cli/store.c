#include "cli/store.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/data_dir.h"
#include "cli/person.h"

int drg_cli_open_store(struct drg_cli *cli, enum drg_store_mode mode, struct drg_store **ret)
{
	struct drg_data_dir dir;
	int rc = drg_data_dir_open(cli, false, &dir, &cli->err);
	return rc == DRG_OK ? drg_store_open(dir.store_url, mode, ret, &cli->err) : rc;
}

int drg_cli_open_aside(struct drg_cli *cli, struct drg_tempfile **ret)
{
	struct stat out;
	struct drg_data_dir dir;
	*ret = NULL;
	if (fstat(STDOUT_FILENO, &out) == 0 && S_ISREG(out.st_mode))
		return DRG_OK;
	if (drg_data_dir_open(cli, false, &dir, NULL) == DRG_OK &&
	    drg_tempfile_open(dir.path, ret, NULL) == DRG_OK)
		return DRG_OK;
	/* A user who reads a database may have no right to write into the folder. */
	const char *tmp = getenv("TMPDIR");
	return drg_tempfile_open(tmp != NULL && tmp[0] != '\0' ? tmp : "/tmp", ret, &cli->err);
}

int drg_cli_txn(struct drg_cli *cli, enum drg_store_mode mode, drg_txn_fn *run, void *ctx)
{
	struct drg_store *s;
	int rc = drg_cli_open_store(cli, mode, &s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_txn_run(s, run, ctx, &cli->err);
	drg_store_close(s);
	return rc;
}

int drg_cli_decide(struct drg_cli *cli, struct drg_decision *d)
{
	struct drg_decisions one = { .v = d, .n = 1, .by = drg_person(cli), .why = drg_reason(cli) };
	int rc = drg_cli_txn(cli, DRG_STORE_WRITE, drg_decisions_run_batch, &one);
	if (rc == DRG_OK && d->is.rc != DRG_OK)
		cli->err = d->is.err;
	return rc == DRG_OK ? d->is.rc : rc;
}
