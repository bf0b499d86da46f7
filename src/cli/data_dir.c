#include "cli/data_dir.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/lockfile.h"
#include "base/log.h"
#include "store/store.h"

/* Like `mkdir -p`; only the folder itself is private to its owner, parents are as the umask says. */
static int make_folders(const char *path)
{
	char part[PATH_MAX];
	size_t n = strlen(path);
	memcpy(part, path, n + 1);
	for (size_t i = 1; i < n; i++) {
		if (part[i] != '/' || part[i - 1] == '/')
			continue;
		part[i] = '\0';
		if (mkdir(part, 0777) != 0 && errno != EEXIST)
			return errno;
		part[i] = '/';
	}
	return mkdir(path, 0700) == 0 || errno == EEXIST ? 0 : errno;
}

static int find_folder(const char *path, bool create, struct drg_err *reterr)
{
	struct stat st;
	if (create) {
		int e = make_folders(path);
		if (e != 0)
			return drg_fail(reterr, drg_rc_from_errno(e), NULL, NULL,
			                "cannot make the data folder %s: %s", path, strerror(e));
	}
	if (stat(path, &st) != 0)
		return drg_fail(reterr, drg_rc_from_errno(errno), NULL, NULL,
		                "cannot use the data folder %s: %s%s", path, strerror(errno),
		                errno == ENOENT ? "; 'dragoman import --create' makes it, "
		                                  "and so does 'load --create'"
		                                : "");
	if (!S_ISDIR(st.st_mode))
		return drg_fail(reterr, DRG_EIO, NULL, NULL,
		                "%s is not a folder; --data names the data folder", path);
	return DRG_OK;
}

/* A server's own log has it, as the rest of what it says. */
static void data_dir_report(const char *text)
{
	drg_log(DRG_LOG_INFO, "%s", text);
}

int drg_data_dir_open(const struct drg_cli *cli, bool create, struct drg_data_dir *ret,
                      struct drg_err *reterr)
{
	const char *path = drg_opt_text(cli->options, "data"), *store = drg_opt_text(cli->options, "store");
	if (drg_opt_known(cli->options, "lock-timeout"))
		drg_lockfile_set_timeout((unsigned)drg_opt_int(cli->options, "lock-timeout") * 1000);
	if (drg_opt_known(cli->options, "no-upgrade"))
		drg_store_set_upgrade(!drg_opt_flag(cli->options, "no-upgrade"), data_dir_report);
	if (path == NULL || path[0] == '\0')
		return drg_fail(reterr, DRG_EUSAGE, NULL, "data",
		                "the data folder is missing: give --data DIR or set DRAGOMAN_DATA");
	if (strlen(path) >= sizeof ret->path || (store != NULL && strlen(store) >= sizeof ret->store_url))
		return drg_fail(reterr, DRG_EUSAGE, NULL, NULL, "the path in --data or --store is too long");
	int rc = find_folder(path, create, reterr);
	if (rc != DRG_OK)
		return rc;
	memcpy(ret->path, path, strlen(path) + 1);
	if (store != NULL)
		memcpy(ret->store_url, store, strlen(store) + 1);
	else
		snprintf(ret->store_url, sizeof ret->store_url, "sqlite:%s/dragoman.db", path);
	return DRG_OK;
}
