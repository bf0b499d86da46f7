#include "cli/lists/load_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/adapter.h"
#include "decide/supplier.h"

static const char *place_code(const struct drg_cli *cli)
{
	return drg_opt_args(cli->options, NULL)[0];
}

static int place_known(struct drg_cli *cli, struct drg_load_place *p)
{
	struct drg_store *s;
	int rc = drg_store_open(p->dir.store_url, DRG_STORE_READ, &s, &cli->err);
	if (rc != DRG_OK)
		return rc;
	rc = drg_cli_adapter(cli, s, place_code(cli), &p->adapter);
	drg_store_close(s);
	return rc;
}

/* A store that has the supplier; a database elsewhere may have it already. */
static int place_make(struct drg_cli *cli, struct drg_load_place *p)
{
	struct drg_supplier_new d = { .code = drg_str_c(place_code(cli)),
		                      .name = drg_str_c(place_code(cli)),
		                      .domain = DRG_DOMAIN_TOUR,
		                      .stage = DRG_STAGE_LIVE };
	struct drg_store *s;
	int64_t number;
	if (drg_str_to_i64(d.code, &number))
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, "create",
		                "--create: expected a code for the new supplier, found \"%s\"",
		                place_code(cli));
	int rc = drg_store_open(p->dir.store_url, DRG_STORE_CREATE, &s, &cli->err);
	if (rc != DRG_OK)
		return rc;
	rc = drg_txn_run(s, drg_supplier_add, &d, &cli->err);
	if (rc == DRG_OK)
		p->adapter = d.id;
	drg_store_close(s);
	return rc == DRG_EEXIST ? place_known(cli, p) : rc;
}

static int place_pass(struct drg_cli *cli, struct drg_load_place *p)
{
	const char *tmp = getenv("TMPDIR");
	int n = snprintf(p->dir.path, sizeof p->dir.path, "%s/dragoman-load-XXXXXX",
	                 tmp != NULL && tmp[0] != '\0' ? tmp : "/tmp");
	if (n >= (int)sizeof p->dir.path || mkdtemp(p->dir.path) == NULL)
		return drg_fail(&cli->err, DRG_EIO, NULL, NULL, "cannot make a temporary folder in %s: %s",
		                tmp != NULL ? tmp : "/tmp", strerror(errno));
	p->passing = true;
	snprintf(p->dir.store_url, sizeof p->dir.store_url, "sqlite:%s/dragoman.db", p->dir.path);
	return place_make(cli, p);
}

int drg_load_place_find(struct drg_cli *cli, struct drg_load_place *ret)
{
	*ret = (struct drg_load_place){ .passing = false };
	int rc = drg_data_dir_open(cli, false, &ret->dir, &cli->err);
	if (rc == DRG_ENOENT && drg_opt_flag(cli->options, "create"))
		return place_pass(cli, ret);
	return rc == DRG_OK ? place_known(cli, ret) : rc;
}

int drg_load_place_make(struct drg_cli *cli, struct drg_load_place *p)
{
	drg_load_place_leave(p);
	int rc = drg_data_dir_open(cli, true, &p->dir, &cli->err);
	return rc == DRG_OK ? place_make(cli, p) : rc;
}

void drg_load_place_leave(struct drg_load_place *p)
{
	DIR *d = p->passing ? opendir(p->dir.path) : NULL;
	if (d == NULL)
		return;
	for (const struct dirent *e; (e = readdir(d)) != NULL;)
		if (e->d_name[0] != '.')
			unlinkat(dirfd(d), e->d_name, 0);
	closedir(d);
	rmdir(p->dir.path);
	p->passing = false;
}
