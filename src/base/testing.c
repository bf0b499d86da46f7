#include "base/testing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int drg_testing_number(const char *name, const _Atomic int64_t **ret, struct drg_err *reterr)
{
	const char *path = getenv(name);
	*ret = NULL;
	if (path == NULL)
		return DRG_OK;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *page = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof **ret, PROT_READ, MAP_SHARED, fd, 0);
	int e = errno;
	if (fd >= 0)
		close(fd);
	if (page == MAP_FAILED)
		return drg_fail(reterr, DRG_EIO, NULL, NULL, "cannot read %s, %s: %s", name, path,
		                strerror(e));
	*ret = page;
	return DRG_OK;
}
