#include <inttypes.h>
#include <unistd.h>

#include "cli/adapter.h"
#include "console/progress.h"
#include "cli/store.h"
#include "admin/export.h"

static int export_read_type(struct drg_cli *cli, struct drg_filter *f)
{
	const char *name = drg_opt_text(cli->options, "type");
	if (name == NULL)
		return DRG_OK;
	f->type = drg_type_by_name(drg_str_c(name));
	if (f->type == NULL || f->type->internal)
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, "type",
		                "--type: expected a record type such as dict or source, found \"%s\"", name);
	return DRG_OK;
}

static int export_read_kind(struct drg_cli *cli, struct drg_filter *f)
{
	const char *name = drg_opt_text(cli->options, "kind");
	if (name == NULL)
		return DRG_OK;
	f->one_kind = true;
	f->kind = drg_kind_by_name(drg_str_c(name));
	if (f->kind == DRG_KIND_NONE)
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, "kind",
		                "--kind: expected a kind such as country or hotel, found \"%s\"", name);
	if (f->type != NULL && !drg_kind_in(f->type->kinds, f->kind))
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, "kind", "--kind: there is no %s of kind %s",
		                f->type->name, name);
	return DRG_OK;
}

static int export_read_filter(struct drg_cli *cli, struct drg_filter *f)
{
	int rc = drg_cli_adapter_option(cli, &f->adapter);
	if (rc == DRG_OK)
		rc = export_read_type(cli, f);
	if (rc == DRG_OK)
		rc = export_read_kind(cli, f);
	if (rc == DRG_OK && f->type != NULL && f->adapter != 0 &&
	    drg_field_of(f->type, DRG_F_ADAPTER_ID) == NULL)
		rc = drg_fail(&cli->err, DRG_EUSAGE, NULL, "adapter", "--adapter: a %s has no adapter_id",
		              f->type->name);
	return rc;
}

static void export_show(void *ctx, uint64_t records)
{
	drg_progress_show(ctx, "exporting", records, 0, DRG_PROGRESS_RECORDS);
}

int drg_cmd_export(struct drg_cli *cli)
{
	struct drg_filter filter = { 0 };
	struct drg_store *s;
	struct drg_progress progress;
	struct drg_tempfile *aside;
	int rc = export_read_filter(cli, &filter);
	if (rc == DRG_OK)
		rc = drg_cli_open_aside(cli, &aside);
	if (rc != DRG_OK)
		return rc;
	rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK) {
		drg_tempfile_close(aside);
		return rc;
	}
	drg_progress_init(&progress);
	rc = drg_export(s, &filter, STDOUT_FILENO, aside, export_show, &progress, NULL, &cli->err);
	drg_progress_clear(&progress);
	drg_store_close(s);
	drg_tempfile_close(aside);
	if (rc != DRG_OK)
		drg_exit_if_pipe_closed();
	return rc;
}
