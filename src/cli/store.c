#include "cli/store.h"

#include "cli/data_dir.h"
#include "cli/person.h"

int drg_cli_open_store(struct drg_cli *cli, enum drg_store_mode mode, struct drg_store **ret)
{
	struct drg_data_dir dir;
	int rc = drg_data_dir_open(cli, false, &dir, &cli->err);
	return rc == DRG_OK ? drg_store_open(dir.store_url, mode, ret, &cli->err) : rc;
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
