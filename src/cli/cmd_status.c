#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/data_dir.h"
#include "admin/status.h"

static uint64_t file_bytes(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* The database and its write-ahead log; 0 where the store is not a file. */
static uint64_t store_bytes(const char *url)
{
	static const char scheme[] = "sqlite:";
	char wal[PATH_MAX + 40];
	if (strncmp(url, scheme, sizeof scheme - 1) != 0)
		return 0;
	const char *path = url + sizeof scheme - 1;
	snprintf(wal, sizeof wal, "%s-wal", path);
	return file_bytes(path) + file_bytes(wal);
}

int drg_cmd_status(struct drg_cli *cli)
{
	struct drg_data_dir dir;
	struct drg_store *s = NULL;
	struct drg_status st;
	int rc = drg_data_dir_open(cli, false, &dir, &cli->err);
	if (rc == DRG_OK)
		rc = drg_store_open(dir.store_url, DRG_STORE_READ, &s, &cli->err);
	if (rc == DRG_OK)
		rc = drg_status_read(s, &st, &cli->err);
	drg_store_close(s);
	if (rc != DRG_OK)
		return rc;

	struct drg_buf out;
	drg_buf_init(&out, SIZE_MAX);
	bool json = drg_opt_flag(cli->options, "json");
	(json ? drg_status_json : drg_status_text)(&st, dir.store_url, store_bytes(dir.store_url), &out);
	drg_status_done(&st);
	if (out.rc == DRG_OK)
		fwrite(out.p, 1, out.n, stdout);
	else
		rc = drg_fail(&cli->err, out.rc, NULL, NULL, "out of memory");
	drg_buf_done(&out);
	return rc;
}
