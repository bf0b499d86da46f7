#include "base/systemd.h"

#include <assert.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/str.h"

enum { FIRST_FD = 3 };

/* Read a number from the environment; 0: it is missing. */
static int64_t env_number(const char *name)
{
	const char *text = getenv(name);
	int64_t n;
	return text != NULL && drg_str_to_i64(drg_str_c(text), &n) ? n : 0;
}

/* Is the variable `name` meant for this process, not for the one that started it? systemd may leave the
 * process id of the watchdog out. */
static bool for_us(const char *name, bool if_missing)
{
	return getenv(name) != NULL ? env_number(name) == getpid() : if_missing;
}

static bool is_tcp(int fd)
{
	struct sockaddr_storage a;
	socklen_t n = sizeof a, m = sizeof(int);
	int listens = 0;
	return getsockname(fd, (struct sockaddr *)&a, &n) == 0 &&
	       (a.ss_family == AF_INET || a.ss_family == AF_INET6) &&
	       getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &m) == 0 && listens != 0;
}

int drg_systemd_socket(int *ret_fd, struct drg_err *reterr)
{
	int64_t n = for_us("LISTEN_PID", false) ? env_number("LISTEN_FDS") : 0;
	*ret_fd = 0;
	if (n == 0)
		return DRG_OK;
	if (n != 1 || !is_tcp(FIRST_FD))
		return drg_fail(reterr, DRG_EUSAGE, NULL, NULL,
		                "systemd has to pass one listening TCP socket, found %lld that are not that: "
		                "one ListenStream=ADDRESS:PORT is wanted in the .socket unit, and Accept=no",
		                (long long)n);
	fcntl(FIRST_FD, F_SETFD, FD_CLOEXEC);
	fcntl(FIRST_FD, F_SETFL, fcntl(FIRST_FD, F_GETFL) | O_NONBLOCK);
	*ret_fd = FIRST_FD;
	return DRG_OK;
}

bool drg_systemd_listens(void)
{
	const char *path = getenv("NOTIFY_SOCKET");
	return path != NULL && (path[0] == '/' || path[0] == '@') &&
	       strlen(path) < sizeof((struct sockaddr_un *)NULL)->sun_path;
}

void drg_systemd_notify(const char *fmt, ...)
{
	if (!drg_systemd_listens())
		return;
	char text[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t n = strlen(getenv("NOTIFY_SOCKET"));
	assert(n < sizeof to.sun_path);
	memcpy(to.sun_path, getenv("NOTIFY_SOCKET"), n);
	if (to.sun_path[0] == '@')
		to.sun_path[0] = '\0'; /* an abstract address */
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	ssize_t done = sendto(fd, text, strlen(text), MSG_NOSIGNAL, (struct sockaddr *)&to,
	                      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n));
	(void)done;
	close(fd);
}

int64_t drg_systemd_watchdog_ns(void)
{
	return for_us("WATCHDOG_PID", true) ? env_number("WATCHDOG_USEC") * 1000 : 0;
}
