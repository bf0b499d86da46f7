#include "base/descriptors.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

int drg_descriptors_ensure(size_t need, struct drg_err *reterr)
{
	struct rlimit now;
	if (getrlimit(RLIMIT_NOFILE, &now) != 0)
		return drg_fail(reterr, DRG_EIO, NULL, NULL, "cannot read the limit of open files: %s",
		                strerror(errno));
	if (now.rlim_cur >= need)
		return DRG_OK;
	/* Root may raise the hard limit too. */
	struct rlimit wanted = { .rlim_cur = need, .rlim_max = now.rlim_max < need ? need : now.rlim_max };
	if (setrlimit(RLIMIT_NOFILE, &wanted) == 0)
		return DRG_OK;
	return drg_fail(reterr, DRG_ELIMIT, NULL, NULL,
	                "%zu open files are needed, and the system allows %llu", need,
	                (unsigned long long)now.rlim_max);
}
