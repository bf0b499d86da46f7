#include "http/conns/local.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

_Static_assert(DRG_LOCAL_PATH == sizeof((struct sockaddr_un *)0)->sun_path, "the system's limit");

/** Remove the socket of a server that was killed; leave a socket that a server listens on, and any other
 * file. */
static bool remove_stale(const struct sockaddr_un *a)
{
	struct stat st;
	if (lstat(a->sun_path, &st) != 0 || !S_ISSOCK(st.st_mode))
		return false;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool dead =
	        fd >= 0 && connect(fd, (const struct sockaddr *)a, sizeof *a) != 0 && errno == ECONNREFUSED;
	if (fd >= 0)
		close(fd);
	return dead && unlink(a->sun_path) == 0;
}

/** @return the socket, or -1 with errno. */
static int local_bind(const struct sockaddr_un *a)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -1;
	bool bound = bind(fd, (const struct sockaddr *)a, sizeof *a) == 0;
	if (!bound && errno == EADDRINUSE && remove_stale(a))
		bound = bind(fd, (const struct sockaddr *)a, sizeof *a) == 0;
	if (bound && chmod(a->sun_path, 0660) == 0)
		return fd;
	int e = errno;
	close(fd);
	errno = e;
	return -1;
}

int drg_local_bind(const char *path, int *ret_fd, struct drg_err *reterr)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof a.sun_path)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		                "the path of a socket has at most %d bytes: %s", DRG_LOCAL_PATH - 1, path);
	strcpy(a.sun_path, path);
	*ret_fd = local_bind(&a);
	if (*ret_fd >= 0)
		return DRG_OK;
	bool taken = errno == EADDRINUSE;
	return drg_fail(reterr, taken ? DRG_EEXIST : DRG_EIO, NULL, NULL, "cannot listen on %s: %s", path,
	                taken ? "another program or file has this name" : strerror(errno));
}
