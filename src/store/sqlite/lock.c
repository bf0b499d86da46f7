/* The right to import: a lock file beside the store; the system releases it when its holder dies. */
#include "store/sqlite/sqlite_priv.h"

static int open_imports_lock(struct drg_store *s, struct drg_err *reterr)
{
	const char *slash = strrchr(s->path, '/'); /* engine.c makes every path absolute or begin with "./" */
	char *path = sqlite3_mprintf("%.*s/import.lock", (int)(slash - s->path), s->path);
	if (path == NULL)
		return drg_sqlite_fail(s, SQLITE_NOMEM, reterr);
	int rc = drg_lockfile_open(path, &s->imports, reterr);
	sqlite3_free(path);
	return rc;
}

int drg_sqlite_lock_imports(struct drg_store *s, struct drg_err *reterr)
{
	int rc = s->imports == NULL ? open_imports_lock(s, reterr) : DRG_OK;
	if (rc == DRG_OK)
		rc = drg_lockfile_trylock(s->imports, reterr);
	if (rc != DRG_EBUSY)
		return rc;
	char holder[256];
	drg_lockfile_holder(s->imports, holder, sizeof holder);
	return drg_fail(
	        reterr, rc, DRG_R(import_running), NULL,
	        "the right to import into %s is held by %s: wait until that import, load or undo is through",
	        s->path, holder);
}

void drg_sqlite_unlock_imports(struct drg_store *s)
{
	drg_lockfile_unlock(s->imports);
}
